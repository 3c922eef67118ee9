/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* gst-gles-report-1.0: writes what happens in videos: pages and tables. */
#include "config.h"

#include "files/stop.h"
#include "files/streams.h"
#include "inputs/analysis.h"
#include "inputs/damage.h"
#include "inputs/elements.h"
#include "inputs/lines.h"
#include "model/problems.h"
#include "names.h"
#include "outputs/event-tables.h"
#include "outputs/lines.h"
#include "outputs/page.h"
#include "outputs/qctools.h"
#include "outputs/scenes.h"
#include "outputs/light-table.h"
#include "outputs/sound-table.h"
#include "outputs/table.h"

#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include <gio/gio.h>
#include <gst/gst.h>

static gchar *from, *page, *ndjson, *csv, *events_format, *qctools, *signalstats, *sound, *light,
    *device, *place, *start, *stop, *part, *stream_id;
static gchar **events, **settings, **videos;
static gint timeout = 30;
static gboolean no_page, no_sound, only_sound, replay, replayable, incomplete, quiet, show_version;

static const GOptionEntry options[] = {
  { "from", 'f', 0, G_OPTION_ARG_FILENAME, &from,
      "Read lines of glesjson from FILE instead of a video", "FILE" },
  { "output", 'o', 0, G_OPTION_ARG_FILENAME, &page,
      "Where to write the page; by default the input's name with .html in this folder", "FILE" },
  { "no-page", 0, 0, G_OPTION_ARG_NONE, &no_page, "Write no page, but the files named below",
      NULL },
  { "ndjson", 0, 0, G_OPTION_ARG_FILENAME, &ndjson, "Write the lines of glesjson to FILE", "FILE" },
  { "csv", 0, 0, G_OPTION_ARG_FILENAME, &csv, "Write a table with a row for each frame to FILE",
      "FILE" },
  { "events", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &events,
      "Write the events to FILE: .ndjson, .csv, .vtt or -Scenes.csv; more than once", "FILE" },
  { "events-format", 0, 0, G_OPTION_ARG_STRING, &events_format,
      "How to write the events: ndjson, csv, vtt or pyscenedetect", "FORMAT" },
  { "qctools", 0, 0, G_OPTION_ARG_FILENAME, &qctools,
      "Write FFmpeg's measures for QCTools to FILE, which should end in .qctools.xml.gz", "FILE" },
  { "signalstats", 0, 0, G_OPTION_ARG_STRING, &signalstats,
      "Also compute these measures, for --csv and --qctools: sat, hue, tout, vrep, brng, crop "
      "or all",
      "LIST" },
  { "set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &settings,
      "Set a property of gleshistogram, glesevents or glesjson", "ELEMENT.PROPERTY=VALUE" },
  { "start", 0, 0, G_OPTION_ARG_STRING, &start,
      "Leave out what is before TIME: seconds or hh:mm:ss.mmm", "TIME" },
  { "stop", 0, 0, G_OPTION_ARG_STRING, &stop, "Leave out what is from TIME on", "TIME" },
  { "part", 0, 0, G_OPTION_ARG_STRING, &part,
      "Analyse a part for gst-gles-archive-1.0: from the key frame before START to behind STOP",
      "START,STOP" },
  { "stream-id", 0, 0, G_OPTION_ARG_STRING, &stream_id,
      "Make the ids of streams from NAME, not from where the file is", "NAME" },
  { "replayable", 0, 0, G_OPTION_ARG_NONE, &replayable,
      "Write lines to --ndjson from which --replay makes everything again", NULL },
  { "replay", 0, 0, G_OPTION_ARG_NONE, &replay,
      "Find events anew in the lines of --from, which were written with --replayable", NULL },
  { "partial", 0, 0, G_OPTION_ARG_NONE, &incomplete,
      "Say in the outputs that the lines of --from are not those of the whole video", NULL },
  { "light", 0, 0, G_OPTION_ARG_FILENAME, &light,
      "Write a table with a row for each shot of HDR to FILE: light levels", "FILE" },
  { "sound", 0, 0, G_OPTION_ARG_FILENAME, &sound,
      "Write a table with a row for each channel of sound to FILE: levels and loudness", "FILE" },
  { "device", 'd', 0, G_OPTION_ARG_STRING, &device, "Where to analyse: as gleshistogram's property",
      "SPEC" },
  { "tell-device", 0, 0, G_OPTION_ARG_FILENAME, &place,
      "Write the name of the device on which frames are analysed to FILE", "FILE" },
  { "timeout", 't', 0, G_OPTION_ARG_INT, &timeout,
      "End with an error after so many seconds without data (30; 0: never)", "SECONDS" },
  { "no-sound", 0, 0, G_OPTION_ARG_NONE, &no_sound, "Do not analyse sound", NULL },
  { "only-sound", 0, 0, G_OPTION_ARG_NONE, &only_sound, "Analyse nothing but sound", NULL },
  { "quiet", 'q', 0, G_OPTION_ARG_NONE, &quiet, "Show no progress", NULL },
  { "version", 0, 0, G_OPTION_ARG_NONE, &show_version, "Print the version", NULL },
  { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &videos, NULL, "VIDEO..." },
  { NULL },
};

