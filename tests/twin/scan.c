/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Scans against the native twin, bit for bit, in the variant that GST_GLES_SCAN_VARIANT forces; the
 * twin against a plain loop. */
#include <string.h>

#include <gst/gles/algo/scan/scan-private.h>
#include <gst/gles/cpu/scan.h>

#include "array-cases.h"

static GstGlesScan *
new_scan (guint capacity)
{
  GError *error = NULL;
  GstGlesScan *scan =
      gst_gles_scan_new_full (array_test.queue, capacity, &array_test.variant, &error);

  if (scan == NULL)
    g_error ("%s", error->message);
  return scan;
}

/* How a call is made. */
typedef enum {
  INCLUSIVE = 1 << 0,
  IN_PLACE = 1 << 1,
  INDIRECT = 1 << 2,
  N_WAYS = 1 << 3
} Way;

static gboolean
call_plain (GstGlesScan *scan, GstGlesBuffer *input, GstGlesBuffer *output, guint n, Way way,
    GError **error)
{
  g_autoptr (GstGlesBuffer) count = (way & INDIRECT) != 0 ? array_count_buffer (n) : NULL;

  if ((way & INDIRECT) != 0)
    return ((way & INCLUSIVE) != 0 ? gst_gles_scan_inclusive_indirect
                                   : gst_gles_scan_exclusive_indirect) (
        scan, input, output, count, ARRAY_COUNT_OFFSET, error);
  return ((way & INCLUSIVE) != 0 ? gst_gles_scan_inclusive : gst_gles_scan_exclusive) (
      scan, input, output, n, error);
}

static void
plain_loop (const guint32 *values, guint n, gboolean inclusive, guint32 *sums, guint64 *total)
{
  *total = 0;
  for (guint i = 0; i < n; i++) {
    sums[i] = inclusive ? *total + values[i] : *total;
    *total += values[i];
  }
}

static void
check_plain (GstGlesScan *scan, Pattern pattern, guint n, Way way)
{
  g_autofree gchar *where = g_strdup_printf ("%s%s%s scan of %u %s",
      (way & INDIRECT) != 0 ? "indirect " : "", (way & IN_PLACE) != 0 ? "in-place " : "",
      (way & INCLUSIVE) != 0 ? "inclusive" : "exclusive", n, array_pattern_name (pattern));
  g_autofree guint32 *values = array_input (pattern, n, n);
  g_autofree guint32 *want = g_new (guint32, n + 1), *oracle = g_new (guint32, n + 1);
  /* with a count on the device, more would fit */
  g_autoptr (GstGlesBuffer) input = array_buffer (n);
  g_autoptr (GstGlesBuffer) other = array_buffer (n);
  GstGlesBuffer *output = (way & IN_PLACE) != 0 ? input : other;
  GError *error = NULL;
  guint64 total, oracle_total;

  array_fill (input, values, n);
  if (!call_plain (scan, input, output, n, way, &error))
    g_error ("%s: %s", where, error->message);
  total = gst_gles_cpu_scan (values, want, n, (way & INCLUSIVE) != 0);
  plain_loop (values, n, (way & INCLUSIVE) != 0, oracle, &oracle_total);
  if (n > 0)
    g_assert_cmpmem (want, 4 * (gsize) n, oracle, 4 * (gsize) n);
  g_assert_cmpuint (total, ==, oracle_total);
  array_check (output, want, n, where);
  if (output != input)
    array_check (input, values, n, where);
  array_check_result (gst_gles_scan_get_result (scan), total, n,
      total > G_MAXUINT32 ? GST_GLES_STATUS_TOTAL_WRAPPED : 0, where);
}

