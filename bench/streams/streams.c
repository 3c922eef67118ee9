/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* gst-gles-bench-streams-1.0, which `gst-gles-bench-1.0 streams` starts, measures an element under
 * several streams. It is a separate program because gst-gles-bench-1.0 is linked statically to the
 * library, which the plugin would load a second time. */
#include "config.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "streams.h"

#define MAX_SIZE 32768

const gchar *const streams_contents[] = { "noise", "ramp", "constant", NULL };
const gchar *const streams_memories[] = { "system", "device", "dmabuf", "gl", "cuda", NULL };

static StreamsOptions options = { .element = (gchar *) "gleshistogram",
  .seconds = 2,
  .warmup_s = 0.5,
  .n_distinct = 3,
  .lag = 2,
  .sample_every = 8 };
static gchar *devices = (gchar *) "auto,cpu,software", *streams = (gchar *) "1,2,4,8,16,32";
static gchar *size = (gchar *) "1080p", *format = (gchar *) "I420";
static gchar *content = (gchar *) "noise", *memory = (gchar *) "system";
static gboolean show_version;

static const GOptionEntry entries[] = {
  { "element", 'e', 0, G_OPTION_ARG_STRING, &options.element,
      "An element or a chain; none: nothing (default: gleshistogram)", "E" },
  { "device", 'd', 0, G_OPTION_ARG_STRING, &devices,
      "For all elements with one, in turn (default: auto,cpu,software)", "D,…" },
  { "streams", 'n', 0, G_OPTION_ARG_STRING, &streams, "How many at a time (default: 1,2,4,8,16,32)",
      "N,…" },
  { "size", 's', 0, G_OPTION_ARG_STRING, &size, "WIDTHxHEIGHT, 1080p or 4k (default: 1080p)", "S" },
  { "format", 'f', 0, G_OPTION_ARG_STRING, &format, "Of GStreamer's (default: I420)", "F" },
  { "content", 'c', 0, G_OPTION_ARG_STRING, &content, "noise (the default), ramp, constant", "C" },
  { "distinct", 0, 0, G_OPTION_ARG_INT, &options.n_distinct,
      "Frames of a stream, in turns (default: 3)", "N" },
  { "input", 'i', 0, G_OPTION_ARG_FILENAME, &options.input,
      "A file of raw frames, instead of those", "FILE" },
  { "memory", 'm', 0, G_OPTION_ARG_STRING, &memory,
      "Of the frames: system (the default), device, dmabuf, gl, cuda", "M" },
  { "seconds", 0, 0, G_OPTION_ARG_DOUBLE, &options.seconds, "Time that is timed (default: 2)",
      "S" },
  { "frames", 0, 0, G_OPTION_ARG_INT, &options.n_frames, "Instead: until each stream has had N",
      "N" },
  { "warmup", 'w', 0, G_OPTION_ARG_DOUBLE, &options.warmup_s, "Seconds before that (default: 0.5)",
      "S" },
  { "lag", 0, 0, G_OPTION_ARG_INT, &options.lag, "Frames until results are read (default: 2)",
      "N" },
  { "unread", 0, 0, G_OPTION_ARG_NONE, &options.unread, "Nobody reads the results", NULL },
  { "sample-every", 0, 0, G_OPTION_ARG_INT, &options.sample_every,
      "The latency of each Nth frame; 0: of none (default: 8)", "N" },
  { "json-file", 0, 0, G_OPTION_ARG_FILENAME, &options.files.json, "Writes JSON (-: to stdout)",
      "F" },
  { "csv-file", 0, 0, G_OPTION_ARG_FILENAME, &options.files.csv, "Writes CSV (-: to stdout)", "F" },
  { "version", 0, 0, G_OPTION_ARG_NONE, &show_version, "Prints the version", NULL },
  { NULL },
};

