/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The sort's kernels against the native twin, bit for bit, in the variant that
 * GST_GLES_SORT_VARIANT forces, and both against what makes a stable sort. */
#include <string.h>

#include <gst/gles/algo/sort/sort-private.h>

#include "gles-test.h"
#include "sort-data.h"
#include "sort-skip.h"

/* Variants that exist only for tests run fewer cases. */
static gboolean
is_quick (void)
{
  return g_strcmp0 (g_getenv ("GLES_TEST_QUICK"), "1") == 0;
}

/* ---- tests ---- */

static const guint small_sizes[] = { 0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65,
  127, 128, 129, 255, 256, 257, 383, 384, 511, 512, 513, 1000, 1023, 1024, 1025, 2047, 2048, 2049,
  3071, 3072, 3073, 3455, 3456, 3457, 4095, 4096, 4097, 6911, 6912, 6913, 10000 };

static void
test_sizes (void)
{
  for (guint payload = 0; payload < 2; payload++)
    check_sizes (case_of (GST_GLES_VALUE_U32, payload), small_sizes, G_N_ELEMENTS (small_sizes));
}

static void
test_every_size (void)
{
  guint sizes[700];

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    sizes[i] = 3 * i + 1;
  check_sizes (case_of (GST_GLES_VALUE_U32, TRUE), sizes, G_N_ELEMENTS (sizes));
}

static void
test_types (void)
{
  static const guint sizes[] = { 10000, 1, 2049, 777, 20000, 0, 256, 5000 };

  for (GstGlesValueType type = 0; type <= GST_GLES_VALUE_U64; type++) {
    for (guint options = 0; options < 4; options += is_quick () ? 3 : 1) {
      Case c = case_of (type, (options & 1) != 0);
      c.config.descending = (options & 2) != 0;
      c.pattern = type == GST_GLES_VALUE_F32 ? PATTERN_FLOATS : PATTERN_RANDOM;
      check_sizes (c, sizes, G_N_ELEMENTS (sizes));
    }
  }
}

static void
test_patterns (void)
{
  Case c = case_of (GST_GLES_VALUE_U32, TRUE);
  Data *data = data_new (15000, 1);
  g_autoptr (GstGlesSort) sort = new_sort (&c.config, 15000);

  for (c.pattern = 0; c.pattern < N_PATTERNS; c.pattern++) {
    for (guint i = 0; i < 4; i++) {
      c.indexed = (i & 1) != 0;
      c.in_place = (i & 2) != 0;
      check_on (sort, data, &c, 15000 - i);
    }
  }
  data_free (data);
}