/* One plan for all sizes. Small arrays in every way, larger ones each in some. */
static void
test_plain (void)
{
  g_autoptr (GstGlesScan) scan = new_scan (array_test.max_n);
  guint n_sizes, turn = 0;
  g_autofree guint *sizes = array_sizes (array_test.max_n, &n_sizes);

  for (guint i = 0; i < n_sizes; i++) {
    if (sizes[i] <= 300) {
      for (Pattern pattern = 0; pattern < N_PATTERNS; pattern++) {
        for (guint way = 0; way < N_WAYS; way++)
          check_plain (scan, pattern, sizes[i], way);
      }
    } else {
      for (guint k = 0; k < (sizes[i] <= 20000 ? 8 : 2); k++, turn++)
        check_plain (scan, (turn * 5) % N_PATTERNS, sizes[i], turn % N_WAYS);
    }
  }
  check_plain (scan, PATTERN_AND_1, array_test.max_n, 0);
  check_plain (scan, PATTERN_MAX, array_test.max_n, INCLUSIVE | INDIRECT);
}

/* More than one binding of 128 MiB can hold, where that is the limit; not where GLES_TEST_QUICK is
 * set. */
static void
test_large (void)
{
  const guint n = (1u << 25) + 4099;
  g_autoptr (GstGlesScan) scan = NULL;

  if (array_test.variant.window != 0 || array_test.quick) {
    g_test_skip ("windows are small, or quick");
    return;
  }
  scan = new_scan (n);
  check_plain (scan, PATTERN_RAMP, n, 0);
  check_plain (scan, PATTERN_MAX, n, INCLUSIVE | IN_PLACE | INDIRECT);
}

/* ---- segments and blocks ---- */

typedef enum {
  HEADS_NONE,
  HEADS_ALL,
  HEADS_ALTERNATING,
  HEADS_FIRST,
  HEADS_LAST,
  HEADS_RANDOM,
  HEADS_TILES, /* every power of two, minus and plus one */
  N_HEADS
} HeadsPattern;

static guint32 *
heads_input (HeadsPattern pattern, guint n)
{
  guint32 *heads = g_new0 (guint32, n + 1);
  GRand *random = g_rand_new_with_seed (n);

  for (guint i = 0; i < n; i++) {
    if (pattern == HEADS_ALL || (pattern == HEADS_ALTERNATING && i % 2 == 0) ||
        (pattern == HEADS_FIRST && i == 0) || (pattern == HEADS_LAST && i == n - 1) ||
        (pattern == HEADS_RANDOM && g_rand_int_range (random, 0, 3000) == 0) ||
        (pattern == HEADS_TILES && ((i & (i - 1)) == 0 || (i & (i + 1)) == 0)))
      /* any word but 0 is a head */
      heads[i] = i % 3 == 0 ? 0x80000000u : i | 1;
  }
  g_rand_free (random);
  return heads;
}

static void
check_segmented (GstGlesScan *scan, Pattern pattern, HeadsPattern heads_pattern, guint n, Way way)
{
  g_autofree gchar *where = g_strdup_printf ("segmented scan of %u %s, heads %d, way %d", n,
      array_pattern_name (pattern), heads_pattern, way);
  g_autofree guint32 *values = array_input (pattern, n, n);
  g_autofree guint32 *flags = heads_input (heads_pattern, n);
  g_autofree guint32 *want = g_new (guint32, n + 1);
  g_autoptr (GstGlesBuffer) input = array_buffer (n), other = array_buffer (n);
  g_autoptr (GstGlesBuffer) heads = array_buffer (n);
  g_autoptr (GstGlesBuffer) count = array_count_buffer (n);
  GstGlesBuffer *output = (way & IN_PLACE) != 0 ? input : other;
  gboolean inclusive = (way & INCLUSIVE) != 0;
  GError *error = NULL;
  guint32 sum = 0;

  array_fill (input, values, n);
  array_fill (heads, flags, n);
  if (!((way & INDIRECT) != 0
              ? gst_gles_scan_segmented_indirect (
                    scan, input, heads, output, count, ARRAY_COUNT_OFFSET, inclusive, &error)
              : gst_gles_scan_segmented (scan, input, heads, output, n, inclusive, &error)))
    g_error ("%s: %s", where, error->message);
  gst_gles_cpu_scan_segmented (values, flags, want, n, inclusive);
  for (guint i = 0; i < n; i++) {
    sum = flags[i] != 0 ? 0 : sum;
    g_assert_cmpuint (want[i], ==, inclusive ? sum + values[i] : sum);
    sum += values[i];
  }
  array_check (output, want, n, where);
  array_check (heads, flags, n, where);
  array_check_result (gst_gles_scan_get_result (scan), 0, n, 0, where);
}

