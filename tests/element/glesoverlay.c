/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* glesoverlay: what is drawn and where, what is left alone, attaching and blending. */
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <gst/video/video.h>

#include <string.h>

#include <gst/gles/meta/regions.h>

#include "results-samples.h"

typedef struct {
  guint left, top, right, bottom; /* of what changed; right and bottom exclusive */
  guint n;
} Changed;

static GstHarness *
new_harness (const gchar *description, const gchar *format, guint width, guint height)
{
  GstHarness *harness = gst_harness_new_parse (description);
  g_autofree gchar *caps = g_strdup_printf (
      "video/x-raw,format=%s,width=%u,height=%u,framerate=25/1", format, width, height);

  ck_assert (harness != NULL);
  gst_harness_set_src_caps_str (harness, caps);
  return harness;
}

/* A picture with some structure: no drawing is invisible on it. */
static GstBuffer *
new_frame (const gchar *format, guint width, guint height)
{
  GstVideoInfo info;
  GstMapInfo map;
  GstBuffer *buffer;

  ck_assert (
      gst_video_info_set_format (&info, gst_video_format_from_string (format), width, height));
  buffer = gst_buffer_new_allocate (NULL, GST_VIDEO_INFO_SIZE (&info), NULL);
  gst_buffer_map (buffer, &map, GST_MAP_WRITE);
  for (gsize i = 0; i < map.size; i++)
    map.data[i] = (guint8) (150 + i % 16);
  gst_buffer_unmap (buffer, &map);
  GST_BUFFER_PTS (buffer) = 0;
  return buffer;
}

/* Where the first plane of two frames differs. */
static Changed
compare (const gchar *format, guint width, guint height, GstBuffer *before, GstBuffer *after)
{
  Changed changed = { width, height, 0, 0, 0 };
  GstVideoInfo info;
  GstVideoFrame a, b;

  gst_video_info_set_format (&info, gst_video_format_from_string (format), width, height);
  ck_assert (gst_video_frame_map (&a, &info, before, GST_MAP_READ));
  ck_assert (gst_video_frame_map (&b, &info, after, GST_MAP_READ));
  const gsize pixel = (gsize) GST_VIDEO_FRAME_COMP_PSTRIDE (&a, 0);
  for (guint y = 0; y < height; y++) {
    const guint8 *row_a = (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&a, 0) +
        y * (gsize) GST_VIDEO_FRAME_PLANE_STRIDE (&a, 0);
    const guint8 *row_b = (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&b, 0) +
        y * (gsize) GST_VIDEO_FRAME_PLANE_STRIDE (&b, 0);

    for (guint x = 0; x < width; x++) {
      if (memcmp (row_a + x * pixel, row_b + x * pixel, pixel) == 0)
        continue;
      changed.left = MIN (changed.left, x);
      changed.top = MIN (changed.top, y);
      changed.right = MAX (changed.right, x + 1);
      changed.bottom = MAX (changed.bottom, y + 1);
      changed.n++;
    }
  }
  gst_video_frame_unmap (&a);
  gst_video_frame_unmap (&b);
  return changed;
}

/* Pushes a frame and returns what was drawn on it. */
static Changed
draw (GstHarness *harness, const gchar *format, guint width, guint height)
{
  GstBuffer *before = new_frame (format, width, height);
  GstBuffer *after = gst_harness_push_and_pull (harness, gst_buffer_copy_deep (before));
  Changed changed;

  ck_assert (after != NULL);
  changed = compare (format, width, height, before, after);
  gst_buffer_unref (before);
  gst_buffer_unref (after);
  return changed;
}

#define HISTOGRAM "gleshistogram device=cpu ! glesoverlay "

static const gchar *const formats[] = { "I420", "NV12", "YUY2", "AYUV", "BGRx", "RGBA", "RGB",
  "GRAY8" };

GST_START_TEST (test_blends_into_formats)
{
  GstHarness *harness = new_harness (HISTOGRAM, formats[__i__], 640, 480);
  const Changed changed = draw (harness, formats[__i__], 640, 480);

  /* The panel is in its corner and no larger than that. */
  ck_assert_uint_gt (changed.n, 5000);
  ck_assert_uint_lt (changed.right, 400);
  ck_assert_uint_gt (changed.top, 240);
  gst_harness_teardown (harness);
}
GST_END_TEST

