/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Compaction against the native twin, bit for bit, in the variant that GST_GLES_COMPACT_VARIANT
 * forces; the twin against a plain loop. */
#include <string.h>

#include <gst/gles/algo/compact/compact-private.h>
#include <gst/gles/cpu/compact.h>

#include "array-cases.h"

static GstGlesCompact *
new_compact (guint capacity)
{
  GError *error = NULL;
  GstGlesCompact *compact =
      gst_gles_compact_new_full (array_test.queue, capacity, &array_test.variant, &error);

  if (compact == NULL)
    g_error ("%s", error->message);
  return compact;
}

/* How a call is made. */
typedef enum {
  VALUES = 1 << 0,
  INDICES = 1 << 1,
  INDIRECT = 1 << 2,
  FLAGS = 1 << 3, /* else a range */
  TRUNCATED = 1 << 4,
  N_WAYS = 1 << 5
} Way;

/* Which values pass. */
typedef struct {
  const gchar *name;
  GstGlesValueType type;
  guint32 lower, upper;
} Range;

static const Range ranges[] = {
  { "all", GST_GLES_VALUE_U32, 0, G_MAXUINT32 },
  { "none", GST_GLES_VALUE_U32, 5, 4 },
  { "upper half", GST_GLES_VALUE_U32, 0x80000000u, G_MAXUINT32 },
  { "one value", GST_GLES_VALUE_U32, 7, 7 },
  { "small", GST_GLES_VALUE_U32, 0, 100 },
  { "negative", GST_GLES_VALUE_I32, 0x80000000u, G_MAXUINT32 },
  { "around zero", GST_GLES_VALUE_I32, (guint32) -1000, 1000 },
  { "floats from -1 to 1", GST_GLES_VALUE_F32, 0xbf800000u, 0x3f800000u },
  { "all but NaNs", GST_GLES_VALUE_F32, 0xff800000u, 0x7f800000u },
  { "positive floats", GST_GLES_VALUE_F32, 0, 0x7f800000u },
  { "negative zero", GST_GLES_VALUE_F32, 0x80000000u, 0x80000000u },
};

typedef struct {
  GstGlesBuffer *input, *flags, *values, *indices, *count;
} Buffers;

static gboolean
call (GstGlesCompact *compact, const Range *range, const Buffers *b, guint n, guint max_count,
    Way way, GError **error)
{
  GstGlesBuffer *values = (way & VALUES) != 0 ? b->values : NULL;
  GstGlesBuffer *indices = (way & INDICES) != 0 ? b->indices : NULL;
  GstGlesBuffer *source = (way & VALUES) != 0 ? b->input : NULL;

  switch (way & (INDIRECT | FLAGS)) {
    case INDIRECT | FLAGS:
      return gst_gles_compact_flags_indirect (compact, b->flags, source, b->count,
          ARRAY_COUNT_OFFSET, values, indices, max_count, error);
    case FLAGS:
      return gst_gles_compact_flags (
          compact, b->flags, source, n, values, indices, max_count, error);
    case INDIRECT:
      return gst_gles_compact_range_indirect (compact, range->type, range->lower, range->upper,
          b->input, b->count, ARRAY_COUNT_OFFSET, values, indices, max_count, error);
    default:
      return gst_gles_compact_range (compact, range->type, range->lower, range->upper, b->input, n,
          values, indices, max_count, error);
  }
}

static guint
oracle (const Range *range, const guint32 *values, const guint32 *flags, guint n,
    guint32 *want_values, guint32 *want_indices)
{
  static const GstGlesValueType types[] = { GST_GLES_VALUE_U32, GST_GLES_VALUE_I32,
    GST_GLES_VALUE_F32 };
  guint32 lower = gst_gles_cpu_to_key (types[range->type], range->lower);
  guint32 upper = gst_gles_cpu_to_key (types[range->type], range->upper);
  guint total = 0;

  for (guint i = 0; i < n; i++) {
    guint32 key = gst_gles_cpu_to_key (types[range->type], values[i]);
    if (flags != NULL ? flags[i] == 0 : key < lower || key > upper)
      continue;
    want_values[total] = values[i];
    want_indices[total++] = i;
  }
  return total;
}

