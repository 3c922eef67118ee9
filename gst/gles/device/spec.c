/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the text means that asks for a device. */
#include "config.h"

#include <string.h>

#include <gst/gles/core/log.h>
#include <gst/gles/device/device-share.h>
#include <gst/gles/device/opened.h>

#define GST_CAT_DEFAULT GST_GLES_CAT

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
    if (device != NULL && gst_gles_device_get_kind (device) == kind)
      return g_steal_pointer (&device);
    g_string_append (refused, refused->len > 0 ? "; " : "");
    if (device == NULL)
      g_string_append (refused, reason->message);
    else
      g_string_append_printf (refused, "%s: %s", gst_gles_device_get_description (device),
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
    GST_INFO ("device=auto takes %s: the first GPU", gst_gles_device_get_description (device));
    return device;
  }
  if (invalid != NULL) {
    g_propagate_error (error, g_steal_pointer (&invalid));
    return NULL;
  }
  device = gst_gles_device_open ("cpu", error);
  GST_INFO ("device=auto takes %s: there is no GPU with OpenGL ES 3.1 (%s); device=software runs "
            "the shaders on a software renderer",
      gst_gles_device_get_description (device), refused->str);
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
  id = gst_gles_device_get_id (device);
  if (strcmp (spec, "auto") == 0)
    return TRUE;
  if (strcmp (spec, "software") == 0)
    return gst_gles_device_get_kind (device) == GST_GLES_DEVICE_SOFTWARE;
  if (strcmp (spec, id) == 0)
    return TRUE;
  if (spec[0] == '/' && g_str_has_prefix (id, "gbm:") && strcmp (spec, id + 4) == 0)
    return TRUE;
  return gst_gles_device_is_opened_as (device, spec);
}
