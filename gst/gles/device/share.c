/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <GLES3/gl31.h>
#include <GLES2/gl2ext.h>

#include <gst/gles/device/procs.h>
#include <gst/gles/device/share.h>

gboolean
gst_gles_share_is_gl (GstGlesShare *share)
{
  return share->thread != NULL;
}

gboolean
gst_gles_share_empty_trash (GstGlesShare *share)
{
  g_autoptr (GArray) trash = NULL;

  g_mutex_lock (&share->lock);
  if (share->trash->len > 0) {
    trash = share->trash;
    share->trash = g_array_new (FALSE, FALSE, sizeof (GstGlesTrash));
  }
  g_mutex_unlock (&share->lock);
  if (trash == NULL)
    return FALSE;

  /* A bound object would survive its deletion, while GL may give its name to a new object. */
  gst_gles_share_unbind (share);
  for (guint i = 0; i < trash->len; i++) {
    const GstGlesTrash *item = &g_array_index (trash, GstGlesTrash, i);
    switch (item->kind) {
      case GST_GLES_TRASH_BUFFER:
        glDeleteBuffers (1, &item->name);
        break;
      case GST_GLES_TRASH_PROGRAM:
        glDeleteProgram (item->name);
        break;
      case GST_GLES_TRASH_TEXTURE:
        glDeleteTextures (1, &item->name);
        break;
      case GST_GLES_TRASH_MEMORY:
        gst_gles_procs ()->delete_memory_objects (1, &item->name);
        break;
      case GST_GLES_TRASH_IMAGE:
        gst_gles_procs ()->destroy_image (share->display->egl, item->object);
        break;
      case GST_GLES_TRASH_SYNC:
        gst_gles_procs ()->destroy_sync (share->display->egl, item->object);
        break;
    }
  }
  return TRUE;
}

void
gst_gles_share_unbind (GstGlesShare *share)
{
  if (share->replay != NULL)
    share->replay_unbind (share->replay);
}

GstGlesVulkan *
gst_gles_share_get_vulkan (GstGlesShare *share, GError **error)
{
  GstGlesVulkan *vulkan;

  g_mutex_lock (&share->vulkan_lock);
  if (share->vulkan == NULL && share->vulkan_error == NULL)
    share->vulkan = gst_gles_vulkan_new (&share->uuids, &share->vulkan_error);
  vulkan = share->vulkan;
  if (vulkan == NULL && error != NULL)
    *error = g_error_copy (share->vulkan_error);
  g_mutex_unlock (&share->vulkan_lock);
  return vulkan;
}

gboolean
gst_gles_share_check (GstGlesShare *share, GError **error)
{
  if (!g_atomic_int_get (&share->lost))
    return TRUE;
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_DEVICE_LOST,
      "%s: the device was lost (reset or removed); restart the pipeline to open it again",
      share->id);
  return FALSE;
}