static void
check_twin (const Range *range, const guint32 *values, const guint32 *flags, guint n, guint total,
    const guint32 *want_values, const guint32 *want_indices)
{
  static const GstGlesValueType types[] = { GST_GLES_VALUE_U32, GST_GLES_VALUE_I32,
    GST_GLES_VALUE_F32 };
  g_autofree guint32 *got_values = g_new (guint32, n + 1);
  g_autofree guint32 *got_indices = g_new (guint32, n + 1);
  guint64 got;

  if (flags != NULL)
    got = gst_gles_cpu_compact_flags (flags, values, n, got_values, got_indices, n);
  else
    got = gst_gles_cpu_compact_range (
        types[range->type], range->lower, range->upper, values, n, got_values, got_indices, n);
  g_assert_cmpuint (got, ==, total);
  if (total > 0) {
    g_assert_cmpmem (got_values, 4 * (gsize) total, want_values, 4 * (gsize) total);
    g_assert_cmpmem (got_indices, 4 * (gsize) total, want_indices, 4 * (gsize) total);
  }
}

static void
check (GstGlesCompact *compact, const Range *range, Pattern pattern, guint n, Way way)
{
  g_autofree gchar *where = g_strdup_printf ("compaction of %u %s, %s, way %d", n,
      array_pattern_name (pattern), (way & FLAGS) != 0 ? "flags" : range->name, way);
  g_autofree guint32 *values = array_input (pattern, n, n);
  g_autofree guint32 *flags = array_input (n % 2 == 0 ? PATTERN_AND_5 : PATTERN_HIGH_DIGIT, n, 9);
  g_autofree guint32 *want_values = g_new (guint32, n + 1);
  g_autofree guint32 *want_indices = g_new (guint32, n + 1);
  Buffers b = { array_buffer (n), array_buffer (n), array_buffer (n), array_buffer (n),
    array_count_buffer (n) };
  guint total, max_count = n, count;
  GError *error = NULL;

  for (guint i = 0; i < n; i++)
    flags[i] = i % 5 == 1 ? 0 : flags[i];
  total = oracle (range, values, (way & FLAGS) != 0 ? flags : NULL, n, want_values, want_indices);
  check_twin (
      range, values, (way & FLAGS) != 0 ? flags : NULL, n, total, want_values, want_indices);
  if ((way & TRUNCATED) != 0)
    max_count = total / 2;
  count = MIN (total, max_count);
  array_fill (b.input, values, n);
  array_fill (b.flags, flags, n);
  if (!call (compact, range, &b, n, max_count, way, &error))
    g_error ("%s: %s", where, error->message);
  array_check (b.values, want_values, (way & VALUES) != 0 ? count : 0, where);
  array_check (b.indices, want_indices, (way & INDICES) != 0 ? count : 0, where);
  array_check (b.input, values, n, where);
  array_check_result (gst_gles_compact_get_result (compact), total, count,
      total > max_count ? GST_GLES_STATUS_TRUNCATED : 0, where);
  gst_gles_buffer_unref (b.input);
  gst_gles_buffer_unref (b.flags);
  gst_gles_buffer_unref (b.values);
  gst_gles_buffer_unref (b.indices);
  gst_gles_buffer_unref (b.count);
}

static void
test_sizes (void)
{
  g_autoptr (GstGlesCompact) compact = new_compact (array_test.max_n);
  guint n_sizes, turn = 0;
  g_autofree guint *sizes = array_sizes (MIN (array_test.max_n, 1u << 23), &n_sizes);

  for (guint i = 0; i < n_sizes; i++) {
    guint n_turns = sizes[i] <= 300 ? 2 * N_WAYS : sizes[i] <= 20000 ? 8 : 2;
    for (guint k = 0; k < n_turns; k++, turn++)
      check (compact, &ranges[(turn / 3) % G_N_ELEMENTS (ranges)], (turn * 5) % N_PATTERNS,
          sizes[i], turn % N_WAYS);
  }
}

/* Sizes around the tile sizes of the plan, which depend on the device. */
static void
test_tile_edges (void)
{
  guint sizes[ARRAY_MAX_TILE_SIZES], n_sizes;
  g_autoptr (GstGlesCompact) compact = new_compact (MIN (array_test.max_n, 100000));

  n_sizes = array_tile_sizes (gst_gles_compact_get_array (compact), sizes);
  if (n_sizes == 0)
    g_test_skip ("native code has no tiles");
  for (guint i = 0; i < n_sizes; i++) {
    for (guint way = 1; way < N_WAYS; way += 2)
      check (compact, &ranges[2 * (i % 2)], PATTERN_AND_1, sizes[i], way);
  }
}

static void
test_predicates (void)
{
  const guint n = 10007;
  g_autoptr (GstGlesCompact) compact = new_compact (n);

  for (guint i = 0; i < G_N_ELEMENTS (ranges); i++) {
    for (Pattern pattern = 0; pattern < N_PATTERNS; pattern++)
      check (compact, &ranges[i], pattern, n, VALUES | INDICES);
  }
}

