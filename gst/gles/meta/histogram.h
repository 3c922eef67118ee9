/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_META_HISTOGRAM_H
#define GST_GLES_META_HISTOGRAM_H

#include <gst/video/video.h>
#include <gst/gles/gl/buffer.h>
#include <gst/gles/meta/box.h>
#include <gst/gles/meta/frame-info.h>

G_BEGIN_DECLS

#define GST_TYPE_GLES_HISTOGRAM_RESULT (gst_gles_histogram_result_get_type ())
GST_GLES_API GType gst_gles_histogram_result_get_type (void);

#define GST_TYPE_GLES_HISTOGRAM_STATISTICS (gst_gles_histogram_statistics_get_type ())
GST_GLES_API GType gst_gles_histogram_statistics_get_type (void);

/**
 * GST_GLES_HISTOGRAM_MAX_CHANNELS:
 *
 * The most channels that a result has.
 *
 * Since: 0.1
 */
#define GST_GLES_HISTOGRAM_MAX_CHANNELS 5

/**
 * GstGlesHistogramResult:
 *
 * The histograms of one frame. Made as soon as the work is queued: its description (size, format,
 * region, channels) is there from the start, its counters arrive when the device is done. A getter
 * that returns counters or statistics waits for them on first use; gst_gles_histogram_result_wait()
 * waits with a limit, after which the getters do not wait.
 *
 * Never changes once made, so that it can be shared between buffers and threads. A #GstMiniObject:
 * gst_mini_object_ref() and gst_mini_object_unref() apply. All functions can be called from any
 * thread, several at a time, and none needs a GL context.
 *
 * Since: 0.1
 */
typedef struct _GstGlesHistogramResult GstGlesHistogramResult;
typedef struct _GstGlesHistogramChannelInfo GstGlesHistogramChannelInfo;
typedef struct _GstGlesHistogramInfo GstGlesHistogramInfo;

typedef struct _GstGlesHistogramStatistics GstGlesHistogramStatistics;
typedef struct _GstGlesOverview GstGlesOverview;

/**
 * GstGlesHistogramStatistics:
 * @count: samples counted: all of the channel in the region
 * @min: the smallest code value
 * @max: the largest code value
 * @mean: the mean code value
 * @stddev: the standard deviation of the samples (of the population: divided by @count)
 * @entropy: Shannon entropy of the code values, in bits
 * @p1: 1st percentile: the smallest value that at least 1 % of the samples do not exceed (nearest
 *     rank)
 * @p5: 5th percentile
 * @p10: 10th percentile
 * @p50: the median
 * @p90: 90th percentile
 * @p95: 95th percentile
 * @p99: 99th percentile
 * @difference: how much the histogram differs from that of the frame analysed before: the sum of
 *     the absolute differences of the counters over 2 * @count; 0 for equal ones, 1 for disjoint
 *     ones, 0 when there is no frame before
 * @emd: the earth mover's distance between the two histograms, in code values: how far samples move
 *     on average to turn the histogram of the frame before into this one (the sum of the absolute
 *     differences of the cumulative counters over @count); 0 when there is no frame before, and
 *     when gst_gles_histogram_result_has_emd() says that it was not computed
 * @mad: the mean absolute difference, in code values, between the samples and those at the same
 *     places of the frame before, or of the earlier one that `mad-noise` selects; 0 when there is
 *     none, and when gst_gles_histogram_result_has_mad() says that it was not computed
 * @mad_previous: the same from the samples of the frame before, whatever `mad-noise` selects
 *
 * Statistics of a channel's code values, from its native histogram (one bin per code value) of the
 * whole region. With no samples (a region between the samples of a subsampled component) all
 * fields are 0.
 *
 * Since: 0.1
 */
struct _GstGlesHistogramStatistics {
  guint64 count;
  guint min;
  guint max;
  gdouble mean;
  gdouble stddev;
  gdouble entropy;
  guint p1, p5, p10, p50, p90, p95, p99;
  gdouble difference;
  gdouble emd;
  gdouble mad;
  gdouble mad_previous;
};

