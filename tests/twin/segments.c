/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The segments' kernels against the native twin, bit for bit, in the variant that
 * GST_GLES_SEGMENTS_VARIANT forces. tests/unit/cpu-segments.c compares the twin with plain loops;
 * arrays.c tests counts on the device, repetitions, plans in turns and most refused calls. */
#include <math.h>

#include <gst/gles/algo/segments/segments.h>
#include <gst/gles/cpu/segments/segments.h>

#include "array-cases.h"

#define N_OUTPUTS 7
#define ALL_OUTPUTS 0x7f
#define SUMS_HIGH 0x10

typedef struct {
  GstGlesValueType key_type, value_type;
  Pattern pattern;
  guint wanted; /* bits: which outputs, in the order of GstGlesSegmentsOutputs */
  guint room;   /* entries of the outputs, whose buffers end there; 0: as many as there may be */
  gboolean indirect;
} Case;

/* The outputs that a case requests, on the host or on the device. */
static void
set_outputs (guint wanted, gpointer const words[N_OUTPUTS], gpointer outputs)
{
  gpointer *fields = outputs;

  for (guint i = 0; i < N_OUTPUTS; i++)
    fields[i] = (wanted & (1u << i)) != 0 ? words[i] : NULL;
}

G_STATIC_ASSERT (
    G_STRUCT_OFFSET (GstGlesCpuSegments, maxs) == G_STRUCT_OFFSET (GstGlesSegmentsOutputs, maxs));

static void
run (GstGlesSegments *segments, const Case *c, GstGlesBuffer *keys, GstGlesBuffer *values, guint n,
    const GstGlesSegmentsOutputs *outputs)
{
  g_autoptr (GstGlesBuffer) count = array_count_buffer (n);
  GError *error = NULL;

  if (c->indirect)
    gst_gles_segments_run_indirect (segments, c->key_type, keys, c->value_type, values, count,
        ARRAY_COUNT_OFFSET, outputs, &error);
  else
    gst_gles_segments_run (segments, c->key_type, keys, c->value_type, values, n, outputs, &error);
  g_assert_no_error (error);
}

/* A buffer for an output of @n words; it ends there if the case has a capacity of so many. */
static GstGlesBuffer *
new_output (const Case *c, guint n)
{
  GstGlesBuffer *buffer;
  GError *error = NULL;

  if (c->room == 0)
    return array_buffer (n);
  buffer = gst_gles_buffer_new (array_test.device, 4 * n, &error);
  g_assert_no_error (error);
  array_spoil (buffer);
  return buffer;
}

/* Returns the number of runs. */
static guint
check_case (GstGlesSegments *segments, const Case *c, guint n)
{
  g_autofree gchar *where = g_strdup_printf ("n %u of types %d and %d, outputs %02x of %u%s, %s", n,
      c->key_type, c->value_type, c->wanted, c->room, c->indirect ? ", indirect" : "",
      pattern_name (c->pattern));
  const guint key_words = c->key_type == GST_GLES_VALUE_U64 ? 2 : 1;
  const guint room = c->room != 0 ? c->room : n;
  const Pattern values_pattern =
      c->value_type == GST_GLES_VALUE_F32 ? PATTERN_FLOATS : PATTERN_RANDOM;
  g_autofree guint32 *keys = array_input (c->pattern, n * key_words, n + 3);
  g_autofree guint32 *values = array_input (values_pattern, n, n);
  g_autoptr (GstGlesBuffer) keys_buffer = array_buffer_of (keys, n * key_words);
  g_autoptr (GstGlesBuffer) values_buffer = array_buffer_of (values, n);
  gpointer want[N_OUTPUTS], buffers[N_OUTPUTS];
  GstGlesSegmentsOutputs outputs = { 0 };
  GstGlesCpuSegments cpu = { .capacity = room };
  guint total, n_written;

  for (guint i = 0; i < N_OUTPUTS; i++) {
    want[i] = g_new (guint32, (gsize) room * key_words + 1);
    buffers[i] = new_output (c, i == 0 ? room * key_words : room);
  }
  set_outputs (c->wanted, want, &cpu);
  set_outputs (c->wanted, buffers, &outputs);
  total = gst_gles_cpu_segments (
      &(GstGlesCpuKeyed){ c->key_type, keys, c->value_type, values }, n, &cpu);
  n_written = MIN (total, room);
  run (segments, c, keys_buffer, values_buffer, n, &outputs);
  for (guint i = 0; i < N_OUTPUTS; i++) {
    const guint n_words = (c->wanted & (1u << i)) == 0 ? 0
        : i == 0                                       ? n_written * key_words
                                                       : n_written;
    g_autofree gchar *what = g_strdup_printf ("%s, output %u", where, i);
    array_check (buffers[i], want[i], n_words, what);
    gst_gles_buffer_unref (buffers[i]);
    g_free (want[i]);
  }
  array_check (keys_buffer, keys, n * key_words, where);
  array_check_result (gst_gles_segments_get_result (segments), total, n_written,
      total > room ? GST_GLES_STATUS_TRUNCATED : 0, where);
  return total;
}

