/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* glesoverlay on frames whose memory layout differs from that of the caps: it draws on the frame or
 * reports what is wrong, and writes nothing else. */
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <gst/video/video.h>

#include <string.h>

#include "results-samples.h"

#define WIDTH 20
#define HEIGHT 40
#define GUARD 4096
#define GUARD_BYTE 0x5a

typedef struct {
  const gchar *format;
  guint width, height; /* of the GstVideoMeta */
  gint strides[GST_VIDEO_MAX_PLANES];
  gsize offsets[GST_VIDEO_MAX_PLANES];
  gsize size; /* of the memory; 0: up to the end of the last plane */
  gsize skip; /* bytes in front of the memory, which move its address */
  gboolean refused;
} Layout;

static const Layout layouts[] = {
  /* what decoders that pad their pictures make */
  { "P010_10LE", 176, 144, { 352, 352 }, { 0, 352 * 144 } },
  { "I420", 32, 48, { 32, 16, 16 }, { 0, 32 * 48, 32 * 48 * 5 / 4 } },
  { "RGBA", 64, 64, { 256 }, { 0 } },
  /* rows that do not begin where vectors of pixels want them to */
  { "RGBA", WIDTH, HEIGHT, { 4 * WIDTH + 1 }, { 0 } },
  { "RGBA", WIDTH, HEIGHT, { 4 * WIDTH + 2 }, { 0 }, 0, 1 },
  { "AYUV", WIDTH, HEIGHT, { 4 * WIDTH }, { 3 } },
  { "ARGB64", WIDTH, HEIGHT, { 8 * WIDTH + 4 }, { 0 } },
  { "P010_10LE", WIDTH, HEIGHT, { 2 * WIDTH + 1, 2 * WIDTH + 1 }, { 0, (2 * WIDTH + 1) * HEIGHT } },
  { "I420", WIDTH, HEIGHT, { WIDTH + 3, WIDTH / 2 + 1, WIDTH / 2 + 5 }, { 0, 1000, 1500 } },
  { "RGB", WIDTH, HEIGHT, { 3 * WIDTH + 1 }, { 1 } },
  /* A meta whose rows are too short for its own width, but long enough for that of the caps. */
  { "P010_10LE", 176, HEIGHT, { 80, 80 }, { 0, 80 * HEIGHT } },
  { "RGBA", 176, HEIGHT, { 4 * WIDTH }, { 0 } },
  /* Rows that are shorter than the picture. */
  { "RGBA", 176, HEIGHT, { 4 * WIDTH - 4 }, { 0 }, 0, 0, TRUE },
  { "I420", 64, HEIGHT, { WIDTH - 1, WIDTH, WIDTH }, { 0, 1000, 1500 }, 0, 0, TRUE },
  { "RGBA", WIDTH, HEIGHT, { -4 * WIDTH }, { 0 }, 8000, 0, TRUE },
  { "RGBA", WIDTH, HEIGHT, { 0 }, { 0 }, 8000, 0, TRUE },
  /* memory that ends before the picture does */
  { "RGBA", WIDTH, HEIGHT, { 4 * WIDTH }, { 0 }, 4 * WIDTH *HEIGHT - 1, 0, TRUE },
  { "RGBA", WIDTH, HEIGHT, { G_MAXINT }, { 0 }, 4 * WIDTH *HEIGHT, 0, TRUE },
  { "I420", WIDTH, HEIGHT, { 20, 10, 10 }, { 0, 800, 1001 }, 1200, 0, TRUE },
  { "I420", WIDTH, HEIGHT, { 20, 10, 10 }, { 0, 800, G_MAXSIZE - 16 }, 1200, 0, TRUE },
  /* smaller than the caps say */
  { "RGBA", WIDTH - 1, HEIGHT, { 4 * WIDTH }, { 0 }, 0, 0, TRUE },
  { "RGBA", WIDTH, HEIGHT - 1, { 4 * WIDTH }, { 0 }, 8000, 0, TRUE },
};

static gsize
memory_size (const Layout *layout, const GstVideoInfo *info)
{
  gsize size = 0;

  if (layout->size > 0)
    return layout->size;
  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (info); i++)
    size = MAX (size,
        layout->offsets[i] +
            (gsize) layout->strides[i] *
                GST_VIDEO_SUB_SCALE (GST_VIDEO_FORMAT_INFO_H_SUB (info->finfo, i), layout->height));
  return size;
}

