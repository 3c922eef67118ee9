/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The oracle: reads samples one by one with a table that is independent of the library's, and
 * computes statistics from the sorted samples. */
#include "gleshistogram-common.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The position of a component: its plane, the byte of its first word, and the step to the next
 * word. */
typedef struct {
  const gchar *name;
  guint plane, offset, step;
  guint word_bytes;
  gboolean big_endian;
  guint shift, depth;
  guint sub_x, sub_y;
} Channel;

typedef struct {
  GstVideoFormat format;
  Channel channels[4]; /* until the first without a name */
} Format;

#define BYTE(name, plane, offset, step)                                                            \
  {                                                                                                \
    name, plane, offset, step, 1, FALSE, 0, 8, 0, 0                                                \
  }
#define BYTE_SUB(name, plane, offset, step, sub_x, sub_y)                                          \
  {                                                                                                \
    name, plane, offset, step, 1, FALSE, 0, 8, sub_x, sub_y                                        \
  }
#define WORD(name, plane, offset, step, be, shift, depth, sub_x, sub_y)                            \
  {                                                                                                \
    name, plane, offset, step, 2, be, shift, depth, sub_x, sub_y                                   \
  }
#define NATIVE (G_BYTE_ORDER == G_BIG_ENDIAN)

static const Format formats[] = {
  { GST_VIDEO_FORMAT_GRAY8, { BYTE ("Y", 0, 0, 1) } },
  { GST_VIDEO_FORMAT_I420,
      { BYTE ("Y", 0, 0, 1), BYTE_SUB ("U", 1, 0, 1, 1, 1), BYTE_SUB ("V", 2, 0, 1, 1, 1) } },
  /* gst_video_frame_map() counts planes as they are stored: V comes first */
  { GST_VIDEO_FORMAT_YV12,
      { BYTE ("Y", 0, 0, 1), BYTE_SUB ("U", 2, 0, 1, 1, 1), BYTE_SUB ("V", 1, 0, 1, 1, 1) } },
  { GST_VIDEO_FORMAT_NV12,
      { BYTE ("Y", 0, 0, 1), BYTE_SUB ("U", 1, 0, 2, 1, 1), BYTE_SUB ("V", 1, 1, 2, 1, 1) } },
  { GST_VIDEO_FORMAT_NV21,
      { BYTE ("Y", 0, 0, 1), BYTE_SUB ("U", 1, 1, 2, 1, 1), BYTE_SUB ("V", 1, 0, 2, 1, 1) } },
  { GST_VIDEO_FORMAT_Y41B,
      { BYTE ("Y", 0, 0, 1), BYTE_SUB ("U", 1, 0, 1, 2, 0), BYTE_SUB ("V", 2, 0, 1, 2, 0) } },
  { GST_VIDEO_FORMAT_Y42B,
      { BYTE ("Y", 0, 0, 1), BYTE_SUB ("U", 1, 0, 1, 1, 0), BYTE_SUB ("V", 2, 0, 1, 1, 0) } },
  { GST_VIDEO_FORMAT_Y444, { BYTE ("Y", 0, 0, 1), BYTE ("U", 1, 0, 1), BYTE ("V", 2, 0, 1) } },
  { GST_VIDEO_FORMAT_YUY2,
      { BYTE ("Y", 0, 0, 2), BYTE_SUB ("U", 0, 1, 4, 1, 0), BYTE_SUB ("V", 0, 3, 4, 1, 0) } },
  { GST_VIDEO_FORMAT_UYVY,
      { BYTE ("Y", 0, 1, 2), BYTE_SUB ("U", 0, 0, 4, 1, 0), BYTE_SUB ("V", 0, 2, 4, 1, 0) } },
  { GST_VIDEO_FORMAT_AYUV,
      { BYTE ("Y", 0, 1, 4), BYTE ("U", 0, 2, 4), BYTE ("V", 0, 3, 4), BYTE ("A", 0, 0, 4) } },
  { GST_VIDEO_FORMAT_A420,
      { BYTE ("Y", 0, 0, 1), BYTE_SUB ("U", 1, 0, 1, 1, 1), BYTE_SUB ("V", 2, 0, 1, 1, 1),
          BYTE ("A", 3, 0, 1) } },
  { GST_VIDEO_FORMAT_RGB, { BYTE ("R", 0, 0, 3), BYTE ("G", 0, 1, 3), BYTE ("B", 0, 2, 3) } },
  { GST_VIDEO_FORMAT_BGRx, { BYTE ("R", 0, 2, 4), BYTE ("G", 0, 1, 4), BYTE ("B", 0, 0, 4) } },
  { GST_VIDEO_FORMAT_ARGB,
      { BYTE ("R", 0, 1, 4), BYTE ("G", 0, 2, 4), BYTE ("B", 0, 3, 4), BYTE ("A", 0, 0, 4) } },
  { GST_VIDEO_FORMAT_RGB16,
      { { "R", 0, 0, 2, 2, NATIVE, 11, 5, 0, 0 }, { "G", 0, 0, 2, 2, NATIVE, 5, 6, 0, 0 },
          { "B", 0, 0, 2, 2, NATIVE, 0, 5, 0, 0 } } },
  { GST_VIDEO_FORMAT_GRAY16_LE, { WORD ("Y", 0, 0, 2, FALSE, 0, 16, 0, 0) } },
  { GST_VIDEO_FORMAT_GRAY16_BE, { WORD ("Y", 0, 0, 2, TRUE, 0, 16, 0, 0) } },
  { GST_VIDEO_FORMAT_I420_10LE,
      { WORD ("Y", 0, 0, 2, FALSE, 0, 10, 0, 0), WORD ("U", 1, 0, 2, FALSE, 0, 10, 1, 1),
          WORD ("V", 2, 0, 2, FALSE, 0, 10, 1, 1) } },
  { GST_VIDEO_FORMAT_I422_12BE,
      { WORD ("Y", 0, 0, 2, TRUE, 0, 12, 0, 0), WORD ("U", 1, 0, 2, TRUE, 0, 12, 1, 0),
          WORD ("V", 2, 0, 2, TRUE, 0, 12, 1, 0) } },
  { GST_VIDEO_FORMAT_P010_10LE,
      { WORD ("Y", 0, 0, 2, FALSE, 6, 10, 0, 0), WORD ("U", 1, 0, 4, FALSE, 6, 10, 1, 1),
          WORD ("V", 1, 2, 4, FALSE, 6, 10, 1, 1) } },
  { GST_VIDEO_FORMAT_r210,
      { { "R", 0, 0, 4, 4, TRUE, 20, 10, 0, 0 }, { "G", 0, 0, 4, 4, TRUE, 10, 10, 0, 0 },
          { "B", 0, 0, 4, 4, TRUE, 0, 10, 0, 0 } } },
};

