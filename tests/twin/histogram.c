/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Histograms of arrays against the native twin, bit for bit, in the variant that
 * GST_GLES_HISTOGRAM_VARIANT forces. tests/unit/cpu-histogram.c compares the twin with a
 * division per key; arrays.c tests counts on the device, repetitions, plans in turns and most
 * refused calls. */
#include <string.h>

#include <gst/gles/algo/histogram/histogram-private.h>
#include <gst/gles/algo/plan/array-tuning.h>
#include <gst/gles/cpu/histogram/histogram.h>

#include "array-cases.h"

#define ALL (G_GUINT64_CONSTANT (1) << 32)

/* Bins over [lower, upper). */
typedef struct {
  GstGlesKeyType type;
  guint bins;
  guint32 lower;
  guint64 upper;
} Config;

/* Numbers of bins around what fits shared memory or private arrays; ranges that bins divide, that
 * they do not, that are smaller than the bins, that leave keys out; widths that need long
 * fractions. */
static const Config configs[] = {
  { GST_GLES_KEY_U8, 256, 0, 256 },
  { GST_GLES_KEY_U8, 1, 0, 256 },
  { GST_GLES_KEY_U8, 2, 3, 250 },
  { GST_GLES_KEY_U8, 255, 0, 256 },
  { GST_GLES_KEY_U8, 7, 0, ALL },
  { GST_GLES_KEY_U8, 257, 1, 255 },
  { GST_GLES_KEY_U8, 65536, 0, 256 },
  { GST_GLES_KEY_U16, 256, 0, 65536 },
  { GST_GLES_KEY_U16, 1000, 0, 65536 },
  { GST_GLES_KEY_U16, 4096, 100, 60001 },
  { GST_GLES_KEY_U16, 4097, 0, 65536 },
  { GST_GLES_KEY_U16, 65536, 0, 65536 },
  /* packed, in 3 and 5 ranges of 8192 counters, 2 and 3 of 16384, 1 and 2 of NVIDIA's 24576 */
  { GST_GLES_KEY_U16, 20000, 0, 65536 },
  { GST_GLES_KEY_U16, 40000, 0, 65536 },
  { GST_GLES_KEY_U16, 65535, 0, 65536 },
  { GST_GLES_KEY_U16, 5, 65535, 65536 },
  { GST_GLES_KEY_U32, 256, 0, ALL },
  { GST_GLES_KEY_U32, 512, 0, ALL - 1 },
  { GST_GLES_KEY_U32, 1, 0, ALL },
  { GST_GLES_KEY_U32, 257, 1000, 3000000001u },
  { GST_GLES_KEY_U32, 4096, 0, 4096 },
  { GST_GLES_KEY_U32, 12288, 0, ALL },
  { GST_GLES_KEY_U32, 12289, 7, ALL - 7 },
  { GST_GLES_KEY_U32, 64000, 0, 1u << 23 },
  { GST_GLES_KEY_U32, 65536, 0, ALL },
  { GST_GLES_KEY_U32, 65536, 0xffff0001u, ALL },
  { GST_GLES_KEY_U32, 3, 0xffffffffu, ALL },
  /* wide ranges of one-byte keys, which all fall into bin 0 */
  { GST_GLES_KEY_U8, 65536, 0, 3000000001u },
  { GST_GLES_KEY_U8, 65536, 3, 16843013 },
};

static GstGlesHistogramVariant variant;

/* Whether the forced variant differs from that for few bins, which tests without a variant
 * cover. */
static gboolean
concerns (const Config *config)
{
  return !variant.tables || config->bins > 1000;
}

static GstGlesHistogram *
new_histogram (const Config *config, guint capacity)
{
  GError *error = NULL;
  GstGlesHistogram *histogram = gst_gles_histogram_new_full (array_test.queue,
      &(GstGlesHistogramConfig){ config->type, config->bins, config->lower, config->upper },
      capacity, &variant, &error);

  g_assert_no_error (error);
  return histogram;
}

/* A plan whose calls have at most @groups workgroups. */
static GstGlesHistogram *
new_narrow (const Config *config, guint groups, guint capacity)
{
  const GstGlesHistogramVariant chosen = variant;
  GstGlesHistogram *histogram;

  if (variant.common.max_groups == 0)
    variant.common.max_groups = groups;
  histogram = new_histogram (config, capacity);
  variant = chosen;
  return histogram;
}

