/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The pipeline that decodes and analyses a video. Only the first video stream of a file is decoded;
 * damage of other streams does not matter for its pictures. */
#include "analysis.h"
#include "../files/streams.h"
#include "beginning.h"
#include "damage.h"
#include "elements.h"
#include "format.h"
#include "key-frames.h"
#include "pictures.h"
#include "place.h"
#include "range.h"
#include "replay.h"
#include "stream-id.h"
#include "video-choice.h"

#include <string.h>

#include <gio/gio.h>

#define SLICES 4 /* how many times a second it is checked whether data still flows */

typedef struct {
  ReportFailure *failure;
  ReportDamage *damage; /* (nullable) */
  GstElement *pipeline, *convert;
  ReportRange *range;   /* (nullable) */
  ReportReplay *replay; /* (nullable) */
  ReportKeys *keys;     /* (nullable): NULL in a replay */
  gboolean replayable, part;
  gchar *place; /* (nullable): the device that was told */
  gint n_moves; /* atomic: how many buffers passed any probe, which tells whether data flows */

  GMutex lock; /* of what follows: */
  Report *report;
  ReportPictures *pictures; /* (nullable): NULL without pictures and in a replay */
  /* the last frame is within the range, so that the lines that follow it are added */
  gboolean taken;
  /* an error ended the analysis, and nothing more is added to the report */
  gboolean stopped;
  GError *error; /* a result could not be read */
  GstClockTime position;
  /* of the last frame, for its line; both nullable: */
  gchar *packed;
  const gchar *stored_format;
  guint64 read;        /* up to this offset the file has been read */
  guint width, height; /* of the first frame as stored */
  const gchar *format, *first_stored_format;
  GstVideoOrientationMethod orientation;
  /* the orientation is that of the stream, which counts more than that of the file */
  gboolean of_stream;
} Analysis;

/* ---- pictures ---- */

/* Adds the picture for the strip that the replayed line of @buffer has, if it has one and one is
 * due. */
static void
replay_picture (Analysis *analysis, GstBuffer *buffer, GstClockTime time)
{
  const ReportPicture *picture = report_replay_get_picture (buffer);

  if (picture != NULL && picture->sideways)
    analysis->orientation = GST_VIDEO_ORIENTATION_90R;
  if (picture != NULL && picture->of_strip && report_wants_picture (analysis->report, time))
    report_add_picture (analysis->report, time, picture->jpeg);
}

static void
add_pictures (Analysis *analysis, GstPad *pad, GstBuffer *buffer, GstClockTime time)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);
  g_autoptr (GBytes) jpeg = NULL;

  report_pictures_add_frame (analysis->pictures, buffer, caps, analysis->orientation, time);
  if (!report_damage_wants_picture (analysis->damage, time))
    return;
  jpeg = report_pictures_make (analysis->pictures, time);
  if (jpeg != NULL)
    report_damage_add_picture (
        analysis->damage, time, jpeg, report_pictures_pack (analysis->pictures, jpeg, time, FALSE));
}

/* Adds pictures to events that began at @time, which may be some seconds before the newest frame.
 */
static void
add_event_picture (Analysis *analysis, GstClockTime time)
{
  if (analysis->replay != NULL)
    report_add_event_picture (
        analysis->report, report_replay_find_picture (analysis->replay, time));
  else if (analysis->pictures != NULL)
    report_pictures_add_event (analysis->pictures, time);
}

/* ---- frames ---- */

static void
add_events (Analysis *analysis, const GstStructure *structure)
{
  const GValue *list = gst_structure_get_value (structure, "events");

  for (guint i = 0; list != NULL && i < gst_value_list_get_size (list); i++) {
    const GstStructure *event = gst_value_get_structure (gst_value_list_get_value (list, i));
    g_autoptr (JsonObject) line = report_describe_event (event);
    const gchar *phase = gst_structure_get_string (event, "phase");
    GstClockTime time;

    if (!gst_structure_get_clock_time (event, "stream-time", &time) ||
        !GST_CLOCK_TIME_IS_VALID (time))
      continue;
    /* events of a part are those of whole files, when all parts are there */
    if (!analysis->part)
      report_add_event (analysis->report, line, time);
    if (g_strcmp0 (phase, "start") == 0 || g_strcmp0 (phase, "instant") == 0)
      add_event_picture (analysis, time);
  }
}

