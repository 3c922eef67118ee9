/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sorts of keys, with and without a payload; and uses of sorts: the largest keys, groups, and a
 * sort that device and CPU share. */
#include <stdlib.h>
#include <string.h>

#include <gst/gles/algo/segments/segments.h>
#include <gst/gles/algo/sort/sort.h>
#include <gst/gles/algo/top-k/top-k.h>
#include <gst/gles/cpu/segments/segments.h>
#include <gst/gles/cpu/sort/sort.h>
#include <gst/gles/cpu/top-k/top-k.h>

#include "bench.h"

#define TOP_K 1000u
#define N_GROUPS 1000

/* Makes the plan of a sort of the bits from @begin to @end (0: all), and what the twin needs. */
static void
plan_sort (BenchRun *run, GstGlesValueType type, gboolean payload, guint begin, guint end)
{
  GstGlesCpuSortConfig cpu = gst_gles_cpu_sort_config (type, FALSE);
  GstGlesSortConfig config;

  gst_gles_sort_config_init (&config, type);
  config.payload = payload;
  config.begin_bit = begin;
  if (end > 0)
    config.end_bit = end;
  run->plan = BENCH_PLAN (run, gst_gles_sort, &config, run->n);
  run->scratch = bench_alloc (run, gst_gles_cpu_sort_scratch_bytes (&cpu, run->n, payload));
}

/* ---- sorts: input 0 keys, 3 payloads; output 0 sorted keys, 1 sorted payloads ---- */

static GstGlesValueType
type_of (const BenchRun *run)
{
  return (GstGlesValueType) run->experiment->param;
}

static guint
key_bytes (const BenchRun *run)
{
  return type_of (run) == GST_GLES_VALUE_U64 ? 8 : 4;
}

static void
setup_keys (BenchRun *run)
{
  const gsize bytes = key_bytes (run) * run->n;

  if (run->plan == NULL)
    plan_sort (run, type_of (run), FALSE, 0, 0);
  bench_words (run, 0, BENCH_SEED_KEYS, bytes / 4, key_bytes (run));
  bench_output (run, bench_buffer (run, 1, bytes), bytes);
  run->bytes = 2 * bytes;
}

static void
setup_pairs (BenchRun *run)
{
  plan_sort (run, type_of (run), TRUE, 0, 0);
  setup_keys (run);
  run->in[3] = bench_alloc (run, 4 * run->n);
  for (gsize i = 0; i < run->n; i++)
    run->in[3][i] = (guint32) i;
  bench_upload (run, 3, 4 * run->n);
  bench_output (run, bench_buffer (run, 2, 4 * run->n), 4 * run->n);
  run->bytes += 8 * run->n;
}

static gboolean
launch_sort (BenchRun *run, GError **error)
{
  return gst_gles_sort_run (
      run->plan, run->device[0], run->device[3], run->device[1], run->device[2], run->n, error);
}

static void
sort_natively (BenchRun *run, guint32 *const *to)
{
  GstGlesCpuSortConfig cpu = gst_gles_cpu_sort_config (type_of (run), FALSE);

  gst_gles_cpu_sort (
      &cpu, &(GstGlesCpuSortBuffers){ run->in[0], run->in[3], to[0], to[1] }, run->n, run->scratch);
}

/* Keys as upper words and their places as lower words, for sorts that are not stable. */
static void
make_pairs (const BenchRun *run, guint64 *pairs)
{
  for (gsize i = 0; i < run->n; i++)
    pairs[i] = (guint64) run->in[0][i] << 32 | i;
}

static gboolean
peer_keys (BenchRun *run)
{
  if (run->peer == NULL)
    run->peer = bench_alloc (run, key_bytes (run) * run->n);
  memcpy (run->peer, run->in[0], key_bytes (run) * run->n);
  return key_bytes (run) == 8;
}

static gboolean
peer_pairs (BenchRun *run)
{
  if (run->peer == NULL)
    run->peer = bench_alloc (run, 8 * run->n);
  make_pairs (run, run->peer);
  return TRUE;
}

