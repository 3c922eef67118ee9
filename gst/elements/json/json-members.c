/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "json-members.h"

void
json_member_uint (JsonWriter *writer, const gchar *key, guint64 value)
{
  json_writer_raw (writer, key);
  json_writer_uint (writer, value);
}

void
json_member_boolean (JsonWriter *writer, const gchar *key, gboolean value)
{
  json_writer_raw (writer, key);
  json_writer_raw (writer, value ? "true" : "false");
}

void
json_member_double (JsonWriter *writer, const gchar *key, gdouble value)
{
  json_writer_raw (writer, key);
  json_writer_double (writer, value);
}

void
json_member_time (JsonWriter *writer, const gchar *key, GstClockTime time)
{
  json_writer_raw (writer, key);
  if (GST_CLOCK_TIME_IS_VALID (time))
    json_writer_uint (writer, time);
  else
    json_writer_raw (writer, "null");
}

void
json_member_text (JsonWriter *writer, const gchar *key, const gchar *text)
{
  json_writer_raw (writer, key);
  if (text != NULL)
    json_writer_string (writer, text);
  else
    json_writer_raw (writer, "null");
}

/* [a,b,c,d] */
void
json_member_box (JsonWriter *writer, const gchar *key, const guint32 box[4])
{
  json_writer_raw (writer, key);
  json_writer_array (writer, box, 4);
}

void
json_member_element (JsonWriter *writer, const gchar *key, const GstGlesOrigin *origin)
{
  json_member_text (writer, key, origin != NULL ? origin->element : NULL);
}

/* The size of the picture that coordinates are in: elements such as videoscale may stand between
 * two analysers. */
void
json_member_picture (JsonWriter *writer, const gchar *key, const GstGlesFrameInfo *frame)
{
  json_writer_raw (writer, key);
  json_writer_array (writer, (guint32[]){ frame->width, frame->height }, 2);
}

/* Type, id and place of a box, without the end of the object. */
void
json_upstream_box (JsonWriter *writer, const GstGlesBox *box)
{
  json_member_text (writer, "{\"type\":", box->type);
  json_writer_raw (writer, box->id < 0 ? ",\"id\":-" : ",\"id\":");
  json_writer_uint (writer, (guint64) ABS ((gint64) box->id));
  json_member_box (writer, ",\"box\":", (guint32[]){ box->x, box->y, box->width, box->height });
}
