/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The histogram's kernels against the native twin, bit for bit, in the variant that
 * GST_GLES_FRAME_HISTOGRAM_VARIANT forces. tests/element/gleshistogram-counts.c checks the twin. */
#include <string.h>

#include <gst/gles/algo/frame/frame-histogram.h>
#include <gst/gles/algo/frame/frame-histogram-tuning.h>

#include "array-cases.h"
#include "frame-cases.h"

/* forced: the variant, if it is not "auto" */
static const gchar *forced;
/* a variant is forced, or limits are */
static gboolean is_variant;

/* ---- cases ---- */

typedef struct {
  guint width, height;
  guint x, y, region_width, region_height; /* all 0: the whole picture */
  guint columns, rows;
  guint bins;
} Case;

static const Case cases[] = {
  { 1, 1, 0, 0, 0, 0, 1, 1, 256 },
  { 1, 15, 0, 0, 0, 0, 1, 1, 2 },
  { 15, 1, 0, 0, 0, 0, 1, 1, 255 },
  { 17, 13, 0, 0, 0, 0, 1, 1, 257 },
  { 17, 13, 0, 0, 0, 0, 17, 13, 3 }, /* as many cells as positions */
  { 17, 13, 0, 0, 0, 0, 7, 5, 256 },
  { 17, 13, 5, 3, 9, 7, 1, 1, 1000 },
  { 17, 13, 16, 12, 1, 1, 1, 1, 1024 }, /* subsampled components have no sample there */
  { 17, 13, 1, 1, 15, 11, 2, 3, 1000 },
  { 640, 2, 0, 0, 0, 0, 1, 1, 4096 },
  { 640, 2, 0, 0, 0, 0, 7, 1, 1024 },
  { 10000, 1, 0, 0, 0, 0, 1, 1, 12288 },
  { 10000, 1, 13, 0, 9001, 1, 3, 1, 64 },
  { 64, 48, 0, 0, 0, 0, 1, 1, 12289 },
  { 64, 48, 0, 0, 0, 0, 2, 2, 64000 },
  { 64, 48, 3, 5, 55, 41, 1, 1, 65536 },
  { 323, 177, 0, 0, 0, 0, 7, 5, 256 },
  { 323, 177, 31, 17, 200, 101, 4, 4, 10 },
  { 640, 360, 0, 0, 0, 0, 1, 1, 256 },
};

static GstGlesFrameHistogramConfig
case_config (const Case *c)
{
  GstGlesFrameHistogramConfig config = { c->x, c->y, c->region_width, c->region_height, c->columns,
    c->rows, c->bins, FALSE };

  if (config.width == 0) {
    config.width = c->width;
    config.height = c->height;
  }
  return config;
}

/* ---- checks ---- */

/* Runs with garbage in the counts and after them; the garbage after them must stay. */
static void
run (GstGlesFrameHistogram *histogram, const GstGlesImage *image, GstGlesBuffer *previous,
    GstGlesBuffer *counts, const guint32 *want, const gchar *where)
{
  GError *error = NULL;

  array_spoil (counts);
  assert_ok (gst_gles_frame_histogram_run (histogram, image, previous, counts, &error));
  array_check (
      counts, want, gst_gles_frame_histogram_get_layout (histogram)->size_bytes / 4, where);
}

/* The native counters of @config are those of a plain loop over samples. */
static void
check_plain (const GstGlesImage *host, const GstGlesFrameHistogramConfig *config,
    const GstGlesFrameHistogramLayout *layout, const guint32 *counts, const gchar *where)
{
  for (guint i = 0; i < layout->n_channels; i++) {
    const GstGlesComponent *c = &host->components[i];
    g_autofree guint32 *plain = g_new0 (guint32, 1u << layout->channels[i].depth);
    guint64 n = 0;

    for (guint y = 0; y < c->height; y++) {
      for (guint x = 0; x < c->width; x++) {
        const guint column = x << c->sub_x, row = y << c->sub_y;

        if (column < config->x || column >= config->x + config->width || row < config->y ||
            row >= config->y + config->height ||
            !gst_gles_mask_bits_has (config->mask, column, row))
          continue;
        plain[picture_value (host, i, config->luma, x, y)]++;
        n++;
      }
    }
    if (memcmp (plain, counts + layout->channels[i].native_offset,
            sizeof (guint32) << layout->channels[i].depth) != 0 ||
        n != layout->channels[i].n_samples)
      g_error ("%s: the twin's counters are not those of a plain loop", where);
  }
}

