/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_META_POINTS_H
#define GST_GLES_META_POINTS_H

#include <gst/video/video.h>
#include <gst/gles/core/types.h>
#include <gst/gles/gl/buffer.h>
#include <gst/gles/meta/frame-info.h>

G_BEGIN_DECLS

#define GST_TYPE_GLES_POINTS_RESULT (gst_gles_points_result_get_type ())
GST_GLES_API GType gst_gles_points_result_get_type (void);

#define GST_TYPE_GLES_POINTS_PREDICATE (gst_gles_points_predicate_get_type ())
GST_GLES_API GType gst_gles_points_predicate_get_type (void);

/**
 * GstGlesPointsResult:
 *
 * The pixels of one frame that pass a predicate, as a dense list in raster order. Made as soon
 * as the work is queued: its description (size, format, region, predicate) is there from the
 * start, the points arrive when the device is done. A getter that returns points or their number
 * waits for them on first use; gst_gles_points_result_wait() waits with a limit, after which the
 * getters do not wait.
 *
 * Never changes once made, so that it can be shared between buffers and threads. A
 * #GstMiniObject: gst_mini_object_ref() and gst_mini_object_unref() apply. All functions can be
 * called from any thread, several at a time, and none needs a GL context.
 *
 * Since: 0.1
 */
typedef struct _GstGlesPointsResult GstGlesPointsResult;
typedef struct _GstGlesPointsInfo GstGlesPointsInfo;

/**
 * GstGlesPoint:
 * @x: column in pixels of the analysed picture
 * @y: row
 * @value: what passed: the code value, the difference (motion) or the gradient (edge)
 *
 * A pixel that passed: 8 bytes, on the device as in memory. That of a sample of a subsampled
 * component is its top left pixel.
 *
 * Since: 0.1
 */
typedef struct {
  guint16 x;
  guint16 y;
  guint32 value;
} GstGlesPoint;

/**
 * GST_GLES_POINTS_LUMA:
 *
 * The channel that stands for luma, which is computed from RGB where it is not stored.
 *
 * Since: 0.1
 */
#define GST_GLES_POINTS_LUMA (-1)

/**
 * GstGlesPointsInfo:
 * @frame: what all results tell of it
 * @x: left edge of the region, in pixels
 * @y: top edge of the region
 * @region_width: width of the region
 * @region_height: height of the region
 * @predicate: what passes
 * @channel: 0 to 3, or %GST_GLES_POINTS_LUMA; without a meaning for an expression
 * @lower: the least value that passes
 * @upper: the largest value that passes: for an expression, 1 and G_MAXUINT
 * @max_points: the most points that are listed
 * @depth: bits per sample of the channel; 0: unknown
 * @adaptation: motion: 0: the reference is the frame analysed before; else a running average of
 *     the earlier frames, which takes over 95 % of a change in this many frames, or @samples
 * @samples: motion: the reference is eight samples for each pixel, among which what has stopped is
 *     after about @adaptation frames
 *
 * What was analysed.
 *
 * Since: 0.1
 */
struct _GstGlesPointsInfo {
  GstGlesFrameInfo frame;
  guint x, y;
  guint region_width, region_height;
  GstGlesPointsPredicate predicate;
  gint channel;
  guint lower, upper;
  guint max_points;
  guint depth;
  guint adaptation;
  gboolean samples;
};

/**
 * gst_gles_points_result_new:
 * @frame: what is known of the frame; copied
 * @points: #GstGlesPoint one after the other, 8 bytes each, in raster order
 * @total: how many points passed, which may be more
 * @error: set when %NULL is returned
 *
 * Makes a result of points that the caller has. Thread: any.
 *
 * Returns: (transfer full) (nullable): a result that is ready.
 *     Errors: %GST_GLES_ERROR_INVALID (a point lies outside of the picture).
 * Since: 0.1
 */
GST_GLES_API GstGlesPointsResult *gst_gles_points_result_new (
    const GstGlesFrameInfo *frame, GBytes *points, guint64 total, GError **error);

/* ---- reading a result ---- */

/**
 * gst_gles_points_result_ref: (skip)
 * @result: a result
 *
 * Returns: (transfer full): @result
 */
GST_GLES_API GstGlesPointsResult *gst_gles_points_result_ref (GstGlesPointsResult *result);

