/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Histograms of boxes: kernels against the native twin, bit for bit, and the twin against a plain
 * loop. */
#include <string.h>

#include <gst/gles/algo/frame/frame-boxes.h>
#include <gst/gles/gl/queue.h>

#include "array-cases.h"
#include "frame-cases.h"

#define CANARIES 8

/* Counts one sample after the other. */
static void
count_plainly (const GstGlesImage *host, const GstGlesFrameBoxesConfig *config,
    const GstGlesFrameBox *boxes, guint n, guint32 *counts)
{
  const guint n_channels = config->luma ? 1 : host->n_components;

  for (guint i = 0; i < n * n_channels; i++) {
    const GstGlesFrameBox *box = &boxes[i / n_channels];
    const guint channel = i % n_channels;
    const GstGlesComponent *c = &host->components[channel];
    const guint depth = picture_depth (host, channel, config->luma);

    for (gint64 y = 0; y < c->height; y++) {
      const gint64 row = y << c->sub_y;

      for (gint64 x = 0; x < c->width; x++) {
        const gint64 column = x << c->sub_x;

        if (column >= box->x && column < (gint64) box->x + box->width && row >= box->y &&
            row < (gint64) box->y + box->height)
          counts[i * config->bins +
              (picture_value (host, channel, config->luma, (guint) x, (guint) y) * config->bins >>
                  depth)]++;
      }
    }
  }
}

/* Compares the kernel with the twin, twice, and the twin with a loop if @plainly. */
static void
check (GstGlesFrameBoxes *plan, const Picture *picture, const GstGlesFrameBoxesConfig *config,
    const GstGlesFrameBox *boxes, guint n, gboolean plainly, const gchar *where)
{
  const guint n_words = (guint) gst_gles_frame_boxes_n_words (plan, n);
  g_autoptr (GstGlesBuffer) counts = array_buffer (n_words + CANARIES);
  g_autofree guint32 *twin = g_new (guint32, n_words + CANARIES);
  GError *error = NULL;

  memset (twin, 0xa5, 4 * (gsize) (n_words + CANARIES)); /* as array_spoil() does */
  assert_ok (gst_gles_frame_boxes_run_native (
      plan, &picture->host, &(GstGlesFrameBoxList){ boxes, n }, twin, &error));
  for (guint i = 0; i < CANARIES; i++)
    g_assert_cmphex (twin[n_words + i], ==, 0xa5a5a5a5);
  if (plainly) {
    g_autofree guint32 *plain = g_new0 (guint32, n_words + 1);

    count_plainly (&picture->host, config, boxes, n, plain);
    if (memcmp (twin, plain, 4 * (gsize) n_words) != 0)
      g_error ("%s: the twin's counts are not those of a plain loop", where);
  }
  for (guint round = 0; round < 2; round++) {
    array_spoil (counts);
    assert_ok (gst_gles_frame_boxes_run (
        plan, picture_input (picture), &(GstGlesFrameBoxList){ boxes, n }, counts, &error));
    array_check (counts, twin, n_words + CANARIES, where);
  }
}

/* At the borders, over them, beyond them, empty, of one position, and one over the other. */
static guint
make_boxes (gint width, gint height, GstGlesFrameBox *boxes)
{
  const GstGlesFrameBox all[] = { { 0, 0, width, height }, { -3, -5, 10, 9 },
    { width - 3, height - 1, 50, 50 }, { width, 0, 5, 5 }, { 0, height, 5, 5 }, { -5, 0, 5, 5 },
    { 1, 1, 0, 5 }, { 1, 1, 5, -1 }, { 0, 0, 1, 1 }, { 1, 1, 1, 1 }, { 1, 0, 2, 3 },
    { width / 3, height / 4, width / 2, height / 2 }, { width / 4, height / 3, 17, 13 },
    { G_MININT, G_MININT, G_MAXINT, G_MAXINT }, { -1, -1, G_MAXINT, G_MAXINT },
    { G_MAXINT, G_MAXINT, G_MAXINT, G_MAXINT } };

  memcpy (boxes, all, sizeof (all));
  return G_N_ELEMENTS (all);
}

