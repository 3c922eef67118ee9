/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Takes the lines of events that glesjson writes, and makes notices of them. */
#include "analysis.h"
#include "clock.h"
#include "lines.h"
#include "run-private.h"

/* Returns the time of day of the frame of @line by a clock that is @offset_us ahead of this
 * machine's: (transfer full) (nullable). */
static gchar *
get_utc (WatchRun *self, JsonObject *line, gint64 offset_us)
{
  const gint64 running = json_object_get_int_member_with_default (line, "running_time", -1);
  gint64 lag_us;

  if (self->settings.replay || running < 0 ||
      !watch_run_get_lag (self, (GstClockTime) running, &lag_us))
    return NULL;
  return watch_line_format_utc (g_get_real_time () - lag_us + offset_us);
}

static void
set_time (WatchRun *self, JsonObject *line)
{
  WatchTally *tally = self->settings.tally;
  const gboolean sender = watch_clock_is_senders (tally, self->settings.config);
  const gint64 offset_us = watch_get (&tally->clock_offset_us);
  const gboolean has_utc = !json_object_get_null_member (line, "utc");
  const gchar *source = sender ? WATCH_CLOCK_SENDER : WATCH_CLOCK_ARRIVAL;
  g_autofree gchar *utc = NULL;

  /* some parsers drop the time of day of some frames; their lines get it by the camera's clock all
   * the same */
  if (!sender || !has_utc)
    utc = get_utc (self, line, sender ? offset_us : 0);
  if (utc == NULL)
    source = has_utc ? WATCH_CLOCK_SENDER : NULL;
  watch_line_set_clock (line, utc, source, offset_us);
}

static void
set_recording (WatchRun *self, JsonObject *line)
{
  const gint64 running = json_object_get_int_member_with_default (line, "running_time", -1);
  g_autoptr (WatchPlace) recording = NULL, pre_roll = NULL;

  if (self->recorder != NULL && running >= 0)
    recording = watch_recorder_find (self->recorder, (GstClockTime) running, &pre_roll);
  if (recording != NULL)
    watch_line_set_recording (line, recording, pre_roll);
}

/* Gives @notice (transfer full), whose line glesjson wrote as @text, to the outlet. After the cut
 * it is freed instead, because the cut has ended its event already. */
static void
hand_over (WatchRun *self, WatchNotice *notice, const gchar *text)
{
  g_mutex_lock (&self->lock);
  if (watch_run_is_cut (self)) {
    watch_notice_free (notice);
  } else {
    if (g_str_equal (notice->phase, "start"))
      g_hash_table_insert (self->open, g_strdup (notice->id), g_strdup (text));
    else if (g_str_equal (notice->phase, "end"))
      g_hash_table_remove (self->open, notice->id);
    if (!g_str_equal (notice->phase, "end"))
      watch_tally_count_event (self->settings.tally, notice->event);
    watch_outlet_add (self->settings.outlet, notice);
  }
  g_mutex_unlock (&self->lock);
}

/* Whether the event gets a picture: of zones those of a thing, not those of the zone as a whole,
 * which come with them. */
static gboolean
is_pictured (JsonObject *line, const gchar *phase)
{
  if (json_object_has_member (line, "zone") && !json_object_has_member (line, "track"))
    return FALSE;
  return g_str_equal (phase, "start") || g_str_equal (phase, "instant");
}

/* Makes the thing of @line, if that is about one of a zone, the box of @frame. */
static void
set_box (WatchRun *self, JsonObject *line, WatchFrame *frame)
{
  WatchTally *tally = self->settings.tally;
  JsonArray *box =
      json_object_has_member (line, "track") ? json_object_get_array_member (line, "box") : NULL;

  if (box == NULL)
    return;
  frame->x = (guint) json_array_get_int_element (box, 0);
  frame->y = (guint) json_array_get_int_element (box, 1);
  frame->width = (guint) json_array_get_int_element (box, 2);
  frame->height = (guint) json_array_get_int_element (box, 3);
  g_mutex_lock (&tally->lock);
  frame->of_width = tally->width;
  frame->of_height = tally->height;
  g_mutex_unlock (&tally->lock);
}