static void
test_segmented (void)
{
  guint max = MIN (array_test.max_n, 1u << 20);
  g_autoptr (GstGlesScan) scan = new_scan (max);
  guint n_sizes, turn = 0;
  g_autofree guint *sizes = array_sizes (max, &n_sizes);

  for (guint i = 0; i < n_sizes; i++) {
    guint n_turns = sizes[i] <= 300 ? 3 * N_HEADS : sizes[i] <= 20000 ? N_HEADS : 1;
    for (guint k = 0; k < n_turns; k++, turn++)
      check_segmented (
          scan, (turn * 3) % N_PATTERNS, turn % N_HEADS, sizes[i], (turn / 7) % N_WAYS);
  }
}

static void
check_blocks (GstGlesScan *scan, Pattern pattern, guint block_size, guint n, Way way, gboolean sums)
{
  g_autofree gchar *where = g_strdup_printf (
      "scan of %u %s by blocks of %u, way %d", n, array_pattern_name (pattern), block_size, way);
  guint n_blocks = n / block_size + (n % block_size != 0);
  g_autofree guint32 *values = array_input (pattern, n, n);
  g_autofree guint32 *want = g_new (guint32, n + 1);
  g_autofree guint32 *want_totals = g_new (guint32, n_blocks + 1);
  g_autoptr (GstGlesBuffer) input = array_buffer (n), other = array_buffer (n);
  g_autoptr (GstGlesBuffer) totals = array_buffer (n_blocks);
  g_autoptr (GstGlesBuffer) count = array_count_buffer (n);
  GstGlesBuffer *output = (way & IN_PLACE) != 0 ? input : other;
  gboolean inclusive = (way & INCLUSIVE) != 0;
  GError *error = NULL;
  guint32 sum = 0;

  array_fill (input, values, n);
  if (!((way & INDIRECT) != 0
              ? gst_gles_scan_blocks_indirect (scan, input, output, count, ARRAY_COUNT_OFFSET,
                    block_size, inclusive, sums ? totals : NULL, &error)
              : gst_gles_scan_blocks (
                    scan, input, output, n, block_size, inclusive, sums ? totals : NULL, &error)))
    g_error ("%s: %s", where, error->message);
  gst_gles_cpu_scan_blocks (values, want, n, block_size, inclusive, want_totals);
  for (guint i = 0; i < n; i++) {
    sum = i % block_size == 0 ? 0 : sum;
    g_assert_cmpuint (want[i], ==, inclusive ? sum + values[i] : sum);
    sum += values[i];
    if ((i + 1) % block_size == 0 || i + 1 == n)
      g_assert_cmpuint (want_totals[i / block_size], ==, sum);
  }
  array_check (output, want, n, where);
  array_check (totals, want_totals, sums ? n_blocks : 0, where);
  array_check_result (gst_gles_scan_get_result (scan), 0, n, 0, where);
}

