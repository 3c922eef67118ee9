/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reports of streams for people and programs: a table of at most 100 columns, and JSON. */
#include "streams.h"

/* The columns of numbers. A member of a member is "outer.inner". */
static const struct {
  const gchar *headings[2], *member;
  gint width, digits;
} columns[] = {
  { { "", "n" }, "streams", 3, 0 },
  { { "frames/s", "all" }, "frames_per_s", 8, 1 },
  { { "", "slowest" }, "slowest_frames_per_s", 7, 1 },
  { { "", "link" }, "link_share", 4, 2 },
  { { "CPU:", "all" }, "cpu_ms_per_frame.total", 6, 3 },
  { { "", "pushing" }, "cpu_ms_per_frame.streaming", 7, 3 },
  { { "", "device" }, "cpu_ms_per_frame.device", 6, 3 },
  { { "", "other" }, "cpu_ms_per_frame.other", 6, 3 },
  { { "latency", "median" }, "latency_ms.median", 7, 3 },
  { { "", "99 %" }, "latency_ms.p99", 7, 3 },
  { { "first", "result" }, "first_result_ms", 6, 1 },
  { { "frames", "copied" }, "frames_copied", 6, 0 },
  { { "im-", "ported" }, "frames_imported", 6, 0 },
};

static void
print_header (void)
{
  for (guint line = 0; line < 2; line++) {
    g_print ("%-8s", line == 0 ? "" : "device");
    for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
      g_print (" %*s", columns[i].width, columns[i].headings[line]);
    g_print ("\n");
  }
}

JsonObject *
streams_report_begin (const StreamsOptions *options)
{
  JsonObject *report = bench_report_new ("gst-gles-bench-1.0");
  g_autofree gchar *gstreamer = gst_version_string ();

  bench_add_text (report, "experiment", "streams");
  bench_add_text (report, "cores", "%u", g_get_num_processors ());
  bench_add_text (report, "gstreamer", "%s", gstreamer);
  bench_add_text (report, "element", "%s", options->element);
  bench_add_text (report, "format", "%s", GST_VIDEO_INFO_NAME (&options->video));
  bench_add_text (report, "size", "%dx%d", GST_VIDEO_INFO_WIDTH (&options->video),
      GST_VIDEO_INFO_HEIGHT (&options->video));
  if (options->input != NULL)
    bench_add_text (report, "content", "%s", options->input);
  else
    bench_add_text (report, "content", "%s, %d frames a stream", streams_contents[options->content],
        options->n_distinct);
  bench_add_text (report, "memory", "%s", streams_memories[options->memory]);
  if (options->unread)
    bench_add_text (report, "results_are", "not read");
  else
    bench_add_text (report, "results_are", "read %d frames later", options->lag);
  if (bench_files_silent (&options->files))
    return report;
  bench_report_print_facts (report);
  g_print (
      "\nFrames per second of all streams and of the slowest, and their share of the link to the "
      "device;\nCPU time of a frame in ms, by threads; ms from the push of a frame to its "
      "results, while all\nstreams run; ms from PLAYING to the first result of the last "
      "stream; frames that the elements\ncopied, and imported, since READY.\n\n");
  print_header ();
  return report;
}

/* Prints a number in a column, with fewer digits than it has if it is too wide. */
static void
print_number (guint column, gdouble number)
{
  gint digits = columns[column].digits;

  while (digits > 0 && g_snprintf (NULL, 0, "%.*f", digits, number) > columns[column].width)
    digits--;
  g_print (" %*.*f", columns[column].width, digits, number);
}

/* Prints a number of @row; "-" where there is none. */
static void
print_cell (JsonObject *row, guint column)
{
  g_auto (GStrv) path = g_strsplit (columns[column].member, ".", 2);
  JsonNode *value = json_object_get_member (row, path[0]);

  if (JSON_NODE_HOLDS_OBJECT (value))
    value = json_object_get_member (json_node_get_object (value), path[1]);
  if (JSON_NODE_HOLDS_NULL (value))
    g_print (" %*s", columns[column].width, "-");
  else
    print_number (column, json_node_get_double (value));
}

static void
print_link (JsonObject *row)
{
  JsonNode *value = json_object_get_member (row, "link_gb_per_s");
  JsonObject *gb;
  g_autofree gchar *words = NULL;

  if (value == NULL || JSON_NODE_HOLDS_NULL (value))
    return;
  gb = json_node_get_object (value);
  words = gst_gles_link_describe (&(GstGlesLink){
      .mapped_read = json_object_get_double_member (gb, "mapped_read") * 1e9,
      .copy = json_object_get_double_member (gb, "copy") * 1e9,
      .readback = json_object_get_double_member (gb, "readback") * 1e9,
      .transfer = json_object_get_double_member (gb, "transfer") * 1e9,
  });
  g_print ("link: %s\n", words);
}

void
streams_report_row (const StreamsOptions *options, JsonObject *row)
{
  static gchar *last; /* the device whose description was printed */
  const gchar *device = json_object_get_string_member (row, "device");
  const gchar *description = json_object_get_string_member (row, "description");

  if (bench_files_silent (&options->files))
    return;
  if (*description != '\0' && g_strcmp0 (last, device) != 0) {
    g_print ("%.20s: %.77s\n", device, description);
    print_link (row);
    g_free (last);
    last = g_strdup (device);
  }
  g_print ("%-8.8s", *device != '\0' ? device : "-");
  if (json_object_get_boolean_member (row, "valid")) {
    for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
      print_cell (row, i);
  } else {
    print_cell (row, 0);
    g_print (" FAILED: %.77s", json_object_get_string_member (row, "error"));
  }
  g_print ("\n");
}