/* ---- hybrid: the device partitions keys by their first byte, the CPU sorts the parts ---- */

static void
setup_hybrid (BenchRun *run)
{
  plan_sort (run, GST_GLES_VALUE_U32, FALSE, 24, 0);
  bench_words (run, 0, BENCH_SEED_KEYS, run->n, 4);
  bench_buffer (run, 1, 4 * run->n);
  bench_output (run, NULL, 4 * run->n);
  run->data = bench_alloc (run, 4 * run->n);
  run->bytes = 8 * run->n;
}

static gboolean
launch_hybrid (BenchRun *run, GError **error)
{
  GstGlesCpuSortConfig cpu = gst_gles_cpu_sort_config (GST_GLES_VALUE_U32, FALSE);
  guint32 *keys = run->data, *sorted = run->output[0].host;

  if (!launch_sort (run, error) ||
      !gst_gles_buffer_download (run->device[1], run->bench->queue, 0, keys, 4 * run->n, error))
    return FALSE;
  cpu.end_bit = 24;
  for (gsize first = 0, end; first < run->n; first = end) {
    for (end = first + 1; end < run->n && keys[end] >> 24 == keys[first] >> 24;)
      end++;
    gst_gles_cpu_sort (&cpu, &(GstGlesCpuSortBuffers){ keys + first, NULL, sorted + first, NULL },
        end - first, run->scratch);
  }
  return TRUE;
}

/* ---- top-k: output 0 keys, 1 indices ---- */

static guint
top_k_of (const BenchRun *run)
{
  return MIN (TOP_K, run->n);
}

static void
setup_top_k (BenchRun *run)
{
  const gsize bytes = 4 * (gsize) top_k_of (run);

  run->plan = BENCH_PLAN (run, gst_gles_top_k, GST_GLES_VALUE_U32, TRUE, run->n, top_k_of (run));
  bench_words (run, 0, BENCH_SEED_KEYS, run->n, 4);
  bench_output (run, bench_buffer (run, 1, bytes), bytes);
  bench_output (run, bench_buffer (run, 2, bytes), bytes);
  run->scratch = bench_alloc (run, gst_gles_cpu_top_k_scratch_bytes (top_k_of (run)));
  run->bytes = 4 * run->n;
}

static gboolean
launch_top_k (BenchRun *run, GError **error)
{
  return gst_gles_top_k_run (
      run->plan, run->device[0], run->n, top_k_of (run), run->device[1], run->device[2], error);
}

static void
top_k_natively (BenchRun *run, guint32 *const *to)
{
  gst_gles_cpu_top_k (&(GstGlesCpuTopK){ GST_GLES_VALUE_U32, TRUE, top_k_of (run), to[0], to[1] },
      run->in[0], run->n, run->scratch);
}

/* ---- group-by: sorts keys with values, then sums per key ---- */

/* Where the groups' keys, counts and sums are in one buffer each. */
typedef struct {
  GstGlesBuffer *buffers[3];
  guint32 *sorted; /* of the twin: keys, then values */
} Groups;

static guint
count_groups (const BenchRun *run)
{
  guint8 seen[N_GROUPS] = { 0 };
  guint n = 0;

  for (gsize i = 0; i < run->n; i++) {
    n += seen[run->in[0][i]] == 0;
    seen[run->in[0][i]] = 1;
  }
  return n;
}

