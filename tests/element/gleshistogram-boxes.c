/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The boxes of gleshistogram: counters and statistics of a fake detector's boxes are those of the
 * samples whose top left luma position lies in the box, with other boxes in every frame. */
#include "config.h"

#include "boxes-frames.h"

#include <math.h>

#if HAVE_ANALYTICS
#include <gst/analytics/analytics.h>
#endif

/* The value at column @x and row @y of a component. */
static guint
read_sample (GstVideoFrame *frame, guint component, gint x, gint y)
{
  const GstVideoFormatInfo *format = frame->info.finfo;
  const guint8 *at = (const guint8 *) GST_VIDEO_FRAME_COMP_DATA (frame, component) +
      y * GST_VIDEO_FRAME_COMP_STRIDE (frame, component) +
      x * GST_VIDEO_FRAME_COMP_PSTRIDE (frame, component);
  const guint depth = GST_VIDEO_FORMAT_INFO_DEPTH (format, component);
  const guint shift = GST_VIDEO_FORMAT_INFO_SHIFT (format, component);
  const guint word = depth + shift > 8 ? GST_READ_UINT16_LE (at) : *at;

  return word >> shift & ((1u << depth) - 1);
}

/* Counts the samples of a component in @box, clipped to the picture, into @counts. */
static void
count (TestStream *stream, GstBuffer *buffer, guint component, const GstGlesBox *box, guint bins,
    guint32 *counts)
{
  const GstVideoFormatInfo *format = stream->info.finfo;
  const guint depth = GST_VIDEO_FORMAT_INFO_DEPTH (format, component);
  GstVideoFrame frame;

  memset (counts, 0, bins * sizeof *counts);
  fail_unless (gst_video_frame_map (&frame, &stream->info, buffer, GST_MAP_READ));
  for (gint y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT (&frame, component); y++) {
    for (gint x = 0; x < GST_VIDEO_FRAME_COMP_WIDTH (&frame, component); x++) {
      const guint left = (guint) x << GST_VIDEO_FORMAT_INFO_W_SUB (format, component);
      const guint top = (guint) y << GST_VIDEO_FORMAT_INFO_H_SUB (format, component);

      if (left >= box->x && left < box->x + box->width && top >= box->y &&
          top < box->y + box->height)
        counts[(guint64) read_sample (&frame, component, x, y) * bins >> depth]++;
    }
  }
  gst_video_frame_unmap (&frame);
}

static void
check_box (TestStream *stream, GstBuffer *buffer, GstGlesHistogramResult *result, guint box)
{
  const GstGlesHistogramInfo *info = gst_gles_histogram_result_get_info (result);
  guint n;
  const GstGlesBox *place = &gst_gles_histogram_result_get_boxes (result, &n)[box];

  for (guint i = 0; i < info->n_channels && !info->channels[i].computed; i++) {
    g_autoptr (GBytes) counts = gst_gles_histogram_result_get_box_counts (result, box, i, NULL);
    g_autofree guint32 *expected = g_new (guint32, 65536);
    GstGlesHistogramStatistics statistics;
    guint64 total = 0, sum = 0;

    count (stream, buffer, i, place, info->bins, expected);
    fail_unless_equals_uint64 (g_bytes_get_size (counts), info->bins * 4);
    fail_unless (memcmp (g_bytes_get_data (counts, NULL), expected, info->bins * 4) == 0);
    fail_unless (gst_gles_histogram_result_get_box_statistics (result, box, i, &statistics, NULL));
    count (stream, buffer, i, place, 1u << info->channels[i].depth, expected);
    for (guint value = 0; value < 1u << info->channels[i].depth; value++) {
      total += expected[value];
      sum += (guint64) expected[value] * value;
    }
    fail_unless_equals_uint64 (statistics.count, total);
    fail_unless (total == 0 || fabs (statistics.mean - (gdouble) sum / (gdouble) total) < 1e-9);
    fail_unless (statistics.difference == 0 && statistics.emd == 0 && statistics.mad == 0);
  }
}

/* Whether @place is the part of @box inside of the picture. */
static gboolean
is_clipped (const GstGlesBox *place, const Box *box)
{
  const gint left = CLAMP (box->x, 0, WIDTH), top = CLAMP (box->y, 0, HEIGHT);

  return place->x == (guint) left && place->y == (guint) top &&
      place->width == (guint) (CLAMP (box->x + box->width, left, WIDTH) - left) &&
      place->height == (guint) (CLAMP (box->y + box->height, top, HEIGHT) - top) &&
      g_str_equal (place->type, box->type);
}

/* Boxes beyond the border, empty ones, ones over each other, and none; deep and shallow channels,
 * interleaved ones, and ones with other depths. */
