/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Colours that glesoverlay blends: the samples of each format differ by less than two code values
 * from arithmetic in doubles, since the drawing has 8 bits, premultiplied. */

#include <math.h>

#include "lines.h"
#include "results-samples.h"

/* how points are drawn: amber, of 60 % */
static const gdouble amber[3] = { 1.00, 0.72, 0.05 };
#define ALPHA 0.60

/* what glesoverlay blends itself, and at the end what it lets GStreamer blend */
static const struct {
  const gchar *format, *colorimetry;
  gdouble kr, kb;
  gboolean full; /* range */
} cases[] = {
  { "I420", "bt601", 0.299, 0.114, FALSE },
  { "I420", "bt709", 0.2126, 0.0722, FALSE },
  { "I420", "1:4:0:0", 0.299, 0.114, TRUE }, /* as JPEG */
  { "I420", "1:0:0:0", 0.299, 0.114, TRUE }, /* full range, though the matrix is unknown */
  { "I420", "1:1:7:1", 0.299, 0.114, TRUE }, /* or none that YUV has */
  { "I420", "0:3:0:0", 0.2126, 0.0722, FALSE },
  { "I420", "2:0:0:0", 0.299, 0.114, FALSE },
  { "YV12", "bt709", 0.2126, 0.0722, FALSE },
  { "NV12", "bt709", 0.2126, 0.0722, FALSE },
  { "NV21", "bt2020", 0.2627, 0.0593, FALSE },
  { "Y42B", "bt709", 0.2126, 0.0722, FALSE },
  { "YUY2", "bt601", 0.299, 0.114, FALSE },
  { "UYVY", "bt709", 0.2126, 0.0722, FALSE },
  { "Y444", "bt709", 0.2126, 0.0722, FALSE },
  { "GRAY8", "bt709", 0.2126, 0.0722, FALSE },
  { "BGRx", "sRGB", 0, 0, TRUE },
  { "xRGB", "sRGB", 0, 0, TRUE },
  { "RGB", "sRGB", 0, 0, TRUE },
  { "RGB", "2:1:7:1", 0, 0, FALSE },
  { "Y444_10LE", "bt601", 0.299, 0.114, FALSE },
  { "Y444_10LE", "bt709", 0.2126, 0.0722, FALSE },
  { "Y444_10LE", "1:4:0:0", 0.299, 0.114, TRUE },
  { "Y444_10LE", "2:6:0:0", 0.2627, 0.0593, FALSE },
};

/* Returns a component of a colour blended into a sample of @value; @share is the part of the
 * sample's pixels that is covered. */
static gdouble
expect (guint test, guint component, gdouble value, gdouble share)
{
  const gdouble kr = cases[test].kr, kb = cases[test].kb;
  const gdouble luma = kr * amber[0] + (1 - kr - kb) * amber[1] + kb * amber[2];
  const gdouble scale = cases[test].full ? 255 : component == 0 ? 219 : 224;
  gdouble colour;

  if (kr == 0)
    colour = (cases[test].full ? 0 : 16) + (cases[test].full ? 255 : 219) * amber[component];
  else if (component == 0)
    colour = (cases[test].full ? 0 : 16) + scale * luma;
  else if (component == 1)
    colour = 128 + scale * (amber[2] - luma) / (2 * (1 - kb));
  else
    colour = 128 + scale * (amber[0] - luma) / (2 * (1 - kr));
  return value + (colour - value) * ALPHA * share;
}

typedef gboolean (*IsPoint) (guint x, guint y);

/* Draws the pixels of @is_point as points on @frame (transfer full) and returns it. */
static GstBuffer *
draw (TestStream *chain, GstBuffer *frame, IsPoint is_point)
{
  const guint width = (guint) chain->info.width, height = (guint) chain->info.height;
  g_autofree GstGlesPoint *points = g_new (GstGlesPoint, width * height);
  g_autoptr (GstGlesPointsResult) result = NULL;
  guint n = 0;

  for (guint y = 0; y < height; y++)
    for (guint x = 0; x < width; x++)
      if (is_point (x, y))
        points[n++] = (GstGlesPoint){ x, y, 1 };
  result = sample_points_new (width, height, points, n, n);
  gst_buffer_add_gles_points_meta (frame, result);
  return test_stream_push (chain, frame);
}

