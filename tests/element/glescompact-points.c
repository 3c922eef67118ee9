/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Points of glescompact compared with a plain loop over samples: formats, strides, odd sizes,
 * regions, the three predicates, truncation, and what a result says of itself. */
#include "lines.h"

#include <gst/gles/meta/points.h>

/* Formats whose sample positions are in GstVideoFormatInfo. */
#define ALL "GRAY8 NV12 I420 YUY2 UYVY RGBA BGR I420_10LE P010_10LE GRAY16_LE GRAY16_BE Y444"
#define COLOUR "NV12 I420 YUY2 UYVY RGBA BGR I420_10LE Y444"
/* one of each layout of the first plane */
#define LAYOUTS "NV12 YUY2 BGR GRAY16_BE"

#define LUMA GST_GLES_POINTS_LUMA
#define WHOLE                                                                                      \
  {                                                                                                \
    0, 0, 0, 0                                                                                     \
  }
#define USUAL (G_MAXUINT - 1) /* the predicate's own lower bound, scaled to the depth */
#define ANY G_MAXUINT
#define MANY 1048576

typedef struct {
  const gchar *formats;
  guint width, height;
  gint channel;
  guint region[4]; /* x, y, width, height */
  guint lower, upper, max_points;
} Case;

static const Case cases[] = {
  { ALL, 64, 32, LUMA, WHOLE, USUAL, ANY, MANY },
  { ALL, 67, 35, LUMA, WHOLE, USUAL, ANY, MANY },
  { COLOUR, 70, 33, 1, WHOLE, USUAL, ANY, MANY },
  /* regions */
  { LAYOUTS, 64, 32, LUMA, { 0, 0, 1, 1 }, USUAL, ANY, MANY },
  { LAYOUTS, 64, 32, LUMA, { 16, 3, 32, 20 }, USUAL, ANY, MANY },
  { LAYOUTS, 64, 32, LUMA, { 5, 7, 13, 11 }, USUAL, ANY, MANY },
  { LAYOUTS, 64, 32, LUMA, { 63, 31, 1, 1 }, USUAL, ANY, MANY },
  { LAYOUTS, 64, 32, LUMA, { 4, 0, 8, 32 }, USUAL, ANY, MANY },
  { COLOUR, 64, 32, 1, { 1, 1, 62, 30 }, USUAL, ANY, MANY },
  /* sizes */
  { "NV12", 1, 1, LUMA, WHOLE, USUAL, ANY, MANY },
  { "NV12", 1, 500, LUMA, WHOLE, USUAL, ANY, MANY },
  { "NV12", 500, 1, LUMA, WHOLE, USUAL, ANY, MANY },
  { "NV12", 1039, 3, LUMA, WHOLE, USUAL, ANY, MANY },
  { "NV12", 641, 480, LUMA, WHOLE, USUAL, ANY, MANY },
  /* bounds: all, one value, none, an empty range, a band in the middle */
  { "GRAY8", 64, 40, LUMA, WHOLE, 0, 255, MANY },
  { "GRAY8", 64, 40, LUMA, WHOLE, 255, 255, MANY },
  { "GRAY8", 64, 40, LUMA, WHOLE, 256, ANY, MANY },
  { "GRAY8", 64, 40, LUMA, WHOLE, 100, 99, MANY },
  { "GRAY8", 64, 40, LUMA, WHOLE, 60, 90, MANY },
  { "GRAY8", 64, 40, LUMA, WHOLE, 0, 0, MANY },
  /* the first ones stay */
  { "GRAY8", 64, 32, LUMA, WHOLE, 0, ANY, 0 },
  { "GRAY8", 64, 32, LUMA, WHOLE, 0, ANY, 1 },
  { "GRAY8", 64, 32, LUMA, WHOLE, 0, ANY, 2 },
  { "GRAY8", 64, 32, LUMA, WHOLE, 0, ANY, 63 },
  { "GRAY8", 64, 32, LUMA, WHOLE, 0, ANY, 1000 },
  { "GRAY8", 64, 32, LUMA, WHOLE, 0, ANY, 2047 },
  { "GRAY8", 64, 32, LUMA, WHOLE, 0, ANY, 2048 },
  { "GRAY8", 64, 32, LUMA, WHOLE, 0, ANY, 1u << 28 },
};

