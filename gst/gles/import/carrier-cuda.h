/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_FRAME_CARRIER_CUDA_H
#define GST_GLES_FRAME_CARRIER_CUDA_H

#include <gst/gles/device/share.h>

G_BEGIN_DECLS

/* Whether frames in GstCudaMemory can be copied to buffers of @share on the GPU. Opens CUDA's
 * driver and Vulkan. Errors: why not. */
gboolean gst_gles_cuda_is_readable (GstGlesShare *share, GError **error);

/* Whether an element of this process can have such frames: whether libgstcuda is loaded, in a
 * version that tells in which stream of CUDA a frame is written (GStreamer 1.24). */
gboolean gst_gles_cuda_is_present (void);

/* Returns the GstCudaContext of @memory, or NULL if it is no memory of CUDA. */
gpointer gst_gles_cuda_peek_context (GstMemory *memory);

/* Sets @uuid, of GST_GLES_UUID_BYTES, to that of the GPU of @context, a GstCudaContext. Returns
 * FALSE if the driver does not tell it. */
gboolean gst_gles_cuda_get_uuid (gpointer context, guint8 *uuid);

G_END_DECLS

#endif
