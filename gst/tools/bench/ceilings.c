/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The ceilings of the machine: copies measure the bandwidth, matrix products the arithmetic. */
#include <string.h>

#include <gst/gles/core/parallel.h>
#include <layout.h>

#include "bench.h"

/* ---- copy ---- */

static gboolean
setup_copy (BenchRun *run, GError **error)
{
  gsize bytes = 4 * (gsize) run->n;

  if (!bench_run_words (run, 0, BENCH_SEED_KEYS, run->n, 4, error) ||
      !bench_run_buffer (run, 1, bytes, error))
    return FALSE;
  if (!run->bench->is_cpu) {
    run->plan = bench_kernel_copy (run->bench->queue, error);
    run->free_plan = (GDestroyNotify) gst_gles_program_unref;
    if (run->plan == NULL)
      return FALSE;
  }
  bench_run_output (run, run->device[1], bytes);
  run->bytes = 2 * bytes;
  return TRUE;
}

static gboolean
launch_copy (BenchRun *run, GError **error)
{
  gsize bytes = 4 * (gsize) run->n;

  if (run->bench->is_cpu) {
    memcpy (gst_gles_buffer_peek_memory (run->device[1]),
        gst_gles_buffer_peek_memory (run->device[0]), bytes);
    return TRUE;
  }
  return bench_copy_launch (run->bench, run->plan, run->device[0], run->device[1], bytes, error);
}

static void
copy_natively (BenchRun *run)
{
  memcpy (run->output[0].want, run->input[0], run->output[0].bytes);
}

static void
copy_naively (BenchRun *run)
{
  for (gsize i = 0; i < run->n; i++)
    run->output[0].naive[i] = run->input[0][i];
}

/* ---- matmul ---- */

#define MATMUL_TILE 64
/* Rows of the largest matrix: larger ones give the same rate, and take a CPU seconds. */
#define MATMUL_MOST 4096
#define MATMUL_MOST_CPU 512

typedef struct {
  guint size;
  const gfloat *a, *b;
  gfloat *product;
} Matmul;

/* Small integers: every sum is exact, in any order and with or without fused multiply-add. */
static void
fill_matrix (gfloat *matrix, guint n, guint32 seed)
{
  for (guint i = 0; i < n; i++)
    matrix[i] = (gfloat) ((gint) (bench_random (seed, i) & 15) - 8);
}

static void
multiply_rows (const Matmul *m, guint first, guint end)
{
  memset (m->product + (gsize) first * m->size, 0, 4 * (gsize) (end - first) * m->size);
  for (guint row = first; row < end; row++) {
    gfloat *product = m->product + (gsize) row * m->size;
    for (guint k = 0; k < m->size; k++) {
      const gfloat a = m->a[(gsize) row * m->size + k];
      const gfloat *b = m->b + (gsize) k * m->size;
      for (guint i = 0; i < m->size; i++)
        product[i] += a * b[i];
    }
  }
}

static void
multiply_tile (guint task, guint participant, gpointer user_data)
{
  multiply_rows (user_data, task * MATMUL_TILE, (task + 1) * MATMUL_TILE);
}

static gboolean
setup_matmul (BenchRun *run, GError **error)
{
  Matmul *m = g_new0 (Matmul, 1);
  guint most = MATMUL_MOST;
  gsize words;

  run->extra = m;
  /* The largest square of whole tiles with at most n elements, at least one tile. */
  m->size = MATMUL_TILE;
  if (gst_gles_device_get_kind (run->bench->device) != GST_GLES_DEVICE_HARDWARE)
    most = MATMUL_MOST_CPU;
  while ((guint64) (m->size + MATMUL_TILE) * (m->size + MATMUL_TILE) <= run->n && m->size < most)
    m->size += MATMUL_TILE;
  words = (gsize) m->size * m->size;
  run->n = (guint) words;
  for (guint i = 0; i < 2; i++) {
    run->input[i] = g_new (guint32, words);
    fill_matrix ((gfloat *) run->input[i], words, BENCH_SEED_KEYS + i);
    if (!bench_run_upload (run, i, 4 * words, error))
      return FALSE;
  }
  if (!bench_run_buffer (run, 2, 4 * words, error))
    return FALSE;
  if (!run->bench->is_cpu) {
    run->plan = bench_kernel_matmul (run->bench->queue, error);
    run->free_plan = (GDestroyNotify) gst_gles_program_unref;
    if (run->plan == NULL)
      return FALSE;
  }
  m->a = (const gfloat *) run->input[0];
  m->b = (const gfloat *) run->input[1];
  bench_run_output (run, run->device[2], 4 * words);
  run->bytes = 12 * words;
  run->work = 2.0 * words * m->size;
  return TRUE;
}

static void
multiply_natively (BenchRun *run)
{
  Matmul m = *(const Matmul *) run->extra;

  m.product = (gfloat *) run->output[0].want;
  gst_gles_cpu_parallel (m.size / MATMUL_TILE, multiply_tile, &m);
}

static void
multiply_naively (BenchRun *run)
{
  const Matmul *m = run->extra;
  gfloat *product = (gfloat *) run->output[0].naive;

  for (guint row = 0; row < m->size; row++) {
    for (guint column = 0; column < m->size; column++) {
      gfloat sum = 0;
      for (guint k = 0; k < m->size; k++)
        sum += m->a[(gsize) row * m->size + k] * m->b[(gsize) k * m->size + column];
      product[(gsize) row * m->size + column] = sum;
    }
  }
}

static gboolean
launch_matmul (BenchRun *run, GError **error)
{
  Matmul m = *(const Matmul *) run->extra;
  GstGlesFrameHistogramClear params = { m.size, 0, 0, 0 };
  const guint groups[3] = { m.size / MATMUL_TILE, m.size / MATMUL_TILE, 1 };
  const GstGlesBinding bindings[] = {
    { run->device[0], 0, 0, GST_GLES_READ },
    { run->device[1], 0, 0, GST_GLES_READ },
    { run->device[2], 0, 0, GST_GLES_WRITE },
  };

  if (run->bench->is_cpu) {
    m.product = (gfloat *) gst_gles_buffer_peek_memory (run->device[2]);
    gst_gles_cpu_parallel (m.size / MATMUL_TILE, multiply_tile, &m);
    return TRUE;
  }
  return gst_gles_queue_dispatch (run->bench->queue, run->plan, bindings, G_N_ELEMENTS (bindings),
      &params, sizeof (params), groups, GST_GLES_DISPATCH_NONE, error);
}

const BenchExperiment bench_copy = {
  .name = "copy",
  .summary = "a copy of u32: the bandwidth that there is",
  .setup = setup_copy,
  .launch = launch_copy,
  .native = copy_natively,
  .naive = copy_naively,
};

const BenchExperiment bench_ceilings[] = {
  {
      .name = "copy",
      .summary = "a copy of u32: the bandwidth that there is",
      .setup = setup_copy,
      .launch = launch_copy,
      .native = copy_natively,
      .naive = copy_naively,
  },
  {
      .name = "matmul",
      .summary =
          "product of two f32 matrices of about so many elements: the arithmetic that there is",
      .setup = setup_matmul,
      .launch = launch_matmul,
      .native = multiply_natively,
      .naive = multiply_naively,
      .naive_limit = 300000,
      .unit = "FLOP",
  },
  { NULL },
};
