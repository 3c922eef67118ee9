/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sorts of keys, with and without a payload. */
#include <stdlib.h>
#include <string.h>

#include <gst/gles/algo/sort/sort.h>
#include <gst/gles/cpu/sort.h>

#include "bench.h"

/* Above this number of keys qsort() takes seconds. */
#define NAIVE_LIMIT 4e6

static GstGlesValueType
type_of (const BenchRun *run)
{
  return (GstGlesValueType) run->experiment->param;
}

static gsize
key_bytes (const BenchRun *run)
{
  return 4 * (gsize) run->n * (type_of (run) == GST_GLES_VALUE_U64 ? 2 : 1);
}

static gboolean
with_payload (const BenchRun *run)
{
  return run->output[1].want != NULL;
}

/* device: 0 keys, 1 sorted keys, 2 sorted payloads, 3 payloads */
static gboolean
setup (BenchRun *run, gboolean payload, GError **error)
{
  GstGlesCpuSortConfig cpu = gst_gles_cpu_sort_config (type_of (run), FALSE);
  GstGlesSortConfig config;

  gst_gles_sort_config_init (&config, type_of (run));
  config.payload = payload;
  run->plan = gst_gles_sort_new (run->bench->queue, &config, run->n, error);
  run->free_plan = (GDestroyNotify) gst_gles_sort_unref;
  if (run->plan == NULL ||
      !bench_run_words (run, 0, BENCH_SEED_KEYS, key_bytes (run) / 4,
          type_of (run) == GST_GLES_VALUE_U64 ? 8 : 4, error) ||
      !bench_run_buffer (run, 1, key_bytes (run), error))
    return FALSE;
  bench_run_output (run, run->device[1], key_bytes (run));
  run->bytes = 2 * key_bytes (run);
  if (payload) {
    run->input[3] = g_new (guint32, run->n + 1);
    for (gsize i = 0; i < run->n; i++)
      run->input[3][i] = (guint32) i;
    if (!bench_run_upload (run, 3, 4 * (gsize) run->n, error) ||
        !bench_run_buffer (run, 2, 4 * (gsize) run->n, error))
      return FALSE;
    bench_run_output (run, run->device[2], 4 * (gsize) run->n);
    run->bytes += 8 * (guint64) run->n;
  }
  run->scratch = g_malloc (MAX (gst_gles_cpu_sort_scratch_bytes (&cpu, run->n, payload), 8));
  return TRUE;
}

static gboolean
setup_keys (BenchRun *run, GError **error)
{
  return setup (run, FALSE, error);
}

static gboolean
setup_pairs (BenchRun *run, GError **error)
{
  return setup (run, TRUE, error);
}

static gboolean
launch_sort (BenchRun *run, GError **error)
{
  return gst_gles_sort_run (
      run->plan, run->device[0], run->device[3], run->device[1], run->device[2], run->n, error);
}

static void
sort_natively (BenchRun *run)
{
  GstGlesCpuSortConfig cpu = gst_gles_cpu_sort_config (type_of (run), FALSE);

  gst_gles_cpu_sort (&cpu, run->input[0], run->input[3], run->output[0].want, run->output[1].want,
      run->n, run->scratch);
}

/* ---- with qsort() ---- */

static int
compare_u32 (const void *a, const void *b)
{
  guint32 x = *(const guint32 *) a, y = *(const guint32 *) b;

  return x < y ? -1 : x > y;
}

static int
compare_f32 (const void *a, const void *b)
{
  guint32 x = GST_GLES_F32_TO_KEY (*(const guint32 *) a);
  guint32 y = GST_GLES_F32_TO_KEY (*(const guint32 *) b);

  return x < y ? -1 : x > y;
}

static int
compare_u64 (const void *a, const void *b)
{
  guint64 x = *(const guint64 *) a, y = *(const guint64 *) b;

  return x < y ? -1 : x > y;
}

/* Combines key and index in one word, so that any sort gives the order of a stable sort. */
static guint64 *
make_pairs (const BenchRun *run)
{
  guint64 *pairs = g_new (guint64, run->n + 1);

  for (gsize i = 0; i < run->n; i++)
    pairs[i] = (guint64) run->input[0][i] << 32 | i;
  return pairs;
}

