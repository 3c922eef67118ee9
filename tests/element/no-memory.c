/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Elements in a process without free address space: an error with a message, and streaming
 * continues when there is memory again. */
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <gst/video/video.h>

#include "no-memory.h"
#include "results-samples.h"

#define WIDTH 2000
#define HEIGHT 1000
#define N_POINTS 500000

typedef struct {
  const gchar *description;
  const gchar *format;
  gboolean with_points;
} Case;

static const Case cases[] = {
  /* a line of 9 MB */
  { "glesjson", "GRAY8", TRUE },
  /* a layer of 8 MB */
  { "glesoverlay", "I420", TRUE },
  /* the frame before, in 16 bits */
  { "glescompact device=cpu predicate=motion", "GRAY16_LE", FALSE },
  /* the points */
  { "glescompact device=cpu lower=0", "GRAY8", FALSE },
  /* the frame before, where counters are small */
  { "gleshistogram device=cpu mad=true", "GRAY8", FALSE },
  /* tables and counters */
  { "gleshistogram device=cpu", "GRAY16_LE", FALSE },
  { "glestiles device=cpu source=points", "GRAY8", TRUE },
};

static GstBuffer *
new_frame (const Case *c, const GstVideoInfo *info)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, GST_VIDEO_INFO_SIZE (info), NULL);

  gst_buffer_memset (buffer, 0, 77, GST_VIDEO_INFO_SIZE (info));
  GST_BUFFER_PTS (buffer) = 0;
  if (c->with_points) {
    g_autofree GstGlesPoint *points = g_new (GstGlesPoint, N_POINTS);
    g_autoptr (GstGlesPointsResult) result = NULL;

    for (guint i = 0; i < N_POINTS; i++)
      points[i] = (GstGlesPoint){ (guint16) (i % WIDTH), (guint16) (i * 4 / WIDTH), i };
    result = sample_points_new (WIDTH, HEIGHT, points, N_POINTS, N_POINTS);
    gst_buffer_add_gles_points_meta (buffer, result);
  }
  return buffer;
}

GST_START_TEST (test_no_memory)
{
  const Case *c = &cases[__i__];
  GstHarness *harness = gst_harness_new_parse (c->description);
  GstBus *bus = gst_bus_new ();
  g_autofree gchar *caps = g_strdup_printf (
      "video/x-raw,format=%s,width=%d,height=%d,framerate=25/1", c->format, WIDTH, HEIGHT);
  g_autoptr (GstMessage) message = NULL;
  g_autoptr (GError) error = NULL;
  GstBuffer *frame, *next, *out;
  GstVideoInfo info;
  GstFlowReturn flow;

  gst_element_set_bus (harness->element, bus);
  gst_harness_set_src_caps_str (harness, caps);
  gst_video_info_set_format (&info, gst_video_format_from_string (c->format), WIDTH, HEIGHT);
  frame = new_frame (c, &info);
  next = new_frame (c, &info);

  no_memory_begin (0);
  flow = gst_harness_push (harness, frame);
  no_memory_end ();
  fail_unless_equals_int (flow, GST_FLOW_ERROR);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  fail_unless (message != NULL, "%s: no message", c->description);
  gst_message_parse_error (message, &error, NULL);
  fail_unless (g_error_matches (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT),
      "%s: %s", c->description, error->message);

  fail_unless_equals_int (gst_harness_push (harness, next), GST_FLOW_OK);
  out = gst_harness_pull (harness);
  fail_unless (out != NULL);
  gst_buffer_unref (out);
  /* messages hold their element, which holds the bus */
  gst_bus_set_flushing (bus, TRUE);
  gst_harness_teardown (harness);
  gst_object_unref (bus);
}

GST_END_TEST;

static Suite *
no_memory_suite (void)
{
  Suite *suite = suite_create ("no-memory");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_loop_test (tcase, test_no_memory, 0, G_N_ELEMENTS (cases));
  return suite;
}

int
main (int argc, char **argv)
{
  no_memory_init ();
  gst_check_init (&argc, &argv);
  return gst_check_run_suite (no_memory_suite (), "no-memory", __FILE__);
}
