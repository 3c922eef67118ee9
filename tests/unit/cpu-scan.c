/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Scans against a plain loop. The examples that textbooks work out are golden-scan-cpu. */
#include "cpu-arrays.h"

#include <gst/gles/cpu/scan/scan.h>

/* Sums begin anew wherever @heads, nullable, is not 0, and every @block_size words, if that is not
 * 0. @totals, nullable, are those of blocks. Returns the sum of all. */
static guint64
check_sums (const guint32 *input, const guint32 *output, guint n, gboolean inclusive,
    const guint32 *heads, guint block_size, const guint32 *totals)
{
  guint64 total = 0;
  guint32 sum = 0;

  for (guint i = 0; i < n; i++) {
    guint32 want;

    if ((heads != NULL && heads[i] != 0) || (block_size > 0 && i % block_size == 0))
      sum = 0;
    want = inclusive ? sum + input[i] : sum;
    sum += input[i];
    total += input[i];
    if (output[i] != want)
      g_error ("word %u of %u is %u instead of %u", i, n, output[i], want);
    if (totals != NULL && (i + 1 == n || (i + 1) % block_size == 0))
      g_assert_cmphex (totals[i / block_size], ==, sum);
  }
  return total;
}

/* Inclusive and not, in place and not; with totals of blocks and without. */
static void
check_ways (const guint32 *words, guint n, const guint32 *heads, guint block_size)
{
  for (guint way = 0; way < 4; way++) {
    gboolean inclusive = way % 2 != 0;
    guint32 *output = way >= 2 ? guarded_copy (words, n) : guarded_new (n);
    const guint32 *input = way >= 2 ? output : words;
    guint n_blocks = block_size > 0 ? n / block_size + (n % block_size != 0) : 0;
    guint32 *totals = block_size > 0 && way < 3 ? guarded_new (n_blocks) : NULL;
    guint64 total = 0, want;

    if (heads != NULL)
      gst_gles_cpu_scan_segmented (input, heads, output, n, inclusive);
    else if (block_size > 0)
      gst_gles_cpu_scan_blocks (
          input, output, n, &(GstGlesCpuBlocks){ block_size, inclusive, totals });
    else
      total = gst_gles_cpu_scan (input, output, n, inclusive);
    want = check_sums (words, output, n, inclusive, heads, block_size, totals);
    if (heads == NULL && block_size == 0)
      g_assert_cmpuint (total, ==, want);
    guarded_finish (output, n, n, "output");
    if (totals != NULL)
      guarded_finish (totals, n_blocks, n_blocks, "totals");
  }
}

static void
check_whole (Pattern pattern, const guint32 *words, guint n)
{
  check_ways (words, n, NULL, 0);
}

static void
check_segmented (Pattern pattern, const guint32 *words, guint n)
{
  /* on the average segments of 1, 2, 33, 1000, 100000 values; no head at all */
  static const guint lengths[] = { 1, 2, 33, 1000, 100000, 0 };
  guint length = lengths[(n + pattern) % G_N_ELEMENTS (lengths)];
  guint32 *heads = guarded_new (n);
  Random random = { n };

  for (guint i = 0; i < n; i++)
    heads[i] = length > 0 && random_word (&random) % length == 0 ? random_word (&random) | 256 : 0;
  check_ways (words, n, heads, 0);
  guarded_finish (heads, n, n, "heads");
}

static void
check_blocks (Pattern pattern, const guint32 *words, guint n)
{
  /* from 131072 on, all threads scan one block after the other */
  static const guint sizes[] = { 1, 2, 7, 8, 32, 256, 1000, 4096, 100003, 1 << 17, 200000 };
  guint step = n <= SMALL_SIZE ? 1 : 6;

  for (guint i = (n + pattern) % step; i < G_N_ELEMENTS (sizes); i += step)
    check_ways (words, n, NULL, sizes[i]);
}

int
main (int argc, char **argv)
{
  static const ArraysTest tests[] = { { "whole", check_whole }, { "segmented", check_segmented },
    { "blocks", check_blocks }, { 0 } };

  return arrays_main (argc, argv, tests);
}