/**
 * gst_gles_points_result_unref: (skip)
 * @result: (transfer full) (nullable): a result
 *
 * Thread: any; needs no context and does not wait.
 */
GST_GLES_API void gst_gles_points_result_unref (GstGlesPointsResult *result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesPointsResult, gst_gles_points_result_unref)

/**
 * gst_gles_points_result_from_buffer:
 * @buffer: a buffer
 *
 * The result of the #GstGlesPointsMeta that was added to @buffer last: of several glescompact
 * elements in a row, the one nearest to the caller.
 *
 * Returns: (transfer full) (nullable): the result, %NULL if @buffer has none
 * Since: 0.1
 */
GST_GLES_API GstGlesPointsResult *gst_gles_points_result_from_buffer (GstBuffer *buffer);

/**
 * gst_gles_points_result_is_ready:
 * @result: a result
 *
 * Begins to bring points that were not read ahead; waits for them only where the device has no
 * memory that stays mapped.
 *
 * Returns: whether the getters would not wait; %FALSE when the points stay on the device
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_points_result_is_ready (GstGlesPointsResult *result);

/**
 * gst_gles_points_result_wait:
 * @result: a result
 * @timeout_ns: the longest to wait in nanoseconds; 0 polls, %G_MAXUINT64 waits without limit
 * @error: set when %FALSE is returned
 *
 * Waits for the points. After %TRUE no getter waits or fails.
 *
 * Returns: %TRUE when they are there. Errors: %GST_GLES_ERROR_TIMEOUT,
 *     %GST_GLES_ERROR_DEVICE_LOST, %GST_GLES_ERROR_CANCELLED (a flush discarded the work),
 *     %GST_GLES_ERROR_INVALID (the element was told `readback=false`: the points are in
 *     gst_gles_points_result_get_device_buffer() only).
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_points_result_wait (
    GstGlesPointsResult *result, guint64 timeout_ns, GError **error);

/**
 * gst_gles_points_result_get_points:
 * @result: a result
 * @n: (out): the number of points: gst_gles_points_result_get_count()
 * @error: set when %NULL is returned
 *
 * The points in raster order: row by row from the top, each from the left. Waits for them.
 *
 * Returns: (array length=n) (transfer none) (nullable): the points, not %NULL when there are
 *     none; they live as long as @result. Errors: as gst_gles_points_result_wait().
 * Since: 0.1
 */
GST_GLES_API const GstGlesPoint *gst_gles_points_result_get_points (
    GstGlesPointsResult *result, guint *n, GError **error);

/**
 * gst_gles_points_result_get_bytes:
 * @result: a result
 * @error: set when %NULL is returned
 *
 * The points as they lie in memory, for languages that read arrays out of bytes: per point two
 * 16-bit words, x and y, and a 32-bit word, the value, in the host's byte order. Waits for them;
 * copies nothing.
 *
 * Returns: (transfer full) (nullable): 8 bytes per point; keeps @result alive. Errors: as
 *     gst_gles_points_result_wait().
 * Since: 0.1
 */
GST_GLES_API GBytes *gst_gles_points_result_get_bytes (GstGlesPointsResult *result, GError **error);

/**
 * gst_gles_points_result_get_point:
 * @result: a result
 * @index: a point, from 0, below gst_gles_points_result_get_count()
 * @x: (out) (optional): its column
 * @y: (out) (optional): its row
 * @value: (out) (optional): its value
 * @error: set when %FALSE is returned
 *
 * One point. Waits for the points.
 *
 * Returns: %TRUE when there is such a point. Errors: as gst_gles_points_result_wait(), and
 *     %GST_GLES_ERROR_INVALID for an @index past the end.
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_points_result_get_point (
    GstGlesPointsResult *result, guint index, guint *x, guint *y, guint *value, GError **error);

/**
 * gst_gles_points_result_get_count:
 * @result: a result
 *
 * Waits for the points.
 *
 * Returns: the number of points listed; 0 when they never come, which
 *     gst_gles_points_result_wait() tells from none
 * Since: 0.1
 */
GST_GLES_API guint gst_gles_points_result_get_count (GstGlesPointsResult *result);

/**
 * gst_gles_points_result_get_total:
 * @result: a result
 *
 * Waits for the points.
 *
 * Returns: the number of pixels that passed, listed or not; 0 when that is never known
 * Since: 0.1
 */
GST_GLES_API guint64 gst_gles_points_result_get_total (GstGlesPointsResult *result);

