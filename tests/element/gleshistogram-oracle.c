/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The oracle: reads samples one by one, where GStreamer says that they are. */
#include "gleshistogram-common.h"

#include <math.h>
#include <string.h>

const GstVideoFormat *
test_formats (guint *n_formats)
{
  static const GstVideoFormat formats[] = { GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_I420,
    GST_VIDEO_FORMAT_YV12, GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_NV21, GST_VIDEO_FORMAT_Y41B,
    GST_VIDEO_FORMAT_Y42B, GST_VIDEO_FORMAT_Y444, GST_VIDEO_FORMAT_YUY2, GST_VIDEO_FORMAT_UYVY,
    GST_VIDEO_FORMAT_AYUV, GST_VIDEO_FORMAT_A420, GST_VIDEO_FORMAT_RGB, GST_VIDEO_FORMAT_BGRx,
    GST_VIDEO_FORMAT_GBR, GST_VIDEO_FORMAT_ARGB, GST_VIDEO_FORMAT_RGB16, GST_VIDEO_FORMAT_GRAY16_LE,
    GST_VIDEO_FORMAT_GRAY16_BE, GST_VIDEO_FORMAT_I420_10LE, GST_VIDEO_FORMAT_I422_12BE,
    GST_VIDEO_FORMAT_P010_10LE, GST_VIDEO_FORMAT_r210 };

  *n_formats = G_N_ELEMENTS (formats);
  return formats;
}

/* The position of a component: its first word, and the step to the next word. */
typedef struct {
  const gchar *name;
  const guint8 *bytes;
  guint step, stride;
  guint word_bytes;
  gboolean big_endian;
  guint shift, depth;
  guint sub_x, sub_y;
} Channel;

static gboolean
get_channel (const GstVideoFrame *frame, guint index, Channel *channel)
{
  static const gchar *const yuv[] = { "Y", "U", "V", "A" }, *const rgb[] = { "R", "G", "B", "A" };
  const GstVideoFormatInfo *info = frame->info.finfo;

  if (index >= info->n_components)
    return FALSE;
  *channel = (Channel){
    .name = GST_VIDEO_FORMAT_INFO_IS_RGB (info) ? rgb[index] : yuv[index],
    .bytes = GST_VIDEO_FRAME_COMP_DATA (frame, index),
    .step = (guint) GST_VIDEO_FRAME_COMP_PSTRIDE (frame, index),
    .stride = (guint) GST_VIDEO_FRAME_COMP_STRIDE (frame, index),
    .word_bytes = info->shift[index] + info->depth[index] > 8 ? 2 : 1,
    .big_endian = !GST_VIDEO_FORMAT_INFO_IS_LE (info),
    .shift = info->shift[index],
    .depth = info->depth[index],
    .sub_x = info->w_sub[index],
    .sub_y = info->h_sub[index],
  };
  /* what GStreamer's table leaves out */
  if (info->format == GST_VIDEO_FORMAT_RGB16)
    channel->word_bytes = 2;
  if (info->format == GST_VIDEO_FORMAT_P010_10LE && index == 2)
    channel->bytes = (const guint8 *) GST_VIDEO_FRAME_PLANE_DATA (frame, 1) + 2;
  if (info->format == GST_VIDEO_FORMAT_r210) {
    channel->word_bytes = 4;
    channel->shift = 20 - 10 * index;
  }
  return TRUE;
}

static guint
sample_at (const Channel *channel, guint x, guint y)
{
  const guint8 *bytes = channel->bytes + (gsize) y * channel->stride + (gsize) x * channel->step;
  guint word = 0;

  for (guint i = 0; i < channel->word_bytes; i++)
    word = word << 8 | bytes[channel->big_endian ? i : channel->word_bytes - 1 - i];
  return (word >> channel->shift) & ((1u << channel->depth) - 1);
}

/* BT.709, the default for RGB caps; mixed depths are converted to 8 bits. */
static guint
luma_at (const Channel channels[3], guint x, guint y)
{
  const guint kr = 13933, kb = 4732, kg = 65536 - kr - kb;
  const gboolean mixed = channels[0].depth != channels[1].depth;
  guint64 rgb[3];

  for (guint i = 0; i < 3; i++) {
    guint max = (1u << channels[i].depth) - 1;

    rgb[i] = sample_at (&channels[i], x, y);
    if (mixed)
      rgb[i] = (guint64) floor ((gdouble) rgb[i] * 255.0 / max + 0.5);
  }
  return (guint) ((kr * rgb[0] + kg * rgb[1] + kb * rgb[2] + 32768) >> 16);
}