/* Selections that found bugs elsewhere: one, runs, the last value only. */
static void
test_selections (void)
{
  const guint n = 50001;
  g_autoptr (GstGlesCompact) compact = new_compact (n);
  g_autoptr (GstGlesBuffer) flags = array_buffer (n), indices = array_buffer (n);
  g_autofree guint32 *words = g_new (guint32, n), *want = g_new (guint32, n);
  GError *error = NULL;

  for (guint selection = 0; selection < 6; selection++) {
    guint total = 0;
    for (guint i = 0; i < n; i++) {
      const gboolean flagged[] = { i == 0, i == n - 1, i == n / 2, i % 2 == 1, i / 1000 % 2 == 1,
        i >= 4096 && i < 8192 };
      words[i] = flagged[selection] ? i | 1 : 0;
      if (flagged[selection])
        want[total++] = i;
    }
    array_fill (flags, words, n);
    array_spoil (indices);
    g_assert_true (gst_gles_compact_flags (compact, flags, NULL, n, NULL, indices, n, &error));
    array_check (indices, want, total, "selection");
    array_check_result (gst_gles_compact_get_result (compact), total, total, 0, "selection");
  }
}

/* More than one binding of 128 MiB can hold, in and out, where that is the limit; not where
 * GLES_TEST_QUICK is set. */
static void
test_large (void)
{
  const guint n = (1u << 25) + 4099;
  g_autoptr (GstGlesCompact) compact = NULL;

  if (array_test.variant.window != 0 || array_test.quick) {
    g_test_skip ("windows are small, or quick");
    return;
  }
  compact = new_compact (n);
  check (compact, &ranges[0], PATTERN_RAMP, n, INDICES);
  check (compact, &ranges[4], PATTERN_RAMP, n, VALUES | INDIRECT);
}

/* What was picked is picked from again, with a count that never leaves the device. */
static void
test_chain (void)
{
  const guint n = 100003;
  g_autoptr (GstGlesCompact) first = new_compact (n), second = new_compact (n);
  g_autoptr (GstGlesBuffer) input = array_buffer (n), once = array_buffer (n);
  g_autoptr (GstGlesBuffer) twice = array_buffer (n);
  g_autofree guint32 *values = array_input (PATTERN_AND_1, n, 5), *want = g_new (guint32, n);
  GError *error = NULL;
  guint64 total;

  array_fill (input, values, n);
  total = gst_gles_cpu_compact_range (
      GST_GLES_VALUE_U32, 0x40000000u, 0x7fffffffu, values, n, want, NULL, n);
  for (guint i = 0; i < 3; i++) {
    array_spoil (twice);
    g_assert_true (gst_gles_queue_begin (array_test.queue, &error));
    g_assert_true (gst_gles_compact_range (
        first, GST_GLES_VALUE_U32, 0, 0x7fffffffu, input, n, once, NULL, n, &error));
    g_assert_true (gst_gles_compact_range_indirect (second, GST_GLES_VALUE_U32, 0x40000000u,
        G_MAXUINT32, once, gst_gles_compact_get_result (first), GST_GLES_RESULT_COUNT_OFFSET, twice,
        NULL, n, &error));
    g_assert_true (gst_gles_queue_end (array_test.queue, &error));
    array_check (twice, want, total, "chain");
    array_check_result (gst_gles_compact_get_result (second), total, total, 0, "chain");
  }
}

static void
test_repetitions (void)
{
  const guint n = 5000;
  g_autoptr (GstGlesCompact) compact = new_compact (n);
  g_autoptr (GstGlesBuffer) input = array_buffer (n), output = array_buffer (n);
  g_autofree guint32 *values = array_input (PATTERN_AND_1, n, 6), *want = g_new (guint32, n);
  GError *error = NULL;
  guint total;

  array_fill (input, values, n);
  total = gst_gles_cpu_compact_range (GST_GLES_VALUE_U32, 0, 0x3fffffffu, values, n, want, NULL, n);
  for (guint i = 0; i < 1000; i++) {
    array_spoil (output);
    g_assert_true (gst_gles_compact_range (
        compact, GST_GLES_VALUE_U32, 0, 0x3fffffffu, input, n, output, NULL, n, &error));
    array_check (output, want, total, "repetition");
  }
}

