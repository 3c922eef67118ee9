/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Uses of sorts: the largest keys, groups, sorting the output of a filter; and a sort that device
 * and CPU share. */
#include <stdlib.h>
#include <string.h>

#include <gst/gles/algo/compact/compact.h>
#include <gst/gles/algo/segments/segments.h>
#include <gst/gles/algo/sort/sort.h>
#include <gst/gles/algo/top-k/top-k.h>
#include <gst/gles/cpu/compact.h>
#include <gst/gles/cpu/segments.h>
#include <gst/gles/cpu/top-k.h>
#include <gst/gles/cpu/sort.h>

#include "bench.h"

#define TOP_K 1000u
#define N_GROUPS 1000
#define NAIVE_LIMIT 4e6

static int
compare_u32 (const void *a, const void *b)
{
  guint32 x = *(const guint32 *) a, y = *(const guint32 *) b;

  return x < y ? -1 : x > y;
}

/* ---- top-k: output 0 keys, 1 indices ---- */

static guint
top_k_of (const BenchRun *run)
{
  return MIN (TOP_K, run->n);
}

static gboolean
setup_top_k (BenchRun *run, GError **error)
{
  gsize bytes = 4 * (gsize) top_k_of (run);

  run->plan = gst_gles_top_k_new (
      run->bench->queue, GST_GLES_VALUE_U32, TRUE, run->n, top_k_of (run), error);
  run->free_plan = (GDestroyNotify) gst_gles_top_k_unref;
  if (run->plan == NULL || !bench_run_words (run, 0, BENCH_SEED_KEYS, run->n, 4, error) ||
      !bench_run_buffer (run, 1, bytes, error) || !bench_run_buffer (run, 2, bytes, error))
    return FALSE;
  run->scratch = g_malloc (gst_gles_cpu_top_k_scratch_bytes (top_k_of (run)));
  bench_run_output (run, run->device[1], bytes);
  bench_run_output (run, run->device[2], bytes);
  run->bytes = 4 * (guint64) run->n;
  return TRUE;
}

static gboolean
launch_top_k (BenchRun *run, GError **error)
{
  return gst_gles_top_k_run (
      run->plan, run->device[0], run->n, top_k_of (run), run->device[1], run->device[2], error);
}

static void
top_k_natively (BenchRun *run)
{
  gst_gles_cpu_top_k (GST_GLES_VALUE_U32, TRUE, run->input[0], run->n, top_k_of (run),
      run->output[0].want, run->output[1].want, run->scratch);
}

static int
compare_descending (const void *a, const void *b)
{
  guint64 x = *(const guint64 *) a, y = *(const guint64 *) b;

  return x > y ? -1 : x < y;
}

/* Sorts everything. The index is inverted, so that among equal keys the first wins. */
static void
top_k_naively (BenchRun *run)
{
  g_autofree guint64 *pairs = g_new (guint64, run->n + 1);

  for (gsize i = 0; i < run->n; i++)
    pairs[i] = (guint64) run->input[0][i] << 32 | (G_MAXUINT32 - i);
  qsort (pairs, run->n, sizeof (guint64), compare_descending);
  for (guint i = 0; i < top_k_of (run); i++) {
    run->output[0].naive[i] = (guint32) (pairs[i] >> 32);
    run->output[1].naive[i] = G_MAXUINT32 - (guint32) pairs[i];
  }
}

/* ---- group-by: sorts keys with values, then sums per key ---- */

static void
group_natively (BenchRun *run)
{
  GstGlesCpuSortConfig cpu = gst_gles_cpu_sort_config (GST_GLES_VALUE_U32, FALSE);
  guint32 *keys = run->extra, *values = keys + run->n;
  GstGlesCpuSegments out = { .keys = run->output[0].want,
    .counts = run->output[1].want,
    .sums = run->output[2].want,
    .capacity = run->output[0].bytes / 4 };

  gst_gles_cpu_sort (&cpu, run->input[0], run->input[1], keys, values, run->n, run->scratch);
  gst_gles_cpu_segments (GST_GLES_VALUE_U32, keys, GST_GLES_VALUE_U32, values, run->n, &out);
}

