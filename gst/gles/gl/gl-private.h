/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of the gl layer know of each other. */
#ifndef GST_GLES_GL_PRIVATE_H
#define GST_GLES_GL_PRIVATE_H

#include <GLES3/gl31.h>
#include <GLES2/gl2ext.h>

#include <gst/gles/device/procs.h>
#include <gst/gles/device/queue.h>
#include <gst/gles/gl/submission.h>

/* Every buffer ends in zero bytes: a shader that reads whole words or 16-byte rows must find zeros
 * behind the data, never another allocation. */
#define GST_GLES_BUFFER_PADDING 16

/* ---- buffer ---- */

struct _GstGlesBuffer {
  GstMiniObject mini_object;

  GstGlesDevice *device;
  gsize size_bytes;
  gsize storage_bytes;
  GLuint name;     /* 0 on cpu */
  GLuint imported; /* memory object of the storage, or 0; llvmpipe does not hold it */
  GLuint texels;   /* a buffer texture over the storage, made when first bound as texels */
  guint8 *memory;  /* cpu storage, or the persistent mapping, or NULL */
};

typedef enum {
  GST_GLES_STORAGE_DEVICE,
  GST_GLES_STORAGE_UPLOAD,  /* persistently mapped for writing, CPU-cached */
  GST_GLES_STORAGE_READBACK /* persistently mapped for reading, CPU-cached */
} GstGlesStorage;

/* A buffer with mapped storage; GL devices with buffer_storage only for the mapped kinds. */
GstGlesBuffer *gst_gles_buffer_new_storage (
    GstGlesDevice *device, GstGlesStorage storage, gsize size_bytes, GError **error);

/* ---- memory ---- */

/* From this many bytes on a buffer is large: see GstGlesMemory. Frames of 3840x2160 stay below in
 * all formats, since opening Vulkan takes 0.1 s. */
#define GST_GLES_LARGE_BYTES (64 * 1024 * 1024)

/* On the device's thread: gives @buffer, bound to GL_COPY_WRITE_BUFFER, storage from Vulkan if it is to
 * have that: @imported tells.
 *
 * Returns: FALSE if Vulkan must give it and cannot. Errors: NOT_FOUND, INIT, NO_MEMORY, and
 * what gst_gles_check_gl() sets. */
gboolean gst_gles_memory_import (GstGlesShare *share, GstGlesBuffer *buffer, GError **error);

/* ---- submission ---- */

/* What is told of a submission; either may be NULL. */
typedef struct {
  /* At its end, on the thread that ends it: its place in the timeline. A lock is held: this only takes
   * note. */
  void (*queued) (GstGlesSerial serial, gpointer user_data);
  /* Once, on the device's thread (on a cpu device, on the one that ends it): the device has finished
   * it, or it failed with @error. Does not wait. */
  void (*done) (const GError *error, gpointer user_data);
} GstGlesHook;

/* Inside a submission: @hook, which is static, is called. */
void gst_gles_queue_add_hook (GstGlesQueue *queue, const GstGlesHook *hook, gpointer user_data);

/* On the device's thread: issues GL calls in the order of the submission's commands. What it binds it
 * unbinds, but for the program and storage blocks. FALSE with @error fails the submission. */
typedef gboolean (*GstGlesReplayFunc) (GstGlesShare *share, gpointer user_data, GError **error);

/* Inside a submission: queues a call of @func. */
void gst_gles_queue_record_call (GstGlesQueue *queue, GstGlesReplayFunc func, gpointer user_data);

/* Inside a submission: what uses @buffer comes next; it lives until that is executed. */
gboolean gst_gles_queue_use (GstGlesQueue *queue, GstGlesBuffer *buffer, GError **error);

/* Inside a submission: queues a copy of host memory into @target, within its storage. With @stays the
 * caller keeps @data as it is until the submission is done; else it is copied. Errors: NO_MEMORY. */
gboolean gst_gles_queue_write (GstGlesQueue *queue, GstGlesBuffer *target, gsize offset_bytes,
    gconstpointer data, gsize size_bytes, gboolean stays, GError **error);

/* Inside a submission on a GL device: hands over what was recorded so far, waits until its hooks have
 * been called, and goes on with a new part of the submission. */
void gst_gles_queue_flush (GstGlesQueue *queue);

/* Whether, or until, the submission of @serial is complete; serial 0 is. Errors: as
 * gst_gles_thread_wait(). */
gboolean gst_gles_queue_is_done (GstGlesQueue *queue, GstGlesSerial serial);
gboolean gst_gles_queue_wait (
    GstGlesQueue *queue, GstGlesSerial serial, guint64 timeout_ns, GError **error);

/* The GL error state as a GError: FALSE when there was one. @what names the operation. */
gboolean gst_gles_check_gl (GstGlesShare *share, const gchar *what, GError **error);

/* Copies @data, or zeros, to the GL buffer @name, on the device's thread. */
void gst_gles_fill (GLuint name, gsize offset_bytes, const guint8 *data, gsize size_bytes);

/* ---- params ---- */

typedef struct _GstGlesParams GstGlesParams;

/* The largest uniform block. */
#define GST_GLES_PARAMS_MAX_BYTES (32 * 1024)

/* Uniform blocks of a device, written once each and bound as slices of one ring. On its thread. */
GstGlesParams *gst_gles_params_new (GstGlesShare *share, GError **error);
void gst_gles_params_free (GstGlesParams *params);
/* Copies @data to a fresh slice and binds it as uniform block 0, unless the same is bound already. */
void gst_gles_params_bind (
    GstGlesParams *params, GstGlesShare *share, gconstpointer data, gsize size);
/* Uniform block 0 was unbound. */
void gst_gles_params_unbound (GstGlesParams *params);

/* ---- program ---- */

GLuint gst_gles_program_get_name (GstGlesProgram *program);
const GstGlesProgramSpec *gst_gles_program_get_spec (GstGlesProgram *program);
/* Before a dispatch: says in the log when it is the first, with which drivers may generate code. */
gboolean gst_gles_program_runs (GstGlesProgram *program);

/* ---- program cache on disk ---- */

/* Loads a stored binary for @key into @program: FALSE when there is none that the driver takes. */
gboolean gst_gles_program_cache_load (GstGlesShare *share, const gchar *key, GLuint program);
void gst_gles_program_cache_store (GstGlesShare *share, const gchar *key, GLuint program);

/* ---- timer ---- */

/* Inside a submission, whose dispatches it times. */
GstGlesTimer *gst_gles_timer_new (GstGlesQueue *queue);
/* Around the recording of one dispatch. */
void gst_gles_timer_before (GstGlesTimer *timer, const gchar *name);
void gst_gles_timer_after (GstGlesTimer *timer);
GstGlesTimer *gst_gles_timer_ref (GstGlesTimer *timer);

#endif