static void
test_count_over_capacity (void)
{
  static const guint counts[] = { 2001, 100000, G_MAXUINT };
  g_autoptr (GstGlesCompact) compact = new_compact (2000);
  g_autofree guint32 *values = array_input (PATTERN_RAMP, 3000, 7);
  GError *error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++) {
    g_autoptr (GstGlesBuffer) count = array_count_buffer (counts[i]);
    g_autoptr (GstGlesBuffer) input = array_buffer (3000), output = array_buffer (2000);
    array_fill (input, values, 3000);
    g_assert_true (gst_gles_compact_range_indirect (compact, GST_GLES_VALUE_U32, 0, G_MAXUINT32,
        input, count, ARRAY_COUNT_OFFSET, output, NULL, 1500, &error));
    array_check (output, values, 1500, "over the capacity");
    array_check_result (gst_gles_compact_get_result (compact), 2000, 1500,
        GST_GLES_STATUS_COUNT_CLAMPED | GST_GLES_STATUS_TRUNCATED, "over the capacity");
  }
}

static void
test_errors (void)
{
  g_autoptr (GstGlesCompact) compact = new_compact (100);
  g_autoptr (GstGlesDevice) other = gst_gles_device_new ("cpu", NULL);
  g_autoptr (GstGlesBuffer) foreign = gst_gles_buffer_new (other, 4096, NULL);
  g_autoptr (GstGlesBuffer) input = array_buffer (200), output = array_buffer (200);
  g_autoptr (GstGlesBuffer) second = array_buffer (200), small = array_buffer (10);
  const struct {
    const gchar *what;
    GstGlesValueType type;
    GstGlesBuffer *input, *values, *indices;
    guint n, max_count;
    GstGlesError code;
  } cases[] = {
    { "capacity", 0, input, output, NULL, 101, 10, GST_GLES_ERROR_TOO_LARGE },
    { "64 bits", GST_GLES_VALUE_U64, input, output, NULL, 100, 10, GST_GLES_ERROR_INVALID },
    { "small input", 0, small, output, NULL, 100, 100, GST_GLES_ERROR_INVALID },
    { "small values", 0, input, small, NULL, 100, 100, GST_GLES_ERROR_INVALID },
    { "small indices", 0, input, output, small, 100, 100, GST_GLES_ERROR_INVALID },
    { "in place", 0, input, input, NULL, 100, 100, GST_GLES_ERROR_INVALID },
    { "indices over input", 0, input, NULL, input, 100, 100, GST_GLES_ERROR_INVALID },
    { "one output twice", 0, input, output, output, 100, 100, GST_GLES_ERROR_INVALID },
    { "another device", 0, input, foreign, NULL, 100, 100, GST_GLES_ERROR_INVALID },
    { "another device's input", 0, foreign, output, NULL, 100, 100, GST_GLES_ERROR_INVALID },
  };
  GError *error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_assert_false (gst_gles_compact_range (compact, cases[i].type, 0, G_MAXUINT32, cases[i].input,
        cases[i].n, cases[i].values, cases[i].indices, cases[i].max_count, &error));
    array_expect_error (&error, cases[i].code, cases[i].what);
  }
  g_assert_false (gst_gles_compact_flags (compact, second, input, 100, second, NULL, 100, &error));
  array_expect_error (&error, GST_GLES_ERROR_INVALID, "values over flags");
  g_assert_false (gst_gles_compact_range_indirect (
      compact, GST_GLES_VALUE_U32, 0, G_MAXUINT32, input, second, 0, NULL, second, 100, &error));
  array_expect_error (&error, GST_GLES_ERROR_INVALID, "indices over count");
  array_check (input, NULL, 0, "after errors");
  array_check (output, NULL, 0, "after errors");
  array_check (second, NULL, 0, "after errors");
  array_check (small, NULL, 0, "after errors");
}

static void
add_tests (void)
{
  g_test_add_func ("/compact/errors", test_errors);
  g_test_add_func ("/compact/count-over-capacity", test_count_over_capacity);
  g_test_add_func ("/compact/predicates", test_predicates);
  g_test_add_func ("/compact/selections", test_selections);
  g_test_add_func ("/compact/sizes", test_sizes);
  g_test_add_func ("/compact/tile-edges", test_tile_edges);
  g_test_add_func ("/compact/chain", test_chain);
  g_test_add_func ("/compact/repetitions", test_repetitions);
  g_test_add_func ("/compact/large", test_large);
}

int
main (int argc, char **argv)
{
  return array_test_main (argc, argv, "GST_GLES_COMPACT_VARIANT", add_tests);
}
