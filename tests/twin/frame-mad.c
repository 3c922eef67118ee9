/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The sums of absolute differences of frames: kernels against the native twin, bit for bit, and the
 * twin against a plain loop. */
#include <string.h>

#include <gst/gles/algo/frame/frame-mad.h>
#include <gst/gles/gl/queue.h>

#include "array-cases.h"
#include "frame-cases.h"

#define OFFSET 8
#define MAX_WORDS (GST_GLES_MAX_COMPONENTS * GST_GLES_FRAME_MAD_WORDS)

typedef struct {
  guint channel, depth;
  guint32 value;
} Sample;

/* The samples of all channels in the region, one by one. */
static GArray *
read_samples (const GstGlesImage *host, const GstGlesFrameMadConfig *config)
{
  GArray *samples = g_array_new (FALSE, FALSE, sizeof (Sample));

  for (guint i = 0; i < (config->luma ? 1 : host->n_components); i++) {
    const GstGlesComponent *c = &host->components[i];

    for (guint y = 0; y < c->height; y++) {
      for (guint x = 0; x < c->width; x++) {
        const guint column = x << c->sub_x, row = y << c->sub_y;
        Sample sample = { i, picture_depth (host, i, config->luma), 0 };

        if (column < config->x || column >= config->x + config->width || row < config->y ||
            row >= config->y + config->height ||
            (config->mask != NULL && !gst_gles_mask_bits_has (config->mask, column, row)))
          continue;
        sample.value = picture_value (host, i, config->luma, x, y);
        g_array_append_val (samples, sample);
      }
    }
  }
  return samples;
}

/* Writes the sums of differences from @before (nullable) to @words, two for each row. Returns the
 * sum over all, as shares of full scale. */
static gdouble
compare (GArray *now, GArray *before, guint32 *words)
{
  guint64 sums[GST_GLES_MAX_COMPONENTS] = { 0 };
  gdouble all = 0;

  for (guint i = 0; before != NULL && i < now->len; i++) {
    const Sample *a = &g_array_index (now, Sample, i);
    const Sample *b = &g_array_index (before, Sample, i);
    const guint difference = MAX (a->value, b->value) - MIN (a->value, b->value);

    sums[a->channel] += difference;
    all += (gdouble) difference / (1 << a->depth);
  }
  for (guint i = 0; i < GST_GLES_MAX_COMPONENTS; i++) {
    words[i * GST_GLES_FRAME_MAD_WORDS] = (guint32) sums[i];
    words[i * GST_GLES_FRAME_MAD_WORDS + 1] = (guint32) (sums[i] >> 32);
  }
  return all;
}

static void
replace (GArray **kept, GArray *now)
{
  if (*kept != NULL)
    g_array_unref (*kept);
  *kept = g_array_ref (now);
}

/* What the rows should say of @host; @reference and @previous are replaced as the contract has it.
 */
static void
expect (GArray **reference, GArray **previous, const GstGlesImage *host,
    const GstGlesFrameMadConfig *config, guint32 *words)
{
  g_autoptr (GArray) now = read_samples (host, config);
  const gdouble all = compare (now, *reference, words);

  compare (now, *previous, words + 2);
  if (*reference == NULL || (now->len > 0 && all / now->len > config->noise))
    replace (reference, now);
  replace (previous, now);
}

static void
run (GstGlesFrameMad *mad, const Picture *picture, GstGlesBuffer *sums, const guint32 *want,
    guint n_words, const gchar *where)
{
  guint32 words[OFFSET + MAX_WORDS];
  GError *error = NULL;

  array_spoil (sums);
  assert_ok (gst_gles_frame_mad_run (mad, &picture->device, sums, OFFSET, &error));
  memset (words, 0xa5, 4 * OFFSET); /* as the rest that must stay */
  memcpy (words + OFFSET, want, 4 * n_words);
  array_check (sums, words, OFFSET + n_words, where);
}

