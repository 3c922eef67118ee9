/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "json-flash.h"

#include "json-members.h"

/* What a structure lacks is 0. */
static void
write_double (JsonWriter *writer, const gchar *key, const GstStructure *from, const gchar *field)
{
  gdouble value = 0.0;

  gst_structure_get_double (from, field, &value);
  json_member_double (writer, key, value);
}

static void
write_uint (JsonWriter *writer, const gchar *key, const GstStructure *from, const gchar *field)
{
  guint value = 0;

  gst_structure_get_uint (from, field, &value);
  json_member_uint (writer, key, value);
}

void
json_flash_write (JsonWriter *writer, const GstStructure *flash)
{
  write_double (writer, ",\"flash\":{\"luminance\":", flash, "luminance");
  write_double (writer, ",\"area\":", flash, "area");
  write_uint (writer, ",\"transitions\":", flash, "transitions");
  write_uint (writer, ",\"extended_frames\":", flash, "extended-frames");
  json_member_text (writer, ",\"verdict\":", gst_structure_get_string (flash, "verdict"));
  write_double (writer, ",\"red\":", flash, "red");
  write_double (writer, ",\"red_area\":", flash, "red-area");
  write_uint (writer, ",\"red_transitions\":", flash, "red-transitions");
  write_uint (writer, ",\"red_extended_frames\":", flash, "red-extended-frames");
  json_member_text (writer, ",\"red_verdict\":", gst_structure_get_string (flash, "red-verdict"));
  json_writer_raw (writer, "}");
}

void
json_flash_write_event (JsonWriter *writer, const GstStructure *event)
{
  gboolean extended = FALSE;

  if (!gst_structure_has_field (event, "flash"))
    return;
  gst_structure_get_boolean (event, "extended", &extended);
  json_member_text (writer, ",\"flash\":", gst_structure_get_string (event, "flash"));
  json_member_boolean (writer, ",\"extended\":", extended);
  write_uint (writer, ",\"transitions\":", event, "transitions");
  write_double (writer, ",\"area\":", event, "area");
}
