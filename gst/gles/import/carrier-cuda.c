/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames in memory of CUDA, such as those of NVIDIA's decoders: CUDA copies them to buffers whose
 * memory it shares with the device (docs/decisions/0009). libgstcuda is used if another element has
 * loaded it. */
#include "config.h"

#include <dlfcn.h>

#include <gst/gles/device/cuda.h>
#include <gst/gles/gl/buffer-export.h>
#include <gst/gles/gl/recording.h>
#include <gst/gles/import/carrier-cuda.h>
#include <gst/gles/import/import.h>

/* Targets of a source: the device may still read a frame while the next one is written. */
#define N_SLOTS 2

/* ---- libgstcuda ---- */

#define LIBRARY "libgstcuda-1.0.so.0"
#define MEMORY_TYPE "gst.cuda.memory"
/* GST_MAP_CUDA of gstcudamemory.h: the mapped address is one of CUDA. */
#define MAP_CUDA (GST_MAP_FLAG_LAST << 1)

/* The public head of GstCudaMemory. The header that declares it needs NVIDIA's own headers. */
typedef struct {
  GstMemory memory;
  GstObject *context; /* GstCudaContext */
} CudaMemory;

typedef struct {
  gpointer (*get_handle) (GstObject *context);     /* a CUcontext */
  gpointer (*get_stream) (CudaMemory *memory);     /* GstCudaStream, or NULL */
  gpointer (*get_stream_handle) (gpointer stream); /* a CUstream */
} Library;

/* Returns the functions of libgstcuda, or NULL while it is not loaded or if it lacks one. */
static const Library *
get_library (void)
{
  static Library library;
  static gsize once; /* 1: complete, 2: one is missing */
  gpointer handle =
      g_atomic_pointer_get (&once) == 0 ? dlopen (LIBRARY, RTLD_LAZY | RTLD_NOLOAD) : NULL;

  if (handle != NULL && g_once_init_enter (&once)) {
    library.get_handle = (void *) dlsym (handle, "gst_cuda_context_get_handle");
    library.get_stream = (void *) dlsym (handle, "gst_cuda_memory_get_stream");
    library.get_stream_handle = (void *) dlsym (handle, "gst_cuda_stream_get_handle");
    g_once_init_leave (
        &once, library.get_handle && library.get_stream && library.get_stream_handle ? 1 : 2);
  } else if (handle != NULL) {
    dlclose (handle); /* one reference keeps the library loaded */
  }
  return g_atomic_pointer_get (&once) == 1 ? &library : NULL;
}

gboolean
gst_gles_cuda_is_present (void)
{
  return get_library () != NULL;
}

gboolean
gst_gles_cuda_is_readable (GstGlesShare *share, GError **error)
{
  if (!share->limits.memory_objects) {
    g_set_error_literal (error, GST_GLES_ERROR, GST_GLES_ERROR_NOT_FOUND,
        "the driver lacks GL_EXT_memory_object_fd");
    return FALSE;
  }
  return gst_gles_cuda_has_device (&share->uuids, error) &&
      gst_gles_share_get_vulkan (share, error) != NULL;
}

gpointer
gst_gles_cuda_peek_context (GstMemory *memory)
{
  return gst_memory_is_type (memory, MEMORY_TYPE) ? ((CudaMemory *) memory)->context : NULL;
}

gboolean
gst_gles_cuda_get_uuid (gpointer context, guint8 *uuid)
{
  const Library *library = get_library ();

  return library != NULL && gst_gles_cuda_get_context_uuid (library->get_handle (context), uuid);
}

/* ---- slots ---- */

typedef struct {
  GstGlesBuffer *buffer;
  GstGlesCudaTarget *target;
  GstGlesSerial serial; /* of the newest submission that reads the buffer */
} Slot;

struct _GstGlesFrameCuda {
  GstObject *context; /* of the targets */
  Slot slots[N_SLOTS];
  guint next;
  Slot *taken; /* between acquire and release */
};

static void
cuda_clear (GstGlesFrameSource *source)
{
  GstGlesFrameCuda *cuda = source->cuda;

  if (cuda == NULL)
    return;
  for (guint i = 0; i < N_SLOTS; i++) {
    gst_gles_cuda_target_free (cuda->slots[i].target);
    gst_gles_buffer_unref (cuda->slots[i].buffer);
  }
  gst_object_unref (cuda->context);
  g_clear_pointer (&source->cuda, g_free);
}

static gboolean
make_slot (GstGlesFrameSource *source, Slot *slot, GError **error)
{
  g_autoptr (GstGlesDevice) device = gst_gles_queue_get_device (source->queue);
  gpointer context = get_library ()->get_handle (source->cuda->context);
  GstGlesExportedMemory memory;

  slot->buffer = gst_gles_buffer_new_exported (device, source->staged_bytes, &memory, error);
  if (slot->buffer == NULL)
    return FALSE;
  slot->target = gst_gles_cuda_target_new (
      context, &source->queue->share->uuids, memory.fd, memory.size_bytes, error);
  if (slot->target == NULL)
    g_clear_pointer (&slot->buffer, gst_gles_buffer_unref);
  return slot->target != NULL;
}

