/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What can be recorded in an open submission besides dispatches and copies, for the library. */
#ifndef GST_GLES_RECORDING_H
#define GST_GLES_RECORDING_H

#include <gst/gles/device/transfer.h>
#include <gst/gles/gl/queue-share.h>

typedef struct _GstGlesBuffer GstGlesBuffer;   /* see buffer.h */
typedef struct _GstGlesProgram GstGlesProgram; /* see program.h */

/* Notifications about a submission. Either function may be NULL. */
typedef struct {
  /* Called when the submission ends, on the thread that ends it, with its serial. A lock is held:
   * the function may only record the serial. */
  void (*queued) (GstGlesSerial serial, gpointer user_data);
  /* Called once, on the device's thread (on a cpu device: on the thread that ends the submission):
   * the device has finished the submission, or it failed with @error. Must not wait. */
  void (*done) (const GError *error, gpointer user_data);
} GstGlesHook;

/* Adds a hook to the open submission. @hook is static. */
void gst_gles_queue_add_hook (GstGlesQueue *queue, const GstGlesHook *hook, gpointer user_data);

/* Issues GL calls in the order of the submission's commands, on the device's thread. Unbinds
 * everything that it binds, except the program and storage blocks. FALSE with @error fails the
 * submission. */
typedef gboolean (*GstGlesReplayFunc) (GstGlesShare *share, gpointer user_data, GError **error);

/* Records a call of @func in the open submission. */
void gst_gles_queue_record_call (GstGlesQueue *queue, GstGlesReplayFunc func, gpointer user_data);

/* Makes the open submission hold @buffer until it is executed. Call before recording a command that
 * uses it. */
gboolean gst_gles_queue_use (GstGlesQueue *queue, GstGlesBuffer *buffer, GError **error);

/* Makes the open submission see what others than OpenGL ES have written to its buffers. */
void gst_gles_queue_see_foreign_writes (GstGlesQueue *queue);
/* Makes the open submission wait for the copy of @transfer, which was started and must stay until
 * the submission is done, and see what it writes. */
void gst_gles_queue_await_transfer (GstGlesQueue *queue, GstGlesTransfer *transfer);

/* Whether the calling thread has a submission open on @queue. */
gboolean gst_gles_queue_is_open (GstGlesQueue *queue);
/* Makes the open submission wait at its end until @program is built, and fail if it cannot be. */
void gst_gles_queue_await_program (GstGlesQueue *queue, GstGlesProgram *program);

/* A copy of host memory into a buffer, within its storage. */
typedef struct {
  GstGlesBuffer *target;
  gsize offset_bytes;
  gconstpointer data;
  gsize size_bytes;
  gboolean stays; /* the caller keeps @data unchanged until the submission is done */
} GstGlesWrite;

/* Records a write in the open submission. Data that does not stay is copied now. Errors:
 * NO_MEMORY. */
gboolean gst_gles_queue_write (GstGlesQueue *queue, const GstGlesWrite *write, GError **error);

/* Submits the commands recorded so far, waits until their hooks have returned, and continues the
 * submission with an empty command list. Call inside a submission on a GL device. */
void gst_gles_queue_flush (GstGlesQueue *queue);

#endif