static void
split_pairs (const guint64 *pairs, gsize n, guint32 *keys, guint32 *payloads)
{
  for (gsize i = 0; i < n; i++) {
    keys[i] = (guint32) (pairs[i] >> 32);
    payloads[i] = (guint32) pairs[i];
  }
}

static void
sort_naively (BenchRun *run)
{
  guint32 *keys = run->output[0].naive;

  if (with_payload (run)) {
    g_autofree guint64 *pairs = make_pairs (run);
    qsort (pairs, run->n, sizeof (guint64), compare_u64);
    split_pairs (pairs, run->n, keys, run->output[1].naive);
    return;
  }
  memcpy (keys, run->input[0], key_bytes (run));
  if (type_of (run) == GST_GLES_VALUE_U64)
    qsort (keys, run->n, sizeof (guint64), compare_u64);
  else
    qsort (keys, run->n, sizeof (guint32),
        type_of (run) == GST_GLES_VALUE_F32 ? compare_f32 : compare_u32);
}

/* ---- with VQSort, in run->extra ---- */

static void
prepare_peer (BenchRun *run)
{
  if (run->extra == NULL)
    run->extra = g_malloc (8 * (gsize) run->n + 64);
  memcpy (run->extra, run->input[0], key_bytes (run));
  if (type_of (run) == GST_GLES_VALUE_F32) {
    guint32 *keys = run->extra;
    for (gsize i = 0; i < run->n; i++)
      keys[i] = GST_GLES_F32_TO_KEY (keys[i]);
  }
}

static void
prepare_peer_pairs (BenchRun *run)
{
  g_free (run->extra);
  run->extra = make_pairs (run);
}

static void
sort_with_peer (BenchRun *run)
{
  if (type_of (run) == GST_GLES_VALUE_U64 || with_payload (run))
    bench_vqsort_u64 (run->extra, run->n);
  else
    bench_vqsort_u32 (run->extra, run->n);
}

static void
sort_in_parallel (BenchRun *run)
{
  if (type_of (run) == GST_GLES_VALUE_U64 || with_payload (run))
    bench_parallel_sort_u64 (run->extra, run->n);
  else
    bench_parallel_sort_u32 (run->extra, run->n);
}

static const guint32 *
peer_words (BenchRun *run)
{
  guint32 *keys = run->extra;

  if (type_of (run) == GST_GLES_VALUE_F32) {
    for (gsize i = 0; i < run->n; i++)
      keys[i] = GST_GLES_KEY_TO_F32 (keys[i]);
  } else if (with_payload (run)) {
    const guint64 *pairs = run->extra;
    for (gsize i = 0; i < run->n; i++)
      keys[i] = (guint32) (pairs[i] >> 32);
  }
  return keys;
}

static void
stable_sort (BenchRun *run)
{
  bench_stable_sort_pairs (run->extra, run->n);
}

#define SORT(type, set_up, prepare)                                                                \
  .variable = "GST_GLES_SORT_VARIANT", .by_input = TRUE, .param = type, .setup = set_up,           \
  .launch = launch_sort, .native = sort_natively, .naive = sort_naively,                           \
  .naive_limit = NAIVE_LIMIT, .peer_prepare = prepare, .peer = sort_with_peer,                     \
  .parallel = sort_in_parallel, .peer_words = peer_words

const BenchExperiment bench_sorts[] = {
  {
      .name = "sort-keys",
      .summary = "u32 keys",
      SORT (GST_GLES_VALUE_U32, setup_keys, prepare_peer),
  },
  {
      .name = "sort-pairs",
      .summary = "u32 keys with a u32 payload, stable",
      SORT (GST_GLES_VALUE_U32, setup_pairs, prepare_peer_pairs),
      .stable_sort = stable_sort,
  },
  {
      .name = "sort-u64",
      .summary = "64-bit keys",
      SORT (GST_GLES_VALUE_U64, setup_keys, prepare_peer),
  },
  {
      .name = "sort-float",
      .summary = "f32 keys of all bits: both zeros, infinities, denormals, NaNs",
      SORT (GST_GLES_VALUE_F32, setup_keys, prepare_peer),
  },
  { NULL },
};
