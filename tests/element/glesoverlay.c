/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* glesoverlay: what is drawn and where, what is left alone, attaching and blending. */

#include <string.h>

#include "lines.h"
#include "results-samples.h"

#define HISTOGRAM "gleshistogram ! glesoverlay "

/* A picture with some structure: no drawing is invisible on it. */
static GstBuffer *
new_frame (TestStream *chain)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, chain->info.size, NULL);
  GstMapInfo map;

  gst_buffer_map (buffer, &map, GST_MAP_WRITE);
  for (gsize i = 0; i < map.size; i++)
    map.data[i] = (guint8) (150 + i % 16);
  gst_buffer_unmap (buffer, &map);
  GST_BUFFER_PTS (buffer) = 0;
  return buffer;
}

/* ---- what is drawn ---- */

/* What a frame has besides the results of an analyser. */
typedef enum {
  CORNERS = 1, /* points in a picture of 64x48 */
  OUTSIDE = 2, /* points beyond the size that the result records */
  NO_POINTS = 4,
  TILES = 8,      /* of 4x3 tiles of 16x16 the second and the last have entries */
  REGION = 16,    /* of a picture of 128x96 */
  FACE = 32,      /* a region of interest */
  HUGE_SIZE = 64, /* as OUTSIDE, of a picture larger than coordinates of 16 bits */
  TRACKS = 128,   /* one of which has the box of REGION, one is lost, one new */
  ZONES = 256     /* an occupied triangle and a line, of a picture of 128x96 */
} Attached;

static void
add_points (GstBuffer *buffer, guint width, guint height, const GstGlesPoint *points, guint n)
{
  g_autoptr (GstGlesPointsResult) result = sample_points_new (width, height, points, n, n);

  gst_buffer_add_gles_points_meta (buffer, result);
}

static void
add_interest (GstBuffer *buffer, const gchar *label)
{
  gst_buffer_add_video_region_of_interest_meta (buffer, label, 40, 30, 8, 9);
}

static void
attach (GstBuffer *buffer, Attached attached)
{
  static const GstGlesPoint corners[] = { { 3, 2, 200 }, { 60, 2, 30 }, { 3, 45, 90 } };
  static const GstGlesPoint outside[] = { { 64, 48, 1 }, { 65535, 65535, 1 } };
  g_autoptr (GstGlesTilesResult) tiles = sample_tiles (3);
  g_autoptr (GstGlesRegionsResult) region = sample_regions (1);
  g_autoptr (GstGlesTracksResult) tracks = sample_tracks (0);
  g_autoptr (GstGlesZonesResult) zones = sample_zones ();

  /* Properties follow the stream's time; a buffer without one is drawn on all the same. */
  if (attached != 0)
    GST_BUFFER_PTS (buffer) = GST_CLOCK_TIME_NONE;
  if ((attached & CORNERS) != 0)
    add_points (buffer, 64, 48, corners, 3);
  if ((attached & OUTSIDE) != 0)
    add_points (buffer, 64, 48, outside, 2);
  if ((attached & HUGE_SIZE) != 0)
    add_points (buffer, G_MAXUINT, G_MAXUINT, outside, 2);
  if ((attached & NO_POINTS) != 0)
    add_points (buffer, 64, 48, NULL, 0);
  if ((attached & TILES) != 0)
    gst_buffer_add_gles_tiles_meta (buffer, tiles);
  if ((attached & REGION) != 0)
    gst_buffer_add_gles_regions_meta (buffer, region);
  if ((attached & TRACKS) != 0)
    gst_buffer_add_gles_tracks_meta (buffer, tracks);
  if ((attached & ZONES) != 0)
    gst_buffer_add_gles_zones_meta (buffer, zones);
  if ((attached & FACE) != 0)
    add_interest (buffer, "face");
}

typedef struct {
  guint left, top, right, bottom; /* of what changed; right and bottom exclusive */
  guint n;
} Changed;