/**
 * gst_gles_points_result_is_truncated:
 * @result: a result
 *
 * Waits for the points.
 *
 * Returns: whether more passed than `max-points`: the first ones are listed
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_points_result_is_truncated (GstGlesPointsResult *result);

/**
 * gst_gles_points_result_get_device_buffer:
 * @result: a result
 *
 * The points on the device, #GstGlesPoint one after the other; how many, only
 * gst_gles_points_result_get_device_counts() knows. Does not wait: plans of the same device
 * queue their work behind. When the points come to the host too, the buffer is there while the
 * frame is on its way through the elements behind; of frames that were kept for long it is not
 * any more.
 *
 * Returns: (transfer full) (nullable): the buffer, %NULL when there is none or it is gone: then
 *     the points are on the host
 * Since: 0.1
 */
GST_GLES_API GstGlesBuffer *gst_gles_points_result_get_device_buffer (GstGlesPointsResult *result);

/**
 * gst_gles_points_result_get_device_counts:
 * @result: a result
 *
 * What gst_gles_points_result_get_device_buffer() holds: a #GstGlesResult with the total and the
 * count, for kernels and the `_indirect` calls of the array algorithms. Does not wait.
 *
 * Returns: (transfer full) (nullable): the buffer; %NULL when that of the points is
 * Since: 0.1
 */
GST_GLES_API GstGlesBuffer *gst_gles_points_result_get_device_counts (GstGlesPointsResult *result);

/**
 * gst_gles_points_result_get_device:
 * @result: a result
 *
 * Returns: (transfer full) (nullable): the device of the device buffers, %NULL when there are none
 * Since: 0.1
 */
GST_GLES_API GstGlesDevice *gst_gles_points_result_get_device (GstGlesPointsResult *result);

/* ---- what was analysed: never waits ---- */

/**
 * gst_gles_points_result_get_info:
 * @result: a result
 *
 * Returns: (transfer none): what was analysed, and how; does not wait; lives as long as @result
 * Since: 0.1
 */
GST_GLES_API const GstGlesPointsInfo *gst_gles_points_result_get_info (GstGlesPointsResult *result);

/**
 * gst_gles_points_result_get_frame:
 * @result: a result
 *
 * Returns: (transfer none): number, times, size, format and origin of the frame that was analysed;
 *     does not wait; lives as long as @result
 * Since: 0.1
 */
GST_GLES_API const GstGlesFrameInfo *gst_gles_points_result_get_frame (GstGlesPointsResult *result);

/* ---- the meta ---- */

typedef struct _GstGlesPointsMeta GstGlesPointsMeta;

/**
 * GstGlesPointsMeta:
 * @meta: parent
 * @result: (transfer none): the result that this meta holds a reference of
 *
 * Points on a buffer. Its tags are "size" and "orientation": copies and scaled pictures share
 * the result, whose coordinates stay those of the analysed picture; anything else that changes
 * where pixels are drops it. A buffer can have several, one per glescompact it went through, in
 * that order.
 *
 * Since: 0.1
 */
struct _GstGlesPointsMeta {
  GstMeta meta;
  GstGlesPointsResult *result;
};

#define GST_GLES_POINTS_META_API_TYPE (gst_gles_points_meta_api_get_type ())
GST_GLES_API GType gst_gles_points_meta_api_get_type (void);

#define GST_GLES_POINTS_META_INFO (gst_gles_points_meta_get_info ())
GST_GLES_API const GstMetaInfo *gst_gles_points_meta_get_info (void);

/**
 * gst_buffer_add_gles_points_meta:
 * @buffer: a writable buffer
 * @result: (transfer none): a result
 *
 * Adds a meta that refers to @result, behind those that @buffer has already. Does not wait.
 *
 * Returns: (transfer none): the meta, owned by @buffer
 * Since: 0.1
 */
GST_GLES_API GstGlesPointsMeta *gst_buffer_add_gles_points_meta (
    GstBuffer *buffer, GstGlesPointsResult *result);

/**
 * gst_buffer_get_gles_points_meta:
 * @buffer: a buffer
 *
 * Returns: (transfer none) (nullable): the points meta that was added last, %NULL if none
 * Since: 0.1
 */
GST_GLES_API GstGlesPointsMeta *gst_buffer_get_gles_points_meta (GstBuffer *buffer);

G_END_DECLS

#endif
