/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reduce, scan, compact and histogram. */
#include <string.h>

#include <gst/gles/algo/compact/compact.h>
#include <gst/gles/algo/histogram/histogram.h>
#include <gst/gles/algo/reduce/reduce.h>
#include <gst/gles/algo/scan/scan.h>
#include <gst/gles/cpu/compact/compact.h>
#include <gst/gles/cpu/histogram/histogram.h>
#include <gst/gles/cpu/reduce/reduce.h>
#include <gst/gles/cpu/scan/scan.h>

#include "bench.h"

/* One value in this many begins a segment. */
#define SEGMENT_LENGTH 100
/* The least value that compact lists. */
#define LOWER 0x80000000u

/* ---- reduce ---- */

static GstGlesValueType
type_of (const BenchRun *run)
{
  return (GstGlesValueType) run->experiment->param;
}

static void
setup_reduce (BenchRun *run)
{
  run->plan = BENCH_PLAN (run, gst_gles_reduce, run->n);
  bench_words (run, 0, BENCH_SEED_VALUES, run->n, 4);
  if (run->error != NULL)
    return;
  if (type_of (run) == GST_GLES_VALUE_F32) {
    /* Finite floats between -2 and 2, so that no sum ends in infinity or NaN. */
    for (gsize i = 0; i < run->n; i++)
      run->in[0][i] &= 0xbfffffff;
    gst_gles_buffer_upload (
        run->device[0], run->bench->queue, 0, run->in[0], 4 * run->n, &run->error);
  }
  bench_output (run, gst_gles_reduce_get_result (run->plan), sizeof (guint64));
  run->bytes = 4 * run->n;
}

static gboolean
launch_reduce (BenchRun *run, GError **error)
{
  return gst_gles_reduce_run (
      run->plan, GST_GLES_REDUCE_SUM, type_of (run), run->device[0], run->n, error);
}

static void
reduce_natively (BenchRun *run, guint32 *const *to)
{
  const guint64 sum = type_of (run) == GST_GLES_VALUE_F32
      ? gst_gles_cpu_reduce_sum_f32 (run->in[0], run->n)
      : gst_gles_cpu_reduce_sum (run->in[0], run->n);

  memcpy (to[0], &sum, sizeof (sum));
}

/* ---- scan: in[2] are the head flags of segments, if there are any ---- */

static void
setup_scan (BenchRun *run)
{
  run->plan = BENCH_PLAN (run, gst_gles_scan, run->n);
  bench_words (run, 0, BENCH_SEED_VALUES, run->n, 4);
  bench_output (run, bench_buffer (run, 1, 4 * run->n), 4 * run->n);
  run->bytes = 8 * run->n;
}

static void
setup_segmented (BenchRun *run)
{
  setup_scan (run);
  run->in[2] = bench_alloc (run, 4 * run->n);
  for (gsize i = 0; i < run->n; i++)
    run->in[2][i] = bench_random (BENCH_SEED_FLAGS, i) % SEGMENT_LENGTH == 0;
  run->bytes += 4 * run->n;
  bench_upload (run, 2, 4 * run->n);
}

static gboolean
launch_scan (BenchRun *run, GError **error)
{
  if (run->in[2] == NULL)
    return gst_gles_scan_exclusive (run->plan, run->device[0], run->device[1], run->n, error);
  return gst_gles_scan_segmented (
      run->plan, run->device[0], run->device[2], run->device[1], run->n, FALSE, error);
}

static void
scan_natively (BenchRun *run, guint32 *const *to)
{
  if (run->in[2] == NULL)
    gst_gles_cpu_scan (run->in[0], to[0], run->n, FALSE);
  else
    gst_gles_cpu_scan_segmented (run->in[0], run->in[2], to[0], run->n, FALSE);
}

/* ---- compact: output 0 values, 1 their number ---- */

static guint64
list_values (BenchRun *run, guint32 *target, gsize capacity)
{
  return gst_gles_cpu_compact_range (
      &(GstGlesCpuValueRange){ GST_GLES_VALUE_U32, LOWER, G_MAXUINT32 }, run->in[0], run->n,
      &(GstGlesCpuCompacted){ target, NULL, capacity });
}