/**
 * GstGlesOverview:
 * @counts: the histogram of each area: counts[a][i] samples have a luma v with
 *     floor (v * 32 / 2^depth) = i
 * @gradients: for each area the sum of |Y(x + 1, y) - Y(x, y)| and |Y(x, y + 1) - Y(x, y)|, in code
 *     values of luma
 * @n_samples: the samples of each area: the sum of its counts
 * @n_gradients: the differences of each area that gradients adds up, 0 to 2 * n_samples
 * @depth: bits of luma, 5 to 16
 *
 * Luma in 4 x 4 areas of the region, in each fourth row: y = 0, 4, 8, ..., where (0, 0) is the top
 * left sample of the region. The sample (x, y) belongs to the area floor (y * 4 / height) * 4 +
 * floor (x * 4 / width): area 0 is top left, area 3 top right. So do its differences to the samples
 * on the right and below, where those are in the region.
 *
 * gradients[a] / n_gradients[a] / 2^depth is a sharpness. Of regions that are less than 4 samples
 * wide or 13 high some areas have no samples, and n_samples is 0.
 *
 * Since: 0.1
 */
struct _GstGlesOverview {
  guint32 counts[16][32];
  guint64 gradients[16];
  guint32 n_samples[16];
  guint32 n_gradients[16];
  guint depth;
};

/**
 * GstGlesHistogramChannelInfo:
 * @name: "Y", "U", "V", "R", "G", "B", "A", ..., "luma", or the name of an expression
 * @n_samples: samples in the region
 * @depth: bits per sample, 1 to 16
 * @native_offset: where 2^depth counters lie, one per code value, of the whole region
 * @difference_offset: where the sum over them of |count - count of the frame before| lies
 * @cells_offset: where columns * rows * bins counters lie, cell by cell; ignored with one cell
 * @emd_offset: where the sum of the absolute differences of the cumulative counters lies, in 64
 *     bits, the lower word first; 0: nowhere
 * @mad_offset: where the sum of the absolute differences of the samples lies, likewise, and behind
 *     it that from the frame before; 0: nowhere
 * @computed: whether the values are those of an expression, of which some may not count: the
 *     counters add up to at most @n_samples
 *
 * One channel, and where its counters lie: offsets are indices of u32 words in the counts.
 *
 * Since: 0.1
 */
struct _GstGlesHistogramChannelInfo {
  const gchar *name;
  guint64 n_samples;
  guint depth;
  guint native_offset;
  guint difference_offset;
  guint cells_offset;
  guint emd_offset;
  guint mad_offset;
  gboolean computed;
};

/**
 * GstGlesHistogramInfo:
 * @frame: what all results tell of it
 * @x: left edge of the region, in luma positions
 * @y: top edge of the region
 * @region_width: width of the region
 * @region_height: height of the region
 * @columns: cells side by side over the region
 * @rows: cells one below the other
 * @bins: bins per cell: bin = value * bins >> depth
 * @luma: whether the one channel is luma, not a stored component
 * @overview_offset: where 16 * 32 counters of the overview lie, area by area, followed by 16 sums
 *     of gradients in 64 bits, the lower word first; 0: nowhere
 * @overview_depth: bits of luma in the overview
 * @flash_offset: where the words of a #GstGlesFlash lie: the sums of luminance and of red, the
 *     changed samples of both, the samples, whether they were compared, two zeros; 0: nowhere
 * @crop_offset: where the four words of a #GstGlesCrop lie; 0: nowhere
 * @outliers_offset: where the numbers of repeated rows and of outliers lie; 0: nowhere
 * @has_boxes: whether the element was told to count in boxes (`boxes`)
 * @n_boxes: boxes that were counted
 * @boxes_truncated: whether the frame had more boxes than are read
 * @n_channels: number of channels, 1 to %GST_GLES_HISTOGRAM_MAX_CHANNELS
 * @channels: the channels
 *
 * What was analysed, and how the counters lie in gst_gles_histogram_result_get_device_buffer().
 *
 * Since: 0.1
 */