static void
check_format (GstVideoFormat format, gboolean luma, Placement placement)
{
  static const guint sizes[][2] = { { 1, 1 }, { 37, 23 }, { 130, 65 } };
  static const guint bins[] = { 256, 7 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes) * G_N_ELEMENTS (bins); i++) {
    const guint *size = sizes[i / G_N_ELEMENTS (bins)];
    const GstGlesFrameBoxesConfig config = { bins[i % G_N_ELEMENTS (bins)], luma };
    g_autoptr (GstGlesFrameBoxes) plan = NULL;
    GstGlesFrameBox boxes[GST_GLES_FRAME_BOXES_MAX];
    g_autofree gchar *where = NULL;
    GError *error = NULL;
    Picture picture;
    guint n;

    picture_init (&picture, format, size[0], size[1], placement);
    picture_fill (&picture, CONTENT_NOISE, i);
    picture_upload (&picture);
    where = g_strdup_printf (
        "%s%s %ux%u %u bins", picture.name, luma ? " luma" : "", size[0], size[1], config.bins);
    plan = gst_gles_frame_boxes_new (array_test.queue, picture_input (&picture), &config, &error);
    g_assert_no_error (error);
    n = make_boxes ((gint) size[0], (gint) size[1], boxes);
    check (plan, &picture, &config, boxes, n, TRUE, where);
    check (plan, &picture, &config, boxes + 1, 1, TRUE, where);
    picture_clear (&picture);
  }
}

static void
test_formats (void)
{
  for (guint i = 0; i < n_formats; i++)
    check_format (formats[i], FALSE, STAGED);
}

static void
test_luma (void)
{
  static const GstVideoFormat few[] = { GST_VIDEO_FORMAT_RGB16, GST_VIDEO_FORMAT_r210,
    GST_VIDEO_FORMAT_BGRx, GST_VIDEO_FORMAT_NV12 };

  for (guint i = 0; i < G_N_ELEMENTS (few); i++)
    check_format (few[i], TRUE, STAGED);
}

static void
test_unaligned (void)
{
  static const GstVideoFormat few[] = { GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_P010_10BE,
    GST_VIDEO_FORMAT_RGB16 };

  for (guint i = 0; i < G_N_ELEMENTS (few); i++)
    check_format (few[i], FALSE, UNALIGNED);
}

/* Thousands of boxes of any place and size, in runs of 0 to 256, of one plan. */
static void
test_many (void)
{
  const GstGlesFrameBoxesConfig config = { 64, FALSE };
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  g_autoptr (GstGlesFrameBoxes) plan = NULL;
  GError *error = NULL;
  Picture picture;

  picture_init (&picture, GST_VIDEO_FORMAT_I420, 97, 61, STAGED);
  picture_fill (&picture, CONTENT_NOISE, 5);
  picture_upload (&picture);
  plan = gst_gles_frame_boxes_new (array_test.queue, picture_input (&picture), &config, &error);
  g_assert_no_error (error);
  for (guint round = 0; round < 14; round++) {
    const guint n = round == 0 ? 0 : round == 1 ? 1 : round == 2 ? 255 : GST_GLES_FRAME_BOXES_MAX;
    GstGlesFrameBox boxes[GST_GLES_FRAME_BOXES_MAX];

    for (guint i = 0; i < n; i++)
      boxes[i] =
          (GstGlesFrameBox){ g_rand_int_range (rand, -20, 100), g_rand_int_range (rand, -20, 70),
            g_rand_int_range (rand, -2, 110), g_rand_int_range (rand, -2, 70) };
    check (plan, &picture, &config, boxes, n, round < 5, "many");
  }
  picture_clear (&picture);
}

