/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sound is decoded by a pipeline of its own beside that of the pictures, which it cannot stop or
 * delay whatever is wrong with it. */
#include "sound.h"
#include "../../common/autoplug.h"
#include "decoder-log.h"
#include "monitor.h"
#include "sound-levels.h"
#include "stream-id.h"

#include <math.h>

#include <gst/pbutils/pbutils.h>

/* the length of a measurement, which is also the precision of events */
#define INTERVAL (20 * GST_MSECOND)
#define JOIN (GST_SECOND / 2) /* clipped places that are no farther from each other are one event */
#define SLICES 4              /* how many times a second it is checked whether data still flows */

typedef struct {
  gboolean silent; /* the span is silent; otherwise it is clipped */
  GstClockTime begin, end;
  gdouble peak;
} Span;

/* A stream. Its streaming thread alone touches it while the pipeline plays. */
typedef struct {
  const ReportStream *stream; /* nullable before the first samples */
  /* the spans that are not complete; an end of NONE means that there is none */
  Span silence, clipping;
  GArray *spans;    /* of Span: complete */
  GstClockTime end; /* the end of the sound that was measured */
  ReportSoundLevels *levels;
  GstCaps *caps; /* (nullable): of the last samples, which @info describes */
  GstAudioInfo info;
  ReportSound *sound;
} Track;

struct _ReportSound {
  Report *report;
  ReportProblems *problems;
  ReportMonitor *monitor;
  GstElement *pipeline;
  gint n_moves;      /* atomic */
  GMutex lock;       /* of what follows: */
  GPtrArray *tracks; /* of Track */
  gboolean has_sound;
  gchar *missing; /* (nullable): the description of a plugin that is not installed */
};

/* ---- measurements ---- */

static void
end_span (Track *track, Span *span)
{
  /* the first and the last interval are silent in part only */
  const GstClockTime least = span->silent ? REPORT_MIN_SILENCE - INTERVAL : 0;

  if (GST_CLOCK_TIME_IS_VALID (span->end) && span->end - span->begin >= least)
    g_array_append_val (track->spans, *span);
  span->end = GST_CLOCK_TIME_NONE;
}

/* Adds the newest interval of the sound, which starts at @begin and has @peak, to @span. If it
 * starts more than @join after the end of @span, that one is complete, and another one begins. */
static void
extend_span (Track *track, Span *span, GstClockTime begin, GstClockTime join, gdouble peak)
{
  if (GST_CLOCK_TIME_IS_VALID (span->end) && begin > span->end + join)
    end_span (track, span);
  if (!GST_CLOCK_TIME_IS_VALID (span->end)) {
    span->begin = begin;
    span->peak = peak;
  }
  span->end = track->end;
  span->peak = MAX (span->peak, peak);
}

static void
on_level (Track *track, const GstStructure *level)
{
  const GValue *value = gst_structure_get_value (level, "peak");
  GstClockTime time, duration;
  gdouble peak = 0.0;
  GValueArray *peaks;

  if (value == NULL || !gst_structure_get_clock_time (level, "stream-time", &time) ||
      !gst_structure_get_clock_time (level, "duration", &duration) ||
      !GST_CLOCK_TIME_IS_VALID (time))
    return;
  G_GNUC_BEGIN_IGNORE_DEPRECATIONS
  peaks = g_value_get_boxed (value); /* in decibels */
  for (guint i = 0; i < peaks->n_values; i++) {
    const gdouble decibels = g_value_get_double (g_value_array_get_nth (peaks, i));

    /* a sample that is no finite number is no silence */
    peak = MAX (peak, decibels < G_MAXDOUBLE ? pow (10.0, decibels / 20.0) : 1.0);
  }
  G_GNUC_END_IGNORE_DEPRECATIONS
  track->end = time + duration;
  if (peak < REPORT_QUIET)
    extend_span (track, &track->silence, time, INTERVAL, peak);
  else
    end_span (track, &track->silence);
  if (peak >= REPORT_FULL_SCALE)
    extend_span (track, &track->clipping, time, JOIN, peak);
}

static void
add_samples (Track *track, GstPad *pad, GstBuffer *buffer)
{
  const GstClockTime time = report_clock_get_time (pad, buffer);
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);
  guint64 n_invalid;

  if (caps == NULL || (caps != track->caps && !gst_audio_info_from_caps (&track->info, caps)))
    return;
  gst_caps_replace (&track->caps, caps);
  if (track->stream == NULL)
    track->stream = report_problems_get_stream (track->sound->problems, pad);
  n_invalid = report_sound_levels_add (track->levels, &track->info, buffer, time);
  if (n_invalid > 0)
    report_problems_add (track->sound->problems,
        &(ReportFinding){ .problem = REPORT_PROBLEM_CORRUPTED,
            .stream = track->stream,
            .begin = time,
            .count = (guint) MIN (n_invalid, G_MAXUINT),
            .text = "samples of sound that are no finite numbers; they count as 0" });
}