static void
test_blocks (void)
{
  static const guint blocks[] = { 1, 2, 3, 4, 5, 7, 8, 31, 32, 33, 255, 256, 257, 1000, 1023, 1024,
    1025, 4096, 10000, 65536 };
  guint max = MIN (array_test.max_n, 1u << 20);
  g_autoptr (GstGlesScan) scan = new_scan (max);
  guint n_sizes, turn = 0;
  g_autofree guint *sizes = array_sizes (max, &n_sizes);

  for (guint i = 0; i < n_sizes; i++) {
    for (guint k = 0; k < (sizes[i] <= 20000 ? G_N_ELEMENTS (blocks) : 1); k++, turn++)
      check_blocks (scan, (turn * 3) % N_PATTERNS, blocks[turn % G_N_ELEMENTS (blocks)], sizes[i],
          (turn / 3) % N_WAYS, turn % 5 != 0);
    if (sizes[i] != 0)
      check_blocks (scan, PATTERN_AND_1, sizes[i], sizes[i], i % N_WAYS, TRUE);
  }
  check_blocks (scan, PATTERN_AND_1, G_MAXUINT, 5000, INCLUSIVE, TRUE);
}

/* Sizes around the tile sizes of the plan, which depend on the device. */
static void
test_tile_edges (void)
{
  guint sizes[ARRAY_MAX_TILE_SIZES], n_sizes;
  g_autoptr (GstGlesScan) scan = new_scan (MIN (array_test.max_n, 100000));

  n_sizes = array_tile_sizes (gst_gles_scan_get_array (scan), sizes);
  if (n_sizes == 0)
    g_test_skip ("native code has no tiles");
  for (guint i = 0; i < n_sizes; i++) {
    for (guint way = 0; way < N_WAYS; way++)
      check_plain (scan, PATTERN_AND_1, sizes[i], way);
    check_segmented (scan, PATTERN_AND_2, HEADS_ALTERNATING, sizes[i], i % N_WAYS);
    check_segmented (scan, PATTERN_AND_2, HEADS_LAST, sizes[i], (i + 3) % N_WAYS);
    check_blocks (scan, PATTERN_AND_3, sizes[0] + 1, sizes[i], i % N_WAYS, TRUE);
  }
}

/* ---- golden examples of the field's textbooks ---- */

static void
check_golden (const guint32 *values, guint n, const guint32 *want, guint64 total, Way way)
{
  g_autoptr (GstGlesScan) scan = new_scan (n);
  g_autoptr (GstGlesBuffer) input = array_buffer (n), output = array_buffer (n);
  GError *error = NULL;

  array_fill (input, values, n);
  g_assert_true (call_plain (scan, input, output, n, way, &error));
  array_check (output, want, n, "golden");
  array_check_result (gst_gles_scan_get_result (scan), total, n, 0, "golden");
}

static void
test_golden (void)
{
  static const guint32 eight[] = { 3, 1, 7, 0, 4, 1, 6, 3 };
  static const guint32 eight_sums[] = { 0, 3, 4, 11, 11, 15, 16, 22 };
  static const guint32 five[] = { 1, 2, 3, 4, 5 };
  static const guint32 five_sums[] = { 0, 1, 3, 6, 10 };
  guint32 ramp[15], block_sums[15], sums[15], totals[2] = { 28, 77 };
  g_autoptr (GstGlesScan) scan = new_scan (15);
  g_autoptr (GstGlesBuffer) input = array_buffer (15), output = array_buffer (15);
  g_autoptr (GstGlesBuffer) block_totals = array_buffer (2);
  GError *error = NULL;

  check_golden (eight, 8, eight_sums, 25, 0);
  check_golden (five, 5, five_sums, 15, 0);
  for (guint i = 0; i < 15; i++) {
    ramp[i] = i;
    sums[i] = i * (i + 1) / 2;
    block_sums[i] = i < 8 ? sums[i] : sums[i] - 28;
  }
  check_golden (ramp, 8, sums, 28, INCLUSIVE);
  check_golden (ramp, 15, sums, 105, INCLUSIVE);
  array_fill (input, ramp, 15);
  g_assert_true (gst_gles_scan_blocks (scan, input, output, 15, 8, TRUE, block_totals, &error));
  array_check (output, block_sums, 15, "blocks of 8");
  array_check (block_totals, totals, 2, "totals of 8");
}