/* Where the first plane of two frames differs. */
static Changed
compare (const GstVideoInfo *info, GstBuffer *before, GstBuffer *after)
{
  Changed changed = { G_MAXUINT, G_MAXUINT, 0, 0, 0 };
  const gsize pixel = (gsize) GST_VIDEO_INFO_COMP_PSTRIDE (info, 0);
  const gsize stride = (gsize) GST_VIDEO_INFO_PLANE_STRIDE (info, 0);
  GstMapInfo a, b;

  fail_unless (gst_buffer_map (before, &a, GST_MAP_READ));
  fail_unless (gst_buffer_map (after, &b, GST_MAP_READ));
  for (guint y = 0; y < (guint) info->height; y++) {
    for (guint x = 0; x < (guint) info->width; x++) {
      if (memcmp (a.data + y * stride + x * pixel, b.data + y * stride + x * pixel, pixel) == 0)
        continue;
      changed.left = MIN (changed.left, x);
      changed.top = MIN (changed.top, y);
      changed.right = MAX (changed.right, x + 1);
      changed.bottom = MAX (changed.bottom, y + 1);
      changed.n++;
    }
  }
  gst_buffer_unmap (before, &a);
  gst_buffer_unmap (after, &b);
  return changed.n > 0 ? changed : (Changed){ 0 };
}

static gboolean
has_feature (TestStream *chain)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (chain->harness->sinkpad);

  return gst_caps_features_contains (
      gst_caps_get_features (caps, 0), GST_CAPS_FEATURE_META_GST_VIDEO_OVERLAY_COMPOSITION);
}

/* Pushes @after (transfer full) and returns where it differs from @before (transfer full). The sink
 * takes any caps but does not announce compositions, so everything is drawn on the picture. */
static Changed
push (TestStream *chain, GstBuffer *before, GstBuffer *after)
{
  Changed changed;

  after = gst_harness_push_and_pull (chain->harness, after);
  fail_unless (after != NULL);
  fail_unless (!has_feature (chain));
  changed = compare (&chain->info, before, after);
  gst_buffer_unref (before);
  gst_buffer_unref (after);
  return changed;
}

static Changed
draw (TestStream *chain, Attached attached)
{
  GstBuffer *before = new_frame (chain), *after = gst_buffer_copy_deep (before);

  attach (after, attached);
  return push (chain, before, after);
}

