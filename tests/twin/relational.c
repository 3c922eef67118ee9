/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A query of a table of rows on the device, without a wait between its steps:
 *
 *   SELECT key, COUNT (*), SUM (value) FROM rows WHERE flag GROUP BY key
 *   ORDER BY SUM (value) DESC LIMIT 10
 *
 * Two compactions filter the columns, a sort of pairs brings equal keys together, segments count
 * and sum them, and top-k selects the largest sums. How many rows pass and how many groups there
 * are is known on the device only, also where not all fit. A plain loop over a table
 * of sums is the oracle. */
#include <string.h>

#include <gst/gles/algo/compact/compact.h>
#include <gst/gles/algo/segments/segments.h>
#include <gst/gles/algo/sort/sort.h>
#include <gst/gles/algo/top-k/top-k.h>

#include "array-cases.h"
#include "../../bench/inputs.h"

#define MAX_ROWS 300000u
#define N_KEYS 1000u
#define KEY_BITS 10
#define LIMIT 10u

typedef enum {
  COLUMN_FLAGS,
  COLUMN_KEYS,
  COLUMN_VALUES,
  PASSED_KEYS,
  PASSED_VALUES,
  SORTED_KEYS,
  SORTED_VALUES,
  GROUP_KEYS,
  GROUP_COUNTS,
  GROUP_SUMS,
  TOP_SUMS,
  TOP_GROUPS,
  N_BUFFERS
} Buffer;

typedef struct {
  guint32 key, count, sum;
} Group;

static GstGlesBuffer *buffers[N_BUFFERS];

/* ---- the oracle ---- */

static int
compare_groups (const void *a, const void *b)
{
  const Group *x = a, *y = b;

  if (x->sum != y->sum)
    return x->sum < y->sum ? 1 : -1;
  return x->key < y->key ? -1 : x->key > y->key;
}

/* Returns the number of groups of the first @room rows that pass; they are in the order of the
 * answer. */
static guint
query_plainly (guint32 *const columns[3], guint n, guint room, Group *groups)
{
  guint n_groups = 0, n_passed = 0;

  memset (groups, 0, N_KEYS * sizeof (Group));
  for (guint i = 0; i < n; i++) {
    Group *group = &groups[columns[COLUMN_KEYS][i]];
    if (columns[COLUMN_FLAGS][i] == 0 || n_passed++ >= room)
      continue;
    group->key = columns[COLUMN_KEYS][i];
    group->count++;
    group->sum += columns[COLUMN_VALUES][i];
  }
  for (guint key = 0; key < N_KEYS; key++) {
    if (groups[key].count > 0)
      groups[n_groups++] = groups[key];
  }
  qsort (groups, n_groups, sizeof (Group), compare_groups);
  return n_groups;
}

/* ---- the device ---- */

typedef struct {
  GstGlesCompact *keys, *values;
  GstGlesSort *sort;
  GstGlesSegments *segments;
  GstGlesTopK *top_k;
} Plans;

static void
plans_init (Plans *plans)
{
  GstGlesSortConfig config;

  gst_gles_sort_config_init (&config, GST_GLES_VALUE_U32);
  config.payload = TRUE;
  config.end_bit = KEY_BITS;
  plans->keys = ARRAY_NEW (compact, MAX_ROWS);
  plans->values = ARRAY_NEW (compact, MAX_ROWS);
  plans->sort = ARRAY_NEW (sort, &config, MAX_ROWS);
  plans->segments = ARRAY_NEW (segments, MAX_ROWS);
  plans->top_k = ARRAY_NEW (top_k, GST_GLES_VALUE_U32, TRUE, N_KEYS, LIMIT);
}

static void
plans_clear (Plans *plans)
{
  gst_gles_compact_unref (plans->keys);
  gst_gles_compact_unref (plans->values);
  gst_gles_sort_unref (plans->sort);
  gst_gles_segments_unref (plans->segments);
  gst_gles_top_k_unref (plans->top_k);
}