typedef struct {
  GstGlesPointsPredicate predicate;
  const gchar *reference;
  guint lower;   /* for 8 bits */
  gint64 weight; /* of a frame in the reference of the next one, in 1/65536 */
} Predicate;

#define ADAPTATION 20
static const Predicate predicates[] = {
  { GST_GLES_POINTS_THRESHOLD, "previous", 230, 0 },
  { GST_GLES_POINTS_MOTION, "previous", 150, 65536 },
  { GST_GLES_POINTS_MOTION, "background", 120, (3 * 65536 + ADAPTATION / 2) / ADAPTATION },
  { GST_GLES_POINTS_EDGE, "previous", 700, 0 },
};

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

/* Samples beyond the border repeat it. Luma of RGB is BT.709, the default without a matrix, in
 * 16-bit fixed point. */
static gint
get_value (const GstVideoFrame *frame, gint channel, gint x, gint y)
{
  const guint c = MAX (channel, 0);

  x = CLAMP (x, 0, GST_VIDEO_FRAME_COMP_WIDTH (frame, c) - 1);
  y = CLAMP (y, 0, GST_VIDEO_FRAME_COMP_HEIGHT (frame, c) - 1);
  if (channel >= 0 || !GST_VIDEO_INFO_IS_RGB (&frame->info))
    return get_component (frame, c, x, y);
  return (13933 * get_component (frame, 0, x, y) + 46871 * get_component (frame, 1, x, y) +
             4732 * get_component (frame, 2, x, y) + 32768) >>
      16;
}

static guint
get_edge (const GstVideoFrame *frame, gint channel, gint x, gint y)
{
  gint gx = 0, gy = 0;

  for (gint d = -1; d <= 1; d++) {
    gint weight = d == 0 ? 2 : 1;

    gx += weight *
        (get_value (frame, channel, x + 1, y + d) - get_value (frame, channel, x - 1, y + d));
    gy += weight *
        (get_value (frame, channel, x + d, y + 1) - get_value (frame, channel, x + d, y - 1));
  }
  return ABS (gx) + ABS (gy);
}

/* What the samples of a channel are compared with, in 16.16 fixed point. */
typedef struct {
  gint64 *average; /* NULL before the first frame */
} Reference;

static void
reference_update (
    Reference *reference, const GstVideoFrame *frame, gint channel, gint64 weight, gsize n)
{
  const guint width = GST_VIDEO_FRAME_COMP_WIDTH (frame, MAX (channel, 0));
  const gboolean first = reference->average == NULL;

  if (first)
    reference->average = g_new (gint64, n);
  for (gsize i = 0; i < n; i++) {
    const gint64 target = (gint64) get_value (frame, channel, i % width, i / width) << 16;
    gint64 *average = &reference->average[i];
    const gint64 step = first ? 0 : ABS (target - *average) * weight >> 16;

    *average = first ? target : *average + (target < *average ? -step : step);
  }
}

/* Points in raster order: (transfer full) array of GstGlesPoint. */
static GArray *
expect (const GstVideoFrame *frame, Reference *reference, const Predicate *p, const Case *c)
{
  GArray *points = g_array_new (FALSE, FALSE, sizeof (GstGlesPoint));
  const guint component = MAX (c->channel, 0);
  const guint width = GST_VIDEO_FRAME_COMP_WIDTH (frame, component);
  const guint height = GST_VIDEO_FRAME_COMP_HEIGHT (frame, component);

  for (guint i = 0; i < width * height; i++) {
    const guint x = i % width, y = i / width;
    GstGlesPoint point = { x << GST_VIDEO_FORMAT_INFO_W_SUB (frame->info.finfo, component),
      y << GST_VIDEO_FORMAT_INFO_H_SUB (frame->info.finfo, component),
      get_value (frame, c->channel, x, y) };

    if (point.x < c->region[0] || point.x >= c->region[0] + c->region[2] ||
        point.y < c->region[1] || point.y >= c->region[1] + c->region[3])
      continue;
    if (p->predicate == GST_GLES_POINTS_EDGE)
      point.value = get_edge (frame, c->channel, x, y);
    if (p->predicate == GST_GLES_POINTS_MOTION) {
      if (reference->average == NULL)
        break;
      point.value = ABS ((gint) point.value - (gint) ((reference->average[i] + 0x8000) >> 16));
    }
    if (point.value >= c->lower && point.value <= c->upper)
      g_array_append_val (points, point);
  }
  if (p->predicate == GST_GLES_POINTS_MOTION)
    reference_update (reference, frame, c->channel, p->weight, (gsize) width * height);
  return points;
}

