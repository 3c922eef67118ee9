/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/meta/histogram.h>

#include <gst/gles/meta/result-meta.h>
#include <gst/gles/meta/serial-private.h>

/* Histograms have no coordinates, so they survive every transformation of the picture. */
GST_GLES_DEFINE_RESULT_META (Histogram, histogram, FALSE)
