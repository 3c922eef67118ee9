/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The native histogram against a loop that reads one sample at a time, word for word as layout.h
 * and the histogram's interface say it. Buffers end with their last sample and their last
 * counter. Luma of R, G, B is compared by the oracle of gleshistogram. */
#include "cpu-arrays.h"

#include <gst/gles/cpu/frame/frame-histogram.h>

typedef enum {
  CONTENT_NOISE,
  CONTENT_CONSTANT,
  CONTENT_ALTERNATING,
  CONTENT_SMOOTH,
  CONTENT_NARROW, /* noise of few values */
  N_CONTENTS
} Content;

/* A plane of @c's samples, as long as they need and not a byte longer. */
static guint8 *
plane_new (const GstGlesComponent *c, Content content, GRand *rand)
{
  gsize size = c->offset + (gsize) (c->height - 1) * c->stride + (gsize) (c->width - 1) * c->step +
      c->word_bytes;
  guint8 *bytes = g_malloc (size), value = (guint8) g_rand_int (rand);
  gint span = 1, lowest = 0;

  for (gsize i = 0; i < size; i++) {
    if (content == CONTENT_NOISE)
      bytes[i] = (guint8) g_rand_int (rand);
    else if (content == CONTENT_CONSTANT)
      bytes[i] = value;
    else if (content == CONTENT_ALTERNATING)
      bytes[i] = i & 1 ? value : 0xff;
    else if (content == CONTENT_NARROW) {
      if (i % 400 == 0) {
        span = g_rand_int_range (rand, 1, 40);
        lowest = CLAMP (g_rand_int_range (rand, -20, 276), 0, 256 - span);
      }
      bytes[i] = (guint8) (lowest + g_rand_int_range (rand, 0, span));
    } else
      bytes[i] = (guint8) (value + i / 29);
  }
  return bytes;
}

/* ---- the reference ---- */

static guint
read_sample (const GstGlesCpuChannel *channel, guint x, guint y)
{
  const GstGlesComponent *c = &channel->component[0];
  const guint8 *bytes = channel->data[0] + c->offset + (gsize) y * c->stride + (gsize) x * c->step;
  guint word = 0;

  for (guint k = 0; k < c->word_bytes; k++)
    word |= (guint) bytes[c->big_endian ? c->word_bytes - 1 - k : k] << (8 * k);
  return word >> c->shift & ((1u << c->depth) - 1);
}

static guint64
count_naively (
    const GstGlesCpuChannel *channel, const GstGlesCpuFrameHistogramShape *shape, guint32 *counts)
{
  const GstGlesComponent *c = &channel->component[0];
  guint64 n_samples = 0;

  memset (counts, 0, (gsize) shape->columns * shape->rows * shape->bins * sizeof *counts);
  for (guint y = 0; y < c->height; y++) {
    for (guint x = 0; x < c->width; x++) {
      guint64 left = (guint64) x << c->sub_x, top = (guint64) y << c->sub_y;
      guint64 column, row, bin;

      if (left < shape->x || left >= (guint64) shape->x + shape->width || top < shape->y ||
          top >= (guint64) shape->y + shape->height)
        continue;
      column = (left - shape->x) * shape->columns / shape->width;
      row = (top - shape->y) * shape->rows / shape->height;
      bin = (guint64) read_sample (channel, x, y) * shape->bins >> channel->depth;
      counts[(row * shape->columns + column) * shape->bins + bin]++;
      n_samples++;
    }
  }
  return n_samples;
}

static void
compare (const GstGlesCpuChannel *channel, const GstGlesCpuFrameHistogramShape *shape)
{
  const GstGlesComponent *c = &channel->component[0];
  gsize n = (gsize) shape->columns * shape->rows * shape->bins;
  g_autofree guint32 *expected = g_new (guint32, n);
  guint32 *counts = guarded_new (n);
  guint64 n_samples = count_naively (channel, shape, expected);
  g_autofree gchar *what = g_strdup_printf (
      "%ux%u samples, region %u,%u %ux%u, grid %ux%u, %u bins; word %u%s shift %u depth %u step %u "
      "sub %u,%u",
      c->width, c->height, shape->x, shape->y, shape->width, shape->height, shape->columns,
      shape->rows, shape->bins, c->word_bytes, c->big_endian ? "BE" : "LE", c->shift, c->depth,
      c->step, c->sub_x, c->sub_y);

  g_assert_true (gst_gles_cpu_frame_histogram (channel, shape, counts, NULL));
  guarded_check (counts, expected, n, n, what);
  g_assert_cmpuint (gst_gles_cpu_frame_histogram_n_samples (c, shape), ==, n_samples);
}

/* ---- inputs ---- */

static const struct {
  guint word_bytes, shift, depth;
} words[] = { { 1, 0, 8 }, { 1, 2, 5 }, { 2, 0, 10 }, { 2, 6, 10 }, { 2, 4, 12 }, { 2, 0, 16 },
  { 2, 0, 1 }, { 2, 5, 6 }, { 2, 1, 15 }, { 4, 20, 10 }, { 4, 30, 2 }, { 4, 0, 10 } };

static const guint all_bins[] = { 2, 3, 7, 64, 100, 255, 256, 257, 1000, 1024, 4096, 65535, 65536 };