GST_START_TEST (test_random)
{
  static const struct {
    const gchar *format, *properties;
  } cases[] = { { "I420", "" }, { "NV12", "bins=16" }, { "RGBA", "mad=true" }, { "RGB16", "" },
    { "RGB", "region=<20,0,100,70> grid-columns=3" }, { "I420_10LE", "bins=1024" },
    { "Y444", "expression=hue expression-range=0,359" }, { "GRAY16_LE", "bins=100" } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree gchar *caps = g_strdup_printf (
        "video/x-raw,format=%s,width=%d,height=%d,framerate=25/1", cases[i].format, WIDTH, HEIGHT);
    g_autoptr (TestStream) stream =
        line_stream (caps, "gleshistogram boxes=roi validate=true %s", cases[i].properties);
    g_autoptr (GRand) rand = g_rand_new_with_seed (i + 1);

    for (guint k = 0; k < 8; k++) {
      Box boxes[6];
      const guint n = make_random (rand, boxes);
      g_autoptr (GstBuffer) out = test_stream_push (stream, frame_new (stream, k, boxes, n));
      g_autoptr (GstGlesHistogramResult) result = result_of (out);
      guint n_boxes;
      const GstGlesBox *places = gst_gles_histogram_result_get_boxes (result, &n_boxes);

      fail_unless_equals_int (n_boxes, n);
      fail_unless (gst_gles_histogram_result_get_info (result)->has_boxes);
      for (guint b = 0; b < n; b++) {
        fail_unless (is_clipped (&places[b], &boxes[b]));
        check_box (stream, out, result, b);
      }
    }
  }
}

GST_END_TEST;

/* Luma that is calculated: a box over the whole picture has the frame's counters. */
GST_START_TEST (test_luma)
{
  static const gchar *const formats[] = { "RGBA", "BGR", "RGB16", "I420", "GBR_10LE" };
  static const Box whole = { -3, -3, WIDTH + 9, HEIGHT + 9, "face" };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    g_autofree gchar *caps = g_strdup_printf (
        "video/x-raw,format=%s,width=%d,height=%d,framerate=25/1", formats[i], WIDTH, HEIGHT);
    g_autoptr (TestStream) stream =
        line_stream (caps, "gleshistogram boxes=all channels=luma validate=true");
    g_autoptr (GstBuffer) out = test_stream_push (stream, frame_new (stream, i, &whole, 1));
    g_autoptr (GstGlesHistogramResult) result = result_of (out);
    g_autoptr (GBytes) counts = gst_gles_histogram_result_get_box_counts (result, 0, 0, NULL);
    guint n;
    const guint32 *frame = gst_gles_histogram_result_get_counts (result, 0, 0, &n, NULL);

    fail_unless_equals_uint64 (g_bytes_get_size (counts), n * 4);
    fail_unless (memcmp (g_bytes_get_data (counts, NULL), frame, n * 4) == 0);
  }
}

GST_END_TEST;

/* While playing: other types, none, and again. */
GST_START_TEST (test_types)
{
  static const Box boxes[] = { { 0, 0, 10, 10, "car" }, { 20, 0, 10, 5, "person" },
    { 40, 0, 4, 5, "dog" } };
  static const struct {
    const gchar *boxes, *types;
    guint n;
  } cases[] = { { "all", "", 3 }, { "roi", "car", 1 }, { "roi", "person, dog", 2 },
    { "roi", "cat", 0 }, { "analytics", "", 0 }, { "none", "car", 0 }, { "roi", "car", 1 } };
  g_autoptr (TestStream) stream = line_stream (CAPS, "gleshistogram validate=true");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GstGlesHistogramResult) result = NULL;
    g_autoptr (GstBuffer) out = NULL;
    guint n;

    line_set (stream, "gleshistogram", "boxes", cases[i].boxes);
    line_set (stream, "gleshistogram", "box-type", cases[i].types);
    out = test_stream_push (stream, frame_new (stream, i, boxes, G_N_ELEMENTS (boxes)));
    result = result_of (out);
    gst_gles_histogram_result_get_boxes (result, &n);
    fail_unless_equals_int (n, cases[i].n);
    fail_unless (gst_gles_histogram_result_get_info (result)->has_boxes ==
        !g_str_equal (cases[i].boxes, "none"));
  }
}

GST_END_TEST;

/* The first 256 are counted, the result says that there were more, and a warning says so once. */
GST_START_TEST (test_too_many)
{
  g_autoptr (TestStream) stream =
      line_stream (CAPS, "gleshistogram boxes=roi validate=true post-messages=true");
  Box boxes[MAX_BOXES];

  for (gint i = 0; i < MAX_BOXES; i++)
    boxes[i] = (Box){ 3 * (i % 40), 3 * (i / 40), 2, 2, "car" };
  for (guint i = 0; i < 2; i++) {
    g_autoptr (GstBuffer) out = test_stream_push (stream, frame_new (stream, i, boxes, MAX_BOXES));
    g_autoptr (GstGlesHistogramResult) result = result_of (out);
    const GstGlesHistogramInfo *info = gst_gles_histogram_result_get_info (result);

    fail_unless_equals_int (info->n_boxes, 256);
    fail_unless (info->boxes_truncated);
    check_box (stream, out, result, 0);
    check_box (stream, out, result, 255);
    fail_unless_equals_int (line_count (stream, GST_MESSAGE_WARNING), i == 0);
  }
}

