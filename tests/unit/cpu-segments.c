/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cpu-arrays.h"

#include <gst/gles/cpu/reduce.h>
#include <gst/gles/cpu/segments.h>
#include <gst/gles/cpu/sort.h>

/* ---- runs ---- */

typedef struct {
  GstGlesValueType key_type, value_type;
  const guint32 *keys, *values;
  guint n, words;
  guint n_runs;
} Case;

static gboolean
same_key (const Case *c, guint a, guint b)
{
  return memcmp (c->keys + a * c->words, c->keys + b * c->words, c->words * 4) == 0;
}

static guint
run_end (const Case *c, guint begin)
{
  guint end = begin + 1;

  while (end < c->n && same_key (c, begin, end))
    end++;
  return end;
}

static void
check_word (guint32 got, guint32 wanted, const gchar *what, guint run)
{
  if (got != wanted)
    fail ("%s of run %u is %08x instead of %08x", what, run, got, wanted);
}

static void
check_values (const Case *c, const GstGlesCpuSegments *s, guint run, guint begin, guint end)
{
  const guint32 *values = c->values;
  guint32 min = values[begin], max = values[begin];
  guint64 sum = 0;

  for (guint i = begin; i < end; i++) {
    if (gst_gles_cpu_to_key (c->value_type, values[i]) < gst_gles_cpu_to_key (c->value_type, min))
      min = values[i];
    if (gst_gles_cpu_to_key (c->value_type, values[i]) > gst_gles_cpu_to_key (c->value_type, max))
      max = values[i];
    sum += c->value_type == GST_GLES_VALUE_I32 ? (guint64) (gint32) values[i] : values[i];
  }
  check_word (s->mins[run], min, "minimum", run);
  check_word (s->maxs[run], max, "maximum", run);
  if (c->value_type == GST_GLES_VALUE_F32) {
    check_word (s->sums[run], gst_gles_cpu_reduce_sum_f32_at (begin, values + begin, end - begin),
        "sum", run);
  } else {
    check_word (s->sums[run], (guint32) sum, "sum", run);
    check_word (s->sums_high[run], (guint32) (sum >> 32), "high word of the sum", run);
  }
}

static void
check_capacity (const Case *c, gsize capacity)
{
  gboolean is_f32 = c->value_type == GST_GLES_VALUE_F32;
  gsize n_written = MIN (capacity, c->n_runs);
  GstGlesCpuSegments s = { guarded_new (capacity * c->words), guarded_new (capacity),
    guarded_new (capacity), guarded_new (capacity), guarded_new (capacity), guarded_new (capacity),
    guarded_new (capacity), capacity };

  fail_unless_equals_uint64 (
      gst_gles_cpu_segments (c->key_type, c->keys, c->value_type, c->values, c->n, &s), c->n_runs);
  for (guint run = 0, begin = 0, end; run < n_written; run++, begin = end) {
    end = run_end (c, begin);
    if (memcmp (s.keys + run * c->words, c->keys + begin * c->words, c->words * 4) != 0)
      fail ("key of run %u", run);
    check_word (s.starts[run], begin, "start", run);
    check_word (s.counts[run], end - begin, "length", run);
    check_values (c, &s, run, begin, end);
  }
  guarded_finish (s.keys, n_written * c->words, capacity * c->words, "keys");
  guarded_finish (s.starts, n_written, capacity, "starts");
  guarded_finish (s.counts, n_written, capacity, "counts");
  guarded_finish (s.sums, n_written, capacity, "sums");
  guarded_finish (s.sums_high, is_f32 ? 0 : n_written, capacity, "sums_high");
  guarded_finish (s.mins, n_written, capacity, "mins");
  guarded_finish (s.maxs, n_written, capacity, "maxs");
}

static void
check_segments (GstGlesValueType key_type, GstGlesValueType value_type, const guint32 *keys,
    const guint32 *values, guint n)
{
  Case c = { key_type, value_type, keys, values, n, gst_gles_cpu_type_words (key_type), 0 };

  for (guint i = 0; i < n; i = run_end (&c, i))
    c.n_runs++;
  check_capacity (&c, c.n_runs + 3);
  check_capacity (&c, c.n_runs / 2 + 1);
  check_capacity (&c, 0);
}

static void
check_pattern (Pattern pattern, const guint32 *words, guint n)
{
  guint32 *values = guarded_new (n);
  guint step = n <= SMALL_SIZE ? 1 : 4;

  pattern_fill (pattern % 2 != 0 ? PATTERN_FLOATS : PATTERN_RANDOM, n, values, n);
  for (guint i = (n + pattern) % step; i < 4; i += step)
    check_segments (i == 3 ? GST_GLES_VALUE_U64 : GST_GLES_VALUE_U32, (GstGlesValueType) (i % 3),
        words, values, i == 3 ? n / 2 : n);
  guarded_finish (values, n, n, "values");
}

GST_START_TEST (patterns)
{
  for_each_array (check_pattern);
}
GST_END_TEST;