struct _GstGlesHistogramInfo {
  GstGlesFrameInfo frame;
  guint x, y;
  guint region_width, region_height;
  guint columns, rows;
  guint bins;
  gboolean luma;
  guint overview_offset;
  guint overview_depth;
  guint flash_offset;
  guint crop_offset, outliers_offset;
  gboolean has_boxes;
  guint n_boxes;
  gboolean boxes_truncated;
  guint n_channels;
  GstGlesHistogramChannelInfo channels[GST_GLES_HISTOGRAM_MAX_CHANNELS];
};

/**
 * gst_gles_histogram_result_new:
 * @frame: what is known of the frame; copied
 * @names: (array length=n_channels): the channels' names, "Y", "U", "R", "luma", ...
 * @depths: (array length=n_channels): bits per sample of each channel, 1 to 16
 * @n_channels: the number of channels, 1 to %GST_GLES_HISTOGRAM_MAX_CHANNELS
 * @counts: u32 words in the host's byte order: for each channel 2^depth counters, one per code
 *     value
 * @sums: (nullable): for each channel three u64: the sum of the absolute differences of its
 *     counters to those of the frame before, that of its cumulative counters, and that of its
 *     samples, which is that of `mad_previous`, too; %NULL when there is no frame before
 * @error: set when %NULL is returned
 *
 * Makes a result of counters that the caller has, of the whole picture, without a grid.
 * Thread: any.
 *
 * Returns: (transfer full) (nullable): a result that is ready.
 *     Errors: %GST_GLES_ERROR_INVALID (what the counters say, no picture has).
 * Since: 0.1
 */
GST_GLES_API GstGlesHistogramResult *gst_gles_histogram_result_new (const GstGlesFrameInfo *frame,
    const gchar *const *names, const guint *depths, guint n_channels, GBytes *counts, GBytes *sums,
    GError **error);

/* ---- reading a result ---- */

/**
 * gst_gles_histogram_result_ref: (skip)
 * @result: a result
 *
 * Returns: (transfer full): @result
 */
GST_GLES_API GstGlesHistogramResult *gst_gles_histogram_result_ref (GstGlesHistogramResult *result);

/**
 * gst_gles_histogram_result_unref: (skip)
 * @result: (transfer full) (nullable): a result
 *
 * Thread: any; needs no context and does not wait.
 */
GST_GLES_API void gst_gles_histogram_result_unref (GstGlesHistogramResult *result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesHistogramResult, gst_gles_histogram_result_unref)

/**
 * gst_gles_histogram_result_from_buffer:
 * @buffer: a buffer
 *
 * The result of the #GstGlesHistogramMeta that was added to @buffer last: of several gleshistogram
 * elements in a row, the one nearest to the caller. gst_buffer_iterate_meta_filtered() finds the
 * others.
 *
 * Returns: (transfer full) (nullable): the result, %NULL if @buffer has none
 * Since: 0.1
 */
GST_GLES_API GstGlesHistogramResult *gst_gles_histogram_result_from_buffer (GstBuffer *buffer);

/**
 * gst_gles_histogram_result_is_ready:
 * @result: a result
 *
 * Begins to bring counters that were not read ahead; waits for them only where the device has no
 * memory that stays mapped.
 *
 * Returns: whether the getters would not wait; %FALSE when the counters stay on the device
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_histogram_result_is_ready (GstGlesHistogramResult *result);

/**
 * gst_gles_histogram_result_wait:
 * @result: a result
 * @timeout_ns: the longest to wait in nanoseconds; 0 polls, %G_MAXUINT64 waits without limit
 * @error: set when %FALSE is returned
 *
 * Waits for the counters. After %TRUE no getter waits or fails.
 *
 * Returns: %TRUE when they are there. Errors: %GST_GLES_ERROR_TIMEOUT,
 *     %GST_GLES_ERROR_DEVICE_LOST, %GST_GLES_ERROR_CANCELLED (a flush discarded the work),
 *     %GST_GLES_ERROR_INVALID (the element was told `readback=false`: the counters are in
 *     gst_gles_histogram_result_get_device_buffer() only).
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_histogram_result_wait (
    GstGlesHistogramResult *result, guint64 timeout_ns, GError **error);

/**
 * gst_gles_histogram_result_get_counts:
 * @result: a result
 * @channel: a channel, from 0
 * @cell: a cell of the grid, from 0 in raster order: row * columns + column
 * @n: (out): the number of bins
 * @error: set when %NULL is returned
 *
 * The histogram of a channel in a cell: counts[i] samples have a value v with
 * floor (v * n / 2^depth) = i. Waits for the counters.
 *
 * Returns: (array length=n) (transfer none) (nullable): the counters; they live as long as @result.
 *     Errors: as gst_gles_histogram_result_wait().
 * Since: 0.1
 */