static void
test_bit_ranges (void)
{
  static const guint ranges[][2] = { { 1, 1 }, { 0, 1 }, { 0, 8 }, { 3, 11 }, { 0, 13 }, { 5, 21 },
    { 24, 32 }, { 31, 32 }, { 8, 32 }, { 17, 17 }, { 7, 32 } };
  static const guint ranges_64[][2] = { { 40, 40 }, { 28, 36 }, { 32, 64 }, { 31, 33 }, { 5, 45 },
    { 63, 64 }, { 0, 32 }, { 30, 64 } };
  static const guint sizes[] = { 3000, 4097 };

  for (guint i = 0; i < G_N_ELEMENTS (ranges) + G_N_ELEMENTS (ranges_64); i++) {
    gboolean is_64 = i >= G_N_ELEMENTS (ranges);
    const guint *range = is_64 ? ranges_64[i - G_N_ELEMENTS (ranges)] : ranges[i];
    for (guint options = 0; options < 4; options++) {
      Case c = case_of (is_64      ? GST_GLES_VALUE_U64
              : (options & 1) != 0 ? GST_GLES_VALUE_F32
                                   : GST_GLES_VALUE_U32,
          (options & 2) != 0 || i % 3 == 0);
      c.config.begin_bit = range[0];
      c.config.end_bit = range[1];
      c.config.descending = (i + options) % 2;
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

  for (guint options = 0; options < 4; options++) {
    Case c =
        case_of ((options & 2) != 0 ? GST_GLES_VALUE_U64 : GST_GLES_VALUE_I32, (options & 1) != 0);
    c.config.digit_bits = 4;
    check_sizes (c, sizes, G_N_ELEMENTS (sizes));
  }
}

static void
test_large (void)
{
  static const guint sizes[] = { (1u << 20) - 1, 1u << 20, (1u << 20) + 1, 65535, 65536, 100000,
    1500007 };

  for (guint payload = 0; payload < 2; payload++)
    check_sizes (case_of (GST_GLES_VALUE_U32, payload), sizes, G_N_ELEMENTS (sizes));
}

/* Some random sizes up to 8 M. */
static void
test_huge (void)
{
  Random random = { 4711 };
  guint sizes[3];

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    sizes[i] = random_word (&random) % (8u << 20);
  check_sizes (case_of (GST_GLES_VALUE_U32, TRUE), sizes, G_N_ELEMENTS (sizes));
}

/* One random size, one digit, which is fast enough in every variant. */
static void
test_huge_one_digit (void)
{
  Random random = { 4735 };
  guint size = random_word (&random) % (8u << 20);
  Case c = case_of (GST_GLES_VALUE_U32, FALSE);

  c.config.begin_bit = 20;
  c.config.end_bit = 28;
  check_sizes (c, &size, 1);
}

/* One tile and two, and one key more or less. For single invocations: the largest number of
 * keys. */
static void
test_tile_edges (void)
{
  Case c = case_of (GST_GLES_VALUE_F32, TRUE);
  g_autoptr (GstGlesSort) sort = new_sort (&c.config, 70000);
  guint unit = sort->shape.match == GST_GLES_SORT_SERIAL ? sort->n_chunks : sort->tile;
  Data *data = data_new (70000, 1);

  c.pattern = PATTERN_FLOATS;
  for (guint i = 0; i < 6 && !sort->array.is_cpu; i++) {
    c.indirect = i % 2 == 1;
    check_on (sort, data, &c, unit * (1 + i / 3) + i % 3 - 1);
  }
  check_on (sort, data, &c, 65537);
  data_free (data);
}

/* Large arrays in one pass, which is fast enough in every variant. */
static void
test_one_digit (void)
{
  static const guint sizes[] = { 65535, 65536, 100000, (1u << 20) - 1, 1u << 20, (1u << 20) + 1 };
  Case c = case_of (GST_GLES_VALUE_U32, TRUE);

  c.config.begin_bit = 8;
  c.config.end_bit = 16;
  check_sizes (c, sizes, G_N_ELEMENTS (sizes));
}

/* One tile more than a grid of one axis has, except where that takes minutes. */
static void
test_grid (void)
{
  const GstGlesLimits *limits = gst_gles_device_get_limits (sort_test.device);
  gboolean hardware = gst_gles_device_get_kind (sort_test.device) == GST_GLES_DEVICE_HARDWARE;
  Case c = case_of (GST_GLES_VALUE_U32, FALSE);
  g_autoptr (GstGlesSort) sort = new_sort (&c.config, 1);
  guint64 n = (guint64) sort->tile * limits->groups[0] + 1;
  guint size = n;

  if (sort->array.is_cpu || sort->shape.match == GST_GLES_SORT_SERIAL ||
      n > MIN (limits->storage_block_bytes / 4, GST_GLES_MAX_VALUES) ||
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
  guint64 limit = gst_gles_device_get_limits (sort_test.device)->storage_block_bytes;
  GError *error = NULL;

  for (guint i = 0; i < 4; i++) {
    Case c = case_of ((i & 1) != 0 ? GST_GLES_VALUE_U64 : GST_GLES_VALUE_U32, (i & 2) != 0);
    /* Payloads can be in a separate buffer, with two arrays to read and two to write besides the
     * state. */
    gboolean apart = gst_gles_device_get_limits (sort_test.device)->storage_blocks >= 5;
    guint64 n =
        limit / 4 / (key_words_of (c.config.type) + (c.config.payload && !apart ? 1 : 0)) + 1;
    if (gst_gles_device_get_kind (sort_test.device) == GST_GLES_DEVICE_CPU ||
        n > GST_GLES_MAX_VALUES)
      continue;
    g_assert_null (gst_gles_sort_new (sort_test.queue, &c.config, n, &error));
    g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE);
    g_assert_nonnull (strstr (error->message, "in parts"));
    g_clear_error (&error);
  }
}

/* Several tiles, whose order of execution differs from run to run. */
static void
test_repetitions (void)
{
  const guint n = 5000;
  Case c = case_of (GST_GLES_VALUE_U32, TRUE);
  Data *data = data_new (n, 1);
  g_autoptr (GstGlesSort) sort = NULL;

  if (is_quick ())
    c.config.digit_bits = c.config.end_bit = 4;
  c.pattern = PATTERN_FEW_VALUES;
  sort = new_sort (&c.config, n);
  fill (data, &c, n);
  sort_natively (data, &c, n);
  for (guint i = 0; i < 1000; i++) {
    run (sort, data, &c, n);
    assert_words (data->got_keys, data->want_keys, n + CANARY_WORDS, "keys", "repetition");
    assert_words (
        data->got_payloads, data->want_payloads, n + CANARY_WORDS, "payloads", "repetition");
  }
  data_free (data);
}

/* A configuration that nobody filled in sorts whole keys. */
static void
test_zeroed_config (void)
{
  const guint n = 3000;
  const GstGlesSortConfig zero = { 0 };
  Case c = case_of (GST_GLES_VALUE_U32, FALSE);
  Data *data = data_new (n, 1);
  g_autoptr (GstGlesSort) sort = new_sort (&zero, n);

  fill (data, &c, n);
  sort_natively (data, &c, n);
  run (sort, data, &c, n);
  assert_words (data->got_keys, data->want_keys, n, "keys", "zeroed configuration");
  data_free (data);
}

/* Two plans take turns, within one submission. */
static void
test_interleaved (void)
{
  Case c[2] = { case_of (GST_GLES_VALUE_U32, TRUE), case_of (GST_GLES_VALUE_F32, TRUE) };
  Data *data[2];
  GstGlesSort *sorts[2];
  GError *error = NULL;

  for (guint i = 0; i < 2; i++) {
    data[i] = data_new (9000, 1);
    sorts[i] = new_sort (&c[i].config, 9000);
    c[i].pattern = PATTERN_FLOATS;
    fill (data[i], &c[i], 9000 - i);
    sort_natively (data[i], &c[i], 9000 - i);
  }
  g_assert_true (gst_gles_queue_begin (sort_test.queue, &error));
  for (guint i = 0; i < 20; i++)
    g_assert_true (gst_gles_sort_run (sorts[i % 2], data[i % 2]->keys_in, data[i % 2]->payloads_in,
        data[i % 2]->keys_out, data[i % 2]->payloads_out, 9000 - i % 2, &error));
  g_assert_true (gst_gles_queue_end (sort_test.queue, &error));
  for (guint i = 0; i < 2; i++) {
    download (data[i]->keys_out, data[i]->got_keys, 9000);
    download (data[i]->payloads_out, data[i]->got_payloads, 9000);
    assert_words (data[i]->got_keys, data[i]->want_keys, 9000 - i, "keys", "interleaved");
    assert_words (
        data[i]->got_payloads, data[i]->want_payloads, 9000 - i, "payloads", "interleaved");
    data_free (data[i]);
    gst_gles_sort_free (sorts[i]);
  }
}

/* A count over the capacity, or over what a buffer holds. */
static void
test_counts_are_clamped (void)
{
  Case c = case_of (GST_GLES_VALUE_U32, TRUE);
  Data *data = data_new (4000, 1);
  GstGlesBuffer *small = new_buffer (2500);
  g_autoptr (GstGlesSort) sort = new_sort (&c.config, 3000);
  static const guint32 counts[] = { 3001, G_MAXUINT32, 1u << 31, 3000 };
  GError *error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++) {
    fill (data, &c, 4000);
    sort_natively (data, &c, 3000);
    upload (data->count, &counts[i], 1);
    g_assert_true (gst_gles_sort_run_indirect (sort, data->keys_in, data->payloads_in,
        data->keys_out, data->payloads_out, data->count, 0, &error));
    download (data->keys_out, data->got_keys, 4000);
    assert_words (data->got_keys, data->want_keys, 4000, "keys", "clamped");
    assert_result (
        sort, counts[i], 3000, counts[i] > 3000 ? GST_GLES_STATUS_COUNT_CLAMPED : 0, "clamped");
  }
  fill (data, &c, 4000);
  sort_natively (data, &c, 2500);
  g_assert_true (gst_gles_sort_run_indirect (
      sort, data->keys_in, NULL, small, data->payloads_out, data->count, 0, &error));
  download (small, data->got_keys, 2500);
  assert_words (data->got_keys, data->want_keys, 2500, "keys", "a small output");
  assert_result (sort, 3000, 2500, GST_GLES_STATUS_COUNT_CLAMPED, "a small output");
  gst_gles_buffer_unref (small);
  data_free (data);
}

static void
assert_refused (GstGlesSort *sort, GstGlesBuffer *keys_in, GstGlesBuffer *payloads_in,
    GstGlesBuffer *keys_out, GstGlesBuffer *payloads_out, guint n, gint code)
{
  GError *error = NULL;

  g_assert_false (
      gst_gles_sort_run (sort, keys_in, payloads_in, keys_out, payloads_out, n, &error));
  g_assert_error (error, GST_GLES_ERROR, code);
  g_clear_error (&error);
}

static void
assert_config_refused (guint begin, guint end, guint digit_bits, gint code)
{
  GstGlesSortConfig config;
  GError *error = NULL;

  gst_gles_sort_config_init (&config, GST_GLES_VALUE_U32);
  config.begin_bit = begin;
  config.end_bit = end;
  config.digit_bits = digit_bits;
  g_assert_null (gst_gles_sort_new (sort_test.queue, &config, 10, &error));
  g_assert_error (error, GST_GLES_ERROR, code);
  g_clear_error (&error);
}

static void
test_bad_input (void)
{
  Case c = case_of (GST_GLES_VALUE_U32, TRUE);
  Data *data = data_new (100, 1);
  GstGlesBuffer *small = new_buffer (50);
  g_autoptr (GstGlesSort) sort = new_sort (&c.config, 100);
  g_autoptr (GstGlesDevice) other = gst_gles_device_new ("cpu", NULL);
  g_autoptr (GstGlesBuffer) foreign = gst_gles_buffer_new (other, 4000, NULL);
  GError *error = NULL;
  Data *d = data;

  fill (data, &c, 100);
  assert_refused (sort, d->keys_in, d->payloads_in, d->keys_out, d->payloads_out, 101,
      GST_GLES_ERROR_TOO_LARGE);
  assert_refused (
      sort, small, d->payloads_in, d->keys_out, d->payloads_out, 51, GST_GLES_ERROR_INVALID);
  assert_refused (sort, d->keys_in, d->payloads_in, d->keys_out, small, 51, GST_GLES_ERROR_INVALID);
  assert_refused (
      sort, foreign, d->payloads_in, d->keys_out, d->payloads_out, 10, GST_GLES_ERROR_INVALID);
  assert_refused (
      sort, d->keys_in, d->payloads_in, d->keys_out, d->keys_out, 10, GST_GLES_ERROR_INVALID);
  assert_refused (sort, d->keys_in, d->payloads_in, d->payloads_in, d->payloads_out, 10,
      GST_GLES_ERROR_INVALID);
  assert_refused (
      sort, d->keys_in, d->payloads_in, d->keys_out, d->keys_in, 10, GST_GLES_ERROR_INVALID);
  g_assert_false (gst_gles_sort_run_indirect (
      sort, d->keys_in, NULL, d->keys_out, d->payloads_out, d->count, 2, &error));
  g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID);
  g_clear_error (&error);
  g_assert_false (gst_gles_sort_run_indirect (
      sort, d->keys_in, NULL, d->keys_out, d->payloads_out, d->count, 32, &error));
  g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID);
  g_clear_error (&error);
  /* nothing was touched */
  download (d->keys_out, d->got_keys, 100);
  assert_words (d->got_keys, d->want_keys, 100, "keys", "refused");
  download (d->keys_in, d->got_keys, 100);
  assert_words (d->got_keys, d->keys, 100, "keys", "refused");

  assert_config_refused (9, 8, 0, GST_GLES_ERROR_INVALID);
  assert_config_refused (0, 33, 0, GST_GLES_ERROR_INVALID);
  assert_config_refused (0, 32, 5, GST_GLES_ERROR_INVALID);
  g_assert_null (gst_gles_sort_new (sort_test.queue, &c.config, GST_GLES_MAX_VALUES + 1, &error));
  g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE);
  g_clear_error (&error);
  gst_gles_buffer_unref (small);
  data_free (data);
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
      gst_gles_sort_variant_parse ("emulated+lanes=8+lookback+stuck=3+keys=5", &variant, &error));
  g_assert_no_error (error);
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
    g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS);
    g_clear_error (&error);
  }
}

