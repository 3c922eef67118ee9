/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_META_REGIONS_H
#define GST_GLES_META_REGIONS_H

#include <gst/gles/core/region.h>
#include <gst/gles/gl/buffer.h>
#include <gst/gles/meta/frame-info.h>
#include <gst/video/video.h>

G_BEGIN_DECLS

#define GST_TYPE_GLES_REGIONS_RESULT (gst_gles_regions_result_get_type ())
GST_GLES_API GType gst_gles_regions_result_get_type (void);

/**
 * GstGlesRegionsResult:
 *
 * The connected regions of one frame, the largest first, those of one size in raster order. Made
 * as soon as the work is queued: its description (size, label, cells) is there from the start,
 * its regions arrive when the device is done. A getter that returns regions or totals waits for
 * them on first use; gst_gles_regions_result_wait() waits with a limit, after which the getters
 * do not wait.
 *
 * Never changes once made, so that it can be shared between buffers and threads. A
 * #GstMiniObject: gst_mini_object_ref() and gst_mini_object_unref() apply. All functions can be
 * called from any thread, several at a time, and none needs a GL context.
 *
 * Since: 0.1
 */
typedef struct _GstGlesRegionsResult GstGlesRegionsResult;
typedef struct _GstGlesRegionsInfo GstGlesRegionsInfo;

/**
 * GstGlesRegionsInfo:
 * @frame: what all results tell of it
 * @cell_width: width of the cells that points were put into, in pixels
 * @cell_height: height of them
 * @connectivity: 4 or 8
 * @min_points: how many points a cell had to hold
 * @min_size: regions of fewer points were left out
 * @max_regions: the most that were listed
 * @label: what regions are called
 *
 * What was looked for, and how.
 *
 * Since: 0.1
 */
struct _GstGlesRegionsInfo {
  GstGlesFrameInfo frame;
  guint cell_width, cell_height;
  guint connectivity;
  guint min_points;
  guint min_size;
  guint max_regions;
  const gchar *label;
};

/**
 * gst_gles_regions_result_new:
 * @frame: what is known of the frame; copied
 * @label: what the regions are called; copied
 * @regions: #GstGlesRegion one after the other, 64 bytes each, the largest first
 * @total: how many regions were found, which may be more
 * @error: set when %NULL is returned
 *
 * Makes a result of boxes that the caller has. Thread: any.
 *
 * Returns: (transfer full) (nullable): a result that is ready.
 *     Errors: %GST_GLES_ERROR_INVALID (a region is empty, lies outside of the picture, or its sums
 *     are those of no pixels in its box).
 * Since: 0.1
 */
GST_GLES_API GstGlesRegionsResult *gst_gles_regions_result_new (const GstGlesFrameInfo *frame,
    const gchar *label, GBytes *regions, guint64 total, GError **error);

/* ---- reading a result ---- */

/**
 * gst_gles_regions_result_ref: (skip)
 * @result: a result
 *
 * Returns: (transfer full): @result
 */
GST_GLES_API GstGlesRegionsResult *gst_gles_regions_result_ref (GstGlesRegionsResult *result);

/**
 * gst_gles_regions_result_unref: (skip)
 * @result: (transfer full) (nullable): a result
 *
 * Thread: any; needs no context and does not wait.
 */
GST_GLES_API void gst_gles_regions_result_unref (GstGlesRegionsResult *result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesRegionsResult, gst_gles_regions_result_unref)

/**
 * gst_gles_regions_result_from_buffer:
 * @buffer: a buffer
 *
 * The result of the #GstGlesRegionsMeta that was added to @buffer last: of several glesregions
 * elements in a row, the one nearest to the caller. gst_buffer_iterate_meta_filtered() finds the
 * others.
 *
 * Returns: (transfer full) (nullable): the result, %NULL if @buffer has none
 * Since: 0.1
 */
GST_GLES_API GstGlesRegionsResult *gst_gles_regions_result_from_buffer (GstBuffer *buffer);

/**
 * gst_gles_regions_result_is_ready:
 * @result: a result
 *
 * Begins to bring regions that were not read ahead; waits for them only where the device has no
 * memory that stays mapped.
 *
 * Returns: whether the getters would not wait; %FALSE when the regions stay on the device
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_regions_result_is_ready (GstGlesRegionsResult *result);

/**
 * gst_gles_regions_result_wait:
 * @result: a result
 * @timeout_ns: the longest to wait in nanoseconds; 0 polls, %G_MAXUINT64 waits without limit
 * @error: set when %FALSE is returned
 *
 * Waits for the regions. After %TRUE no getter waits or fails.
 *
 * Returns: %TRUE when they are there. Errors: %GST_GLES_ERROR_TIMEOUT,
 *     %GST_GLES_ERROR_DEVICE_LOST, %GST_GLES_ERROR_CANCELLED (a flush discarded the work),
 *     %GST_GLES_ERROR_INVALID (the element was told `readback=false`: the regions are in the
 *     device buffer only).
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_regions_result_wait (
    GstGlesRegionsResult *result, guint64 timeout_ns, GError **error);

/**
 * gst_gles_regions_result_get_total:
 * @result: a result
 *
 * Waits for the regions.
 *
 * Returns: how many regions of at least `min-size` there are, listed or not; 0 when
 *     gst_gles_regions_result_wait() fails
 * Since: 0.1
 */
GST_GLES_API guint64 gst_gles_regions_result_get_total (GstGlesRegionsResult *result);