GST_START_TEST (test_positions)
{
  static const gchar *const names[] = { "top-left", "top-right", "bottom-left", "bottom-right" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree gchar *description = g_strconcat (HISTOGRAM "position=", names[i], NULL);
    GstHarness *harness = new_harness (description, "BGRx", 800, 600);
    const Changed changed = draw (harness, "BGRx", 800, 600);

    ck_assert_uint_gt (changed.n, 5000);
    ck_assert_msg (i % 2 == 0 ? changed.right < 400 : changed.left >= 400, "%s", names[i]);
    ck_assert_msg (i < 2 ? changed.bottom < 300 : changed.top >= 300, "%s", names[i]);
    gst_harness_teardown (harness);
  }
}
GST_END_TEST

/* Text and panel grow with the picture, slower than it does. */
GST_START_TEST (test_scales)
{
  GstHarness *harness = new_harness (HISTOGRAM, "GRAY8", 854, 480);
  const Changed small = draw (harness, "GRAY8", 854, 480);
  gdouble ratio;

  gst_harness_set_src_caps_str (
      harness, "video/x-raw,format=GRAY8,width=3840,height=2160,framerate=25/1");
  const Changed large = draw (harness, "GRAY8", 3840, 2160);
  ratio = (gdouble) (large.right - large.left) / (small.right - small.left);
  ck_assert (ratio > 2.5 && ratio < 4.5);
  gst_harness_teardown (harness);
}
GST_END_TEST

GST_START_TEST (test_tiny_frames)
{
  static const guint sizes[][2] = { { 1, 1 }, { 2, 2 }, { 16, 16 }, { 1, 300 }, { 300, 1 },
    { 17, 9 }, { 500, 20 }, { 40, 1000 }, { 230, 130 } };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    GstHarness *harness = new_harness (HISTOGRAM, "BGRx", sizes[i][0], sizes[i][1]);

    ck_assert_uint_gt (draw (harness, "BGRx", sizes[i][0], sizes[i][1]).n, 0);
    gst_harness_teardown (harness);
  }
}
GST_END_TEST

GST_START_TEST (test_opacity)
{
  GstHarness *harness = new_harness (HISTOGRAM "name=overlay opacity=0", "I420", 320, 240);
  g_autoptr (GstElement) overlay = gst_bin_get_by_name (GST_BIN (harness->element), "overlay");
  GstBuffer *before = new_frame ("I420", 320, 240), *half, *full;
  GstVideoInfo info;
  GstMapInfo a, b, c;
  guint64 half_sum = 0, full_sum = 0;

  ck_assert_uint_eq (draw (harness, "I420", 320, 240).n, 0);
  g_object_set (overlay, "opacity", 0.5, NULL);
  half = gst_harness_push_and_pull (harness, gst_buffer_copy_deep (before));
  g_object_set (overlay, "opacity", 1.0, NULL);
  full = gst_harness_push_and_pull (harness, gst_buffer_copy_deep (before));
  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_I420, 320, 240);
  gst_buffer_map (before, &a, GST_MAP_READ);
  gst_buffer_map (half, &b, GST_MAP_READ);
  gst_buffer_map (full, &c, GST_MAP_READ);
  for (gsize i = 0; i < 320 * 240; i++) {
    half_sum += (guint64) ABS (a.data[i] - b.data[i]);
    full_sum += (guint64) ABS (a.data[i] - c.data[i]);
  }
  gst_buffer_unmap (before, &a);
  gst_buffer_unmap (half, &b);
  gst_buffer_unmap (full, &c);
  ck_assert_uint_gt (half_sum, full_sum * 45 / 100);
  ck_assert_uint_lt (half_sum, full_sum * 55 / 100);
  gst_buffer_unref (before);
  gst_buffer_unref (half);
  gst_buffer_unref (full);
  gst_harness_teardown (harness);
}
GST_END_TEST

GST_START_TEST (test_nothing_to_draw)
{
  static const gchar *const descriptions[] = { "glesoverlay", HISTOGRAM "histogram=false",
    "gleshistogram device=cpu attach-meta=false ! glesoverlay" };

  for (guint i = 0; i < G_N_ELEMENTS (descriptions); i++) {
    GstHarness *harness = new_harness (descriptions[i], "NV12", 64, 48);
    GstBuffer *buffer = new_frame ("NV12", 64, 48), *after;
    GstMemory *memory = gst_buffer_peek_memory (buffer, 0);

    after = gst_harness_push_and_pull (harness, buffer);
    /* the very memory: not even copied */
    ck_assert_ptr_eq (gst_buffer_peek_memory (after, 0), memory);
    gst_buffer_unref (after);
    ck_assert_uint_eq (draw (harness, "NV12", 64, 48).n, 0);
    gst_harness_teardown (harness);
  }
}
GST_END_TEST