/* Returns how much of a sample, columns times rows pixels from x, y on, is covered by points. */
static gdouble
share (IsPoint is_point, guint x, guint y, guint columns, guint rows)
{
  guint n = 0;

  for (guint i = 0; i < rows; i++)
    for (guint j = 0; j < columns; j++)
      n += is_point (x + j, y + i) ? 1 : 0;
  return n / (gdouble) (columns * rows);
}

/* Returns a sample as a code value of 8 bits. */
static gdouble
get_sample (const GstVideoFrame *frame, guint c, guint x, guint y)
{
  const guint8 *at = (const guint8 *) GST_VIDEO_FRAME_COMP_DATA (frame, c) +
      y * (gsize) GST_VIDEO_FRAME_COMP_STRIDE (frame, c) +
      x * (gsize) GST_VIDEO_FRAME_COMP_PSTRIDE (frame, c);

  return GST_VIDEO_FRAME_COMP_DEPTH (frame, c) == 10 ? GST_READ_UINT16_LE (at) / 4.0 : *at;
}

/* Compares what is drawn on noise with what is expected. */
static void
check (guint test, guint width, guint height, gdouble opacity, IsPoint is_point)
{
  g_autofree gchar *text = g_strdup_printf ("video/x-raw,format=%s,width=%u,height=%u,"
                                            "framerate=25/1,colorimetry=%s",
      cases[test].format, width, height, cases[test].colorimetry);
  g_autoptr (TestStream) chain = line_stream (text, "glesoverlay labels=false opacity=%f", opacity);
  const GstVideoInfo info = chain->info;
  g_autoptr (GRand) rand = g_rand_new_with_seed (test);
  GstBuffer *before, *after;
  GstVideoFrame a, b;
  GstMapInfo map;

  before = gst_buffer_new_allocate (NULL, info.size, NULL);
  fail_unless (gst_buffer_map (before, &map, GST_MAP_WRITE));
  for (gsize i = 0; i < map.size; i++)
    map.data[i] = (guint8) g_rand_int_range (
        rand, 0, GST_VIDEO_INFO_COMP_DEPTH (&info, 0) == 10 && i % 2 == 1 ? 4 : 256);
  gst_buffer_unmap (before, &map);
  after = draw (chain, gst_buffer_copy_deep (before), is_point);
  fail_unless (gst_video_frame_map (&a, &info, before, GST_MAP_READ));
  fail_unless (gst_video_frame_map (&b, &info, after, GST_MAP_READ));
  for (guint c = 0; c < GST_VIDEO_INFO_N_COMPONENTS (&info); c++) {
    const guint columns = 1u << GST_VIDEO_FORMAT_INFO_W_SUB (info.finfo, c);
    const guint rows = 1u << GST_VIDEO_FORMAT_INFO_H_SUB (info.finfo, c);

    for (guint y = 0; y < (guint) GST_VIDEO_FRAME_COMP_HEIGHT (&a, c); y++) {
      for (guint x = 0; x < (guint) GST_VIDEO_FRAME_COMP_WIDTH (&a, c); x++) {
        const gdouble found = get_sample (&b, c, x, y);
        const gdouble expected = expect (test, c, get_sample (&a, c, x, y),
            opacity * share (is_point, x * columns, y * rows, columns, rows));

        fail_unless (fabs (found - expected) < 2, "%s: component %u at %u,%u is %f, not %f", text,
            c, x, y, found, expected);
      }
    }
  }
  gst_video_frame_unmap (&a);
  gst_video_frame_unmap (&b);
  gst_buffer_unref (before);
  gst_buffer_unref (after);
}

static gboolean
everywhere (guint x, guint y)
{
  return TRUE;
}

/* Some pixels of a sample, at even and odd places, and blocks without any. */
static gboolean
somewhere (guint x, guint y)
{
  return (x * 7 + y * 13) % 5 == 0 || x / 16 == y / 16;
}

GST_START_TEST (test_colours)
{
  /* odd sizes: the last chroma samples cover one column and one row */
  check (__i__, 67, 35, 1, everywhere);
  check (__i__, 67, 35, 0.3, everywhere);
  check (__i__, 96, 50, 1, somewhere);
}

GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_loop_test (tcase, test_colours, 0, G_N_ELEMENTS (cases));
}

LINES_MAIN (add_tests)