/* Runs that begin and end at chunks' borders and around them, and that span many chunks. */
GST_START_TEST (long_runs)
{
  static const guint lengths[] = { 1, 16383, 16384, 16385, 32768, 5, 65535, 65537, 200000 };
  guint n = 0;
  g_autofree guint32 *keys = g_new (guint32, 1000000), *values = g_new (guint32, 1000000);

  for (guint round = 0; round < 2; round++) {
    for (guint i = 0; i < G_N_ELEMENTS (lengths); i++) {
      for (guint j = 0; j < lengths[i]; j++)
        keys[n++] = 100 * round + i;
    }
  }
  for (guint type = GST_GLES_VALUE_U32; type <= GST_GLES_VALUE_F32; type++) {
    pattern_fill (type == GST_GLES_VALUE_F32 ? PATTERN_RANDOM : PATTERN_ALL_MAXIMUM, 3, values, n);
    check_segments (GST_GLES_VALUE_U32, (GstGlesValueType) type, keys, values, n);
  }
}
GST_END_TEST;

GST_START_TEST (bits_make_keys)
{
  static const guint32 keys[] = { 0x80000000, 0x00000000, 0x7fc00000, 0x7fc00000, 0x7fc00001 };
  guint32 counts[5];
  GstGlesCpuSegments s = { .counts = counts, .capacity = 5 };

  fail_unless_equals_uint64 (
      gst_gles_cpu_segments (GST_GLES_VALUE_F32, keys, GST_GLES_VALUE_U32, NULL, 5, &s), 4);
  fail_unless_equals_int (counts[0], 1);
  fail_unless_equals_int (counts[1], 1);
  fail_unless_equals_int (counts[2], 2);
  fail_unless_equals_int (counts[3], 1);
}
GST_END_TEST;

/* ---- top-k ---- */

static void
check_top (GstGlesValueType type, gboolean largest, const guint32 *keys, guint n, guint k,
    const guint32 *sorted, const guint32 *places)
{
  gsize size = gst_gles_cpu_top_k_scratch_bytes (k);
  guint32 *scratch = scratch_new (size);
  guint32 *top = guarded_new (k), *indices = guarded_new (k), *alone = guarded_new (k);
  guint n_top = MIN (k, n);

  gst_gles_cpu_top_k (type, largest, keys, n, k, top, indices, scratch_memory (scratch));
  for (guint i = 0; i < n_top; i++) {
    if (top[i] != sorted[i] || indices[i] != places[i])
      fail ("entry %u of the top %u of %u", i, k, n);
  }
  if (n <= SMALL_SIZE) {
    gst_gles_cpu_top_k (type, largest, keys, n, k, NULL, alone, scratch_memory (scratch));
    fail_unless (n_top == 0 || memcmp (alone, indices, n_top * 4) == 0);
    gst_gles_cpu_top_k (type, largest, keys, n, k, alone, NULL, scratch_memory (scratch));
    fail_unless (n_top == 0 || memcmp (alone, top, n_top * 4) == 0);
  }
  guarded_finish (top, n_top, k, "top keys");
  guarded_finish (indices, n_top, k, "top indices");
  guarded_finish (alone, n <= SMALL_SIZE ? n_top : 0, k, "keys or indices alone");
  scratch_finish (scratch, size, "top-k");
}

static void
check_tops (Pattern pattern, const guint32 *words, guint n)
{
  guint step = n <= SMALL_SIZE ? 1 : 6, k_step = n <= 40000 ? 1 : 3;
  const guint ks[] = { 0, 1, 2, 10, 1000, n / 2, n - MIN (n, 1), n, n + 1 };
  g_autofree guint32 *sorted = g_new (guint32, n + 1), *places = g_new (guint32, n + 1);

  for (guint i = (n + pattern) % step; i < 6; i += step) {
    GstGlesCpuSortConfig config = gst_gles_cpu_sort_config ((GstGlesValueType) (i / 2), i % 2 != 0);
    g_autofree gpointer scratch = g_malloc (gst_gles_cpu_sort_scratch_bytes (&config, n, TRUE));

    /* The sort has its own tests. */
    gst_gles_cpu_sort (&config, words, NULL, sorted, places, n, scratch);
    for (guint j = pattern % k_step; j < G_N_ELEMENTS (ks); j += k_step)
      check_top (config.type, config.descending, words, n, ks[j], sorted, places);
  }
}

GST_START_TEST (tops)
{
  for_each_array (check_tops);
}
GST_END_TEST;

GST_START_TEST (scratch_that_cannot_be)
{
  fail_unless_equals_uint64 (gst_gles_cpu_top_k_scratch_bytes (G_MAXSIZE), 0);
}
GST_END_TEST;

static void
segments_often (void)
{
  enum {
    N = 150000
  };
  g_autofree guint32 *keys = g_new (guint32, N), *values = g_new (guint32, N);

  pattern_fill (PATTERN_RUNS, 4, keys, N);
  pattern_fill (PATTERN_RANDOM, 5, values, N);
  for (guint i = 0; i < 8; i++)
    check_segments (GST_GLES_VALUE_U32, (GstGlesValueType) (i % 3), keys, values, N);
  check_tops (PATTERN_RUNS, keys, N);
}

GST_START_TEST (several_threads_at_once)
{
  on_several_threads (segments_often);
}
GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_test (tcase, patterns);
  tcase_add_test (tcase, long_runs);
  tcase_add_test (tcase, bits_make_keys);
  tcase_add_test (tcase, tops);
  tcase_add_test (tcase, scratch_that_cannot_be);
  tcase_add_test (tcase, several_threads_at_once);
}

int
main (int argc, char **argv)
{
  return arrays_main (argc, argv, "cpu-segments", add_tests);
}