GST_GLES_API const guint32 *gst_gles_histogram_result_get_counts (
    GstGlesHistogramResult *result, guint channel, guint cell, guint *n, GError **error);

/**
 * gst_gles_histogram_result_get_native_counts:
 * @result: a result
 * @channel: a channel, from 0
 * @n: (out): the number of code values: 2^depth
 * @error: set when %NULL is returned
 *
 * The histogram of a channel over the whole region with one bin per code value, whatever number of
 * bins and cells was asked for. Waits for the counters.
 *
 * Returns: (array length=n) (transfer none) (nullable): the counters; they live as long as @result.
 *     Errors: as gst_gles_histogram_result_wait().
 * Since: 0.1
 */
GST_GLES_API const guint32 *gst_gles_histogram_result_get_native_counts (
    GstGlesHistogramResult *result, guint channel, guint *n, GError **error);

/**
 * gst_gles_histogram_result_get_counts_bytes:
 * @result: a result
 * @error: set when %NULL is returned
 *
 * The histograms of all channels and cells, for languages that read arrays out of bytes: 32-bit
 * words in the host's byte order, [channel][cell][bin], with cells in raster order. Waits for the
 * counters. Copies them only when the channels do not lie one behind the other, as with other bins
 * than one per code value and no grid.
 *
 * Returns: (transfer full) (nullable): channels * cells * bins * 4 bytes; does not need @result any
 *     more. Errors: as gst_gles_histogram_result_wait().
 * Since: 0.1
 */
GST_GLES_API GBytes *gst_gles_histogram_result_get_counts_bytes (
    GstGlesHistogramResult *result, GError **error);

/**
 * gst_gles_histogram_result_get_native_counts_bytes:
 * @result: a result
 * @channel: a channel, from 0
 * @error: set when %NULL is returned
 *
 * gst_gles_histogram_result_get_native_counts() as bytes: 32-bit words in the host's byte order.
 * Waits for the counters; copies nothing.
 *
 * Returns: (transfer full) (nullable): 2^depth * 4 bytes; keeps @result alive. Errors: as
 *     gst_gles_histogram_result_wait().
 * Since: 0.1
 */
GST_GLES_API GBytes *gst_gles_histogram_result_get_native_counts_bytes (
    GstGlesHistogramResult *result, guint channel, GError **error);

/**
 * gst_gles_histogram_result_get_statistics:
 * @result: a result
 * @channel: a channel, from 0
 * @statistics: (out caller-allocates): receives the statistics
 * @error: set when %FALSE is returned
 *
 * Statistics of a channel's code values over the region. Waits for the counters; computed once.
 *
 * Returns: %TRUE if @statistics is set. Errors: as gst_gles_histogram_result_wait().
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_histogram_result_get_statistics (GstGlesHistogramResult *result,
    guint channel, GstGlesHistogramStatistics *statistics, GError **error);

/**
 * gst_gles_histogram_result_get_overview: (skip)
 * @result: a result
 * @error: set when %NULL is returned because the counters do not come
 *
 * Luma in 4 x 4 areas, which gleshistogram always counts. Waits for the counters.
 *
 * Thread: any.
 *
 * Returns: (transfer none) (nullable): the overview, which lives as long as @result. %NULL and no
 *     error: there is none, as in results of gst_gles_histogram_result_new(). Errors: as
 *     gst_gles_histogram_result_wait().
 * Since: 0.1
 */
GST_GLES_API const GstGlesOverview *gst_gles_histogram_result_get_overview (
    GstGlesHistogramResult *result, GError **error);

