/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Looks for damage in what enters and leaves the decoders of a pipeline: buffers that are marked as
 * damaged, timestamps that do not fit, and frames that go in and do not come out. */
#include "monitor.h"
#include "decoder-log.h"

#include <string.h>

#define SOUND_TOLERANCE (GST_SECOND / 10) /* timestamps of sound are rounded in many containers */
#define MAX_REORDERED 16                  /* how many frames a guessed timestamp may be wrong by */
#define MIN_REGULAR 0.9 /* if this share of all steps is regular, irregular steps are gaps */
#define MAX_TIMES 4096  /* frames that were made and wait to be compared with the expected ones */
#define LAST_TIMES 1024 /* the last of these wait longer, because frames before them may come */

typedef struct {
  GstClockTime begin, end;
} Gap;

/* What a decoder made, or the data of a file without one. */
typedef struct {
  ReportMonitor *monitor;
  GstPad *pad;                /* the pad at which pictures pass; outlives the monitor */
  const ReportStream *stream; /* nullable before the first buffer */
  GstClockTime begin, end;    /* of the last buffer; NONE before the first */
  GstClockTime step;          /* between frames; 0: unknown */
  guint64 n_steps, n_regular;
  GArray *gaps;  /* of Gap */
  GArray *late;  /* of GstClockTime: of frames that came after a later one; 0 once it fills a gap */
  GArray *times; /* of GstClockTime: of frames that are not compared yet; empty for sound */
  GArray *lost;  /* of GstClockTime: of frames without a picture; too many if two share a picture */
  guint64 n_made, n_expected; /* how many frames were compared and removed from the arrays */
} Output;

/* What enters a decoder or leaves a demuxer. */
typedef struct {
  ReportMonitor *monitor;
  ReportDecoder *log;         /* NULL for what leaves a demuxer */
  const ReportStream *stream; /* nullable */
  guint64 n_buffers;
  GstClockTime latest[MAX_REORDERED + 1]; /* the latest times so far, in falling order */
  guint n_latest;
  GArray *times; /* of GstClockTime: of frames that are not compared yet; empty for sound */
} Input;

struct _ReportMonitor {
  ReportProblems *problems;
  GstClockTimeDiff origin; /* the stream time of the demuxer at which the file begins */
  GstElementFactoryListType media;
  GMutex lock;         /* of what follows: */
  GPtrArray *inputs;   /* of Input */
  GPtrArray *outputs;  /* of Output */
  GstElement *demuxer; /* nullable */
  GstClockTime end;    /* the end of the last data of all streams of the demuxer */
  GstClockTime key;    /* the time of the first key frame that was decoded; 0 before it */
};

static gboolean
is_sound (const ReportMonitor *self)
{
  return (self->media & GST_ELEMENT_FACTORY_TYPE_MEDIA_AUDIO) != 0;
}

static gboolean
has_demuxer (const ReportMonitor *self, guint traits)
{
  return self->demuxer != NULL && report_demuxer_has (self->demuxer, traits);
}

static void
add_problem (const Output *output, ReportProblem problem, GstClockTime begin, GstClockTime end,
    const gchar *text)
{
  report_problems_add (
      output->monitor->problems, &(ReportFinding){ problem, output->stream, begin, end, 1, text });
}

/* ---- before the decoder ---- */

/* Decoders hide times that go back. A frame may follow others that are shown later, but no more of
 * them than a decoder can hold, whatever the frame rate. */
static void
check_order (Input *input, GstClockTime time)
{
  guint n_later = 0;

  while (n_later < input->n_latest && input->latest[n_later] > time)
    n_later++;
  if (n_later > MAX_REORDERED) {
    report_problems_add (input->monitor->problems,
        &(ReportFinding){
            REPORT_PROBLEM_JUMP, input->stream, time, time, 1, "timestamps go back" });
    n_later = input->n_latest = 0;
  }
  input->n_latest = MIN (input->n_latest + 1, MAX_REORDERED + 1);
  memmove (input->latest + n_later + 1, input->latest + n_later,
      (input->n_latest - n_later - 1) * sizeof time);
  input->latest[n_later] = time;
}

/* Returns whether what passes here are the frames that should come out: those that a demuxer found,
 * or those that a decoder got. */
static gboolean
is_expecting (const Input *input)
{
  return !is_sound (input->monitor) &&
      has_demuxer (input->monitor, REPORT_DEMUXER_FRAMES) == (input->log == NULL);
}