static void
save (GstGlesFrameMad *mad)
{
  GError *error = NULL;

  assert_ok (gst_gles_queue_begin (array_test.queue, &error));
  assert_ok (gst_gles_frame_plan_save (GST_GLES_FRAME_PLAN (mad), &error));
  assert_ok (gst_gles_queue_end (array_test.queue, &error));
}

/* Pictures in a row, of which the third is the second, and some differ little from the one before.
 * Then half of them again, of which the last runs twice. */
static void
check (Picture *picture, const GstGlesFrameMadConfig *config, const gchar *where)
{
  static const struct {
    Content content;
    guint seed, changed; /* bytes that get another lowest bit */
  } frames[] = { { CONTENT_NOISE, 1, 0 }, { CONTENT_NOISE, 1, 3 }, { CONTENT_NOISE, 1, 3 },
    { CONTENT_NOISE, 1, 0 }, { CONTENT_NOISE, 1, 40 }, { CONTENT_NOISE, 1, 1 },
    { CONTENT_MAX, 1, 0 }, { CONTENT_ZEROS, 1, 0 }, { CONTENT_SLOPE, 2, 0 },
    { CONTENT_TWO_VALUES, 3, 0 } };
  const guint n_channels = config->luma ? 1 : picture->host.n_components;
  const guint n_words = n_channels * GST_GLES_FRAME_MAD_WORDS;
  g_autoptr (GstGlesBuffer) sums = array_buffer (OFFSET + n_words);
  g_autoptr (GstGlesFrameMad) mad = NULL;
  guint8 *kept = NULL;
  GArray *reference = NULL, *previous = NULL;
  GError *error = NULL;

  mad = gst_gles_frame_mad_new (array_test.queue, &picture->device, config, &error);
  g_assert_no_error (error);
  for (guint round = 0; round < 2; round++) {
    for (guint i = 0; i < (round == 0 ? G_N_ELEMENTS (frames) : 4); i++) {
      const gboolean twice = round == 1 && i == 3;
      guint32 twin[MAX_WORDS], plain[MAX_WORDS];

      picture_fill (picture, frames[i].content, frames[i].seed);
      for (guint k = 0; k < frames[i].changed; k++)
        picture->memory[(k * 37) % picture->size_bytes] ^= 1;
      picture_upload (picture);
      expect (&reference, &previous, &picture->host, config, plain);
      g_assert_true (gst_gles_frame_mad_run_native (mad, &picture->host, &kept, twin, NULL));
      if (memcmp (twin, plain, 4 * n_words) != 0)
        g_error ("%s: the twin's sums are not those of a plain loop", where);
      if (twice)
        save (mad);
      run (mad, picture, sums, twin, n_words, where);
      if (twice) {
        gst_gles_frame_plan_restore (GST_GLES_FRAME_PLAN (mad));
        run (mad, picture, sums, twin, n_words, where);
      }
    }
    gst_gles_frame_plan_reset (GST_GLES_FRAME_PLAN (mad));
    g_clear_pointer (&kept, g_free);
    g_clear_pointer (&reference, g_array_unref);
    g_clear_pointer (&previous, g_array_unref);
  }
}

/* Those that are the bytes of words, others, one after the other, computed, with regions that begin
 * within words. */