static const gchar description[] =
    "Every stream has a thread that pushes frames, which are in memory before, as fast as the\n"
    "element takes them. All streams run while they are timed. The latency is measured after the\n"
    "rate, by threads of their own.\n\n"
    "Examples:\n"
    "  gst-gles-bench-1.0 streams --size 4k --streams 1,8 --json-file here.json\n"
    "  gst-gles-bench-1.0 streams -e \"gleshistogram ! glescompact lower=243 ! glestiles\"\n"
    "  gst-gles-bench-1.0 streams -n 1 --frames 400 --input pan.i420 --device cpu\n\n"
    "Exit status: 0; 1 if something could not be measured; 2 for arguments that mean nothing.\n\n"
    "GST_PLUGIN_PATH says where the plugin is if it is not installed. More: docs/benchmarks.md.";

/* ---- arguments ---- */

static gboolean
refuse (const gchar *message)
{
  g_printerr ("%s\n", message);
  return FALSE;
}

static gboolean
parse_streams (void)
{
  g_auto (GStrv) words = g_strsplit (streams, ",", -1);

  options.n_streams = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; words[i] != NULL; i++) {
    guint64 n;
    if (!g_ascii_string_to_unsigned (g_strstrip (words[i]), 10, 1, STREAMS_MAX, &n, NULL)) {
      g_printerr ("--streams: \"%s\" is no number from 1 to %d\n", words[i], STREAMS_MAX);
      return FALSE;
    }
    guint n_streams = (guint) n;
    g_array_append_val (options.n_streams, n_streams);
  }
  return options.n_streams->len > 0 || refuse ("--streams names no number of streams");
}

static gboolean
parse_video (void)
{
  static const gchar *const sizes[][2] = { { "720p", "1280x720" }, { "1080p", "1920x1080" },
    { "2160p", "3840x2160" }, { "4k", "3840x2160" } };
  const gchar *text = size;
  guint64 width, height;

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    if (g_ascii_strcasecmp (size, sizes[i][0]) == 0)
      text = sizes[i][1];
  }
  g_auto (GStrv) words = g_strsplit (text, "x", 2);
  if (g_strv_length (words) != 2 ||
      !g_ascii_string_to_unsigned (words[0], 10, 1, MAX_SIZE, &width, NULL) ||
      !g_ascii_string_to_unsigned (words[1], 10, 1, MAX_SIZE, &height, NULL)) {
    g_printerr ("--size: \"%s\" is no size such as 640x480, 720p, 1080p or 4k\n", size);
    return FALSE;
  }
  const GstVideoFormat video_format = gst_video_format_from_string (format);
  if (video_format <= GST_VIDEO_FORMAT_ENCODED ||
      !gst_video_info_set_format (&options.video, video_format, (guint) width, (guint) height)) {
    g_printerr ("--format: GStreamer has no raw video \"%s\" of that size\n", format);
    return FALSE;
  }
  options.video.fps_n = 30;
  options.video.fps_d = 1;
  return TRUE;
}

/* Sets *index to the place of @word among @names. */
static gboolean
parse_word (const gchar *option, const gchar *word, const gchar *const *names, guint *index)
{
  g_autofree gchar *all = g_strjoinv (", ", (gchar **) names);

  for (*index = 0; names[*index] != NULL; (*index)++) {
    if (g_str_equal (word, names[*index]))
      return TRUE;
  }
  g_printerr ("%s: there is no \"%s\": %s\n", option, word, all);
  return FALSE;
}

static gboolean
parse_options (void)
{
  if (options.n_frames < 0 || options.n_frames > 100000000 ||
      !(options.seconds > 0 && options.seconds <= 86400) ||
      !(options.warmup_s >= 0 && options.warmup_s <= 3600))
    return refuse ("--frames takes 1 or more, --seconds more than 0, --warmup 0 or more");
  if (options.n_distinct < 1 || options.n_distinct > 1000 || options.lag < 0 ||
      options.lag > 1000 || options.sample_every < 0)
    return refuse ("--distinct takes 1 to 1000, --lag 0 to 1000, --sample-every 0 or more");
  options.devices = g_strsplit (devices, ",", -1);
  for (guint i = 0; options.devices[i] != NULL; i++)
    g_strstrip (options.devices[i]);
  if (options.devices[0] == NULL)
    return refuse ("--device names no device");
  return parse_streams () && parse_video () &&
      parse_word ("--content", content, streams_contents, &options.content) &&
      parse_word ("--memory", memory, streams_memories, &options.memory);
}

