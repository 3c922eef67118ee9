/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The sort's kernels against the native twin, bit for bit, in the variant that
 * GST_GLES_SORT_VARIANT forces. tests/unit/cpu-sort.c compares the twin with what makes a stable
 * sort; arrays.c tests counts on the device, plans in turns and refused calls.
 *
 * Each type, order, payload and number of bits of a digit is a kernel of its own, whose compilation
 * takes most of the time. So quick tests have few of these. */
#include <string.h>

#include <gst/gles/algo/sort/sort-private.h>

#include "array-cases.h"

/* The parameters of one sort. */
typedef struct {
  GstGlesSortConfig config;
  gboolean indexed; /* payloads are places */
  gboolean in_place;
  gboolean indirect; /* the count is on the device */
  Pattern pattern;
} Case;

static Case
case_of (GstGlesValueType type, gboolean payload)
{
  Case c = { .pattern = PATTERN_RANDOM };

  gst_gles_sort_config_init (&c.config, type);
  c.config.payload = payload;
  return c;
}

/* Makes a call over @n keys so many @times, and compares each time with the native twin. */
static void
check_on (GstGlesSort *sort, const Case *c, guint n, guint times)
{
  const GstGlesCpuSortConfig cpu = { c->config.type, c->config.descending, c->config.begin_bit,
    c->config.end_bit };
  const gboolean pairs = c->config.payload;
  const guint n_words = n * (c->config.type == GST_GLES_VALUE_U64 ? 2 : 1);
  g_autofree gchar *where = g_strdup_printf ("n %u, type %d%s%s, bits %u-%u, digits of %u%s%s, %s",
      n, c->config.type, c->config.descending ? " descending" : "",
      pairs ? (c->indexed ? " indexed" : " pairs") : "", c->config.begin_bit, c->config.end_bit,
      c->config.digit_bits, c->in_place ? ", in place" : "", c->indirect ? ", indirect" : "",
      pattern_name (c->pattern));
  g_autofree guint32 *keys = array_input (c->pattern, n_words, 1 + n);
  g_autofree guint32 *payloads = array_input (PATTERN_RANDOM, n, 77 + n);
  g_autofree guint32 *want_keys = g_new (guint32, n_words + 1), *want = g_new (guint32, n + 1);
  g_autofree gpointer scratch =
      g_malloc (MAX (gst_gles_cpu_sort_scratch_bytes (&cpu, n, pairs), 1));
  g_autoptr (GstGlesBuffer) keys_in = array_buffer_of (keys, n_words);
  g_autoptr (GstGlesBuffer) payloads_in = array_buffer_of (payloads, n);
  g_autoptr (GstGlesBuffer) other_keys = array_buffer (n_words), other = array_buffer (n);
  g_autoptr (GstGlesBuffer) count = array_count_buffer (n);
  GstGlesBuffer *keys_out = c->in_place ? keys_in : other_keys;
  GstGlesBuffer *in = pairs && !c->indexed ? payloads_in : NULL;
  GstGlesBuffer *out = !pairs ? NULL : c->in_place && !c->indexed ? payloads_in : other;
  GError *error = NULL;

  gst_gles_cpu_sort (&cpu,
      &(GstGlesCpuSortBuffers){
          keys, c->indexed ? NULL : payloads, want_keys, pairs ? want : NULL },
      n, scratch);
  for (guint i = 0; i < times; i++) {
    if (c->indirect)
      gst_gles_sort_run_indirect (
          sort, keys_in, in, keys_out, out, count, ARRAY_COUNT_OFFSET, &error);
    else
      gst_gles_sort_run (sort, keys_in, in, keys_out, out, n, &error);
    g_assert_no_error (error);
    array_check (keys_out, want_keys, n_words, where);
    if (pairs)
      array_check (out, want, n, where);
    if (!c->in_place)
      array_check (keys_in, keys, n_words, where);
    array_check_result (gst_gles_sort_get_result (sort), n, n, 0, where);
  }
}