/* Labels off, there is nothing but curves; on, more pixels are bright. */
GST_START_TEST (test_labels)
{
  GstHarness *with = new_harness (HISTOGRAM, "GRAY8", 640, 480);
  GstHarness *without = new_harness (HISTOGRAM "labels=false", "GRAY8", 640, 480);

  ck_assert_uint_gt (
      draw (with, "GRAY8", 640, 480).n, draw (without, "GRAY8", 640, 480).n * 12 / 10);
  gst_harness_teardown (with);
  gst_harness_teardown (without);
}
GST_END_TEST

/* Properties follow the stream's time; a buffer without one is drawn on all the same. */
GST_START_TEST (test_no_timestamp)
{
  GstHarness *harness = new_harness (HISTOGRAM, "GRAY8", 64, 48);
  GstBuffer *buffer = new_frame ("GRAY8", 64, 48);

  GST_BUFFER_PTS (buffer) = GST_CLOCK_TIME_NONE;
  buffer = gst_harness_push_and_pull (harness, buffer);
  ck_assert (buffer != NULL);
  gst_buffer_unref (buffer);
  gst_harness_teardown (harness);
}
GST_END_TEST

/* ---- points ---- */

/* What is drawn of @points, which were found in a picture of 64x48, on a frame of @width x
 * @height. */
static Changed
draw_points (
    const gchar *description, guint width, guint height, const GstGlesPoint *points, guint n)
{
  GstHarness *harness = new_harness (description, "GRAY8", width, height);
  g_autoptr (GstGlesPointsResult) result = sample_points_new (64, 48, points, n, n);
  GstBuffer *before = new_frame ("GRAY8", width, height), *after;
  Changed changed;

  after = gst_buffer_copy_deep (before);
  gst_buffer_add_gles_points_meta (after, result);
  after = gst_harness_push_and_pull (harness, after);
  changed = compare ("GRAY8", width, height, before, after);
  gst_buffer_unref (before);
  gst_buffer_unref (after);
  gst_harness_teardown (harness);
  return changed;
}

static const GstGlesPoint corners[] = { { 3, 2, 200 }, { 60, 2, 30 }, { 3, 45, 90 } };

GST_START_TEST (test_points_are_where_they_were_found)
{
  const Changed same = draw_points ("glesoverlay labels=false", 64, 48, corners, 3);
  const Changed larger = draw_points ("glesoverlay labels=false", 640, 480, corners, 3);
  const Changed smaller = draw_points ("glesoverlay labels=false", 16, 12, corners, 3);

  ck_assert_uint_eq (same.n, 3);
  ck_assert (same.left == 3 && same.top == 2 && same.right == 61 && same.bottom == 46);
  /* a pixel of the analysed picture covers ten times ten */
  ck_assert_uint_eq (larger.n, 300);
  ck_assert (larger.left == 30 && larger.top == 20 && larger.right == 610 && larger.bottom == 460);
  ck_assert_uint_eq (smaller.n, 3);
  ck_assert (smaller.right == 16 && smaller.bottom == 12);
}
GST_END_TEST

GST_START_TEST (test_points_can_be_left_out)
{
  ck_assert_uint_eq (draw_points ("glesoverlay points=false", 640, 480, corners, 3).n, 0);
  ck_assert_uint_eq (draw_points ("glesoverlay labels=false", 640, 480, NULL, 0).n, 0);
  /* Numbers are drawn if there is enough space. */
  ck_assert_uint_gt (draw_points ("glesoverlay", 640, 480, NULL, 0).n, 500);
}
GST_END_TEST

/* Points that do not fit the size that the result records end at the edge, and write nowhere
 * else. */
GST_START_TEST (test_points_outside)
{
  static const GstGlesPoint outside[] = { { 64, 48, 1 }, { 65535, 65535, 1 } };
  const Changed changed = draw_points ("glesoverlay labels=false", 64, 48, outside, 2);

  ck_assert_uint_eq (changed.n, 1);
  ck_assert (changed.left == 63 && changed.top == 47);
}
GST_END_TEST

/* ---- tiles ---- */