int
main (int argc, char **argv)
{
  static const struct {
    const gchar *name;
    void (*func) (void);
    gboolean slow; /* skipped in variants that exist only for tests */
  } tests[] = {
    { "sizes", test_sizes, FALSE },
    { "every-size", test_every_size, TRUE },
    { "types", test_types, FALSE },
    { "patterns", test_patterns, FALSE },
    { "bit-ranges", test_bit_ranges, FALSE },
    { "small-digits", test_small_digits, FALSE },
    { "tile-edges", test_tile_edges, FALSE },
    { "one-digit", test_one_digit, FALSE },
    { "grid", test_grid, FALSE },
    { "block-limit", test_block_limit, FALSE },
    { "large", test_large, TRUE },
    { "huge", test_huge, TRUE },
    { "huge-one-digit", test_huge_one_digit, FALSE },
    { "repetitions", test_repetitions, FALSE },
    { "zeroed-config", test_zeroed_config, FALSE },
    { "interleaved", test_interleaved, FALSE },
    { "counts-are-clamped", test_counts_are_clamped, FALSE },
    { "bad-input", test_bad_input, FALSE },
    { "variants-are-parsed", test_variants_are_parsed, FALSE },
  };
  g_autofree gchar *cache = NULL;
  const gchar *spec;
  gint result;

  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);
  cache = gles_test_private_cache ();
  spec = g_getenv ("GLES_TEST_DEVICE");
  sort_test.device =
      g_strcmp0 (spec, "cpu") == 0 ? gst_gles_device_new (spec, NULL) : gles_test_gl_device ();
  if (sort_test.device == NULL)
    return gles_test_no_gl ();
  if (!sort_variant_runs (sort_test.device))
    return GLES_TEST_SKIP;
  sort_test.queue = gst_gles_device_get_queue (sort_test.device);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++) {
    g_autofree gchar *path = g_strconcat ("/sort/", tests[i].name, NULL);
    if (!is_quick () || !tests[i].slow)
      g_test_add_func (path, tests[i].func);
  }
  result = g_test_run ();
  gst_object_unref (sort_test.device);
  return result;
}