static void
test_masks (void)
{
  static const GstVideoFormat few[] = { GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_NV12,
    GST_VIDEO_FORMAT_RGB, GST_VIDEO_FORMAT_BGRx, GST_VIDEO_FORMAT_P010_10LE,
    GST_VIDEO_FORMAT_Y41B };
  static const struct {
    guint width, height, x, y, region_width, region_height;
    gdouble noise;
  } shapes[] = { { 37, 23, 0, 0, 37, 23, 0.001 }, { 64, 32, 5, 3, 33, 17, 0.0 },
    { 517, 111, 4, 0, 500, 111, 0.3 }, { 640, 90, 0, 0, 640, 90, 0.01 } };

  for (guint i = 0; i < G_N_ELEMENTS (few) * G_N_ELEMENTS (shapes); i++) {
    const guint shape = i % G_N_ELEMENTS (shapes);
    const GstVideoFormat format = few[i / G_N_ELEMENTS (shapes)];
    GstGlesFrameMadConfig config = { shapes[shape].x, shapes[shape].y, shapes[shape].region_width,
      shapes[shape].region_height, format == GST_VIDEO_FORMAT_BGRx, shapes[shape].noise, NULL };
    g_autoptr (GstGlesMaskBits) mask = NULL;
    g_autofree gchar *where = NULL;
    Picture picture;

    picture_init (&picture, format, shapes[shape].width, shapes[shape].height, STAGED);
    config.mask = mask = picture_mask (&picture.host, (MaskKind) (i % N_MASKS));
    where = g_strdup_printf ("%s shape %u mask %u", picture.name, shape, i % N_MASKS);
    check (&picture, &config, where);
    picture_clear (&picture);
  }
}

/* @few: the smaller shapes of odd numbers. */
static void
check_format (GstVideoFormat format, gboolean luma, Placement placement, gboolean few)
{
  static const struct {
    guint width, height, x, y, region_width, region_height;
    gdouble noise;
  } shapes[] = { { 37, 23, 0, 0, 37, 23, 0.001 }, { 64, 32, 5, 3, 33, 17, 0.0 },
    { 64, 32, 0, 0, 64, 32, 0.0 }, { 64, 32, 8, 4, 1, 1, 0.0 }, { 64, 32, 9, 5, 1, 1, 0.0 },
    { 517, 111, 4, 0, 500, 111, 0.3 }, { 1300, 300, 0, 0, 1300, 300, 1.0 } };

  for (guint i = 0; i < (few ? 2 : G_N_ELEMENTS (shapes)); i++) {
    const GstGlesFrameMadConfig config = { shapes[i].x, shapes[i].y, shapes[i].region_width,
      shapes[i].region_height, luma, shapes[i].noise };
    g_autofree gchar *where = NULL;
    Picture picture;

    picture_init (&picture, format, shapes[i].width, shapes[i].height, placement);
    where = g_strdup_printf ("%s%s shape %u", picture.name, luma ? " luma" : "", i);
    g_test_message ("%s", where);
    check (&picture, &config, where);
    picture_clear (&picture);
  }
}

/* In every shape one layout for each size of samples, alone and in lanes with others. */
static void
test_formats (void)
{
  for (guint i = 0; i < n_formats; i++)
    check_format (formats[i], FALSE, STAGED,
        i >= n_basic_formats ||
            (formats[i] != GST_VIDEO_FORMAT_I420 && formats[i] != GST_VIDEO_FORMAT_RGB &&
                formats[i] != GST_VIDEO_FORMAT_GRAY16_LE && formats[i] != GST_VIDEO_FORMAT_r210));
}

static void
test_luma (void)
{
  static const GstVideoFormat few[] = { GST_VIDEO_FORMAT_RGB16, GST_VIDEO_FORMAT_r210,
    GST_VIDEO_FORMAT_BGRx, GST_VIDEO_FORMAT_NV12,
    /* alpha has fewer bits than the components of luma */
    GST_VIDEO_FORMAT_RGB10A2_LE };

  for (guint i = 0; i < G_N_ELEMENTS (few); i++)
    check_format (few[i], TRUE, STAGED, i != 0);
}

static void
test_unaligned (void)
{
  static const GstVideoFormat few[] = { GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_P010_10BE,
    GST_VIDEO_FORMAT_RGB16 };

  for (guint i = 0; i < G_N_ELEMENTS (few); i++)
    check_format (few[i], FALSE, UNALIGNED, i != 0);
}

static void
add (void)
{
  g_test_add_func ("/frame-mad/formats", test_formats);
  g_test_add_func ("/frame-mad/luma", test_luma);
  g_test_add_func ("/frame-mad/unaligned", test_unaligned);
  g_test_add_func ("/frame-mad/masks", test_masks);
}

ARRAY_TEST_MAIN (NULL, add)