/* Two pictures in a row, the first twice. */
static void
check_masked (
    Picture *picture, const Case *c, gboolean luma, Content content, GstGlesMaskBits *mask)
{
  g_autofree gchar *where =
      g_strdup_printf ("%s%s %ux%u region %u,%u %ux%u grid %ux%u bins %u content %d", picture->name,
          luma ? " luma" : "", c->width, c->height, c->x, c->y, c->region_width, c->region_height,
          c->columns, c->rows, c->bins, content);
  GstGlesFrameHistogramConfig config = case_config (c);
  g_autoptr (GstGlesFrameHistogram) histogram = NULL;
  g_autoptr (GstGlesBuffer) first = NULL, second = NULL;
  g_autofree guint32 *want = NULL, *want_second = NULL;
  GError *error = NULL;
  gsize size;

  g_test_message ("%s", where);
  config.luma = luma;
  config.mask = mask;
  config.emd = content % 2 == 0; /* each case with several contents */
  config.overview = content % 3 == 0 || mask != NULL;
  histogram = gst_gles_frame_histogram_new (array_test.queue, &picture->device, &config, &error);
  g_assert_no_error (error);
  size = gst_gles_frame_histogram_get_layout (histogram)->size_bytes;
  first = array_buffer (size / 4);
  second = array_buffer (size / 4);
  want = g_malloc (size);
  want_second = g_malloc (size);

  picture_fill (picture, content, 1);
  g_assert_true (gst_gles_frame_histogram_run_native (histogram, &picture->host, NULL, want, NULL));
  if (mask != NULL)
    check_plain (
        &picture->host, &config, gst_gles_frame_histogram_get_layout (histogram), want, where);
  run (histogram, &picture->device, NULL, first, want, where);
  run (histogram, &picture->device, first, second, want, where);

  picture_fill (picture, (content + 3) % N_CONTENTS, 2);
  g_assert_true (
      gst_gles_frame_histogram_run_native (histogram, &picture->host, want, want_second, NULL));
  run (histogram, &picture->device, first, second, want_second, where);
}

static void
check (Picture *picture, const Case *c, gboolean luma, Content content)
{
  check_masked (picture, c, luma, content, NULL);
}

/* @every: one of so many cases, others for other formats. */
static void
check_format (GstVideoFormat format, gboolean luma, Placement placement, guint every)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    Picture picture;

    if ((i + format) % every != 0)
      continue;
    picture_init (&picture, format, cases[i].width, cases[i].height, placement);
    check (&picture, &cases[i], luma, (Content) ((i + format) % N_CONTENTS));
    picture_clear (&picture);
  }
}

/* One case of how many the format with this number takes. */
static guint
one_of (guint number)
{
  return (number < n_basic_formats ? 1 : 4) * (array_test.quick ? 3 : 1);
}

/* ---- tests ---- */

/* Each way in which samples are stored in all cases, formats that differ in the positions of
 * components in one of four; a third of both in quick tests. Forcing a variant or limits changes
 * nothing in how components are found, but in how samples of one and two bytes, in lanes of their
 * own and with others, are loaded and counted. */
static void
test_formats (void)
{
  static const GstVideoFormat few[] = { GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_YUY2,
    GST_VIDEO_FORMAT_RGB, GST_VIDEO_FORMAT_xRGB, GST_VIDEO_FORMAT_I420_10BE,
    GST_VIDEO_FORMAT_P010_10LE };

  for (guint i = 0; i < (is_variant ? G_N_ELEMENTS (few) : n_formats); i++)
    check_format (is_variant ? few[i] : formats[i], FALSE, STAGED, one_of (i));
}