/* @n keys packed: (transfer full). */
static gpointer
make_keys (const Config *config, Pattern pattern, guint n)
{
  guint32 *words = array_input (pattern, n, n);
  guint8 *bytes = (guint8 *) words;

  for (guint i = 0; i < n; i++) {
    guint32 word = words[i];
    guint16 half = (guint16) (word ^ word >> 16);

    /* The words already written precede the keys that are still to be read. */
    if (config->type == GST_GLES_KEY_U8)
      bytes[i] = (guint8) (half ^ half >> 8);
    else if (config->type == GST_GLES_KEY_U16)
      memcpy (bytes + 2 * (gsize) i, &half, 2);
  }
  return words;
}

static GstGlesBuffer *
upload_keys (const Config *config, gconstpointer keys, guint n)
{
  GstGlesBuffer *buffer = array_buffer (n);
  GError *error = NULL;

  assert_ok (gst_gles_buffer_upload (
      buffer, array_test.queue, 0, keys, (gsize) n << config->type, &error));
  return buffer;
}

static void
check_keys (GstGlesHistogram *histogram, const Config *config, gconstpointer keys, guint n,
    gboolean indirect, const gchar *what)
{
  g_autofree gchar *where =
      g_strdup_printf ("%u bins of %u %s of type %d, [%u, %" G_GUINT64_FORMAT ")", config->bins, n,
          what, config->type, config->lower, config->upper);
  g_autofree guint32 *want = g_new (guint32, config->bins);
  g_autoptr (GstGlesBuffer) input = upload_keys (config, keys, n);
  g_autoptr (GstGlesBuffer) counts = array_buffer (config->bins);
  g_autoptr (GstGlesBuffer) count = array_count_buffer (n);
  GstGlesCpuBinning binning;
  GError *error = NULL;

  gst_gles_cpu_binning_init (&binning, config->lower, config->upper - config->lower, config->bins);
  if (!gst_gles_cpu_histogram (
          &binning, &(GstGlesCpuKeys){ keys, n, 1u << config->type }, want, &error))
    g_error ("%s: %s", where, error->message);
  if (!(indirect ? gst_gles_histogram_run_indirect (
                       histogram, input, count, ARRAY_COUNT_OFFSET, counts, &error)
                 : gst_gles_histogram_run (histogram, input, n, counts, &error)))
    g_error ("%s: %s", where, error->message);
  array_check (counts, want, config->bins, where);
  array_check_result (gst_gles_histogram_get_result (histogram), n, n, 0, where);
}

static void
check (
    GstGlesHistogram *histogram, const Config *config, Pattern pattern, guint n, gboolean indirect)
{
  g_autofree gpointer keys = make_keys (config, pattern, n);

  check_keys (histogram, config, keys, n, indirect, pattern_name (pattern));
}

static void
test_patterns (void)
{
  const guint n = 50021;

  for (guint c = 0; c < G_N_ELEMENTS (configs); c++) {
    g_autoptr (GstGlesHistogram) histogram = new_histogram (&configs[c], n);
    for (Pattern pattern = 0; pattern < N_PATTERNS && concerns (&configs[c]); pattern++) {
      if (!array_test.quick || (pattern + c) % 6 == 0)
        check (histogram, &configs[c], pattern, n, pattern % 2 == 1);
    }
  }
}

static void
test_sizes (void)
{
  const guint sizes[] = { 0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129,
    255, 256, 257, 511, 513, 1000, 1023, 1024, 1025, 2047, 2049, 4095, 4096, 4097, 16383, 16385,
    65535, 65536, 65537, 131071, 100003, (1u << 20) - 1, (1u << 20) + 1, array_test.max_n };
  guint turn = 0;

  for (guint c = 0; c < G_N_ELEMENTS (configs); c += 3, turn++) {
    g_autoptr (GstGlesHistogram) histogram = new_histogram (&configs[c], array_test.max_n);
    for (guint i = 0; i < G_N_ELEMENTS (sizes) && concerns (&configs[c]); i++, turn++) {
      if (sizes[i] <= array_test.max_n && (sizes[i] < 200000 || turn % 4 == 0))
        check (histogram, &configs[c], turn % N_PATTERNS, sizes[i], turn % 2 == 1);
    }
  }
}

/* Every 16-bit key there is. */
static void
test_all_keys (void)
{
  g_autofree guint16 *keys = g_new (guint16, 65536);
  GRand *random = g_rand_new_with_seed (5);

  for (guint i = 0; i < 65536; i++)
    keys[i] = (guint16) i;
  for (guint i = 0; i < (array_test.quick ? 12 : 40); i++) {
    Config config = { GST_GLES_KEY_U16, 1 + g_rand_int_range (random, 0, 65536 >> i % 12),
      g_rand_int_range (random, 0, 60000), 0 };
    g_autoptr (GstGlesHistogram) histogram = NULL;

    config.upper = config.lower + 1 + g_rand_int_range (random, 0, 80000 >> i % 7);
    if (!concerns (&config))
      continue;
    histogram = new_histogram (&config, 65536);
    check_keys (histogram, &config, keys, 65536, FALSE, "keys");
  }
  g_rand_free (random);
}

