/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* gst-gles-report-1.0: writes a self-contained HTML page about what happens in a video. */
#include "config.h"

#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include <gio/gio.h>
#include <gst/gst.h>

#include "report.h"

static gchar *from, *output, *device;
static gint timeout = 30;
static gboolean quiet, no_sound, show_version;
static gchar **videos;

static const GOptionEntry options[] = {
  { "from", 'f', 0, G_OPTION_ARG_FILENAME, &from,
      "Read lines of glesjson from FILE instead of a video", "FILE" },
  { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output,
      "Where to write the page; by default the input's name with .html in this folder", "FILE" },
  { "device", 'd', 0, G_OPTION_ARG_STRING, &device, "Where to analyse: as gleshistogram's property",
      "SPEC" },
  { "timeout", 't', 0, G_OPTION_ARG_INT, &timeout,
      "End with an error after so many seconds without data (30; 0: never)", "SECONDS" },
  { "no-sound", 0, 0, G_OPTION_ARG_NONE, &no_sound, "Do not analyse sound", NULL },
  { "quiet", 'q', 0, G_OPTION_ARG_NONE, &quiet, "Show no progress", NULL },
  { "version", 0, 0, G_OPTION_ARG_NONE, &show_version, "Print the version", NULL },
  { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &videos, NULL, "VIDEO" },
  { NULL },
};

static gint stop;

static void
on_interrupt (gint number)
{
  g_atomic_int_set (&stop, TRUE);
}

static gboolean
parse (gint *argc, gchar ***argv)
{
  g_autoptr (GOptionContext) context =
      g_option_context_new ("- write a page about what happens in a video");
  g_autoptr (GError) error = NULL;

  g_option_context_add_main_entries (context, options, NULL);
  g_option_context_add_group (context, gst_init_get_option_group ());
  if (!g_option_context_parse (context, argc, argv, &error)) {
    g_printerr ("gst-gles-report-1.0: %s\n", error->message);
    return FALSE;
  }
  if (show_version || ((videos != NULL) != (from != NULL) && (videos == NULL || videos[1] == NULL)))
    return TRUE;
  g_printerr ("gst-gles-report-1.0: name one VIDEO, or --from FILE; --help tells more\n");
  return FALSE;
}

static gchar *
name_output (const gchar *input)
{
  g_autofree gchar *name = g_path_get_basename (input);
  gchar *dot = strrchr (name, '.');

  if (dot != NULL && dot != name)
    *dot = '\0';
  return g_strconcat (name, ".html", NULL);
}

/* Returns the exit status. *@stuck: threads of a pipeline that does not move are left. */
static gint
make_page (const gchar *input, gboolean *stuck)
{
  g_autofree gchar *title = g_path_get_basename (input);
  g_autofree gchar *path = output != NULL ? g_strdup (output) : name_output (input);
  g_autofree gchar *problems = NULL, *shown = g_filename_display_name (path);
  g_autoptr (Report) report = report_new (title);
  g_autoptr (GString) page = NULL;
  g_autoptr (GError) error = NULL;
  const ReportOptions how = { .device = device,
    .timeout = (guint) MAX (timeout, 0),
    .progress = !quiet && isatty (STDERR_FILENO),
    .sound = !no_sound };
  gboolean ok, partial;

  if (from != NULL)
    ok = report_read_lines (report, input, &stop, &error);
  else
    ok = report_analyse (report, input, &how, &stop, &error);
  if (!ok)
    g_printerr ("gst-gles-report-1.0: %s: %s\n", input, error->message);
  *stuck = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT);
  if (!ok && report_get_n_frames (report) == 0)
    return 1;
  /* after an error the page still shows the frames before it */
  partial = !ok || g_atomic_int_get (&stop);
  g_clear_error (&error);
  page = report_to_html (report, partial);
  if (!report_write (page, path, &error)) {
    g_printerr ("gst-gles-report-1.0: %s\n", error->message);
    return 1;
  }
  /* the page may be on standard output */
  if (!quiet)
    (report_is_stream (path) ? g_printerr : g_print) ("%s: %u frames, %u events%s\n", shown,
        report_get_n_frames (report), report_get_n_events (report), partial ? " (partial)" : "");
  problems = report_describe_problems (report);
  if (!quiet && problems != NULL)
    g_printerr ("%s: problems: %s\n", input, problems);
  return !ok ? 1 : partial ? 130 : problems != NULL ? 3 : 0;
}

gint
main (gint argc, gchar **argv)
{
  /* the handler is removed when it is called, so that a second signal ends the program */
  const struct sigaction interrupt = { .sa_handler = on_interrupt,
    .sa_flags = (gint) (SA_RESTART | SA_RESETHAND) };
  gboolean stuck = FALSE;
  gint status;

  setlocale (LC_ALL, "");
  if (!parse (&argc, &argv))
    return 2;
  if (show_version) {
    g_print ("gst-gles-report-1.0 %s\n", VERSION);
    return 0;
  }
  sigaction (SIGINT, &interrupt, NULL);
  sigaction (SIGTERM, &interrupt, NULL);
  status = make_page (from != NULL ? from : videos[0], &stuck);
  if (stuck) {
    fflush (NULL);
    _exit (status);
  }
  g_free (from);
  g_free (output);
  g_free (device);
  g_strfreev (videos);
  return status;
}
