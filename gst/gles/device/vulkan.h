/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Memory of a device from Vulkan, for storage that OpenGL ES imports: in what NVIDIA's GL gives to buffers
 * itself kernels are slower when they use much of it (docs/decisions/0006). No Vulkan command ever runs,
 * and the loader is opened when the first such memory is asked for. */
#ifndef GST_GLES_VULKAN_H
#define GST_GLES_VULKAN_H

#include <gst/gles/core/prelude.h>

G_BEGIN_DECLS

#define GST_GLES_UUID_BYTES 16

/* What says that a Vulkan device and a GL device are the same, of the same driver. */
typedef struct {
  guint8 device[GST_GLES_UUID_BYTES];
  guint8 driver[GST_GLES_UUID_BYTES];
} GstGlesUuids;

typedef struct _GstGlesVulkan GstGlesVulkan;

/* Opens the Vulkan device of @uuids: (transfer full), gst_gles_vulkan_free(). Takes some 100 ms.
 * Thread: any.
 *
 * Errors: NOT_FOUND (no loader, no such device, built without Vulkan), INIT (the driver refuses). */
GstGlesVulkan *gst_gles_vulkan_new (const GstGlesUuids *uuids, GError **error);
void gst_gles_vulkan_free (GstGlesVulkan *vulkan);

/* Allocates memory of the device for a buffer of at least @size_bytes and gives it away: the file
 * descriptor that is returned is the only thing that holds it. @memory_bytes: (out): what an import must say.
 * Thread: any.
 *
 * Returns: a file descriptor to import or close, -1 with @error set. Errors: NO_MEMORY. */
gint gst_gles_vulkan_export (
    GstGlesVulkan *vulkan, gsize size_bytes, guint64 *memory_bytes, GError **error);

G_END_DECLS

#endif
