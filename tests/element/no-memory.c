/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Elements in a process without free address space: an error with a message, and streaming
 * continues when there is memory again. */
#include "lines.h"

#include "no-memory.h"
#include "results-samples.h"

#define WIDTH 2000
#define HEIGHT 1000
#define N_POINTS 500000

#define CAPS(format)                                                                               \
  "video/x-raw,format=" #format                                                                    \
  ",width=" G_STRINGIFY (WIDTH) ",height=" G_STRINGIFY (HEIGHT) ",framerate=25/1"

typedef struct {
  const gchar *line, *caps;
  gboolean with_points;
} Case;

static const Case cases[] = {
  /* a line of 9 MB */
  { "glesjson", CAPS (GRAY8), TRUE },
  /* a layer of 8 MB */
  { "glesoverlay", CAPS (I420), TRUE },
  /* the frame before, in 16 bits */
  { "glescompact predicate=motion", CAPS (GRAY16_LE) },
  /* the points */
  { "glescompact lower=0", CAPS (GRAY8) },
  /* the frame before, where counters are small */
  { "gleshistogram mad=true", CAPS (GRAY8) },
  /* tables and counters */
  { "gleshistogram", CAPS (GRAY16_LE) },
  { "glestiles source=points", CAPS (GRAY8), TRUE },
};

static GstBuffer *
new_frame (const Case *c, const GstVideoInfo *info)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, GST_VIDEO_INFO_SIZE (info), NULL);

  gst_buffer_memset (buffer, 0, 77, GST_VIDEO_INFO_SIZE (info));
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
  g_autoptr (TestStream) chain = line_stream (c->caps, "%s", c->line);
  GstBuffer *frame = new_frame (c, &chain->info), *next = new_frame (c, &chain->info);
  g_autoptr (GError) error = NULL;
  GstFlowReturn flow;

  no_memory_begin (0);
  flow = line_try_push (chain, frame);
  no_memory_end ();
  fail_unless_equals_int (flow, GST_FLOW_ERROR);
  error = test_bus_pop_error (chain->bus);
  fail_unless (g_error_matches (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT),
      "%s: %s", c->line, error != NULL ? error->message : "no message");

  gst_buffer_unref (test_stream_push (chain, next));
}

GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_loop_test (tcase, test_no_memory, 0, G_N_ELEMENTS (cases));
}

int
main (int argc, char **argv)
{
  no_memory_init ();
  return lines_main (argc, argv, add_tests);
}