GST_END_TEST;

/* 256 boxes with 65536 counters each are as many as a result may have, those of 4 channels too
 * many. */
GST_START_TEST (test_too_many_counters)
{
  static const struct {
    const gchar *format;
    GstFlowReturn flow;
  } cases[] = { { "GRAY16_LE", GST_FLOW_OK }, { "ARGB64", GST_FLOW_ERROR } };
  Box boxes[256];

  for (gint i = 0; i < 256; i++)
    boxes[i] = (Box){ i % 16, i / 16, 2, 2, "car" };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree gchar *caps = g_strdup_printf (
        "video/x-raw,format=%s,width=%d,height=%d,framerate=25/1", cases[i].format, 32, 32);
    g_autoptr (TestStream) stream = line_stream (caps, "gleshistogram boxes=roi");
    GstBuffer *frame = frame_new (stream, 1, boxes, 256);

    if (cases[i].flow == GST_FLOW_OK) {
      fail_unless_equals_int (line_try_push (stream, frame), GST_FLOW_OK);
    } else {
      g_autoptr (GError) error = line_push_bad (stream, frame, cases[i].flow);

      fail_unless (strstr (error->message, "box-type") != NULL, "%s", error->message);
    }
  }
}

GST_END_TEST;

/* A message has the boxes. */
GST_START_TEST (test_message)
{
  static const Box boxes[] = { { 0, 0, 10, 10, "car" }, { 20, 0, 10, 5, "person" } };
  g_autoptr (TestStream) stream =
      line_stream (CAPS, "gleshistogram boxes=roi channels=luma post-messages=true");
  g_autoptr (GstBuffer) out = test_stream_push (stream, frame_new (stream, 1, boxes, 2));
  g_autoptr (GstGlesHistogramResult) result = result_of (out);
  g_autoptr (GPtrArray) posted = NULL;
  const GstStructure *box, *channel;
  const GValue *list;
  guint64 n = 0;

  fail_unless (gst_gles_histogram_result_wait (result, G_MAXUINT64, NULL));
  for (guint i = 0; i < 500 && (posted == NULL || posted->len == 0); i++) {
    g_clear_pointer (&posted, g_ptr_array_unref);
    posted = line_take_posted (stream);
    g_usleep (10000);
  }
  fail_unless_equals_int (posted->len, 1);
  list = gst_structure_get_value (g_ptr_array_index (posted, 0), "boxes");
  fail_unless_equals_int (gst_value_list_get_size (list), 2);
  box = gst_value_get_structure (gst_value_list_get_value (list, 1));
  fail_unless_equals_string (gst_structure_get_string (box, "type"), "person");
  channel = gst_value_get_structure (gst_structure_get_value (box, "luma"));
  fail_unless (gst_structure_get_uint64 (channel, "count", &n) && n == 50);
}

GST_END_TEST;

#if HAVE_ANALYTICS
GST_START_TEST (test_analytics)
{
  static const Box region = { 100, 0, 10, 10, "car" };
  g_autoptr (TestStream) stream = line_stream (CAPS, "gleshistogram boxes=all validate=true");
  GstBuffer *buffer = frame_new (stream, 1, &region, 1);
  GstAnalyticsRelationMeta *meta = gst_buffer_add_analytics_relation_meta (buffer);
  g_autoptr (GstGlesHistogramResult) result = NULL;
  g_autoptr (GstBuffer) out = NULL;
  GstAnalyticsODMtd found;
  guint n;

  gst_analytics_relation_meta_add_od_mtd (
      meta, g_quark_from_string ("person"), -5, 10, 20, 20, 0.5f, &found);
  out = test_stream_push (stream, buffer);
  result = result_of (out);
  gst_gles_histogram_result_get_boxes (result, &n);
  fail_unless_equals_int (n, 2);
  check_box (stream, out, result, 0);
  check_box (stream, out, result, 1);
}

GST_END_TEST;
#endif

static void
add_tests (TCase *tcase)
{
  tcase_add_test (tcase, test_random);
  tcase_add_test (tcase, test_luma);
  tcase_add_test (tcase, test_types);
  tcase_add_test (tcase, test_too_many);
  tcase_add_test (tcase, test_too_many_counters);
  tcase_add_test (tcase, test_message);
#if HAVE_ANALYTICS
  tcase_add_test (tcase, test_analytics);
#endif
}

LINES_MAIN (add_tests)