static void
setup_compact (BenchRun *run)
{
  guint64 count;

  run->plan = BENCH_PLAN (run, gst_gles_compact, run->n);
  bench_words (run, 0, BENCH_SEED_VALUES, run->n, 4);
  bench_buffer (run, 1, 4 * run->n);
  if (run->error != NULL)
    return;
  count = list_values (run, NULL, 0);
  bench_output (run, run->device[1], 4 * count);
  bench_output (run, gst_gles_compact_get_result (run->plan), sizeof (count));
  run->bytes = 4 * (run->n + count);
}

static gboolean
launch_compact (BenchRun *run, GError **error)
{
  return gst_gles_compact_range (run->plan, GST_GLES_VALUE_U32, LOWER, G_MAXUINT32, run->device[0],
      run->n, run->device[1], NULL, run->n, error);
}

static void
compact_natively (BenchRun *run, guint32 *const *to)
{
  const guint64 count = list_values (run, to[0], run->output[0].bytes / 4);

  memcpy (to[1], &count, sizeof (count));
}

/* ---- histogram: 256 bins of bytes, more of 16-bit values, over their whole range ---- */

static guint
key_bytes (const BenchRun *run)
{
  return run->experiment->param <= 256 ? 1 : 2;
}

static void
setup_histogram (BenchRun *run)
{
  const guint bytes = key_bytes (run), bins = run->experiment->param;

  run->plan = BENCH_PLAN (run, gst_gles_histogram, bytes == 1 ? GST_GLES_KEY_U8 : GST_GLES_KEY_U16,
      bins, 0, 1u << 8 * bytes, run->n);
  bench_words (run, 0, BENCH_SEED_KEYS, (run->n * bytes + 3) / 4, bytes);
  bench_output (run, bench_buffer (run, 1, 4 * (gsize) bins), 4 * (gsize) bins);
  run->bytes = run->n * bytes + 4 * bins;
}

static gboolean
launch_histogram (BenchRun *run, GError **error)
{
  return gst_gles_histogram_run (run->plan, run->device[0], run->n, run->device[1], error);
}

static void
histogram_natively (BenchRun *run, guint32 *const *to)
{
  GstGlesCpuBinning binning;
  const guint bytes = key_bytes (run);

  gst_gles_cpu_binning_init (&binning, 0, 1u << 8 * bytes, run->experiment->param);
  gst_gles_cpu_histogram (&binning, &(GstGlesCpuKeys){ run->in[0], run->n, bytes }, to[0], NULL);
}

/* ---- the table ---- */

#define REDUCE(name, what, type)                                                                   \
  BENCH_EXPERIMENT (name, what, "REDUCE", setup_reduce, launch_reduce, reduce_natively),           \
      .param = type
#define HISTOGRAM(bins, of)                                                                        \
  {                                                                                                \
    BENCH_EXPERIMENT ("histogram-" #bins, #bins " bins of " of, "HISTOGRAM", setup_histogram,      \
        launch_histogram, histogram_natively),                                                     \
        .by_input = TRUE, .param = bins                                                            \
  }

const BenchExperiment bench_arrays[] = {
  { REDUCE ("reduce", "64-bit sum of u32", GST_GLES_VALUE_U32), .by_input = TRUE },
  { REDUCE ("reduce-f32", "sum of f32 in an order of its own, the same bits everywhere",
      GST_GLES_VALUE_F32) },
  { BENCH_EXPERIMENT ("scan", "exclusive prefix sum of u32, not in place", "SCAN", setup_scan,
        launch_scan, scan_natively),
      .by_input = TRUE },
  { BENCH_EXPERIMENT ("scan-segmented",
        "prefix sums within segments of about 100 values, by head flags", "SCAN", setup_segmented,
        launch_scan, scan_natively),
      .by_input = TRUE },
  { BENCH_EXPERIMENT ("compact", "values from 2^31 on (half of random ones), in order", "COMPACT",
        setup_compact, launch_compact, compact_natively),
      .by_input = TRUE },
  HISTOGRAM (256, "bytes"),
  HISTOGRAM (512, "16-bit values"),
  HISTOGRAM (1024, "16-bit values"),
  HISTOGRAM (2048, "16-bit values"),
  HISTOGRAM (4096, "16-bit values"),
  HISTOGRAM (12288, "16-bit values"),
  HISTOGRAM (65536, "16-bit values"),
  { NULL },
};
