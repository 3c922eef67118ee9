/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What elements make histogram results with. Not installed. */
#ifndef GST_GLES_META_HISTOGRAM_INFO_H
#define GST_GLES_META_HISTOGRAM_INFO_H

#include <gst/gles/gl/readback.h>
#include <gst/gles/meta/histogram.h>

G_BEGIN_DECLS

typedef struct _GstGlesHistogramChannelInfo GstGlesHistogramChannelInfo;
typedef struct _GstGlesHistogramInfo GstGlesHistogramInfo;

/* GstGlesHistogramChannelInfo:
 * @name: "Y", "U", "R", "luma", ...; a result keeps a copy
 * @depth: bits per sample, 1 to 16
 * @n_samples: samples in the region
 * @native_offset: where 2^depth counters lie, one per code value, of the whole region
 * @difference_offset: where the sum over them of |count - count of the frame before| lies
 * @cells_offset: where columns * rows * bins counters lie, cell by cell; ignored with one cell
 * @emd_offset: where the sum of the absolute differences of the cumulative counters lies, in 64
 *     bits, the lower word first; 0: nowhere
 * @mad_offset: where the sum of the absolute differences of the samples lies, likewise; 0: nowhere
 *
 * One channel, and where its counters lie: offsets are indices of u32 words in the counts.
 */
struct _GstGlesHistogramChannelInfo {
  const gchar *name;
  guint depth;
  guint64 n_samples;
  guint native_offset;
  guint difference_offset;
  guint cells_offset;
  guint emd_offset;
  guint mad_offset;
};

/* GstGlesHistogramInfo:
 * @x: left edge of the region, in luma positions
 * @y: top edge of the region
 * @region_width: width of the region
 * @region_height: height of the region
 * @columns: cells side by side over the region
 * @rows: cells one below the other
 * @bins: bins per cell: bin = value * bins >> depth
 * @luma: whether the one channel is luma, not a stored component
 * @n_channels: number of channels, 1 to %GST_GLES_HISTOGRAM_MAX_CHANNELS
 * @channels: the channels
 *
 * What was analysed, and how the counts are laid out.
 */
struct _GstGlesHistogramInfo {
  GstGlesFrameInfo frame;
  guint x, y;
  guint region_width, region_height;
  guint columns, rows;
  guint bins;
  gboolean luma;
  guint n_channels;
  GstGlesHistogramChannelInfo channels[GST_GLES_HISTOGRAM_MAX_CHANNELS];
};

/* Makes a result of work that is queued, for elements that analyse. Keeps @readback, the counts on
 * their way to the host (nullable: they stay on the device), and @counts, those on the device
 * (nullable). Thread: any. */
GST_GLES_API GstGlesHistogramResult *gst_gles_histogram_result_new_queued (
    const GstGlesHistogramInfo *info, GstGlesReadback *readback, GstGlesBuffer *counts);

/* Returns (transfer none) what @result was made with. */
GST_GLES_API const GstGlesHistogramInfo *gst_gles_histogram_result_get_info (
    GstGlesHistogramResult *result);

/* How many words the counts of @info take. */
guint64 gst_gles_histogram_info_get_n_words (const GstGlesHistogramInfo *info);

/* Whether @words, at least as many as @info says, are counters that a picture can have, with which
 * statistics do not overflow. */
gboolean gst_gles_histogram_info_check (const GstGlesHistogramInfo *info, const guint32 *words);

G_END_DECLS

#endif