/* Keys on both sides of the edges of bins, of widths up to 2^32. */
static void
test_edges (void)
{
  g_autofree guint32 *keys = g_new (guint32, 3 * GST_GLES_MAX_BINS);
  GRand *random = g_rand_new_with_seed (6);

  for (guint i = 0; i < (array_test.quick ? 12 : 40); i++) {
    Config config = { GST_GLES_KEY_U32, 1 + g_rand_int_range (random, 0, 65536 >> i % 8), 0, 0 };
    guint64 width = (i % 5 == 0 ? ALL - i : 1 + (g_rand_int (random) >> (1 + i % 13)));
    g_autoptr (GstGlesHistogram) histogram = NULL;
    guint n = 0;

    config.lower = g_rand_int (random);
    config.lower = (guint32) MIN (config.lower, ALL - width);
    config.upper = config.lower + width;
    if (!concerns (&config))
      continue;
    for (guint bin = 0; bin < config.bins; bin++) {
      guint64 edge = config.lower + (bin * width + config.bins - 1) / config.bins;
      for (guint side = 0; side < 3; side++)
        keys[n++] = (guint32) (edge + side - 1);
    }
    histogram = new_histogram (&config, n);
    check_keys (histogram, &config, keys, n, FALSE, "edges");
  }
  g_rand_free (random);
}

/* Small windows do not hold more. */
static guint
keys_of_windows (guint n)
{
  return variant.common.window != 0 ? MIN (array_test.max_n, n) : n;
}

/* Counters that 16 bits cannot hold. */
static void
test_large (void)
{
  static const Config large[] = { { GST_GLES_KEY_U8, 256, 0, 256 },
    { GST_GLES_KEY_U16, 65536, 0, 65536 }, { GST_GLES_KEY_U32, 300, 0, 1u << 31 } };
  static const Pattern patterns[] = { PATTERN_ONES, PATTERN_ALTERNATING, PATTERN_AND_1 };
  const guint n = keys_of_windows (3000017);

  for (guint c = 0; c < G_N_ELEMENTS (large); c++) {
    g_autoptr (GstGlesHistogram) histogram = new_histogram (&large[c], n);
    for (guint p = 0; p < G_N_ELEMENTS (patterns); p++)
      check (histogram, &large[c], patterns[p], n, FALSE);
  }
}

/* One key of 16 bits fills a contiguous range of the keys, whatever part of it the previous range
 * had. Counters of 16 bits must not overflow. A single workgroup processes all keys. */
static void
test_filling (void)
{
  static const guint before[] = { 1, 4094, 4095, 4096, 4097, 8200, 20000, 32768, 60000 };
  static const Config config = { GST_GLES_KEY_U16, 65536, 0, 65536 };
  const guint n = keys_of_windows (300000);
  g_autoptr (GstGlesHistogram) histogram = new_narrow (&config, 1, n);

  for (guint i = 0; i < G_N_ELEMENTS (before); i++) {
    g_autofree gpointer keys = make_keys (&config, PATTERN_AND_1, n);
    guint16 *halves = keys;
    for (guint k = 0; k < n; k++) {
      if (k < before[i] || k >= 61000)
        halves[k] = (guint16) (7000 * i + 1);
    }
    check_keys (histogram, &config, keys, n, FALSE, "keys, one of them filling up");
  }
}

/* Makes @n keys that all fall into @n_words words of a table (histogram_tables.comp), in all
 * fields of these words that are bins: (transfer full). */
static guint16 *
make_keys_of_words (
    const Config *config, GstGlesHistogram *histogram, guint n_words, guint n, guint seed)
{
  g_autofree guint32 *random = array_input (PATTERN_AND_1, n, seed);
  guint16 *keys = g_new (guint16, n);
  guint bits = 5;

  if (!array_test.is_cpu && gst_gles_histogram_get_kind (histogram)->field_bits != 0)
    bits = gst_gles_histogram_get_kind (histogram)->field_bits;
  for (guint i = 0; i < n; i++) {
    guint word = 100 + 4 * (random[i] % n_words), field = random[i] / 4099 % (32 / bits);
    guint permuted = word + field * GST_GLES_ARRAY_BINS_PER_FIELD (32 / bits);
    guint16 bin = (guint16) ((permuted - permuted / ((1 << GST_GLES_ARRAY_PERMUTE_SHIFT) + 1)) *
        GST_GLES_ARRAY_UNPERMUTE_FACTOR);

    keys[i] = (guint16) (bin % config->bins);
  }
  return keys;
}