static void
test_luma (void)
{
  for (guint i = 0; i < (is_variant ? n_basic_formats : n_formats); i++) {
    const GstVideoFormatInfo *info = gst_video_format_get_info (formats[i]);

    if (is_variant ? formats[i] == GST_VIDEO_FORMAT_RGB16
                   : GST_VIDEO_FORMAT_INFO_IS_RGB (info) || formats[i] == GST_VIDEO_FORMAT_NV12)
      check_format (formats[i], TRUE, STAGED, one_of (i));
  }
}

static void
test_unaligned (void)
{
  static const GstVideoFormat few[] = { GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_P010_10BE,
    GST_VIDEO_FORMAT_RGB16, GST_VIDEO_FORMAT_r210 };

  for (guint i = 0; i < (is_variant ? 2 : G_N_ELEMENTS (few)); i++)
    check_format (few[i], FALSE, UNALIGNED, is_variant ? 4 : 1);
  if (!is_variant)
    check_format (GST_VIDEO_FORMAT_r210, TRUE, UNALIGNED, 4);
}

/* Every content at a common size; not in variants that read samples one by one, which are slow
 * there. */
static void
test_full_size (void)
{
  gboolean slow = forced != NULL && strstr (forced, "generic") != NULL;
  const guint width = slow ? 640 : 1920, height = slow ? 360 : 1080;
  const Case whole = { width, height, 0, 0, 0, 0, 1, 1, 256 };
  const Case grid = { width, height, 0, 0, 0, 0, 7, 5, 64 };
  static const GstVideoFormat few[] = { GST_VIDEO_FORMAT_GRAY16_LE, GST_VIDEO_FORMAT_NV12,
    GST_VIDEO_FORMAT_I420 };

  for (guint i = 0; i < (is_variant ? 2 : G_N_ELEMENTS (few)); i++) {
    Picture picture;

    picture_init (&picture, few[i], width, height, STAGED);
    for (guint content = 0; content < N_CONTENTS; content++) {
      if (!(is_variant || array_test.quick) || content == CONTENT_MAX || content == CONTENT_NOISE)
        check (&picture, &whole, FALSE, (Content) content);
    }
    check (&picture, &grid, FALSE, CONTENT_NOISE);
    picture_clear (&picture);
  }
}

/* Each way to read samples with a mask: in lanes, of 1, 2, 3 and 4 bytes, subsampled ones, luma,
 * and single ones; with and without a grid. */
static void
test_masks (void)
{
  static const GstVideoFormat few[] = { GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_NV12,
    GST_VIDEO_FORMAT_RGB, GST_VIDEO_FORMAT_BGRx, GST_VIDEO_FORMAT_P010_10LE, GST_VIDEO_FORMAT_RGB16,
    GST_VIDEO_FORMAT_r210, GST_VIDEO_FORMAT_Y41B, GST_VIDEO_FORMAT_YUY2,
    GST_VIDEO_FORMAT_I420_10BE };
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (few); i++) {
    const GstVideoFormatInfo *info = gst_video_format_get_info (few[i]);

    for (guint k = 0; k < G_N_ELEMENTS (cases); k++) {
      const gboolean luma = GST_VIDEO_FORMAT_INFO_IS_RGB (info) && k % 2 == 0;
      g_autoptr (GstGlesMaskBits) mask = NULL;
      Picture picture;

      if ((i + k) % (is_variant || array_test.quick ? 5 : 2) != 0)
        continue;
      picture_init (
          &picture, few[i], cases[k].width, cases[k].height, k % 5 == 4 ? UNALIGNED : STAGED);
      mask = picture_mask (&picture.host, n % 7 == 6 ? MASK_NOTHING : (MaskKind) (n % 3));
      check_masked (
          &picture, &cases[k], luma, n % 3 == 0 ? CONTENT_TWO_VALUES : CONTENT_NOISE, mask);
      picture_clear (&picture);
      n++;
    }
  }
}