static guint
all_outputs (GstGlesValueType value_type)
{
  return value_type == GST_GLES_VALUE_F32 ? ALL_OUTPUTS & ~SUMS_HIGH : ALL_OUTPUTS;
}

/* @way: half of them with runs of keys, the types of values and keys, and the place of the count */
#define N_WAYS (2 * 3 * 4 * 2)

static void
check (gpointer plan, Pattern pattern, guint n, guint way)
{
  const GstGlesValueType value_type = way / 2 % 3;

  check_case (plan,
      &(Case){ way / 6 % 4, value_type, way % 2 != 0 ? PATTERN_RUNS : pattern,
          all_outputs (value_type), 0, way / 24 != 0 },
      n);
}

static void
test_any_outputs (void)
{
  g_autoptr (GstGlesSegments) segments = ARRAY_NEW (segments, 2000);
  Case c = { .pattern = PATTERN_RUNS, .value_type = GST_GLES_VALUE_I32 };

  for (c.wanted = 0; c.wanted <= ALL_OUTPUTS; c.wanted += array_test.quick ? 3 : 1)
    check_case (segments, &c, 1500);
}

/* One entry too few, just enough, ... */
static void
test_truncated (void)
{
  g_autoptr (GstGlesSegments) segments = ARRAY_NEW (segments, 5000);
  Case c = { .pattern = PATTERN_RUNS, .value_type = GST_GLES_VALUE_F32 };
  guint total;

  c.wanted = all_outputs (c.value_type);
  total = check_case (segments, &c, 5000);
  g_assert_cmpuint (total, >, 4);
  for (guint i = 0; i < 8; i++) {
    const guint rooms[] = { 1, 3, total - 1, total };
    c.room = rooms[i / 2];
    c.indirect = i % 2 != 0;
    check_case (segments, &c, 5000);
  }
}

/* Means of sums that exceed 32 bits, of negative sums, of floats, and of no values. */
static void
test_means (void)
{
  static const struct {
    guint32 sum, sum_high, count;
    gdouble want;
  } means[][3] = {
    { { 0xfffffffau, 2, 3, 4294967294.0 }, { 7, 0, 1, 7 }, { 0xfffffff2u, 1, 4, 2147483644.5 } },
    { { 0xfffffffau, 0xffffffffu, 3, -2 }, { 7, 0, 1, 7 }, { 0xfffffff2u, 0xffffffffu, 4, -3.5 } },
    { { 0xc0400000u, 0, 3, -1 }, { 0x3e800000u, 0, 1, 0.25 }, { 0x41500000u, 0, 4, 3.25 } },
  };

  for (GstGlesValueType type = 0; type <= GST_GLES_VALUE_F32; type++) {
    for (guint i = 0; i < 3; i++)
      g_assert_cmpfloat (gst_gles_segments_get_mean (type, means[type][i].sum,
                             means[type][i].sum_high, means[type][i].count),
          ==, means[type][i].want);
    g_assert_true (isnan (gst_gles_segments_get_mean (type, 0, 0, 0)));
  }
}

/* What no other algorithm has, and more than a storage block holds. */
static void
test_errors (void)
{
  const guint64 limit = gst_gles_device_get_limits (array_test.device)->storage_block_bytes;
  g_autoptr (GstGlesSegments) segments = ARRAY_NEW (segments, 100);
  g_autoptr (GstGlesBuffer) keys = array_buffer (100), values = array_buffer (100);
  g_autoptr (GstGlesBuffer) output = array_buffer (100);
  const struct {
    const gchar *what;
    GstGlesBuffer *values;
    GstGlesValueType type;
    GstGlesSegmentsOutputs outputs;
  } cases[] = {
    { "sums of nothing", NULL, GST_GLES_VALUE_U32, { .sums = output } },
    { "high sums of floats", values, GST_GLES_VALUE_F32, { .sums_high = output } },
    { "64-bit values", values, GST_GLES_VALUE_U64, { .sums = output } },
  };
  GError *error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_assert_false (gst_gles_segments_run (segments, GST_GLES_VALUE_U32, keys, cases[i].type,
        cases[i].values, 10, &cases[i].outputs, &error));
    array_expect_error (&error, GST_GLES_ERROR_INVALID, cases[i].what);
  }
  array_check (output, NULL, 0, "after errors");
  if (array_test.is_cpu || limit / 4 > GST_GLES_MAX_VALUES)
    return;
  assert_fails (gst_gles_segments_new (array_test.queue, limit / 4, &error), TOO_LARGE);
}

static void
add_tests (void)
{
  static const ArrayChecks checks = { "types", N_WAYS, 8u << 20, ARRAY_PLAN (segments), check };

  array_add_checks ("segments", &checks);
  g_test_add_func ("/segments/any-outputs", test_any_outputs);
  g_test_add_func ("/segments/truncated", test_truncated);
  g_test_add_func ("/segments/means", test_means);
  g_test_add_func ("/segments/errors", test_errors);
}

ARRAY_TEST_MAIN ("GST_GLES_SEGMENTS_VARIANT", add_tests)
