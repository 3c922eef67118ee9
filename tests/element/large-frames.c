/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Every format, predicate and channel of glescompact in frames as people have them, validated on
 * the device under test: large-frames WIDTHxHEIGHT [EVERY], of which EVERY leaves out all
 * combinations but every n-th. */
#include <stdio.h>
#include <stdlib.h>

#include "lines.h"

#define N_FRAMES 2

static guint width, height, every = 1, n_run, n_left_out;

/* Validation ends the stream where a result differs. */
static void
run (const gchar *line, const gchar *caps, GstBuffer *const frames[N_FRAMES])
{
  Stream stream;

  stream_init (&stream, line, caps);
  for (guint i = 0; i < N_FRAMES; i++) {
    const GstFlowReturn flow = gst_harness_push (stream.harness, gst_buffer_copy (frames[i]));
    g_autoptr (GstMessage) message =
        gst_bus_pop_filtered (stream.bus, GST_MESSAGE_ERROR | GST_MESSAGE_WARNING);
    g_autofree gchar *said =
        message != NULL ? gst_structure_to_string (gst_message_get_structure (message)) : NULL;

    fail_unless (flow == GST_FLOW_OK && said == NULL, "%s of %s: %s", line, caps, said);
    gst_buffer_unref (gst_harness_pull (stream.harness));
  }
  stream_clear (&stream);
}

static void
run_format (const gchar *format)
{
  static const gchar *const channels[] = { "luma", "0", "1", "2", "3" };
  static const gchar *const predicates[] = { "predicate=threshold unit=percent lower=90",
    "predicate=motion unit=percent lower=60", "predicate=edge unit=percent lower=50",
    "predicate=motion reference=background unit=percent lower=60" };
  g_autofree gchar *caps = g_strdup_printf (
      "video/x-raw,format=%s,width=%u,height=%u,framerate=25/1", format, width, height);
  GstBuffer *frames[N_FRAMES];
  GstVideoInfo info;

  test_info_from_string (&info, caps);
  for (guint i = 0; i < N_FRAMES; i++) {
    frames[i] = test_frame_noise (&info, 3 + i);
    GST_BUFFER_PTS (frames[i]) = i * TEST_FRAME_DURATION;
  }
  for (guint p = 0; p < G_N_ELEMENTS (predicates); p++) {
    for (guint c = 0; c <= MIN (GST_VIDEO_INFO_N_COMPONENTS (&info), 4); c++) {
      g_autofree gchar *line =
          g_strdup_printf ("glescompact validate=true %s channel=%s", predicates[p], channels[c]);

      if ((n_run + n_left_out) % every != 0) {
        n_left_out++;
        continue;
      }
      n_run++;
      run (line, caps, frames);
    }
  }
  for (guint i = 0; i < N_FRAMES; i++)
    gst_buffer_unref (frames[i]);
}

GST_START_TEST (test_large_frames)
{
  g_autoptr (GstElementFactory) factory = gst_element_factory_find ("glescompact");
  GstStaticPadTemplate *pad = gst_element_factory_get_static_pad_templates (factory)->data;
  g_autoptr (GstCaps) caps = gst_static_pad_template_get_caps (pad);
  const GValue *formats = gst_structure_get_value (gst_caps_get_structure (caps, 0), "format");

  for (guint i = 0; i < gst_value_list_get_size (formats); i++)
    run_format (g_value_get_string (gst_value_list_get_value (formats, i)));
  g_print ("%u combinations of format, predicate and channel at %ux%u: none different\n", n_run,
      width, height);
}

GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_test (tcase, test_large_frames);
}

int
main (int argc, char **argv)
{
  if (argc < 2 || sscanf (argv[1], "%ux%u", &width, &height) != 2)
    return 2;
  if (argc > 2)
    every = (guint) atoi (argv[2]);
  return lines_main (argc, argv, add_tests);
}