static void
test_masks_of_full_size (void)
{
  static const Case cases_of_masks[] = { { 1920, 1080, 0, 0, 0, 0, 1, 1, 256 },
    { 1920, 1080, 0, 0, 0, 0, 7, 5, 64 } };
  static const GstVideoFormat few[] = { GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_BGRx };

  for (guint i = 0; !is_variant && i < G_N_ELEMENTS (few); i++) {
    g_autoptr (GstGlesMaskBits) mask = NULL;
    Picture picture;

    picture_init (&picture, few[i], 1920, 1080, STAGED);
    mask = picture_mask (&picture.host, i == 0 ? MASK_MOST : MASK_NOISE);
    check_masked (&picture, &cases_of_masks[i], FALSE, CONTENT_NOISE, mask);
    picture_clear (&picture);
  }
}

/* 64000 constant samples to each of 65535 and more: more than a 16-bit counter holds, in one
 * cell */
static void
test_many_equal_samples (void)
{
  static const Case wide = { 4096, 1100, 0, 0, 0, 0, 1, 1, 65536 };
  Picture picture;

  picture_init (&picture, GST_VIDEO_FORMAT_GRAY16_LE, wide.width, wide.height, STAGED);
  check (&picture, &wide, FALSE, CONTENT_MAX);
  check (&picture, &wide, FALSE, CONTENT_TWO_VALUES);
  picture_clear (&picture);
}

/* Where there are many, private counters have 16 bits. 140000 constant samples to each of the 32
 * invocations that two processors have. */
static void
test_many_equal_samples_of_an_invocation (void)
{
  static const GstVideoFormat some[] = { GST_VIDEO_FORMAT_P010_10LE, GST_VIDEO_FORMAT_P012_LE };
  static const Case ways[] = { { 4096, 1100, 0, 0, 0, 0, 1, 1, 1024 },
    { 4096, 1100, 3, 1, 4090, 1097, 1, 1, 1024 }, { 4096, 1100, 0, 0, 0, 0, 1, 2, 1024 } };

  if (forced != NULL && strstr (forced, "private") == NULL)
    return; /* has no private counters */
  for (guint i = 0; i < (array_test.quick ? 1 : G_N_ELEMENTS (some)); i++) {
    Picture picture;

    picture_init (&picture, some[i], ways[0].width, ways[0].height, STAGED);
    for (guint k = 0; k < G_N_ELEMENTS (ways); k++)
      check (&picture, &ways[k], FALSE, CONTENT_MAX);
    picture_clear (&picture);
  }
}

static void
test_refusals (void)
{
  static const struct {
    GstGlesFrameHistogramConfig config;
    GstGlesError code;
  } bad[] = {
    { { 0, 0, 64, 48, 1, 1, 1, FALSE }, GST_GLES_ERROR_SETTINGS },
    { { 0, 0, 64, 48, 1, 1, 65537, FALSE }, GST_GLES_ERROR_SETTINGS },
    { { 0, 0, 0, 48, 1, 1, 256, FALSE }, GST_GLES_ERROR_SETTINGS },
    { { 1, 0, 64, 48, 1, 1, 256, FALSE }, GST_GLES_ERROR_SETTINGS },
    { { G_MAXUINT, 0, 2, 48, 1, 1, 256, FALSE }, GST_GLES_ERROR_SETTINGS },
    { { 0, 0, 64, 48, 0, 1, 256, FALSE }, GST_GLES_ERROR_SETTINGS },
    { { 0, 0, 64, 48, 65, 1, 256, FALSE }, GST_GLES_ERROR_SETTINGS },
    { { 0, 0, 64, 48, 64, 48, 65536, FALSE }, GST_GLES_ERROR_TOO_LARGE },
  };
  Picture picture;

  picture_init (&picture, GST_VIDEO_FORMAT_I420, 64, 48, STAGED);
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++) {
    g_autofree gchar *where = g_strdup_printf ("config %u", i);
    GError *error = NULL;

    g_assert_null (
        gst_gles_frame_histogram_new (array_test.queue, &picture.device, &bad[i].config, &error));
    array_expect_error (&error, bad[i].code, where);
  }
  picture_clear (&picture);
}