/* A frame between two guards, which @block holds: (transfer full). */
static GstBuffer *
new_frame (const Layout *layout, const GstVideoInfo *info, gsize size, guint8 *block)
{
  GstBuffer *buffer;

  memset (block, GUARD_BYTE, 2 * GUARD + layout->skip + size);
  for (gsize i = 0; i < size; i++)
    block[GUARD + layout->skip + i] = (guint8) (150 + i % 16);
  buffer = gst_buffer_new_wrapped_full (0, block + GUARD + layout->skip, size, 0, size, NULL, NULL);
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_INFO_FORMAT (info),
      layout->width, layout->height, GST_VIDEO_INFO_N_PLANES (info), (gsize *) layout->offsets,
      (gint *) layout->strides);
  GST_BUFFER_PTS (buffer) = 0;
  return buffer;
}

/* A point in every corner of the caps' picture, and one in the middle. */
static void
add_points (GstBuffer *buffer)
{
  static const GstGlesPoint points[] = { { 0, 0, 1 }, { WIDTH - 1, 0, 1 },
    { WIDTH / 2, HEIGHT / 2, 1 }, { 0, HEIGHT - 1, 1 }, { WIDTH - 1, HEIGHT - 1, 1 } };
  g_autoptr (GstGlesPointsResult) result =
      sample_points_new (WIDTH, HEIGHT, points, G_N_ELEMENTS (points), G_N_ELEMENTS (points));

  gst_buffer_add_gles_points_meta (buffer, result);
}

static void
check_guard (const guint8 *guard, gsize n, const Layout *layout, const gchar *where)
{
  for (gsize i = 0; i < n; i++)
    fail_unless (guard[i] == GUARD_BYTE, "%s, layout %d: byte %" G_GSIZE_FORMAT " %s was written",
        layout->format, (gint) (layout - layouts), i, where);
}

static guint
count_warnings (GstBus *bus)
{
  GstMessage *message;
  guint n = 0;

  for (; (message = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING)) != NULL; n++)
    gst_message_unref (message);
  return n;
}

GST_START_TEST (test_draws_inside_the_frame)
{
  const Layout *layout = &layouts[__i__];
  GstHarness *harness = gst_harness_new_parse ("glesoverlay name=overlay labels=false");
  GstElement *overlay = gst_bin_get_by_name (GST_BIN (harness->element), "overlay");
  g_autofree gchar *caps = g_strdup_printf (
      "video/x-raw,format=%s,width=%d,height=%d,framerate=25/1", layout->format, WIDTH, HEIGHT);
  GstBus *bus = gst_bus_new ();
  g_autofree guint8 *block = NULL;
  g_autoptr (GstMessage) message = NULL;
  g_autoptr (GstStructure) stats = NULL;
  GstBuffer *frame, *drawn;
  guint64 n_skipped;
  GstVideoInfo info;
  GstFlowReturn flow;
  gsize size, n_changed = 0;

  gst_element_set_bus (harness->element, bus);
  gst_video_info_set_format (&info, gst_video_format_from_string (layout->format), WIDTH, HEIGHT);
  size = memory_size (layout, &info);
  block = g_malloc (2 * GUARD + layout->skip + size);
  frame = new_frame (layout, &info, size, block);
  add_points (frame);
  gst_harness_set_src_caps_str (harness, caps);
  /* twice: one warning */
  for (guint i = 0; i < 2; i++) {
    drawn = gst_harness_push_and_pull (harness, gst_buffer_ref (frame));
    fail_unless (drawn != NULL);
    gst_buffer_unref (drawn);
  }
  fail_unless_equals_int (count_warnings (bus), layout->refused ? 1 : 0);
  g_object_get (overlay, "stats", &stats, NULL);
  fail_unless (gst_structure_get_uint64 (stats, "skipped-bad", &n_skipped));
  fail_unless_equals_uint64 (n_skipped, layout->refused ? 2 : 0);
  gst_util_set_object_arg (G_OBJECT (overlay), "on-bad-frame", "error");
  flow = gst_harness_push (harness, frame);
  fail_unless_equals_int (flow, layout->refused ? GST_FLOW_ERROR : GST_FLOW_OK);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  fail_unless_equals_int (message != NULL, layout->refused);
  drawn = gst_harness_try_pull (harness);
  check_guard (block, GUARD + layout->skip, layout, "in front of it");
  check_guard (block + GUARD + layout->skip + size, GUARD, layout, "behind it");
  for (gsize i = 0; i < size; i++)
    n_changed += block[GUARD + layout->skip + i] != (guint8) (150 + i % 16) ? 1 : 0;
  fail_unless_equals_int (n_changed > 0, !layout->refused);
  if (drawn != NULL)
    gst_buffer_unref (drawn);
  /* messages hold their element, which holds the bus */
  gst_bus_set_flushing (bus, TRUE);
  gst_object_unref (overlay);
  gst_harness_teardown (harness);
  gst_object_unref (bus);
}