const GstVideoFormat *
test_formats (guint *n_formats)
{
  static GstVideoFormat list[G_N_ELEMENTS (formats)];

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    list[i] = formats[i].format;
  *n_formats = G_N_ELEMENTS (formats);
  return list;
}

static const Format *
find_format (GstVideoFormat format)
{
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    if (formats[i].format == format)
      return &formats[i];
  }
  g_error ("the oracle does not know %s", gst_video_format_to_string (format));
}

static guint
n_channels_of (const Format *format)
{
  guint n = 0;

  while (n < 4 && format->channels[n].name != NULL)
    n++;
  return n;
}

static guint
sample_at (const GstVideoFrame *frame, const Channel *channel, guint x, guint y)
{
  const guint8 *bytes = (const guint8 *) GST_VIDEO_FRAME_PLANE_DATA (frame, channel->plane) +
      channel->offset + (gsize) y * GST_VIDEO_FRAME_PLANE_STRIDE (frame, channel->plane) +
      (gsize) x * channel->step;
  guint word = 0;

  for (guint i = 0; i < channel->word_bytes; i++)
    word = word << 8 | bytes[channel->big_endian ? i : channel->word_bytes - 1 - i];
  return (word >> channel->shift) & ((1u << channel->depth) - 1);
}

void
test_frame_set_sample (GstVideoFrame *frame, guint index, guint x, guint y, guint value)
{
  const Channel *channel = &find_format (GST_VIDEO_FRAME_FORMAT (frame))->channels[index];
  guint8 *bytes = (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (frame, channel->plane) + channel->offset +
      (gsize) y * GST_VIDEO_FRAME_PLANE_STRIDE (frame, channel->plane) + (gsize) x * channel->step;
  guint mask = ((1u << channel->depth) - 1) << channel->shift;

  for (guint i = 0; i < channel->word_bytes; i++) {
    guint shift = 8 * (channel->big_endian ? channel->word_bytes - 1 - i : i);
    bytes[i] = (guint8) ((bytes[i] & ~(mask >> shift)) | ((value << channel->shift) >> shift));
  }
}

void
test_frame_get_grid (const GstVideoFrame *frame, guint index, guint *width, guint *height)
{
  const Channel *channel = &find_format (GST_VIDEO_FRAME_FORMAT (frame))->channels[index];
  guint column = (1u << channel->sub_x) - 1, row = (1u << channel->sub_y) - 1;

  *width = ((guint) GST_VIDEO_FRAME_WIDTH (frame) + column) >> channel->sub_x;
  *height = ((guint) GST_VIDEO_FRAME_HEIGHT (frame) + row) >> channel->sub_y;
}

guint
test_frame_get_depth (const GstVideoFrame *frame, guint index)
{
  const Format *format = find_format (GST_VIDEO_FRAME_FORMAT (frame));

  return index < n_channels_of (format) ? format->channels[index].depth : 0;
}

/* BT.709, the default for RGB caps; mixed depths are converted to 8 bits. */
static guint
luma_at (const GstVideoFrame *frame, const Format *format, guint x, guint y)
{
  const guint kr = 13933, kb = 4732, kg = 65536 - kr - kb;
  gboolean mixed = format->channels[0].depth != format->channels[1].depth;
  guint64 rgb[3];

  for (guint i = 0; i < 3; i++) {
    guint max = (1u << format->channels[i].depth) - 1;

    rgb[i] = sample_at (frame, &format->channels[i], x, y);
    if (mixed)
      rgb[i] = (guint64) floor ((gdouble) rgb[i] * 255.0 / max + 0.5);
  }
  return (guint) ((kr * rgb[0] + kg * rgb[1] + kb * rgb[2] + 32768) >> 16);
}

typedef struct {
  guint x, y, width, height; /* in the stored picture */
  guint columns, rows, bins;
} Place;

static void
count_value (
    TestExpected *expected, const Place *place, guint channel, guint x, guint y, guint value)
{
  guint column = (guint) ((guint64) (x - place->x) * place->columns / place->width);
  guint row = (guint) ((guint64) (y - place->y) * place->rows / place->height);
  guint bin = (guint) ((guint64) value * place->bins >> expected->depths[channel]);

  expected->counts[channel][(gsize) (row * place->columns + column) * place->bins + bin]++;
  expected->native[channel][value]++;
}

/* Every luma position of the region that is the top left one of a sample. */
static void
count_channel (TestExpected *expected, const Place *place, guint index, const GstVideoFrame *frame,
    const Format *format, gboolean luma)
{
  const Channel *channel = &format->channels[index];

  for (guint y = place->y; y < place->y + place->height; y++) {
    if (!luma && (y & ((1u << channel->sub_y) - 1)) != 0)
      continue;
    for (guint x = place->x; x < place->x + place->width; x++) {
      if (luma)
        count_value (expected, place, index, x, y, luma_at (frame, format, x, y));
      else if ((x & ((1u << channel->sub_x) - 1)) == 0)
        count_value (expected, place, index, x, y,
            sample_at (frame, channel, x >> channel->sub_x, y >> channel->sub_y));
    }
  }
}

static void
find_place (GstBuffer *buffer, const GstVideoFrame *frame, const TestConfig *config, Place *place)
{
  const GstVideoCropMeta *crop = gst_buffer_get_video_crop_meta (buffer);

  *place = (Place){ config->x, config->y, config->width, config->height, MAX (config->columns, 1),
    MAX (config->rows, 1), config->bins != 0 ? config->bins : 256 };
  if (config->width == 0) {
    place->width = crop != NULL ? crop->width : (guint) GST_VIDEO_FRAME_WIDTH (frame);
    place->height = crop != NULL ? crop->height : (guint) GST_VIDEO_FRAME_HEIGHT (frame);
  }
  if (crop != NULL) {
    place->x += crop->x;
    place->y += crop->y;
  }
}

static void
describe_channels (TestExpected *expected, const Format *format, gboolean luma)
{
  gboolean rgb = g_str_equal (format->channels[0].name, "R");

  expected->n_channels = luma ? 1 : n_channels_of (format);
  for (guint i = 0; i < expected->n_channels; i++) {
    expected->names[i] = format->channels[i].name;
    expected->depths[i] = format->channels[i].depth;
  }
  if (luma)
    expected->names[0] = "luma";
  if (luma && rgb && format->channels[0].depth != format->channels[1].depth)
    expected->depths[0] = 8;
}

TestExpected *
test_expect (GstBuffer *buffer, const GstVideoInfo *info, const TestConfig *config)
{
  const Format *format = find_format (GST_VIDEO_INFO_FORMAT (info));
  gboolean rgb = g_str_equal (format->channels[0].name, "R");
  TestExpected *expected = g_new0 (TestExpected, 1);
  GstVideoFrame frame;
  Place place;

  fail_unless (gst_video_frame_map (&frame, info, buffer, GST_MAP_READ));
  find_place (buffer, &frame, config, &place);
  describe_channels (expected, format, config->luma);
  expected->bins = place.bins;
  expected->n_cells = place.columns * place.rows;
  for (guint i = 0; i < expected->n_channels; i++) {
    expected->counts[i] = g_new0 (guint32, (gsize) expected->n_cells * place.bins);
    expected->native[i] = g_new0 (guint32, 1u << expected->depths[i]);
    count_channel (expected, &place, i, &frame, format, config->luma && rgb);
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

/* ---- statistics ---- */

static guint
rank_of (const GArray *sorted, guint percent)
{
  guint rank = (guint) (((guint64) sorted->len * percent + 99) / 100);

  return g_array_index (sorted, guint16, rank - 1);
}

static gdouble
difference_of (const guint32 *a, const guint32 *b, guint n, guint64 count)
{
  gdouble sum = 0;

  for (guint i = 0; i < n; i++)
    sum += fabs ((gdouble) a[i] - (gdouble) b[i]);
  return sum / (2.0 * (gdouble) count);
}

/* The earth mover's distance pairs sorted samples: walks through both histograms side by side. */
static gdouble
emd_of (const guint32 *a, const guint32 *b, guint n, guint64 count)
{
  guint32 left_a = a[0], left_b = b[0];
  guint at_a = 0, at_b = 0;
  guint64 sum = 0;

  for (guint64 left = count; left > 0;) {
    guint32 moves;

    while (left_a == 0 && at_a + 1 < n)
      left_a = a[++at_a];
    while (left_b == 0 && at_b + 1 < n)
      left_b = b[++at_b];
    moves = MIN (left_a, left_b);
    fail_unless (moves > 0);
    sum += (guint64) moves * (at_a > at_b ? at_a - at_b : at_b - at_a);
    left_a -= moves;
    left_b -= moves;
    left -= moves;
  }
  return (gdouble) sum / (gdouble) count;
}

void
test_expect_statistics (const TestExpected *expected, const TestExpected *previous, guint channel,
    GstGlesHistogramStatistics *statistics)
{
  const guint32 *native = expected->native[channel];
  const guint n = 1u << expected->depths[channel];
  g_autoptr (GArray) sorted = g_array_new (FALSE, FALSE, sizeof (guint16));
  gdouble sum = 0, squares = 0, entropy = 0;

  *statistics = (GstGlesHistogramStatistics){ 0 };
  for (guint value = 0; value < n; value++) {
    const guint16 sample = (guint16) value;
    for (guint i = 0; i < native[value]; i++)
      g_array_append_val (sorted, sample);
    sum += (gdouble) native[value] * value;
  }
  if (sorted->len == 0)
    return;
  statistics->count = sorted->len;
  statistics->mean = sum / sorted->len;
  for (guint i = 0; i < sorted->len; i++) {
    gdouble d = g_array_index (sorted, guint16, i) - statistics->mean;
    squares += d * d;
  }
  for (guint value = 0; value < n; value++) {
    gdouble share = (gdouble) native[value] / sorted->len;
    entropy -= native[value] != 0 ? share * log2 (share) : 0.0;
  }
  statistics->stddev = sqrt (squares / sorted->len);
  statistics->entropy = entropy;
  statistics->min = g_array_index (sorted, guint16, 0);
  statistics->max = g_array_index (sorted, guint16, sorted->len - 1);
  statistics->p1 = rank_of (sorted, 1);
  statistics->p5 = rank_of (sorted, 5);
  statistics->p10 = rank_of (sorted, 10);
  statistics->p50 = rank_of (sorted, 50);
  statistics->p90 = rank_of (sorted, 90);
  statistics->p95 = rank_of (sorted, 95);
  statistics->p99 = rank_of (sorted, 99);
  if (previous != NULL) {
    statistics->difference = difference_of (native, previous->native[channel], n, sorted->len);
    statistics->emd = emd_of (native, previous->native[channel], n, sorted->len);
  }
}

/* ---- comparison ---- */

/* Compared at once: an assertion for each counter would take most of the time. */
static void
check_counters (const guint32 *got, const guint32 *wanted, guint n, const gchar *what,
    const gchar *channel, const gchar *where, guint place)
{
  guint i = 0;

  fail_unless (got != NULL, "%s: no counters", what);
  if (memcmp (got, wanted, n * sizeof (guint32)) == 0)
    return;
  while (got[i] == wanted[i])
    i++;
  fail_unless (got[i] == wanted[i], "%s: %s %s %u bin %u: %u, the oracle says %u", what, channel,
      where, place, i, got[i], wanted[i]);
}

static void
check_counts (
    GstGlesHistogramResult *result, const TestExpected *expected, guint channel, const gchar *what)
{
  const gchar *name = expected->names[channel];
  const guint32 *counts;
  guint n;

  for (guint cell = 0; cell < expected->n_cells; cell++) {
    g_autoptr (GError) error = NULL;

    counts = gst_gles_histogram_result_get_counts (result, channel, cell, &n, &error);
    test_no_error (error);
    if (n != expected->bins)
      fail ("%s: %u bins, not %u", what, n, expected->bins);
    check_counters (counts, expected->counts[channel] + (gsize) cell * expected->bins, n, what,
        name, "cell", cell);
  }
  counts = gst_gles_histogram_result_get_native_counts (result, channel, &n, NULL);
  fail_unless_equals_int (n, 1u << expected->depths[channel]);
  check_counters (counts, expected->native[channel], n, what, name, "native", 0);
}

static void
check_near (gdouble got, gdouble wanted, const gchar *what, const gchar *name)
{
  fail_unless (fabs (got - wanted) <= 1e-9 * MAX (1.0, fabs (wanted)),
      "%s: %s is %.17g, the oracle says %.17g", what, name, got, wanted);
}

static void
check_statistics (GstGlesHistogramResult *result, const TestExpected *expected,
    const TestExpected *previous, guint channel, const gchar *what)
{
  GstGlesHistogramStatistics got, wanted;

  test_expect_statistics (expected, previous, channel, &wanted);
  fail_unless (gst_gles_histogram_result_get_statistics (result, channel, &got, NULL));
  fail_unless_equals_uint64 (got.count, wanted.count);
  fail_unless_equals_int (got.min, wanted.min);
  fail_unless_equals_int (got.max, wanted.max);
  check_near (got.mean, wanted.mean, what, "mean");
  check_near (got.stddev, wanted.stddev, what, "stddev");
  check_near (got.entropy, wanted.entropy, what, "entropy");
  fail_unless_equals_int (got.p1, wanted.p1);
  fail_unless_equals_int (got.p5, wanted.p5);
  fail_unless_equals_int (got.p10, wanted.p10);
  fail_unless_equals_int (got.p50, wanted.p50);
  fail_unless_equals_int (got.p90, wanted.p90);
  fail_unless_equals_int (got.p95, wanted.p95);
  fail_unless_equals_int (got.p99, wanted.p99);
  check_near (got.difference, wanted.difference, what, "difference");
  check_near (got.emd, gst_gles_histogram_result_has_emd (result) ? wanted.emd : 0.0, what, "emd");
}

void
test_check_result (GstGlesHistogramResult *result, const TestExpected *expected,
    const TestExpected *previous, const gchar *what)
{
  fail_unless (result != NULL, "%s: no result", what);
  fail_unless_equals_int (gst_gles_histogram_result_get_n_channels (result), expected->n_channels);
  fail_unless_equals_int (gst_gles_histogram_result_get_bins (result), expected->bins);
  for (guint i = 0; i < expected->n_channels; i++) {
    fail_unless_equals_string (
        gst_gles_histogram_result_get_channel_name (result, i), expected->names[i]);
    fail_unless_equals_int (
        gst_gles_histogram_result_get_channel_depth (result, i), expected->depths[i]);
    check_counts (result, expected, i, what);
    check_statistics (result, expected, previous, i, what);
  }
}

void
test_check_buffer (GstBuffer *buffer, const GstVideoInfo *info, const TestConfig *config,
    guint64 frame, const gchar *what)
{
  g_autoptr (GstGlesHistogramResult) result = gst_gles_histogram_result_from_buffer (buffer);
  g_autoptr (TestExpected) expected = test_expect (buffer, info, config);

  fail_unless (result != NULL, "%s: no result", what);
  for (guint i = 0; i < expected->n_channels; i++)
    check_counts (result, expected, i, what);
  fail_unless_equals_uint64 (gst_gles_histogram_result_get_frame_number (result), frame);
}
