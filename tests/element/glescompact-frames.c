/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames that cannot be read between frames that can, and fields in buffers of their own, on the
 * device that GLES_TEST_DEVICE names. */
#include "gleshistogram-common.h"

#include <string.h>

#include <gst/gles/meta/points.h>
#include <gst/gles/meta/regions.h>
#include <gst/gles/meta/tiles.h>

#define WIDTH 64
#define HEIGHT 16
#define CAPS "video/x-raw,format=GRAY8,width=64,height=16,framerate=25/1"

typedef struct {
  GstHarness *harness;
  GstBus *bus;
  guint64 n_pushed;
} Stream;

static void
stream_init (Stream *stream, const gchar *properties, const gchar *caps)
{
  g_autofree gchar *line = g_strdup_printf ("glescompact name=it device=%s validate=true %s ! "
                                            "glesregions device=%s ! glestiles device=%s ! "
                                            "glesoverlay",
      test_device (), properties, test_device (), test_device ());

  *stream = (Stream){ gst_harness_new_parse (line), gst_bus_new (), 0 };
  gst_element_set_bus (stream->harness->element, stream->bus);
  gst_harness_set_src_caps_str (stream->harness, caps);
}

static void
stream_clear (Stream *stream)
{
  gst_bus_set_flushing (stream->bus, TRUE);
  gst_harness_teardown (stream->harness);
  gst_object_unref (stream->bus);
}

/* A frame of @level with one pixel of @dot. */
static GstBuffer *
new_frame (guint8 level, guint dot)
{
  GstBuffer *frame = gst_buffer_new_allocate (NULL, WIDTH * HEIGHT, NULL);

  gst_buffer_memset (frame, 0, level, WIDTH * HEIGHT);
  gst_buffer_memset (frame, dot, 200, 1);
  return frame;
}

static GstBuffer *
push (Stream *stream, GstBuffer *frame)
{
  GST_BUFFER_PTS (frame) = stream->n_pushed++ * TEST_FRAME_DURATION;
  GST_BUFFER_DURATION (frame) = TEST_FRAME_DURATION;
  frame = gst_harness_push_and_pull (stream->harness, frame);
  fail_unless (frame != NULL);
  return frame;
}

/* Pushes @frame (transfer full), in which @n points pass. */
static void
check_points (Stream *stream, GstBuffer *frame, guint64 number, guint n)
{
  g_autoptr (GstBuffer) out = push (stream, frame);
  g_autoptr (GstGlesPointsResult) points = gst_gles_points_result_from_buffer (out);
  g_autoptr (GstGlesRegionsResult) regions = gst_gles_regions_result_from_buffer (out);

  fail_unless (points != NULL && regions != NULL);
  fail_unless_equals_uint64 (gst_gles_points_result_get_frame_number (points), number);
  fail_unless (gst_gles_points_result_wait (points, G_MAXUINT64, NULL));
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
    GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta (frame);
    gsize offsets[GST_VIDEO_MAX_PLANES] = { 0 };
    gint strides[GST_VIDEO_MAX_PLANES] = { 2 * WIDTH };

    gst_buffer_add_video_meta_full (frame, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_GRAY8,
        2 * WIDTH, HEIGHT, 1, offsets, strides);
    *crop = (GstVideoCropMeta){ crop->meta, 1, 0, WIDTH + 2, HEIGHT };
  }
  return frame;
}

GST_START_TEST (test_bad_frames_are_no_reference)
{
  static const gchar *const references[] = { "previous", "background" };
  g_autofree gchar *properties =
      g_strdup_printf ("predicate=motion lower=1 reference=%s", references[__i__ / 4]);
  Stream stream;

  stream_init (&stream, properties, CAPS);
  check_points (&stream, new_frame (10, 5), 0, 0);
  for (guint i = 0; i < 3; i++) {
    g_autoptr (GstBuffer) out = push (&stream, new_bad_frame (__i__ % 4));

    fail_unless (gst_buffer_get_gles_points_meta (out) == NULL);
    fail_unless (gst_buffer_get_gles_regions_meta (out) == NULL);
    fail_unless (gst_buffer_get_gles_tiles_meta (out) == NULL);
  }
  check_points (&stream, new_frame (10, 7), 1, 2);
  check_points (&stream, new_frame (10, 7), 2, __i__ / 4 == 0 ? 0 : 2);
  stream_clear (&stream);
}

GST_END_TEST;

/* ---- fields ---- */