/* One plan for all sizes. */
static void
check_sizes (Case c, const guint *sizes, guint n_sizes)
{
  guint capacity = 0;
  g_autoptr (GstGlesSort) sort = NULL;

  for (guint i = 0; i < n_sizes; i++)
    capacity = MAX (capacity, sizes[i]);
  sort = ARRAY_NEW (sort, &c.config, capacity);
  for (guint i = 0; i < n_sizes; i++) {
    check_on (sort, &c, sizes[i], 1);
    c.pattern = (c.pattern + 1) % N_PATTERNS;
    c.indirect = !c.indirect;
  }
}

/* ---- tests ---- */

static void
test_sizes (void)
{
  static const guint sizes[] = { 0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127,
    128, 129, 255, 256, 257, 383, 384, 511, 512, 513, 1000, 1023, 1024, 1025, 2047, 2048, 2049,
    3071, 3072, 3073, 3455, 3456, 3457, 4095, 4096, 4097, 6911, 6912, 6913, 10000 };
  const guint half = G_N_ELEMENTS (sizes) / 2;

  for (guint payload = 0; payload < 2; payload++) {
    const Case c = case_of (GST_GLES_VALUE_U32, payload);
    if (array_test.quick)
      check_sizes (c, sizes + payload * half, half + 1);
    else
      check_sizes (c, sizes, G_N_ELEMENTS (sizes));
  }
}

static void
test_types (void)
{
  static const guint sizes[] = { 10000, 1, 2049, 777, 20000, 0, 256, 5000 };
  /* descending f32 keys and u64 pairs, as other tests sort u32 and i32; 4: none */
  static const guint quick_options[] = { 4, 4, 2, 3 };

  for (GstGlesValueType type = 0; type <= GST_GLES_VALUE_U64; type++) {
    for (guint options = 0; options < 4; options++) {
      Case c = case_of (type, (options & 1) != 0);
      c.config.descending = (options & 2) != 0;
      c.pattern = type == GST_GLES_VALUE_F32 ? PATTERN_FLOATS : PATTERN_RANDOM;
      if (!array_test.quick || options == quick_options[type])
        check_sizes (c, sizes, G_N_ELEMENTS (sizes));
    }
  }
}

static void
test_patterns (void)
{
  const guint n = array_test.quick ? 5000 : 15000;
  Case c = case_of (GST_GLES_VALUE_U32, TRUE);
  g_autoptr (GstGlesSort) sort = ARRAY_NEW (sort, &c.config, n);

  for (c.pattern = 0; c.pattern < N_PATTERNS; c.pattern++) {
    for (guint i = 0; i < 4; i++) {
      c.indexed = (i & 1) != 0;
      c.in_place = (i & 2) != 0;
      if (!array_test.quick || i == c.pattern % 4)
        check_on (sort, &c, n - i, 1);
    }
  }
}

static void
test_bit_ranges (void)
{
  /* those from 11 on are for 64 bits */
  static const guint ranges[][2] = { { 1, 1 }, { 0, 1 }, { 0, 8 }, { 3, 11 }, { 0, 13 }, { 5, 21 },
    { 24, 32 }, { 31, 32 }, { 8, 32 }, { 17, 17 }, { 7, 32 }, { 40, 40 }, { 28, 36 }, { 32, 64 },
    { 31, 33 }, { 5, 45 }, { 63, 64 }, { 0, 32 }, { 30, 64 } };
  static const guint sizes[] = { 3000, 4097 };

  for (guint i = 0; i < G_N_ELEMENTS (ranges); i += array_test.quick ? 3 : 1) {
    const gboolean wide = i >= 11;
    for (guint options = 0; options < (array_test.quick ? 1 : 4); options++) {
      const GstGlesValueType narrow = (options & 1) != 0 ? GST_GLES_VALUE_F32 : GST_GLES_VALUE_U32;
      Case c = case_of (wide ? GST_GLES_VALUE_U64 : narrow, (options & 2) != 0 || i % 3 == 0);
      c.config.begin_bit = ranges[i][0];
      c.config.end_bit = ranges[i][1];
      c.config.descending = (i + options) % 2;
      if (array_test.quick) {
        c.config.descending = wide;
        c.config.payload = c.config.payload || wide;
      }
      c.in_place = (options & 1) != 0;
      c.indexed = c.config.payload && i % 2 == 0;
      check_sizes (c, sizes, G_N_ELEMENTS (sizes));
    }
  }
}

