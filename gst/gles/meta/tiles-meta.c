/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/meta/tiles.h>

#include <gst/gles/meta/result-meta.h>
#include <gst/gles/meta/serial-private.h>

GST_GLES_DEFINE_RESULT_META (Tiles, tiles, TRUE)
