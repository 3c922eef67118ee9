/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Colours that glesoverlay blends: the samples of each format differ by less than two code values
 * from arithmetic in doubles, since the drawing has 8 bits, premultiplied. */
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <gst/video/video.h>

#include <math.h>
#include <string.h>

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

typedef struct {
  GstVideoInfo info;
  GstBuffer *before, *after;
} Drawn;

/* Draws @points on noise. */
static void
draw (guint test, guint width, guint height, const GstGlesPoint *points, guint n,
    const gchar *properties, Drawn *drawn)
{
  g_autofree gchar *caps = g_strdup_printf ("video/x-raw,format=%s,width=%u,height=%u,"
                                            "framerate=25/1,colorimetry=%s",
      cases[test].format, width, height, cases[test].colorimetry);
  g_autofree gchar *line = g_strdup_printf ("glesoverlay labels=false %s", properties);
  GstHarness *harness = gst_harness_new_parse (line);
  g_autoptr (GstGlesPointsResult) result = sample_points_new (width, height, points, n, n);
  g_autoptr (GstCaps) parsed = gst_caps_from_string (caps);
  GRand *rand = g_rand_new_with_seed (test);
  GstMapInfo map;

  fail_unless (gst_video_info_from_caps (&drawn->info, parsed));
  gst_harness_set_src_caps_str (harness, caps);
  drawn->before = gst_buffer_new_allocate (NULL, drawn->info.size, NULL);
  fail_unless (gst_buffer_map (drawn->before, &map, GST_MAP_WRITE));
  for (gsize i = 0; i < map.size; i++)
    map.data[i] = (guint8) g_rand_int_range (rand, 0, 256);
  for (gsize i = 1; i < map.size && GST_VIDEO_INFO_COMP_DEPTH (&drawn->info, 0) == 10; i += 2)
    map.data[i] &= 3;
  gst_buffer_unmap (drawn->before, &map);
  GST_BUFFER_PTS (drawn->before) = 0;
  drawn->after = gst_buffer_copy_deep (drawn->before);
  gst_buffer_add_gles_points_meta (drawn->after, result);
  drawn->after = gst_harness_push_and_pull (harness, drawn->after);
  fail_unless (drawn->after != NULL);
  g_rand_free (rand);
  gst_harness_teardown (harness);
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

typedef gdouble (*ShareFunc) (guint x, guint y, guint columns, guint rows);

/* @share returns how much of a sample (columns times rows pixels from x, y on) is covered, with
 * alpha times @opacity. */
static void
check (guint test, Drawn *drawn, gdouble opacity, ShareFunc share)
{
  const GstVideoFormatInfo *format = drawn->info.finfo;
  GstVideoFrame a, b;

  fail_unless (gst_video_frame_map (&a, &drawn->info, drawn->before, GST_MAP_READ));
  fail_unless (gst_video_frame_map (&b, &drawn->info, drawn->after, GST_MAP_READ));
  for (guint c = 0; c < GST_VIDEO_FORMAT_INFO_N_COMPONENTS (format); c++) {
    const guint columns = 1u << GST_VIDEO_FORMAT_INFO_W_SUB (format, c);
    const guint rows = 1u << GST_VIDEO_FORMAT_INFO_H_SUB (format, c);

    for (guint y = 0; y < (guint) GST_VIDEO_FRAME_COMP_HEIGHT (&a, c); y++) {
      for (guint x = 0; x < (guint) GST_VIDEO_FRAME_COMP_WIDTH (&a, c); x++) {
        const gdouble before = get_sample (&a, c, x, y), after = get_sample (&b, c, x, y);
        const gdouble expected =
            expect (test, c, before, opacity * share (x * columns, y * rows, columns, rows));

        fail_unless (fabs (after - expected) < 2, "%s %s: component %u at %u,%u is %f, not %f",
            cases[test].format, cases[test].colorimetry, c, x, y, after, expected);
      }
    }
  }
  gst_video_frame_unmap (&a);
  gst_video_frame_unmap (&b);
  gst_buffer_unref (drawn->before);
  gst_buffer_unref (drawn->after);
}

static gdouble
everywhere (guint x, guint y, guint columns, guint rows)
{
  return 1;
}

/* Odd sizes: the last chroma samples cover one column and one row. */
GST_START_TEST (test_all_over)
{
  enum {
    WIDTH = 67,
    HEIGHT = 35
  };
  g_autofree GstGlesPoint *points = g_new0 (GstGlesPoint, WIDTH * HEIGHT);
  Drawn drawn;

  for (guint i = 0; i < WIDTH * HEIGHT; i++)
    points[i] = (GstGlesPoint){ i % WIDTH, i / WIDTH, 1 };
  draw (__i__, WIDTH, HEIGHT, points, WIDTH * HEIGHT, "", &drawn);
  check (__i__, &drawn, 1, everywhere);
  draw (__i__, WIDTH, HEIGHT, points, WIDTH * HEIGHT, "opacity=0.3", &drawn);
  check (__i__, &drawn, 0.3, everywhere);
}

GST_END_TEST;

/* the pixels of sparse_points () */
static gboolean
is_point (guint x, guint y)
{
  return (x * 7 + y * 13) % 5 == 0 || x / 16 == y / 16;
}

static gdouble
share_of_points (guint x, guint y, guint columns, guint rows)
{
  guint n = 0;

  for (guint i = 0; i < rows; i++)
    for (guint j = 0; j < columns; j++)
      n += is_point (x + j, y + i) ? 1 : 0;
  return n / (gdouble) (columns * rows);
}

/* Some pixels of a sample, at even and odd places, and blocks without any. */
GST_START_TEST (test_some)
{
  enum {
    WIDTH = 96,
    HEIGHT = 50
  };
  g_autofree GstGlesPoint *points = g_new0 (GstGlesPoint, WIDTH * HEIGHT);
  guint n = 0;
  Drawn drawn;

  for (guint y = 0; y < HEIGHT; y++)
    for (guint x = 0; x < WIDTH; x++)
      if (is_point (x, y))
        points[n++] = (GstGlesPoint){ x, y, 1 };
  draw (__i__, WIDTH, HEIGHT, points, n, "", &drawn);
  check (__i__, &drawn, 1, share_of_points);
}

GST_END_TEST;

static Suite *
overlay_blend_suite (void)
{
  Suite *suite = suite_create ("glesoverlay-blend");
  TCase *tcase = tcase_create ("colours");

  suite_add_tcase (suite, tcase);
  tcase_add_loop_test (tcase, test_all_over, 0, G_N_ELEMENTS (cases));
  tcase_add_loop_test (tcase, test_some, 0, G_N_ELEMENTS (cases));
  return suite;
}

GST_CHECK_MAIN (overlay_blend);
