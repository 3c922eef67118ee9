/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <string.h>
#include <unistd.h>

#include <ffnvcodec/dynlink_loader.h>

#include <gst/gles/core/error.h>
#include <gst/gles/device/cuda.h>

struct _GstGlesCudaTarget {
  CUcontext context;
  CUexternalMemory memory;
  CUdeviceptr address;
  CUevent copied;
};

/* ---- the driver ---- */

/* The flag of cuEventCreate() for events that nobody measures; waiting for the event sleeps. */
#define EVENT_FLAGS (CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING)

/* CUDA_EXTERNAL_MEMORY_DEDICATED of cuda.h: Vulkan allocated the memory for one buffer. */
#define MEMORY_IS_DEDICATED 1

typedef struct {
  CudaFunctions *functions; /* NULL: there is no driver, or an old one */
  CUresult initialised;
} Driver;

static gboolean
has_all (const CudaFunctions *f)
{
  return f->cuDeviceGetUuid != NULL && f->cuImportExternalMemory != NULL &&
      f->cuDestroyExternalMemory != NULL && f->cuExternalMemoryGetMappedBuffer != NULL;
}

static gpointer
open_driver (gpointer data)
{
  static Driver driver;

  if (cuda_load_functions (&driver.functions, NULL) != 0 || !has_all (driver.functions))
    cuda_free_functions (&driver.functions);
  else
    driver.initialised = driver.functions->cuInit (0);
  return &driver;
}

/* Sets @error and returns FALSE if a call failed. */
static gboolean
check (const CudaFunctions *cuda, CUresult result, const gchar *what, gint code, GError **error)
{
  const gchar *text = NULL;

  if (result == CUDA_SUCCESS)
    return TRUE;
  (void) cuda->cuGetErrorString (result, &text);
  g_set_error (error, GST_GLES_ERROR, code, "CUDA: %s failed: %s", what,
      text != NULL ? text : "unknown error");
  return FALSE;
}

/* Returns the functions of the driver, initialised, or NULL. Errors: NOT_FOUND, INIT. */
static const CudaFunctions *
get_driver (GError **error)
{
  static GOnce once = G_ONCE_INIT;
  const Driver *driver = g_once (&once, open_driver, NULL);

  if (driver->functions == NULL) {
    g_set_error_literal (error, GST_GLES_ERROR, GST_GLES_ERROR_NOT_FOUND,
        "no CUDA driver, or one without external memory (libcuda.so.1)");
    return NULL;
  }
  if (!check (driver->functions, driver->initialised, "cuInit()", GST_GLES_ERROR_INIT, error))
    return NULL;
  return driver->functions;
}

static gboolean
is_device (const CudaFunctions *cuda, CUdevice device, const GstGlesUuids *uuids)
{
  CUuuid uuid;

  G_STATIC_ASSERT (sizeof (uuid) == GST_GLES_UUID_BYTES);
  return cuda->cuDeviceGetUuid (&uuid, device) == CUDA_SUCCESS &&
      memcmp (&uuid, uuids->device, GST_GLES_UUID_BYTES) == 0;
}

gboolean
gst_gles_cuda_has_device (const GstGlesUuids *uuids, GError **error)
{
  const CudaFunctions *cuda = get_driver (error);
  int n = 0;

  if (cuda == NULL ||
      !check (cuda, cuda->cuDeviceGetCount (&n), "cuDeviceGetCount()", GST_GLES_ERROR_INIT, error))
    return FALSE;
  for (int i = 0; i < n; i++) {
    CUdevice device;

    if (cuda->cuDeviceGet (&device, i) == CUDA_SUCCESS && is_device (cuda, device, uuids))
      return TRUE;
  }
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NOT_FOUND,
      "none of %d CUDA devices is this OpenGL ES device", n);
  return FALSE;
}

static void
leave (const CudaFunctions *cuda)
{
  CUcontext context;

  (void) cuda->cuCtxPopCurrent (&context);
}

gboolean
gst_gles_cuda_get_context_uuid (gpointer context, guint8 *uuid)
{
  const CudaFunctions *cuda = get_driver (NULL);
  CUdevice device;
  CUuuid found;
  gboolean ok;

  if (cuda == NULL || cuda->cuCtxPushCurrent (context) != CUDA_SUCCESS)
    return FALSE;
  ok = cuda->cuCtxGetDevice (&device) == CUDA_SUCCESS &&
      cuda->cuDeviceGetUuid (&found, device) == CUDA_SUCCESS;
  leave (cuda);
  if (ok)
    memcpy (uuid, &found, GST_GLES_UUID_BYTES);
  return ok;
}

/* ---- targets ---- */

/* The target's context is current on this thread until leave (). */
static gboolean
enter (const CudaFunctions *cuda, GstGlesCudaTarget *target, GError **error)
{
  return check (cuda, cuda->cuCtxPushCurrent (target->context), "cuCtxPushCurrent()",
      GST_GLES_ERROR_FAILED, error);
}

