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

static StreamsOptions options;
static gchar *element = (gchar *) "gleshistogram", *devices = (gchar *) "auto,cpu,software";
static gchar *streams = (gchar *) "1,2,4,8,16,32", *size = (gchar *) "1080p";
static gchar *format = (gchar *) "I420", *content = (gchar *) "noise", *input;
static gchar *memory = (gchar *) "system";
static gint frames, distinct = 3, lag = 2, sample_every = 8;
static gdouble seconds = 2, warmup = 0.5;
static gboolean unread, show_version;

static const GOptionEntry entries[] = {
  { "element", 'e', 0, G_OPTION_ARG_STRING, &element,
      "An element or a chain; none: nothing (default: gleshistogram)", "E" },
  { "device", 'd', 0, G_OPTION_ARG_STRING, &devices,
      "For all elements with one, in turn (default: auto,cpu,software)", "D,…" },
  { "streams", 'n', 0, G_OPTION_ARG_STRING, &streams, "How many at a time (default: 1,2,4,8,16,32)",
      "N,…" },
  { "size", 's', 0, G_OPTION_ARG_STRING, &size, "WIDTHxHEIGHT, 1080p or 4k (default: 1080p)", "S" },
  { "format", 'f', 0, G_OPTION_ARG_STRING, &format, "Of GStreamer's (default: I420)", "F" },
  { "content", 'c', 0, G_OPTION_ARG_STRING, &content, "noise (the default), ramp, constant", "C" },
  { "distinct", 0, 0, G_OPTION_ARG_INT, &distinct, "Frames of a stream, in turns (default: 3)",
      "N" },
  { "input", 'i', 0, G_OPTION_ARG_FILENAME, &input, "A file of raw frames, instead of those",
      "FILE" },
  { "memory", 'm', 0, G_OPTION_ARG_STRING, &memory,
      "Of the frames: system (the default), device, dmabuf, gl, cuda", "M" },
  { "seconds", 0, 0, G_OPTION_ARG_DOUBLE, &seconds, "Time that is timed (default: 2)", "S" },
  { "frames", 0, 0, G_OPTION_ARG_INT, &frames, "Instead: until each stream has had N", "N" },
  { "warmup", 'w', 0, G_OPTION_ARG_DOUBLE, &warmup, "Seconds before that (default: 0.5)", "S" },
  { "lag", 0, 0, G_OPTION_ARG_INT, &lag, "Frames until results are read (default: 2)", "N" },
  { "unread", 0, 0, G_OPTION_ARG_NONE, &unread, "Nobody reads the results", NULL },
  { "sample-every", 0, 0, G_OPTION_ARG_INT, &sample_every,
      "The latency of each Nth frame; 0: of none (default: 8)", "N" },
  { "json-file", 0, 0, G_OPTION_ARG_FILENAME, &options.json_file, "Writes JSON (-: to stdout)",
      "F" },
  { "csv-file", 0, 0, G_OPTION_ARG_FILENAME, &options.csv_file, "Writes CSV (-: to stdout)", "F" },
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
parse_size (guint *width, guint *height)
{
  static const struct {
    const gchar *name;
    guint width, height;
  } sizes[] = { { "720p", 1280, 720 }, { "1080p", 1920, 1080 }, { "2160p", 3840, 2160 },
    { "4k", 3840, 2160 } };
  g_auto (GStrv) words = g_strsplit (size, "x", 2);
  guint64 w, h;

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    if (g_ascii_strcasecmp (size, sizes[i].name) != 0)
      continue;
    *width = sizes[i].width;
    *height = sizes[i].height;
    return TRUE;
  }
  if (g_strv_length (words) != 2 ||
      !g_ascii_string_to_unsigned (words[0], 10, 1, MAX_SIZE, &w, NULL) ||
      !g_ascii_string_to_unsigned (words[1], 10, 1, MAX_SIZE, &h, NULL)) {
    g_printerr ("--size: \"%s\" is no size such as 640x480, 720p, 1080p or 4k\n", size);
    return FALSE;
  }
  *width = (guint) w;
  *height = (guint) h;
  return TRUE;
}

