/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What elements make histogram results with. Not installed. */
#ifndef GST_GLES_META_HISTOGRAM_INFO_H
#define GST_GLES_META_HISTOGRAM_INFO_H

#include <gst/gles/gl/readback-info.h>
#include <gst/gles/meta/histogram.h>

G_BEGIN_DECLS

/* The boxes of a result. Their counters are those of a frame-boxes plan with a bin for each code
 * value of the deepest channel: [box][channel][bin], without the channel of an expression. */
typedef struct {
  /* n_boxes GstGlesBox, and behind them what their types may be */
  GBytes *boxes;
  GstGlesReadback *readback; /* nullable: they stay on the device */
  GstGlesBuffer *counts;     /* nullable */
} GstGlesHistogramBoxes;

/* Makes a result of work that is queued, for elements that analyse. Keeps @readback, the counts on
 * their way to the host (nullable: they stay on the device), @counts, those on the device
 * (nullable), and what @boxes has (nullable if @info has none). Thread: any. */
GST_GLES_API GstGlesHistogramResult *gst_gles_histogram_result_new_queued (
    const GstGlesHistogramInfo *info, GstGlesReadback *readback, GstGlesBuffer *counts,
    const GstGlesHistogramBoxes *boxes);

/* How many words the counts of @info take. */
guint64 gst_gles_histogram_info_get_n_words (const GstGlesHistogramInfo *info);

/* Whether @words, at least as many as @info says, are counters that a picture can have, with which
 * statistics do not overflow. */
gboolean gst_gles_histogram_info_check (const GstGlesHistogramInfo *info, const guint32 *words);

/* Waits for the counters of @result and returns the words from @offset on; NULL without an error if
 * that is 0, which stands for nowhere. Errors: as gst_gles_histogram_result_wait(). */
const guint32 *gst_gles_histogram_result_peek_words (
    GstGlesHistogramResult *result, guint offset, GError **error);

/* ---- histogram-boxes.c ---- */

/* The channels that boxes count, and the bits of their bins. */
guint gst_gles_histogram_info_get_n_box_channels (const GstGlesHistogramInfo *info);
guint gst_gles_histogram_info_get_box_depth (const GstGlesHistogramInfo *info);
/* The size of the counters of all boxes. */
GST_GLES_API gsize gst_gles_histogram_info_get_box_bytes (const GstGlesHistogramInfo *info);

/* Whether @boxes lie in the frame, and whether @words, as many as @info says, are counters that
 * they can have. */
gboolean gst_gles_histogram_info_check_boxes (
    const GstGlesHistogramInfo *info, const GstGlesBox *boxes, const guint32 *words);

/* The counters of all boxes on the device: (transfer full) (nullable). */
GST_GLES_API GstGlesBuffer *gst_gles_histogram_result_get_box_buffer (
    GstGlesHistogramResult *result);
/* The counters of all boxes of a result that is ready; NULL: there are no boxes. */
const guint32 *gst_gles_histogram_result_peek_box_words (GstGlesHistogramResult *result);

/* ---- histogram-overview.c ---- */

#define GST_GLES_OVERVIEW_N_WORDS (16 * 32 + 2 * 16)

/* Sets @overview from the words at the offset that @info has. */
void gst_gles_overview_read (
    const GstGlesHistogramInfo *info, const guint32 *words, GstGlesOverview *overview);

/* Whether the region of @info can have these words. */
gboolean gst_gles_overview_check (const GstGlesHistogramInfo *info, const guint32 *words);

G_END_DECLS

#endif