static guint
count_groups (const BenchRun *run)
{
  g_autofree guint8 *seen = g_malloc0 (N_GROUPS);
  guint n = 0;

  for (gsize i = 0; i < run->n; i++) {
    n += seen[run->input[0][i]] == 0;
    seen[run->input[0][i]] = 1;
  }
  return n;
}

/* device: 0 keys, 1 values, 2 sorted keys followed by sorted values, 3 outputs in the same order */
static gboolean
setup_group (BenchRun *run, GError **error)
{
  GstGlesCpuSortConfig cpu = gst_gles_cpu_sort_config (GST_GLES_VALUE_U32, FALSE);
  GstGlesSortConfig config;
  gsize bytes = 4 * (gsize) run->n;

  gst_gles_sort_config_init (&config, GST_GLES_VALUE_U32);
  config.payload = TRUE;
  config.end_bit = 10;
  run->plan = gst_gles_sort_new (run->bench->queue, &config, run->n, error);
  run->free_plan = (GDestroyNotify) gst_gles_sort_unref;
  if (run->plan == NULL)
    return FALSE;
  run->plan_2 = gst_gles_segments_new (run->bench->queue, run->n, error);
  run->free_plan_2 = (GDestroyNotify) gst_gles_segments_unref;
  if (run->plan_2 == NULL)
    return FALSE;
  run->input[0] = g_new (guint32, run->n + 1);
  for (gsize i = 0; i < run->n; i++)
    run->input[0][i] = bench_random (BENCH_SEED_KEYS, i) % N_GROUPS;
  if (!bench_run_upload (run, 0, bytes, error) ||
      !bench_run_words (run, 1, BENCH_SEED_VALUES, run->n, 4, error) ||
      !bench_run_buffer (run, 2, bytes, error) || !bench_run_buffer (run, 3, bytes, error))
    return FALSE;
  for (guint i = 0; i < 3; i++) {
    run->more[i] = gst_gles_buffer_new (run->bench->device, 4 * N_GROUPS, error);
    if (run->more[i] == NULL)
      return FALSE;
    bench_run_output (run, run->more[i], 4 * (gsize) count_groups (run));
  }
  run->extra = g_malloc (2 * bytes + 64);
  run->scratch = g_malloc (gst_gles_cpu_sort_scratch_bytes (&cpu, run->n, TRUE));
  run->bytes = 8 * (guint64) run->n;
  return TRUE;
}

static gboolean
launch_group (BenchRun *run, GError **error)
{
  const GstGlesSegmentsOutputs outputs = {
    .keys = run->more[0], .counts = run->more[1], .sums = run->more[2]
  };

  return gst_gles_sort_run (run->plan, run->device[0], run->device[1], run->device[2],
             run->device[3], run->n, error) &&
      gst_gles_segments_run (run->plan_2, GST_GLES_VALUE_U32, run->device[2], GST_GLES_VALUE_U32,
          run->device[3], run->n, &outputs, error);
}

/* Uses a table instead of a sort, which suits few distinct keys. */
static void
group_naively (BenchRun *run)
{
  guint32 counts[N_GROUPS] = { 0 }, sums[N_GROUPS] = { 0 };
  guint n = 0;

  for (gsize i = 0; i < run->n; i++) {
    counts[run->input[0][i]]++;
    sums[run->input[0][i]] += run->input[1][i];
  }
  for (guint key = 0; key < N_GROUPS; key++) {
    if (counts[key] == 0)
      continue;
    run->output[0].naive[n] = key;
    run->output[1].naive[n] = counts[key];
    run->output[2].naive[n++] = sums[key];
  }
}

/* ---- filter and sort: only the device knows how many values pass ---- */