GST_END_TEST;

/* Draws on a field in a buffer of its own, which ends with its last line, and nowhere else. */
GST_START_TEST (test_draws_inside_a_field)
{
  static const GstGlesPoint points[] = { { 0, 0, 1 }, { WIDTH - 1, HEIGHT / 2 - 1, 1 } };
  static const gchar *const formats[] = { "I420", "RGBA", "v210", "P010_10LE" };
  g_autofree gchar *caps_text = g_strdup_printf (
      "video/x-raw(format:Interlaced),format=%s,width=%d,height=%d,interlace-mode=alternate,"
      "framerate=25/1",
      formats[__i__ / 2], WIDTH, HEIGHT);
  g_autoptr (GstCaps) caps = gst_caps_from_string (caps_text);
  g_autoptr (GstGlesPointsResult) result =
      sample_points_new (WIDTH, HEIGHT / 2, points, G_N_ELEMENTS (points), G_N_ELEMENTS (points));
  GstHarness *harness = gst_harness_new_parse ("glesoverlay labels=false");
  g_autofree guint8 *block = NULL;
  GstBuffer *field;
  GstVideoInfo info;
  gsize size, row;
  guint changed[2] = { 0, 0 };

  fail_unless (gst_video_info_from_caps (&info, caps));
  size = GST_VIDEO_INFO_SIZE (&info);
  row = (gsize) GST_VIDEO_INFO_PLANE_STRIDE (&info, 0);
  block = g_malloc (2 * GUARD + size);
  memset (block, GUARD_BYTE, 2 * GUARD + size);
  memset (block + GUARD, 0, size);
  field = gst_buffer_new_wrapped_full (0, block + GUARD, size, 0, size, NULL, NULL);
  if (__i__ % 2 == 1)
    gst_buffer_add_video_meta_full (field, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_INFO_FORMAT (&info),
        WIDTH, HEIGHT, GST_VIDEO_INFO_N_PLANES (&info), info.offset, info.stride);
  GST_BUFFER_FLAG_SET (field, GST_VIDEO_BUFFER_FLAG_TOP_FIELD);
  gst_buffer_add_gles_points_meta (field, result);
  gst_harness_set_src_caps (harness, g_steal_pointer (&caps));
  field = gst_harness_push_and_pull (harness, field);
  fail_unless (field != NULL);
  for (gsize i = 0; i < GUARD; i++)
    fail_unless (block[i] == GUARD_BYTE && block[GUARD + size + i] == GUARD_BYTE);
  for (gsize i = 0; i < row; i++) {
    changed[0] += block[GUARD + i] != 0;
    changed[1] += block[GUARD + row * (HEIGHT / 2 - 1) + i] != 0;
  }
  fail_unless (changed[0] > 0 && changed[1] > 0, "%s: %u, %u", caps_text, changed[0], changed[1]);
  gst_buffer_unref (field);
  gst_harness_teardown (harness);
}

GST_END_TEST;

