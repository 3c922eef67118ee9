/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "lines.h"

#include <string.h>

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

gchar *
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
  return json_to_string (node, FALSE);
}

gchar *
watch_line_end (
    JsonObject *start, const gchar *cause, guint64 frame, gint64 utc_us, guint64 duration_ns)
{
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_OBJECT);
  g_autoptr (JsonObject) line = json_object_new ();
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
  json_object_set_string_member (line, "phase", "end");
  json_object_set_int_member (line, "frame", (gint64) frame);
  json_object_set_string_member (line, "utc", utc);
  json_node_set_object (node, line);
  return json_to_string (node, FALSE);
}

/* Sets the time of day in @text, a line without its last brace. Tags stand before it, and no text
 * of a user behind it. */
static void
set_utc (GString *text, const gchar *utc)
{
  static const gchar name[] = "\"utc\":";
  const gchar *found = g_strrstr (text->str, name);
  gssize place;

  if (found == NULL)
    return;
  place = found - text->str + (gssize) strlen (name);
  g_string_erase (text, place, (gssize) strcspn (text->str + place, ","));
  g_string_insert (text, place, "\"\"");
  g_string_insert (text, place + 1, utc);
}

/* Returns @value as JSON has it: (transfer full). */
static gchar *
quote (const gchar *value)
{
  g_autoptr (JsonNode) node = json_node_init_string (json_node_alloc (), value);

  return json_to_string (node, FALSE);
}

static void
append_text (GString *text, const gchar *name, const gchar *value)
{
  g_autofree gchar *quoted = quote (value);

  g_string_append_printf (text, ",\"%s\":%s", name, quoted);
}

static void
append_picture (GString *text, const WatchPicture *picture)
{
  const WatchFrame *frame = &picture->frame;

  if (picture->path != NULL)
    append_text (text, "picture", picture->path);
  g_string_append_printf (text, ",\"picture_frame\":%" G_GUINT64_FORMAT, frame->number);
  if (frame->width > 0)
    g_string_append_printf (
        text, ",\"picture_box\":[%u,%u,%u,%u]", frame->x, frame->y, frame->width, frame->height);
}

/* Appends the members of @place, without an end of the object. */
static void
append_place (GString *text, const gchar *name, const WatchPlace *place)
{
  g_autofree gchar *quoted = quote (place->file);
  gchar number[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (text, ",\"%s\":{\"file\":%s,\"offset\":%s", name, quoted,
      g_ascii_formatd (number, sizeof number, "%.3f", (gdouble) place->offset / GST_SECOND));
}

gchar *
watch_line_complete (const gchar *line, const WatchLineMore *more)
{
  const gchar *end = strrchr (line, '}');
  g_autoptr (GString) text = NULL;
  gchar number[G_ASCII_DTOSTR_BUF_SIZE];

  if (end == NULL)
    return g_strdup (line);
  text = g_string_new_len (line, end - line);
  if (more->utc != NULL)
    set_utc (text, more->utc);
  if (more->source != NULL)
    append_text (text, "utc_source", more->source);
  if (more->clock_offset_us != 0)
    g_string_append_printf (text, ",\"clock_offset\":%s",
        g_ascii_formatd (
            number, sizeof number, "%.3f", (gdouble) more->clock_offset_us / G_USEC_PER_SEC));
  if (more->recording != NULL) {
    append_place (text, "recording", more->recording);
    if (more->pre_roll != NULL) {
      append_place (text, "pre_roll", more->pre_roll);
      g_string_append_c (text, '}');
    }
    g_string_append_c (text, '}');
  }
  if (more->picture != NULL)
    append_picture (text, more->picture);
  g_string_append_c (text, '}');
  return g_string_free (g_steal_pointer (&text), FALSE);
}