static Changed
draw_tiles (const gchar *description, guint width, guint height)
{
  GstHarness *harness = new_harness (description, "GRAY8", width, height);
  g_autoptr (GstGlesTilesResult) result = sample_tiles (3);
  GstBuffer *before = new_frame ("GRAY8", width, height), *after;
  Changed changed;

  after = gst_buffer_copy_deep (before);
  gst_buffer_add_gles_tiles_meta (after, result);
  after = gst_harness_push_and_pull (harness, after);
  changed = compare ("GRAY8", width, height, before, after);
  gst_buffer_unref (before);
  gst_buffer_unref (after);
  gst_harness_teardown (harness);
  return changed;
}

/* Of 4x3 tiles of 16x16 the second and the last have entries. */
GST_START_TEST (test_tiles_are_where_they_are)
{
  const Changed same = draw_tiles ("glesoverlay labels=false", 64, 48);
  const Changed larger = draw_tiles ("glesoverlay labels=false", 640, 480);

  ck_assert_uint_eq (same.n, 2 * 16 * 16);
  ck_assert (same.left == 16 && same.top == 0 && same.right == 64 && same.bottom == 48);
  ck_assert_uint_eq (larger.n, 2 * 160 * 160);
  ck_assert (larger.left == 160 && larger.top == 0 && larger.right == 640 && larger.bottom == 480);
  ck_assert_uint_eq (draw_tiles ("glesoverlay tiles=false", 640, 480).n, 0);
  ck_assert_uint_gt (draw_tiles ("glesoverlay", 640, 480).n, larger.n + 500);
}
GST_END_TEST

/* All elements in a row, through a scaler: points stay where they were found. */
GST_START_TEST (test_real_results)
{
  GstHarness *harness = new_harness ("glescompact device=cpu lower=200 ! glestiles device=cpu ! "
                                     "videoscale method=nearest-neighbour ! "
                                     "video/x-raw,width=640,height=480 ! glesoverlay labels=false",
      "GRAY8", 64, 48);
  GstBuffer *buffer = new_frame ("GRAY8", 64, 48), *scaled;
  Changed changed;
  GstMapInfo map;

  /* one pixel that passes, at 20, 30 */
  gst_buffer_map (buffer, &map, GST_MAP_WRITE);
  map.data[30 * 64 + 20] = 240;
  gst_buffer_unmap (buffer, &map);
  scaled = gst_buffer_new_allocate (NULL, 640 * 480, NULL);
  gst_buffer_map (scaled, &map, GST_MAP_WRITE);
  for (guint y = 0; y < 480; y++)
    for (guint x = 0; x < 640; x++)
      map.data[y * 640 + x] =
          x / 10 == 20 && y / 10 == 30 ? 240 : (guint8) (150 + (y / 10 * 64 + x / 10) % 16);
  gst_buffer_unmap (scaled, &map);
  buffer = gst_harness_push_and_pull (harness, buffer);
  ck_assert (buffer != NULL);
  changed = compare ("GRAY8", 640, 480, scaled, buffer);
  /* the tile of 16x16 that it is in, ten times as large */
  ck_assert_uint_eq (changed.n, 160 * 160);
  ck_assert (changed.left == 160 && changed.top == 160);
  gst_buffer_unref (scaled);
  gst_buffer_unref (buffer);
  gst_harness_teardown (harness);
}
GST_END_TEST

/* ---- attaching ---- */

static gboolean
has_feature (GstHarness *harness)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (harness->sinkpad);

  return gst_caps_features_contains (
      gst_caps_get_features (caps, 0), GST_CAPS_FEATURE_META_GST_VIDEO_OVERLAY_COMPOSITION);
}

GST_START_TEST (test_attaches_where_downstream_composes)
{
  GstHarness *harness = gst_harness_new_parse (HISTOGRAM);
  GstBuffer *before = new_frame ("I420", 320, 240), *after;
  GstVideoOverlayCompositionMeta *meta;
  GstVideoOverlayRectangle *rectangle;
  gint x, y;
  guint width, height;

  gst_harness_add_propose_allocation_meta (
      harness, GST_VIDEO_OVERLAY_COMPOSITION_META_API_TYPE, NULL);
  gst_harness_set_src_caps_str (
      harness, "video/x-raw,format=I420,width=320,height=240,framerate=25/1");
  after = gst_harness_push_and_pull (harness, gst_buffer_copy_deep (before));
  ck_assert (has_feature (harness));
  ck_assert_uint_eq (compare ("I420", 320, 240, before, after).n, 0);
  meta = gst_buffer_get_video_overlay_composition_meta (after);
  ck_assert (meta != NULL);
  ck_assert_uint_eq (gst_video_overlay_composition_n_rectangles (meta->overlay), 1);
  rectangle = gst_video_overlay_composition_get_rectangle (meta->overlay, 0);
  gst_video_overlay_rectangle_get_render_rectangle (rectangle, &x, &y, &width, &height);
  ck_assert (x >= 0 && y >= 0 && x + width <= 320 && y + height <= 240);
  gst_buffer_unref (before);
  gst_buffer_unref (after);
  gst_harness_teardown (harness);
}
GST_END_TEST