/* ---- plans ---- */

static void
test_repetitions (void)
{
  const guint n = 5000;
  g_autoptr (GstGlesScan) scan = new_scan (n);
  g_autoptr (GstGlesBuffer) input = array_buffer (n), output = array_buffer (n);
  g_autofree guint32 *values = array_input (PATTERN_AND_1, n, 1), *want = g_new (guint32, n);
  GError *error = NULL;

  array_fill (input, values, n);
  gst_gles_cpu_scan (values, want, n, FALSE);
  for (guint i = 0; i < 1000; i++) {
    array_spoil (output);
    g_assert_true (gst_gles_scan_exclusive (scan, input, output, n, &error));
    array_check (output, want, n, "repetition");
  }
}

/* Two plans in one submission, one reading what the other wrote, while both are reused. */
static void
test_interleaved (void)
{
  const guint n = 70001;
  g_autoptr (GstGlesScan) first = new_scan (n), second = new_scan (2 * n);
  g_autoptr (GstGlesBuffer) input = array_buffer (n), once = array_buffer (n);
  g_autoptr (GstGlesBuffer) twice = array_buffer (n);
  g_autofree guint32 *values = array_input (PATTERN_AND_1, n, 2), *want = g_new (guint32, n);
  GError *error = NULL;
  guint64 total = 0;

  array_fill (input, values, n);
  gst_gles_cpu_scan (values, want, n, TRUE);
  total = gst_gles_cpu_scan (want, want, n, FALSE);
  for (guint round = 0; round < 5; round++) {
    g_assert_true (gst_gles_queue_begin (array_test.queue, &error));
    g_assert_true (gst_gles_scan_inclusive (first, input, once, n, &error));
    g_assert_true (gst_gles_scan_exclusive (second, once, twice, n, &error));
    g_assert_true (gst_gles_scan_exclusive (first, twice, once, n / 2, &error));
    g_assert_true (gst_gles_queue_end (array_test.queue, &error));
    array_check (twice, want, n, "interleaved");
    array_check_result (
        gst_gles_scan_get_result (second), total, n, GST_GLES_STATUS_TOTAL_WRAPPED, "interleaved");
  }
}

/* Two queues, each reading what the other writes and writing what it reads. */
static void
test_two_queues (void)
{
  const guint n = 30000;
  GError *error = NULL;
  g_autoptr (GstGlesQueue) queue = gst_gles_queue_new (array_test.device, &error);
  g_autoptr (GstGlesScan) here = new_scan (n), there = NULL;
  g_autoptr (GstGlesBuffer) a = array_buffer (n), b = array_buffer (n);
  g_autofree guint32 *values = array_input (PATTERN_AND_1, n, 3);

  g_assert_no_error (error);
  there = gst_gles_scan_new_full (queue, n, &array_test.variant, &error);
  g_assert_no_error (error);
  array_fill (a, values, n);
  for (guint i = 0; i < 40; i++) {
    g_assert_true (gst_gles_scan_inclusive (here, a, b, n, &error));
    g_assert_true (gst_gles_scan_exclusive (there, b, a, n, &error));
    gst_gles_cpu_scan (values, values, n, TRUE);
    gst_gles_cpu_scan (values, values, n, FALSE);
  }
  g_assert_no_error (error);
  array_check (a, values, n, "two queues");
}

static void
test_no_values (void)
{
  g_autoptr (GstGlesScan) scan = new_scan (0);
  g_autoptr (GstGlesBuffer) input = gst_gles_buffer_new (array_test.device, 0, NULL);
  g_autoptr (GstGlesBuffer) output = array_buffer (0), count = array_count_buffer (3);
  GError *error = NULL;

  g_assert_true (gst_gles_scan_exclusive (scan, input, output, 0, &error));
  array_check (output, NULL, 0, "no values");
  array_check_result (gst_gles_scan_get_result (scan), 0, 0, 0, "no values");
  g_assert_true (
      gst_gles_scan_exclusive_indirect (scan, input, output, count, ARRAY_COUNT_OFFSET, &error));
  array_check (output, NULL, 0, "no room");
  array_check_result (
      gst_gles_scan_get_result (scan), 0, 0, GST_GLES_STATUS_COUNT_CLAMPED, "no room");
}