static void
test_other_layout (void)
{
  const GstGlesFrameHistogramConfig config = { 0, 0, 64, 48, 1, 1, 256, FALSE };
  g_autoptr (GstGlesFrameHistogram) histogram = NULL;
  g_autoptr (GstGlesBuffer) counts = NULL, small = NULL;
  GError *error = NULL;
  Picture picture, other;
  gsize size;

  picture_init (&picture, GST_VIDEO_FORMAT_I420, 64, 48, STAGED);
  picture_init (&other, GST_VIDEO_FORMAT_I420, 64, 48, UNALIGNED);
  histogram = gst_gles_frame_histogram_new (array_test.queue, &picture.device, &config, &error);
  g_assert_no_error (error);
  size = gst_gles_frame_histogram_get_layout (histogram)->size_bytes;
  counts = gst_gles_buffer_new (array_test.device, size, &error);
  small = gst_gles_buffer_new (array_test.device, size - 4, &error);
  g_assert_no_error (error);
  assert_fails (
      gst_gles_frame_histogram_run (histogram, &other.device, NULL, counts, &error), INVALID);
  assert_fails (
      gst_gles_frame_histogram_run (histogram, &picture.device, NULL, small, &error), INVALID);
  picture_clear (&picture);
  picture_clear (&other);
}

/* ---- running ---- */

/* Before there are threads, which must not see the environment change. */
static void
check_forced_words (void)
{
  /* the first three are known */
  static const gchar *const words[] = { "", "auto", "shared+generic", "shared+fast",
    "shared+global" };
  g_autofree gchar *variant = g_strdup (g_getenv ("GST_GLES_FRAME_HISTOGRAM_VARIANT"));

  for (guint i = 0; i < G_N_ELEMENTS (words); i++) {
    GstGlesFrameHistogramForce force;
    GError *error = NULL;

    g_setenv ("GST_GLES_FRAME_HISTOGRAM_VARIANT", words[i], TRUE);
    g_assert_cmpint (gst_gles_frame_histogram_tuning_force (&force, &error), ==, i < 3);
    if (i >= 3)
      array_expect_error (&error, GST_GLES_ERROR_SETTINGS, words[i]);
  }
  g_unsetenv ("GST_GLES_FRAME_HISTOGRAM_VARIANT");
  if (variant != NULL)
    g_setenv ("GST_GLES_FRAME_HISTOGRAM_VARIANT", variant, TRUE);
}

static void
add (void)
{
  forced = g_getenv ("GST_GLES_FRAME_HISTOGRAM_VARIANT");
  if (g_strcmp0 (forced, "auto") == 0)
    forced = NULL;
  is_variant = forced != NULL || g_getenv ("GST_GLES_LIMITS") != NULL;
  g_test_add_func ("/frame-histogram/formats", test_formats);
  g_test_add_func ("/frame-histogram/luma", test_luma);
  g_test_add_func ("/frame-histogram/unaligned", test_unaligned);
  g_test_add_func ("/frame-histogram/full-size", test_full_size);
  g_test_add_func ("/frame-histogram/masks", test_masks);
  g_test_add_func ("/frame-histogram/masks-of-full-size", test_masks_of_full_size);
  g_test_add_func ("/frame-histogram/many-equal-samples", test_many_equal_samples);
  g_test_add_func ("/frame-histogram/many-equal-samples-of-an-invocation",
      test_many_equal_samples_of_an_invocation);
  g_test_add_func ("/frame-histogram/refusals", test_refusals);
  g_test_add_func ("/frame-histogram/other-layout", test_other_layout);
}

gint
main (gint argc, gchar **argv)
{
  check_forced_words ();
  return array_test_main (argc, argv, NULL, add);
}
