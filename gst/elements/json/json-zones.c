/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "json-zones.h"

#include "json-members.h"

static void
write_members (JsonWriter *writer, GstGlesZonesResult *result, guint index)
{
  guint n;
  const GstGlesZoneMember *members = gst_gles_zones_result_get_members (result, index, &n);

  json_writer_raw (writer, ",\"members\":[");
  for (guint i = 0; i < n; i++) {
    json_member_uint (writer, i > 0 ? ",{\"track\":" : "{\"track\":", members[i].track);
    json_member_text (
        writer, ",\"label\":", gst_gles_zones_result_get_label (result, members[i].label));
    json_member_uint (writer, ",\"inside\":", members[i].inside);
    json_writer_raw (writer, "}");
  }
  json_writer_raw (writer, "]");
}

/* Writes the items of @kind, which have members if they are areas. */
static void
write_kind (JsonWriter *writer, GstGlesZonesResult *result, GstGlesZoneKind kind)
{
  const guint n = gst_gles_zones_result_get_count (result);
  gboolean is_first = TRUE;

  for (guint i = 0; i < n; i++) {
    const GstGlesZone *zone = gst_gles_zones_result_get_zone (result, i, NULL);

    if (zone->kind != kind)
      continue;
    json_member_text (writer,
        is_first ? "{\"name\":" : ",{\"name\":", gst_gles_zones_result_get_name (result, i));
    is_first = FALSE;
    json_member_uint (writer, ",\"in\":", zone->n_in);
    json_member_uint (writer, ",\"out\":", zone->n_out);
    if (kind == GST_GLES_ZONE_AREA) {
      json_member_boolean (writer, ",\"occupied\":", zone->occupied != 0);
      write_members (writer, result, i);
    }
    json_writer_raw (writer, "}");
  }
}

void
json_zones_write (JsonWriter *writer, GstGlesZonesResult *result)
{
  const GstGlesFrameInfo *frame = gst_gles_zones_result_get_frame (result);

  json_member_element (writer, ",\"zones_element\":", frame->origin);
  json_member_picture (writer, ",\"zones_picture\":", frame);
  json_writer_raw (writer, ",\"zones\":[");
  write_kind (writer, result, GST_GLES_ZONE_AREA);
  json_writer_raw (writer, "],\"lines\":[");
  write_kind (writer, result, GST_GLES_ZONE_LINE);
  json_writer_raw (writer, "]");
}

static void
write_subject (JsonWriter *writer, const GstStructure *event, guint64 track)
{
  guint box[4] = { 0 };
  gdouble speed = 0, heading = 0;

  json_member_uint (writer, ",\"track\":", track);
  json_member_text (writer, ",\"label\":", gst_structure_get_string (event, "label"));
  gst_structure_get (event, "box-x", G_TYPE_UINT, &box[0], "box-y", G_TYPE_UINT, &box[1],
      "box-width", G_TYPE_UINT, &box[2], "box-height", G_TYPE_UINT, &box[3], "speed", G_TYPE_DOUBLE,
      &speed, "heading", G_TYPE_DOUBLE, &heading, NULL);
  json_member_box (writer, ",\"box\":", box);
  json_member_double (writer, ",\"speed\":", speed);
  json_member_double (writer, ",\"heading\":", heading);
}

void
json_zones_write_event (JsonWriter *writer, const GstStructure *event)
{
  const gchar *zone = gst_structure_get_string (event, "zone");
  const gchar *line = gst_structure_get_string (event, "line");
  guint64 n_in = 0, n_out = 0, track;
  guint members = 0;

  if (zone == NULL && line == NULL)
    return;
  json_member_text (writer, zone != NULL ? ",\"zone\":" : ",\"line\":", zone != NULL ? zone : line);
  if (line != NULL)
    json_member_text (writer, ",\"direction\":", gst_structure_get_string (event, "direction"));
  if (zone != NULL && gst_structure_get_uint (event, "members", &members))
    json_member_uint (writer, ",\"members\":", members);
  gst_structure_get (event, "n-in", G_TYPE_UINT64, &n_in, "n-out", G_TYPE_UINT64, &n_out, NULL);
  json_member_uint (writer, ",\"n_in\":", n_in);
  json_member_uint (writer, ",\"n_out\":", n_out);
  if (gst_structure_get_uint64 (event, "track", &track))
    write_subject (writer, event, track);
}