/* Takes the orientation from tags: phones store pictures as the sensor saw them, and say in a tag
 * how to turn them. */
static void
take_orientation (Analysis *analysis, GstEvent *event)
{
  GstVideoOrientationMethod orientation;
  gboolean of_stream;
  GstTagList *tags;

  gst_event_parse_tag (event, &tags);
  of_stream = gst_tag_list_get_scope (tags) == GST_TAG_SCOPE_STREAM;
  if ((analysis->of_stream && !of_stream) || !gst_video_orientation_from_tag (tags, &orientation))
    return;
  analysis->orientation = orientation;
  analysis->of_stream = of_stream;
}

static void
add_results (Analysis *analysis, const ReportResults *results)
{
  if (report_get_n_frames (analysis->report) == 0) {
    analysis->width = results->width;
    analysis->height = results->height;
    analysis->format = results->format;
    analysis->first_stored_format = results->stored_format;
  }
  report_add_results (analysis->report, results);
  analysis->stored_format = results->stored_format;
  analysis->position = results->time;
}

/* With the lock. Ends the analysis. @error: (transfer full) (nullable). */
static void
take_failure (Analysis *analysis, GError *error)
{
  if (error == NULL)
    report_check (analysis->report, &error);
  if (error != NULL && !analysis->stopped) {
    analysis->error = g_steal_pointer (&error);
    analysis->stopped = TRUE;
  }
  g_clear_error (&error);
}

/* Fills in what is known of a frame without its results. */
static void
complete_results (Analysis *analysis, ReportResults *results)
{
  results->key = report_keys_take (analysis->keys, results->time);
  results->stored_format = report_get_stored_format (analysis->pipeline);
}

static void
on_buffer (Analysis *analysis, GstPad *pad, GstBuffer *buffer)
{
  g_autoptr (GPtrArray) held = NULL;
  g_autofree gchar *packed = NULL;
  ReportResults results;
  GError *error = NULL;
  GstCustomMeta *meta = NULL;

  /* waits for the device, so without the lock */
  held = report_read_results (buffer, &results, &error);
  if (held != NULL && analysis->replay != NULL)
    report_replay_get_extra (buffer, &results);
  else if (held != NULL)
    complete_results (analysis, &results);
  if (held != NULL && analysis->replayable)
    packed = report_pack (buffer, &results);
  if (gst_meta_get_info ("glesevents") != NULL)
    meta = gst_buffer_get_custom_meta (buffer, "glesevents");
  g_mutex_lock (&analysis->lock);
  take_failure (analysis, error);
  analysis->taken = !analysis->stopped;
  if (!analysis->stopped && held != NULL) {
    add_results (analysis, &results);
    g_free (analysis->packed);
    analysis->packed = g_steal_pointer (&packed);
    if (analysis->replay != NULL)
      replay_picture (analysis, buffer, analysis->position);
    else if (analysis->pictures != NULL)
      add_pictures (analysis, pad, buffer, analysis->position);
    if (meta != NULL)
      add_events (analysis, gst_custom_meta_get_structure (meta));
  }
  g_mutex_unlock (&analysis->lock);
}

static void
on_event (Analysis *analysis, GstEvent *event)
{
  g_mutex_lock (&analysis->lock);
  analysis->taken = !analysis->stopped;
  if (!analysis->stopped && gst_event_has_name (event, "glesevents"))
    add_events (analysis, gst_event_get_structure (event));
  if (GST_EVENT_TYPE (event) == GST_EVENT_TAG)
    take_orientation (analysis, event);
  g_mutex_unlock (&analysis->lock);
}

static GstPadProbeReturn
on_data (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Analysis *analysis = user_data;

  g_atomic_int_inc (&analysis->n_moves);
  if (info->type & GST_PAD_PROBE_TYPE_BUFFER) {
    on_buffer (analysis, pad, GST_PAD_PROBE_INFO_BUFFER (info));
    info->data = report_remove_points (GST_PAD_PROBE_INFO_BUFFER (info));
  } else {
    on_event (analysis, GST_PAD_PROBE_INFO_EVENT (info));
  }
  return GST_PAD_PROBE_OK;
}