/* An odd height: each field has nine lines. */
#define FIELD_CAPS                                                                                 \
  "video/x-raw(format:Interlaced),format=GRAY8,width=64,height=17,interlace-mode=alternate,"       \
  "framerate=25/1"
#define FIELD_HEIGHT 9

static GstBuffer *
new_field (guint flags, guint8 level, guint dot)
{
  GstBuffer *frame = new_frame (level, dot);

  gst_buffer_set_size (frame, WIDTH * FIELD_HEIGHT);
  GST_BUFFER_FLAG_SET (frame, flags);
  return frame;
}

/* Of each parity the levels are equal, and one dot moves; fields without a flag are compared with
 * each other. */
GST_START_TEST (test_fields_are_compared_with_their_parity)
{
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
  Stream stream;

  stream_init (&stream, "predicate=motion lower=1 post-messages=true", FIELD_CAPS);
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++) {
    GstBuffer *field = new_field (fields[i].flags, fields[i].level, fields[i].dot);
    g_autoptr (GstGlesRegionsResult) regions = NULL;
    g_autoptr (GstGlesPointsResult) points = NULL;
    g_autoptr (GstGlesTilesResult) tiles = NULL;
    g_autoptr (GstBuffer) out = push (&stream, field);
    guint width, height;

    points = gst_gles_points_result_from_buffer (out);
    regions = gst_gles_regions_result_from_buffer (out);
    tiles = gst_gles_tiles_result_from_buffer (out);
    fail_unless (gst_gles_points_result_wait (points, G_MAXUINT64, NULL));
    fail_unless (gst_gles_points_result_get_total (points) == fields[i].n, "field %u", i);
    gst_gles_points_result_get_size (points, &width, &height);
    fail_unless_equals_int (height, FIELD_HEIGHT);
    fail_unless_equals_int (gst_gles_points_result_get_field (points), fields[i].field);
    fail_unless_equals_int (gst_gles_regions_result_get_field (regions), fields[i].field);
    fail_unless_equals_int (gst_gles_tiles_result_get_field (tiles), fields[i].field);
    gst_gles_tiles_result_get_size (tiles, &width, &height);
    fail_unless_equals_int (height, FIELD_HEIGHT);
  }
  gst_harness_push_event (stream.harness, gst_event_new_eos ());
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++) {
    static const gchar *const names[] = { NULL, "top", "bottom" };
    g_autoptr (GstMessage) message = gst_bus_pop_filtered (stream.bus, GST_MESSAGE_ELEMENT);

    fail_unless (message != NULL);
    fail_unless_equals_string (
        gst_structure_get_string (gst_message_get_structure (message), "field"),
        names[fields[i].field]);
  }
  stream_clear (&stream);
}

GST_END_TEST;

/* A crop counts lines of the frame: rows 4 to 11 are rows 2 to 5 of a field. The meta has the
 * height of the frame, too. */
GST_START_TEST (test_cropped_fields)
{
  GstBuffer *field = new_field (GST_VIDEO_BUFFER_FLAG_TOP_FIELD, 10, 2 * WIDTH + 8);
  GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta (field);
  g_autoptr (GstGlesPointsResult) points = NULL;
  g_autoptr (GstBuffer) out = NULL;
  const GstGlesPoint *point;
  guint n, width, height;
  Stream stream;

  stream_init (&stream, "lower=200 unit=code",
      "video/x-raw(format:Interlaced),format=GRAY8,width=48,height=8,interlace-mode=alternate,"
      "framerate=25/1");
  gst_buffer_add_video_meta (
      field, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_GRAY8, WIDTH, 2 * FIELD_HEIGHT);
  *crop = (GstVideoCropMeta){ crop->meta, 8, 4, 48, 8 };
  out = push (&stream, field);
  points = gst_gles_points_result_from_buffer (out);
  point = gst_gles_points_result_get_points (points, &n, NULL);
  gst_gles_points_result_get_size (points, &width, &height);
  fail_unless (n == 1 && width == 48 && height == 4, "%u points, %ux%u", n, width, height);
  fail_unless (point->x == 0 && point->y == 0, "%u,%u", point->x, point->y);
  stream_clear (&stream);
}

GST_END_TEST;

static Suite *
glescompact_frames_suite (void)
{
  Suite *suite = suite_create ("glescompact-frames");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_loop_test (tcase, test_bad_frames_are_no_reference, 0, 8);
  tcase_add_test (tcase, test_fields_are_compared_with_their_parity);
  tcase_add_test (tcase, test_cropped_fields);
  return suite;
}

int
main (int argc, char **argv)
{
  return test_main (&argc, &argv, glescompact_frames_suite);
}
