/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The native histogram of arrays against a loop that divides. */
#include <gst/gles/cpu/histogram.h>

#include "cpu-arrays.h"

#define ALL (G_GUINT64_CONSTANT (1) << 32)

typedef struct {
  guint bins;
  guint32 lower;
  guint64 width;
} Range;

/* Ranges that bins divide and that they do not, smaller than the bins, at both ends of the keys. */
static const Range ranges[] = { { 256, 0, 256 }, { 256, 0, ALL }, { 1, 0, ALL }, { 7, 0, ALL - 1 },
  { 65536, 0, 65536 }, { 65536, 0, ALL }, { 65535, 3, 70000 }, { 65536, 17, 5 },
  { 1000, 0xfffffffeu, 2 }, { 257, 100, 3000000001u }, { 12289, 7, ALL - 7 }, { 2049, 0, 2049 } };

static guint32
key_at (gconstpointer keys, guint key_bytes, gsize i)
{
  guint32 key = 0;

  memcpy (&key, (const guint8 *) keys + i * key_bytes, key_bytes);
  return GUINT32_FROM_LE (key);
}

static void
check_range (const Range *range, guint key_bytes, gconstpointer keys, gsize n)
{
  g_autofree guint32 *want = g_new0 (guint32, range->bins);
  guint32 *counts = guarded_new (range->bins);
  GstGlesCpuBinning binning;

  for (gsize i = 0; i < n; i++) {
    guint32 key = key_at (keys, key_bytes, i);
    if (key >= range->lower && key - range->lower < range->width)
      want[(guint64) (key - range->lower) * range->bins / range->width]++;
  }
  gst_gles_cpu_binning_init (&binning, range->lower, range->width, range->bins);
  fail_unless (gst_gles_cpu_array_histogram (&binning, key_bytes, keys, n, counts, NULL));
  for (guint i = 0; i < range->bins; i++) {
    if (counts[i] != want[i])
      fail ("%" G_GSIZE_FORMAT " keys of %u bytes: bin %u of %u over %u + %" G_GUINT64_FORMAT
            ": %u, expected %u",
          n, key_bytes, i, range->bins, range->lower, range->width, counts[i], want[i]);
  }
  guarded_finish (counts, range->bins, range->bins, "counts");
}

static void
check_array (Pattern pattern, const guint32 *words, guint n)
{
  const Range *range = &ranges[(n + pattern) % G_N_ELEMENTS (ranges)];
  const guint8 *bytes = (const guint8 *) words;

  check_range (range, 4, words, n);
  check_range (range, 2, words, n);
  check_range (range, 1, words, n);
  /* small keys need no alignment of words */
  if (n > 0) {
    check_range (range, 1, bytes + 1, n - 1);
    check_range (range, 2, bytes + 2, n - 1);
  }
}

GST_START_TEST (sizes_and_patterns)
{
  for_each_array (check_array);
}
GST_END_TEST;

/* Both sides of the edges of all bins. */
GST_START_TEST (edges_of_bins)
{
  for (guint r = 0; r < G_N_ELEMENTS (ranges); r++) {
    const Range *range = &ranges[r];
    g_autofree guint32 *keys = g_new (guint32, 3 * range->bins);

    for (guint bin = 0; bin < range->bins; bin++) {
      guint64 edge = range->lower + (bin * range->width + range->bins - 1) / range->bins;
      for (guint side = 0; side < 3; side++)
        keys[3 * bin + side] = (guint32) (edge + side - 1);
    }
    check_range (range, 4, keys, 3 * range->bins);
  }
}
GST_END_TEST;

/* The same bins for the same keys, whatever comes before a division by a constant. */
GST_START_TEST (any_width)
{
  Random random = { 12 };

  for (guint i = 0; i < 2000; i++) {
    guint bins = 1 + random_word (&random) % 65536;
    guint64 width = 1 + (guint64) (random_word (&random) >> random_word (&random) % 32);
    guint32 lower = (guint32) MIN (random_word (&random), ALL - width);
    GstGlesCpuBinning binning;

    gst_gles_cpu_binning_init (&binning, lower, width, bins);
    for (guint k = 0; k < 200; k++) {
      guint64 distance = k == 0 ? width - 1 : random_word (&random) % width;
      guint got = gst_gles_cpu_binning_bin (&binning, (guint32) (lower + distance));
      if (got != distance * bins / width)
        fail ("key %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " in %u bins: %u", distance, width,
            bins, got);
    }
    fail_if (lower > 0 && gst_gles_cpu_binning_has (&binning, lower - 1));
    fail_if (lower + width < ALL && gst_gles_cpu_binning_has (&binning, (guint32) (lower + width)));
  }
}
GST_END_TEST;

static void
count_often (void)
{
  enum {
    N = 100000
  };
  g_autofree guint32 *words = g_new (guint32, N);

  pattern_fill (PATTERN_RANDOM, 4, words, N);
  for (guint i = 0; i < 5; i++) {
    for (guint key_bytes = 1; key_bytes <= 4; key_bytes *= 2)
      check_range (&ranges[i], key_bytes, words, N);
  }
}

GST_START_TEST (several_threads_at_once)
{
  on_several_threads (count_often);
}
GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_test (tcase, sizes_and_patterns);
  tcase_add_test (tcase, edges_of_bins);
  tcase_add_test (tcase, any_width);
  tcase_add_test (tcase, several_threads_at_once);
}

int
main (int argc, char **argv)
{
  return arrays_main (argc, argv, "cpu-array-histogram", add_tests);
}
