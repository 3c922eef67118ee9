/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Repeated rows and outliers of frames: the kernel against the native twin, bit for bit, and the
 * twin against a plain loop. */
#include <string.h>

#include <gst/gles/algo/frame/frame-rows.h>

#include "array-cases.h"
#include "frame-cases.h"

#define OFFSET 8
#define WORDS GST_GLES_FRAME_ROWS_OUTLIERS_WORDS

typedef struct {
  const GstGlesImage *host;
  const GstGlesFrameRowsConfig *config;
} Samples;

static gint64
at (const Samples *s, guint x, guint y)
{
  const GstGlesFrameRegion *region = &s->config->region;

  return picture_value (s->host, 0, s->config->luma, region->x + x, region->y + y);
}

static gboolean
is_far (const Samples *s, guint x, guint y, guint rows)
{
  const gint64 a = at (s, x, y - rows) & 255, b = at (s, x, y) & 255, c = at (s, x, y + rows) & 255;

  return (ABS (a - b) + ABS (c - b)) / 2 - ABS (c - a) > 4;
}

static gboolean
is_outlier (const Samples *s, guint x, guint y)
{
  const guint width = s->config->region.width, height = s->config->region.height;
  gboolean outlier = x >= 1 && x + 1 < width && y >= 1 && y + 1 < height;

  for (guint i = 0; i < 6 && outlier; i++) {
    if (i % 2 == 0 || (y >= 2 && y + 2 < height))
      outlier = is_far (s, x - 1 + i / 2, y, 1 + i % 2);
  }
  return outlier;
}

/* What the words should say. */
static void
expect (const Samples *s, guint32 *words)
{
  memset (words, 0, WORDS * sizeof *words);
  for (guint y = 0; y < s->config->region.height; y++) {
    gint64 distance = 0;

    for (guint x = 0; x < s->config->region.width; x++) {
      words[GST_GLES_FRAME_ROWS_N_OUTLIERS] += is_outlier (s, x, y);
      distance += y >= 4 ? ABS (at (s, x, y) - at (s, x, y - 4)) : 0;
    }
    words[GST_GLES_FRAME_ROWS_N_REPEATED] += y >= 4 && distance < s->config->region.width;
  }
}

static void
check_frame (GstGlesFrameRows *rows, const Picture *picture, GstGlesBuffer *out, guint8 **kept,
    const guint32 *plain)
{
  guint32 twin[OFFSET + WORDS];
  GError *error = NULL;

  memset (twin, 0xa5, sizeof twin); /* as the rest that must stay */
  assert_ok (gst_gles_frame_rows_run_native (rows, &picture->host, kept, twin + OFFSET, &error));
  g_assert_cmpmem (twin + OFFSET, sizeof (guint32) * WORDS, plain, sizeof (guint32) * WORDS);
  array_spoil (out);
  assert_ok (gst_gles_frame_rows_run (rows, picture_input (picture), out, OFFSET, &error));
  array_check (out, twin, OFFSET + WORDS, "outliers");
}

/* In some pictures rows are alike, with single samples that are not. Returns the sums of the words
 * of all pictures. */
static guint
check (GstVideoFormat format, const guint size[2], const GstGlesFrameRegion *region, gboolean luma)
{
  static const Content contents[] = { CONTENT_NOISE, CONTENT_RAMP, CONTENT_ZEROS, CONTENT_SLOPE,
    CONTENT_TWO_VALUES, CONTENT_MAX, CONTENT_CONSTANT };
  const GstGlesFrameRowsConfig config = { GST_GLES_FRAME_ROWS_OUTLIERS, *region, luma, 0 };
  g_autoptr (GstGlesFrameRows) rows = NULL;
  g_autoptr (GstGlesBuffer) out = array_buffer (OFFSET + WORDS);
  g_autofree guint8 *kept = NULL;
  GError *error = NULL;
  Picture picture;
  guint sum = 0;

  picture_init (&picture, format, size[0], size[1], luma ? UNALIGNED : STAGED);
  rows = gst_gles_frame_rows_new (array_test.queue, picture_input (&picture), &config, &error);
  g_assert_no_error (error);
  for (guint frame = 0; frame < G_N_ELEMENTS (contents); frame++) {
    guint32 plain[WORDS];

    picture_fill (&picture, contents[frame], frame);
    for (guint k = 0; frame % 3 == 2 && k < picture.size_bytes / 64; k++)
      picture.memory[(k * 67 + frame) % picture.size_bytes] ^= 0x5b;
    picture_upload (&picture);
    expect (&(Samples){ &picture.host, &config }, plain);
    check_frame (rows, &picture, out, &kept, plain);
    sum += plain[0] + plain[1];
  }
  picture_clear (&picture);
  return sum;
}

static void
test_formats (void)
{
  static const guint size[2] = { 67, 35 };

  for (guint i = 0; i < n_formats; i++) {
    const GstGlesFrameRegion region = { i % 3, i % 5, 60, 29 };

    g_assert_cmpuint (check (formats[i], size, &region, i % 2 == 1), >, 0);
  }
}

/* Around vectors, and pictures of few rows. */
static void
test_sizes (void)
{
  static const guint sizes[][2] = { { 1, 1 }, { 2, 2 }, { 3, 3 }, { 4, 4 }, { 5, 5 }, { 7, 6 },
    { 8, 9 }, { 17, 16 }, { 130, 48 }, { 1100, 20 } };
  static const GstVideoFormat few[] = { GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_I420_10LE,
    GST_VIDEO_FORMAT_GRAY16_LE, GST_VIDEO_FORMAT_RGB };

  for (guint i = 0; i < G_N_ELEMENTS (sizes) * G_N_ELEMENTS (few); i++) {
    const guint *size = sizes[i / G_N_ELEMENTS (few)];
    const GstGlesFrameRegion region = { 0, 0, size[0], size[1] };

    check (few[i % G_N_ELEMENTS (few)], size, &region, FALSE);
  }
}

static void
add (void)
{
  g_test_add_func ("/frame-outliers/formats", test_formats);
  g_test_add_func ("/frame-outliers/sizes", test_sizes);
}

ARRAY_TEST_MAIN (NULL, add)