static gboolean
check_device (const CudaFunctions *cuda, const GstGlesUuids *uuids, GError **error)
{
  CUdevice device;

  if (!check (
          cuda, cuda->cuCtxGetDevice (&device), "cuCtxGetDevice()", GST_GLES_ERROR_FAILED, error))
    return FALSE;
  if (is_device (cuda, device, uuids))
    return TRUE;
  g_set_error_literal (error, GST_GLES_ERROR, GST_GLES_ERROR_NOT_FOUND,
      "the frames are in memory of another GPU than the device; name that GPU with device=, or put "
      "cudadownload before this element");
  return FALSE;
}

/* Takes @fd in any case. */
static gboolean
import (const CudaFunctions *cuda, GstGlesCudaTarget *target, gint fd, guint64 memory_bytes,
    GError **error)
{
  const CUDA_EXTERNAL_MEMORY_HANDLE_DESC handle = {
    .type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD,
    .handle.fd = fd,
    .size = memory_bytes,
    .flags = MEMORY_IS_DEDICATED,
  };
  const CUDA_EXTERNAL_MEMORY_BUFFER_DESC range = { .size = memory_bytes };

  if (!check (cuda, cuda->cuImportExternalMemory (&target->memory, &handle),
          "cuImportExternalMemory()", GST_GLES_ERROR_NO_MEMORY, error)) {
    target->memory = NULL;
    close (fd); /* CUDA takes it only when the import succeeds */
    return FALSE;
  }
  return check (cuda,
             cuda->cuExternalMemoryGetMappedBuffer (&target->address, target->memory, &range),
             "cuExternalMemoryGetMappedBuffer()", GST_GLES_ERROR_NO_MEMORY, error) &&
      check (cuda, cuda->cuEventCreate (&target->copied, EVENT_FLAGS), "cuEventCreate()",
          GST_GLES_ERROR_NO_MEMORY, error);
}

GstGlesCudaTarget *
gst_gles_cuda_target_new (
    gpointer context, const GstGlesUuids *uuids, gint fd, guint64 memory_bytes, GError **error)
{
  const CudaFunctions *cuda = get_driver (error);
  GstGlesCudaTarget *target = g_new0 (GstGlesCudaTarget, 1);
  gboolean ok;

  target->context = context;
  if (cuda == NULL || !enter (cuda, target, error)) {
    close (fd);
    g_free (target);
    return NULL;
  }
  ok = check_device (cuda, uuids, error);
  if (!ok)
    close (fd);
  ok = ok && import (cuda, target, fd, memory_bytes, error);
  leave (cuda);
  if (!ok)
    g_clear_pointer (&target, gst_gles_cuda_target_free);
  return target;
}

void
gst_gles_cuda_target_free (GstGlesCudaTarget *target)
{
  const CudaFunctions *cuda = get_driver (NULL);

  if (target == NULL)
    return;
  if (enter (cuda, target, NULL)) {
    if (target->copied != NULL)
      (void) cuda->cuEventDestroy (target->copied);
    if (target->address != 0)
      (void) cuda->cuMemFree (target->address);
    if (target->memory != NULL)
      (void) cuda->cuDestroyExternalMemory (target->memory);
    leave (cuda);
  }
  g_free (target);
}

static gboolean
copy_plane (const CudaFunctions *cuda, GstGlesCudaTarget *target, CUstream stream,
    const GstGlesCudaCopy *copy, GError **error)
{
  const CUDA_MEMCPY2D plane = {
    .srcMemoryType = CU_MEMORYTYPE_DEVICE,
    .srcDevice = copy->from,
    .srcPitch = copy->from_stride_bytes,
    .dstMemoryType = CU_MEMORYTYPE_DEVICE,
    .dstDevice = target->address + copy->to_bytes,
    .dstPitch = copy->to_stride_bytes,
    .WidthInBytes = copy->row_bytes,
    .Height = copy->rows,
  };

  return check (cuda, cuda->cuMemcpy2DAsync (&plane, stream), "cuMemcpy2DAsync()",
      GST_GLES_ERROR_FAILED, error);
}

gboolean
gst_gles_cuda_target_copy (GstGlesCudaTarget *target, gpointer stream,
    const GstGlesCudaCopy *copies, guint n_copies, GError **error)
{
  const CudaFunctions *cuda = get_driver (error);
  gboolean ok = TRUE;

  if (cuda == NULL || !enter (cuda, target, error))
    return FALSE;
  for (guint i = 0; ok && i < n_copies; i++)
    ok = copy_plane (cuda, target, stream, &copies[i], error);
  ok = ok &&
      check (cuda, cuda->cuEventRecord (target->copied, stream), "cuEventRecord()",
          GST_GLES_ERROR_FAILED, error) &&
      check (cuda, cuda->cuEventSynchronize (target->copied), "cuEventSynchronize()",
          GST_GLES_ERROR_FAILED, error);
  leave (cuda);
  return ok;
}