/* With the lock. @text: a line without its line feed. */
static void
add_line (Analysis *analysis, const gchar *text, gsize size)
{
  const gboolean is_event = report_is_event_line (text, size);
  g_autoptr (GString) whole = NULL;

  if (!is_event) {
    whole = g_string_new_len (text, (gssize) size - 1);
    if (analysis->stored_format != NULL)
      g_string_append_printf (whole, ",\"stored_format\":\"%s\"", analysis->stored_format);
    if (analysis->packed != NULL)
      g_string_append (whole, analysis->packed);
    g_string_append_c (whole, '}');
    report_add_line (analysis->report, whole->str, whole->len, FALSE);
    g_clear_pointer (&analysis->packed, g_free);
  }
  if (analysis->pictures != NULL)
    report_pictures_add_lines (analysis->pictures);
  /* events of a part are those of whole files, when all parts are there */
  if (is_event && !analysis->part)
    report_add_line (analysis->report, text, size, TRUE);
}

static GstPadProbeReturn
on_line (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Analysis *analysis = user_data;
  GstMapInfo map;

  if (!gst_buffer_map (GST_PAD_PROBE_INFO_BUFFER (info), &map, GST_MAP_READ))
    return GST_PAD_PROBE_OK;
  g_mutex_lock (&analysis->lock);
  if (analysis->taken && map.size > 0)
    add_line (analysis, (const gchar *) map.data, map.size - 1);
  take_failure (analysis, NULL);
  g_mutex_unlock (&analysis->lock);
  gst_buffer_unmap (GST_PAD_PROBE_INFO_BUFFER (info), &map);
  return GST_PAD_PROBE_OK;
}

/* ---- decoding ---- */

/* Counts data that is read from the file as progress, but only beyond what was read before: some
 * demuxers read the end of a file again and again for ever. */
static GstPadProbeReturn
on_read (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Analysis *analysis = user_data;
  const guint64 offset = GST_BUFFER_OFFSET (GST_PAD_PROBE_INFO_BUFFER (info));

  g_mutex_lock (&analysis->lock);
  if (offset >= analysis->read) {
    analysis->read = offset + 1;
    g_atomic_int_inc (&analysis->n_moves);
  }
  g_mutex_unlock (&analysis->lock);
  return GST_PAD_PROBE_OK;
}

/* Notes that a picture leaves the decoder. What is wrong with it has been reported by then. */
static GstPadProbeReturn
on_picture (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Analysis *analysis = user_data;

  g_atomic_int_inc (&analysis->n_moves);
  if (analysis->damage != NULL && !analysis->part)
    report_damage_note_picture (
        analysis->damage, report_clock_get_time (pad, GST_PAD_PROBE_INFO_BUFFER (info)));
  return GST_PAD_PROBE_OK;
}

static void
on_decoded (GstElement *decode, GstPad *pad, Analysis *analysis)
{
  g_autoptr (GstPad) sink = gst_element_get_static_pad (analysis->convert, "sink");

  if (gst_pad_is_linked (sink))
    return;
  if (gst_pad_link (pad, sink) != GST_PAD_LINK_OK) {
    g_autoptr (GstCaps) caps = gst_pad_query_caps (pad, NULL);
    g_autofree gchar *text = gst_caps_to_string (caps);

    GST_ELEMENT_ERROR (decode, STREAM, FORMAT, ("decoded pictures cannot be read"), ("\n%s", text));
  }
}

/* ---- running ---- */

static GstClockTime
get_position (Analysis *analysis)
{
  GstClockTime position;

  g_mutex_lock (&analysis->lock);
  position = analysis->position;
  g_mutex_unlock (&analysis->lock);
  return position;
}

static void
show_progress (Analysis *analysis)
{
  const GstClockTime position = get_position (analysis);
  const gint64 time = GST_CLOCK_TIME_IS_VALID (position) ? (gint64) position : 0;
  gint64 duration = 0;

  if (gst_element_query_duration (analysis->pipeline, GST_FORMAT_TIME, &duration) && duration > 0)
    g_printerr ("\r%3d %% of %d s ", (gint) MIN (100 * time / duration, 100),
        (gint) (duration / GST_SECOND));
  else
    g_printerr ("\r%d s ", (gint) (time / GST_SECOND));
}

/* Returns (transfer full) (nullable): why a result could not be read. */
static GError *
take_error (Analysis *analysis)
{
  GError *error;

  g_mutex_lock (&analysis->lock);
  error = g_steal_pointer (&analysis->error);
  g_mutex_unlock (&analysis->lock);
  return error;
}