static void
test_small_digits (void)
{
  static const guint sizes[] = { 10000, 1, 4097, 777, 0, 5000 };

  for (guint options = array_test.quick ? 1 : 0; options < (array_test.quick ? 2 : 4); options++) {
    Case c =
        case_of ((options & 2) != 0 ? GST_GLES_VALUE_U64 : GST_GLES_VALUE_I32, (options & 1) != 0);
    c.config.digit_bits = 4;
    check_sizes (c, sizes, G_N_ELEMENTS (sizes));
  }
}

static void
test_large (void)
{
  static const guint sizes[] = { (1u << 20) + 1, (1u << 20) - 1, 1u << 20, 65535, 65536, 100000,
    1500007, 7340033 };

  for (guint payload = array_test.quick ? 1 : 0; payload < 2; payload++)
    check_sizes (case_of (GST_GLES_VALUE_U32, payload), sizes, array_test.quick ? 1 : 7 + payload);
}

/* Large arrays in one pass, which is fast enough in every variant. */
static void
test_one_digit (void)
{
  static const guint sizes[] = { (1u << 20) + 1, 65535, 65536, 100000, (1u << 20) - 1, 1u << 20 };
  Case c = case_of (GST_GLES_VALUE_U32, TRUE);

  c.config.begin_bit = 8;
  c.config.end_bit = 16;
  check_sizes (c, sizes, array_test.quick ? 3 : G_N_ELEMENTS (sizes));
}

/* One tile and two, and one key more or less. */
static void
test_tile_edges (void)
{
  Case c = case_of (GST_GLES_VALUE_F32, TRUE);
  g_autoptr (GstGlesSort) sort = ARRAY_NEW (sort, &c.config, 70000);

  c.pattern = PATTERN_FLOATS;
  for (guint i = 0; i < 6 && !array_test.is_cpu; i++) {
    c.indirect = i % 2 == 1;
    check_on (sort, &c, sort->tile * (1 + i / 3) + i % 3 - 1, 1);
  }
  if (!array_test.quick)
    check_on (sort, &c, 65537, 1);
}

/* One tile more than a grid of one axis has, except where that takes minutes. */
static void
test_grid (void)
{
  const GstGlesLimits *limits = gst_gles_device_get_limits (array_test.device);
  gboolean hardware = gst_gles_device_get_kind (array_test.device) == GST_GLES_DEVICE_HARDWARE;
  Case c = case_of (GST_GLES_VALUE_U32, FALSE);
  g_autoptr (GstGlesSort) sort = ARRAY_NEW (sort, &c.config, 1);
  guint64 n = (guint64) sort->tile * limits->groups[0] + 1;
  guint size = n;

  if (array_test.is_cpu || n > MIN (limits->storage_block_bytes / 4, GST_GLES_MAX_VALUES) ||
      (!hardware && g_strcmp0 (g_getenv ("GLES_TEST_LARGE"), "1") != 0)) {
    g_test_skip ("one axis is enough, or it takes long and GLES_TEST_LARGE=1 is not set");
    return;
  }
  c.config.end_bit = 8;
  check_sizes (c, &size, 1);
}

/* More than a storage block holds is refused when the plan is made. */
static void
test_block_limit (void)
{
  const GstGlesLimits *limits = gst_gles_device_get_limits (array_test.device);
  GError *error = NULL;

  for (guint i = 0; i < 4; i++) {
    Case c = case_of ((i & 1) != 0 ? GST_GLES_VALUE_U64 : GST_GLES_VALUE_U32, (i & 2) != 0);
    /* Payloads can be in a separate buffer, with two arrays to read and two to write besides the
     * state. */
    gboolean together = c.config.payload && limits->storage_blocks < 5;
    guint64 n = limits->storage_block_bytes / 4 / ((i & 1) + 1 + together) + 1;
    if (array_test.is_cpu || n > GST_GLES_MAX_VALUES)
      continue;
    g_assert_null (gst_gles_sort_new (array_test.queue, &c.config, n, &error));
    g_assert_nonnull (strstr (error->message, "in parts"));
    array_expect_error (&error, GST_GLES_ERROR_TOO_LARGE, "a storage block");
  }
}

