/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames that cannot be read between frames that can, and fields in buffers of their own, on the
 * device that GLES_TEST_DEVICE names. */
#include "lines.h"

#include <string.h>

#include <gst/gles/meta/points.h>
#include <gst/gles/meta/regions.h>
#include <gst/gles/meta/tiles.h>

#define WIDTH 64
#define HEIGHT 16
#define LINE "glescompact validate=true %s ! glesregions ! glestiles ! glesoverlay"
#define CAPS "video/x-raw,format=GRAY8,width=64,height=16,framerate=25/1"

/* A frame of @level with one pixel of @dot. */
static GstBuffer *
new_frame (guint8 level, guint dot)
{
  GstBuffer *frame = gst_buffer_new_allocate (NULL, WIDTH * HEIGHT, NULL);

  gst_buffer_memset (frame, 0, level, WIDTH * HEIGHT);
  gst_buffer_memset (frame, dot, 200, 1);
  return frame;
}

/* Pushes a frame of one level, in which @n points pass. */
static void
check_points (TestStream *chain, guint dot, guint64 number, guint n)
{
  g_autoptr (GstBuffer) out = test_stream_push (chain, new_frame (10, dot));
  g_autoptr (GstGlesPointsResult) points = gst_gles_points_result_from_buffer (out);

  fail_unless (points != NULL && gst_buffer_get_gles_regions_meta (out) != NULL);
  fail_unless_equals_uint64 (gst_gles_points_result_get_frame (points)->number, number);
  fail_unless_equals_uint64 (gst_gles_points_result_get_total (points), n);
}

static GstBuffer *
new_bad_frame (guint kind)
{
  GstBuffer *frame = kind == 0 ? gst_buffer_new () : new_frame (50, 3);

  if (kind == 1)
    gst_buffer_resize (frame, 0, WIDTH * HEIGHT - 1);
  if (kind == 2)
    gst_buffer_add_video_meta (
        frame, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_GRAY8, WIDTH, HEIGHT)
        ->stride[0] = WIDTH - 1;
  /* the image that this crop needs is wider than that of the other frames */
  if (kind == 3) {
    gsize offsets[GST_VIDEO_MAX_PLANES] = { 0 };
    gint strides[GST_VIDEO_MAX_PLANES] = { 2 * WIDTH };

    gst_buffer_add_video_meta_full (frame, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_GRAY8,
        2 * WIDTH, HEIGHT, 1, offsets, strides);
    test_frame_crop (frame, 1, 0, WIDTH + 2, HEIGHT);
  }
  return frame;
}

GST_START_TEST (test_bad_frames_are_no_reference)
{
  const gboolean background = __i__ / 4 == 1;
  g_autoptr (TestStream) chain = line_stream (CAPS, LINE,
      background ? "predicate=motion lower=1 reference=background"
                 : "predicate=motion lower=1 reference=previous");

  check_points (chain, 5, 0, 0);
  for (guint i = 0; i < 3; i++) {
    g_autoptr (GstBuffer) out = test_stream_push (chain, new_bad_frame (__i__ % 4));

    fail_unless (gst_buffer_get_gles_points_meta (out) == NULL);
    fail_unless (gst_buffer_get_gles_regions_meta (out) == NULL);
    fail_unless (gst_buffer_get_gles_tiles_meta (out) == NULL);
  }
  check_points (chain, 7, 1, 2);
  check_points (chain, 7, 2, background ? 2 : 0);
}

GST_END_TEST;

/* ---- fields ---- */

/* An odd height: each field has nine lines. */
#define FIELD_CAPS(width, height)                                                                  \
  "video/x-raw(format:Interlaced),format=GRAY8,width=" #width ",height=" #height                   \
  ",interlace-mode=alternate,framerate=25/1"
#define FIELD_HEIGHT 9

static GstBuffer *
new_field (guint flags, guint8 level, guint dot)
{
  GstBuffer *frame = new_frame (level, dot);

  gst_buffer_set_size (frame, WIDTH * FIELD_HEIGHT);
  GST_BUFFER_FLAG_SET (frame, flags);
  return frame;
}

/* Pushes @frame (transfer full): all results on it are of @field and its size. */
static void
check_field (TestStream *chain, GstBuffer *frame, GstGlesField field, guint n)
{
  g_autoptr (GstBuffer) out = test_stream_push (chain, frame);
  g_autoptr (GstGlesPointsResult) points = gst_gles_points_result_from_buffer (out);
  g_autoptr (GstGlesRegionsResult) regions = gst_gles_regions_result_from_buffer (out);
  g_autoptr (GstGlesTilesResult) tiles = gst_gles_tiles_result_from_buffer (out);

  fail_unless_equals_uint64 (gst_gles_points_result_get_total (points), n);
  fail_unless_equals_int (gst_gles_points_result_get_frame (points)->field, field);
  fail_unless_equals_int (gst_gles_regions_result_get_frame (regions)->field, field);
  fail_unless_equals_int (gst_gles_tiles_result_get_frame (tiles)->field, field);
  fail_unless_equals_int (gst_gles_points_result_get_frame (points)->height, FIELD_HEIGHT);
  fail_unless_equals_int (gst_gles_tiles_result_get_frame (tiles)->height, FIELD_HEIGHT);
}