/* ---- comparison ---- */

static void
check_description (GstGlesPointsResult *result, const Case *c, GstVideoFormat format, guint number)
{
  const GstGlesPointsInfo *info = gst_gles_points_result_get_info (result);

  fail_unless_equals_uint64 (info->frame.number, number);
  fail_unless_equals_int (info->frame.format, format);
  fail_unless_equals_int (info->channel, c->channel);
  fail_unless_equals_int (info->max_points, c->max_points);
  fail_unless (info->frame.width == c->width && info->frame.height == c->height);
  fail_unless (info->x == c->region[0] && info->y == c->region[1]);
  fail_unless (info->region_width == c->region[2] && info->region_height == c->region[3]);
  fail_unless (info->lower == c->lower && info->upper == c->upper);
}

static void
check_points (GstGlesPointsResult *result, const GArray *expected, const Case *c, const gchar *what)
{
  guint n, listed = MIN (expected->len, c->max_points);
  g_autoptr (GError) error = NULL;
  const GstGlesPoint *points = gst_gles_points_result_get_points (result, &n, &error);

  fail_unless (points != NULL, "%s: %s", what, error != NULL ? error->message : "");
  fail_unless (n == listed, "%s: %u points, %u expected", what, n, listed);
  fail_unless (gst_gles_points_result_get_total (result) == expected->len, "%s: total", what);
  fail_unless (
      gst_gles_points_result_is_truncated (result) == (expected->len > listed), "%s", what);
  for (guint i = 0; i < n; i++) {
    const GstGlesPoint *point = &g_array_index (expected, GstGlesPoint, i);

    if (points[i].x != point->x || points[i].y != point->y || points[i].value != point->value)
      fail ("%s: point %u is %u,%u: %u, not %u,%u: %u", what, i, points[i].x, points[i].y,
          points[i].value, point->x, point->y, point->value);
  }
}

/* Four frames: motion has three to compare, the last one with an average that was updated twice;
 * the second has its own strides and offsets. */
static void
check_stream (TestStream *chain, const Predicate *p, const Case *c)
{
  const GstVideoFormat format = GST_VIDEO_INFO_FORMAT (&chain->info);
  g_autofree gchar *what =
      g_strdup_printf ("%s %ux%u region %u,%u %ux%u predicate %d of %s, channel %d from %u to %u",
          gst_video_format_to_string (format), c->width, c->height, c->region[0], c->region[1],
          c->region[2], c->region[3], p->predicate, p->reference, c->channel, c->lower, c->upper);
  Reference reference = { NULL };

  for (guint i = 0; i < 4; i++) {
    GstBuffer *buffer =
        i == 1 ? test_frame_odd_strides (&chain->info, i) : test_frame_noise (&chain->info, i);
    g_autoptr (GstBuffer) out = test_stream_push (chain, gst_buffer_copy (buffer));
    g_autoptr (GstGlesPointsResult) result = gst_gles_points_result_from_buffer (out);
    g_autoptr (GArray) expected = NULL;
    GstVideoFrame frame;

    fail_unless (gst_video_frame_map (&frame, &chain->info, buffer, GST_MAP_READ));
    expected = expect (&frame, &reference, p, c);
    gst_video_frame_unmap (&frame);
    gst_buffer_unref (buffer);
    fail_unless (result != NULL, "%s", what);
    check_description (result, c, format, i);
    check_points (result, expected, c, what);
  }
  g_free (reference.average);
}

