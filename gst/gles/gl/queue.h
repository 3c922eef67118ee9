/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Queueing work: one submission is what happens on a queue between begin and the matching end. */
#ifndef GST_GLES_GL_QUEUE_H
#define GST_GLES_GL_QUEUE_H

#include <gst/gles/device/device.h>

G_BEGIN_DECLS

/**
 * GST_GLES_WAIT_FOREVER:
 *
 * A timeout in nanoseconds that waits without limit.
 *
 * Since: 0.1
 */
#define GST_GLES_WAIT_FOREVER G_MAXUINT64

/**
 * gst_gles_queue_begin:
 * @queue: a queue
 * @error: set when %FALSE is returned
 *
 * Starts a submission: locks @queue and makes its context current on this thread. Calls nest: what
 * plans queue between an outer begin and end is one submission with one fence.
 *
 * Thread: any; waits while another thread has a submission open on @queue.
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
 * Ends a submission: the outermost call puts a fence behind the work, hands it to the device, unbinds
 * everything and restores the context that was current before. Does not wait.
 *
 * Returns: %TRUE if all is queued. Errors: %GST_GLES_ERROR_DEVICE_LOST, %GST_GLES_ERROR_NO_MEMORY,
 *     %GST_GLES_ERROR_FAILED (the driver reported an error).
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_queue_end (GstGlesQueue *queue, GError **error);

/**
 * gst_gles_queue_finish:
 * @queue: a queue
 * @error: set when %FALSE is returned
 *
 * Waits until everything queued so far is done. Thread: any.
 *
 * Returns: %TRUE when done. Errors: %GST_GLES_ERROR_DEVICE_LOST.
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_queue_finish (GstGlesQueue *queue, GError **error);

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
