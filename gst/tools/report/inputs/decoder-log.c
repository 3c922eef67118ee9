/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What FFmpeg's decoders complain about reaches GStreamer's log and nothing else, and without the
 * decoder and the time. A decoder decodes in the thread that brings its data, or in threads of
 * FFmpeg that take one frame each in turn. From version 6 these have names that tell which; before,
 * the time is that of a frame in the middle of those that are being decoded. */
#include "decoder-log.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>

/* how many threads a decoder may have: with more, the times of complaints would be less precise,
 * and the analysis could not keep up anyway */
#define MAX_THREADS 4
#define THREAD "av:" /* names of FFmpeg's threads begin so: av:CODEC:dfNUMBER */

struct _ReportDecoder {
  gboolean threaded;
  /* The following is protected by the lock of the log. */
  const ReportStream *stream; /* nullable before the first frame */
  guint n_threads;
  guint64 n_frames;  /* how many frames it got since it started */
  GstClockTime last; /* the last timestamp that was known */
  guint64 told;      /* the value of n_frames when a complaint was last counted */
  /* the times of the last frames; the place of each is its number modulo n_threads */
  GstClockTime times[MAX_THREADS];
};

/* GStreamer's log belongs to the process, and so does this. */
static struct {
  GMutex lock;
  ReportProblems *problems; /* (nullable): NULL while the log is not read */
  GPtrArray *decoders;      /* of ReportDecoder */
  /* the demuxer of the video; only compared, since it may have been freed */
  gpointer demuxer;
  GstClockTime demuxed;    /* the time of the last data that left the demuxer, or NONE */
  ReportDecoder *threaded; /* the last decoder that decodes in threads of FFmpeg */
  gboolean keeps_default;  /* the user asked for GStreamer's log, which must then go on */
} state;

/* the ReportDecoder that this thread called last; it may have been freed */
static GPrivate current;

/* The time of the frame about which this thread began a line that goes on, or NULL. */
static GPrivate unfinished = G_PRIVATE_INIT (g_free);

/* Sources of the log, and how those of their lines begin that tell of damage. */
static const struct {
  const gchar *category;
  GstDebugLevel level;
  const gchar *prefix;
  gboolean of_demuxer;
} sources[] = {
  { "libav", GST_LEVEL_ERROR, "", FALSE },
  { "videodecoder", GST_LEVEL_WARNING, "error: ", FALSE },
  { "audiodecoder", GST_LEVEL_WARNING, "error: ", FALSE },
  { "ebmlread", GST_LEVEL_ERROR, "", TRUE },
  { "matroskademux", GST_LEVEL_WARNING, "parse error", TRUE },
};

/* Returns (nullable): the decoder that the calling thread works for, and the time of its frame. */
static ReportDecoder *
find_decoder (GstClockTime *time)
{
  ReportDecoder *decoder = g_private_get (&current);
  gchar name[16] = "";
  const gchar *number;
  guint n = 0;

  *time = GST_CLOCK_TIME_NONE;
  prctl (PR_GET_NAME, name);
  number = g_str_has_prefix (name, THREAD) ? strstr (name, ":df") : NULL;
  if (number != NULL && sscanf (number, ":df%u", &n) == 1)
    decoder = state.threaded;
  else if (decoder != NULL && g_ptr_array_find (state.decoders, decoder, NULL))
    n = (guint) ((decoder->n_frames - 1) % decoder->n_threads);
  else if ((decoder = state.threaded) != NULL)
    n = (guint) ((decoder->n_frames - 1 + decoder->n_threads / 2) % decoder->n_threads);
  if (decoder != NULL && decoder->n_frames > n % decoder->n_threads)
    *time = decoder->times[n % decoder->n_threads];
  return decoder;
}

/* FFmpeg writes some lines in several pieces, of which the last one ends with a line feed. Returns
 * whether @text goes on where an earlier piece about the same frame ended. */
static gboolean
is_continued (const gchar *text, GstClockTime time)
{
  const GstClockTime *begun = g_private_get (&unfinished);
  const gboolean continued = begun != NULL && *begun == time;

  g_private_replace (
      &unfinished, g_str_has_suffix (text, "\n") ? NULL : g_memdup2 (&time, sizeof time));
  return continued;
}

/* Adds a complaint about the frame that is being decoded. With @once, only one is added for each
 * frame. */
static void
add (const gchar *text, gboolean once)
{
  ReportDecoder *decoder;
  GstClockTime time;

  g_mutex_lock (&state.lock);
  if (state.problems != NULL) {
    decoder = find_decoder (&time);
    if (once ? decoder != NULL && decoder->told == decoder->n_frames : is_continued (text, time))
      goto out;
    if (decoder != NULL && once)
      decoder->told = decoder->n_frames;
    report_problems_add (state.problems,
        &(ReportFinding){ .problem = REPORT_PROBLEM_DECODER,
            .stream = decoder != NULL ? decoder->stream : NULL,
            .begin = time,
            .text = text });
  }
out:
  g_mutex_unlock (&state.lock);
}

