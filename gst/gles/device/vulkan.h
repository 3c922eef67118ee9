/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Device memory from Vulkan as storage that OpenGL ES imports. On NVIDIA, kernels that use a large
 * part of a buffer allocated by GL are slower (docs/decisions/0006), and Vulkan has engines that
 * copy beside the kernels of GL (transfer.h). The loader is opened when the first such memory is
 * requested. */
#ifndef GST_GLES_VULKAN_H
#define GST_GLES_VULKAN_H

#include <gst/gles/core/prelude.h>

G_BEGIN_DECLS

#define GST_GLES_UUID_BYTES 16

/* The identities that a Vulkan device and a GL device of the same hardware and driver have in
 * common. */
typedef struct {
  guint8 device[GST_GLES_UUID_BYTES];
  guint8 driver[GST_GLES_UUID_BYTES];
} GstGlesUuids;

typedef struct _GstGlesVulkan GstGlesVulkan;

/* Opens the Vulkan device of @uuids: (transfer full), released by gst_gles_vulkan_free(). Takes
 * about 100 ms.
 * Thread: any.
 *
 * Errors: NOT_FOUND (no loader, no such device, built without Vulkan), INIT (the driver
 * refuses). */
GstGlesVulkan *gst_gles_vulkan_new (const GstGlesUuids *uuids, GError **error);
void gst_gles_vulkan_free (GstGlesVulkan *vulkan);

/* Whether the device has engines that only copy. */
gboolean gst_gles_vulkan_has_engine (GstGlesVulkan *vulkan);

/* Allocates device memory for a buffer of at least @size_bytes. Only the returned file descriptor
 * holds the memory. @memory_bytes: (out): the size that the import must state.
 * Thread: any.
 *
 * Returns: a file descriptor to import or close, -1 with @error set. Errors: NO_MEMORY. */
gint gst_gles_vulkan_export (
    GstGlesVulkan *vulkan, gsize size_bytes, guint64 *memory_bytes, GError **error);

G_END_DECLS

#endif
