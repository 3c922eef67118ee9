/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Points of glescompact compared with a plain loop over samples: formats, strides, odd sizes,
 * regions, the three predicates, truncation, and when the previous frame is forgotten. */
#include "gleshistogram-common.h"

#include <gst/gles/meta/points.h>

/* Formats whose sample positions are in GstVideoFormatInfo. */
static const GstVideoFormat formats[] = { GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_NV12,
  GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_YUY2, GST_VIDEO_FORMAT_UYVY, GST_VIDEO_FORMAT_RGBA,
  GST_VIDEO_FORMAT_BGR, GST_VIDEO_FORMAT_I420_10LE, GST_VIDEO_FORMAT_GRAY16_LE,
  GST_VIDEO_FORMAT_GRAY16_BE, GST_VIDEO_FORMAT_Y444 };

typedef struct {
  GstGlesPointsPredicate predicate;
  gint channel;
  guint lower, upper;
  guint x, y, width, height; /* width 0: the whole picture */
  guint max_points;
} Wanted;

/* ---- the oracle ---- */

static guint
get_component (const GstVideoFrame *frame, guint c, guint x, guint y)
{
  const GstVideoFormatInfo *info = frame->info.finfo;
  const guint8 *at = (const guint8 *) GST_VIDEO_FRAME_COMP_DATA (frame, c) +
      (gsize) y * GST_VIDEO_FRAME_COMP_STRIDE (frame, c) +
      x * GST_VIDEO_FRAME_COMP_PSTRIDE (frame, c);
  guint depth = GST_VIDEO_FORMAT_INFO_DEPTH (info, c), word = at[0];

  if (depth > 8)
    word = GST_VIDEO_FORMAT_INFO_IS_LE (info) ? GST_READ_UINT16_LE (at) : GST_READ_UINT16_BE (at);
  return word >> GST_VIDEO_FORMAT_INFO_SHIFT (info, c) & ((1u << depth) - 1);
}

static guint
component_of (const GstVideoFrame *frame, gint channel)
{
  return channel < 0 ? 0 : channel;
}

/* BT.709, the default for RGB without a matrix, in 16-bit fixed point. */
static guint
get_value (const GstVideoFrame *frame, gint channel, guint x, guint y)
{
  if (channel >= 0 || !GST_VIDEO_INFO_IS_RGB (&frame->info))
    return get_component (frame, component_of (frame, channel), x, y);
  return (13933 * get_component (frame, 0, x, y) + 46871 * get_component (frame, 1, x, y) +
             4732 * get_component (frame, 2, x, y) + 32768) >>
      16;
}

static gint
get_clamped (const GstVideoFrame *frame, gint channel, gint x, gint y)
{
  guint c = component_of (frame, channel);
  gint width = GST_VIDEO_FRAME_COMP_WIDTH (frame, c);
  gint height = GST_VIDEO_FRAME_COMP_HEIGHT (frame, c);

  return get_value (frame, channel, CLAMP (x, 0, width - 1), CLAMP (y, 0, height - 1));
}

static guint
get_edge (const GstVideoFrame *frame, gint channel, gint x, gint y)
{
  gint gx = 0, gy = 0;

  for (gint d = -1; d <= 1; d++) {
    gint weight = d == 0 ? 2 : 1;

    gx += weight *
        (get_clamped (frame, channel, x + 1, y + d) - get_clamped (frame, channel, x - 1, y + d));
    gy += weight *
        (get_clamped (frame, channel, x + d, y + 1) - get_clamped (frame, channel, x + d, y - 1));
  }
  return ABS (gx) + ABS (gy);
}

