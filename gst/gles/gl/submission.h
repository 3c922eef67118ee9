/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Queueing work: one submission is what happens on a queue between begin and the matching end. */
#ifndef GST_GLES_SUBMISSION_H
#define GST_GLES_SUBMISSION_H

#include <gst/gles/gl/buffer.h>
#include <gst/gles/gl/program.h>
#include <gst/gles/gl/sync.h>

G_BEGIN_DECLS

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

/* ---- for the algorithms of this library ---- */

typedef enum {
  GST_GLES_READ = 1 << 0,
  GST_GLES_WRITE = 1 << 1,
  GST_GLES_READ_WRITE = GST_GLES_READ | GST_GLES_WRITE,
  /* with READ: not a storage block but a usamplerBuffer of 16-byte texels (rgba32ui) over the whole
   * buffer, on texture unit i; needs limits.texel_buffer_texels and a spec with `texels` */
  GST_GLES_TEXELS = 1 << 2
} GstGlesUsage;

/* One storage binding of a dispatch: block i of the shader is bindings[i].
 * size_bytes 0 binds from offset_bytes to the end. offset_bytes is a multiple of
 * limits.storage_alignment. A NULL buffer leaves the block unbound. */
typedef struct {
  GstGlesBuffer *buffer;
  gsize offset_bytes;
  gsize size_bytes;
  GstGlesUsage usage;
} GstGlesBinding;

/* Flags of a dispatch. */
typedef enum {
  GST_GLES_DISPATCH_NONE = 0,
  /* reads and writes nothing that an earlier dispatch of this submission wrote: no barrier */
  GST_GLES_DISPATCH_INDEPENDENT = 1 << 0
} GstGlesDispatchFlags;

/* Queues one dispatch inside a submission. @params (nullable) becomes the uniform block of the
 * shader. The first failure of a submission is also returned by its gst_gles_queue_end().
 * Errors: TOO_LARGE (groups, range sizes), INVALID. */
gboolean gst_gles_queue_dispatch (GstGlesQueue *queue, GstGlesProgram *program,
    const GstGlesBinding *bindings, guint n_bindings, gconstpointer params, gsize params_bytes,
    const guint groups[3], GstGlesDispatchFlags flags, GError **error);

/* The same, with the three group counts read from @groups at @groups_offset on the device. */
gboolean gst_gles_queue_dispatch_indirect (GstGlesQueue *queue, GstGlesProgram *program,
    const GstGlesBinding *bindings, guint n_bindings, gconstpointer params, gsize params_bytes,
    GstGlesBuffer *groups, gsize groups_offset, GstGlesDispatchFlags flags, GError **error);

/* Queues a copy inside a submission; ranges must not overlap. */
gboolean gst_gles_queue_copy (GstGlesQueue *queue, GstGlesBuffer *source, gsize source_offset,
    GstGlesBuffer *target, gsize target_offset, gsize size_bytes, GError **error);

/* The fence of the last submission that ended, NULL if none: (transfer full). */
GstGlesSync *gst_gles_queue_get_last_sync (GstGlesQueue *queue);

/* ---- timing ---- */

/* GPU time of the dispatches of a submission, per kernel. */
typedef struct {
  const gchar *name; /* interned: the kernel's */
  guint64 time_ns;
} GstGlesPassTime;

typedef struct _GstGlesTimer GstGlesTimer;

/* Between begin and end: every dispatch from here to the end of the submission is timed.
 * NULL where the device has no timer queries. (transfer full) */
GST_GLES_API GstGlesTimer *gst_gles_queue_start_timer (GstGlesQueue *queue);
/* Waits for the submission, then returns the passes in order: (element-type GstGlesPassTime)
 * (transfer container). A pass that the driver could not time reads 0. Thread: any. */
GST_GLES_API GArray *gst_gles_timer_get_passes (GstGlesTimer *timer, GError **error);
/* NULL is safe. */
GST_GLES_API void gst_gles_timer_free (GstGlesTimer *timer);

G_END_DECLS

#endif