/* A sink that takes any caps but does not announce compositions gets a picture with everything
 * drawn on it. */
GST_START_TEST (test_blends_where_downstream_does_not)
{
  GstHarness *harness = new_harness (HISTOGRAM, "I420", 320, 240);

  ck_assert_uint_gt (draw (harness, "I420", 320, 240).n, 0);
  ck_assert (!has_feature (harness));
  gst_harness_teardown (harness);
}
GST_END_TEST

/* What was attached upstream stays, in front of ours. */
GST_START_TEST (test_keeps_compositions)
{
  GstHarness *analyser = new_harness ("gleshistogram device=cpu", "I420", 320, 240);
  GstHarness *harness = gst_harness_new ("glesoverlay");
  GstBuffer *buffer = gst_harness_push_and_pull (analyser, new_frame ("I420", 320, 240));
  GstBuffer *pixels = gst_buffer_new_allocate (NULL, 4 * 4 * 4, NULL);
  GstVideoOverlayRectangle *rectangle;
  GstVideoOverlayComposition *composition;
  GstVideoOverlayCompositionMeta *meta;

  gst_harness_set_src_caps_str (harness,
      "video/x-raw(memory:SystemMemory,meta:GstVideoOverlayComposition),"
      "format=I420,width=320,height=240,framerate=25/1");
  gst_buffer_memset (pixels, 0, 255, 64);
  gst_buffer_add_video_meta (
      pixels, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_OVERLAY_COMPOSITION_FORMAT_RGB, 4, 4);
  rectangle =
      gst_video_overlay_rectangle_new_raw (pixels, 1, 2, 4, 4, GST_VIDEO_OVERLAY_FORMAT_FLAG_NONE);
  composition = gst_video_overlay_composition_new (rectangle);
  gst_buffer_add_video_overlay_composition_meta (buffer, composition);
  buffer = gst_harness_push_and_pull (harness, buffer);
  meta = gst_buffer_get_video_overlay_composition_meta (buffer);
  ck_assert_uint_eq (gst_video_overlay_composition_n_rectangles (meta->overlay), 2);
  ck_assert_uint_eq (gst_video_overlay_composition_n_rectangles (composition), 1);
  gst_video_overlay_composition_unref (composition);
  gst_video_overlay_rectangle_unref (rectangle);
  gst_buffer_unref (pixels);
  gst_buffer_unref (buffer);
  gst_harness_teardown (analyser);
  gst_harness_teardown (harness);
}
GST_END_TEST

/* Frames go on without the result, and one warning is posted. */
GST_START_TEST (test_no_readback)
{
  GstHarness *harness =
      new_harness ("gleshistogram device=cpu readback=false ! glesoverlay", "I420", 64, 48);
  GstBus *bus = gst_bus_new ();
  guint warnings = 0;
  GstMessage *message;

  gst_element_set_bus (harness->element, bus);
  for (guint i = 0; i < 3; i++)
    ck_assert_uint_eq (draw (harness, "I420", 64, 48).n, 0);
  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING)) != NULL) {
    warnings++;
    gst_message_unref (message);
  }
  ck_assert_uint_eq (warnings, 1);
  gst_element_set_bus (harness->element, NULL);
  gst_object_unref (bus);
  gst_harness_teardown (harness);
}
GST_END_TEST

/* ---- boxes ---- */

/* One region of a picture of 128x96, on a frame of half the size. */
static GstGlesRegionsResult *
sample_region (void)
{
  static const GstGlesRegion region = {
    .left = 20, .top = 24, .right = 59, .bottom = 63, .pixels = 1000
  };
  const GstGlesRegionsInfo info = { .width = 128, .height = 96, .label = "car" };
  const GstGlesResult counted = { 1, 1, 0 };
  g_autoptr (GstGlesReadback) readback =
      gst_gles_readback_new_counted (&counted, g_bytes_new (&region, sizeof region));

  return gst_gles_regions_result_new (&info, NULL, NULL, readback);
}