static void
on_input_event (Input *input, GstEvent *event)
{
  if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP) {
    g_mutex_lock (&input->monitor->lock);
    g_array_set_size (input->times, 0);
    g_mutex_unlock (&input->monitor->lock);
    input->n_buffers = 0;
    input->n_latest = 0;
  } else if (GST_EVENT_TYPE (event) != GST_EVENT_CAPS) {
    return;
  }
  if (input->log != NULL)
    report_log_restart (input->log);
}

/* Returns whether a frame of @time is shown before the first key frame although it is decoded after
 * it. Where a file was cut out of another one, such frames need some that are not there. */
static gboolean
is_leading (const ReportMonitor *self, GstClockTime time)
{
  return time < self->key;
}

static GstPadProbeReturn
on_input (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Input *input = user_data;
  ReportMonitor *self = input->monitor;
  GstBuffer *buffer;
  GstClockTime time;

  if (!(info->type & GST_PAD_PROBE_TYPE_BUFFER)) {
    on_input_event (input, GST_PAD_PROBE_INFO_EVENT (info));
    return GST_PAD_PROBE_OK;
  }
  buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  if (input->n_buffers++ == 0)
    input->stream = report_problems_get_stream (self->problems, pad);
  time = report_clock_get_time (pad, buffer);
  if (input->log != NULL)
    report_log_decode (input->log, input->stream, time);
  else if (!is_sound (self))
    report_log_demux (self->demuxer, time);
  g_mutex_lock (&self->lock);
  if (GST_CLOCK_TIME_IS_VALID (time)) {
    self->end = MAX (self->end,
        time + (GST_BUFFER_DURATION_IS_VALID (buffer) ? GST_BUFFER_DURATION (buffer) : 0));
    if (!is_sound (self) && input->log != NULL) {
      check_order (input, time);
      if (self->key == 0 && !GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_DELTA_UNIT))
        self->key = time;
    }
    if (is_expecting (input) && !GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_DECODE_ONLY))
      g_array_append_val (input->times, time);
  }
  g_mutex_unlock (&self->lock);
  return GST_PAD_PROBE_OK;
}

static void
input_free (gpointer data)
{
  g_array_unref (((Input *) data)->times);
  g_free (data);
}

/* @log: (nullable). */
static void
add_input (ReportMonitor *self, GstPad *pad, ReportDecoder *log)
{
  Input *input = g_new0 (Input, 1);

  input->monitor = self;
  input->log = log;
  input->times = g_array_new (FALSE, FALSE, sizeof (GstClockTime));
  g_mutex_lock (&self->lock);
  g_ptr_array_add (self->inputs, input);
  g_mutex_unlock (&self->lock);
  gst_pad_add_probe (pad,
      GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM |
          GST_PAD_PROBE_TYPE_EVENT_FLUSH,
      on_input, input, NULL);
}

static void
on_demuxer_pad (GstElement *demuxer, GstPad *pad, ReportMonitor *self)
{
  if (GST_PAD_IS_SRC (pad))
    add_input (self, pad, NULL);
}

/* ---- frames without a picture ---- */

static gint
compare_times (gconstpointer a, gconstpointer b)
{
  const GstClockTime x = *(const GstClockTime *) a, y = *(const GstClockTime *) b;

  return x < y ? -1 : x > y;
}

/* Returns (nullable): the frames that should come out as @output, of the last decoder. */
static GArray *
get_expected (const Output *output)
{
  const ReportMonitor *self = output->monitor;

  for (guint i = self->inputs->len; i > 0; i--) {
    const Input *input = g_ptr_array_index (self->inputs, i - 1);

    if (input->stream == output->stream && is_expecting (input))
      return input->times;
  }
  return NULL;
}

/* Compares and removes the frames up to @until, before which nothing more is expected or made.
 * Fields of a picture come in two buffers, half a step from each other. */
static void
compare (Output *output, GArray *expected, GstClockTime until)
{
  const GstClockTime *made = (const GstClockTime *) output->times->data;
  const guint n = output->times->len;
  const GstClockTime tolerance = output->step * 3 / 4;
  guint at = 0, i;

  g_array_sort (expected, compare_times);
  g_array_sort (output->times, compare_times);
  for (i = 0; i < expected->len; i++) {
    const GstClockTime time = g_array_index (expected, GstClockTime, i);

    if (time > until)
      break;
    while (at < n && made[at] + tolerance < time)
      at++;
    if (at == n || made[at] > time + tolerance)
      g_array_append_val (output->lost, time);
  }
  g_array_remove_range (expected, 0, i);
  g_array_remove_range (output->times, 0, at);
  output->n_expected += i;
  output->n_made += at;
}

