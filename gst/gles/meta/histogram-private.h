/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of the histogram result share. */
#ifndef GST_GLES_META_HISTOGRAM_PRIVATE_H
#define GST_GLES_META_HISTOGRAM_PRIVATE_H

#include <gst/gles/meta/histogram.h>

G_BEGIN_DECLS

/* How many words the counts of @info take. */
guint64 gst_gles_histogram_info_get_n_words (const GstGlesHistogramInfo *info);

G_END_DECLS

#endif