/* Points in raster order: (transfer full) array of GstGlesPoint. */
static GArray *
expect (GstBuffer *buffer, GstBuffer *before, const GstVideoInfo *info, const Wanted *wanted)
{
  GArray *points = g_array_new (FALSE, FALSE, sizeof (GstGlesPoint));
  guint c = wanted->channel < 0 ? 0 : wanted->channel;
  guint sub_x = GST_VIDEO_FORMAT_INFO_W_SUB (info->finfo, c);
  guint sub_y = GST_VIDEO_FORMAT_INFO_H_SUB (info->finfo, c);
  guint right = wanted->width != 0 ? wanted->x + wanted->width : (guint) info->width;
  guint bottom = wanted->width != 0 ? wanted->y + wanted->height : (guint) info->height;
  GstVideoFrame frame, earlier;

  fail_unless (gst_video_frame_map (&frame, (GstVideoInfo *) info, buffer, GST_MAP_READ));
  if (before != NULL)
    fail_unless (gst_video_frame_map (&earlier, (GstVideoInfo *) info, before, GST_MAP_READ));
  for (guint y = 0; y < (guint) GST_VIDEO_FRAME_COMP_HEIGHT (&frame, c); y++) {
    for (guint x = 0; x < (guint) GST_VIDEO_FRAME_COMP_WIDTH (&frame, c); x++) {
      GstGlesPoint point = { x << sub_x, y << sub_y, get_value (&frame, wanted->channel, x, y) };

      if (point.x < wanted->x || point.x >= right || point.y < wanted->y || point.y >= bottom)
        continue;
      if (wanted->predicate == GST_GLES_POINTS_EDGE)
        point.value = get_edge (&frame, wanted->channel, x, y);
      else if (wanted->predicate == GST_GLES_POINTS_MOTION && before == NULL)
        continue;
      else if (wanted->predicate == GST_GLES_POINTS_MOTION)
        point.value = ABS ((gint) point.value - (gint) get_value (&earlier, wanted->channel, x, y));
      if (point.value >= wanted->lower && point.value <= wanted->upper)
        g_array_append_val (points, point);
    }
  }
  gst_video_frame_unmap (&frame);
  if (before != NULL)
    gst_video_frame_unmap (&earlier);
  return points;
}

/* ---- streams ---- */

typedef struct {
  GstHarness *harness;
  GstElement *element;
  GstVideoInfo info;
} Stream;

static void
set_wanted (GstElement *element, const Wanted *wanted)
{
  g_autofree gchar *region = wanted->width == 0
      ? g_strdup ("<>")
      : g_strdup_printf ("<%u,%u,%u,%u>", wanted->x, wanted->y, wanted->width, wanted->height);

  g_object_set (element, "predicate", wanted->predicate, "channel", wanted->channel, "lower",
      wanted->lower, "upper", wanted->upper, "max-points", wanted->max_points, "unit", 0, NULL);
  gst_util_set_object_arg (G_OBJECT (element), "region", region);
}

static void
set_caps (Stream *stream, GstVideoFormat format, guint width, guint height)
{
  gst_video_info_set_format (&stream->info, format, width, height);
  stream->info.fps_n = 25;
  gst_harness_set_src_caps (stream->harness, gst_video_info_to_caps (&stream->info));
}

static void
stream_init (Stream *stream, const Wanted *wanted)
{
  stream->element = gst_element_factory_make ("glescompact", NULL);
  fail_unless (stream->element != NULL);
  g_object_set (stream->element, "device", test_device (), NULL);
  set_wanted (stream->element, wanted);
  stream->harness = gst_harness_new_with_element (stream->element, "sink", "src");
}

static void
stream_clear (Stream *stream)
{
  gst_harness_teardown (stream->harness);
  gst_object_unref (stream->element);
}

/* Pushes a copy of @frame: (transfer full) what it got. */
static GstGlesPointsResult *
push (Stream *stream, GstBuffer *frame)
{
  GstBuffer *out = gst_harness_push_and_pull (stream->harness, gst_buffer_copy (frame));
  GstGlesPointsResult *result;

  fail_unless (out != NULL);
  result = gst_gles_points_result_from_buffer (out);
  fail_unless (result != NULL);
  gst_buffer_unref (out);
  return result;
}

static void
push_and_check (
    Stream *stream, GstBuffer *frame, GstBuffer *before, const Wanted *wanted, const gchar *what)
{
  g_autoptr (GArray) expected = expect (frame, before, &stream->info, wanted);
  g_autoptr (GstGlesPointsResult) result = push (stream, frame);
  g_autoptr (GError) error = NULL;
  const GstGlesPoint *points;
  guint n, listed = MIN (expected->len, wanted->max_points);

  points = gst_gles_points_result_get_points (result, &n, &error);
  fail_unless (points != NULL, "%s: %s", what, error != NULL ? error->message : "");
  fail_unless (n == listed, "%s: %u points, %u expected", what, n, listed);
  fail_unless (gst_gles_points_result_get_total (result) == expected->len, "%s: total", what);
  fail_unless (
      gst_gles_points_result_is_truncated (result) == (expected->len > listed), "%s", what);
  for (guint i = 0; i < n; i++) {
    const GstGlesPoint *point = &g_array_index (expected, GstGlesPoint, i);
    fail_unless (
        points[i].x == point->x && points[i].y == point->y && points[i].value == point->value,
        "%s: point %u is %u,%u: %u, not %u,%u: %u", what, i, points[i].x, points[i].y,
        points[i].value, point->x, point->y, point->value);
  }
}