/* Tells the device, if it is asked for. */
static gboolean
tell_place (Analysis *analysis, const ReportOptions *options, GError **error)
{
  return options->place == NULL ||
      report_tell_place (analysis->pipeline, options->place, &analysis->place, error);
}

/* Returns NULL at the end of the video and when *@stop becomes TRUE. */
static GError *
wait_for_end (Analysis *analysis, const ReportOptions *options, gint *stop)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (analysis->pipeline);
  g_autoptr (GstPad) decoded = gst_element_get_static_pad (analysis->convert, "sink");
  /* counted in slices instead of time, so that the time in which the process was stopped (SIGSTOP)
   * does not count */
  guint n_idle = 0;
  GError *error = NULL;
  gint n_moves = 0;

  while (!g_atomic_int_get (stop) && (error = take_error (analysis)) == NULL) {
    g_autoptr (GstMessage) message = gst_bus_timed_pop_filtered (bus, GST_SECOND / SLICES,
        GST_MESSAGE_EOS | GST_MESSAGE_ERROR | GST_MESSAGE_ELEMENT | GST_MESSAGE_APPLICATION);
    const gint moved = g_atomic_int_get (&analysis->n_moves);

    if (options->progress)
      show_progress (analysis);
    if (!tell_place (analysis, options, &error))
      break;
    n_idle = message != NULL || moved != n_moves ? 0 : n_idle + 1;
    n_moves = moved;
    if (options->timeout > 0 && n_idle / SLICES >= options->timeout)
      return report_failure_describe_stall (options->timeout, get_position (analysis));
    if (n_idle >= SLICES)
      message = report_failure_get_lost (analysis->failure);
    if (message == NULL)
      continue;
    if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS)
      break;
    if (analysis->range != NULL)
      report_range_take_message (analysis->range, message);
    if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR)
      return report_failure_describe (
          analysis->failure, message, gst_pad_is_linked (decoded), get_position (analysis));
    report_failure_note_message (analysis->failure, message);
  }
  return error;
}

static void
end_report (Analysis *analysis)
{
  gboolean sideways;

  g_mutex_lock (&analysis->lock);
  analysis->stopped = TRUE;
  g_mutex_unlock (&analysis->lock);
  report_wait_for_lines (analysis->pipeline);
  g_mutex_lock (&analysis->lock);
  analysis->taken = FALSE;
  sideways = report_is_sideways (analysis->orientation);
  report_set_format (analysis->report, sideways ? analysis->height : analysis->width,
      sideways ? analysis->width : analysis->height, analysis->format,
      analysis->first_stored_format);
  g_mutex_unlock (&analysis->lock);
}

static void
add_probes (Analysis *analysis, const ReportOptions *options, GstPad *decoded)
{
  g_autoptr (GstElement) source = gst_bin_get_by_name (GST_BIN (analysis->pipeline), "source");
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (analysis->pipeline), "sink");
  g_autoptr (GstElement) events = gst_bin_get_by_name (GST_BIN (analysis->pipeline), "glesevents0");
  g_autoptr (GstPad) read = gst_element_get_static_pad (source, "src");
  g_autoptr (GstPad) analysed = gst_element_get_static_pad (events, "src");
  g_autoptr (GstPad) line = gst_element_get_static_pad (sink, "sink");

  gst_pad_add_probe (read,
      GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_PUSH | GST_PAD_PROBE_TYPE_PULL, on_read,
      analysis, NULL);
  gst_pad_add_probe (decoded, GST_PAD_PROBE_TYPE_BUFFER, on_picture, analysis, NULL);
  gst_pad_add_probe (analysed, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM,
      on_data, analysis, NULL);
  if (options->lines)
    gst_pad_add_probe (line, GST_PAD_PROBE_TYPE_BUFFER, on_line, analysis, NULL);
}