static const struct {
  const gchar *description, *format;
  guint width, height;
  Attached attached;
  guint edges[4];    /* of what changed, as in Changed; 0: not compared */
  guint least, most; /* pixels that changed */
} cases[] = {
  /* the panel, in the corners; letters may have the colours of pixels below them; text and panel
   * grow slower than the picture */
  { HISTOGRAM, "I420", 640, 480, 0, { 12, 324, 298, 466 }, 38581, 40612 },
  { HISTOGRAM, "RGBA", 640, 480, 0, { 12, 324, 298, 466 }, 38581, 40612 },
  { HISTOGRAM, "AYUV", 640, 480, 0, { 12, 324, 298, 466 }, 38581, 40612 },
  { HISTOGRAM, "GRAY8", 3840, 2160, 0, { 40, 1682, 924, 2119 }, 366992, 386308 },
  { HISTOGRAM "position=top-left", "BGRx", 800, 600, 0, { 16, 16, 354, 184 }, 53944, 56784 },
  { HISTOGRAM "position=top-right", "BGRx", 800, 600, 0, { 446, 16, 784, 184 }, 53944, 56784 },
  { HISTOGRAM "position=bottom-left", "BGRx", 800, 600, 0, { 16, 416, 354, 584 }, 53944, 56784 },
  { HISTOGRAM "position=bottom-right", "BGRx", 800, 600, 0, { 446, 416, 784, 584 }, 53944, 56784 },
  /* labels off, there is nothing but curves */
  { HISTOGRAM "labels=false", "GRAY8", 640, 480, 0, { 12, 378, 298, 466 }, 23909, 25168 },
  { HISTOGRAM, "BGRx", 1, 1, 0, { 0, 0, 1, 1 }, 1, 1 },
  { HISTOGRAM, "BGRx", 2, 2, 0, { 0, 0, 2, 2 }, 4, 4 },
  { HISTOGRAM, "BGRx", 16, 16, 0, { 0, 0, 14, 14 }, 196, 196 },
  { HISTOGRAM, "BGRx", 1, 300, 0, { 0, 220, 1, 300 }, 80, 80 },
  { HISTOGRAM, "BGRx", 300, 1, 0, { 0, 0, 260, 1 }, 260, 260 },
  { HISTOGRAM, "BGRx", 17, 9, 0, { 0, 0, 17, 9 }, 153, 153 },
  { HISTOGRAM, "BGRx", 500, 20, 0, { 0, 0, 260, 18 }, 4680, 4680 },
  { HISTOGRAM, "BGRx", 40, 1000, 0, { 2, 918, 38, 998 }, 2880, 2880 },
  { HISTOGRAM, "BGRx", 230, 130, 0, { 8, 12, 222, 122 }, 23000, 23540 },
  { HISTOGRAM "opacity=0", "I420", 320, 240, 0, { 0 }, 0, 0 },
  /* points, where they were found: a pixel of the analysed picture covers ten times ten */
  { "glesoverlay labels=false", "GRAY8", 64, 48, CORNERS, { 3, 2, 61, 46 }, 3, 3 },
  { "glesoverlay labels=false", "GRAY8", 640, 480, CORNERS, { 30, 20, 610, 460 }, 300, 300 },
  { "glesoverlay labels=false", "GRAY8", 16, 12, CORNERS, { 0, 0, 16, 12 }, 3, 3 },
  { "glesoverlay labels=false", "GRAY8", 64, 48, OUTSIDE, { 63, 47, 64, 48 }, 1, 1 },
  /* four billion spans would take ten seconds and more, or more memory than there is */
  { "glesoverlay labels=false", "GRAY8", 64, 48, HUGE_SIZE, { 0, 0, 1, 1 }, 1, 1 },
  { "glesoverlay labels=false", "GRAY8", 640, 480, NO_POINTS, { 0 }, 0, 0 },
  { "glesoverlay points=false", "GRAY8", 640, 480, CORNERS, { 0 }, 0, 0 },
  /* numbers, if there is enough space; how wide depends on the fonts */
  { "glesoverlay", "GRAY8", 640, 480, NO_POINTS, { 0 }, 501, G_MAXUINT },
  { "glesoverlay labels=false", "GRAY8", 64, 48, TILES, { 16, 0, 64, 48 }, 512, 512 },
  { "glesoverlay labels=false", "GRAY8", 640, 480, TILES, { 160, 0, 640, 480 }, 51200, 51200 },
  { "glesoverlay labels=false", "GRAY8", 64, 48, TILES | CORNERS, { 3, 0, 64, 48 }, 515, 515 },
  { "glesoverlay labels=false", "GRAY8", 64, 48, TILES | OUTSIDE, { 16, 0, 64, 48 }, 512, 512 },
  { "glesoverlay tiles=false", "GRAY8", 640, 480, TILES, { 0 }, 0, 0 },
  { "glesoverlay", "GRAY8", 640, 480, TILES, { 0 }, 51701, G_MAXUINT },
  /* an edge around a region and nothing in it, a pixel beyond it at the most */
  { "glesoverlay labels=false", "GRAY8", 64, 48, REGION, { 9, 11, 31, 33 }, 228, 228 },
  { "glesoverlay", "GRAY8", 64, 48, REGION, { 0 }, 229, G_MAXUINT },
  { "glesoverlay regions=false", "GRAY8", 64, 48, REGION, { 0 }, 0, 0 },
  /* the region is drawn as its track, with the same edge, and a lost track with a broken line; the
   * new one is not drawn */
  { "glesoverlay labels=false", "GRAY8", 128, 96, TRACKS | REGION, { 19, 23, 110, 80 }, 495, 510 },
  { "glesoverlay labels=false", "GRAY8", 128, 96, TRACKS, { 19, 23, 110, 80 }, 495, 510 },
  { "glesoverlay tracks=false", "GRAY8", 64, 48, TRACKS, { 0 }, 0, 0 },
  { "glesoverlay zones=false", "GRAY8", 128, 96, ZONES, { 0 }, 0, 0 },
  { "glesoverlay labels=false", "GRAY8", 128, 96, ZONES, { 0, 0, 50, 22 }, 260, 300 },
  { "glesoverlay labels=false", "GRAY8", 64, 48, FACE, { 39, 29, 49, 40 }, 90, 90 },
  { "glesoverlay roi=false", "GRAY8", 64, 48, FACE, { 0 }, 0, 0 },
};