/* A frame of 8K takes more rounds than llvmpipe has iterations, were it not for parts. Quick tests
 * leave out 4K and the second large box. */
static void
test_large (void)
{
  static const guint sizes[][2] = { { 1280, 720 }, { 3840, 2160 }, { 7680, 4320 } };
  const GstGlesFrameBoxesConfig config = { 256, FALSE };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    const gint width = (gint) sizes[i][0], height = (gint) sizes[i][1];
    const GstGlesFrameBox boxes[] = { { 0, 0, width, height }, { width / 2, height / 2, 101, 67 },
      { 1, 1, width - 2, height - 2 } };
    const guint n_boxes = array_test.quick ? 2 : G_N_ELEMENTS (boxes);
    g_autoptr (GstGlesFrameBoxes) plan = NULL;
    GError *error = NULL;
    Picture picture;

    if (array_test.quick && i == 1)
      continue;
    picture_init (&picture, i == 1 ? GST_VIDEO_FORMAT_P010_10LE : GST_VIDEO_FORMAT_NV12,
        sizes[i][0], sizes[i][1], STAGED);
    picture_fill (&picture, CONTENT_SLOPE, i);
    picture_upload (&picture);
    plan = gst_gles_frame_boxes_new (array_test.queue, picture_input (&picture), &config, &error);
    g_assert_no_error (error);
    check (plan, &picture, &config, boxes, n_boxes, FALSE, "large");
    picture_clear (&picture);
  }
}

static void
test_errors (void)
{
  static const GstGlesFrameBox boxes[GST_GLES_FRAME_BOXES_MAX + 1] = { { 0, 0, 1, 1 } };
  GstGlesFrameBoxesConfig config = { 1, FALSE };
  g_autoptr (GstGlesFrameBoxes) plan = NULL;
  g_autoptr (GstGlesBuffer) counts = array_buffer (3 * 65536);
  GError *error = NULL;
  Picture picture;

  picture_init (&picture, GST_VIDEO_FORMAT_I420, 16, 16, STAGED);
  picture_fill (&picture, CONTENT_NOISE, 1);
  picture_upload (&picture);
  g_assert_null (
      gst_gles_frame_boxes_new (array_test.queue, picture_input (&picture), &config, &error));
  array_expect_error (&error, GST_GLES_ERROR_SETTINGS, "one bin");
  config.bins = 65536;
  plan = gst_gles_frame_boxes_new (array_test.queue, picture_input (&picture), &config, &error);
  g_assert_no_error (error);
  g_assert_false (gst_gles_frame_boxes_run (plan, picture_input (&picture),
      &(GstGlesFrameBoxList){ boxes, GST_GLES_FRAME_BOXES_MAX + 1 }, counts, &error));
  array_expect_error (&error, GST_GLES_ERROR_TOO_LARGE, "257 boxes");
  g_assert_false (gst_gles_frame_boxes_run (
      plan, picture_input (&picture), &(GstGlesFrameBoxList){ boxes, 86 }, counts, &error));
  array_expect_error (&error, GST_GLES_ERROR_TOO_LARGE, "258 times 65536 counters");
  g_assert_false (gst_gles_frame_boxes_run (
      plan, picture_input (&picture), &(GstGlesFrameBoxList){ boxes, 2 }, counts, &error));
  array_expect_error (&error, GST_GLES_ERROR_INVALID, "counters for one box");
  check (plan, &picture, &config, boxes, 2, TRUE, "after errors");
  picture_clear (&picture);
}

static void
add (void)
{
  g_test_add_func ("/frame-boxes/formats", test_formats);
  g_test_add_func ("/frame-boxes/luma", test_luma);
  g_test_add_func ("/frame-boxes/unaligned", test_unaligned);
  g_test_add_func ("/frame-boxes/many", test_many);
  g_test_add_func ("/frame-boxes/large", test_large);
  g_test_add_func ("/frame-boxes/errors", test_errors);
}

ARRAY_TEST_MAIN (NULL, add)