/* Makes each 16 bytes of keys four times the same two. */
static void
repeat_pairs (guint16 *keys, guint n)
{
  for (guint i = n; i-- > 0;)
    keys[i] = keys[i / 8 * 2 + i % 2];
}

/* The counters of a table overflow all the time, by carries into them too, and more of them than
 * there are carry slots. Counters have 3 bits with 32 KiB of shared memory, 5 with 48 KiB. */
static void
test_carries (void)
{
  static const guint n_words[] = { 1, 300, 1000 };
  static const Config bins[] = { { GST_GLES_KEY_U16, 16384, 0, 16384 },
    { GST_GLES_KEY_U16, 28000, 0, 28000 }, { GST_GLES_KEY_U16, 65536, 0, 65536 } };
  const guint n = keys_of_windows (500009);

  for (guint b = 0; b < G_N_ELEMENTS (bins); b++) {
    g_autoptr (GstGlesHistogram) histogram = new_narrow (&bins[b], 1, n);
    for (guint i = 0; i < G_N_ELEMENTS (n_words); i++) {
      g_autofree guint16 *keys = make_keys_of_words (&bins[b], histogram, n_words[i], n, i + 1);
      check_keys (histogram, &bins[b], keys, n, i == 1, "keys of few words");
      repeat_pairs (keys, n);
      check_keys (histogram, &bins[b], keys, n, FALSE, "keys of few words, each pair four times");
    }
  }
}

/* A workgroup with the most keys that the rounds of loops of llvmpipe allow it, with counters of
 * each kind, in one range and in several. The test loop-rounds-of-most-tiles measures them. */
static void
test_most_tiles (void)
{
  static const gchar *const kinds[] = { "private", "shared", "packed", "tables", "global" };
  static const Config most[] = { { GST_GLES_KEY_U8, 256, 0, 256 },
    { GST_GLES_KEY_U16, 300, 0, 300 }, { GST_GLES_KEY_U16, 65536, 0, 65536 },
    { GST_GLES_KEY_U32, 4096, 0, ALL }, { GST_GLES_KEY_U32, 300, 0, ALL } };
  const GstGlesHistogramVariant chosen = variant;
  GError *error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (kinds) * G_N_ELEMENTS (most); i++) {
    const Config *config = &most[i % G_N_ELEMENTS (most)];
    g_autoptr (GstGlesHistogram) any = NULL, histogram = NULL;
    GstGlesShape shape;
    guint n;

    assert_ok (gst_gles_histogram_variant_parse (kinds[i / G_N_ELEMENTS (most)], &variant, &error));
    any = new_narrow (config, 1, 1u << 20);
    shape = gst_gles_histogram_get_array (any)->two_pass;
    n = gst_gles_shape_max_tiles (&shape) * gst_gles_shape_tile (&shape);
    histogram = new_narrow (config, 1, n);
    check (histogram, config, PATTERN_AND_1, n, FALSE);
  }
  variant = chosen;
}

/* Tables are added up, however many there are: one per contiguous range of the keys, and one for
 * the rest. */
static void
test_tables (void)
{
  static const Config bins[] = { { GST_GLES_KEY_U16, 40000, 0, 65536 },
    { GST_GLES_KEY_U16, 65536, 0, 65536 } };
  const guint n = keys_of_windows (4000037);
  g_autofree guint16 *two = g_new (guint16, n);

  for (guint i = 0; i < n; i++)
    two[i] = i % 2 != 0 ? 39999 : 7;
  for (guint b = 0; b < G_N_ELEMENTS (bins); b++) {
    g_autoptr (GstGlesHistogram) histogram = new_narrow (&bins[b], 3, n);
    check (histogram, &bins[b], PATTERN_AND_1, n, FALSE);
    check (histogram, &bins[b], PATTERN_ALTERNATING, n,
        TRUE); /* more carries than a slot could count */
    check_keys (histogram, &bins[b], two, n, FALSE, "two keys in turn");
    check (histogram, &bins[b], PATTERN_AND_2, n >> 4, FALSE);
  }
}