typedef ReportOutput *(*OpenOutput) (const gchar *path, GError **error);

/* An output that the command line asks for. */
typedef struct {
  OpenOutput open;
  const gchar *pattern; /* from which report_make_name() makes the name of the file */
} Output;

/* What an output of events is called, the ending of its file, and what opens it. */
static const struct {
  const gchar *format, *ending;
  OpenOutput open;
} event_formats[] = {
  { "pyscenedetect", "-Scenes.csv", report_scenes_output_new },
  { "ndjson", ".ndjson", report_event_lines_output_new },
  { "csv", ".csv", report_event_table_output_new },
  { "vtt", ".vtt", report_cues_output_new },
};

static GArray *outputs; /* of Output */
static guint measures;  /* ReportMeasures */
static GstClockTime first = GST_CLOCK_TIME_NONE, last = GST_CLOCK_TIME_NONE;

/* How far beyond its end a part is analysed, so that it can be compared with the beginning of the
 * next part. */
#define PART_OVERLAP (2 * GST_SECOND)

static gint *interrupted; /* see report_stop_init() */

/* Returns NULL, or the inputs: (transfer full). */
static gchar **
take_inputs (GError **error)
{
  gchar *lines[] = { from, NULL };

  if ((videos != NULL) != (from != NULL))
    return g_strdupv (from != NULL ? lines : videos);
  g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
      "name VIDEO..., or --from FILE; --help tells more");
  return NULL;
}

static gboolean
take_range (GError **error)
{
  if ((start == NULL || report_parse_time (start, &first)) &&
      (stop == NULL || report_parse_time (stop, &last)) &&
      (stop == NULL || start == NULL || first < last))
    return TRUE;
  g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
      "--start and --stop are seconds or hh:mm:ss.mmm, such as 90.5 or 1:30.500, and the stop is "
      "behind the start");
  return FALSE;
}

/* Reads two numbers of nanoseconds with a comma between; the second may be missing. */
static gboolean
parse_part (void)
{
  g_auto (GStrv) bounds = g_strsplit (part, ",", -1);
  guint64 numbers[2] = { 0, GST_CLOCK_TIME_NONE };

  if (g_strv_length (bounds) != 2 ||
      !g_ascii_string_to_unsigned (bounds[0], 10, 0, G_MAXINT64, &numbers[0], NULL) ||
      (bounds[1][0] != '\0' &&
          !g_ascii_string_to_unsigned (bounds[1], 10, 1, G_MAXINT64, &numbers[1], NULL)) ||
      numbers[0] >= numbers[1])
    return FALSE;
  first = numbers[0];
  last = bounds[1][0] != '\0' ? numbers[1] + PART_OVERLAP : GST_CLOCK_TIME_NONE;
  return TRUE;
}

/* What gst-gles-archive-1.0 asks for. */
static gboolean
take_part (GError **error)
{
  const gchar *why = NULL;

  if (part != NULL && !parse_part ())
    why = "--part is START,STOP in nanoseconds; the STOP may be empty";
  else if (part != NULL && (start != NULL || stop != NULL || from != NULL || only_sound))
    why = "--part stands alone, without --start, --stop, --from and --only-sound";
  else if (replay && from == NULL)
    why = "--replay is for the lines of --from";
  else if (incomplete && from == NULL)
    why = "--partial is for the lines of --from";
  else if ((replayable || part != NULL) && (ndjson == NULL || from != NULL))
    why = "--replayable and --part are for the --ndjson of a video";
  else if (sound != NULL && from == NULL && (no_sound || part != NULL))
    why = "--sound is a table of the sound that --no-sound and --part leave out";
  else if (only_sound && (no_sound || from != NULL))
    why = "--only-sound is for videos, and contradicts --no-sound";
  if (why == NULL)
    return TRUE;
  g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, why);
  return FALSE;
}

