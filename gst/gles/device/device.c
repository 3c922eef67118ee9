/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <string.h>

#include <gst/gles/core/log.h>
#include <gst/gles/device/device-share.h>
#include <gst/gles/device/opened.h>

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

/* ---- choosing a device ---- */

/* Returns @spec, or GST_GLES_DEVICE if @spec is empty, or "auto". */
static const gchar *
effective_spec (const gchar *spec)
{
  if (spec == NULL || spec[0] == '\0')
    spec = g_getenv ("GST_GLES_DEVICE");
  if (spec == NULL || spec[0] == '\0')
    spec = "auto";
  return spec;
}

gboolean
gst_gles_device_is_auto (const gchar *spec)
{
  return strcmp (effective_spec (spec), "auto") == 0;
}

/* Returns the first GPU, or the first software renderer, as @kind asks. If there is none, returns
 * NULL and adds to @refused why each candidate is none; @error is set for invalid settings only. */
static GstGlesDevice *
first_of_kind (GstGlesDeviceKind kind, GString *refused, GError **error)
{
  g_auto (GStrv) specs = gst_gles_display_specs ();

  for (guint i = 0; specs[i] != NULL; i++) {
    g_autoptr (GError) reason = NULL;
    g_autoptr (GstGlesDevice) device = NULL;

    if (strcmp (specs[i], "cpu") == 0)
      continue;
    device = gst_gles_device_open_once (specs[i], &reason);
    if (g_error_matches (reason, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS)) {
      /* A setting in the environment is invalid, so no other device can open either. */
      g_propagate_error (error, g_steal_pointer (&reason));
      return NULL;
    }
    if (device != NULL && device->share->kind == kind)
      return g_steal_pointer (&device);
    g_string_append (refused, refused->len > 0 ? "; " : "");
    if (device == NULL)
      g_string_append (refused, reason->message);
    else
      g_string_append_printf (refused, "%s: %s", device->share->description,
          kind == GST_GLES_DEVICE_HARDWARE ? "a software renderer" : "a GPU");
  }
  return NULL;
}

static GstGlesDevice *
open_auto (GError **error)
{
  g_autoptr (GString) refused = g_string_new (NULL);
  g_autoptr (GError) invalid = NULL;
  GstGlesDevice *device = first_of_kind (GST_GLES_DEVICE_HARDWARE, refused, &invalid);

  if (device != NULL) {
    GST_INFO ("device=auto takes %s: the first GPU", device->share->description);
    return device;
  }
  if (invalid != NULL) {
    g_propagate_error (error, g_steal_pointer (&invalid));
    return NULL;
  }
  device = gst_gles_device_open ("cpu", error);
  GST_INFO ("device=auto takes %s: there is no GPU with OpenGL ES 3.1 (%s); device=software runs "
            "the shaders on a software renderer",
      device->share->description, refused->str);
  return device;
}

static GstGlesDevice *
open_software (GError **error)
{
  g_autoptr (GString) refused = g_string_new (NULL);
  g_autoptr (GError) invalid = NULL;
  GstGlesDevice *device = first_of_kind (GST_GLES_DEVICE_SOFTWARE, refused, &invalid);

  if (invalid != NULL)
    g_propagate_error (error, g_steal_pointer (&invalid));
  else if (device == NULL)
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INIT,
        "no software OpenGL ES 3.1 renderer; install Mesa's (on Debian libegl-mesa0 and "
        "libgl1-mesa-dri) or use device=cpu. Tried: %s",
        refused->len > 0 ? refused->str : "nothing");
  return device;
}

GstGlesDevice *
gst_gles_device_new (const gchar *spec, GError **error)
{
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  spec = effective_spec (spec);
  if (strcmp (spec, "auto") == 0)
    return open_auto (error);
  if (strcmp (spec, "software") == 0)
    return open_software (error);
  return gst_gles_device_open_once (spec, error);
}

gboolean
gst_gles_device_matches (GstGlesDevice *device, const gchar *spec)
{
  const gchar *id;

  g_return_val_if_fail (GST_IS_GLES_DEVICE (device), FALSE);
  if (gst_gles_device_is_lost (device))
    return FALSE;
  spec = effective_spec (spec);
  id = device->share->id;
  if (strcmp (spec, "auto") == 0)
    return TRUE;
  if (strcmp (spec, "software") == 0)
    return device->share->kind == GST_GLES_DEVICE_SOFTWARE;
  if (strcmp (spec, id) == 0)
    return TRUE;
  if (spec[0] == '/' && g_str_has_prefix (id, "gbm:") && strcmp (spec, id + 4) == 0)
    return TRUE;
  return gst_gles_device_is_opened_as (device, spec);
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