/* ---- counting ---- */

typedef struct {
  guint x, y, width, height; /* in the stored picture */
  guint columns, rows, bins;
} Place;

static Place
find_place (GstBuffer *buffer, const GstVideoFrame *frame, const TestConfig *config)
{
  const GstVideoCropMeta *meta = gst_buffer_get_video_crop_meta (buffer);
  const GstVideoCropMeta whole = { .width = (guint) GST_VIDEO_FRAME_WIDTH (frame),
    .height = (guint) GST_VIDEO_FRAME_HEIGHT (frame) };
  const GstVideoCropMeta *crop = meta != NULL ? meta : &whole;

  return (Place){ config->x + crop->x, config->y + crop->y,
    config->width != 0 ? config->width : crop->width,
    config->width != 0 ? config->height : crop->height, MAX (config->columns, 1),
    MAX (config->rows, 1), config->bins != 0 ? config->bins : 256 };
}

/* Every luma position of the region that is the top left one of a sample. With @luma @channels are
 * those of RGB. */
static void
count_channel (
    TestExpected *expected, const Place *place, guint index, const Channel *channels, gboolean luma)
{
  const guint sub_x = luma ? 0 : channels[index].sub_x, sub_y = luma ? 0 : channels[index].sub_y;

  for (guint y = place->y; y < place->y + place->height; y++) {
    for (guint x = place->x; x < place->x + place->width; x++) {
      const guint column = (x - place->x) * place->columns / place->width;
      const guint row = (y - place->y) * place->rows / place->height;
      guint64 value;

      if (((x >> sub_x) << sub_x) != x || ((y >> sub_y) << sub_y) != y)
        continue;
      value =
          luma ? luma_at (channels, x, y) : sample_at (&channels[index], x >> sub_x, y >> sub_y);
      expected->native[index][value]++;
      expected->counts[index][(gsize) (row * place->columns + column) * place->bins +
          (value * place->bins >> expected->depths[index])]++;
    }
  }
}

TestExpected *
test_expect (GstBuffer *buffer, const GstVideoInfo *info, const TestConfig *config)
{
  TestExpected *expected = g_new0 (TestExpected, 1);
  gboolean luma_of_rgb = config->luma && GST_VIDEO_INFO_IS_RGB (info);
  Channel channels[4];
  GstVideoFrame frame;
  guint n = 0;
  Place place;

  fail_unless (gst_video_frame_map (&frame, info, buffer, GST_MAP_READ));
  place = find_place (buffer, &frame, config);
  while (n < 4 && get_channel (&frame, n, &channels[n]))
    n++;
  expected->n_channels = config->luma ? 1 : n;
  expected->bins = place.bins;
  expected->n_cells = place.columns * place.rows;
  for (guint i = 0; i < expected->n_channels; i++) {
    expected->names[i] = config->luma ? "luma" : channels[i].name;
    expected->depths[i] =
        luma_of_rgb && channels[0].depth != channels[1].depth ? 8 : channels[i].depth;
    expected->counts[i] = g_new0 (guint32, (gsize) expected->n_cells * place.bins);
    expected->native[i] = g_new0 (guint32, 1u << expected->depths[i]);
    count_channel (expected, &place, i, channels, luma_of_rgb);
  }
  gst_video_frame_unmap (&frame);
  return expected;
}

void
test_expected_free (TestExpected *expected)
{
  if (expected == NULL)
    return;
  for (guint i = 0; i < expected->n_channels; i++) {
    g_free (expected->counts[i]);
    g_free (expected->native[i]);
  }
  g_free (expected);
}

/* ---- comparison ---- */