static gboolean
parse_video (void)
{
  GstVideoFormat video_format = gst_video_format_from_string (format);
  guint width, height;

  if (!parse_size (&width, &height))
    return FALSE;
  if (video_format <= GST_VIDEO_FORMAT_ENCODED ||
      !gst_video_info_set_format (&options.video, video_format, width, height)) {
    g_printerr ("--format: GStreamer has no raw video \"%s\" of that size\n", format);
    return FALSE;
  }
  options.video.fps_n = 30;
  options.video.fps_d = 1;
  return TRUE;
}

static gboolean
parse_content (void)
{
  static const gchar *const names[] = STREAMS_CONTENT_NAMES;

  for (guint i = 0; i < STREAMS_N_CONTENTS; i++) {
    if (g_str_equal (content, names[i])) {
      options.content = i;
      return TRUE;
    }
  }
  g_printerr ("--content: there is no \"%s\": noise, ramp, constant\n", content);
  return FALSE;
}

static gboolean
parse_memory (void)
{
  static const gchar *const names[] = STREAMS_MEMORY_NAMES;

  for (guint i = 0; i < STREAMS_N_MEMORIES; i++) {
    if (g_str_equal (memory, names[i])) {
      options.memory = i;
      return TRUE;
    }
  }
  g_printerr ("--memory: there is no \"%s\": system, device, dmabuf, gl, cuda\n", memory);
  return FALSE;
}

static gboolean
parse_options (void)
{
  if (frames < 0 || frames > 100000000 || !(seconds > 0 && seconds <= 86400) ||
      !(warmup >= 0 && warmup <= 3600))
    return refuse ("--frames takes 1 or more, --seconds more than 0, --warmup 0 or more");
  if (distinct < 1 || distinct > 1000 || lag < 0 || lag > 1000 || sample_every < 0)
    return refuse ("--distinct takes 1 to 1000, --lag 0 to 1000, --sample-every 0 or more");
  options.element = element;
  options.devices = g_strsplit (devices, ",", -1);
  for (guint i = 0; options.devices[i] != NULL; i++)
    g_strstrip (options.devices[i]);
  options.n_frames = frames;
  options.seconds = seconds;
  options.warmup_s = warmup;
  options.n_distinct = distinct;
  options.input = input;
  options.lag = lag;
  options.unread = unread;
  options.sample_every = sample_every;
  if (options.devices[0] == NULL)
    return refuse ("--device names no device");
  return parse_streams () && parse_video () && parse_content () && parse_memory ();
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
  if (g_str_equal (element, "none"))
    return TRUE;
  bin = streams_element_new (element, NULL, &n_devices, &error);
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
run_device (const gchar *device, const GPtrArray *made, GPtrArray *results)
{
  for (guint i = 0; i < options.n_streams->len; i++) {
    StreamsResult *result =
        streams_run (&options, device, g_array_index (options.n_streams, guint, i), made);
    g_ptr_array_add (results, result);
    streams_report_row (&options, result);
    if (result->message != NULL) {
      g_printerr ("%s, %u streams: %s\n", device != NULL ? device : element, result->n_streams,
          result->message);
      return FALSE;
    }
  }
  return TRUE;
}

static gboolean
run_all (gboolean has_device)
{
  g_autoptr (GPtrArray) results =
      g_ptr_array_new_with_free_func ((GDestroyNotify) streams_result_free);
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
  streams_report_header (&options);
  if (!has_device)
    ok = run_device (NULL, made, results);
  for (guint i = 0; has_device && options.devices[i] != NULL; i++)
    ok = run_device (options.devices[i], made, results) && ok;
  if (!streams_report_files (&options, results, &error)) {
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