/* ---- the pipeline ---- */

static GstBusSyncReply
on_message (GstBus *bus, GstMessage *message, gpointer user_data)
{
  ReportSound *self = user_data;
  const GstStructure *structure = gst_message_get_structure (message);
  Track *track;

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_WARNING)
    report_log_add_message (message);
  if (GST_MESSAGE_TYPE (message) != GST_MESSAGE_ELEMENT)
    return GST_BUS_PASS;
  track = g_object_get_data (G_OBJECT (GST_MESSAGE_SRC (message)), "track");
  if (track != NULL && gst_structure_has_name (structure, "level")) {
    g_atomic_int_inc (&self->n_moves);
    on_level (track, structure);
  } else if (gst_is_missing_plugin_message (message)) {
    g_mutex_lock (&self->lock);
    g_free (self->missing);
    self->missing = gst_missing_plugin_message_get_description (message);
    g_mutex_unlock (&self->lock);
  }
  gst_message_unref (message);
  return GST_BUS_DROP;
}

static gboolean
on_stream (GstElement *decode, GstPad *pad, GstCaps *caps, ReportSound *self)
{
  g_mutex_lock (&self->lock);
  if (g_str_has_prefix (gst_structure_get_name (gst_caps_get_structure (caps, 0)), "audio/"))
    self->has_sound = TRUE;
  g_mutex_unlock (&self->lock);
  return TRUE;
}

static gint
on_decoder (
    GstElement *decode, GstPad *pad, GstCaps *caps, GstElementFactory *factory, ReportSound *self)
{
  return gst_element_factory_list_is_type (factory,
             GST_ELEMENT_FACTORY_TYPE_DECODER | GST_ELEMENT_FACTORY_TYPE_MEDIA_VIDEO |
                 GST_ELEMENT_FACTORY_TYPE_MEDIA_IMAGE)
      ? AUTOPLUG_SKIP
      : AUTOPLUG_TRY;
}

static void
track_free (gpointer data)
{
  Track *track = data;

  g_array_unref (track->spans);
  report_sound_levels_free (track->levels);
  gst_clear_caps (&track->caps);
  g_free (track);
}

static GstPadProbeReturn
on_samples (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  add_samples (user_data, pad, GST_PAD_PROBE_INFO_BUFFER (info));
  return GST_PAD_PROBE_OK;
}

/* At the end of the stream the element level divides by the sample rate, which is 0 if no sound
 * came. So this drops the end, and passes it on behind the element. */
static GstPadProbeReturn
on_end (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  GstEvent *event = GST_PAD_PROBE_INFO_EVENT (info);
  g_autoptr (GstPad) after = NULL;

  if (GST_EVENT_TYPE (event) != GST_EVENT_EOS || gst_pad_has_current_caps (pad))
    return GST_PAD_PROBE_OK;
  after = gst_element_get_static_pad (user_data, "src");
  gst_pad_push_event (after, gst_event_ref (event));
  return GST_PAD_PROBE_DROP;
}

static void
on_decoded (GstElement *decode, GstPad *pad, ReportSound *self)
{
  g_autoptr (GstElement) bin = gst_parse_bin_from_description (
      "audioconvert ! " REPORT_SOUND_CAPS " ! level name=level ! fakesink sync=false", TRUE, NULL);
  g_autoptr (GstElement) level = NULL;
  g_autoptr (GstPad) sink = NULL, measured = NULL;
  Track *track;

  if (bin == NULL) {
    g_printerr ("gst-gles-report-1.0: sound is not analysed: the element level or audioconvert is "
                "not installed\n");
    return;
  }
  track = g_new0 (Track, 1);
  track->sound = self;
  track->levels = report_sound_levels_new (self->report);
  track->spans = g_array_new (FALSE, FALSE, sizeof (Span));
  track->silence.silent = TRUE;
  track->silence.end = track->clipping.end = GST_CLOCK_TIME_NONE;
  g_mutex_lock (&self->lock);
  g_ptr_array_add (self->tracks, track);
  g_mutex_unlock (&self->lock);
  level = gst_bin_get_by_name (GST_BIN (bin), "level");
  g_object_set (level, "interval", (guint64) INTERVAL, NULL);
  g_object_set_data (G_OBJECT (level), "track", track);
  measured = gst_element_get_static_pad (level, "sink");
  gst_pad_add_probe (measured, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, on_end, level, NULL);
  gst_pad_add_probe (measured, GST_PAD_PROBE_TYPE_BUFFER, on_samples, track, NULL);
  report_monitor_output (self->monitor, pad);
  gst_bin_add (GST_BIN (self->pipeline), gst_object_ref (bin));
  gst_element_sync_state_with_parent (bin);
  sink = gst_element_get_static_pad (bin, "sink");
  gst_pad_link (pad, sink);
}

