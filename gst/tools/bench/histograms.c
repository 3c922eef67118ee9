/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Histograms of arrays: 256 bins of bytes, more of 16-bit values, over their whole range. */
#include <string.h>

#include <gst/gles/algo/histogram/histogram.h>
#include <gst/gles/cpu/histogram.h>

#include "bench.h"

static guint
key_bytes (const BenchRun *run)
{
  return run->experiment->param <= 256 ? 1 : 2;
}

static gboolean
setup_histogram (BenchRun *run, GError **error)
{
  guint bytes = key_bytes (run), bins = run->experiment->param;

  run->plan = gst_gles_histogram_new (run->bench->queue,
      bytes == 1 ? GST_GLES_KEY_U8 : GST_GLES_KEY_U16, bins, 0, 1u << 8 * bytes, run->n, error);
  run->free_plan = (GDestroyNotify) gst_gles_histogram_unref;
  if (run->plan == NULL ||
      !bench_run_words (run, 0, BENCH_SEED_KEYS, ((gsize) run->n * bytes + 3) / 4, bytes, error) ||
      !bench_run_buffer (run, 1, 4 * (gsize) bins, error))
    return FALSE;
  bench_run_output (run, run->device[1], 4 * (gsize) bins);
  run->bytes = (guint64) run->n * bytes + 4 * bins;
  return TRUE;
}

static gboolean
launch_histogram (BenchRun *run, GError **error)
{
  return gst_gles_histogram_run (run->plan, run->device[0], run->n, run->device[1], error);
}

static void
histogram_natively (BenchRun *run)
{
  GstGlesCpuBinning binning;
  guint bytes = key_bytes (run);

  gst_gles_cpu_binning_init (&binning, 0, 1u << 8 * bytes, run->experiment->param);
  gst_gles_cpu_histogram (&binning, bytes, run->input[0], run->n, run->output[0].want, NULL);
}

static void
histogram_naively (BenchRun *run)
{
  const guint8 *bytes = (const guint8 *) run->input[0];
  const guint16 *words = (const guint16 *) run->input[0];
  const guint64 bins = run->experiment->param;
  guint32 *counts = run->output[0].naive;

  memset (counts, 0, run->output[0].bytes);
  if (key_bytes (run) == 1) {
    for (gsize i = 0; i < run->n; i++)
      counts[bytes[i]]++;
  } else {
    for (gsize i = 0; i < run->n; i++)
      counts[words[i] * bins >> 16]++;
  }
}

#define HISTOGRAM(bins)                                                                            \
  .variable = "GST_GLES_HISTOGRAM_VARIANT", .by_input = TRUE, .param = bins,                       \
  .setup = setup_histogram, .launch = launch_histogram, .native = histogram_natively,              \
  .naive = histogram_naively

const BenchExperiment bench_histograms[] = {
  {
      .name = "histogram-256",
      .summary = "256 bins of bytes",
      HISTOGRAM (256),
  },
  {
      .name = "histogram-512",
      .summary = "512 bins of 16-bit values",
      HISTOGRAM (512),
  },
  {
      .name = "histogram-1024",
      .summary = "1024 bins of 16-bit values",
      HISTOGRAM (1024),
  },
  {
      .name = "histogram-2048",
      .summary = "2048 bins of 16-bit values",
      HISTOGRAM (2048),
  },
  {
      .name = "histogram-4096",
      .summary = "4096 bins of 16-bit values",
      HISTOGRAM (4096),
  },
  {
      .name = "histogram-12288",
      .summary = "12288 bins of 16-bit values",
      HISTOGRAM (12288),
  },
  {
      .name = "histogram-16384",
      .summary = "16384 bins of 16-bit values",
      HISTOGRAM (16384),
  },
  {
      .name = "histogram-32768",
      .summary = "32768 bins of 16-bit values",
      HISTOGRAM (32768),
  },
  {
      .name = "histogram-65536",
      .summary = "65536 bins of 16-bit values",
      HISTOGRAM (65536),
  },
  { NULL },
};