/* Keeps the memory of long videos bounded. @output: its times have just grown. */
static void
compare_early (Output *output)
{
  GArray *expected;

  if (output->times->len < MAX_TIMES)
    return;
  expected = get_expected (output);
  if (expected == NULL) {
    output->n_made += output->times->len;
    g_array_set_size (output->times, 0);
    return;
  }
  g_array_sort (output->times, compare_times);
  compare (output, expected,
      g_array_index (output->times, GstClockTime, output->times->len - LAST_TIMES));
}

/* ---- behind the decoder ---- */

/* Compares the beginning of a buffer with the end of the one before. Returns FALSE if it belongs
 * before that. */
static gboolean
check_step (Output *output, GstClockTime time)
{
  const gboolean sound = is_sound (output->monitor);
  const GstClockTime tolerance = sound ? SOUND_TOLERANCE : output->step / 2;

  if (sound ? time + tolerance < output->end : time <= output->begin) {
    if (!sound && time + MAX_REORDERED * output->step > output->begin) {
      g_array_append_val (output->late, time);
      return FALSE;
    }
    add_problem (output, REPORT_PROBLEM_JUMP, time, time, "timestamps go back");
    return TRUE;
  }
  output->n_steps++;
  /* a missing frame leaves a whole step; less than three quarters of one may be rounding */
  if (time > output->end + (sound ? SOUND_TOLERANCE : output->step * 3 / 4)) {
    const Gap gap = { output->end, time };

    g_array_append_val (output->gaps, gap);
  } else if (sound ||
      (time - output->begin + tolerance > output->step &&
          time - output->begin < output->step + tolerance)) {
    output->n_regular++;
  }
  return TRUE;
}

static void
add_time (Output *output, GstPad *pad, GstBuffer *buffer, GstClockTime time)
{
  GstClockTime duration;

  output->step = is_sound (output->monitor) ? 0 : report_clock_get_step (pad);
  duration = GST_BUFFER_DURATION_IS_VALID (buffer) ? GST_BUFFER_DURATION (buffer) : output->step;
  if (!GST_CLOCK_TIME_IS_VALID (output->begin) || check_step (output, time)) {
    output->begin = time;
    output->end = time + duration;
  }
  if (!is_sound (output->monitor)) {
    g_array_append_val (output->times, time);
    compare_early (output);
  }
}

/* Forgets the last times, because the next data does not continue the former. */
static void
forget (Output *output)
{
  g_mutex_lock (&output->monitor->lock);
  output->begin = GST_CLOCK_TIME_NONE;
  output->n_steps = output->n_regular = 0;
  g_array_set_size (output->gaps, 0);
  g_array_set_size (output->late, 0);
  g_array_set_size (output->times, 0);
  g_array_set_size (output->lost, 0);
  output->n_made = output->n_expected = 0;
  g_mutex_unlock (&output->monitor->lock);
}

static GstPadProbeReturn
on_output (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Output *output = user_data;
  GstBuffer *buffer;
  GstClockTime time;

  if (!(info->type & GST_PAD_PROBE_TYPE_BUFFER)) {
    forget (output);
    return GST_PAD_PROBE_OK;
  }
  buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  time = report_clock_get_time (pad, buffer);

  g_mutex_lock (&output->monitor->lock);
  if (output->stream == NULL)
    output->stream = report_problems_get_stream (output->monitor->problems, pad);
  if (GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_CORRUPTED) &&
      !is_leading (output->monitor, time))
    add_problem (
        output, REPORT_PROBLEM_CORRUPTED, time, time, "the decoder says that a part is damaged");
  if (GST_CLOCK_TIME_IS_VALID (time))
    add_time (output, pad, buffer, time);
  g_mutex_unlock (&output->monitor->lock);
  return GST_PAD_PROBE_OK;
}

static void
output_free (gpointer data)
{
  Output *output = data;

  g_array_unref (output->gaps);
  g_array_unref (output->late);
  g_array_unref (output->times);
  g_array_unref (output->lost);
  g_free (output);
}

