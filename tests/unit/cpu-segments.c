/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cpu-arrays.h"

#include <gst/gles/cpu/reduce/reduce.h>
#include <gst/gles/cpu/segments/segments.h>
#include <gst/gles/cpu/top-k/top-k.h>
#include <gst/gles/cpu/sort/sort.h>

/* ---- runs ---- */

/* The outputs of a call, in the order of GstGlesCpuSegments. */
enum {
  KEYS,
  STARTS,
  COUNTS,
  SUMS,
  SUMS_HIGH,
  MINS,
  MAXS,
  N_OUTPUTS
};

static const gchar *const output_names[] = { "keys", "starts", "counts", "sums", "sums_high",
  "mins", "maxs" };

typedef struct {
  GstGlesValueType key_type, value_type;
  const guint32 *keys, *values;
  guint n, words;
  guint n_runs;
  guint32 *want[N_OUTPUTS];
} Case;

static guint
run_end (const Case *c, guint begin)
{
  const guint32 *key = c->keys + begin * c->words;
  guint end = begin + 1;

  while (end < c->n && memcmp (c->keys + end * c->words, key, c->words * 4) == 0)
    end++;
  return end;
}

/* The statistics of run @run of values by a plain loop, and sums of floats by the reduction, which
 * has its own tests. */
static void
expect_values (Case *c, guint run, guint begin, guint end)
{
  const guint32 *values = c->values;
  guint32 min = values[begin], max = values[begin];
  guint64 sum = 0;

  for (guint i = begin; i < end; i++) {
    gint64 place = place_of (c->value_type, values[i]);

    min = place < place_of (c->value_type, min) ? values[i] : min;
    max = place > place_of (c->value_type, max) ? values[i] : max;
    sum += c->value_type == GST_GLES_VALUE_I32 ? (guint64) (gint32) values[i] : values[i];
  }
  if (c->value_type == GST_GLES_VALUE_F32)
    sum = gst_gles_cpu_reduce_sum_f32_at (begin, values + begin, end - begin);
  c->want[SUMS][run] = (guint32) sum;
  c->want[SUMS_HIGH][run] = (guint32) (sum >> 32);
  c->want[MINS][run] = min;
  c->want[MAXS][run] = max;
}

/* Room for @capacity runs, in all outputs or in the lengths alone, which need no values. */
static void
check_capacity (const Case *c, gsize capacity, gboolean lengths_alone)
{
  gsize n_written = MIN (capacity, c->n_runs);
  guint32 *got[N_OUTPUTS] = { NULL };
  GstGlesCpuSegments s;

  for (guint i = 0; i < N_OUTPUTS; i++) {
    if (!lengths_alone || i == COUNTS)
      got[i] = guarded_new (capacity * (i == KEYS ? c->words : 1));
  }
  s = (GstGlesCpuSegments){ got[KEYS], got[STARTS], got[COUNTS], got[SUMS], got[SUMS_HIGH],
    got[MINS], got[MAXS], capacity };
  g_assert_cmpuint (gst_gles_cpu_segments (&(GstGlesCpuKeyed){ c->key_type, c->keys, c->value_type,
                                               lengths_alone ? NULL : c->values },
                        c->n, &s),
      ==, c->n_runs);
  for (guint i = 0; i < N_OUTPUTS; i++) {
    gboolean is_left = i == SUMS_HIGH && c->value_type == GST_GLES_VALUE_F32;
    gsize words = i == KEYS ? c->words : 1;

    guarded_check (
        got[i], c->want[i], is_left ? 0 : n_written * words, capacity * words, output_names[i]);
  }
}

static void
check_segments (GstGlesValueType key_type, GstGlesValueType value_type, const guint32 *keys,
    const guint32 *values, guint n)
{
  Case c = { key_type, value_type, keys, values, n, gst_gles_cpu_type_words (key_type), 0 };

  for (guint i = 0; i < N_OUTPUTS; i++)
    c.want[i] = g_new (guint32, (i == KEYS ? c.words : 1) * n + 1);
  for (guint begin = 0, end; begin < n; begin = end) {
    end = run_end (&c, begin);
    memcpy (c.want[KEYS] + c.n_runs * c.words, keys + begin * c.words, c.words * 4);
    c.want[STARTS][c.n_runs] = begin;
    c.want[COUNTS][c.n_runs] = end - begin;
    expect_values (&c, c.n_runs++, begin, end);
  }
  check_capacity (&c, c.n_runs + 3, FALSE);
  check_capacity (&c, c.n_runs / 2 + 1, FALSE);
  check_capacity (&c, c.n_runs, TRUE);
  check_capacity (&c, 0, FALSE);
  for (guint i = 0; i < N_OUTPUTS; i++)
    g_free (c.want[i]);
}