/* Three frames: motion has two to compare with; the second has its own strides and offsets. */
static void
check_stream (Stream *stream, const Wanted *wanted)
{
  GstBuffer *frames[3] = { test_frame_noise (&stream->info, 1),
    test_frame_odd_strides (&stream->info, 2), test_frame_noise (&stream->info, 3) };
  g_autofree gchar *what = g_strdup_printf ("%s %dx%d predicate %d channel %d from %u to %u",
      gst_video_format_to_string (GST_VIDEO_INFO_FORMAT (&stream->info)), stream->info.width,
      stream->info.height, wanted->predicate, wanted->channel, wanted->lower, wanted->upper);

  for (guint i = 0; i < 3; i++)
    push_and_check (stream, frames[i], i > 0 ? frames[i - 1] : NULL, wanted, what);
  for (guint i = 0; i < 3; i++)
    gst_buffer_unref (frames[i]);
}

static void
check_formats (Wanted wanted, guint width, guint height)
{
  guint lower = wanted.lower;
  Stream stream;

  stream_init (&stream, &wanted);
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    const GstVideoFormatInfo *info = gst_video_format_get_info (formats[i]);
    guint c = wanted.channel < 0 ? 0 : wanted.channel;

    if (c >= GST_VIDEO_FORMAT_INFO_N_COMPONENTS (info))
      continue;
    wanted.lower = lower << (GST_VIDEO_FORMAT_INFO_DEPTH (info, 0) - 8);
    set_wanted (stream.element, &wanted);
    set_caps (&stream, formats[i], width, height);
    check_stream (&stream, &wanted);
  }
  stream_clear (&stream);
}

static const Wanted by_predicate[] = {
  { GST_GLES_POINTS_THRESHOLD, GST_GLES_POINTS_LUMA, 230, G_MAXUINT, 0, 0, 0, 0, 1048576 },
  { GST_GLES_POINTS_MOTION, GST_GLES_POINTS_LUMA, 150, G_MAXUINT, 0, 0, 0, 0, 1048576 },
  { GST_GLES_POINTS_EDGE, GST_GLES_POINTS_LUMA, 700, G_MAXUINT, 0, 0, 0, 0, 1048576 },
};

GST_START_TEST (test_formats_aligned)
{
  check_formats (by_predicate[__i__], 64, 32);
}

GST_END_TEST;

GST_START_TEST (test_formats_odd)
{
  check_formats (by_predicate[__i__], 67, 35);
}

GST_END_TEST;

GST_START_TEST (test_formats_second_channel)
{
  Wanted wanted = by_predicate[__i__];

  wanted.channel = 1;
  check_formats (wanted, 70, 33);
}

GST_END_TEST;

GST_START_TEST (test_regions)
{
  static const guint regions[][4] = { { 0, 0, 1, 1 }, { 16, 3, 32, 20 }, { 5, 7, 13, 11 },
    { 63, 31, 1, 1 }, { 4, 0, 8, 32 }, { 1, 1, 62, 30 } };

  for (guint i = 0; i < G_N_ELEMENTS (regions); i++) {
    Wanted wanted = by_predicate[__i__];

    wanted.x = regions[i][0];
    wanted.y = regions[i][1];
    wanted.width = regions[i][2];
    wanted.height = regions[i][3];
    check_formats (wanted, 64, 32);
  }
}

GST_END_TEST;

GST_START_TEST (test_sizes)
{
  static const guint sizes[][2] = { { 1, 1 }, { 1, 500 }, { 500, 1 }, { 1039, 3 }, { 320, 241 },
    { 641, 480 } };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    Stream stream;

    stream_init (&stream, &by_predicate[__i__]);
    set_caps (&stream, GST_VIDEO_FORMAT_NV12, sizes[i][0], sizes[i][1]);
    check_stream (&stream, &by_predicate[__i__]);
    stream_clear (&stream);
  }
}

GST_END_TEST;