static void
set_case (TestStream *chain, const Predicate *p, const Case *c)
{
  g_autoptr (GstElement) element = gst_harness_find_element (chain->harness, "glescompact");
  g_autofree gchar *region =
      g_strdup_printf ("<%u,%u,%u,%u>", c->region[0], c->region[1], c->region[2], c->region[3]);

  g_object_set (element, "predicate", p->predicate, "channel", c->channel, "lower", c->lower,
      "upper", c->upper, "max-points", c->max_points, "adaptation", ADAPTATION, NULL);
  gst_util_set_object_arg (G_OBJECT (element), "reference", p->reference);
  gst_util_set_object_arg (G_OBJECT (element), "region", c->region[2] == c->width ? "<>" : region);
}

/* One stream for all formats: also, settings and caps change. */
static void
check_case (TestStream *chain, const Predicate *p, Case c)
{
  g_auto (GStrv) formats = g_strsplit (c.formats, " ", -1);
  const gboolean usual = c.lower == USUAL;

  if (c.region[2] == 0) {
    c.region[2] = c.width;
    c.region[3] = c.height;
  }
  for (guint i = 0; formats[i] != NULL; i++) {
    const GstVideoFormatInfo *info =
        gst_video_format_get_info (gst_video_format_from_string (formats[i]));

    if (usual)
      c.lower = p->lower << (GST_VIDEO_FORMAT_INFO_DEPTH (info, 0) - 8);
    set_case (chain, p, &c);
    line_set_video (chain, formats[i], c.width, c.height);
    test_stream_flush (chain);
    check_stream (chain, p, &c);
  }
}

GST_START_TEST (test_points)
{
  g_autoptr (TestStream) chain =
      line_stream (NULL, "glescompact unit=code validate=true profile=true post-messages=true");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    check_case (chain, &predicates[__i__], cases[i]);
}

GST_END_TEST;

/* ---- a setting that changes while a frame is uploaded ---- */

typedef gboolean (*MapFunc) (GstVideoMeta *, guint, GstMapInfo *, gpointer *, gint *, GstMapFlags);

static struct {
  MapFunc map;
  TestStream *chain;
} changing;

static gboolean
map_and_change (GstVideoMeta *meta, guint plane, GstMapInfo *info, gpointer *data, gint *stride,
    GstMapFlags flags)
{
  line_set (changing.chain, "glescompact", "channel", "1");
  return changing.map (meta, plane, info, data, stride, flags);
}

/* Y is 200, the other samples are 100. The first visible column is odd, so that the picture needs
 * one column more than the caps tell, and the element a new plan. */
static GstBuffer *
frame_with_odd_crop (void)
{
  GstVideoInfo stored;
  GstBuffer *buffer;

  gst_video_info_set_format (&stored, GST_VIDEO_FORMAT_I420, 18, 16);
  buffer = gst_buffer_new_allocate (NULL, stored.size, NULL);
  gst_buffer_memset (buffer, 0, 100, stored.size);
  gst_buffer_memset (buffer, 0, 200, stored.offset[1]);
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_I420, 18, 16,
      3, stored.offset, stored.stride);
  test_frame_crop (buffer, 1, 0, 16, 16);
  return buffer;
}

/* The planes that a frame's kernels read are those that were copied. */
GST_START_TEST (test_settings_stay_while_a_frame_changes_the_layout)
{
  static const guint totals[] = { 16 * 16, 8 * 8 };
  g_autoptr (TestStream) chain =
      line_stream ("video/x-raw,format=I420,width=16,height=16,framerate=25/1",
          "glescompact channel=0 lower=50 validate=true");

  changing.chain = chain;
  for (guint i = 0; i < G_N_ELEMENTS (totals); i++) {
    g_autoptr (GstGlesPointsResult) result = NULL;
    GstBuffer *frame = frame_with_odd_crop ();
    GstVideoMeta *meta = gst_buffer_get_video_meta (frame);
    g_autoptr (GstBuffer) out = NULL;

    changing.map = meta->map;
    meta->map = map_and_change;
    out = test_stream_push (chain, frame);
    result = gst_gles_points_result_from_buffer (out);
    fail_unless_equals_uint64 (gst_gles_points_result_get_total (result), totals[i]);
  }
}

GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_loop_test (tcase, test_points, 0, G_N_ELEMENTS (predicates));
  tcase_add_test (tcase, test_settings_stay_while_a_frame_changes_the_layout);
}

LINES_MAIN (add_tests)
