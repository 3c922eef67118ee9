/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <string.h>

#include <gst/gles/core/log.h>
#include <gst/gles/device/device-share.h>

#define GST_CAT_DEFAULT GST_GLES_CAT

struct _GstGlesDevice {
  GstObject parent;
  GstGlesShare *share;
  gpointer queue; /* the default one, see gst_gles_device_get_queue_place() */
};

G_DEFINE_TYPE (GstGlesDevice, gst_gles_device, GST_TYPE_OBJECT)

static void
gst_gles_device_init (GstGlesDevice *device)
{
}

static void
gst_gles_device_finalize (GObject *object)
{
  GstGlesDevice *device = GST_GLES_DEVICE (object);

  if (device->share != NULL) {
    /* Programs hold a reference to the share, so the share must not hold them after the device is
     * gone. */
    GHashTable *programs;
    g_mutex_lock (&device->share->lock);
    device->share->closed = TRUE;
    programs = g_steal_pointer (&device->share->programs);
    g_mutex_unlock (&device->share->lock);
    g_clear_pointer (&programs, g_hash_table_unref);
  }
  if (device->queue != NULL)
    gst_object_unref (device->queue);
  g_clear_pointer (&device->share, gst_gles_share_unref);
  G_OBJECT_CLASS (gst_gles_device_parent_class)->finalize (object);
}

static void
gst_gles_device_class_init (GstGlesDeviceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gst_gles_device_finalize;
}

/* ---- opening a device ---- */

/* Takes ownership of @share. */
static GstGlesDevice *
device_on_share (GstGlesShare *share)
{
  GstGlesDevice *device;

  if (share == NULL)
    return NULL;
  device = g_object_new (GST_TYPE_GLES_DEVICE, NULL);
  gst_object_ref_sink (device);
  device->share = share;
  return device;
}

GstGlesDevice *
gst_gles_device_open (const gchar *spec, GError **error)
{
  if (strcmp (spec, "cpu") == 0)
    return device_on_share (gst_gles_share_new_cpu ());
  if (gst_gles_display_is_spec (spec))
    return device_on_share (gst_gles_share_new_gl (spec, error));
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS,
      "device=%s means nothing; use auto, the path of a render node such as "
      "/dev/dri/renderD128, egl:N, surfaceless, software or cpu",
      spec);
  return NULL;
}

/* ---- getters ---- */

GstGlesShare *
gst_gles_device_get_share (GstGlesDevice *device)
{
  return device->share;
}

GstGlesDeviceKind
gst_gles_device_get_kind (GstGlesDevice *device)
{
  g_return_val_if_fail (GST_IS_GLES_DEVICE (device), GST_GLES_DEVICE_CPU);
  return device->share->kind;
}

const gchar *
gst_gles_device_get_id (GstGlesDevice *device)
{
  g_return_val_if_fail (GST_IS_GLES_DEVICE (device), NULL);
  return device->share->id;
}

const gchar *
gst_gles_device_get_description (GstGlesDevice *device)
{
  g_return_val_if_fail (GST_IS_GLES_DEVICE (device), NULL);
  return device->share->description;
}

guint64
gst_gles_device_get_buffer_bytes (GstGlesDevice *device)
{
  g_return_val_if_fail (GST_IS_GLES_DEVICE (device), 0);
  return __atomic_load_n (&device->share->buffer_bytes, __ATOMIC_RELAXED);
}

const GstGlesLimits *
gst_gles_device_get_limits (GstGlesDevice *device)
{
  g_return_val_if_fail (GST_IS_GLES_DEVICE (device), NULL);
  return &device->share->limits;
}

gboolean
gst_gles_device_is_lost (GstGlesDevice *device)
{
  g_return_val_if_fail (GST_IS_GLES_DEVICE (device), TRUE);
  return g_atomic_int_get (&device->share->lost);
}

void
gst_gles_device_mark_lost (GstGlesDevice *device, const gchar *reason)
{
  g_return_if_fail (GST_IS_GLES_DEVICE (device));
  gst_gles_share_mark_lost (device->share, reason);
}

gpointer *
gst_gles_device_get_queue_place (GstGlesDevice *device)
{
  return &device->queue;
}