static void
expect_no_plan (guint type, guint bins, guint32 lower, guint64 upper, guint capacity,
    GstGlesError code, const gchar *where)
{
  GError *error = NULL;

  g_assert_null (gst_gles_histogram_new_full (array_test.queue,
      &(GstGlesHistogramConfig){ (GstGlesKeyType) type, bins, lower, upper }, capacity, &variant,
      &error));
  array_expect_error (&error, code, where);
}

static void
test_bad_plans (void)
{
  expect_no_plan (3, 256, 0, 256, 10, GST_GLES_ERROR_INVALID, "type");
  expect_no_plan (0, 0, 0, 256, 10, GST_GLES_ERROR_INVALID, "no bins");
  expect_no_plan (0, 65537, 0, 256, 10, GST_GLES_ERROR_INVALID, "too many bins");
  expect_no_plan (0, 256, 5, 5, 10, GST_GLES_ERROR_INVALID, "empty range");
  expect_no_plan (0, 256, 6, 5, 10, GST_GLES_ERROR_INVALID, "range reversed");
  expect_no_plan (2, 256, 0, ALL + 1, 10, GST_GLES_ERROR_INVALID, "range over 2^32");
  expect_no_plan (2, 256, 0, ALL, GST_GLES_MAX_VALUES + 1, GST_GLES_ERROR_TOO_LARGE, "capacity");
}

/* Buffers of keys of one byte need not hold whole words. */
static void
test_bytes (void)
{
  g_autoptr (GstGlesHistogram) histogram = new_histogram (&configs[0], 100);
  g_autoptr (GstGlesBuffer) counts = array_buffer (256);
  g_autoptr (GstGlesBuffer) keys = gst_gles_buffer_new (array_test.device, 99, NULL);
  GError *error = NULL;

  assert_fails (gst_gles_histogram_run (histogram, keys, 100, counts, &error), INVALID);
  assert_fails (
      gst_gles_histogram_run_indirect (histogram, counts, keys, 2, counts, &error), INVALID);
  array_check (counts, NULL, 0, "after errors");
  assert_ok (gst_gles_histogram_run (histogram, keys, 99, counts, &error));
}

/* Whether the plan uses the forced variant, where the device can. */
static void
test_variant (void)
{
  static const Config few = { GST_GLES_KEY_U8, 256, 0, 256 };
  static const Config many = { GST_GLES_KEY_U16, 10000, 0, 65536 };
  g_autoptr (GstGlesHistogram) histogram = new_histogram (variant.tables ? &many : &few, 100000);
  const GstGlesHistogramKind *kind = gst_gles_histogram_get_kind (histogram);

  if (array_test.is_cpu || (variant.force == 0 && !variant.tables)) {
    g_test_skip ("nothing forced");
    return;
  }
  g_assert_cmpint (kind->field_bits != 0, ==, variant.tables);
  g_assert_cmpint (kind->counters == GST_GLES_COUNTERS_PRIVATE, ==,
      variant.force == GST_GLES_FRAME_HISTOGRAM_FORCE_PRIVATE);
  g_assert_cmpint (kind->packed, ==, variant.force == GST_GLES_FRAME_HISTOGRAM_FORCE_PACKED);
  g_assert_cmpint (kind->counters == GST_GLES_COUNTERS_GLOBAL, ==,
      variant.force == GST_GLES_FRAME_HISTOGRAM_FORCE_GLOBAL);
}

static void
add_tests (void)
{
  GError *error = NULL;

  assert_ok (
      gst_gles_histogram_variant_parse (g_getenv ("GST_GLES_HISTOGRAM_VARIANT"), &variant, &error));
  g_test_add_func ("/histogram/bad-plans", test_bad_plans);
  g_test_add_func ("/histogram/bytes", test_bytes);
  g_test_add_func ("/histogram/variant", test_variant);
  g_test_add_func ("/histogram/patterns", test_patterns);
  g_test_add_func ("/histogram/all-keys", test_all_keys);
  g_test_add_func ("/histogram/edges", test_edges);
  g_test_add_func ("/histogram/sizes", test_sizes);
  g_test_add_func ("/histogram/large", test_large);
  g_test_add_func ("/histogram/filling", test_filling);
  if (variant.tables || variant.force == 0) {
    g_test_add_func ("/histogram/carries", test_carries);
    g_test_add_func ("/histogram/tables", test_tables);
  }
  if (!variant.tables && variant.force == 0 && variant.common.window == 0 &&
      gst_gles_device_get_kind (array_test.device) == GST_GLES_DEVICE_SOFTWARE)
    g_test_add_func ("/histogram/most-tiles", test_most_tiles);
}

ARRAY_TEST_MAIN ("GST_GLES_HISTOGRAM_VARIANT", add_tests)
