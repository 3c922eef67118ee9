/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* CUDA, for frames that a decoder left in its memory: it copies them to buffers of the device whose
 * memory both own. The driver's library is opened when it is first asked for. */
#ifndef GST_GLES_CUDA_H
#define GST_GLES_CUDA_H

#include <gst/gles/core/prelude.h>
#include <gst/gles/device/vulkan.h>

G_BEGIN_DECLS

/* Memory of a buffer of the device as a CUDA context writes it. */
typedef struct _GstGlesCudaTarget GstGlesCudaTarget;

/* Rows of a plane: from an address of CUDA to an offset in a target. */
typedef struct {
  guint64 from;
  gsize from_stride_bytes;
  gsize to_bytes;
  gsize to_stride_bytes;
  gsize row_bytes;
  guint rows;
} GstGlesCudaCopy;

/* Whether the GPU of @uuids is a device of CUDA. Thread: any; the first call may take 0.5 s unless
 * the process uses CUDA already. Errors: NOT_FOUND (no driver library, another GPU), INIT. */
gboolean gst_gles_cuda_has_device (const GstGlesUuids *uuids, GError **error);

/* Sets @uuid, of GST_GLES_UUID_BYTES, to that of the GPU of @context, a CUcontext. Returns FALSE if
 * the driver does not tell it. Thread: any. */
gboolean gst_gles_cuda_get_context_uuid (gpointer context, guint8 *uuid);

/* Makes the memory of @fd, which it takes ownership of, a target of @context, a CUcontext on the
 * GPU of @uuids. @context must stay valid as long as the target. @memory_bytes: as
 * gst_gles_vulkan_export() said. Errors: NOT_FOUND (another GPU), NO_MEMORY, FAILED. */
GstGlesCudaTarget *gst_gles_cuda_target_new (
    gpointer context, const GstGlesUuids *uuids, gint fd, guint64 memory_bytes, GError **error);
/* NULL is safe. */
void gst_gles_cuda_target_free (GstGlesCudaTarget *target);

/* Copies @n_copies planes after the work of @stream, a CUstream (NULL: that of the context), and
 * waits until they are in @target; sleeps while it waits. Errors: FAILED. */
gboolean gst_gles_cuda_target_copy (GstGlesCudaTarget *target, gpointer stream,
    const GstGlesCudaCopy *copies, guint n_copies, GError **error);

G_END_DECLS

#endif