/* None, all, an empty range, a band in the middle. */
GST_START_TEST (test_bounds)
{
  static const guint bounds[][2] = { { 0, 255 }, { 255, 255 }, { 256, G_MAXUINT }, { 100, 99 },
    { 60, 90 }, { 0, 0 } };
  Wanted wanted = by_predicate[__i__];
  Stream stream;

  stream_init (&stream, &wanted);
  for (guint i = 0; i < G_N_ELEMENTS (bounds); i++) {
    wanted.lower = bounds[i][0];
    wanted.upper = bounds[i][1];
    set_wanted (stream.element, &wanted);
    set_caps (&stream, GST_VIDEO_FORMAT_GRAY8, 64 + i, 40);
    check_stream (&stream, &wanted);
  }
  stream_clear (&stream);
}

GST_END_TEST;

GST_START_TEST (test_the_first_ones_stay)
{
  static const guint limits[] = { 0, 1, 2, 63, 1000, 2047, 2048, 1u << 28 };

  for (guint i = 0; i < G_N_ELEMENTS (limits); i++) {
    Wanted wanted = by_predicate[__i__];
    Stream stream;

    wanted.lower = 0;
    wanted.max_points = limits[i];
    stream_init (&stream, &wanted);
    set_caps (&stream, GST_VIDEO_FORMAT_GRAY8, 64, 32);
    check_stream (&stream, &wanted);
    stream_clear (&stream);
  }
}

GST_END_TEST;

GST_START_TEST (test_motion_forgets_with_flush_and_caps)
{
  const Wanted wanted = { GST_GLES_POINTS_MOTION, -1, 1, G_MAXUINT, 0, 0, 0, 0, 100000 };
  GstBuffer *frame, *other;
  Stream stream;

  stream_init (&stream, &wanted);
  set_caps (&stream, GST_VIDEO_FORMAT_GRAY8, 48, 32);
  frame = test_frame_noise (&stream.info, 1);
  other = test_frame_noise (&stream.info, 2);
  push_and_check (&stream, frame, NULL, &wanted, "first");
  push_and_check (&stream, other, frame, &wanted, "second");
  gst_harness_push_event (stream.harness, gst_event_new_flush_start ());
  gst_harness_push_event (stream.harness, gst_event_new_flush_stop (TRUE));
  {
    GstSegment segment;
    gst_segment_init (&segment, GST_FORMAT_TIME);
    gst_harness_push_event (stream.harness, gst_event_new_segment (&segment));
  }
  push_and_check (&stream, frame, NULL, &wanted, "after a flush");
  push_and_check (&stream, other, frame, &wanted, "second after a flush");
  set_caps (&stream, GST_VIDEO_FORMAT_GRAY8, 32, 48);
  push_and_check (&stream, frame, NULL, &wanted, "after new caps");
  push_and_check (&stream, other, frame, &wanted, "second after new caps");
  gst_buffer_unref (frame);
  gst_buffer_unref (other);
  stream_clear (&stream);
}

GST_END_TEST;

GST_START_TEST (test_description_and_frame_numbers)
{
  Wanted wanted = by_predicate[0];
  GstBuffer *frame;
  Stream stream;
  guint x, y, width, height, lower, upper;

  wanted.x = 3;
  wanted.y = 5;
  wanted.width = 20;
  wanted.height = 10;
  stream_init (&stream, &wanted);
  set_caps (&stream, GST_VIDEO_FORMAT_I420, 48, 32);
  frame = test_frame_noise (&stream.info, 1);
  for (guint i = 0; i < 3; i++) {
    g_autoptr (GstGlesPointsResult) result = push (&stream, frame);
    fail_unless_equals_uint64 (gst_gles_points_result_get_frame_number (result), i);
    gst_gles_points_result_get_size (result, &width, &height);
    fail_unless (width == 48 && height == 32);
    gst_gles_points_result_get_region (result, &x, &y, &width, &height);
    fail_unless (x == 3 && y == 5 && width == 20 && height == 10);
    gst_gles_points_result_get_predicate (result, &lower, &upper);
    fail_unless (lower == 230 && upper == G_MAXUINT);
    fail_unless_equals_int (gst_gles_points_result_get_format (result), GST_VIDEO_FORMAT_I420);
  }
  gst_buffer_unref (frame);
  stream_clear (&stream);
}

GST_END_TEST;

/* ---- a setting that changes while a frame is uploaded ---- */