/* ---- running ---- */

/* Checks that the element can be made. Sets *has_device if its device can be chosen. */
static gboolean
check_element (gboolean *has_device)
{
  g_autoptr (GError) error = NULL;
  GstElement *bin;
  guint n_devices = 0;

  *has_device = FALSE;
  if (g_str_equal (options.element, "none"))
    return TRUE;
  bin = streams_element_new (options.element, NULL, &n_devices, &error);
  if (bin == NULL) {
    g_printerr ("--element: %s\n", error->message);
    if (g_error_matches (error, GST_PARSE_ERROR, GST_PARSE_ERROR_NO_SUCH_ELEMENT))
      g_printerr ("GStreamer finds the elements of a build folder in `meson devenv -C build`\n");
    return FALSE;
  }
  gst_object_unref (gst_object_ref_sink (bin));
  *has_device = n_devices > 0;
  return TRUE;
}

/* Measures a device with increasing numbers of streams; stops when it fails. */
static gboolean
run_device (const gchar *device, const GPtrArray *made, JsonObject *report)
{
  gboolean ok = TRUE;

  for (guint i = 0; ok && i < options.n_streams->len; i++) {
    const guint n = g_array_index (options.n_streams, guint, i);
    JsonObject *row = bench_report_add (report);

    ok = streams_run (&options, device, n, made, row);
    streams_report_row (&options, row);
    if (!ok)
      g_printerr ("%s, %u streams: %s\n", device != NULL ? device : options.element, n,
          json_object_get_string_member (row, "error"));
  }
  return ok;
}

static gboolean
run_all (gboolean has_device)
{
  g_autoptr (JsonObject) report = NULL;
  g_autoptr (GPtrArray) made = NULL;
  g_autoptr (GError) error = NULL;
  guint most = 0;
  gboolean ok = TRUE;

  for (guint i = 0; i < options.n_streams->len; i++)
    most = MAX (most, g_array_index (options.n_streams, guint, i));
  made = streams_frames_new (&options, most, &error);
  if (made == NULL) {
    g_printerr ("The frames cannot be made: %s\n", error->message);
    return FALSE;
  }
  report = streams_report_begin (&options);
  if (!has_device)
    ok = run_device (NULL, made, report);
  for (guint i = 0; has_device && options.devices[i] != NULL; i++)
    ok = run_device (options.devices[i], made, report) && ok;
  if (!bench_report_write (report, &options.files, &error)) {
    g_printerr ("%s\n", error->message);
    return FALSE;
  }
  return ok;
}

gint
main (gint argc, gchar **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;
  gboolean has_device, ok;

  setlocale (LC_ALL, "");
  /* Programs read the numbers too, so they have no locale-dependent format. */
  setlocale (LC_NUMERIC, "C");
  g_set_prgname ("gst-gles-bench-1.0 streams");
  g_option_context_set_summary (
      context, "Measures an element under several streams in one process.");
  g_option_context_set_description (context, description);
  g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_add_group (context, gst_init_get_option_group ());
  if (!g_option_context_parse (context, &argc, &argv, &error)) {
    g_printerr ("%s\n", error->message);
    return 2;
  }
  if (argc > 1) {
    g_printerr ("\"%s\" means nothing here: put a chain of elements in quotes\n", argv[1]);
    return 2;
  }
  if (show_version) {
    g_print ("gst-gles-bench-1.0 %s\n", VERSION);
    return 0;
  }
  if (!parse_options () || !check_element (&has_device))
    return 2;
  ok = run_all (has_device);
  g_strfreev (options.devices);
  g_array_unref (options.n_streams);
  return ok ? 0 : 1;
}