static GstGlesComponent
random_component (GRand *rand, guint width, guint height)
{
  guint word = (guint) g_rand_int_range (rand, 0, G_N_ELEMENTS (words));
  GstGlesComponent c = { .word_bytes = words[word].word_bytes,
    .shift = words[word].shift,
    .depth = words[word].depth,
    .big_endian = words[word].word_bytes > 1 && g_rand_boolean (rand),
    .offset = (guint) g_rand_int_range (rand, 0, 5),
    .sub_x = (guint) g_rand_int_range (rand, 0, 3),
    .sub_y = (guint) g_rand_int_range (rand, 0, 3) };

  c.step = c.word_bytes * (guint) g_rand_int_range (rand, 1, 4) + (guint) g_rand_boolean (rand);
  if (g_rand_boolean (rand))
    c.step = c.word_bytes;
  c.width = (width + (1u << c.sub_x) - 1) >> c.sub_x;
  c.height = (height + (1u << c.sub_y) - 1) >> c.sub_y;
  c.stride = c.step * c.width;
  if (g_rand_boolean (rand))
    c.stride += (guint) g_rand_int_range (rand, 1, 20);
  return c;
}

static void
random_region (GRand *rand, guint size, guint *origin, guint *length, guint *cells)
{
  *origin = 0;
  *length = size;
  if (g_rand_boolean (rand)) {
    *origin = (guint) g_rand_int_range (rand, 0, (gint32) size);
    *length = (guint) g_rand_int_range (rand, 1, (gint32) (size - *origin) + 1);
  }
  *cells = 1;
  if (g_rand_boolean (rand))
    *cells = (guint) g_rand_int_range (rand, 1, (gint32) MIN (*length, 40) + 1);
}

static GstGlesCpuFrameHistogramShape
random_shape (GRand *rand, guint width, guint height)
{
  GstGlesCpuFrameHistogramShape shape = { 0 };

  random_region (rand, width, &shape.x, &shape.width, &shape.columns);
  random_region (rand, height, &shape.y, &shape.height, &shape.rows);
  shape.bins = all_bins[g_rand_int_range (rand, 0, G_N_ELEMENTS (all_bins))];
  /* what a caller may ask for, and little enough for a test */
  while ((guint64) shape.columns * shape.rows * shape.bins > 1u << 20)
    shape.bins = MAX (shape.bins / 2, 2);
  return shape;
}

/* A picture of one component of random layout. */
static void
compare_random (GRand *rand, guint width, guint height, Content content)
{
  const GstGlesComponent c = random_component (rand, width, height);
  const GstGlesCpuFrameHistogramShape shape = random_shape (rand, width, height);
  g_autofree guint8 *plane = plane_new (&c, content, rand);
  const GstGlesCpuChannel channel = { .data = { plane }, .component = { c }, .depth = c.depth };

  compare (&channel, &shape);
}

static void
compare_sizes (guint32 seed, guint n, gint max_width, gint max_height)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);

  for (guint i = 0; i < n; i++) {
    guint width = (guint) g_rand_int_range (rand, 1, max_width + 1);
    guint height = (guint) g_rand_int_range (rand, 1, max_height + 1);

    compare_random (rand, width, height, (Content) g_rand_int_range (rand, 0, N_CONTENTS));
  }
}

static void
small_and_large_pictures (void)
{
  compare_sizes (1, 2000, 70, 40);
  compare_sizes (2, 80, 1500, 300);
}

/* Sizes at which loops over 4, 8 and 16 samples, or chunks of them, begin and end. */
static void
long_and_thin_pictures (void)
{
  static const guint lengths[] = { 1, 3, 4, 7, 8, 15, 16, 17, 31, 33, 1023, 1024, 1025, 2049,
    10000 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);

  for (guint i = 0; i < 40 * G_N_ELEMENTS (lengths); i++) {
    guint length = lengths[i % G_N_ELEMENTS (lengths)];
    gboolean upright = g_rand_boolean (rand);

    compare_random (rand, upright ? 1 : length, upright ? length : 1, CONTENT_NOISE);
  }
}

/* ---- the rest ---- */

/* On several threads at once. */
static void
check_array (Pattern pattern, const guint32 *input, guint n)
{
  compare_sizes (100 + pattern, 10, 500, 300);
}

static void
distances_of_counters (void)
{
  static const guint32 a[] = { 0, 5, 0xffffffff, 7, 9 }, b[] = { 3, 1, 0, 7, 0xfffffff0 };
  static const guint32 few[] = { 3, 0, 0, 1 }, moved[] = { 1, 2, 0, 1 };
  static guint32 low[1024] = { G_MAXINT32 }, high[1024] = { [1023] = G_MAXINT32 };
  static const struct {
    const guint32 *a, *b;
    gsize n;
    guint32 difference;
    guint64 emd;
  } cases[] = {
    { a, b, 0, 0, 0 },
    { a, b, 2, 7, 4 },
    /* 7 + 0xffffffff + 0 + 0xffffffe7 modulo 2^32 */
    { a, b, 5, 0xffffffedu, 29 },
    { few, few, 4, 0, 0 },
    /* two samples move by one value */
    { few, moved, 4, 4, 2 },
    /* more than 32 bits: all samples move from end to end */
    { low, high, 1024, 0xfffffffe, G_GUINT64_CONSTANT (1023) * G_MAXINT32 },
  };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (cases); i++) {
    const guint32 *x = i % 2 == 0 ? cases[i / 2].a : cases[i / 2].b;
    const guint32 *y = i % 2 == 0 ? cases[i / 2].b : cases[i / 2].a;
    gsize n = cases[i / 2].n;

    g_assert_cmphex (
        gst_gles_cpu_frame_histogram_difference (x, y, n), ==, cases[i / 2].difference);
    g_assert_cmphex (gst_gles_cpu_frame_histogram_emd (x, y, n), ==, cases[i / 2].emd);
  }
}

int
main (int argc, char **argv)
{
  static const ArraysTest tests[] = { { "small-and-large-pictures", check_array,
                                          small_and_large_pictures },
    { "long-and-thin-pictures", NULL, long_and_thin_pictures },
    { "distances-of-counters", NULL, distances_of_counters }, { 0 } };

  return arrays_main (argc, argv, tests);
}
