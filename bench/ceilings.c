/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The ceilings of the machine: copies measure the bandwidth, matrix products the arithmetic. */
#include <string.h>

#include <gst/gles/core/parallel.h>
#include <glsl/frame/frame-histogram-layout.h>

#include "bench.h"
#include "kernels.h"

/* Gets the program, except on cpu. */
static void
get_program (BenchRun *run, const GstGlesProgramSpec *spec)
{
  if (!run->bench->is_cpu)
    run->plan = bench_keep (run, gst_gles_program_get (run->bench->queue, spec, bench_error (run)),
        (GDestroyNotify) gst_gles_program_unref);
}

/* ---- copy ---- */

#define COPY_INVOCATIONS 128
/* Enough workgroups to fill any GPU, and few enough that each has work. */
#define COPY_MAX_GROUPS 65535

static void
setup_copy (BenchRun *run)
{
  get_program (run, &bench_kernel_copy);
  bench_words (run, 0, BENCH_SEED_KEYS, run->n, 4);
  bench_output (run, bench_buffer (run, 1, 4 * run->n), 4 * run->n);
  run->bytes = 8 * run->n;
}

gboolean
bench_copy_launch (BenchRun *run, gsize bytes, GError **error)
{
  const Bench *bench = run->bench;
  guint64 limit = gst_gles_device_get_limits (bench->device)->storage_block_bytes / 4096 * 4096;
  gsize at = 0;

  do {
    gsize size = MIN (bytes - at, limit);
    GstGlesFrameHistogramClear params = { (size + 15) / 16, 0, 0, 0 };
    guint groups_needed = params.n_rows / COPY_INVOCATIONS + 1;
    const guint groups[3] = { MIN (groups_needed, COPY_MAX_GROUPS), 1, 1 };
    const GstGlesBinding bindings[] = {
      { run->device[0], at, MAX (size, 16), GST_GLES_READ },
      { run->device[1], at, MAX (size, 16), GST_GLES_WRITE },
    };

    if (!gst_gles_queue_dispatch (bench->queue,
            GST_GLES_DISPATCH (run->plan, bindings, G_N_ELEMENTS (bindings), &params), groups,
            error))
      return FALSE;
    at += size;
  } while (at < bytes);
  return TRUE;
}

static gboolean
launch_copy (BenchRun *run, GError **error)
{
  if (!run->bench->is_cpu)
    return bench_copy_launch (run, 4 * run->n, error);
  memcpy (gst_gles_buffer_peek_memory (run->device[1]),
      gst_gles_buffer_peek_memory (run->device[0]), 4 * run->n);
  return TRUE;
}

static void
copy_natively (BenchRun *run, guint32 *const *to)
{
  memcpy (to[0], run->in[0], 4 * run->n);
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

/* Rows of the largest square of whole tiles with at most n elements, at least one tile. */
static guint
matmul_size (const BenchRun *run)
{
  const guint most = run->bench->is_hardware ? MATMUL_MOST : MATMUL_MOST_CPU;
  guint size = MATMUL_TILE;

  while ((guint64) (size + MATMUL_TILE) * (size + MATMUL_TILE) <= run->n && size < most)
    size += MATMUL_TILE;
  return size;
}

static void
multiply_tile (guint task, guint participant, gpointer user_data)
{
  const Matmul *m = user_data;
  const gsize first = (gsize) task * MATMUL_TILE;

  memset (m->product + first * m->size, 0, sizeof (gfloat) * MATMUL_TILE * m->size);
  for (gsize row = first; row < first + MATMUL_TILE; row++) {
    gfloat *product = m->product + row * m->size;
    for (gsize k = 0; k < m->size; k++) {
      const gfloat a = m->a[row * m->size + k];
      const gfloat *b = m->b + k * m->size;
      for (guint i = 0; i < m->size; i++)
        product[i] += a * b[i];
    }
  }
}

static void
multiply_natively (BenchRun *run, guint32 *const *to)
{
  Matmul m = { matmul_size (run), (const gfloat *) run->in[0], (const gfloat *) run->in[1],
    (gfloat *) to[0] };

  gst_gles_cpu_parallel (m.size / MATMUL_TILE, multiply_tile, &m);
}

/* Elements are small integers: every sum is exact, in any order and with or without fused
 * multiply-add. */
static void
setup_matmul (BenchRun *run)
{
  const gsize size = matmul_size (run);

  run->n = size * size;
  get_program (run, &bench_kernel_matmul);
  for (guint i = 0; i < 2; i++) {
    gfloat *matrix = bench_alloc (run, 4 * run->n);
    for (gsize k = 0; k < run->n; k++)
      matrix[k] = (gfloat) ((gint) (bench_random (BENCH_SEED_KEYS + i, k) & 15) - 8);
    run->in[i] = (guint32 *) matrix;
    bench_upload (run, i, 4 * run->n);
  }
  bench_output (run, bench_buffer (run, 2, 4 * run->n), 4 * run->n);
  run->bytes = 12 * run->n;
  run->work = 2.0 * run->n * size;
}

static gboolean
launch_matmul (BenchRun *run, GError **error)
{
  const guint size = matmul_size (run);
  GstGlesFrameHistogramClear params = { size, 0, 0, 0 };
  const guint groups[3] = { size / MATMUL_TILE, size / MATMUL_TILE, 1 };
  const GstGlesBinding bindings[] = {
    { run->device[0], 0, 0, GST_GLES_READ },
    { run->device[1], 0, 0, GST_GLES_READ },
    { run->device[2], 0, 0, GST_GLES_WRITE },
  };

  if (run->bench->is_cpu) {
    guint32 *product = (gpointer) gst_gles_buffer_peek_memory (run->device[2]);
    multiply_natively (run, &product);
    return TRUE;
  }
  return gst_gles_queue_dispatch (run->bench->queue,
      GST_GLES_DISPATCH (run->plan, bindings, G_N_ELEMENTS (bindings), &params), groups, error);
}

const BenchExperiment bench_ceilings[] = {
  { BENCH_EXPERIMENT ("copy", "a copy of u32: the bandwidth that there is", "BENCH", setup_copy,
      launch_copy, copy_natively) },
  { BENCH_EXPERIMENT ("matmul", "product of two f32 matrices of about so many elements", "BENCH",
        setup_matmul, launch_matmul, multiply_natively),
      .unit = "FLOP" },
  { NULL },
};
