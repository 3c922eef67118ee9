/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The events of the analysis of a run. */
#include "analysis.h"
#include "lines.h"
#include "run-private.h"

/* Returns the time of day of a frame by the clock that it came with: (transfer full), or NULL. */
static gchar *
get_arrival (WatchRun *self, JsonObject *line)
{
  const gint64 running = json_object_has_member (line, "running_time")
      ? json_object_get_int_member_with_default (line, "running_time", -1)
      : -1;
  const GstClockTime now = gst_element_get_current_running_time (self->pipeline);

  if (self->settings.replay || running < 0 || !GST_CLOCK_TIME_IS_VALID (now))
    return NULL;
  return watch_line_format_utc (g_get_real_time () - ((gint64) now - running) / 1000);
}

/* @notice: (transfer full); @line: the same. What is told after the cut would come after the end of
 * its event. */
static void
hand_over (WatchRun *self, WatchNotice *notice, JsonObject *line)
{
  g_mutex_lock (&self->lock);
  if (watch_run_is_cut (self)) {
    watch_notice_free (notice);
  } else {
    if (g_str_equal (notice->phase, "start"))
      g_hash_table_insert (self->open, g_strdup (notice->id), json_object_ref (line));
    else if (g_str_equal (notice->phase, "end"))
      g_hash_table_remove (self->open, notice->id);
    if (!g_str_equal (notice->phase, "end"))
      watch_tally_count_event (self->settings.tally, notice->event);
    watch_outlet_add (self->settings.outlet, notice);
  }
  g_mutex_unlock (&self->lock);
}

static void
take_line (WatchRun *self, const gchar *text)
{
  g_autoptr (JsonNode) node = json_from_string (text, NULL);
  JsonObject *line =
      node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  const gchar *event, *phase, *id;
  WatchNotice *notice;
  gboolean begins;

  if (line == NULL || !json_object_has_member (line, "event"))
    return;
  event = json_object_get_string_member (line, "event");
  phase = json_object_get_string_member (line, "phase");
  id = json_object_get_string_member (line, "id");
  begins = g_str_equal (phase, "start") || g_str_equal (phase, "instant");
  notice = watch_notice_new (self->name, event, phase, id, g_strdup (text));
  if (json_object_get_null_member (line, "utc")) {
    notice->utc = get_arrival (self, line);
    notice->utc_source = notice->utc != NULL ? "arrival" : NULL;
  } else {
    notice->utc_source = "sender";
    g_mutex_lock (&self->settings.tally->lock);
    self->settings.tally->sender_clock = TRUE;
    g_mutex_unlock (&self->settings.tally->lock);
  }
  if (g_str_equal (event, "motion"))
    watch_run_follow_motion (self, phase, &notice->frame);
  else if (begins)
    watch_run_copy_frame (self, &notice->frame);
  hand_over (self, notice, line);
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
  /* lines are taken at once, so this is the event */
  GstMiniObject *event = gst_app_sink_try_pull_object (sink, 0);

  g_clear_pointer (&event, gst_mini_object_unref);
  return FALSE;
}

void
watch_run_end_open (WatchRun *self)
{
  const GstClockTime running = self->pipeline != NULL
      ? gst_element_get_current_running_time (self->pipeline)
      : GST_CLOCK_TIME_NONE;
  const gint64 now = g_get_real_time ();
  GHashTableIter iter;
  gpointer id, start;

  g_hash_table_iter_init (&iter, self->open);
  while (g_hash_table_iter_next (&iter, &id, &start)) {
    const gint64 since = json_object_get_int_member_with_default (start, "running_time", -1);
    const GstClockTime duration = GST_CLOCK_TIME_IS_VALID (running) && since >= 0
        ? running - MIN (running, (guint64) since)
        : 0;
    WatchNotice *notice = watch_notice_new (self->name,
        json_object_get_string_member (start, "event"), "end", id,
        watch_line_end (start, "stopped", (guint64) watch_get (&self->n_analysed), now, duration));

    notice->utc_source = "arrival";
    if (g_str_equal (notice->event, "motion"))
      watch_run_take_best (self, &notice->frame);
    watch_outlet_add (self->settings.outlet, notice);
  }
  g_hash_table_remove_all (self->open);
}
