/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The overview of frames: the native twin against a plain loop, and the kernel against the twin,
 * bit for bit. */
#include <string.h>

#include <glsl/frame/frame-overview-layout.h>

#include <gst/gles/algo/frame/frame-histogram.h>

#include "array-cases.h"
#include "frame-cases.h"

typedef struct {
  guint width, height;
  guint x, y, region_width, region_height; /* all 0: the whole picture */
} Case;

static const Case cases[] = {
  { 1, 1, 0, 0, 0, 0 }, { 2, 2, 0, 0, 0, 0 }, { 3, 5, 0, 0, 0, 0 }, { 7, 1, 0, 0, 0, 0 },
  { 1, 31, 0, 0, 0, 0 }, { 37, 23, 0, 0, 0, 0 }, { 37, 23, 36, 22, 1, 1 }, { 37, 23, 1, 3, 17, 19 },
  { 101, 97, 5, 2, 89, 95 }, { 517, 113, 0, 0, 0, 0 },
  { 640, 360, 3, 1, 635, 358 }, /* as many samples as make native code count by value */
};

static const Case large[] = {
  { 1280, 720, 0, 0, 0, 0 },
  { 1920, 1080, 0, 0, 0, 0 },
  { 7681, 33, 0, 0, 0, 0 },
  { 7680, 4320, 0, 0, 0, 0 },
};

/* ---- what is expected ---- */

static guint
distance (guint a, guint b)
{
  return MAX (a, b) - MIN (a, b);
}

static void
expect (const GstGlesImage *host, const GstGlesFrameHistogramConfig *c, guint32 *words)
{
  const guint depth = picture_depth (host, 0, TRUE);
  guint64 gradients[GST_GLES_OVERVIEW_AREAS] = { 0 };

  memset (words, 0, 4 * GST_GLES_OVERVIEW_WORDS);
  for (guint y = 0; y < c->height; y += 4) {
    for (guint x = 0; x < c->width; x++) {
      const guint area = (guint) ((guint64) y * 4 / c->height * 4 + (guint64) x * 4 / c->width);
      const guint value = picture_value (host, 0, TRUE, c->x + x, c->y + y);

      words[area * 32 + (value * 32 >> depth)]++;
      if (x + 1 < c->width)
        gradients[area] += distance (value, picture_value (host, 0, TRUE, c->x + x + 1, c->y + y));
      if (y + 1 < c->height)
        gradients[area] += distance (value, picture_value (host, 0, TRUE, c->x + x, c->y + y + 1));
    }
  }
  for (guint i = 0; i < GST_GLES_OVERVIEW_AREAS; i++) {
    words[GST_GLES_OVERVIEW_SUMS + 2 * i] = (guint32) gradients[i];
    words[GST_GLES_OVERVIEW_SUMS + 2 * i + 1] = (guint32) (gradients[i] >> 32);
  }
}

/* ---- checks ---- */

/* The counts are the same with an overview and without. */
static void
check_counts (const GstGlesFrameHistogramConfig *config, const Picture *picture,
    const guint32 *counts, const gchar *where)
{
  GstGlesFrameHistogramConfig without = *config;
  g_autoptr (GstGlesFrameHistogram) histogram = NULL;
  g_autofree guint32 *plain = NULL;
  gsize size;

  without.overview = FALSE;
  histogram = gst_gles_frame_histogram_new (array_test.queue, &picture->device, &without, NULL);
  size = gst_gles_frame_histogram_get_layout (histogram)->size_bytes;
  plain = g_malloc (size);
  g_assert_true (
      gst_gles_frame_histogram_run_native (histogram, &picture->host, NULL, plain, NULL));
  if (memcmp (counts, plain, size) != 0)
    g_error ("%s: the counts are others with an overview", where);
}