/**
 * gst_gles_regions_result_get_count:
 * @result: a result
 *
 * Waits for the regions.
 *
 * Returns: how many regions are listed; 0 when gst_gles_regions_result_wait() fails
 * Since: 0.1
 */
GST_GLES_API guint gst_gles_regions_result_get_count (GstGlesRegionsResult *result);

/**
 * gst_gles_regions_result_is_truncated:
 * @result: a result
 *
 * Waits for the regions.
 *
 * Returns: whether there are more than `max-regions`: the largest are listed
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_regions_result_is_truncated (GstGlesRegionsResult *result);

/**
 * gst_gles_regions_result_get_region:
 * @result: a result
 * @index: a region, from 0, the largest, below gst_gles_regions_result_get_count()
 * @error: set when %NULL is returned
 *
 * One region. Waits for the regions.
 *
 * Returns: (transfer none) (nullable): the region; it lives as long as @result. Errors: as
 *     gst_gles_regions_result_wait(), and %GST_GLES_ERROR_INVALID for an @index past the end.
 * Since: 0.1
 */
GST_GLES_API const GstGlesRegion *gst_gles_regions_result_get_region (
    GstGlesRegionsResult *result, guint index, GError **error);

/**
 * gst_gles_regions_result_get_bytes:
 * @result: a result
 * @error: set when %NULL is returned
 *
 * The regions as they lie in memory, for languages that read arrays out of bytes: a
 * #GstGlesRegion of 64 bytes each, in the host's byte order. Waits for them; copies nothing.
 *
 * Returns: (transfer full) (nullable): 64 bytes per region; keeps @result alive. Errors: as
 *     gst_gles_regions_result_wait().
 * Since: 0.1
 */
GST_GLES_API GBytes *gst_gles_regions_result_get_bytes (
    GstGlesRegionsResult *result, GError **error);

/* ---- on the device: never waits ---- */

/**
 * gst_gles_regions_result_get_device_buffer:
 * @result: a result
 *
 * The regions on the device, 64 bytes each, as #GstGlesRegion says. Plans of the same device
 * queue their work behind. What an element merges on the host, it does not merge here.
 *
 * Returns: (transfer full) (nullable): the buffer, %NULL when there is none
 * Since: 0.1
 */
GST_GLES_API GstGlesBuffer *gst_gles_regions_result_get_device_buffer (
    GstGlesRegionsResult *result);

/**
 * gst_gles_regions_result_get_device_counts:
 * @result: a result
 *
 * How many there are: a #GstGlesResult with the total and the count, for kernels and the
 * `_indirect` calls of the array algorithms.
 *
 * Returns: (transfer full) (nullable): the buffer, %NULL when there is none
 * Since: 0.1
 */
GST_GLES_API GstGlesBuffer *gst_gles_regions_result_get_device_counts (
    GstGlesRegionsResult *result);

/* ---- what was analysed: never waits ---- */

/**
 * gst_gles_regions_result_get_info:
 * @result: a result
 *
 * Returns: (transfer none): what was analysed, and how; does not wait; lives as long as @result
 * Since: 0.1
 */
GST_GLES_API const GstGlesRegionsInfo *gst_gles_regions_result_get_info (
    GstGlesRegionsResult *result);

/**
 * gst_gles_regions_result_get_frame:
 * @result: a result
 *
 * Returns: (transfer none): number, times, size, format and origin of the frame that was analysed;
 *     does not wait; lives as long as @result
 * Since: 0.1
 */
GST_GLES_API const GstGlesFrameInfo *gst_gles_regions_result_get_frame (
    GstGlesRegionsResult *result);

/* ---- the meta ---- */

typedef struct _GstGlesRegionsMeta GstGlesRegionsMeta;

/**
 * GstGlesRegionsMeta:
 * @meta: parent
 * @result: (transfer none): the result that this meta holds a reference of
 *
 * Regions on a buffer. Tagged with size and orientation: copies of the buffer and scaled ones
 * share the result, whose coordinates stay those of the analysed picture; other transforms, such
 * as cropping and rotating, drop it. A buffer can have several, one per glesregions it went
 * through, in that order.
 *
 * Since: 0.1
 */
struct _GstGlesRegionsMeta {
  GstMeta meta;
  GstGlesRegionsResult *result;
};

#define GST_GLES_REGIONS_META_API_TYPE (gst_gles_regions_meta_api_get_type ())
GST_GLES_API GType gst_gles_regions_meta_api_get_type (void);

#define GST_GLES_REGIONS_META_INFO (gst_gles_regions_meta_get_info ())
GST_GLES_API const GstMetaInfo *gst_gles_regions_meta_get_info (void);

/**
 * gst_buffer_add_gles_regions_meta:
 * @buffer: a writable buffer
 * @result: (transfer none): a result
 *
 * Adds a meta that refers to @result, behind those that @buffer has already. Does not wait.
 *
 * Returns: (transfer none): the meta, owned by @buffer
 * Since: 0.1
 */
GST_GLES_API GstGlesRegionsMeta *gst_buffer_add_gles_regions_meta (
    GstBuffer *buffer, GstGlesRegionsResult *result);

/**
 * gst_buffer_get_gles_regions_meta:
 * @buffer: a buffer
 *
 * Returns: (transfer none) (nullable): the regions meta that was added last, %NULL if none
 * Since: 0.1
 */
GST_GLES_API GstGlesRegionsMeta *gst_buffer_get_gles_regions_meta (GstBuffer *buffer);

G_END_DECLS

#endif