/* Consecutive cases of one description are one stream, whose caps change. */
GST_START_TEST (test_what_is_drawn)
{
  const gint64 start_us = g_get_monotonic_time ();
  TestStream *chain = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const guint *edges = cases[i].edges;
    Changed found;

    if (i == 0 || !g_str_equal (cases[i].description, cases[i - 1].description)) {
      g_clear_pointer (&chain, test_stream_free);
      chain = line_stream (NULL, "%s", cases[i].description);
    }
    line_set_video (chain, cases[i].format, cases[i].width, cases[i].height);
    found = draw (chain, cases[i].attached);
    fail_unless (found.n >= cases[i].least && found.n <= cases[i].most &&
            (edges[2] == 0 ||
                (found.left == edges[0] && found.top == edges[1] && found.right == edges[2] &&
                    found.bottom == edges[3])),
        "%s, %s of %ux%u: %u pixels within %u,%u to %u,%u", cases[i].description, cases[i].format,
        cases[i].width, cases[i].height, found.n, found.left, found.top, found.right, found.bottom);
  }
  test_stream_free (chain);
  fail_unless (g_get_monotonic_time () - start_us < 10 * G_TIME_SPAN_SECOND);
}

GST_END_TEST;

GST_START_TEST (test_nothing_to_draw)
{
  static const gchar *const descriptions[] = { "glesoverlay", HISTOGRAM "histogram=false",
    "gleshistogram attach-meta=false ! glesoverlay" };

  for (guint i = 0; i < G_N_ELEMENTS (descriptions); i++) {
    g_autoptr (TestStream) chain = line_stream (NULL, "%s", descriptions[i]);
    GstBuffer *buffer;
    GstMemory *memory;

    line_set_video (chain, "NV12", 64, 48);
    buffer = new_frame (chain);
    memory = gst_buffer_peek_memory (buffer, 0);
    buffer = test_stream_push (chain, buffer);
    /* the very memory: not even copied */
    fail_unless (gst_buffer_peek_memory (buffer, 0) == memory);
    gst_buffer_unref (buffer);
    fail_unless_equals_int (draw (chain, 0).n, 0);
  }
}

GST_END_TEST;

/* Frames go on without the result, and one warning is posted. */
GST_START_TEST (test_no_readback)
{
  g_autoptr (TestStream) chain = line_stream (NULL, "gleshistogram readback=false ! glesoverlay");

  line_set_video (chain, "I420", 64, 48);
  for (guint i = 0; i < 3; i++)
    fail_unless_equals_int (draw (chain, 0).n, 0);
  fail_unless_equals_int (line_count (chain, GST_MESSAGE_WARNING), 1);
}

GST_END_TEST;

/* The label has a number for a track, and the size of a region only where it is wanted: longer
 * texts change more pixels. */
GST_START_TEST (test_sizes_on_request)
{
  static const gchar *const descriptions[] = { "glesoverlay tracks=false", "glesoverlay",
    "glesoverlay tracks=false sizes=true" };
  guint n[3];

  for (guint i = 0; i < G_N_ELEMENTS (descriptions); i++) {
    g_autoptr (TestStream) chain = line_stream (NULL, "%s", descriptions[i]);

    line_set_video (chain, "GRAY8", 640, 480);
    n[i] = draw (chain, i == 1 ? TRACKS | REGION : REGION).n;
  }
  fail_unless (n[0] < n[1] && n[0] + 300 < n[2], "%u, %u and %u pixels", n[0], n[1], n[2]);
}

GST_END_TEST;

/* A frame with a track of 4x4 pixels in the middle of 128x96, moved by @x. */
static GstBuffer *
new_tracked (TestStream *chain, guint64 id, guint x, GstBuffer **before)
{
  static const gchar *const labels[] = { "", NULL };
  const GstGlesTrack track = {
    .id = id, .x = x, .y = 46, .width = 4, .height = 4, .state = GST_GLES_TRACK_CONFIRMED
  };
  const GstGlesTracksInfo info = { SAMPLE_FRAME (128, 96) };
  g_autoptr (GBytes) bytes = g_bytes_new (&track, sizeof track);
  g_autoptr (GstGlesTracksResult) result =
      gst_gles_tracks_result_new_complete (&info, labels, bytes, NULL, 1);
  GstBuffer *after;

  *before = new_frame (chain);
  after = gst_buffer_copy_deep (*before);
  gst_buffer_add_gles_tracks_meta (after, result);
  return after;
}