/**
 * gst_gles_histogram_result_get_overview_bytes:
 * @result: a result
 * @error: set when %NULL is returned because the counters do not come
 *
 * gst_gles_histogram_result_get_overview() as bytes, for languages that read arrays out of bytes:
 * 16 * 32 counters of 32 bits, 16 sums of 64 bits, 16 and 16 numbers of 32 bits, and the depth, all
 * in the host's byte order. Waits for the counters; copies nothing.
 *
 * Returns: (transfer full) (nullable): the bytes of a #GstGlesOverview, which keep @result alive.
 *     %NULL and no error: there is none. Errors: as gst_gles_histogram_result_wait().
 * Since: 0.1
 */
GST_GLES_API GBytes *gst_gles_histogram_result_get_overview_bytes (
    GstGlesHistogramResult *result, GError **error);

/* ---- boxes ---- */

/**
 * gst_gles_histogram_result_get_boxes:
 * @result: a result
 * @n: (out): the number of boxes
 *
 * The boxes that were counted, in the order of the metas: the parts of them that lie in the
 * picture. They are counted whole, whatever `region` and `mask` select. Does not wait.
 *
 * Thread: any.
 *
 * Returns: (array length=n) (transfer none) (nullable): the boxes, which live as long as @result;
 *     %NULL if there are none
 * Since: 0.1
 */
GST_GLES_API const GstGlesBox *gst_gles_histogram_result_get_boxes (
    GstGlesHistogramResult *result, guint *n);

/**
 * gst_gles_histogram_result_get_n_box_channels:
 * @result: a result
 *
 * Returns: the number of channels that boxes have: those that no expression computes, which are the
 *     first; does not wait
 * Since: 0.1
 */
GST_GLES_API guint gst_gles_histogram_result_get_n_box_channels (GstGlesHistogramResult *result);

/**
 * gst_gles_histogram_result_get_box_statistics:
 * @result: a result
 * @box: a box, from 0
 * @channel: one of gst_gles_histogram_result_get_n_box_channels() channels, from 0
 * @statistics: (out caller-allocates): receives the statistics
 * @error: set when %FALSE is returned
 *
 * Statistics of a channel's code values in a box. What compares frames (`difference`, `emd`, `mad`,
 * `mad_previous`) is 0: a box is no place that stays. Waits for the counters.
 *
 * Returns: %TRUE if @statistics is set. Errors: as gst_gles_histogram_result_wait().
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_histogram_result_get_box_statistics (GstGlesHistogramResult *result,
    guint box, guint channel, GstGlesHistogramStatistics *statistics, GError **error);

/**
 * gst_gles_histogram_result_get_box_counts:
 * @result: a result
 * @box: a box, from 0
 * @channel: one of gst_gles_histogram_result_get_n_box_channels() channels, from 0
 * @error: set when %NULL is returned
 *
 * The histogram of a channel in a box, of as many bins as those of
 * gst_gles_histogram_result_get_counts(). Waits for the counters.
 *
 * Returns: (transfer full) (nullable): bins * 4 bytes, 32-bit words in the host's byte order.
 *     Errors: as gst_gles_histogram_result_wait().
 * Since: 0.1
 */
GST_GLES_API GBytes *gst_gles_histogram_result_get_box_counts (
    GstGlesHistogramResult *result, guint box, guint channel, GError **error);

/**
 * gst_gles_histogram_result_get_device_buffer:
 * @result: a result
 *
 * Returns: (transfer full) (nullable): the counters on the device, u32 words in device order
 * Since: 0.1
 */
GST_GLES_API GstGlesBuffer *gst_gles_histogram_result_get_device_buffer (
    GstGlesHistogramResult *result);

/* ---- what was analysed: never waits ---- */

/**
 * gst_gles_histogram_result_get_info:
 * @result: a result
 *
 * Returns: (transfer none): what was analysed, and how; does not wait; lives as long as @result
 * Since: 0.1
 */
GST_GLES_API const GstGlesHistogramInfo *gst_gles_histogram_result_get_info (
    GstGlesHistogramResult *result);