/* The measures of frames. */
static gboolean
take_measures (GError **error)
{
  /* gst-gles-archive-1.0 gives the same options to each call, also where they have no effect */
  const gboolean of_archive = replayable || replay || only_sound;

  if ((signalstats != NULL && csv == NULL && qctools == NULL && !of_archive) ||
      (events_format != NULL && events == NULL)) {
    g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
        "--signalstats is for --csv, --qctools and --replayable, and --events-format for --events");
    return FALSE;
  }
  return signalstats == NULL || report_parse_measures (signalstats, &measures, error);
}

/* @pattern: (nullable): is not written. */
static void
add_output (OpenOutput open, const gchar *pattern)
{
  const Output output = { open, pattern };

  if (pattern != NULL)
    g_array_append_val (outputs, output);
}

static gboolean
has_output (OpenOutput open)
{
  for (guint i = 0; i < outputs->len; i++) {
    if (g_array_index (outputs, Output, i).open == open)
      return TRUE;
  }
  return FALSE;
}

/* Each file of events has the format that the option, or its ending, tells. */
static gboolean
take_events (const gchar *pattern, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (event_formats); i++) {
    if (events_format != NULL ? g_str_equal (events_format, event_formats[i].format)
                              : g_str_has_suffix (pattern, event_formats[i].ending)) {
      add_output (event_formats[i].open, pattern);
      return TRUE;
    }
  }
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
      "%s: the format of the events is not known: --events-format is ndjson, csv, vtt or "
      "pyscenedetect, or FILE ends in .ndjson, .csv, .vtt or -Scenes.csv",
      events_format != NULL ? events_format : pattern);
  return FALSE;
}

static gboolean
take_outputs (gchar **inputs, GError **error)
{
  g_autofree const gchar **named = NULL;

  outputs = g_array_new (FALSE, FALSE, sizeof (Output));
  add_output (report_page_output_new, no_page ? NULL : page != NULL ? page : "%s.html");
  add_output (report_lines_output_new, ndjson);
  add_output (report_table_output_new, csv);
  for (guint i = 0; events != NULL && events[i] != NULL; i++) {
    if (!take_events (events[i], error))
      return FALSE;
  }
  add_output (report_qctools_output_new, qctools);
  add_output (report_light_table_output_new, light);
  add_output (report_sound_table_output_new, sound);
  if (outputs->len == 0 || (no_page && page != NULL)) {
    g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
        "--no-page needs another output, and contradicts --output");
    return FALSE;
  }
  named = g_new0 (const gchar *, outputs->len + 1);
  for (guint i = 0; i < outputs->len; i++)
    named[i] = g_array_index (outputs, Output, i).pattern;
  return report_check_names (inputs, named, error);
}

/* Returns the inputs: (transfer full), or NULL. */
static gchar **
parse (gint *argc, gchar ***argv, GError **error)
{
  g_autoptr (GOptionContext) context =
      g_option_context_new ("- write what happens in videos: pages and tables");
  gchar **inputs;

  g_option_context_add_main_entries (context, options, NULL);
  g_option_context_add_group (context, gst_init_get_option_group ());
  if (!g_option_context_parse (context, argc, argv, error) || show_version)
    return NULL;
  inputs = take_inputs (error);
  if (inputs == NULL ||
      (report_check_settings (settings, error) && take_range (error) && take_part (error) &&
          take_measures (error) && take_outputs (inputs, error)))
    return inputs;
  g_strfreev (inputs);
  return NULL;
}

/* Returns the names of what is written: (transfer full), NULL with @error. */
static gchar *
open_outputs (Report *report, const gchar *input, gboolean *to_stream, GError **error)
{
  g_autoptr (GString) shown = g_string_new (NULL);

  for (guint i = 0; i < outputs->len; i++) {
    const Output *which = &g_array_index (outputs, Output, i);
    g_autofree gchar *path = report_make_name (which->pattern, input);
    ReportOutput *output = which->open (path, error);

    if (output == NULL)
      return NULL;
    report_add_output (report, output);
    *to_stream = *to_stream || report_is_stream (path);
    g_string_append_printf (
        shown, "%s%s", shown->len > 0 ? ", " : "", report_file_get_path (output->file));
  }
  return g_string_free (g_steal_pointer (&shown), FALSE);
}

