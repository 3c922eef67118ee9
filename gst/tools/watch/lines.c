/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "lines.h"

#include "../../json/check.h"
#include "../../json/node.h"
#include "clock.h"

#include <math.h>

gchar *
watch_line_format_utc (gint64 time_us)
{
  g_autoptr (GDateTime) second = g_date_time_new_from_unix_utc (time_us / G_USEC_PER_SEC);
  g_autofree gchar *text =
      second != NULL ? g_date_time_format (second, "%Y-%m-%dT%H:%M:%S") : g_strdup ("0");

  return g_strdup_printf ("%s.%06d000Z", text, (gint) (time_us % G_USEC_PER_SEC));
}

/* ---- lines ---- */

static void
add_text (JsonBuilder *builder, const gchar *name, const gchar *value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, value);
}

static void
add_number (JsonBuilder *builder, const gchar *name, gint64 value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_int_value (builder, value);
}

static void
add_null (JsonBuilder *builder, const gchar *name)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_null_value (builder);
}

/* Adds what all lines of the program begin with. */
static void
begin (JsonBuilder *builder, const WatchLine *about)
{
  g_autofree gchar *utc = watch_line_format_utc (about->utc_us);

  json_builder_begin_object (builder);
  add_number (builder, "version", 1);
  json_builder_set_member_name (builder, "tags");
  json_builder_add_value (builder, json_from_string (about->tags, NULL));
  add_text (builder, "event", about->event);
  add_text (builder, "phase", about->phase);
  add_text (builder, "id", about->id);
  add_text (builder, "element", WATCH_ELEMENT);
  add_null (builder, "stream_id");
  add_number (builder, "frame", (gint64) about->frame);
  add_null (builder, "pts");
  add_null (builder, "running_time");
  add_null (builder, "stream_time");
  add_text (builder, "utc", utc);
}

JsonObject *
watch_line_new (const WatchLine *about)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) node = NULL;

  begin (builder, about);
  if (about->duration_us >= 0) {
    add_number (builder, "start_frame", (gint64) about->start_frame);
    add_null (builder, "start");
    add_number (builder, "duration", about->duration_us * 1000);
    add_text (builder, "cause", about->cause);
  }
  add_number (builder, "score", 0);
  add_text (builder, "outage", about->outage);
  add_text (builder, "text", about->text);
  add_text (builder, "utc_source", "arrival");
  json_builder_end_object (builder);
  node = json_builder_get_root (builder);
  return json_node_dup_object (node);
}

/* Returns the name of the end of an event: those of zones have other names than their starts. */
static const gchar *
get_end (const gchar *start)
{
  if (g_strcmp0 (start, "enter") == 0)
    return "leave";
  return g_strcmp0 (start, "occupied") == 0 ? "empty" : start;
}

JsonObject *
watch_line_end (
    JsonObject *start, const gchar *cause, guint64 frame, gint64 utc_us, guint64 duration_ns)
{
  JsonObject *line = json_object_new ();
  g_autofree gchar *utc = watch_line_format_utc (utc_us);
  static const gchar *const times[] = { "pts", "running_time", "stream_time", NULL };
  static const gchar *const completed[] = { "utc_source", "clock_offset", "recording", "picture",
    "picture_frame", "picture_box", NULL };
  JsonObjectIter iter;
  const gchar *name;
  JsonNode *value;

  json_object_iter_init_ordered (&iter, start);
  while (json_object_iter_next_ordered (&iter, &name, &value)) {
    const gboolean is_time = g_strv_contains (times, name) && JSON_NODE_HOLDS_VALUE (value);

    if (g_str_equal (name, "score")) {
      json_object_set_member (line, "start_frame", json_object_dup_member (start, "frame"));
      json_object_set_member (line, "start", json_object_dup_member (start, "pts"));
      json_object_set_int_member (line, "duration", (gint64) duration_ns);
      json_object_set_string_member (line, "cause", cause);
    }
    if (g_strv_contains (completed, name))
      continue;
    if (is_time)
      json_object_set_int_member (line, name, json_node_get_int (value) + (gint64) duration_ns);
    else
      json_object_set_member (line, name, json_node_copy (value));
  }
  json_object_set_string_member (
      line, "event", get_end (json_object_get_string_member_with_default (start, "event", "")));
  json_object_set_string_member (line, "phase", "end");
  json_object_set_int_member (line, "frame", (gint64) frame);
  json_object_set_string_member (line, "utc", utc);
  json_object_set_string_member (line, "utc_source", WATCH_CLOCK_ARRIVAL);
  return line;
}

/* ---- members that are known later ---- */

/* Returns seconds, of which lines have milliseconds. Never -0, which does not survive a parser. */
static gdouble
make_seconds (gdouble ns)
{
  return round (ns / GST_MSECOND) / 1000 + 0.0;
}

void
watch_line_set_clock (JsonObject *line, const gchar *utc, const gchar *source, gint64 offset_us)
{
  if (utc != NULL)
    json_object_set_string_member (line, "utc", utc);
  if (source != NULL)
    json_object_set_string_member (line, "utc_source", source);
  if (offset_us != 0)
    json_object_set_double_member (line, "clock_offset", make_seconds ((gdouble) offset_us * 1000));
}

static JsonObject *
make_place (const WatchPlace *place)
{
  JsonObject *object = json_object_new ();

  json_object_set_string_member (object, "file", place->file);
  json_object_set_double_member (object, "offset", make_seconds ((gdouble) place->offset));
  return object;
}

void
watch_line_set_recording (JsonObject *line, const WatchPlace *recording, const WatchPlace *pre_roll)
{
  JsonObject *object = make_place (recording);

  if (pre_roll != NULL)
    json_object_set_object_member (object, "pre_roll", make_place (pre_roll));
  json_object_set_object_member (line, "recording", object);
}

void
watch_line_set_picture (JsonObject *line, const WatchPicture *picture)
{
  const WatchFrame *frame = &picture->frame;
  const guint box[] = { frame->x, frame->y, frame->width, frame->height };
  JsonArray *array;

  if (picture->path != NULL)
    json_object_set_string_member (line, "picture", picture->path);
  json_object_set_int_member (line, "picture_frame", (gint64) frame->number);
  if (frame->width == 0)
    return;
  array = json_array_new ();
  for (guint i = 0; i < G_N_ELEMENTS (box); i++)
    json_array_add_int_element (array, box[i]);
  json_object_set_array_member (line, "picture_box", array);
}

/* ---- text ---- */

gchar *
watch_line_write (JsonObject *line)
{
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), line);
  g_autoptr (GError) error = NULL;
  gchar *text = json_write_node (node, JSON_TEXT_LINE_DEPTH, &error);

  if (text == NULL)
    g_warning ("the line of an event is lost: it %s", error->message);
  return text;
}
