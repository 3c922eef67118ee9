/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The native histogram of arrays against a loop that divides. */
#include "cpu-arrays.h"

#include <gst/gles/cpu/histogram/histogram.h>

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

static void
check_range (const Range *range, guint key_bytes, gconstpointer keys, gsize n)
{
  g_autofree guint32 *want = g_new0 (guint32, range->bins);
  guint32 *counts = guarded_new (range->bins);
  GstGlesCpuBinning binning;

  for (gsize i = 0; i < n; i++) {
    guint32 key = 0;

    memcpy (&key, (const guint8 *) keys + i * key_bytes, key_bytes);
    key = GUINT32_FROM_LE (key);
    if (key >= range->lower && key - range->lower < range->width)
      want[(guint64) (key - range->lower) * range->bins / range->width]++;
  }
  gst_gles_cpu_binning_init (&binning, range->lower, range->width, range->bins);
  g_assert_true (
      gst_gles_cpu_histogram (&binning, &(GstGlesCpuKeys){ keys, n, key_bytes }, counts, NULL));
  guarded_check (counts, want, range->bins, range->bins, "counts");
}

static void
check_array (Pattern pattern, const guint32 *words, guint n)
{
  const Range *range = &ranges[(n + pattern) % G_N_ELEMENTS (ranges)];
  const guint8 *bytes = (const guint8 *) words;

  check_range (range, 4, words, n);
  /* small keys need no alignment of words */
  for (guint key_bytes = 1; key_bytes <= 2; key_bytes++) {
    check_range (range, key_bytes, words, n);
    if (n > 0)
      check_range (range, key_bytes, bytes + key_bytes, n - 1);
  }
}

/* The same bins on both sides of their edges, whatever comes before a division by a constant. */
static void
edges_of_bins (void)
{
  Random random = { 12 };

  for (guint i = 0; i < 2000; i++) {
    guint64 width = 1 + (guint64) (random_word (&random) >> random_word (&random) % 32);
    Range r = { 1 + random_word (&random) % 65536, MIN (random_word (&random), ALL - width),
      width };
    GstGlesCpuBinning binning;

    r = i < G_N_ELEMENTS (ranges) ? ranges[i] : r;
    gst_gles_cpu_binning_init (&binning, r.lower, r.width, r.bins);
    for (guint k = 0; k < 300; k++) {
      guint64 edge = (random_word (&random) % r.bins * r.width + r.bins - 1) / r.bins;
      guint64 distance = k == 0 ? r.width - 1 : MIN (edge + k % 3 - (edge > 0), r.width - 1);

      g_assert_cmpuint (gst_gles_cpu_binning_bin (&binning, (guint32) (r.lower + distance)), ==,
          distance * r.bins / r.width);
    }
    g_assert_false (r.lower > 0 && gst_gles_cpu_binning_has (&binning, r.lower - 1));
    g_assert_false (r.lower + r.width < ALL &&
        gst_gles_cpu_binning_has (&binning, (guint32) (r.lower + r.width)));
  }
}

int
main (int argc, char **argv)
{
  static const ArraysTest tests[] = { { "sizes-and-patterns", check_array },
    { "edges-of-bins", NULL, edges_of_bins }, { 0 } };

  return arrays_main (argc, argv, tests);
}