static void
take_line (WatchRun *self, const gchar *text)
{
  g_autoptr (JsonNode) node = json_from_string (text, NULL);
  JsonObject *line =
      node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_dup_object (node) : NULL;
  const gchar *event, *phase;
  WatchNotice *notice;

  /* this was another reference, and the outlet's thread will have the object */
  g_clear_pointer (&node, json_node_unref);
  if (line == NULL || !json_object_has_member (line, "event")) {
    g_clear_pointer (&line, json_object_unref);
    return;
  }
  event = json_object_get_string_member (line, "event");
  phase = json_object_get_string_member (line, "phase");
  notice =
      watch_notice_new (self->name, event, phase, json_object_get_string_member (line, "id"), line);
  set_time (self, line);
  set_recording (self, line);
  if (g_str_equal (event, "motion"))
    watch_run_follow_motion (self, phase, &notice->frame);
  else if (is_pictured (line, phase))
    watch_run_copy_frame (self, &notice->frame);
  set_box (self, line, &notice->frame);
  hand_over (self, notice, text);
}

GstFlowReturn
watch_run_on_line (GstAppSink *sink, gpointer user_data)
{
  g_autoptr (GstSample) sample = gst_app_sink_pull_sample (sink);
  GstBuffer *buffer = sample != NULL ? gst_sample_get_buffer (sample) : NULL;
  GstMapInfo map;

  if (buffer != NULL && gst_buffer_map (buffer, &map, GST_MAP_READ)) {
    g_autofree gchar *text = g_strndup ((const gchar *) map.data, map.size);

    gst_buffer_unmap (buffer, &map);
    take_line (user_data, g_strchomp (text));
  }
  return GST_FLOW_OK;
}

gboolean
watch_run_on_event (GstAppSink *sink, gpointer user_data)
{
  /* lines are pulled as soon as they come, so what is left is the event */
  GstMiniObject *event = gst_app_sink_try_pull_object (sink, 0);

  g_clear_pointer (&event, gst_mini_object_unref);
  return FALSE;
}

/* Returns a notice that ends, now, the event whose start has the line @text: (transfer full).
 * @running: the running time now, or NONE. When this returns, only the notice refers to members of
 * the line. */
static WatchNotice *
make_end (WatchRun *self, const gchar *id, const gchar *text, GstClockTime running)
{
  g_autoptr (JsonNode) node = json_from_string (text, NULL);
  JsonObject *start = json_node_get_object (node);
  const gint64 since = json_object_get_int_member_with_default (start, "running_time", -1);
  const GstClockTime duration = GST_CLOCK_TIME_IS_VALID (running) && since >= 0
      ? running - MIN (running, (guint64) since)
      : 0;

  JsonObject *end = watch_line_end (
      start, "stopped", (guint64) watch_get (&self->n_analysed), g_get_real_time (), duration);

  return watch_notice_new (
      self->name, json_object_get_string_member (end, "event"), "end", id, end);
}

void
watch_run_end_open (WatchRun *self)
{
  const GstClockTime running = self->pipeline != NULL
      ? gst_element_get_current_running_time (self->pipeline)
      : GST_CLOCK_TIME_NONE;
  GHashTableIter iter;
  gpointer id, start;

  g_hash_table_iter_init (&iter, self->open);
  while (g_hash_table_iter_next (&iter, &id, &start)) {
    WatchNotice *notice = make_end (self, id, start, running);

    if (g_str_equal (notice->event, "motion"))
      watch_run_take_best (self, &notice->frame);
    watch_outlet_add (self->settings.outlet, notice);
  }
  g_hash_table_remove_all (self->open);
}