static void
check (Picture *picture, const GstGlesFrameHistogramConfig *config, Content content,
    const gchar *where)
{
  g_autoptr (GstGlesFrameHistogram) histogram = NULL;
  g_autoptr (GstGlesBuffer) counts = NULL;
  g_autofree guint32 *want = NULL;
  guint32 plain[GST_GLES_OVERVIEW_WORDS];
  const GstGlesFrameHistogramLayout *layout;
  GError *error = NULL;

  histogram = gst_gles_frame_histogram_new (array_test.queue, &picture->device, config, &error);
  g_assert_no_error (error);
  layout = gst_gles_frame_histogram_get_layout (histogram);
  g_assert_cmpuint (layout->overview_depth, ==, picture_depth (&picture->host, 0, TRUE));
  g_assert_cmpuint (
      4 * (layout->overview_offset + GST_GLES_OVERVIEW_WORDS), ==, layout->size_bytes);
  counts = array_buffer (layout->size_bytes / 4);
  want = g_malloc (layout->size_bytes);
  /* twice, and then another picture */
  for (guint i = 0; i < 3; i++) {
    if (i != 1)
      picture_fill (picture, (content + i) % N_CONTENTS, i);
    expect (&picture->host, config, plain);
    g_assert_true (
        gst_gles_frame_histogram_run_native (histogram, &picture->host, NULL, want, NULL));
    for (guint k = 0; k < GST_GLES_OVERVIEW_WORDS; k++) {
      if (want[layout->overview_offset + k] != plain[k])
        g_error ("%s: word %u of the twin is %u, not %u", where, k,
            want[layout->overview_offset + k], plain[k]);
    }
    check_counts (config, picture, want, where);
    array_spoil (counts);
    assert_ok (
        gst_gles_frame_histogram_run (histogram, picture_input (picture), NULL, counts, &error));
    array_check (counts, want, layout->size_bytes / 4, where);
  }
}

static void
check_case (GstVideoFormat format, gboolean luma, Placement placement, const Case *c,
    Content content, guint columns)
{
  GstGlesFrameHistogramConfig config = { c->x, c->y, c->region_width, c->region_height, 1, 1, 256,
    luma, FALSE, FALSE, TRUE };
  g_autofree gchar *where = NULL;
  Picture picture;

  if (config.width == 0) {
    config.width = c->width;
    config.height = c->height;
  }
  config.columns = MIN (columns, config.width);
  picture_init (&picture, format, c->width, c->height, placement);
  where = g_strdup_printf ("%s%s %ux%u region %u,%u %ux%u columns %u content %d", picture.name,
      luma ? " luma" : "", c->width, c->height, c->x, c->y, config.width, config.height,
      config.columns, content);
  g_test_message ("%s", where);
  check (&picture, &config, content, where);
  picture_clear (&picture);
}

/* ---- tests ---- */

static void
test_formats (void)
{
  for (guint i = 0; i < n_formats; i++) {
    for (guint k = 0; k < G_N_ELEMENTS (cases); k++) {
      if ((i + k) % ((i < n_basic_formats ? 1 : 3) * (array_test.quick ? 3 : 1)) != 0)
        continue;
      check_case (formats[i], (i + k) % 2 != 0, STAGED, &cases[k], (Content) ((i + k) % N_CONTENTS),
          k % 5 == 4 ? 3 : 1);
    }
  }
}

static void
test_contents (void)
{
  static const GstVideoFormat few[] = { GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_GRAY16_LE,
    GST_VIDEO_FORMAT_BGRx };

  for (guint i = 0; i < G_N_ELEMENTS (few); i++)
    for (guint content = 0; content < N_CONTENTS; content++)
      check_case (few[i], FALSE, STAGED, &cases[G_N_ELEMENTS (cases) - 1], (Content) content, 1);
}

static void
test_unaligned (void)
{
  static const GstVideoFormat few[] = { GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_GRAY8,
    GST_VIDEO_FORMAT_P010_10BE, GST_VIDEO_FORMAT_RGB16 };

  for (guint i = 0; i < G_N_ELEMENTS (few); i++)
    for (guint k = 0; k < G_N_ELEMENTS (cases); k++)
      check_case (few[i], FALSE, UNALIGNED, &cases[k], CONTENT_NOISE, 1);
}

/* 16 bits and the greatest gradients at 8K: sums of areas over 32 bits, and many rounds of loops */
static void
test_large (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (large); i++) {
    if (!array_test.quick || i < 2)
      check_case (GST_VIDEO_FORMAT_NV12, FALSE, STAGED, &large[i], CONTENT_NOISE, 1);
    check_case (GST_VIDEO_FORMAT_GRAY16_LE, FALSE, STAGED, &large[i], CONTENT_TWO_VALUES, 1);
    if (i == 1)
      check_case (GST_VIDEO_FORMAT_RGBA, FALSE, STAGED, &large[i], CONTENT_SLOPE, 1);
  }
}

static void
add (void)
{
  g_test_add_func ("/frame-overview/formats", test_formats);
  g_test_add_func ("/frame-overview/contents", test_contents);
  g_test_add_func ("/frame-overview/unaligned", test_unaligned);
  g_test_add_func ("/frame-overview/large", test_large);
}

ARRAY_TEST_MAIN (NULL, add)
