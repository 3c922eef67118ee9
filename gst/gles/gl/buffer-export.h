/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Buffers whose memory another API shares. */
#ifndef GST_GLES_BUFFER_EXPORT_H
#define GST_GLES_BUFFER_EXPORT_H

#include <gst/gles/device/device.h>

typedef struct _GstGlesBuffer GstGlesBuffer; /* see buffer.h */

/* Memory of a buffer that another API can import. */
typedef struct {
  gint fd; /* for the import, or to be closed */
  guint64 size_bytes;
} GstGlesExportedMemory;

/* Makes a buffer for the device whose memory another API writes; it is zeros when this returns. The
 * device must have memory_objects. Errors: those of gst_gles_vulkan_new() and
 * gst_gles_vulkan_export(), FAILED. */
GstGlesBuffer *gst_gles_buffer_new_exported (
    GstGlesDevice *device, gsize size_bytes, GstGlesExportedMemory *exported, GError **error);

#endif
