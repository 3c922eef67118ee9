/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The device of an analyser. It is opened before frames are known; with `auto` on a machine with
 * several GPUs, frames that another GPU owns take the stream there. */
#include "config.h"

#include <gst/gles/core/error.h>
#include <gst/gles/device/placement.h>

#include "gstglesanalyzer-private.h"

GST_DEBUG_CATEGORY_EXTERN (gst_gles_analyzer_debug);
#define GST_CAT_DEFAULT gst_gles_analyzer_debug

/* Opens a queue for this element alone, so that it receives only its own errors. */
static gboolean
open_queue (GstGlesAnalyzer *analyzer, GstGlesDevice *device, GError **error)
{
  GstGlesAnalyzerPrivate *priv = gst_gles_analyzer_get_private (analyzer);
  g_autoptr (GstGlesDevice) old = NULL;

  if (priv->queue != NULL)
    old = gst_gles_queue_get_device (priv->queue);
  if (old == device)
    return TRUE;
  gst_gles_analyzer_close_queue (analyzer);
  priv->queue = gst_gles_queue_new (device, error);
  if (priv->queue == NULL)
    return FALSE;
  gst_gles_analyzer_watch_queue (analyzer);
  gst_gles_analyzer_move_late_reads (analyzer);
  return TRUE;
}

/* Warns if a device node was opened with a software renderer: Mesa opens nodes that are no GPU,
 * such as /dev/null, with llvmpipe, but a user who names a node expects a GPU. */
static void
warn_if_software (GstElement *element, GstGlesDevice *device)
{
  if (gst_gles_device_get_kind (device) == GST_GLES_DEVICE_SOFTWARE &&
      g_str_has_prefix (gst_gles_device_get_id (device), "gbm:"))
    GST_ELEMENT_WARNING (element, RESOURCE, SETTINGS,
        ("%s is a software renderer: EGL has no GPU's driver for this node",
            gst_gles_device_get_description (device)),
        ("name a render node with a driver (gst-gles-info-1.0 lists them), or device=software"));
}

gboolean
gst_gles_analyzer_use_device (GstGlesAnalyzer *analyzer, GstGlesDevice *device, GError **error)
{
  GST_OBJECT_LOCK (analyzer);
  gst_object_replace (
      (GstObject **) &gst_gles_analyzer_get_private (analyzer)->device, GST_OBJECT (device));
  GST_OBJECT_UNLOCK (analyzer);
  return open_queue (analyzer, device, error);
}

gboolean
gst_gles_analyzer_open_device (GstGlesAnalyzer *analyzer)
{
  GstElement *element = GST_ELEMENT (analyzer);
  GstGlesAnalyzerPrivate *priv = gst_gles_analyzer_get_private (analyzer);
  g_autofree gchar *spec = NULL;
  GstGlesDevice *device = NULL;
  g_autoptr (GError) error = NULL;
  gboolean ok;

  GST_OBJECT_LOCK (element);
  spec = g_strdup (priv->spec);
  gst_object_replace ((GstObject **) &device, (GstObject *) priv->device);
  GST_OBJECT_UNLOCK (element);

  ok = gst_gles_placement_ensure (element, spec, &device, &priv->is_placed, &error) &&
      gst_gles_analyzer_use_device (analyzer, device, &error);
  if (ok) {
    GST_INFO_OBJECT (element, "device: %s", gst_gles_device_get_description (device));
    if (GST_STATE (element) == GST_STATE_NULL)
      warn_if_software (element, device);
  } else {
    gst_gles_placement_leave (element);
    gst_gles_error_post (element, error);
  }
  gst_clear_object (&device);
  return ok;
}

void
gst_gles_analyzer_close_device (GstGlesAnalyzer *analyzer)
{
  GstGlesAnalyzerPrivate *priv = gst_gles_analyzer_get_private (analyzer);
  GstGlesDevice *device;

  gst_gles_analyzer_close_queue (analyzer);
  gst_gles_placement_leave (GST_ELEMENT (analyzer));
  GST_OBJECT_LOCK (analyzer);
  device = g_steal_pointer (&priv->device);
  GST_OBJECT_UNLOCK (analyzer);
  gst_clear_object (&device);
}

GstGlesDevice *
gst_gles_analyzer_find_owner (GstGlesAnalyzer *analyzer, GstBuffer *buffer)
{
  GstGlesAnalyzerPrivate *priv = gst_gles_analyzer_get_private (analyzer);
  g_autoptr (GstGlesDevice) device = NULL;

  if (!priv->is_placed || !gst_gles_frame_owner_update (&priv->owner, buffer) ||
      priv->owner.owner.kind == GST_GLES_OWNER_HOST)
    return NULL;
  device = gst_gles_placement_move (GST_ELEMENT (analyzer), &priv->owner.owner, NULL);
  if (device == NULL || device == priv->device)
    return NULL;
  GST_INFO_OBJECT (analyzer, "the frames are in memory of another GPU; device: %s",
      gst_gles_device_get_description (device));
  return g_steal_pointer (&device);
}
