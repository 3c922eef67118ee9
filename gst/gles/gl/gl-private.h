/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declarations that the files of the gl layer share. Includes no header of a module that includes
 * it, so that no circle of includes comes about. */
#ifndef GST_GLES_GL_PRIVATE_H
#define GST_GLES_GL_PRIVATE_H

#include <GLES3/gl31.h>
#include <GLES2/gl2ext.h>

#include <gst/gles/device/procs.h>
#include <gst/gles/gl/buffer-export.h>
#include <gst/gles/gl/recording.h>

/* Zero bytes at the end of every buffer: shaders read whole words and 16-byte rows, and must read
 * zeros after the data instead of another allocation. */
#define GST_GLES_BUFFER_PADDING 16

/* ---- buffer ---- */

struct _GstGlesBuffer {
  GstMiniObject mini_object;

  GstGlesDevice *device;
  gsize size_bytes;
  gsize storage_bytes;
  GLuint name; /* 0 on cpu */
  GLuint
      imported; /* memory object of the storage, or 0; owned here, as llvmpipe takes no reference */
  GLuint texels;  /* a buffer texture over the storage, made when it is first bound as texels */
  guint8 *memory; /* cpu storage, or the persistent mapping, or NULL */
  /* used on the device's thread only: the last batch that uses the buffer, and which chain of it */
  guint64 batch;
  guint chain;
};

typedef enum {
  GST_GLES_STORAGE_DEVICE,
  GST_GLES_STORAGE_UPLOAD,  /* persistently mapped for writing, CPU-cached */
  GST_GLES_STORAGE_READBACK /* persistently mapped for reading, CPU-cached */
} GstGlesStorage;

/* Makes a buffer with the given kind of storage. The mapped kinds need a GL device with
 * buffer_storage. @exported is NULL, except for gst_gles_buffer_new_exported(). */
GstGlesBuffer *gst_gles_buffer_new_storage (GstGlesDevice *device, GstGlesStorage storage,
    gsize size_bytes, GstGlesExportedMemory *exported, GError **error);

/* ---- memory ---- */

/* Buffers of at least this size are large, see GstGlesMemory. A frame of 3840x2160 is smaller in
 * every format, so that only larger buffers cause the 0.1 s that opening Vulkan takes. */
#define GST_GLES_LARGE_BYTES (64 * 1024 * 1024)

/* Gives @buffer storage from Vulkan if GstGlesMemory asks for it; buffer->imported is set then.
 * Call on the device's thread, with @buffer bound to GL_COPY_WRITE_BUFFER.
 *
 * Returns: FALSE if Vulkan is required and fails. Errors: NOT_FOUND, INIT, NO_MEMORY, and those of
 * gst_gles_check_gl(). */
gboolean gst_gles_memory_import (GstGlesShare *share, GstGlesBuffer *buffer, GError **error);
/* The same for a buffer of which another API needs the memory. Errors: also FAILED. */
gboolean gst_gles_memory_export (
    GstGlesShare *share, GstGlesBuffer *buffer, GstGlesExportedMemory *exported, GError **error);

/* ---- OpenGL ES ---- */

/* Converts the GL error state to a GError; returns FALSE if there was an error. @what names the
 * operation in the message. */
gboolean gst_gles_check_gl (GstGlesShare *share, const gchar *what, GError **error);

/* Copies @data to the GL buffer @name. Call on the device's thread. */
void gst_gles_fill (GLuint name, gsize offset_bytes, const guint8 *data, gsize size_bytes);

/* ---- params ---- */

typedef struct _GstGlesParams GstGlesParams;

/* The size limit of a dispatch's uniform block, in bytes. */
#define GST_GLES_PARAMS_MAX_BYTES (32 * 1024)

/* Uniform blocks of a device: each is written once and bound as a slice of a ring. Used on the
 * device's thread. */
GstGlesParams *gst_gles_params_new (GstGlesShare *share, GError **error);
void gst_gles_params_free (GstGlesParams *params);
/* Binds @data as uniform block 0: copies it to a fresh slice, unless the same bytes are bound
 * already. */
void gst_gles_params_bind (
    GstGlesParams *params, GstGlesShare *share, gconstpointer data, gsize size);
/* Must be called after uniform block 0 was unbound. */
void gst_gles_params_unbound (GstGlesParams *params);

/* ---- programs ---- */

/* Waits until all are built. Errors: COMPILE, DEVICE_LOST. */
gboolean gst_gles_programs_wait (
    GstGlesShare *share, GstGlesProgram *const *programs, guint n, GError **error);

/* ---- program cache on disk ---- */

/* Returns the path of the entry for @source: (transfer full); NULL if the device has no cache. */
gchar *gst_gles_program_cache_get_path (GstGlesShare *share, const gchar *source);
/* Loads the entry at @path into @program. Returns FALSE if there is none that the driver accepts.
 * *has_run: as it was stored. */
gboolean gst_gles_program_cache_load (const gchar *path, GLuint program, gboolean *has_run);
/* Stores @program, which @has_run or was only linked. */
void gst_gles_program_cache_store (const gchar *path, GLuint program, gboolean has_run);

/* ---- timer ---- */

/* Makes a timer for the dispatches of the open submission. */
GstGlesTimer *gst_gles_timer_new (GstGlesQueue *queue);
/* Called before and after a dispatch is recorded. */
void gst_gles_timer_before (GstGlesTimer *timer, const gchar *name);
void gst_gles_timer_after (GstGlesTimer *timer);
GstGlesTimer *gst_gles_timer_ref (GstGlesTimer *timer);
/* A GstGlesReplayFunc: makes a query, whose GLuint is at @query, of the time it is executed. */
gboolean gst_gles_timer_take_timestamp (GstGlesShare *share, gpointer query, GError **error);

#endif
