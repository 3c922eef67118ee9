/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Queueing work. A submission is everything between begin and the matching end on a queue. */
#ifndef GST_GLES_GL_QUEUE_H
#define GST_GLES_GL_QUEUE_H

#include <gst/gles/device/device.h>

G_BEGIN_DECLS

/**
 * GstGlesQueue:
 *
 * The order in which work for a device is executed, see gst_gles_queue_begin() and
 * gst_gles_queue_finish(). Each device has one, gst_gles_device_get_queue(); gst_gles_queue_new()
 * makes more. Thread: any.
 *
 * Since: 0.1
 */
#define GST_TYPE_GLES_QUEUE (gst_gles_queue_get_type ())
GST_GLES_API
G_DECLARE_FINAL_TYPE (GstGlesQueue, gst_gles_queue, GST, GLES_QUEUE, GstObject)

/**
 * gst_gles_device_get_queue:
 * @device: a device
 *
 * Returns: (transfer none): the queue that plans and elements of this device share unless they were
 *     given their own; lives as long as @device. Thread: any.
 * Since: 0.1
 */
GST_GLES_API GstGlesQueue *gst_gles_device_get_queue (GstGlesDevice *device);

/**
 * gst_gles_queue_new:
 * @device: a device
 * @error: set when %NULL is returned
 *
 * Makes a further queue of @device. A device executes the submissions of all its queues in the
 * order in which they end, so a buffer may be used on several queues without synchronisation. A
 * separate queue separates errors: gst_gles_queue_finish() reports only those of its queue. Keeps
 * @device alive.
 *
 * Thread: any.
 *
 * Returns: (transfer full) (nullable): a queue. Errors: %GST_GLES_ERROR_DEVICE_LOST.
 * Since: 0.1
 */
GST_GLES_API GstGlesQueue *gst_gles_queue_new (GstGlesDevice *device, GError **error);

/**
 * gst_gles_queue_get_device:
 * @queue: a queue
 *
 * Returns: (transfer full): its device. Thread: any.
 * Since: 0.1
 */
GST_GLES_API GstGlesDevice *gst_gles_queue_get_device (GstGlesQueue *queue);

/**
 * gst_gles_queue_begin:
 * @queue: a queue
 * @error: set when %FALSE is returned
 *
 * Starts a submission on this thread. Calls nest: everything between the outermost begin and end is
 * one submission, which the device executes as a whole. Several threads may have submissions open
 * on one queue at a time; these are independent.
 *
 * Thread: any; does not wait.
 *
 * Returns: %TRUE if gst_gles_queue_end() must follow on this thread.
 *     Errors: %GST_GLES_ERROR_DEVICE_LOST.
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_queue_begin (GstGlesQueue *queue, GError **error);

/**
 * gst_gles_queue_end:
 * @queue: a queue
 * @error: set when %FALSE is returned
 *
 * Ends a submission. The outermost call hands it to the device's thread. The device executes the
 * submissions of all its queues in the order in which they end. Does not wait, unless 256
 * submissions are already waiting to be executed.
 *
 * Returns: %TRUE if all is queued. Errors: %GST_GLES_ERROR_DEVICE_LOST, and the first error of a
 *     call inside the submission. Errors of the driver are known only later: results that the
 *     submission reads back fail with them, and gst_gles_queue_finish() returns them.
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_queue_end (GstGlesQueue *queue, GError **error);

/**
 * gst_gles_queue_finish:
 * @queue: a queue
 * @error: set when %FALSE is returned
 *
 * Waits until everything queued so far on @queue is done. Thread: any.
 *
 * Returns: %TRUE when all is done. Errors: %GST_GLES_ERROR_DEVICE_LOST, %GST_GLES_ERROR_NO_MEMORY,
 *     %GST_GLES_ERROR_FAILED (the driver reported an error): those of the first submission that
 *     failed since the last call.
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_queue_finish (GstGlesQueue *queue, GError **error);

#ifndef __GI_SCANNER__
/* Called for each submission of a queue that the device failed to execute, on the device's thread.
 * It must return quickly: it records the error, or passes it to another thread. */
typedef void (*GstGlesFailureFunc) (const GError *error, gpointer user_data);

/* Sets the failure function; NULL removes it after the failures of all work queued so far have been
 * reported. When this returns, no call of the previous function is running. Must not be called from
 * inside @func. */
GST_GLES_API void gst_gles_queue_set_failure_func (
    GstGlesQueue *queue, GstGlesFailureFunc func, gpointer user_data);
#endif

/* ---- timing ---- */

/**
 * GstGlesPassTime: (skip)
 * @name: the kernel's name, interned
 * @time_ns: GPU time of its dispatches in nanoseconds
 *
 * GPU time of the dispatches of a submission, per kernel.
 *
 * Since: 0.1
 */
typedef struct {
  const gchar *name;
  guint64 time_ns;
} GstGlesPassTime;

/**
 * GstGlesTimer: (skip)
 *
 * Measures the dispatches of one submission.
 *
 * Since: 0.1
 */
typedef struct _GstGlesTimer GstGlesTimer;

/**
 * gst_gles_queue_start_timer: (skip)
 * @queue: a queue with a submission open on this thread
 *
 * Times every dispatch from here to the end of the submission.
 *
 * Returns: (transfer full) (nullable): a timer, %NULL where the device has no timer queries
 * Since: 0.1
 */
GST_GLES_API GstGlesTimer *gst_gles_queue_start_timer (GstGlesQueue *queue);

/**
 * gst_gles_timer_get_passes: (skip)
 * @timer: a timer
 * @error: set when %NULL is returned
 *
 * Waits for the submission. A pass that the driver could not time has the time 0. Thread: any.
 *
 * Returns: (transfer container) (element-type GstGlesPassTime) (nullable): the passes in order
 * Since: 0.1
 */
GST_GLES_API GArray *gst_gles_timer_get_passes (GstGlesTimer *timer, GError **error);

/**
 * gst_gles_timer_free: (skip)
 * @timer: (transfer full) (nullable): a timer
 *
 * Since: 0.1
 */
GST_GLES_API void gst_gles_timer_free (GstGlesTimer *timer);

G_END_DECLS

#endif
