/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of the gl layer know of each other. */
#ifndef GST_GLES_GL_PRIVATE_H
#define GST_GLES_GL_PRIVATE_H

#include <GLES3/gl31.h>
#include <GLES2/gl2ext.h>

#include <gst/gles/device/queue.h>
#include <gst/gles/gl/submission.h>

/* Every buffer ends in zero bytes: a shader that reads whole words or 16-byte rows must find zeros
 * behind the data, never another allocation. */
#define GST_GLES_BUFFER_PADDING 16

/* Entry points of extensions. Whether the device has one is what GstGlesLimits says. */
typedef struct {
  PFNGLBUFFERSTORAGEEXTPROC buffer_storage;
  PFNGLTEXBUFFEREXTPROC tex_buffer;
  PFNGLQUERYCOUNTEREXTPROC query_counter;
  PFNGLGETQUERYOBJECTUI64VEXTPROC get_query_object_ui64;
  PFNGLCREATEMEMORYOBJECTSEXTPROC create_memory_objects;
  PFNGLDELETEMEMORYOBJECTSEXTPROC delete_memory_objects;
  PFNGLMEMORYOBJECTPARAMETERIVEXTPROC memory_object_parameteriv;
  PFNGLIMPORTMEMORYFDEXTPROC import_memory_fd;
  PFNGLBUFFERSTORAGEMEMEXTPROC buffer_storage_mem;
} GstGlesGlProcs;

const GstGlesGlProcs *gst_gles_gl_procs (void);

/* ---- sync ---- */

/* A fence behind what was queued so far, flushed so that any thread can wait for it: (transfer
 * full). NULL where the device has no fences: then the work was waited for. The queue is entered. */
GstGlesSync *gst_gles_sync_new (GstGlesQueue *queue);
/* Makes @queue, which is entered, wait on the device for @sync. */
void gst_gles_sync_wait_on_device (GstGlesSync *sync, GstGlesQueue *queue);

/* The GL fence, NULL once it is complete: for the watcher and with the sync's completion only. */
GLsync gst_gles_sync_get_gl (GstGlesSync *sync);
/* The watcher: @sync is passed, or never will be. A context of the group is current. */
void gst_gles_sync_complete (GstGlesSync *sync);

/* ---- watcher ---- */

typedef struct _GstGlesWatcher GstGlesWatcher;

/* The thread that waits for GL fences of @share: (transfer full), NULL when the device is gone. */
GstGlesWatcher *gst_gles_watcher_get (GstGlesShare *share);
void gst_gles_watcher_unref (GstGlesWatcher *watcher);
/* FALSE if the device went in between: nobody will wait for @sync. */
gboolean gst_gles_watcher_push (GstGlesWatcher *watcher, GstGlesSync *sync);

/* ---- buffer ---- */

/* Who last used a buffer: what another queue must wait for. */
typedef struct {
  guint queue_serial;
  GstGlesSync *sync;
} GstGlesReader;

struct _GstGlesBuffer {
  GstMiniObject mini_object;

  GstGlesDevice *device;
  gsize size_bytes;
  gsize storage_bytes;
  GLuint name;     /* 0 on cpu */
  GLuint imported; /* memory object of the storage, or 0; llvmpipe does not hold it */
  GLuint texels;   /* a buffer texture over the storage, made when first bound as texels */
  guint8 *memory;  /* cpu storage, or the persistent mapping, or NULL */

  GMutex lock;       /* of the hazard state */
  guint open_writer; /* serial of the queue whose open submission writes the buffer, or 0 */
  guint writer;      /* serial of the queue of write_sync */
  GstGlesSync *write_sync;
  GArray *readers; /* of GstGlesReader, one per queue, since the last write */
};

typedef enum {
  GST_GLES_STORAGE_DEVICE,
  GST_GLES_STORAGE_UPLOAD,  /* persistently mapped for writing, CPU-cached */
  GST_GLES_STORAGE_READBACK /* persistently mapped for reading, CPU-cached */
} GstGlesStorage;

/* A buffer with mapped storage; GL devices with buffer_storage only for the mapped kinds. */
GstGlesBuffer *gst_gles_buffer_new_storage (
    GstGlesDevice *device, GstGlesStorage storage, gsize size_bytes, GError **error);