static Changed
draw_boxes (const gchar *description, gboolean region, const gchar *interest)
{
  GstHarness *harness = new_harness (description, "GRAY8", 64, 48);
  GstBuffer *before = new_frame ("GRAY8", 64, 48), *after = gst_buffer_copy_deep (before);
  Changed changed;

  if (region) {
    g_autoptr (GstGlesRegionsResult) result = sample_region ();
    gst_buffer_add_gles_regions_meta (after, result);
  }
  if (interest != NULL)
    gst_buffer_add_video_region_of_interest_meta (after, interest, 40, 30, 8, 9);
  after = gst_harness_push_and_pull (harness, after);
  changed = compare ("GRAY8", 64, 48, before, after);
  gst_buffer_unref (before);
  gst_buffer_unref (after);
  gst_harness_teardown (harness);
  return changed;
}

/* An edge around the region and nothing in it, a pixel beyond it at the most. */
GST_START_TEST (test_boxes_are_where_regions_are)
{
  Changed changed = draw_boxes ("glesoverlay labels=false", TRUE, NULL);

  ck_assert_uint_ge (changed.left, 9);
  ck_assert_uint_le (changed.left, 10);
  ck_assert_uint_ge (changed.top, 11);
  ck_assert_uint_le (changed.top, 12);
  ck_assert_uint_ge (changed.right, 30);
  ck_assert_uint_le (changed.right, 31);
  ck_assert_uint_ge (changed.bottom, 32);
  ck_assert_uint_le (changed.bottom, 33);
  ck_assert_uint_lt (changed.n, 250);
  ck_assert_uint_gt (draw_boxes ("glesoverlay", TRUE, NULL).n, changed.n);
  ck_assert_uint_eq (draw_boxes ("glesoverlay regions=false", TRUE, NULL).n, 0);
}
GST_END_TEST

GST_START_TEST (test_boxes_of_others)
{
  Changed changed = draw_boxes ("glesoverlay labels=false", FALSE, "face");

  ck_assert_uint_ge (changed.left, 39);
  ck_assert_uint_le (changed.left, 40);
  ck_assert_uint_ge (changed.bottom, 39);
  ck_assert_uint_le (changed.bottom, 40);
  ck_assert_uint_eq (draw_boxes ("glesoverlay roi=false", FALSE, "face").n, 0);
}
GST_END_TEST

/* A label that is too long ended within a character, or was Latin-1: cairo drew nothing any more,
 * the labels of other boxes included. */
GST_START_TEST (test_labels_of_any_bytes)
{
  static const gchar *const labels[] = { "aéééééééééééééééééééééééééééééééééééééééé", "caf\xe9" };
  const guint n_plain = draw_boxes ("glesoverlay labels=false", TRUE, "face").n;
  const guint n_region = draw_boxes ("glesoverlay", TRUE, NULL).n;

  for (guint i = 0; i < G_N_ELEMENTS (labels); i++) {
    ck_assert_uint_gt (draw_boxes ("glesoverlay", FALSE, labels[i]).n, n_plain);
    ck_assert_uint_gt (draw_boxes ("glesoverlay", TRUE, labels[i]).n, n_region);
  }
}
GST_END_TEST

static Suite *
overlay_suite (void)
{
  Suite *suite = suite_create ("glesoverlay");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_set_timeout (tcase, 60);
  tcase_add_loop_test (tcase, test_blends_into_formats, 0, G_N_ELEMENTS (formats));
  tcase_add_test (tcase, test_positions);
  tcase_add_test (tcase, test_scales);
  tcase_add_test (tcase, test_tiny_frames);
  tcase_add_test (tcase, test_opacity);
  tcase_add_test (tcase, test_nothing_to_draw);
  tcase_add_test (tcase, test_labels);
  tcase_add_test (tcase, test_no_timestamp);
  tcase_add_test (tcase, test_points_are_where_they_were_found);
  tcase_add_test (tcase, test_points_can_be_left_out);
  tcase_add_test (tcase, test_points_outside);
  tcase_add_test (tcase, test_tiles_are_where_they_are);
  tcase_add_test (tcase, test_real_results);
  tcase_add_test (tcase, test_attaches_where_downstream_composes);
  tcase_add_test (tcase, test_blends_where_downstream_does_not);
  tcase_add_test (tcase, test_keeps_compositions);
  tcase_add_test (tcase, test_no_readback);
  tcase_add_test (tcase, test_boxes_are_where_regions_are);
  tcase_add_test (tcase, test_boxes_of_others);
  tcase_add_test (tcase, test_labels_of_any_bytes);
  return suite;
}
GST_CHECK_MAIN (overlay)