/* Of each parity the levels are equal, and one dot moves; fields without a flag are compared with
 * each other. */
GST_START_TEST (test_fields_are_compared_with_their_parity)
{
  static const gchar *const names[] = { NULL, "top", "bottom" };
  static const struct {
    guint flags;
    guint8 level;
    guint dot;
    guint n; /* points that passed */
    GstGlesField field;
  } fields[] = {
    { GST_VIDEO_BUFFER_FLAG_TOP_FIELD, 10, 5, 0, GST_GLES_FIELD_TOP },
    { GST_VIDEO_BUFFER_FLAG_BOTTOM_FIELD, 90, 5, 0, GST_GLES_FIELD_BOTTOM },
    { GST_VIDEO_BUFFER_FLAG_TOP_FIELD, 10, 5, 0, GST_GLES_FIELD_TOP },
    { GST_VIDEO_BUFFER_FLAG_BOTTOM_FIELD, 90, 8 * WIDTH, 2, GST_GLES_FIELD_BOTTOM },
    { 0, 70, 5, 0, GST_GLES_FIELD_NONE },
    { GST_VIDEO_BUFFER_FLAG_TOP_FIELD, 10, 6, 2, GST_GLES_FIELD_TOP },
    { GST_VIDEO_BUFFER_FLAG_TOP_FIELD, 10, 6, 0, GST_GLES_FIELD_TOP },
    { GST_VIDEO_BUFFER_FLAG_BOTTOM_FIELD, 90, 8 * WIDTH, 0, GST_GLES_FIELD_BOTTOM },
    { 0, 70, 7, 2, GST_GLES_FIELD_NONE },
  };
  g_autoptr (TestStream) chain =
      line_stream (FIELD_CAPS (64, 17), LINE, "predicate=motion lower=1 post-messages=true");

  /* the size of tiles is that of the field then, not that of the points */
  line_set (chain, "glestiles", "source", "roi");
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    check_field (chain, new_field (fields[i].flags, fields[i].level, fields[i].dot),
        fields[i].field, fields[i].n);
  gst_harness_push_event (chain->harness, gst_event_new_eos ());
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++) {
    g_autoptr (GstMessage) message = gst_bus_pop_filtered (chain->bus, GST_MESSAGE_ELEMENT);

    fail_unless (message != NULL);
    fail_unless_equals_string (
        gst_structure_get_string (gst_message_get_structure (message), "field"),
        names[fields[i].field]);
  }
}

GST_END_TEST;

/* A crop counts lines of the frame: rows 4 to 11 are rows 2 to 5 of a field. The meta has the
 * height of the frame, too. */
GST_START_TEST (test_cropped_fields)
{
  GstBuffer *field = new_field (GST_VIDEO_BUFFER_FLAG_TOP_FIELD, 10, 2 * WIDTH + 8);
  g_autoptr (TestStream) chain = line_stream (FIELD_CAPS (48, 8), LINE, "lower=200 unit=code");
  g_autoptr (GstGlesPointsResult) points = NULL;
  g_autoptr (GstBuffer) out = NULL;
  const GstGlesPointsInfo *info;
  const GstGlesPoint *point;
  guint n, width, height;

  gst_buffer_add_video_meta (
      field, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_GRAY8, WIDTH, 2 * FIELD_HEIGHT);
  test_frame_crop (field, 8, 4, 48, 8);
  out = test_stream_push (chain, field);
  points = gst_gles_points_result_from_buffer (out);
  point = gst_gles_points_result_get_points (points, &n, NULL);
  width = gst_gles_points_result_get_frame (points)->width;
  height = gst_gles_points_result_get_frame (points)->height;
  fail_unless (n == 1 && width == 48 && height == 4, "%u points, %ux%u", n, width, height);
  fail_unless (point->x == 0 && point->y == 0, "%u,%u", point->x, point->y);
  info = gst_gles_points_result_get_info (points);
  fail_unless (info->x == 0 && info->y == 0, "region at %u,%u", info->x, info->y);
  fail_unless (info->region_width == 48 && info->region_height == 4);
}

GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_loop_test (tcase, test_bad_frames_are_no_reference, 0, 8);
  tcase_add_test (tcase, test_fields_are_compared_with_their_parity);
  tcase_add_test (tcase, test_cropped_fields);
}

LINES_MAIN (add_tests)