/* Before @queue, entered, uses @buffer: waits on the device for what other queues did with it.
 * Errors: INVALID (another device's buffer, or one that another queue is writing right now). */
gboolean gst_gles_buffer_acquire (
    GstGlesBuffer *buffer, GstGlesQueue *queue, GstGlesUsage usage, GError **error);
/* When the submission that used it has ended; @sync may be NULL: done. */
void gst_gles_buffer_release (
    GstGlesBuffer *buffer, GstGlesQueue *queue, GstGlesUsage usage, GstGlesSync *sync);

/* ---- memory ---- */

/* From this many bytes on a buffer is large: see GstGlesMemory. Frames of 3840x2160 stay below in
 * all formats, since opening Vulkan takes 0.1 s. */
#define GST_GLES_LARGE_BYTES (64 * 1024 * 1024)

/* Gives @buffer, bound to GL_COPY_WRITE_BUFFER, storage from Vulkan if it is to have that: @imported
 * tells. The queue is entered.
 *
 * Returns: FALSE if Vulkan must give it and cannot. Errors: NOT_FOUND, INIT, NO_MEMORY, and
 * what gst_gles_check_gl() sets. */
gboolean gst_gles_memory_import (GstGlesQueue *queue, GstGlesBuffer *buffer, GError **error);

/* ---- submission ---- */

/* Called once when the outermost submission has ended, with its fence (NULL: all done), or when it
 * could not be started. */
typedef void (*GstGlesEndFunc) (GstGlesSync *sync, gpointer user_data);

/* Inside a submission: @func is called at its end. */
void gst_gles_queue_at_end (GstGlesQueue *queue, GstGlesEndFunc func, gpointer user_data);

/* Inside a submission: takes note that @buffer is used, after acquiring it. */
gboolean gst_gles_queue_use (
    GstGlesQueue *queue, GstGlesBuffer *buffer, GstGlesUsage usage, GError **error);

/* Inside a submission: what shaders wrote so far is seen by every later command. */
void gst_gles_queue_barrier (GstGlesQueue *queue);

/* The GL error state as a GError: FALSE when there was one. @what names the operation. */
gboolean gst_gles_check_gl (GstGlesQueue *queue, const gchar *what, GError **error);

/* ---- params ---- */

typedef struct _GstGlesParams GstGlesParams;

/* Uniform blocks of a queue, written once each and bound as slices of one ring. */
GstGlesParams *gst_gles_params_new (GstGlesQueue *queue, GError **error);
void gst_gles_params_free (GstGlesParams *params, GstGlesShare *share);
/* Copies @data to a fresh slice and binds it as uniform block 0, unless the same is bound already. The
 * queue is entered. */
gboolean gst_gles_params_bind (
    GstGlesParams *params, GstGlesQueue *queue, gconstpointer data, gsize size, GError **error);
/* Somebody else has bound uniform block 0. */
void gst_gles_params_unbound (GstGlesParams *params);

/* ---- program ---- */

GLuint gst_gles_program_get_name (GstGlesProgram *program);
const GstGlesProgramSpec *gst_gles_program_get_spec (GstGlesProgram *program);
/* Before a dispatch: says in the log when it is the first, with which drivers may generate code. */
void gst_gles_program_runs (GstGlesProgram *program);

/* ---- program cache on disk ---- */

/* Loads a stored binary for @key into @program: FALSE when there is none that the driver takes. */
gboolean gst_gles_program_cache_load (GstGlesShare *share, const gchar *key, GLuint program);
void gst_gles_program_cache_store (GstGlesShare *share, const gchar *key, GLuint program);

/* ---- timer ---- */

GstGlesTimer *gst_gles_timer_new (GstGlesQueue *queue);
/* Around one dispatch; the queue is entered. */
void gst_gles_timer_before (GstGlesTimer *timer, const gchar *name);
void gst_gles_timer_after (GstGlesTimer *timer);
/* When the submission ends. */
void gst_gles_timer_submitted (GstGlesTimer *timer, GstGlesSync *sync);
GstGlesTimer *gst_gles_timer_ref (GstGlesTimer *timer);

#endif