/* Returns a slot that the device does not read; waits for the oldest one. */
static Slot *
take_slot (GstGlesFrameSource *source, const CudaMemory *memory, gboolean *waited, GError **error)
{
  Slot *slot;

  if (source->cuda != NULL && source->cuda->context != memory->context)
    cuda_clear (source);
  if (source->cuda == NULL) {
    source->cuda = g_new0 (GstGlesFrameCuda, 1);
    source->cuda->context = gst_object_ref (memory->context);
  }
  slot = &source->cuda->slots[source->cuda->next];
  if (slot->target == NULL && !make_slot (source, slot, error))
    return NULL;
  *waited = !gst_gles_queue_is_done (source->queue, slot->serial);
  if (!gst_gles_queue_wait (source->queue, slot->serial, GST_GLES_WAIT_FOREVER, error))
    return NULL;
  source->cuda->next = (source->cuda->next + 1) % N_SLOTS;
  source->cuda->taken = slot;
  return slot;
}

static gboolean
copy_planes (GstGlesFrameSource *source, CudaMemory *memory, Slot *slot, GError **error)
{
  const Library *library = get_library ();
  gpointer stream = library->get_stream (memory);
  GstGlesCudaCopy copies[GST_VIDEO_MAX_PLANES];
  guint n_copies = 0;

  for (guint p = 0; p < source->n_planes; p++) {
    const GstGlesPlaneWindow *window = &source->windows[p];

    if ((source->used_planes & (1u << p)) == 0)
      continue;
    copies[n_copies++] = (GstGlesCudaCopy){ .from = (guint64) (gsize) window->data,
      .from_stride_bytes = window->stride,
      .to_bytes = source->planes[p].offset,
      .to_stride_bytes = source->planes[p].stride,
      .row_bytes = window->row_bytes,
      .rows = window->rows };
  }
  return gst_gles_cuda_target_copy (slot->target,
      stream != NULL ? library->get_stream_handle (stream) : NULL, copies, n_copies, error);
}

/* ---- the carrier ---- */

static gboolean
is_readable (GstGlesFrameSource *source, GstBuffer *buffer)
{
  const GstGlesShare *share = source->queue->share;

  return source->on_device && source->refused == NULL && share->limits.memory_objects &&
      share->kind == GST_GLES_DEVICE_HARDWARE && gst_buffer_n_memory (buffer) == 1 &&
      gst_memory_is_type (gst_buffer_peek_memory (buffer, 0), MEMORY_TYPE) &&
      gst_gles_cuda_is_present ();
}

static GstGlesCarry
cuda_acquire (GstGlesFrameSource *source, GstBuffer *buffer, GstGlesImage *image,
    GstGlesFrameCost *cost, GError **error)
{
  g_autoptr (GError) failure = NULL;
  CudaMemory *memory;
  Slot *slot;
  gboolean ok;

  if (!is_readable (source, buffer))
    return GST_GLES_CARRY_DECLINED;
  memory = (CudaMemory *) gst_buffer_peek_memory (buffer, 0);
  if (!gst_gles_frame_source_map (source, buffer, GST_MAP_READ | MAP_CUDA, image, error))
    return GST_GLES_CARRY_FAILED;
  slot = take_slot (source, memory, &cost->waited, &failure);
  ok = slot != NULL && copy_planes (source, memory, slot, &failure);
  gst_gles_frame_source_unmap (source);
  if (!ok && g_error_matches (failure, GST_GLES_ERROR, GST_GLES_ERROR_DEVICE_LOST)) {
    g_propagate_error (error, g_steal_pointer (&failure));
    return GST_GLES_CARRY_FAILED;
  }
  if (!ok) {
    gst_gles_import_refuse (source, failure->message);
    return GST_GLES_CARRY_DECLINED;
  }
  image->buffer = slot->buffer;
  cost->kind = GST_GLES_FRAME_IMPORTED;
  return GST_GLES_CARRY_TAKEN;
}

static void
on_queued (GstGlesSerial serial, gpointer user_data)
{
  *(GstGlesSerial *) user_data = serial;
}

static const GstGlesHook read_hook = { on_queued, NULL };

static gboolean
cuda_commit (GstGlesFrameSource *source, GError **error)
{
  Slot *slot = source->cuda->taken;

  gst_gles_queue_add_hook (source->queue, &read_hook, &slot->serial);
  gst_gles_queue_see_foreign_writes (source->queue);
  return gst_gles_queue_use (source->queue, slot->buffer, error);
}

const GstGlesCarrier gst_gles_carrier_cuda = { .name = "cuda",
  .acquire = cuda_acquire,
  .commit = cuda_commit,
  .clear = cuda_clear };
