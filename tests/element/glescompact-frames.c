/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames that cannot be read between frames that can, on the device that GLES_TEST_DEVICE names. */
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
stream_init (Stream *stream, const gchar *properties)
{
  g_autofree gchar *line = g_strdup_printf ("glescompact name=it device=%s validate=true %s ! "
                                            "glesregions device=%s ! glestiles device=%s ! "
                                            "glesoverlay",
      test_device (), properties, test_device (), test_device ());

  *stream = (Stream){ gst_harness_new_parse (line), gst_bus_new (), 0 };
  gst_element_set_bus (stream->harness->element, stream->bus);
  gst_harness_set_src_caps_str (stream->harness, CAPS);
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

  stream_init (&stream, properties);
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

static Suite *
glescompact_frames_suite (void)
{
  Suite *suite = suite_create ("glescompact-frames");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_loop_test (tcase, test_bad_frames_are_no_reference, 0, 8);
  return suite;
}

int
main (int argc, char **argv)
{
  return test_main (&argc, &argv, glescompact_frames_suite);
}