/**
 * gst_gles_histogram_result_get_frame:
 * @result: a result
 *
 * Returns: (transfer none): number, times, size, format and origin of the frame that was analysed;
 *     does not wait; lives as long as @result
 * Since: 0.1
 */
GST_GLES_API const GstGlesFrameInfo *gst_gles_histogram_result_get_frame (
    GstGlesHistogramResult *result);

/**
 * gst_gles_histogram_result_get_n_channels:
 * @result: a result
 *
 * Returns: the number of channels, 1 to %GST_GLES_HISTOGRAM_MAX_CHANNELS
 * Since: 0.1
 */
GST_GLES_API guint gst_gles_histogram_result_get_n_channels (GstGlesHistogramResult *result);

/**
 * gst_gles_histogram_result_get_channel_name:
 * @result: a result
 * @channel: a channel, from 0
 *
 * Returns: (transfer none): "Y", "U", "V", "R", "G", "B", "A", ..., "luma", or the name of an
 *     expression
 * Since: 0.1
 */
GST_GLES_API const gchar *gst_gles_histogram_result_get_channel_name (
    GstGlesHistogramResult *result, guint channel);

/**
 * gst_gles_histogram_result_get_channel_depth:
 * @result: a result
 * @channel: a channel, from 0
 *
 * Returns: bits per sample, 1 to 16: code values are 0 to 2^depth - 1
 * Since: 0.1
 */
GST_GLES_API guint gst_gles_histogram_result_get_channel_depth (
    GstGlesHistogramResult *result, guint channel);

/**
 * gst_gles_histogram_result_has_mad:
 * @result: a result
 *
 * Returns: whether the element was told to compare samples (`mad=true`), so that
 *     #GstGlesHistogramStatistics.mad is meaningful
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_histogram_result_has_mad (GstGlesHistogramResult *result);

/**
 * gst_gles_histogram_result_has_emd:
 * @result: a result
 *
 * Returns: whether the element was told to compute the earth mover's distance (`emd=true`), so that
 *     #GstGlesHistogramStatistics.emd is meaningful
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_histogram_result_has_emd (GstGlesHistogramResult *result);

/* ---- the meta ---- */

typedef struct _GstGlesHistogramMeta GstGlesHistogramMeta;

/**
 * GstGlesHistogramMeta:
 * @meta: parent
 * @result: (transfer none): the result that this meta holds a reference of
 *
 * A histogram on a buffer. Its only tag is "video", so that converters, scalers and encoders keep
 * it: it tells of the picture that was analysed, which the result describes, and is shared, never
 * recomputed. A buffer can have several, one per gleshistogram it went through, in that order.
 *
 * Since: 0.1
 */
struct _GstGlesHistogramMeta {
  GstMeta meta;
  GstGlesHistogramResult *result;
};

#define GST_GLES_HISTOGRAM_META_API_TYPE (gst_gles_histogram_meta_api_get_type ())
GST_GLES_API GType gst_gles_histogram_meta_api_get_type (void);

#define GST_GLES_HISTOGRAM_META_INFO (gst_gles_histogram_meta_get_info ())
GST_GLES_API const GstMetaInfo *gst_gles_histogram_meta_get_info (void);

/**
 * gst_buffer_add_gles_histogram_meta:
 * @buffer: a writable buffer
 * @result: (transfer none): a result
 *
 * Adds a meta that refers to @result, behind those that @buffer has already. Does not wait.
 *
 * Returns: (transfer none): the meta, owned by @buffer
 * Since: 0.1
 */
GST_GLES_API GstGlesHistogramMeta *gst_buffer_add_gles_histogram_meta (
    GstBuffer *buffer, GstGlesHistogramResult *result);

/**
 * gst_buffer_get_gles_histogram_meta:
 * @buffer: a buffer
 *
 * Returns: (transfer none) (nullable): the histogram meta that was added last, %NULL if none
 * Since: 0.1
 */
GST_GLES_API GstGlesHistogramMeta *gst_buffer_get_gles_histogram_meta (GstBuffer *buffer);

G_END_DECLS

#endif