static gboolean
read_input (Report *report, const gchar *input, GError **error)
{
  const ReportOptions how = { .device = device,
    .place = place,
    .timeout = (guint) MAX (timeout, 0),
    .progress = !quiet && isatty (STDERR_FILENO),
    .settings = settings,
    .stream_id = stream_id,
    .pictures = !no_page,
    .measures = measures,
    .lines = has_output (report_lines_output_new) || has_output (report_event_lines_output_new),
    .sound = !no_sound && part == NULL,
    .start = first,
    .part = part != NULL,
    .replay = replay,
    .replayable = replayable };

  report_set_range (report, first, last);
  if (only_sound)
    return report_analyse_sound (report, input, &how, interrupted, error);
  if (from != NULL && !replay)
    return report_read_lines (report, input, interrupted, error);
  return report_analyse (report, input, &how, interrupted, error);
}

/* Returns the exit status. *@stuck becomes TRUE if the threads of a pipeline that does not move
 * could not be ended. */
static gint
make_report (const gchar *input, gboolean *stuck)
{
  g_autofree gchar *title = g_path_get_basename (input);
  g_autofree gchar *problems = NULL, *shown = NULL;
  g_autoptr (Report) report = report_new (title);
  g_autoptr (GError) error = NULL, failure = NULL;
  gboolean ok, partial, to_stream = FALSE;

  shown = open_outputs (report, input, &to_stream, &error);
  if (shown == NULL) {
    g_printerr ("gst-gles-report-1.0: %s\n", error->message);
    return g_atomic_int_get (interrupted) ? 130 : 1;
  }
  ok = read_input (report, input, &error);
  *stuck = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT);
  /* a signal ends a wait for the writer of a FIFO with an error, which is not reported */
  if (!ok && !*stuck && g_atomic_int_get (interrupted)) {
    g_clear_error (&error);
    ok = TRUE;
  }
  if (!ok)
    g_printerr ("gst-gles-report-1.0: %s: %s\n", input, error->message);
  if (!ok && report_get_n_frames (report) == 0)
    return 1;
  /* outputs are completed after an error, too, with the frames before it */
  partial = !ok || g_atomic_int_get (interrupted);
  if (!report_finish (report, partial || incomplete, &failure)) {
    if (ok || !g_str_equal (error->message, failure->message))
      g_printerr ("gst-gles-report-1.0: %s\n", failure->message);
    return 1;
  }
  /* the summary goes to the standard error, because an output may be the standard output */
  if (!quiet)
    (to_stream ? g_printerr : g_print) ("%s: %u frames, %u events%s\n", shown,
        report_get_n_frames (report), report_get_n_events (report), partial ? " (partial)" : "");
  problems = report_describe_problems (report);
  if (!quiet && problems != NULL)
    g_printerr ("%s: problems: %s\n", input, problems);
  return !ok ? 1 : partial ? 130 : problems != NULL ? 3 : 0;
}

/* Returns the exit status, which is that of an error if one input had one. */
static gint
make_reports (gchar **inputs, gboolean *stuck)
{
  gint status = 0;

  for (guint i = 0; inputs[i] != NULL && !*stuck && !g_atomic_int_get (interrupted); i++) {
    const gint one = make_report (inputs[i], stuck);

    status = status == 1 ? status : one != 0 ? one : status;
  }
  return status;
}

gint
main (gint argc, gchar **argv)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) inputs = NULL;
  gboolean stuck = FALSE;
  gint status;

  setlocale (LC_ALL, "");
  inputs = parse (&argc, &argv, &error);
  if (error != NULL) {
    g_printerr ("gst-gles-report-1.0: %s\n", error->message);
    return 2;
  }
  if (show_version) {
    g_print ("gst-gles-report-1.0 %s\n", VERSION);
    return 0;
  }
  interrupted = report_stop_init (&error);
  if (interrupted == NULL) {
    g_printerr ("gst-gles-report-1.0: %s\n", error->message);
    return 1;
  }
  /* a limit of the size of files is an error like a full disk */
  signal (SIGXFSZ, SIG_IGN);
  status = make_reports (inputs, &stuck);
  if (stuck) {
    fflush (NULL);
    _exit (status);
  }
  return status;
}
