/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The functions of a share that start, wake and end its thread. */
#include "config.h"

#include <gst/gles/core/log.h>
#include <gst/gles/device/thread.h>

#define GST_CAT_DEFAULT GST_GLES_CAT

static GstGlesShare *
share_alloc (GstGlesDeviceKind kind)
{
  GstGlesShare *share = g_new0 (GstGlesShare, 1);

  share->ref_count = 1;
  share->kind = kind;
  share->context = EGL_NO_CONTEXT;
  share->trash = g_array_new (FALSE, FALSE, sizeof (GstGlesTrash));
  g_mutex_init (&share->lock);
  g_cond_init (&share->searched);
  g_mutex_init (&share->vulkan_lock);
  return share;
}

static void
share_free (GstGlesShare *share)
{
  g_array_unref (share->trash);
  g_clear_pointer (&share->programs, g_hash_table_unref);
  g_mutex_clear (&share->lock);
  g_cond_clear (&share->searched);
  gst_gles_vulkan_free (share->vulkan);
  g_clear_error (&share->vulkan_error);
  g_mutex_clear (&share->vulkan_lock);
  gst_gles_image_support_clear (&share->images);
  g_free (share->id);
  g_free (share->description);
  g_free (share->renderer);
  g_free (share->version);
  g_free (share);
}

GstGlesShare *
gst_gles_share_new_cpu (void)
{
  GstGlesShare *share = share_alloc (GST_GLES_DEVICE_CPU);

  share->id = g_strdup ("cpu");
  share->description = g_strdup_printf ("native code, %u threads (cpu)", g_get_num_processors ());
  return share;
}

/* On the device's thread. share->id is the spec until the display reports its canonical name. */
static gboolean
open_gl (gpointer data, GError **error)
{
  GstGlesShare *share = data;

  share->display = gst_gles_display_open (share->id, error);
  if (share->display == NULL)
    return FALSE;
  g_free (share->id);
  share->id = g_strdup (share->display->key);
  return gst_gles_share_make_context (share, error) && gst_gles_share_probe (share, error);
}

GstGlesShare *
gst_gles_share_new_gl (const gchar *spec, GError **error)
{
  /* probe.c corrects the kind when the renderer's name is known. */
  GstGlesShare *share = share_alloc (GST_GLES_DEVICE_HARDWARE);

  share->id = g_strdup (spec);
  share->thread = gst_gles_thread_new (share, open_gl, error);
  if (share->thread != NULL)
    return share;
  share_free (share);
  return NULL;
}

GstGlesShare *
gst_gles_share_ref (GstGlesShare *share)
{
  g_atomic_int_inc (&share->ref_count);
  return share;
}

void
gst_gles_share_unref (GstGlesShare *share)
{
  if (!g_atomic_int_dec_and_test (&share->ref_count))
    return;
  if (share->thread != NULL)
    gst_gles_thread_end (share->thread, share_free);
  else
    share_free (share);
}

void
gst_gles_share_discard (GstGlesShare *share, const GstGlesTrash *items, guint n_items)
{
  gboolean first;

  g_mutex_lock (&share->lock);
  first = share->trash->len == 0;
  for (guint i = 0; i < n_items; i++) {
    if (items[i].name != 0 || items[i].object != NULL)
      g_array_append_val (share->trash, items[i]);
  }
  first = first && share->trash->len > 0;
  g_mutex_unlock (&share->lock);
  if (first)
    gst_gles_thread_notify (share->thread);
}

void
gst_gles_share_mark_lost (GstGlesShare *share, const gchar *reason)
{
  if (!g_atomic_int_compare_and_exchange (&share->lost, FALSE, TRUE))
    return;
  GST_ERROR ("%s: device lost: %s", share->id, reason != NULL ? reason : "no reason given");
  if (share->thread != NULL)
    gst_gles_thread_notify (share->thread);
}
