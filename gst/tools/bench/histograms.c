/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Histograms of arrays of bytes or 16-bit values: each an image of one component, as that is what the
 * plan takes. */
#include <string.h>

#include <gst/gles/algo/histogram.h>

#include "bench.h"

/* Rows of so many samples, the first that divides the array; others are cut to whole rows. */
static const guint row_sizes[] = { 2048, 2000, 1000 };

static guint
row_size (guint n)
{
  for (guint i = 0; i < G_N_ELEMENTS (row_sizes); i++) {
    if (n % row_sizes[i] == 0)
      return row_sizes[i];
  }
  return MIN (n, row_sizes[0]);
}

static gboolean
launch_histogram (BenchRun *run, GError **error)
{
  return gst_gles_histogram_run (run->plan, run->extra, NULL, run->device[1], error);
}

/* 256 bins are of bytes, more of 16-bit values: bin = value * bins >> 16. */
static gboolean
setup_histogram (BenchRun *run, GError **error)
{
  guint bytes = run->experiment->param == 256 ? 1 : 2;
  guint row = row_size (run->n), rows = run->n / row;
  GstGlesImage *image = g_new0 (GstGlesImage, 1);
  GstGlesHistogramConfig config = { 0, 0, row, rows, 1, 1, 1u << 8 * bytes, FALSE };

  run->extra = image;
  run->n = rows * row;
  *image = (GstGlesImage){ .width = row,
    .height = rows,
    .crop_width = row,
    .crop_height = rows,
    .n_components = 1,
    .names = { "Y" },
    .luma = GST_GLES_LUMA_STORED,
    .luma_depth = 8 * bytes };
  image->components[0] = (GstGlesComponent){ .stride = row * bytes,
    .step = bytes,
    .word_bytes = bytes,
    .depth = 8 * bytes,
    .width = row,
    .height = rows };
  run->plan = gst_gles_histogram_new (run->bench->queue, image, &config, error);
  run->free_plan = (GDestroyNotify) gst_gles_histogram_free;
  if (run->plan == NULL ||
      !bench_run_words (run, 0, BENCH_SEED_KEYS, (gsize) run->n * bytes / 4, error))
    return FALSE;
  image->buffer = run->device[0];
  image->planes[0] = (const guint8 *) run->input[0];
  gsize size = gst_gles_histogram_get_layout (run->plan)->size_bytes;
  if (!bench_run_buffer (run, 1, size, error))
    return FALSE;
  /* the layout's other words follow the counters; the twin writes them too */
  BenchOutput *output = bench_run_output (run, run->device[1], size);
  output->bytes = 4 * (gsize) config.bins;
  run->bytes = (guint64) run->n * bytes;
  return TRUE;
}

static void
histogram_natively (BenchRun *run)
{
  gst_gles_histogram_run_native (run->plan, run->extra, NULL, run->output[0].want);
}

static void
histogram_naively (BenchRun *run)
{
  const guint8 *bytes = (const guint8 *) run->input[0];
  const guint16 *words = (const guint16 *) run->input[0];
  guint32 *counts = run->output[0].naive;

  memset (counts, 0, run->output[0].bytes);
  for (gsize i = 0; i < run->n; i++) {
    if (run->experiment->param == 256)
      counts[bytes[i]]++;
    else
      counts[words[i]]++;
  }
}

const BenchExperiment bench_histograms[] = {
  {
      .name = "histogram-256",
      .summary = "256 bins of bytes",
      .variable = "GST_GLES_HISTOGRAM_VARIANT",
      .param = 256,
      .setup = setup_histogram,
      .launch = launch_histogram,
      .native = histogram_natively,
      .naive = histogram_naively,
  },
  {
      .name = "histogram-65536",
      .summary = "65536 bins of 16-bit values",
      .variable = "GST_GLES_HISTOGRAM_VARIANT",
      .param = 65536,
      .setup = setup_histogram,
      .launch = launch_histogram,
      .native = histogram_natively,
      .naive = histogram_naively,
  },
  { NULL },
};