/* Several tiles, whose order of execution differs from run to run. */
static void
test_repetitions (void)
{
  Case c = case_of (GST_GLES_VALUE_I32, TRUE);
  g_autoptr (GstGlesSort) sort = NULL;

  if (array_test.quick)
    c.config.digit_bits = c.config.end_bit = 4;
  c.pattern = PATTERN_FEW_VALUES;
  sort = ARRAY_NEW (sort, &c.config, 5000);
  check_on (sort, &c, 5000, array_test.quick ? 200 : 1000);
}

/* A configuration that nobody filled in sorts whole keys. */
static void
test_zeroed_config (void)
{
  const GstGlesSortConfig zero = { 0 };
  const Case c = case_of (GST_GLES_VALUE_U32, FALSE);
  g_autoptr (GstGlesSort) sort = ARRAY_NEW (sort, &zero, 3000);

  check_on (sort, &c, 3000, 1);
}

static void
test_bad_configs (void)
{
  static const guint bad[][3] = { { 9, 8, 0 }, { 0, 33, 0 }, { 0, 32, 5 } };
  GError *error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++) {
    Case c = case_of (GST_GLES_VALUE_U32, FALSE);
    c.config.begin_bit = bad[i][0];
    c.config.end_bit = bad[i][1];
    c.config.digit_bits = bad[i][2];
    assert_fails (gst_gles_sort_new (array_test.queue, &c.config, 10, &error), INVALID);
  }
}

static void
test_variants_are_parsed (void)
{
  static const gchar *const bad[] = { "unknown", "ballot+ballot", "keys=0", "keys=1+keys=2",
    "serial+portable" };
  GstGlesSortVariant variant;
  GError *error = NULL;

#ifdef GST_GLES_TEST_HOOKS
  g_assert_true (
      gst_gles_sort_variant_parse ("emulated+lanes=8+lookback+stalled=3+keys=5", &variant, &error));
  g_assert_cmpuint (variant.match, ==, GST_GLES_SORT_EMULATED);
  g_assert_cmpuint (variant.lanes, ==, 8);
  g_assert_cmpuint (variant.keys, ==, 5);
  g_assert_cmpuint (variant.common.stalled_tile, ==, 3);
  g_assert_cmpuint (variant.common.scheme, ==, GST_GLES_SCHEME_LOOK_BACK);
#endif
  g_assert_true (gst_gles_sort_variant_parse (NULL, &variant, &error));
  g_assert_cmpuint (variant.match, ==, GST_GLES_SORT_N_MATCHES);
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++) {
    g_assert_false (gst_gles_sort_variant_parse (bad[i], &variant, &error));
    array_expect_error (&error, GST_GLES_ERROR_SETTINGS, bad[i]);
  }
}

static void
add_tests (void)
{
  g_test_add_func ("/sort/sizes", test_sizes);
  g_test_add_func ("/sort/types", test_types);
  g_test_add_func ("/sort/patterns", test_patterns);
  g_test_add_func ("/sort/bit-ranges", test_bit_ranges);
  g_test_add_func ("/sort/small-digits", test_small_digits);
  g_test_add_func ("/sort/tile-edges", test_tile_edges);
  g_test_add_func ("/sort/one-digit", test_one_digit);
  g_test_add_func ("/sort/grid", test_grid);
  g_test_add_func ("/sort/block-limit", test_block_limit);
  g_test_add_func ("/sort/repetitions", test_repetitions);
  g_test_add_func ("/sort/zeroed-config", test_zeroed_config);
  g_test_add_func ("/sort/bad-configs", test_bad_configs);
  g_test_add_func ("/sort/variants-are-parsed", test_variants_are_parsed);
  g_test_add_func ("/sort/large", test_large);
}

ARRAY_TEST_MAIN ("GST_GLES_SORT_VARIANT", add_tests)
