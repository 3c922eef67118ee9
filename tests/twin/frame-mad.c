/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The sums of absolute differences of frames: kernels against the native twin, bit for bit, and the
 * twin against a plain loop. */
#include <string.h>

#include <gst/gles/algo/frame/frame-mad.h>
#include <gst/gles/gl/queue.h>

#include "gles-test.h"
#include "frame-histogram-cases.h"

#define OFFSET 8
#define N_WORDS (OFFSET + GST_GLES_MAX_COMPONENTS * GST_GLES_FRAME_MAD_WORDS + 4)
#define CANARY 0xdeadbeefu

static GstGlesDevice *device;
static GstGlesQueue *queue;

/* The samples of a channel in the region, one by one. */
typedef struct {
  GArray *values[GST_GLES_MAX_COMPONENTS]; /* of guint32 */
  guint depths[GST_GLES_MAX_COMPONENTS];
  guint n_channels;
} Samples;

static void
samples_clear (Samples *samples)
{
  for (guint i = 0; i < samples->n_channels; i++)
    g_array_unref (samples->values[i]);
  samples->n_channels = 0;
}

static void
samples_read (Samples *samples, const GstGlesImage *host, const GstGlesFrameMadConfig *config)
{
  samples->n_channels = config->luma ? 1 : host->n_components;
  for (guint i = 0; i < samples->n_channels; i++) {
    const GstGlesComponent *c = &host->components[i];
    const gboolean matrix = config->luma && host->luma == GST_GLES_LUMA_MATRIX;

    samples->values[i] = g_array_new (FALSE, FALSE, sizeof (guint32));
    samples->depths[i] = matrix ? host->luma_depth : c->depth;
    for (guint y = 0; y < c->height; y++) {
      for (guint x = 0; x < c->width; x++) {
        const guint column = x << c->sub_x, row = y << c->sub_y;
        guint32 value;

        if (column < config->x || column >= config->x + config->width || row < config->y ||
            row >= config->y + config->height)
          continue;
        value = matrix ? picture_load_luma (host, x, y) : picture_load (host, i, x, y);
        g_array_append_val (samples->values[i], value);
      }
    }
  }
}

/* What the rows should say of @now; @reference is replaced as the contract has it. */
static void
expect (Samples *reference, const GstGlesImage *host, const GstGlesFrameMadConfig *config,
    guint32 *words)
{
  Samples now;
  gdouble all = 0, n = 0;

  samples_read (&now, host, config);
  memset (words, 0, GST_GLES_MAX_COMPONENTS * GST_GLES_FRAME_MAD_WORDS * sizeof (guint32));
  for (guint i = 0; i < reference->n_channels; i++) {
    guint64 sum = 0;

    for (guint k = 0; k < now.values[i]->len; k++) {
      const gint64 a = g_array_index (now.values[i], guint32, k);
      const gint64 b = g_array_index (reference->values[i], guint32, k);
      sum += (guint64) ABS (a - b);
    }
    words[i * GST_GLES_FRAME_MAD_WORDS] = (guint32) sum;
    words[i * GST_GLES_FRAME_MAD_WORDS + 1] = (guint32) (sum >> 32);
    all += (gdouble) sum / (1 << now.depths[i]);
    n += now.values[i]->len;
  }
  if (reference->n_channels == 0 || (n > 0 && all / n > config->noise)) {
    samples_clear (reference);
    *reference = now;
  } else {
    samples_clear (&now);
  }
}

static void
assert_words (const guint32 *got, const guint32 *want, guint n_channels, const gchar *what,
    const gchar *where)
{
  for (guint i = 0; i < n_channels * GST_GLES_FRAME_MAD_WORDS; i++) {
    if (got[i] != want[i])
      g_error ("%s: word %u of %s is %u, expected %u", where, i, what, got[i], want[i]);
  }
}

static void
run (GstGlesFrameMad *mad, const GstGlesImage *image, GstGlesBuffer *sums, guint n_channels,
    guint32 *words, const gchar *where)
{
  GError *error = NULL;

  for (guint i = 0; i < N_WORDS; i++)
    words[i] = CANARY;
  g_assert_true (gst_gles_buffer_upload (sums, queue, 0, words, 4 * N_WORDS, &error));
  if (!gst_gles_frame_mad_run (mad, image, sums, OFFSET, &error))
    g_error ("%s: %s", where, error->message);
  g_assert_true (gst_gles_buffer_download (sums, queue, 0, words, 4 * N_WORDS, &error));
  for (guint i = 0; i < N_WORDS; i++) {
    if ((i < OFFSET || i >= OFFSET + n_channels * GST_GLES_FRAME_MAD_WORDS) && words[i] != CANARY)
      g_error ("%s: word %u was overwritten", where, i);
  }
}

static void
save (GstGlesFrameMad *mad)
{
  GError *error = NULL;

  g_assert_true (gst_gles_queue_begin (queue, &error));
  g_assert_true (gst_gles_frame_mad_save (mad, &error));
  g_assert_true (gst_gles_queue_end (queue, &error));
}

/* Pictures in a row, of which the second is the first, and some differ little from the one
 * before. */