typedef gboolean (*MapFunc) (GstVideoMeta *, guint, GstMapInfo *, gpointer *, gint *, GstMapFlags);

static struct {
  MapFunc map;
  GstElement *element;
} changing;

static gboolean
map_and_change (GstVideoMeta *meta, guint plane, GstMapInfo *info, gpointer *data, gint *stride,
    GstMapFlags flags)
{
  g_object_set (changing.element, "channel", 1, NULL);
  return changing.map (meta, plane, info, data, stride, flags);
}

/* Y is 200, the other samples are 100. The first visible column is odd, so that the picture needs
 * one column more than the caps tell, and the element a new plan. */
static GstBuffer *
frame_with_odd_crop (void)
{
  GstVideoInfo stored;
  GstBuffer *buffer;
  GstVideoCropMeta *crop;

  gst_video_info_set_format (&stored, GST_VIDEO_FORMAT_I420, 18, 16);
  buffer = gst_buffer_new_allocate (NULL, stored.size, NULL);
  gst_buffer_memset (buffer, 0, 100, stored.size);
  gst_buffer_memset (buffer, 0, 200, stored.offset[1]);
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_I420, 18, 16,
      3, stored.offset, stored.stride);
  crop = gst_buffer_add_video_crop_meta (buffer);
  crop->x = 1;
  crop->y = 0;
  crop->width = crop->height = 16;
  return buffer;
}

/* The planes that a frame's kernels read are those that were copied. */
GST_START_TEST (test_settings_stay_while_a_frame_changes_the_layout)
{
  static const Wanted wanted = { GST_GLES_POINTS_THRESHOLD, 0, 50, 255, 0, 0, 0, 0, 1048576 };
  static const guint totals[] = { 16 * 16, 8 * 8 };
  Stream stream;

  stream_init (&stream, &wanted);
  g_object_set (stream.element, "validate", TRUE, NULL);
  set_caps (&stream, GST_VIDEO_FORMAT_I420, 16, 16);
  for (guint i = 0; i < G_N_ELEMENTS (totals); i++) {
    g_autoptr (GstGlesPointsResult) result = NULL;
    GstBuffer *out, *frame = frame_with_odd_crop ();
    GstVideoMeta *meta = gst_buffer_get_video_meta (frame);

    changing.map = meta->map;
    changing.element = stream.element;
    meta->map = map_and_change;
    out = gst_harness_push_and_pull (stream.harness, frame);
    fail_unless (out != NULL, "frame %u", i);
    result = gst_gles_points_result_from_buffer (out);
    fail_unless_equals_uint64 (gst_gles_points_result_get_total (result), totals[i]);
    gst_buffer_unref (out);
  }
  stream_clear (&stream);
}

GST_END_TEST;

static Suite *
glescompact_suite (void)
{
  Suite *s = suite_create ("glescompact-points");
  TCase *tc = tcase_create ("points");
  const gint n = G_N_ELEMENTS (by_predicate);

  tcase_set_timeout (tc, 300);
  suite_add_tcase (s, tc);
  tcase_add_loop_test (tc, test_formats_aligned, 0, n);
  tcase_add_loop_test (tc, test_formats_odd, 0, n);
  tcase_add_loop_test (tc, test_formats_second_channel, 0, n);
  tcase_add_loop_test (tc, test_regions, 0, n);
  tcase_add_loop_test (tc, test_sizes, 0, n);
  tcase_add_loop_test (tc, test_bounds, 0, n);
  tcase_add_loop_test (tc, test_the_first_ones_stay, 0, n);
  tcase_add_test (tc, test_settings_stay_while_a_frame_changes_the_layout);
  tcase_add_test (tc, test_motion_forgets_with_flush_and_caps);
  tcase_add_test (tc, test_description_and_frame_numbers);
  return s;
}

/* A subgroup variant on a device without subgroups. */
static gboolean
lacks_subgroups (void)
{
  const gchar *variant = g_getenv ("GST_GLES_FRAME_COMPACT_VARIANT");
  g_autoptr (GstGlesDevice) device = NULL;

  if (variant == NULL || !g_str_has_prefix (variant, "subgroup"))
    return FALSE;
  device = gst_gles_device_new (test_device (), NULL);
  return device != NULL && (gst_gles_device_get_limits (device)->subgroup_features & 0x3f) != 0x3f;
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  if (lacks_subgroups ())
    return 77;
  return test_main (&argc, &argv, glescompact_suite);
}