/* Bits make keys, of floats too. */
static void
check_pattern (Pattern pattern, const guint32 *words, guint n)
{
  static const GstGlesValueType key_types[] = { GST_GLES_VALUE_F32, GST_GLES_VALUE_I32,
    GST_GLES_VALUE_U32, GST_GLES_VALUE_U64 };
  guint32 *values = guarded_new (n);
  guint step = n <= SMALL_SIZE ? 1 : 4;

  pattern_fill (pattern % 2 != 0 ? PATTERN_FLOATS : PATTERN_RANDOM, n, values, n);
  for (guint i = (n + pattern) % step; i < 4; i += step)
    check_segments (key_types[i], (GstGlesValueType) (i % 3), words, values, i == 3 ? n / 2 : n);
  guarded_finish (values, n, n, "values");
}

/* Runs that begin and end at chunks' borders and around them, and that span many chunks. */
static void
long_runs (void)
{
  static const guint lengths[] = { 1, 16383, 16384, 16385, 32768, 5, 65535, 65537, 200000 };
  guint n = 0;
  g_autofree guint32 *keys = g_new (guint32, 1000000), *values = g_new (guint32, 1000000);

  for (guint i = 0; i < 2 * G_N_ELEMENTS (lengths); i++) {
    for (guint j = 0; j < lengths[i % G_N_ELEMENTS (lengths)]; j++)
      keys[n++] = i;
  }
  for (guint type = GST_GLES_VALUE_U32; type <= GST_GLES_VALUE_F32; type++) {
    pattern_fill (type == GST_GLES_VALUE_F32 ? PATTERN_RANDOM : PATTERN_ALL_MAXIMUM, 3, values, n);
    check_segments (GST_GLES_VALUE_U32, (GstGlesValueType) type, keys, values, n);
  }
}

/* ---- top-k ---- */

static void
check_top (const GstGlesCpuSortConfig *config, const guint32 *keys, guint n, guint k,
    const guint32 *sorted, const guint32 *places)
{
  gsize size = gst_gles_cpu_top_k_scratch_bytes (k);

  /* keys and their indices, and each alone */
  for (guint outputs = 3; outputs > (n <= SMALL_SIZE ? 0 : 2); outputs--) {
    guint32 *scratch = scratch_new (size);
    guint32 *top = (outputs & 1) != 0 ? guarded_new (k) : NULL;
    guint32 *indices = (outputs & 2) != 0 ? guarded_new (k) : NULL;

    gst_gles_cpu_top_k (
        &(GstGlesCpuTopK){ config->type, config->descending, k, top, indices }, keys, n, scratch);
    guarded_check (top, sorted, MIN (k, n), k, "top keys");
    guarded_check (indices, places, MIN (k, n), k, "top indices");
    scratch_finish (scratch, size, "scratch memory of top-k");
  }
}

static void
check_tops (Pattern pattern, const guint32 *words, guint n)
{
  const guint ks[] = { 0, 1, 2, 10, 1000, n / 2, n - MIN (n, 1), n, n + 1 };
  g_autofree guint32 *sorted = g_new (guint32, n + 1), *places = g_new (guint32, n + 1);
  guint step = n <= SMALL_SIZE ? 2 : 6;

  for (guint i = (n + pattern) % step; i < 6; i += step) {
    GstGlesCpuSortConfig config = gst_gles_cpu_sort_config ((GstGlesValueType) (i / 2), i % 2 != 0);
    g_autofree gpointer scratch = g_malloc (gst_gles_cpu_sort_scratch_bytes (&config, n, TRUE));

    /* The sort has its own tests. */
    gst_gles_cpu_sort (
        &config, &(GstGlesCpuSortBuffers){ words, NULL, sorted, places }, n, scratch);
    for (guint j = (pattern + i / 2) % 3; j < G_N_ELEMENTS (ks); j += 3)
      check_top (&config, words, n, ks[j], sorted, places);
  }
}

static void
scratch_that_cannot_be (void)
{
  g_assert_cmpuint (gst_gles_cpu_top_k_scratch_bytes (G_MAXSIZE), ==, 0);
}

int
main (int argc, char **argv)
{
  static const ArraysTest tests[] = { { "patterns", check_pattern },
    { "long-runs", NULL, long_runs }, { "tops", check_tops },
    { "scratch-that-cannot-be", NULL, scratch_that_cannot_be }, { 0 } };

  return arrays_main (argc, argv, tests);
}