/* ---- what the device finds out, and what the call does ---- */

static void
test_count_over_capacity (void)
{
  static const guint counts[] = { 4001, 100000, G_MAXUINT };
  g_autoptr (GstGlesScan) scan = new_scan (4000);
  g_autofree guint32 *values = array_input (PATTERN_LOW_DIGIT, 5000, 4);
  g_autofree guint32 *want = g_new (guint32, 5000);
  GError *error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++) {
    g_autoptr (GstGlesBuffer) count = array_count_buffer (counts[i]);
    g_autoptr (GstGlesBuffer) input = array_buffer (5000), output = array_buffer (5000);
    g_autoptr (GstGlesBuffer) small = array_buffer (1000);
    guint room = gst_gles_buffer_get_size (small) / 4;
    guint64 total = gst_gles_cpu_scan (values, want, 4000, FALSE);

    array_fill (input, values, 5000);
    g_assert_true (
        gst_gles_scan_exclusive_indirect (scan, input, output, count, ARRAY_COUNT_OFFSET, &error));
    array_check (output, want, 4000, "over the capacity");
    array_check_result (gst_gles_scan_get_result (scan), total, 4000, GST_GLES_STATUS_COUNT_CLAMPED,
        "over the capacity");
    g_assert_true (
        gst_gles_scan_exclusive_indirect (scan, input, small, count, ARRAY_COUNT_OFFSET, &error));
    total = gst_gles_cpu_scan (values, want, room, FALSE);
    array_check (small, want, room, "over the output");
    array_check_result (gst_gles_scan_get_result (scan), total, room, GST_GLES_STATUS_COUNT_CLAMPED,
        "over the output");
  }
}

static void
test_errors (void)
{
  g_autoptr (GstGlesScan) scan = new_scan (100);
  g_autoptr (GstGlesDevice) other = gst_gles_device_new ("cpu", NULL);
  g_autoptr (GstGlesBuffer) foreign = gst_gles_buffer_new (other, 4096, NULL);
  g_autoptr (GstGlesBuffer) input = array_buffer (200), output = array_buffer (200);
  g_autoptr (GstGlesBuffer) heads = array_buffer (200), small = array_buffer (10);
  GError *error = NULL;

  g_assert_false (gst_gles_scan_exclusive (scan, input, output, 101, &error));
  array_expect_error (&error, GST_GLES_ERROR_TOO_LARGE, "capacity");
  g_assert_false (gst_gles_scan_exclusive (scan, input, small, 100, &error));
  array_expect_error (&error, GST_GLES_ERROR_INVALID, "small output");
  g_assert_false (gst_gles_scan_exclusive (scan, small, output, 100, &error));
  array_expect_error (&error, GST_GLES_ERROR_INVALID, "small input");
  g_assert_false (gst_gles_scan_exclusive (scan, foreign, output, 100, &error));
  array_expect_error (&error, GST_GLES_ERROR_INVALID, "another device");
  g_assert_false (gst_gles_scan_segmented (scan, input, heads, heads, 100, FALSE, &error));
  array_expect_error (&error, GST_GLES_ERROR_INVALID, "heads overwritten");
  g_assert_false (gst_gles_scan_segmented (scan, input, small, output, 100, FALSE, &error));
  array_expect_error (&error, GST_GLES_ERROR_INVALID, "few heads");
  g_assert_false (gst_gles_scan_blocks (scan, input, output, 100, 0, FALSE, NULL, &error));
  array_expect_error (&error, GST_GLES_ERROR_INVALID, "empty blocks");
  g_assert_false (gst_gles_scan_blocks (scan, input, output, 100, 4, FALSE, small, &error));
  array_expect_error (&error, GST_GLES_ERROR_INVALID, "few totals");
  g_assert_false (gst_gles_scan_blocks (scan, input, output, 100, 4, FALSE, output, &error));
  array_expect_error (&error, GST_GLES_ERROR_INVALID, "totals over sums");
  g_assert_false (gst_gles_scan_exclusive_indirect (scan, input, output, heads, 2, &error));
  array_expect_error (&error, GST_GLES_ERROR_INVALID, "crooked count");
  g_assert_false (gst_gles_scan_exclusive_indirect (scan, input, output, heads, 4096, &error));
  array_expect_error (&error, GST_GLES_ERROR_INVALID, "count outside");
  g_assert_false (gst_gles_scan_exclusive_indirect (scan, input, output, output, 0, &error));
  array_expect_error (&error, GST_GLES_ERROR_INVALID, "count overwritten");
  g_assert_null (gst_gles_scan_new_full (
      array_test.queue, GST_GLES_MAX_VALUES + 1, &array_test.variant, &error));
  array_expect_error (&error, GST_GLES_ERROR_TOO_LARGE, "plan");
  array_check (output, NULL, 0, "after errors");
  array_check (small, NULL, 0, "after errors");
  array_check (heads, NULL, 0, "after errors");
}