/* Queues all steps. */
static gboolean
query (const Plans *plans, guint n, guint room, GError **error)
{
  GstGlesBuffer *passed = gst_gles_compact_get_result (plans->keys);
  GstGlesBuffer *n_groups = gst_gles_segments_get_result (plans->segments);
  const gsize at = GST_GLES_RESULT_COUNT_OFFSET;
  GstGlesSegmentsOutputs groups = {
    .keys = buffers[GROUP_KEYS], .counts = buffers[GROUP_COUNTS], .sums = buffers[GROUP_SUMS]
  };

  return gst_gles_compact_flags (plans->keys, buffers[COLUMN_FLAGS], buffers[COLUMN_KEYS], n,
             buffers[PASSED_KEYS], NULL, room, error) &&
      gst_gles_compact_flags (plans->values, buffers[COLUMN_FLAGS], buffers[COLUMN_VALUES], n,
          buffers[PASSED_VALUES], NULL, room, error) &&
      gst_gles_sort_run_indirect (plans->sort, buffers[PASSED_KEYS], buffers[PASSED_VALUES],
          buffers[SORTED_KEYS], buffers[SORTED_VALUES], passed, at, error) &&
      gst_gles_segments_run_indirect (plans->segments, GST_GLES_VALUE_U32, buffers[SORTED_KEYS],
          GST_GLES_VALUE_U32, buffers[SORTED_VALUES], passed, at, &groups, error) &&
      gst_gles_top_k_run_indirect (plans->top_k, buffers[GROUP_SUMS], n_groups, at, LIMIT,
          buffers[TOP_SUMS], buffers[TOP_GROUPS], error);
}

static void
download (GstGlesBuffer *buffer, gpointer words, guint n)
{
  GError *error = NULL;

  g_assert_true (
      n == 0 || gst_gles_buffer_download (buffer, array_test.queue, 0, words, 4 * n, &error));
  g_assert_no_error (error);
}

static void
assert_answer (const Plans *plans, const Group *want, guint n_groups)
{
  const guint n_top = MIN (n_groups, LIMIT);
  guint32 keys[N_KEYS], counts[N_KEYS], sums[LIMIT], places[LIMIT];
  GstGlesResult result;

  download (gst_gles_segments_get_result (plans->segments), &result, 4);
  g_assert_cmpuint (result.total, ==, n_groups);
  g_assert_cmpuint (result.status, ==, 0);
  download (buffers[GROUP_KEYS], keys, n_groups);
  download (buffers[GROUP_COUNTS], counts, n_groups);
  download (buffers[TOP_SUMS], sums, n_top);
  download (buffers[TOP_GROUPS], places, n_top);
  for (guint i = 0; i < n_top; i++) {
    g_assert_cmpuint (places[i], <, n_groups);
    g_assert_cmpuint (keys[places[i]], ==, want[i].key);
    g_assert_cmpuint (counts[places[i]], ==, want[i].count);
    g_assert_cmpuint (sums[i], ==, want[i].sum);
  }
}

/* ---- tests ---- */

/* @percent: of the rows pass, and the first @room of these are kept. @max_value: small values make
 * equal sums. */
static void
check (const Plans *plans, guint n, guint room, guint percent, guint max_value)
{
  g_autofree guint32 *words = g_new (guint32, 3 * (gsize) MAX_ROWS);
  guint32 *const columns[3] = { words, words + MAX_ROWS, words + 2 * MAX_ROWS };
  Group groups[N_KEYS];
  GError *error = NULL;

  for (guint i = 0; i < n; i++) {
    columns[COLUMN_FLAGS][i] = bench_random (BENCH_SEED_FLAGS, i) % 100 < percent;
    columns[COLUMN_KEYS][i] = bench_random (BENCH_SEED_KEYS, i) % N_KEYS;
    columns[COLUMN_VALUES][i] = bench_random (BENCH_SEED_VALUES, i) % max_value;
  }
  for (guint i = 0; i < 3 && n > 0; i++)
    array_fill (buffers[i], columns[i], n);
  query (plans, n, room, &error);
  g_assert_no_error (error);
  assert_answer (plans, groups, query_plainly (columns, n, room, groups));
}

static void
test_query (void)
{
  static const guint sizes[] = { 0, 1, 9, 1000, 4097, 100000, MAX_ROWS, 77 };
  static const guint percents[] = { 50, 0, 1, 100, 10 };
  Plans plans;

  for (guint i = 0; i < N_BUFFERS; i++)
    buffers[i] = array_buffer (i < GROUP_KEYS ? MAX_ROWS : i < TOP_SUMS ? N_KEYS : LIMIT);
  plans_init (&plans);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    for (guint k = 0; k < G_N_ELEMENTS (percents); k++)
      check (
          &plans, sizes[i], k == 0 ? sizes[i] / 3 : sizes[i], percents[k], k % 2 != 0 ? 3 : 10000);
  }
  plans_clear (&plans);
  for (guint i = 0; i < N_BUFFERS; i++)
    gst_gles_buffer_unref (buffers[i]);
}

static void
add_tests (void)
{
  g_test_add_func ("/relational/query", test_query);
}

ARRAY_TEST_MAIN (NULL, add_tests)
