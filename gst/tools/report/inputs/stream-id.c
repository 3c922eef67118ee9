/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Ids of streams are made from the URI of the file, and so depend on where it is. Demuxers that
 * pull ask for the URI; others get the id of the source. */
#include "stream-id.h"

static GstPadProbeReturn
on_query (GstPad *pad, GstPadProbeInfo *info, gpointer name)
{
  GstQuery *query = GST_PAD_PROBE_INFO_QUERY (info);
  g_autofree gchar *uri = NULL;

  if (GST_QUERY_TYPE (query) != GST_QUERY_URI)
    return GST_PAD_PROBE_OK;
  uri = g_strconcat ("file:///", name, NULL);
  gst_query_set_uri (query, uri);
  return GST_PAD_PROBE_HANDLED;
}

static GstPadProbeReturn
on_event (GstPad *pad, GstPadProbeInfo *info, gpointer name)
{
  GstEvent *event = GST_PAD_PROBE_INFO_EVENT (info);
  g_autofree gchar *id = NULL;
  GstEvent *named;

  if (GST_EVENT_TYPE (event) != GST_EVENT_STREAM_START)
    return GST_PAD_PROBE_OK;
  id = g_compute_checksum_for_string (G_CHECKSUM_SHA256, name, -1);
  named = gst_event_new_stream_start (id);
  gst_event_set_seqnum (named, gst_event_get_seqnum (event));
  gst_event_unref (event);
  GST_PAD_PROBE_INFO_DATA (info) = named;
  return GST_PAD_PROBE_OK;
}

void
report_name_streams (GstElement *source, const gchar *name)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (source, "src");

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_QUERY_UPSTREAM, on_query, g_strdup (name), g_free);
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, on_event, g_strdup (name), g_free);
}
