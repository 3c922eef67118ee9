/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Replaces vulkan.c and transfer.c in builds without Vulkan headers. */
#include "config.h"

#include <gst/gles/core/error.h>
#include <gst/gles/device/transfer.h>

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

gboolean
gst_gles_vulkan_has_engine (GstGlesVulkan *vulkan)
{
  return FALSE;
}

GstGlesTransfer *
gst_gles_transfer_new (
    GstGlesVulkan *vulkan, gint fd, guint64 memory_bytes, gsize size_bytes, GError **error)
{
  g_return_val_if_reached (NULL);
}

void
gst_gles_transfer_free (GstGlesTransfer *transfer)
{
}

guint8 *
gst_gles_transfer_get_data (GstGlesTransfer *transfer)
{
  g_return_val_if_reached (NULL);
}

gboolean
gst_gles_transfer_start (GstGlesTransfer *transfer, gsize size_bytes, GError **error)
{
  g_return_val_if_reached (FALSE);
}

gboolean
gst_gles_transfer_is_done (GstGlesTransfer *transfer)
{
  g_return_val_if_reached (TRUE);
}

gboolean
gst_gles_transfer_wait (GstGlesTransfer *transfer, GError **error)
{
  g_return_val_if_reached (FALSE);
}
