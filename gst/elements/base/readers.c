/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "readers.h"

#define QUESTION "GstGlesReaders"

ResultsParts
readers_ask (GstPad *src, GstGlesDevice *device)
{
  GstQuery *query = gst_query_new_custom (
      GST_QUERY_CUSTOM, gst_structure_new (QUESTION, "device", GST_TYPE_GLES_DEVICE, device, NULL));
  guint parts = 0;

  /* what is returned tells nothing: the answer is in the query */
  gst_pad_peer_query (src, query);
  gst_structure_get_uint (gst_query_get_structure (query), "parts", &parts);
  gst_query_unref (query);
  return (ResultsParts) parts;
}

gboolean
readers_is_question (GstQuery *query, GstGlesDevice **device)
{
  const GstStructure *structure = gst_query_get_structure (query);

  if (GST_QUERY_TYPE (query) != GST_QUERY_CUSTOM || !gst_structure_has_name (structure, QUESTION))
    return FALSE;
  if (device != NULL)
    *device = g_value_get_object (gst_structure_get_value (structure, "device"));
  return TRUE;
}

void
readers_answer (GstQuery *query, ResultsParts parts)
{
  guint before = 0;

  if (parts == 0 || !readers_is_question (query, NULL))
    return;
  gst_structure_get_uint (gst_query_get_structure (query), "parts", &before);
  gst_structure_set (gst_query_writable_structure (query), "parts", G_TYPE_UINT,
      before | (guint) (parts & RESULTS_ALL), NULL);
}
