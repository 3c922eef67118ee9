/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copies from memory of the host to a buffer of the device by an engine of the device, beside its
 * kernels: OpenGL ES executes copies and kernels one after the other. */
#ifndef GST_GLES_TRANSFER_H
#define GST_GLES_TRANSFER_H

#include <gst/gles/device/vulkan.h>

G_BEGIN_DECLS

/* Memory of the host, memory of a buffer, and the copy of the one to the other. */
typedef struct _GstGlesTransfer GstGlesTransfer;

/* Makes a transfer of @size_bytes to the memory of @fd, which it takes ownership of. @memory_bytes:
 * as gst_gles_vulkan_export() said. @vulkan must outlive it. Errors: NO_MEMORY, FAILED. */
GstGlesTransfer *gst_gles_transfer_new (
    GstGlesVulkan *vulkan, gint fd, guint64 memory_bytes, gsize size_bytes, GError **error);
/* Waits until the copy has ended. NULL is safe. */
void gst_gles_transfer_free (GstGlesTransfer *transfer);

/* The host's memory, zeros at first, valid as long as the transfer. */
guint8 *gst_gles_transfer_get_data (GstGlesTransfer *transfer);

/* Begins to copy the first @size_bytes, a multiple of 4, and returns at once. The caller makes sure
 * that nobody reads the buffer before the copy has ended, nor writes the host's memory. Thread:
 * any, one at a time per transfer. Errors: FAILED, after which nothing is copied. */
gboolean gst_gles_transfer_start (GstGlesTransfer *transfer, gsize size_bytes, GError **error);

/* Whether no copy is in progress. Never waits. Thread: any. */
gboolean gst_gles_transfer_is_done (GstGlesTransfer *transfer);
/* Waits for the copy, at most 10 seconds. Thread: any. Errors: FAILED. */
gboolean gst_gles_transfer_wait (GstGlesTransfer *transfer, GError **error);

G_END_DECLS

#endif