static void
add_of_demuxer (GObject *demuxer, const gchar *text)
{
  g_mutex_lock (&state.lock);
  if (state.problems != NULL && (gpointer) demuxer == state.demuxer)
    report_problems_add (state.problems,
        &(ReportFinding){
            .problem = REPORT_PROBLEM_UNREADABLE, .begin = state.demuxed, .text = text });
  g_mutex_unlock (&state.lock);
}

static void
on_log (GstDebugCategory *category, GstDebugLevel level, const gchar *file, const gchar *function,
    gint line, GObject *object, GstDebugMessage *message, gpointer data)
{
  const gchar *name = gst_debug_category_get_name (category);

  for (guint i = 0; i < G_N_ELEMENTS (sources); i++) {
    const gchar *text;

    if (!g_str_equal (name, sources[i].category))
      continue;
    text = level <= sources[i].level ? gst_debug_message_get (message) : NULL;
    if (text == NULL || !g_str_has_prefix (text, sources[i].prefix))
      return;
    if (sources[i].of_demuxer)
      add_of_demuxer (object, text);
    else
      add (text + strlen (sources[i].prefix), sources[i].prefix[0] != '\0');
    return;
  }
  if (!state.keeps_default)
    gst_debug_log_default (category, level, file, function, line, object, message, NULL);
}

void
report_log_begin (ReportProblems *problems)
{
  g_mutex_lock (&state.lock);
  state.problems = problems;
  state.decoders = g_ptr_array_new_with_free_func (g_free);
  state.keeps_default = g_getenv ("GST_DEBUG") != NULL;
  g_mutex_unlock (&state.lock);
  /* the categories of plugins come with the plugins */
  for (guint i = 0; i < G_N_ELEMENTS (sources); i++)
    gst_debug_set_threshold_for_name (sources[i].category, sources[i].level);
  if (!state.keeps_default)
    gst_debug_remove_log_function (gst_debug_log_default);
  gst_debug_set_active (TRUE);
  gst_debug_add_log_function (on_log, NULL, NULL);
}

void
report_log_end (void)
{
  gst_debug_remove_log_function (on_log);
  g_mutex_lock (&state.lock);
  state.problems = NULL;
  state.threaded = NULL;
  state.demuxer = NULL;
  g_clear_pointer (&state.decoders, g_ptr_array_unref);
  g_mutex_unlock (&state.lock);
}

/* Returns how many processors this process may use: `taskset` and clusters may give it fewer than
 * GLib counts. */
static guint
count_processors (void)
{
  cpu_set_t set;

  if (sched_getaffinity (0, sizeof set, &set) != 0)
    return g_get_num_processors ();
  return (guint) CPU_COUNT (&set);
}

ReportDecoder *
report_log_add_decoder (GstElement *element)
{
  ReportDecoder *self = g_new0 (ReportDecoder, 1);

  self->n_threads = 1;
  if (g_object_class_find_property (G_OBJECT_GET_CLASS (element), "max-threads") != NULL &&
      g_str_has_prefix (GST_OBJECT_NAME (gst_element_get_factory (element)), "avdec_")) {
    self->n_threads = CLAMP (count_processors (), 1, MAX_THREADS);
    self->threaded = TRUE;
    g_object_set (element, "max-threads", (gint) self->n_threads, NULL);
  }
  g_mutex_lock (&state.lock);
  g_ptr_array_add (state.decoders, self);
  if (self->threaded)
    state.threaded = self;
  g_mutex_unlock (&state.lock);
  return self;
}

void
report_log_decode (ReportDecoder *self, const ReportStream *stream, GstClockTime time)
{
  g_private_set (&current, self);
  g_mutex_lock (&state.lock);
  self->stream = stream;
  if (GST_CLOCK_TIME_IS_VALID (time))
    self->last = time;
  self->times[self->n_frames++ % self->n_threads] = self->last;
  g_mutex_unlock (&state.lock);
}

void
report_log_demux (GstElement *demuxer, GstClockTime time)
{
  g_mutex_lock (&state.lock);
  state.demuxer = demuxer;
  state.demuxed = time;
  g_mutex_unlock (&state.lock);
}

void
report_log_restart (ReportDecoder *self)
{
  g_mutex_lock (&state.lock);
  self->n_frames = 0;
  g_mutex_unlock (&state.lock);
}

void
report_log_add_message (GstMessage *message)
{
  g_autofree gchar *debug = NULL, *text = NULL;
  g_autoptr (GError) error = NULL;
  GstElementFactory *factory = GST_IS_ELEMENT (GST_MESSAGE_SRC (message))
      ? gst_element_get_factory (GST_ELEMENT (GST_MESSAGE_SRC (message)))
      : NULL;

  if (factory == NULL ||
      !gst_element_factory_list_is_type (
          factory, GST_ELEMENT_FACTORY_TYPE_DECODER | GST_ELEMENT_FACTORY_TYPE_PARSER))
    return;
  gst_message_parse_warning (message, &error, &debug);
  text = g_strdup_printf ("%s: %s\n", GST_OBJECT_NAME (GST_MESSAGE_SRC (message)), error->message);
  add (text, FALSE);
}