gchar *
test_find_wrong (GstGlesHistogramResult *result, const TestExpected *expected)
{
  if (gst_gles_histogram_result_get_n_channels (result) != expected->n_channels)
    return g_strdup ("number of channels");
  for (guint i = 0; i < expected->n_channels; i++) {
    const gchar *name = gst_gles_histogram_result_get_channel_name (result, i);

    if (g_strcmp0 (name, expected->names[i]) != 0 ||
        gst_gles_histogram_result_get_channel_depth (result, i) != expected->depths[i])
      return g_strdup_printf ("%s instead of %s, or depth", name, expected->names[i]);
    for (guint cell = 0; cell <= expected->n_cells; cell++) {
      const gboolean is_native = cell == expected->n_cells;
      const guint n_wanted = is_native ? 1u << expected->depths[i] : expected->bins;
      const guint32 *wanted =
          is_native ? expected->native[i] : expected->counts[i] + (gsize) cell * n_wanted;
      guint n = 0;
      const guint32 *got = is_native
          ? gst_gles_histogram_result_get_native_counts (result, i, &n, NULL)
          : gst_gles_histogram_result_get_counts (result, i, cell, &n, NULL);

      if (got == NULL || n != n_wanted)
        return g_strdup_printf ("%s: %u counters, not %u", name, n, n_wanted);
      for (guint k = 0; memcmp (got, wanted, n * sizeof *got) != 0 && k < n; k++)
        if (got[k] != wanted[k])
          return g_strdup_printf ("%s cell %u of %u, bin %u: %u, the oracle says %u", name, cell,
              expected->n_cells, k, got[k], wanted[k]);
    }
  }
  return NULL;
}

static void
check_counters (GstGlesHistogramResult *result, const TestExpected *expected, const gchar *what)
{
  g_autofree gchar *wrong = result != NULL ? test_find_wrong (result, expected) : g_strdup ("none");

  fail_unless (wrong == NULL, "%s: %s", what, wrong);
}

/* What shaders and native code compute of two histograms. How the other statistics follow from the
 * counters, golden/histogram.c and unit/result-contents.c test. */
static void
check_distances (GstGlesHistogramResult *result, const TestExpected *expected,
    const TestExpected *previous, guint channel, const gchar *what)
{
  gdouble count = 0, difference = 0, emd = 0, moved = 0;
  GstGlesHistogramStatistics got;

  for (guint i = 0; i < 1u << expected->depths[channel]; i++) {
    const guint32 now = expected->native[channel][i];
    const gdouble more = previous != NULL ? (gdouble) now - previous->native[channel][i] : 0.0;

    count += now;
    difference += fabs (more);
    moved += more;
    emd += fabs (moved);
  }
  difference /= MAX (2 * count, 1);
  emd = gst_gles_histogram_result_has_emd (result) ? emd / MAX (count, 1) : 0.0;
  fail_unless (gst_gles_histogram_result_get_statistics (result, channel, &got, NULL));
  fail_unless (got.count == count && fabs (got.difference - difference) <= 1e-9 &&
          fabs (got.emd - emd) <= 1e-9 * MAX (1.0, emd),
      "%s: difference %.17g, emd %.17g, the oracle says %.17g, %.17g", what, got.difference,
      got.emd, difference, emd);
}

void
test_check_buffer (GstBuffer *buffer, const GstVideoInfo *info, const TestConfig *config,
    guint64 frame, const gchar *what)
{
  g_autoptr (GstGlesHistogramResult) result = gst_gles_histogram_result_from_buffer (buffer);
  g_autoptr (TestExpected) expected = test_expect (buffer, info, config);

  check_counters (result, expected, what);
  fail_unless_equals_uint64 (gst_gles_histogram_result_get_frame (result)->number, frame);
}

void
test_stream_check_noise (
    TestStream *stream, const TestConfig *config, guint64 number, const gchar *what)
{
  g_autoptr (GstBuffer) out = test_stream_push_noise (stream, (guint32) stream->n_pushed);

  test_check_buffer (out, &stream->info, config, number, what);
}

void
test_stream_check_frame (TestStream *stream, GstBuffer *frame, const TestConfig *config,
    TestExpected **previous, const gchar *what)
{
  g_autoptr (TestExpected) before = *previous;
  g_autoptr (GstGlesHistogramResult) result = NULL;
  gboolean emd;

  *previous = test_expect (frame, &stream->info, config);
  result = test_stream_push_for_result (stream, frame);
  check_counters (result, *previous, what);
  for (guint i = 0; i < (*previous)->n_channels; i++)
    check_distances (result, *previous, before, i, what);
  g_object_get (stream->element, "emd", &emd, NULL);
  fail_unless_equals_int (gst_gles_histogram_result_has_emd (result), emd);
}