void
report_monitor_output (ReportMonitor *self, GstPad *pad)
{
  Output *output = g_new0 (Output, 1);

  output->monitor = self;
  output->pad = pad;
  output->begin = GST_CLOCK_TIME_NONE;
  output->gaps = g_array_new (FALSE, FALSE, sizeof (Gap));
  output->late = g_array_new (FALSE, FALSE, sizeof (GstClockTime));
  output->times = g_array_new (FALSE, FALSE, sizeof (GstClockTime));
  output->lost = g_array_new (FALSE, FALSE, sizeof (GstClockTime));
  g_mutex_lock (&self->lock);
  g_ptr_array_add (self->outputs, output);
  g_mutex_unlock (&self->lock);
  gst_pad_add_probe (
      pad, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_EVENT_FLUSH, on_output, output, NULL);
}

/* Returns when the file ends according to the container, which counts from 0 of its clock, or NONE.
 * Some count from the first packet: what they state is then too early. */
static GstClockTime
get_stated_end (ReportMonitor *self)
{
  gint64 duration;

  if (!has_demuxer (self, REPORT_DEMUXER_STATES) ||
      !gst_element_query_duration (self->demuxer, GST_FORMAT_TIME, &duration) ||
      duration <= self->origin)
    return GST_CLOCK_TIME_NONE;
  return (GstClockTime) (duration - self->origin);
}

/* ---- elements ---- */

static void
on_element (GstBin *pipeline, GstBin *parent, GstElement *element, ReportMonitor *self)
{
  GstElementFactory *factory = gst_element_get_factory (element);

  if (factory == NULL)
    return;
  if (gst_element_factory_list_is_type (factory, GST_ELEMENT_FACTORY_TYPE_DECODER | self->media)) {
    g_autoptr (GstPad) sink = gst_element_get_static_pad (element, "sink");

    if (sink != NULL)
      add_input (self, sink, report_log_add_decoder (element));
  } else if (!is_sound (self) &&
      gst_element_factory_list_is_type (factory, GST_ELEMENT_FACTORY_TYPE_DEMUXER)) {
    g_mutex_lock (&self->lock);
    gst_object_replace ((GstObject **) &self->demuxer, GST_OBJECT (element));
    g_mutex_unlock (&self->lock);
    if (!is_sound (self))
      report_log_demux (element, GST_CLOCK_TIME_NONE);
    g_signal_connect (element, "pad-added", G_CALLBACK (on_demuxer_pad), self);
  }
}

ReportMonitor *
report_monitor_new (ReportProblems *problems, GstElement *pipeline,
    const ReportBeginning *beginning, GstElementFactoryListType media)
{
  ReportMonitor *self = g_new0 (ReportMonitor, 1);

  self->problems = problems;
  self->origin = beginning->origin;
  self->media = media;
  g_mutex_init (&self->lock);
  self->inputs = g_ptr_array_new_with_free_func (input_free);
  self->outputs = g_ptr_array_new_with_free_func (output_free);
  g_signal_connect (pipeline, "deep-element-added", G_CALLBACK (on_element), self);
  return self;
}

void
report_monitor_free (ReportMonitor *self)
{
  if (self == NULL)
    return;
  gst_clear_object (&self->demuxer);
  g_ptr_array_unref (self->inputs);
  g_ptr_array_unref (self->outputs);
  g_mutex_clear (&self->lock);
  g_free (self);
}

/* ---- the end ---- */

/* Returns whether as many frames as @gap could hold came late. Where a container does not tell all
 * timestamps, demuxers and decoders guess them, and frames change places or share a time. */
static gboolean
is_filled (const Output *output, const Gap *gap)
{
  guint n =
      output->step > 0 ? (guint) ((gap->end - gap->begin + output->step / 2) / output->step) : 1;

  for (guint i = 0; i < output->late->len && n > 0; i++) {
    GstClockTime *late = &g_array_index (output->late, GstClockTime, i);

    if (*late + GST_SECOND / 2 < gap->begin || *late > gap->end + GST_SECOND / 2)
      continue;
    *late = 0;
    n--;
  }
  return n == 0;
}

/* Returns whether @gap is among the frames at the end of what an edit list shows. qtdemux ends with
 * the frame that is decoded last, and leaves out some that are shown before. */
