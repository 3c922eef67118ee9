/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Replaces vulkan.c in builds without Vulkan headers. */
#include "config.h"

#include <gst/gles/core/error.h>
#include <gst/gles/device/vulkan.h>

GstGlesVulkan *
gst_gles_vulkan_new (const GstGlesUuids *uuids, GError **error)
{
  g_set_error_literal (error, GST_GLES_ERROR, GST_GLES_ERROR_NOT_FOUND,
      "the library was built without Vulkan (option `vulkan`)");
  return NULL;
}

void
gst_gles_vulkan_free (GstGlesVulkan *vulkan)
{
}

gint
gst_gles_vulkan_export (
    GstGlesVulkan *vulkan, gsize size_bytes, guint64 *memory_bytes, GError **error)
{
  g_return_val_if_reached (-1);
}