/* Rows with an unusual layout get the same pixels as others. */
GST_START_TEST (test_odd_rows_get_the_same_pixels)
{
  static const gchar *const formats[] = { "RGBA", "ARGB64", "v216", "P010_10LE", "UYVY", "v210" };
  guint8 *rows[2] = { NULL, NULL };
  GstVideoInfo info;
  gint stride;

  gst_video_info_set_format (&info, gst_video_format_from_string (formats[__i__]), WIDTH, HEIGHT);
  stride = GST_VIDEO_INFO_PLANE_STRIDE (&info, 0);
  for (guint odd = 0; odd < 2; odd++) {
    GstHarness *harness = gst_harness_new_parse ("glesoverlay");
    gint strides[4] = { stride + (gint) odd, GST_VIDEO_INFO_PLANE_STRIDE (&info, 1) + (gint) odd };
    gsize offsets[4] = { odd, odd + (gsize) strides[0] * HEIGHT };
    GstBuffer *frame =
        gst_buffer_new_allocate (NULL, offsets[1] + (gsize) strides[0] * HEIGHT, NULL);
    g_autoptr (GstCaps) caps = gst_video_info_to_caps (&info);
    GstMapInfo map;

    gst_buffer_memset (frame, 0, 77, gst_buffer_get_size (frame));
    gst_buffer_add_video_meta_full (frame, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_INFO_FORMAT (&info),
        WIDTH, HEIGHT, GST_VIDEO_INFO_N_PLANES (&info), offsets, strides);
    add_points (frame);
    gst_harness_set_src_caps (harness, g_steal_pointer (&caps));
    frame = gst_harness_push_and_pull (harness, frame);
    fail_unless (frame != NULL);
    fail_unless (gst_buffer_map (frame, &map, GST_MAP_READ));
    rows[odd] = g_malloc ((gsize) stride * HEIGHT);
    for (gsize y = 0; y < HEIGHT; y++)
      memcpy (rows[odd] + y * (gsize) stride, map.data + offsets[0] + y * (gsize) strides[0],
          (gsize) stride);
    gst_buffer_unmap (frame, &map);
    gst_buffer_unref (frame);
    gst_harness_teardown (harness);
  }
  fail_unless (memcmp (rows[0], rows[1], (gsize) stride * HEIGHT) == 0);
  g_free (rows[0]);
  g_free (rows[1]);
}

GST_END_TEST;

/* Only time segments have a stream time; byte and frame segments are drawn on without one. */
GST_START_TEST (test_segments_of_other_formats)
{
  static const GstFormat formats[] = { GST_FORMAT_BYTES, GST_FORMAT_DEFAULT, GST_FORMAT_BUFFERS };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    GstHarness *harness = gst_harness_new_parse ("glesoverlay");
    GstBuffer *frame = gst_buffer_new_allocate (NULL, 4 * WIDTH * HEIGHT, NULL);
    g_autoptr (GstCaps) caps =
        gst_caps_from_string ("video/x-raw,format=RGBA,width=20,height=40,framerate=25/1");
    GstSegment segment;

    gst_harness_push_event (harness, gst_event_new_stream_start ("test"));
    gst_harness_push_event (harness, gst_event_new_caps (caps));
    gst_segment_init (&segment, formats[i]);
    gst_harness_push_event (harness, gst_event_new_segment (&segment));
    GST_BUFFER_PTS (frame) = 40 * GST_MSECOND;
    add_points (frame);
    fail_unless_equals_int (gst_pad_push (harness->srcpad, frame), GST_FLOW_OK);
    gst_harness_teardown (harness);
  }
}

GST_END_TEST;

/* A result that claims a picture larger than 16-bit coordinates takes no more memory. */
GST_START_TEST (test_points_of_a_picture_of_any_size)
{
  static const GstGlesPoint points[] = { { 0, 0, 1 }, { 65535, 65535, 1 } };
  GstHarness *harness = gst_harness_new_parse ("glesoverlay");
  g_autoptr (GstGlesPointsResult) result =
      sample_points_new (G_MAXUINT, G_MAXUINT, points, G_N_ELEMENTS (points), 2);
  GstBuffer *frame = gst_buffer_new_allocate (NULL, 4 * WIDTH * HEIGHT, NULL);
  const gint64 start_us = g_get_monotonic_time ();

  gst_harness_set_src_caps_str (
      harness, "video/x-raw,format=RGBA,width=20,height=40,framerate=25/1");
  gst_buffer_memset (frame, 0, 0, 4 * WIDTH * HEIGHT);
  gst_buffer_add_gles_points_meta (frame, result);
  frame = gst_harness_push_and_pull (harness, frame);
  fail_unless (frame != NULL);
  gst_buffer_unref (frame);
  /* four billion spans take ten seconds and more, or more memory than there is */
  fail_unless (g_get_monotonic_time () - start_us < 5 * G_TIME_SPAN_SECOND);
  gst_harness_teardown (harness);
}

GST_END_TEST;

static Suite *
glesoverlay_frames_suite (void)
{
  Suite *suite = suite_create ("glesoverlay-frames");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_loop_test (tcase, test_draws_inside_the_frame, 0, G_N_ELEMENTS (layouts));
  tcase_add_loop_test (tcase, test_draws_inside_a_field, 0, 8);
  tcase_add_loop_test (tcase, test_odd_rows_get_the_same_pixels, 0, 6);
  tcase_add_test (tcase, test_segments_of_other_formats);
  tcase_add_test (tcase, test_points_of_a_picture_of_any_size);
  return suite;
}

GST_CHECK_MAIN (glesoverlay_frames);