static Changed
draw_tracked (TestStream *chain, guint64 id, guint x)
{
  GstBuffer *before, *after = new_tracked (chain, id, x, &before);

  return push (chain, before, after);
}

/* The trail goes through the last centres of one track, and ends with it, a flush, or `trails`. */
GST_START_TEST (test_trails)
{
  g_autoptr (TestStream) chain = line_stream (NULL, "glesoverlay labels=false trails=4");
  g_autoptr (GstElement) element = gst_harness_find_element (chain->harness, "glesoverlay");
  Changed found;

  line_set_video (chain, "GRAY8", 128, 96);
  fail_unless_equals_int (draw_tracked (chain, 1, 10).left, 9);
  for (guint i = 1; i < 8; i++)
    found = draw_tracked (chain, 1, 10 + 10 * i);
  /* the oldest of four centres, where the line begins with a quarter of its opacity */
  fail_unless (found.left >= 50 && found.left <= 52, "from %u on", found.left);
  fail_unless_equals_int (found.right, 85);
  fail_unless_equals_int (draw_tracked (chain, 2, 100).left, 99);
  draw_tracked (chain, 2, 110);
  fail_unless_equals_int (draw_tracked (chain, 1, 20).left, 19);
  draw_tracked (chain, 1, 60);
  gst_harness_push_event (chain->harness, gst_event_new_flush_start ());
  gst_harness_push_event (chain->harness, gst_event_new_flush_stop (FALSE));
  line_set_video (chain, "GRAY8", 128, 96);
  fail_unless_equals_int (draw_tracked (chain, 1, 80).left, 79);
  g_object_set (element, "trails", 0, NULL);
  fail_unless_equals_int (draw_tracked (chain, 1, 90).left, 89);
}

GST_END_TEST;

/* A label that is too long ended within a character, or was Latin-1: cairo drew nothing any more,
 * the labels of other boxes included. */
/* What lies outside of a mask is half as bright, also where there is nothing else to draw; masks,
 * opacities and sizes change while playing. */
GST_START_TEST (test_mask)
{
  static const struct {
    const gchar *caps, *mask, *opacity;
    guint width, height, first, end; /* columns inside */
  } masks[] = {
    { "video/x-raw,format=GRAY8,width=64,height=48,framerate=25/1", "0,0 0.5,0 0.5,1 0,1", "1", 64,
        48, 0, 32 },
    { NULL, "!0,0 0.25,0 0.25,1 0,1", "1", 64, 48, 16, 64 },
    { NULL, "!0,0 0.25,0 0.25,1 0,1", "0", 64, 48, 0, 64 },
    { "video/x-raw,format=GRAY8,width=32,height=16,framerate=25/1", "!0,0 0.25,0 0.25,1 0,1", "1",
        32, 16, 8, 32 },
    { NULL, "", "1", 32, 16, 0, 32 },
  };
  g_autoptr (TestStream) stream = line_stream (masks[0].caps, "glesoverlay");

  for (guint i = 0; i < G_N_ELEMENTS (masks); i++) {
    GstBuffer *frame;
    g_autoptr (GstBuffer) out = NULL;
    GstMapInfo map;

    if (i > 0 && masks[i].caps != NULL)
      line_set_caps (stream, masks[i].caps);
    line_set (stream, "glesoverlay", "mask", masks[i].mask);
    line_set (stream, "glesoverlay", "opacity", masks[i].opacity);
    frame = gst_buffer_new_allocate (NULL, stream->info.size, NULL);
    gst_buffer_memset (frame, 0, 200, stream->info.size);
    out = test_stream_push (stream, frame);
    gst_buffer_map (out, &map, GST_MAP_READ);
    for (guint at = 0; at < masks[i].width * masks[i].height; at++) {
      const guint x = at % masks[i].width;
      const gint expected = x >= masks[i].first && x < masks[i].end ? 200 : 100;

      fail_unless (ABS (map.data[at] - expected) <= (expected == 200 ? 0 : 10),
          "case %u, column %u: %u", i, x, map.data[at]);
    }
    gst_buffer_unmap (out, &map);
  }
}

GST_END_TEST;