/* Sets the file to read, and connects the probes and signals for its demuxers and decoders. */
static void
build_decoding (Analysis *analysis, GstElement *source, const gchar *path,
    const ReportOptions *options, GstPad *decoded)
{
  g_autoptr (GstElement) decode = gst_bin_get_by_name (GST_BIN (analysis->pipeline), "decode");
  ReportBeginning beginning;

  report_read_beginning (path, &beginning);
  report_clock_attach (analysis->pipeline, &beginning);
  report_clock_correct_rate (decoded, beginning.step);
  report_failure_follow (analysis->failure, analysis->pipeline);
  analysis->keys = report_keys_new (analysis->pipeline);
  analysis->damage =
      report_damage_new (analysis->report, path, &beginning, analysis->pipeline, decoded);
  analysis->range =
      report_range_new (analysis->report, analysis->pipeline, decoded, options, &beginning);
  if (options->stream_id != NULL)
    report_name_streams (source, options->stream_id);
  report_choose_video (decode, analysis->failure);
  g_signal_connect (decode, "pad-added", G_CALLBACK (on_decoded), analysis);
}

static gboolean
build (Analysis *analysis, const gchar *path, const ReportOptions *options, GError **error)
{
  const gboolean fifo = !options->replay && report_is_fifo (path);
  g_autoptr (GstElement) source = NULL;
  g_autoptr (GstPad) decoded = NULL;

  analysis->pipeline = report_make_pipeline (options, fifo, error);
  if (analysis->pipeline == NULL)
    return FALSE;
  analysis->convert = gst_bin_get_by_name (GST_BIN (analysis->pipeline), "convert");
  decoded = gst_element_get_static_pad (analysis->convert, "sink");
  source = gst_bin_get_by_name (GST_BIN (analysis->pipeline), "source");
  if (fifo && !report_open_fifo (source, path, error))
    return FALSE;
  if (!fifo && !options->replay)
    g_object_set (source, "location", path, NULL);
  if (options->replay) {
    analysis->replay = report_replay_new (source, path, error);
    if (analysis->replay == NULL)
      return FALSE;
  } else {
    build_decoding (analysis, source, path, options, decoded);
  }
  add_probes (analysis, options, decoded);
  return TRUE;
}

static Analysis *
analysis_new (Report *report, const ReportOptions *options)
{
  Analysis *analysis = g_new0 (Analysis, 1);

  g_mutex_init (&analysis->lock);
  analysis->report = report;
  analysis->failure = report_failure_new ();
  analysis->replayable = options->replayable;
  analysis->part = options->part;
  if (!options->replay && (options->pictures || options->replayable))
    analysis->pictures = report_pictures_new (report, options->pictures, options->replayable);
  analysis->position = GST_CLOCK_TIME_NONE;
  return analysis;
}

static void
analysis_free (Analysis *analysis)
{
  gst_clear_object (&analysis->convert);
  gst_clear_object (&analysis->pipeline);
  report_damage_free (analysis->damage);
  g_clear_pointer (&analysis->range, g_free);
  report_replay_free (analysis->replay);
  report_keys_free (analysis->keys);
  g_free (analysis->packed);
  g_free (analysis->place);
  report_pictures_free (analysis->pictures);
  report_failure_free (analysis->failure);
  g_clear_error (&analysis->error);
  g_mutex_clear (&analysis->lock);
  g_free (analysis);
}

gboolean
report_analyse (
    Report *report, const gchar *path, const ReportOptions *options, gint *stop, GError **error)
{
  Analysis *analysis = analysis_new (report, options);
  GError *failure = NULL;
  gboolean ok;

  if (build (analysis, path, options, &failure)) {
    gst_element_set_state (analysis->pipeline, GST_STATE_PLAYING);
    if (options->sound && analysis->damage != NULL)
      report_damage_start_sound (analysis->damage, options->stream_id);
    failure = wait_for_end (analysis, options, stop);
    if (options->progress)
      g_printerr ("\r                    \r");
    end_report (analysis);
    if (analysis->damage != NULL)
      report_damage_end (
          analysis->damage, failure, get_position (analysis), options->timeout, stop);
    else if (failure == NULL)
      report_replay_finish (analysis->replay, report, &failure);
  }
  ok = failure == NULL;
  /* a pipeline that does not move may not stop either: it remains as it is */
  if (g_error_matches (failure, G_IO_ERROR, G_IO_ERROR_TIMED_OUT)) {
    g_propagate_error (error, failure);
    return FALSE;
  }
  if (!ok)
    g_propagate_error (error, failure);
  /* glesevents ends open events when it stops, but only on the bus: the page ends them with the
   * video */
  if (analysis->pipeline != NULL)
    gst_element_set_state (analysis->pipeline, GST_STATE_NULL);
  analysis_free (analysis);
  return ok;
}