static void
check (Picture *picture, const GstGlesFrameMadConfig *config, const gchar *where)
{
  static const struct {
    Pattern pattern;
    guint seed, changed; /* bytes that get another lowest bit */
  } frames[] = { { PATTERN_NOISE, 1, 0 }, { PATTERN_NOISE, 1, 0 }, { PATTERN_NOISE, 1, 3 },
    { PATTERN_NOISE, 1, 40 }, { PATTERN_MAX, 1, 0 }, { PATTERN_ZEROS, 1, 0 },
    { PATTERN_SLOPE, 2, 0 }, { PATTERN_TWO_VALUES, 3, 0 } };
  const GstGlesImage *image = &picture->device;
  g_autoptr (GstGlesBuffer) sums = NULL;
  g_autoptr (GstGlesFrameMad) mad = NULL;
  GstGlesFrameMadReference kept = { { NULL } };
  Samples reference = { .n_channels = 0 };
  GError *error = NULL;

  mad = gst_gles_frame_mad_new (queue, image, config, &error);
  if (mad == NULL)
    g_error ("%s: %s", where, error->message);
  sums = gst_gles_buffer_new (device, 4 * N_WORDS, &error);
  g_assert_no_error (error);
  for (guint round = 0; round < 2; round++) {
    for (guint i = 0; i < G_N_ELEMENTS (frames); i++) {
      guint32 words[N_WORDS], twin[N_WORDS], oracle[N_WORDS];
      const guint n_channels = config->luma ? 1 : image->n_components;
      const gboolean twice = round == 1 && i == 3;

      picture_fill (picture, queue, frames[i].pattern, frames[i].seed);
      for (guint k = 0; k < frames[i].changed; k++)
        picture->memory[(k * 37) % picture->size_bytes] ^= 1;
      g_assert_true (gst_gles_buffer_upload (
          image->buffer, queue, 0, picture->memory, picture->size_bytes, NULL));
      expect (&reference, &picture->host, config, oracle);
      g_assert_true (gst_gles_frame_mad_run_native (mad, &picture->host, &kept, twin, NULL));
      assert_words (twin, oracle, n_channels, "the twin's sums", where);
      if (twice)
        save (mad);
      run (mad, image, sums, n_channels, words, where);
      if (twice) {
        gst_gles_frame_mad_restore (mad);
        run (mad, image, sums, n_channels, words, where);
      }
      assert_words (words + OFFSET, twin, n_channels, "the sums", where);
    }
    gst_gles_frame_mad_reset (mad);
    gst_gles_frame_mad_reference_clear (&kept);
    samples_clear (&reference);
  }
}

/* @few: every second shape. */
static void
check_format (GstVideoFormat format, gboolean luma, Placement placement, gboolean few)
{
  static const struct {
    guint width, height, x, y, region_width, region_height;
    gdouble noise;
  } shapes[] = { { 64, 32, 0, 0, 64, 32, 0.0 }, { 37, 23, 0, 0, 37, 23, 0.001 },
    { 64, 32, 5, 3, 33, 17, 0.0 }, { 64, 32, 8, 4, 1, 1, 0.0 }, { 64, 32, 9, 5, 1, 1, 0.0 },
    { 517, 111, 4, 0, 500, 111, 0.3 }, { 1300, 300, 0, 0, 1300, 300, 1.0 } };

  for (guint i = few ? 1 : 0; i < G_N_ELEMENTS (shapes); i += few ? 2 : 1) {
    const GstGlesFrameMadConfig config = { shapes[i].x, shapes[i].y, shapes[i].region_width,
      shapes[i].region_height, luma, shapes[i].noise };
    g_autofree gchar *where = g_strdup_printf (
        "%s%s shape %u", gst_video_format_to_string (format), luma ? " luma" : "", i);
    Picture picture;

    g_test_message ("%s", where);
    picture_init (&picture, queue, format, shapes[i].width, shapes[i].height, placement);
    check (&picture, &config, where);
    picture_clear (&picture);
  }
}

static void
test_formats (void)
{
  for (guint i = 0; i < n_formats; i++)
    check_format (formats[i], FALSE, STAGED, i >= n_basic_formats);
}

static void
test_luma (void)
{
  static const GstVideoFormat few[] = { GST_VIDEO_FORMAT_RGB16, GST_VIDEO_FORMAT_r210,
    GST_VIDEO_FORMAT_BGRx, GST_VIDEO_FORMAT_NV12 };

  for (guint i = 0; i < G_N_ELEMENTS (few); i++)
    check_format (few[i], TRUE, STAGED, FALSE);
}

static void
test_unaligned (void)
{
  static const GstVideoFormat few[] = { GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_P010_10BE,
    GST_VIDEO_FORMAT_RGB16 };

  for (guint i = 0; i < G_N_ELEMENTS (few); i++)
    check_format (few[i], FALSE, UNALIGNED, FALSE);
}

gint
main (gint argc, gchar **argv)
{
  gint status;

  g_test_init (&argc, &argv, NULL);
  gst_init (NULL, NULL);
  device = gles_test_gl_device ();
  if (device == NULL)
    return gles_test_no_gl ();
  queue = gst_gles_device_get_queue (device);
  g_test_add_func ("/frame-mad/formats", test_formats);
  g_test_add_func ("/frame-mad/luma", test_luma);
  g_test_add_func ("/frame-mad/unaligned", test_unaligned);
  status = g_test_run ();
  gst_clear_object (&device);
  return status;
}