GST_START_TEST (test_labels_of_any_bytes)
{
  static const gchar *const labels[] = { "aéééééééééééééééééééééééééééééééééééééééé", "caf\xe9" };
  g_autoptr (TestStream) chain = line_stream (NULL, "glesoverlay");

  line_set_video (chain, "GRAY8", 64, 48);
  for (guint i = 0; i < G_N_ELEMENTS (labels); i++) {
    for (guint with_region = 0; with_region < 2; with_region++) {
      const guint other = with_region == 1 ? draw (chain, REGION).n : 228 + 90 /* edges of both */;
      GstBuffer *before = new_frame (chain), *after = gst_buffer_copy_deep (before);

      attach (after, with_region == 1 ? REGION : 0);
      add_interest (after, labels[i]);
      fail_unless (push (chain, before, after).n > other);
    }
  }
}

GST_END_TEST;

/* ---- attaching ---- */

GST_START_TEST (test_attaches_where_downstream_composes)
{
  g_autoptr (TestStream) chain = line_stream (NULL, HISTOGRAM);
  GstVideoOverlayRectangle *rectangle;
  GstVideoOverlayCompositionMeta *meta;
  GstBuffer *before, *after;
  gint x, y;
  guint width, height;

  gst_harness_add_propose_allocation_meta (
      chain->harness, GST_VIDEO_OVERLAY_COMPOSITION_META_API_TYPE, NULL);
  line_set_video (chain, "I420", 320, 240);
  before = new_frame (chain);
  after = test_stream_push (chain, gst_buffer_copy_deep (before));
  fail_unless (has_feature (chain));
  fail_unless_equals_int (compare (&chain->info, before, after).n, 0);
  meta = gst_buffer_get_video_overlay_composition_meta (after);
  fail_unless (meta != NULL);
  fail_unless_equals_int (gst_video_overlay_composition_n_rectangles (meta->overlay), 1);
  rectangle = gst_video_overlay_composition_get_rectangle (meta->overlay, 0);
  gst_video_overlay_rectangle_get_render_rectangle (rectangle, &x, &y, &width, &height);
  fail_unless (x >= 0 && y >= 0 && x + width <= 320 && y + height <= 240);
  gst_buffer_unref (before);
  gst_buffer_unref (after);
}

GST_END_TEST;

/* What was attached upstream stays, in front of ours. */
GST_START_TEST (test_keeps_compositions)
{
  g_autoptr (TestStream) chain =
      line_stream ("video/x-raw(memory:SystemMemory,meta:GstVideoOverlayComposition),"
                   "format=I420,width=320,height=240,framerate=25/1",
          "glesoverlay");
  g_autoptr (GstBuffer) pixels = gst_buffer_new_allocate (NULL, 4 * 4 * 4, NULL);
  g_autoptr (GstVideoOverlayRectangle) rectangle = NULL;
  g_autoptr (GstVideoOverlayComposition) composition = NULL;
  GstVideoOverlayCompositionMeta *meta;
  GstBuffer *buffer;

  gst_buffer_memset (pixels, 0, 255, 64);
  gst_buffer_add_video_meta (
      pixels, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_OVERLAY_COMPOSITION_FORMAT_RGB, 4, 4);
  rectangle =
      gst_video_overlay_rectangle_new_raw (pixels, 1, 2, 4, 4, GST_VIDEO_OVERLAY_FORMAT_FLAG_NONE);
  composition = gst_video_overlay_composition_new (rectangle);
  buffer = new_frame (chain);
  attach (buffer, TILES);
  gst_buffer_add_video_overlay_composition_meta (buffer, composition);
  buffer = test_stream_push (chain, buffer);
  meta = gst_buffer_get_video_overlay_composition_meta (buffer);
  /* the tiles and their text */
  fail_unless_equals_int (gst_video_overlay_composition_n_rectangles (meta->overlay), 3);
  fail_unless_equals_int (gst_video_overlay_composition_n_rectangles (composition), 1);
  gst_buffer_unref (buffer);
}

GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_test (tcase, test_what_is_drawn);
  tcase_add_test (tcase, test_nothing_to_draw);
  tcase_add_test (tcase, test_no_readback);
  tcase_add_test (tcase, test_sizes_on_request);
  tcase_add_test (tcase, test_trails);
  tcase_add_test (tcase, test_mask);
  tcase_add_test (tcase, test_labels_of_any_bytes);
  tcase_add_test (tcase, test_attaches_where_downstream_composes);
  tcase_add_test (tcase, test_keeps_compositions);
}

LINES_MAIN (add_tests)
