/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reduce, scan, compact and unique. */
#include <string.h>

#include <gst/gles/algo/compact/compact.h>
#include <gst/gles/algo/scan/scan.h>
#include <gst/gles/algo/unique/unique.h>
#include <gst/gles/cpu/compact.h>
#include <gst/gles/cpu/scan.h>
#include <gst/gles/cpu/unique.h>

#include "bench.h"

#define BLOCK_SIZE 1024
/* One value in this many begins a segment. */
#define SEGMENT_LENGTH 100

/* ---- scan ---- */

static gboolean
setup_scan (BenchRun *run, GError **error)
{
  run->plan = gst_gles_scan_new (run->bench->queue, run->n, error);
  run->free_plan = (GDestroyNotify) gst_gles_scan_unref;
  if (run->plan == NULL || !bench_run_words (run, 0, BENCH_SEED_VALUES, run->n, 4, error) ||
      !bench_run_buffer (run, 1, 4 * (gsize) run->n, error))
    return FALSE;
  bench_run_output (run, run->device[1], 4 * (gsize) run->n);
  run->bytes = 8 * (guint64) run->n;
  return TRUE;
}

static gboolean
launch_scan (BenchRun *run, GError **error)
{
  return gst_gles_scan_exclusive (run->plan, run->device[0], run->device[1], run->n, error);
}

static void
scan_natively (BenchRun *run)
{
  gst_gles_cpu_scan (run->input[0], run->output[0].want, run->n, FALSE);
}

static void
scan_naively (BenchRun *run)
{
  guint32 sum = 0;

  for (gsize i = 0; i < run->n; i++) {
    run->output[0].naive[i] = sum;
    sum += run->input[0][i];
  }
}

static gboolean
setup_segmented (BenchRun *run, GError **error)
{
  if (!setup_scan (run, error))
    return FALSE;
  run->input[2] = g_new (guint32, run->n + 1);
  for (gsize i = 0; i < run->n; i++)
    run->input[2][i] = bench_random (BENCH_SEED_FLAGS, i) % SEGMENT_LENGTH == 0;
  run->bytes += 4 * (guint64) run->n;
  return bench_run_upload (run, 2, 4 * (gsize) run->n, error);
}

static gboolean
launch_segmented (BenchRun *run, GError **error)
{
  return gst_gles_scan_segmented (
      run->plan, run->device[0], run->device[2], run->device[1], run->n, FALSE, error);
}

static void
segmented_natively (BenchRun *run)
{
  gst_gles_cpu_scan_segmented (run->input[0], run->input[2], run->output[0].want, run->n, FALSE);
}

static void
segmented_naively (BenchRun *run)
{
  guint32 sum = 0;

  for (gsize i = 0; i < run->n; i++) {
    if (run->input[2][i] != 0)
      sum = 0;
    run->output[0].naive[i] = sum;
    sum += run->input[0][i];
  }
}

static gboolean
setup_blocks (BenchRun *run, GError **error)
{
  gsize bytes = 4 * (((gsize) run->n + BLOCK_SIZE - 1) / BLOCK_SIZE);

  if (!setup_scan (run, error) || !bench_run_buffer (run, 2, bytes, error))
    return FALSE;
  bench_run_output (run, run->device[2], bytes);
  run->bytes += bytes;
  return TRUE;
}

static gboolean
launch_blocks (BenchRun *run, GError **error)
{
  const GstGlesScanBlocks blocks = { BLOCK_SIZE, FALSE, run->device[2] };

  return gst_gles_scan_blocks (run->plan, run->device[0], run->device[1], run->n, &blocks, error);
}

static void
blocks_natively (BenchRun *run)
{
  gst_gles_cpu_scan_blocks (
      run->input[0], run->output[0].want, run->n, BLOCK_SIZE, FALSE, run->output[1].want);
}

static void
blocks_naively (BenchRun *run)
{
  guint32 sum = 0;

  for (gsize i = 0; i < run->n; i++) {
    if (i % BLOCK_SIZE == 0)
      sum = 0;
    run->output[0].naive[i] = sum;
    sum += run->input[0][i];
    run->output[1].naive[i / BLOCK_SIZE] = sum;
  }
}

/* ---- compact ---- */

static gboolean
setup_compact (BenchRun *run, GError **error)
{
  guint64 count;

  run->plan = gst_gles_compact_new (run->bench->queue, run->n, error);
  run->free_plan = (GDestroyNotify) gst_gles_compact_unref;
  if (run->plan == NULL || !bench_run_words (run, 0, BENCH_SEED_VALUES, run->n, 4, error) ||
      !bench_run_buffer (run, 1, 4 * (gsize) run->n, error))
    return FALSE;
  count = gst_gles_cpu_compact_range (
      GST_GLES_VALUE_U32, 0x80000000u, G_MAXUINT32, run->input[0], run->n, NULL, NULL, 0);
  bench_run_output (run, run->device[1], 4 * count);
  bench_run_output (run, gst_gles_compact_get_result (run->plan), sizeof (guint64));
  run->bytes = 4 * (run->n + count);
  return TRUE;
}