static void
test_variant_words (void)
{
  GstGlesVariant variant;
  GError *error = NULL;

  g_assert_true (
      gst_gles_variant_parse ("V", "lookback+portable+polls=7+rows=2", &variant, &error));
  g_assert_cmpint (variant.team, ==, GST_GLES_TEAM_SHARED);
  g_assert_cmpint (variant.scheme, ==, GST_GLES_SCHEME_LOOK_BACK);
  g_assert_cmpuint (variant.spin_limit, ==, 7);
  g_assert_cmpuint (variant.rows, ==, 2);
  g_assert_true (gst_gles_variant_parse ("V", "", &variant, &error));
  g_assert_cmpint (variant.team, ==, GST_GLES_TEAM_AUTO);
#ifdef GST_GLES_TEST_HOOKS
  g_assert_true (gst_gles_variant_parse ("V", "stuck=7", &variant, &error));
  g_assert_cmpuint (variant.stalled_tile, ==, 7);
#endif
  static const gchar *const wrong[] = { "fast", "serial+portable", "stuck", "stuck=", "stuck=x",
    "rows=17", "window=100", "lookback+two-pass", "auto+" };
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_assert_false (gst_gles_variant_parse ("V", wrong[i], &variant, &error));
    array_expect_error (&error, GST_GLES_ERROR_SETTINGS, wrong[i]);
  }
}

static void
add_tests (void)
{
  g_test_add_func ("/scan/golden", test_golden);
  g_test_add_func ("/scan/no-values", test_no_values);
  g_test_add_func ("/scan/errors", test_errors);
  g_test_add_func ("/scan/variant-words", test_variant_words);
  g_test_add_func ("/scan/count-over-capacity", test_count_over_capacity);
  g_test_add_func ("/scan/plain", test_plain);
  g_test_add_func ("/scan/segmented", test_segmented);
  g_test_add_func ("/scan/blocks", test_blocks);
  g_test_add_func ("/scan/tile-edges", test_tile_edges);
  g_test_add_func ("/scan/repetitions", test_repetitions);
  g_test_add_func ("/scan/interleaved", test_interleaved);
  g_test_add_func ("/scan/two-queues", test_two_queues);
  g_test_add_func ("/scan/large", test_large);
}

int
main (int argc, char **argv)
{
  return array_test_main (argc, argv, "GST_GLES_SCAN_VARIANT", add_tests);
}
