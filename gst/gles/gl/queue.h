/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Queueing work: one submission is what happens on a queue between begin and the matching end. */
#ifndef GST_GLES_GL_QUEUE_H
#define GST_GLES_GL_QUEUE_H

#include <gst/gles/device/device.h>

G_BEGIN_DECLS

/**
 * gst_gles_queue_begin:
 * @queue: a queue
 * @error: set when %FALSE is returned
 *
 * Starts a submission on this thread. Calls nest: what plans queue between an outer begin and end is
 * one submission, which the device executes as a whole. Several threads may have submissions open on
 * one queue at a time; they do not see each other's.
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
 * Ends a submission: the outermost call hands it to the device's thread. The device executes the
 * submissions of all its queues in the order of their ends. Does not wait, unless hundreds of
 * submissions are still to be executed.
 *
 * Returns: %TRUE if all is queued. Errors: %GST_GLES_ERROR_DEVICE_LOST, and the first error of a call
 *     inside the submission. An error of the driver comes later: the results that the submission reads
 *     back fail with it, and gst_gles_queue_finish() tells it.
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
 *     %GST_GLES_ERROR_FAILED (the driver reported an error): those of the first submission since the
 *     last call that failed.
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_queue_finish (GstGlesQueue *queue, GError **error);

#ifndef __GI_SCANNER__
/* Told of each submission of a queue that the device failed to execute; on the device's thread, which it
 * must not keep: it takes note, or leaves the rest to another thread. */
typedef void (*GstGlesFailureFunc) (const GError *error, gpointer user_data);

/* Sets who is told; NULL: nobody any more, once all that was queued so far has been told. When this
 * returns no call of the one before is under way. Not from inside @func. */
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
 * Every dispatch from here to the end of the submission is timed.
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
 * Waits for the submission. A pass that the driver could not time reads 0. Thread: any.
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
