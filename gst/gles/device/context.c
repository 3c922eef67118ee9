/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sharing one device between the elements of a pipeline through GstContext. */
#include "config.h"

#include <gst/gles/core/log.h>
#include <gst/gles/device/device-share.h>

#define GST_CAT_DEFAULT GST_GLES_CAT

/* Fields of the context's structure. */
#define FIELD_DEVICE "device"
#define FIELD_ID "id"

static GstContext *
context_with_device (GstGlesDevice *device)
{
  GstContext *context = gst_context_new (GST_GLES_DEVICE_CONTEXT_TYPE, TRUE);
  GstStructure *structure = gst_context_writable_structure (context);

  gst_structure_set (structure, FIELD_DEVICE, GST_TYPE_GLES_DEVICE, device, FIELD_ID, G_TYPE_STRING,
      gst_gles_device_get_id (device), NULL);
  return context;
}

gboolean
gst_gles_device_handle_set_context (GstContext *context, const gchar *spec, GstGlesDevice **device)
{
  GstGlesDevice *offered = NULL;
  const GstStructure *structure;

  g_return_val_if_fail (device != NULL, FALSE);
  if (context == NULL || !gst_context_has_context_type (context, GST_GLES_DEVICE_CONTEXT_TYPE))
    return FALSE;
  if (*device != NULL && !gst_gles_device_is_lost (*device))
    return FALSE;

  structure = gst_context_get_structure (context);
  if (!gst_structure_get (structure, FIELD_DEVICE, GST_TYPE_GLES_DEVICE, &offered, NULL) ||
      offered == NULL)
    return FALSE;
  if (!gst_gles_device_matches (offered, spec)) {
    GST_DEBUG ("a context offers %s%s, which is not what device=%s asks for",
        gst_gles_device_get_id (offered), gst_gles_device_is_lost (offered) ? " (lost)" : "",
        spec != NULL ? spec : "auto");
    gst_object_unref (offered);
    return FALSE;
  }
  gst_clear_object (device);
  *device = offered;
  return TRUE;
}

gboolean
gst_gles_device_handle_context_query (GstElement *element, GstQuery *query, GstGlesDevice *device)
{
  g_autoptr (GstContext) context = NULL;
  const gchar *type;

  g_return_val_if_fail (GST_QUERY_TYPE (query) == GST_QUERY_CONTEXT, FALSE);
  if (!gst_query_parse_context_type (query, &type) ||
      g_strcmp0 (type, GST_GLES_DEVICE_CONTEXT_TYPE) != 0)
    return FALSE;
  if (device == NULL || gst_gles_device_is_lost (device))
    return FALSE;
  context = context_with_device (device);
  gst_query_set_context (query, context);
  return TRUE;
}

static gboolean
query_peer (GstElement *element, GstPad *pad, gpointer user_data)
{
  GstQuery *query = user_data;

  /* FALSE stops the iteration: a neighbour has answered. */
  return !gst_pad_peer_query (pad, query);
}

/* Returns the answer of a neighbour: (transfer full) (nullable). */
static GstContext *
query_neighbours (GstElement *element)
{
  GstQuery *query = gst_query_new_context (GST_GLES_DEVICE_CONTEXT_TYPE);
  GstContext *context = NULL;

  if (gst_element_foreach_src_pad (element, query_peer, query))
    gst_element_foreach_sink_pad (element, query_peer, query);
  gst_query_parse_context (query, &context);
  if (context != NULL)
    gst_context_ref (context);
  gst_query_unref (query);
  return context;
}

/* Takes the device from the context that @element has now. The element's set_context() cannot do
 * this when *device is a local variable of the caller. */
static gboolean
take_from_context (GstElement *element, const gchar *spec, GstGlesDevice **device)
{
  g_autoptr (GstContext) context = gst_element_get_context (element, GST_GLES_DEVICE_CONTEXT_TYPE);

  return *device != NULL || gst_gles_device_handle_set_context (context, spec, device);
}

gboolean
gst_gles_device_find (
    GstElement *element, const gchar *spec, gboolean remember, GstGlesDevice **device)
{
  g_autoptr (GstContext) context = NULL;

  if (*device != NULL && gst_gles_device_matches (*device, spec))
    return TRUE;
  gst_clear_object (device);

  /* The element or its bin may have been given a context earlier. */
  if (take_from_context (element, spec, device))
    return TRUE;
  context = query_neighbours (element);
  if (context != NULL && remember)
    gst_element_set_context (element, context);
  if (take_from_context (element, spec, device) ||
      gst_gles_device_handle_set_context (context, spec, device))
    return TRUE;
  gst_element_post_message (
      element, gst_message_new_need_context (GST_OBJECT (element), GST_GLES_DEVICE_CONTEXT_TYPE));
  return take_from_context (element, spec, device);
}

gboolean
gst_gles_device_ensure (
    GstElement *element, const gchar *spec, GstGlesDevice **device, GError **error)
{
  g_autoptr (GstContext) context = NULL;
  GstGlesDevice *opened;

  g_return_val_if_fail (GST_IS_ELEMENT (element), FALSE);
  g_return_val_if_fail (device != NULL, FALSE);

  if (gst_gles_device_find (element, spec, TRUE, device))
    return TRUE;
  opened = gst_gles_device_new (spec, error);
  if (opened == NULL)
    return FALSE;
  gst_object_replace ((GstObject **) device, GST_OBJECT (opened));
  gst_object_unref (opened);

  context = context_with_device (*device);
  gst_element_set_context (element, context);
  gst_element_post_message (
      element, gst_message_new_have_context (GST_OBJECT (element), gst_context_ref (context)));
  return TRUE;
}