static gboolean
is_cut (const Output *output, const Gap *gap)
{
  g_autoptr (GstEvent) event = NULL;
  const GstSegment *segment;

  if (!has_demuxer (output->monitor, REPORT_DEMUXER_EDITS))
    return FALSE;
  event = gst_pad_get_sticky_event (output->pad, GST_EVENT_SEGMENT, 0);
  if (event == NULL)
    return FALSE;
  gst_event_parse_segment (event, &segment);
  return GST_CLOCK_TIME_IS_VALID (segment->stop) &&
      gap->end + MAX_REORDERED * output->step >
      gst_segment_to_stream_time (segment, GST_FORMAT_TIME, segment->stop);
}

/* Adds gaps and jumps. In a stream of variable frame rate, times between frames say nothing where
 * the container has no durations. */
static void
add_gaps (const Output *output)
{
  const gboolean regular = (gdouble) output->n_regular >= MIN_REGULAR * (gdouble) output->n_steps;

  for (guint i = 0; i < output->gaps->len; i++) {
    const Gap *gap = &g_array_index (output->gaps, Gap, i);
    g_autofree gchar *text =
        g_strdup_printf ("nothing for %.3f s", (gdouble) (gap->end - gap->begin) / GST_SECOND);

    if (!is_filled (output, gap) && regular && !is_leading (output->monitor, gap->begin) &&
        (is_sound (output->monitor) || !is_cut (output, gap)))
      add_problem (output, REPORT_PROBLEM_GAP, gap->begin, gap->end, text);
  }
  for (guint i = 0; i < output->late->len; i++) {
    const GstClockTime time = g_array_index (output->late, GstClockTime, i);

    if (time > 0)
      add_problem (output, REPORT_PROBLEM_JUMP, time, time,
          "the timestamp is not behind that of the frame before");
  }
}

/* Adds frames that did not come out of the decoder. */
static void
add_unreadable (Output *output, gboolean complete)
{
  GArray *expected = get_expected (output);
  guint64 n_expected, n_made, n_lost;

  if (expected == NULL)
    return;
  n_expected = output->n_expected + expected->len;
  n_made = output->n_made + output->times->len;
  n_lost = n_expected - MIN (n_made, n_expected);
  if (n_lost == 0 || output->step == 0 || output->times->len == 0)
    return;
  g_array_sort (output->times, compare_times);
  compare (output, expected,
      complete ? GST_CLOCK_TIME_NONE
               : g_array_index (output->times, GstClockTime, output->times->len - 1));
  for (guint i = 0; i < MIN (n_lost, output->lost->len); i++) {
    const GstClockTime time = g_array_index (output->lost, GstClockTime, i);

    if (is_leading (output->monitor, time))
      continue;
    add_problem (output, REPORT_PROBLEM_UNREADABLE, time, time + output->step,
        "the decoder made no picture of the data");
  }
}

/* Adds frames that the container states and does not have. */
static void
add_missing (ReportMonitor *self, const Output *output)
{
  const GstClockTime duration = get_stated_end (self);
  const GstClockTime end = MAX (self->end, output->end);
  g_autofree gchar *text = NULL;
  guint n;

  if (!GST_CLOCK_TIME_IS_VALID (duration) ||
      duration <= end + MAX (2 * output->step, GST_SECOND / 5))
    return;
  n = output->step > 0 ? (guint) ((duration - end + output->step / 2) / output->step) : 1;
  text = g_strdup_printf ("the file states %.3f s and has %.3f s", (gdouble) duration / GST_SECOND,
      (gdouble) end / GST_SECOND);
  report_problems_add (self->problems,
      &(ReportFinding){ REPORT_PROBLEM_MISSING, output->stream, end, duration, n, text });
}

void
report_monitor_finish (ReportMonitor *self, gboolean complete, const gchar *truncated)
{
  GstClockTime end;

  g_mutex_lock (&self->lock);
  end = self->end;
  for (guint i = 0; i < self->outputs->len; i++) {
    Output *output = g_ptr_array_index (self->outputs, i);

    if (output->stream == NULL)
      continue;
    if (!has_demuxer (self, REPORT_DEMUXER_GUESSES))
      add_gaps (output);
    if (is_sound (self))
      continue;
    end = MAX (end, output->end);
    add_unreadable (output, complete);
    if (complete)
      add_missing (self, output);
  }
  if (truncated != NULL)
    report_problems_add (self->problems,
        &(ReportFinding){ .problem = REPORT_PROBLEM_TRUNCATED, .begin = end, .text = truncated });
  g_mutex_unlock (&self->lock);
}