#define LOWER 0x80000000u

/* device: 0 values, 1 values that pass, 2 sorted values */
static gboolean
setup_filter (BenchRun *run, GError **error)
{
  GstGlesCpuSortConfig cpu = gst_gles_cpu_sort_config (GST_GLES_VALUE_U32, FALSE);
  gsize bytes = 4 * (gsize) run->n;
  GstGlesSortConfig config;
  guint64 count;

  gst_gles_sort_config_init (&config, GST_GLES_VALUE_U32);
  run->plan = gst_gles_sort_new (run->bench->queue, &config, run->n, error);
  run->free_plan = (GDestroyNotify) gst_gles_sort_unref;
  if (run->plan == NULL)
    return FALSE;
  run->plan_2 = gst_gles_compact_new (run->bench->queue, run->n, error);
  run->free_plan_2 = (GDestroyNotify) gst_gles_compact_unref;
  if (run->plan_2 == NULL || !bench_run_words (run, 0, BENCH_SEED_KEYS, run->n, 4, error) ||
      !bench_run_buffer (run, 1, bytes, error) || !bench_run_buffer (run, 2, bytes, error))
    return FALSE;
  count = gst_gles_cpu_compact_range (
      GST_GLES_VALUE_U32, LOWER, G_MAXUINT32, run->input[0], run->n, NULL, NULL, 0);
  bench_run_output (run, run->device[2], 4 * count);
  run->extra = g_malloc (bytes + 64);
  run->scratch = g_malloc (MAX (gst_gles_cpu_sort_scratch_bytes (&cpu, run->n, FALSE), 8));
  run->bytes = bytes + 4 * count;
  return TRUE;
}

static gboolean
launch_filter (BenchRun *run, GError **error)
{
  return gst_gles_compact_range (run->plan_2, GST_GLES_VALUE_U32, LOWER, G_MAXUINT32,
             run->device[0], run->n, run->device[1], NULL, run->n, error) &&
      gst_gles_sort_run_indirect (run->plan, run->device[1], NULL, run->device[2], NULL,
          gst_gles_compact_get_result (run->plan_2), GST_GLES_RESULT_COUNT_OFFSET, error);
}

static void
filter_natively (BenchRun *run)
{
  GstGlesCpuSortConfig cpu = gst_gles_cpu_sort_config (GST_GLES_VALUE_U32, FALSE);
  gsize n = gst_gles_cpu_compact_range (
      GST_GLES_VALUE_U32, LOWER, G_MAXUINT32, run->input[0], run->n, run->extra, NULL, run->n);

  gst_gles_cpu_sort (&cpu, run->extra, NULL, run->output[0].want, NULL, n, run->scratch);
}

static void
filter_naively (BenchRun *run)
{
  gsize n = 0;

  for (gsize i = 0; i < run->n; i++) {
    if (run->input[0][i] >= LOWER)
      run->output[0].naive[n++] = run->input[0][i];
  }
  qsort (run->output[0].naive, n, sizeof (guint32), compare_u32);
}

static void
filter_with_peer (BenchRun *run)
{
  guint32 *kept = run->extra;
  gsize n = 0;

  for (gsize i = 0; i < run->n; i++) {
    kept[n] = run->input[0][i];
    n += run->input[0][i] >= LOWER;
  }
  bench_vqsort_u32 (kept, n);
}

static const guint32 *
extra_words (BenchRun *run)
{
  return run->extra;
}

/* ---- hybrid: the device partitions keys by their first byte, the CPU sorts the parts ---- */

