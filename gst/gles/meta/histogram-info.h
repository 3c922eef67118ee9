/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What elements make histogram results with. Not installed. */
#ifndef GST_GLES_META_HISTOGRAM_INFO_H
#define GST_GLES_META_HISTOGRAM_INFO_H

#include <gst/gles/gl/readback.h>
#include <gst/gles/meta/histogram.h>

G_BEGIN_DECLS

/* Makes a result of work that is queued, for elements that analyse. Keeps @readback, the counts on
 * their way to the host (nullable: they stay on the device), and @counts, those on the device
 * (nullable). Thread: any. */
GST_GLES_API GstGlesHistogramResult *gst_gles_histogram_result_new_queued (
    const GstGlesHistogramInfo *info, GstGlesReadback *readback, GstGlesBuffer *counts);

/* How many words the counts of @info take. */
guint64 gst_gles_histogram_info_get_n_words (const GstGlesHistogramInfo *info);

/* Whether @words, at least as many as @info says, are counters that a picture can have, with which
 * statistics do not overflow. */
gboolean gst_gles_histogram_info_check (const GstGlesHistogramInfo *info, const guint32 *words);

/* ---- histogram-overview.c ---- */

#define GST_GLES_OVERVIEW_N_WORDS (16 * 32 + 2 * 16)

/* Sets @overview from the words at the offset that @info has. */
void gst_gles_overview_read (
    const GstGlesHistogramInfo *info, const guint32 *words, GstGlesOverview *overview);

/* Whether the region of @info can have these words. */
gboolean gst_gles_overview_check (const GstGlesHistogramInfo *info, const guint32 *words);

G_END_DECLS

#endif
