/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The member `histogram` of a line. */
#ifndef GST_GLES_JSON_HISTOGRAM_H
#define GST_GLES_JSON_HISTOGRAM_H

#include <gst/gles/meta/histogram.h>

#include "../../json/writer.h"

G_BEGIN_DECLS

/* Writes @result, which is ready. FALSE with @error. */
gboolean json_histogram_write (
    JsonWriter *writer, GstGlesHistogramResult *result, gboolean with_counts, GError **error);

G_END_DECLS

#endif