static gboolean
launch_compact (BenchRun *run, GError **error)
{
  return gst_gles_compact_range (run->plan, GST_GLES_VALUE_U32, 0x80000000u, G_MAXUINT32,
      run->device[0], run->n, run->device[1], NULL, run->n, error);
}

static void
compact_natively (BenchRun *run)
{
  guint64 count = gst_gles_cpu_compact_range (GST_GLES_VALUE_U32, 0x80000000u, G_MAXUINT32,
      run->input[0], run->n, run->output[0].want, NULL, run->output[0].bytes / 4);

  memcpy (run->output[1].want, &count, sizeof (count));
}

static void
compact_naively (BenchRun *run)
{
  guint64 count = 0;

  for (gsize i = 0; i < run->n; i++) {
    if (run->input[0][i] >= 0x80000000u)
      run->output[0].naive[count++] = run->input[0][i];
  }
  memcpy (run->output[1].naive, &count, sizeof (count));
}

/* ---- unique ---- */

static gboolean
setup_unique (BenchRun *run, GError **error)
{
  guint64 count;

  run->plan = gst_gles_unique_new (run->bench->queue, run->n, error);
  run->free_plan = (GDestroyNotify) gst_gles_unique_unref;
  if (run->plan == NULL || !bench_run_words (run, 0, BENCH_SEED_KEYS, run->n, 4, error) ||
      !bench_run_buffer (run, 1, 4 * (gsize) run->n, error))
    return FALSE;
  count = gst_gles_cpu_unique (1, run->input[0], run->n, NULL, 0);
  bench_run_output (run, run->device[1], 4 * count);
  bench_run_output (run, gst_gles_unique_get_result (run->plan), sizeof (guint64));
  run->bytes = 4 * (run->n + count);
  return TRUE;
}

static gboolean
launch_unique (BenchRun *run, GError **error)
{
  return gst_gles_unique_run (
      run->plan, GST_GLES_VALUE_U32, run->device[0], run->n, run->device[1], run->n, error);
}

static void
unique_natively (BenchRun *run)
{
  guint64 count =
      gst_gles_cpu_unique (1, run->input[0], run->n, run->output[0].want, run->output[0].bytes / 4);

  memcpy (run->output[1].want, &count, sizeof (count));
}

static void
unique_naively (BenchRun *run)
{
  guint64 count = 0;

  for (gsize i = 0; i < run->n; i++) {
    if (i == 0 || run->input[0][i] != run->input[0][i - 1])
      run->output[0].naive[count++] = run->input[0][i];
  }
  memcpy (run->output[1].naive, &count, sizeof (count));
}

const BenchExperiment bench_arrays[] = {
  {
      .name = "scan",
      .summary = "exclusive prefix sum of u32, not in place",
      .variable = "GST_GLES_SCAN_VARIANT",
      .by_input = TRUE,
      .setup = setup_scan,
      .launch = launch_scan,
      .native = scan_natively,
      .naive = scan_naively,
  },
  {
      .name = "scan-segmented",
      .summary = "prefix sums within segments of about 100 values, by head flags",
      .variable = "GST_GLES_SCAN_VARIANT",
      .by_input = TRUE,
      .setup = setup_segmented,
      .launch = launch_segmented,
      .native = segmented_natively,
      .naive = segmented_naively,
  },
  {
      .name = "scan-blocks",
      .summary = "prefix sums within blocks of 1024 values, and the sums of blocks",
      .variable = "GST_GLES_SCAN_VARIANT",
      .by_input = TRUE,
      .setup = setup_blocks,
      .launch = launch_blocks,
      .native = blocks_natively,
      .naive = blocks_naively,
  },
  {
      .name = "compact",
      .summary = "values from 2^31 on (half of random ones), in order",
      .variable = "GST_GLES_COMPACT_VARIANT",
      .by_input = TRUE,
      .setup = setup_compact,
      .launch = launch_compact,
      .native = compact_natively,
      .naive = compact_naively,
  },
  {
      .name = "unique",
      .summary = "the first key of every run of equal keys (random ones: all)",
      .variable = "GST_GLES_UNIQUE_VARIANT",
      .by_input = TRUE,
      .setup = setup_unique,
      .launch = launch_unique,
      .native = unique_natively,
      .naive = unique_naively,
  },
  { NULL },
};