/* device: 0 keys, 1 values, 2 sorted keys, 3 sorted values */
static void
setup_group (BenchRun *run)
{
  const gsize bytes = 4 * run->n;
  Groups *groups = run->data = bench_alloc (run, sizeof (Groups));

  plan_sort (run, GST_GLES_VALUE_U32, TRUE, 0, 10);
  run->plan_2 = BENCH_PLAN (run, gst_gles_segments, run->n);
  run->in[0] = bench_alloc (run, bytes);
  for (gsize i = 0; i < run->n; i++)
    run->in[0][i] = bench_random (BENCH_SEED_KEYS, i) % N_GROUPS;
  bench_upload (run, 0, bytes);
  bench_words (run, 1, BENCH_SEED_VALUES, run->n, 4);
  bench_buffer (run, 2, bytes);
  bench_buffer (run, 3, bytes);
  for (guint i = 0; run->error == NULL && i < G_N_ELEMENTS (groups->buffers); i++) {
    groups->buffers[i] =
        bench_keep (run, gst_gles_buffer_new (run->bench->device, 4 * N_GROUPS, &run->error),
            (GDestroyNotify) gst_gles_buffer_unref);
    bench_output (run, groups->buffers[i], 4 * (gsize) count_groups (run));
  }
  groups->sorted = bench_alloc (run, 2 * bytes);
  run->bytes = 8 * run->n;
}

static gboolean
launch_group (BenchRun *run, GError **error)
{
  const Groups *groups = run->data;
  const GstGlesSegmentsOutputs outputs = {
    .keys = groups->buffers[0], .counts = groups->buffers[1], .sums = groups->buffers[2]
  };

  return gst_gles_sort_run (run->plan, run->device[0], run->device[1], run->device[2],
             run->device[3], run->n, error) &&
      gst_gles_segments_run (run->plan_2, GST_GLES_VALUE_U32, run->device[2], GST_GLES_VALUE_U32,
          run->device[3], run->n, &outputs, error);
}

static void
group_natively (BenchRun *run, guint32 *const *to)
{
  GstGlesCpuSortConfig cpu = gst_gles_cpu_sort_config (GST_GLES_VALUE_U32, FALSE);
  guint32 *keys = ((Groups *) run->data)->sorted, *values = keys + run->n;
  GstGlesCpuSegments out = {
    .keys = to[0], .counts = to[1], .sums = to[2], .capacity = run->output[0].bytes / 4
  };

  gst_gles_cpu_sort (
      &cpu, &(GstGlesCpuSortBuffers){ run->in[0], run->in[1], keys, values }, run->n, run->scratch);
  gst_gles_cpu_segments (
      &(GstGlesCpuKeyed){ GST_GLES_VALUE_U32, keys, GST_GLES_VALUE_U32, values }, run->n, &out);
}

/* ---- the table ---- */

#define SORT(name, what, type, setup_, keys)                                                       \
  {                                                                                                \
    BENCH_EXPERIMENT (name, what, "SORT", setup_, launch_sort, sort_natively),                     \
        .by_input = TRUE, .param = type, .peer_keys = keys                                         \
  }

const BenchExperiment bench_sorts[] = {
  SORT ("sort-keys", "u32 keys", GST_GLES_VALUE_U32, setup_keys, peer_keys),
  SORT ("sort-pairs", "u32 keys with a u32 payload, stable", GST_GLES_VALUE_U32, setup_pairs,
      peer_pairs),
  SORT ("sort-u64", "64-bit keys", GST_GLES_VALUE_U64, setup_keys, peer_keys),
  SORT ("sort-float", "f32 keys of all bits: both zeros, infinities, denormals, NaNs",
      GST_GLES_VALUE_F32, setup_keys, NULL),
  { BENCH_EXPERIMENT ("top-k", "the 1000 largest keys, in order, and their places", "TOP_K",
        setup_top_k, launch_top_k, top_k_natively),
      .by_input = TRUE },
  { BENCH_EXPERIMENT ("group-by",
      "keys, counts and sums of 1000 groups: a sort by 10 bits, then segments", "SEGMENTS",
      setup_group, launch_group, group_natively) },
  { BENCH_EXPERIMENT ("sort-hybrid",
        "the device parts keys by their first byte, the CPU sorts the parts", "SORT", setup_hybrid,
        launch_hybrid, sort_natively),
      .by_input = TRUE, .blocking = TRUE, .param = GST_GLES_VALUE_U32, .peer_keys = peer_keys },
  { NULL },
};