ReportSound *
report_sound_start (Report *report, const gchar *path, const gchar *stream_id,
    const ReportBeginning *beginning, ReportProblems *problems)
{
  ReportSound *self;
  g_autoptr (GstElement) source = gst_element_factory_make ("filesrc", NULL);
  g_autoptr (GstElement) decode = gst_element_factory_make ("decodebin", NULL);
  g_autoptr (GstCaps) caps = gst_caps_new_empty_simple ("audio/x-raw");
  g_autoptr (GstBus) bus = NULL;

  /* a FIFO can be read once only */
  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return NULL;
  self = g_new0 (ReportSound, 1);
  g_mutex_init (&self->lock);
  self->report = report;
  self->problems = problems;
  self->tracks = g_ptr_array_new_with_free_func (track_free);
  self->pipeline = gst_pipeline_new (NULL);
  report_clock_attach (self->pipeline, beginning);
  self->monitor = report_monitor_new (
      problems, self->pipeline, beginning, GST_ELEMENT_FACTORY_TYPE_MEDIA_AUDIO);
  bus = gst_element_get_bus (self->pipeline);
  gst_bus_set_sync_handler (bus, on_message, self, NULL);
  g_object_set (source, "location", path, NULL);
  if (stream_id != NULL)
    report_name_streams (source, stream_id);
  g_object_set (decode, "caps", caps, "expose-all-streams", FALSE, NULL);
  g_signal_connect (decode, "autoplug-continue", G_CALLBACK (on_stream), self);
  g_signal_connect (decode, "autoplug-select", G_CALLBACK (on_decoder), self);
  g_signal_connect (decode, "pad-added", G_CALLBACK (on_decoded), self);
  gst_bin_add_many (
      GST_BIN (self->pipeline), gst_object_ref (source), gst_object_ref (decode), NULL);
  gst_element_link (source, decode);
  gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
  return self;
}

/* ---- the end ---- */

/* Adds a problem for an error, which ends the analysis of all sound. Does nothing if the file has
 * no sound. */
static void
add_error (ReportSound *self, GstMessage *message)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *text = NULL;
  Track *track = NULL;

  gst_message_parse_error (message, &error, NULL);
  text = g_strdup_printf ("sound: %s", error->message);
  g_mutex_lock (&self->lock);
  if (self->tracks->len > 0)
    track = g_ptr_array_index (self->tracks, 0);
  if (self->missing != NULL)
    g_printerr ("gst-gles-report-1.0: sound is not analysed: not installed: %s\n", self->missing);
  else if (self->has_sound)
    report_problems_add (self->problems,
        &(ReportFinding){ .problem = REPORT_PROBLEM_UNREADABLE,
            .stream = track != NULL ? track->stream : NULL,
            .begin = track != NULL ? track->end : 0,
            .text = text });
  g_mutex_unlock (&self->lock);
}

/* Returns whether the sound was analysed to its end. */
static gboolean
wait_for_end (ReportSound *self, guint timeout, gint *stop)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (self->pipeline);
  guint n_idle = 0;
  gint n_moves = 0;

  while (!g_atomic_int_get (stop)) {
    g_autoptr (GstMessage) message =
        gst_bus_timed_pop_filtered (bus, GST_SECOND / SLICES, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
    const gint moved = g_atomic_int_get (&self->n_moves);

    if (message != NULL && GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR)
      add_error (self, message);
    if (message != NULL)
      return GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS;
    n_idle = moved != n_moves ? 0 : n_idle + 1;
    n_moves = moved;
    if (timeout > 0 && n_idle / SLICES >= timeout)
      break;
  }
  return FALSE;
}

static void
add_results (Track *track, Report *report)
{
  end_span (track, &track->silence);
  end_span (track, &track->clipping);
  for (guint i = 0; i < track->spans->len; i++) {
    const Span *at = &g_array_index (track->spans, Span, i);
    const ReportSpan span = { at->silent ? "silence" : "clipping", track->stream, at->begin,
      at->end, at->end == track->end, at->peak };

    report_add_span (report, &span, NULL);
  }
  if (track->stream != NULL)
    report_sound_levels_append (track->levels, track->stream);
}

void
report_sound_end (ReportSound *self, guint timeout, gint *stop)
{
  gboolean complete;

  if (self == NULL)
    return;
  complete = wait_for_end (self, timeout, stop);
  gst_element_set_state (self->pipeline, GST_STATE_NULL);
  report_monitor_finish (self->monitor, complete, NULL);
  report_problems_number_streams (self->problems);
  for (guint i = 0; i < self->tracks->len; i++)
    add_results (g_ptr_array_index (self->tracks, i), self->report);
  gst_object_unref (self->pipeline);
  report_monitor_free (self->monitor);
  g_ptr_array_unref (self->tracks);
  g_free (self->missing);
  g_mutex_clear (&self->lock);
  g_free (self);
}