static gboolean
setup_hybrid (BenchRun *run, GError **error)
{
  GstGlesCpuSortConfig cpu = gst_gles_cpu_sort_config (GST_GLES_VALUE_U32, FALSE);
  gsize bytes = 4 * (gsize) run->n;
  GstGlesSortConfig config;

  gst_gles_sort_config_init (&config, GST_GLES_VALUE_U32);
  config.begin_bit = 24;
  run->plan = gst_gles_sort_new (run->bench->queue, &config, run->n, error);
  run->free_plan = (GDestroyNotify) gst_gles_sort_unref;
  if (run->plan == NULL || !bench_run_words (run, 0, BENCH_SEED_KEYS, run->n, 4, error) ||
      !bench_run_buffer (run, 1, bytes, error))
    return FALSE;
  bench_run_output (run, NULL, bytes)->host = g_malloc (bytes + 64);
  run->extra = g_malloc (bytes + 64);
  run->scratch = g_malloc (MAX (gst_gles_cpu_sort_scratch_bytes (&cpu, run->n, FALSE), 8));
  run->bytes = 2 * bytes;
  return TRUE;
}

static gboolean
launch_hybrid (BenchRun *run, GError **error)
{
  GstGlesCpuSortConfig cpu = gst_gles_cpu_sort_config (GST_GLES_VALUE_U32, FALSE);
  guint32 *keys = run->extra, *sorted = run->output[0].host;

  if (!gst_gles_sort_run (run->plan, run->device[0], NULL, run->device[1], NULL, run->n, error) ||
      !gst_gles_buffer_download (
          run->device[1], run->bench->queue, 0, keys, 4 * (gsize) run->n, error))
    return FALSE;
  cpu.end_bit = 24;
  for (gsize first = 0, end; first < run->n; first = end) {
    for (end = first + 1; end < run->n && keys[end] >> 24 == keys[first] >> 24;)
      end++;
    gst_gles_cpu_sort (&cpu, keys + first, NULL, sorted + first, NULL, end - first, run->scratch);
  }
  return TRUE;
}

static void
sort_natively (BenchRun *run)
{
  GstGlesCpuSortConfig cpu = gst_gles_cpu_sort_config (GST_GLES_VALUE_U32, FALSE);

  gst_gles_cpu_sort (&cpu, run->input[0], NULL, run->output[0].want, NULL, run->n, run->scratch);
}

static void
prepare_peer (BenchRun *run)
{
  memcpy (run->extra, run->input[0], 4 * (gsize) run->n);
}

static void
sort_with_peer (BenchRun *run)
{
  bench_vqsort_u32 (run->extra, run->n);
}

const BenchExperiment bench_sort_uses[] = {
  {
      .name = "top-k",
      .summary = "the 1000 largest keys, in order, and their places",
      .variable = "GST_GLES_TOP_K_VARIANT",
      .by_input = TRUE,
      .setup = setup_top_k,
      .launch = launch_top_k,
      .native = top_k_natively,
      .naive = top_k_naively,
      .naive_limit = NAIVE_LIMIT,
  },
  {
      .name = "group-by",
      .summary = "keys, counts and sums of 1000 groups: a sort by 10 bits, then segments",
      .variable = "GST_GLES_SEGMENTS_VARIANT",
      .setup = setup_group,
      .launch = launch_group,
      .native = group_natively,
      .naive = group_naively,
  },
  {
      .name = "filter-sort",
      .summary = "values from 2^31 on, sorted; how many is known on the device alone",
      .variable = "GST_GLES_COMPACT_VARIANT",
      .by_input = TRUE,
      .setup = setup_filter,
      .launch = launch_filter,
      .native = filter_natively,
      .naive = filter_naively,
      .naive_limit = NAIVE_LIMIT,
      .peer = filter_with_peer,
      .peer_words = extra_words,
  },
  {
      .name = "sort-hybrid",
      .summary = "the device parts keys by their first byte, the CPU sorts the parts",
      .variable = "GST_GLES_SORT_VARIANT",
      .by_input = TRUE,
      .setup = setup_hybrid,
      .launch = launch_hybrid,
      .native = sort_natively,
      .peer_prepare = prepare_peer,
      .peer = sort_with_peer,
      .peer_words = extra_words,
      .blocking = TRUE,
  },
  { NULL },
};
