/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sums and extremes of arrays. */
#include <string.h>

#include <gst/gles/algo/reduce/reduce.h>
#include <gst/gles/cpu/reduce.h>

#include "bench.h"

static const struct {
  GstGlesReduceOp op;
  GstGlesValueType type;
} reductions[] = {
  { GST_GLES_REDUCE_SUM, GST_GLES_VALUE_U32 },
  { GST_GLES_REDUCE_SUM, GST_GLES_VALUE_F32 },
  { GST_GLES_REDUCE_MIN, GST_GLES_VALUE_U32 },
  { GST_GLES_REDUCE_MAX, GST_GLES_VALUE_F32 },
};

enum {
  SUM_U32,
  SUM_F32,
  MIN_U32,
  MAX_F32
};

/* Finite floats between -2 and 2, so that no sum ends in infinity or NaN. */
static void
make_floats (BenchRun *run)
{
  for (gsize i = 0; i < run->n; i++)
    run->input[0][i] &= 0xbfffffff;
}

static gboolean
setup_reduce (BenchRun *run, GError **error)
{
  run->plan = gst_gles_reduce_new (run->bench->queue, run->n, error);
  run->free_plan = (GDestroyNotify) gst_gles_reduce_unref;
  if (run->plan == NULL || !bench_run_words (run, 0, BENCH_SEED_VALUES, run->n, 4, error))
    return FALSE;
  if (reductions[run->experiment->param].type == GST_GLES_VALUE_F32) {
    make_floats (run);
    if (!gst_gles_buffer_upload (
            run->device[0], run->bench->queue, 0, run->input[0], 4 * (gsize) run->n, error))
      return FALSE;
  }
  bench_run_output (run, gst_gles_reduce_get_result (run->plan), sizeof (guint64));
  run->bytes = 4 * (guint64) run->n;
  return TRUE;
}

static gboolean
launch_reduce (BenchRun *run, GError **error)
{
  const guint kind = run->experiment->param;

  return gst_gles_reduce_run (
      run->plan, reductions[kind].op, reductions[kind].type, run->device[0], run->n, error);
}

static void
reduce_natively (BenchRun *run)
{
  guint64 result = 0;

  switch (run->experiment->param) {
    case SUM_U32:
      result = gst_gles_cpu_reduce_sum (run->input[0], run->n);
      break;
    case SUM_F32:
      result = gst_gles_cpu_reduce_sum_f32 (run->input[0], run->n);
      break;
    case MIN_U32:
      result = gst_gles_cpu_reduce_min (GST_GLES_VALUE_U32, run->input[0], run->n);
      break;
    case MAX_F32:
      result = gst_gles_cpu_reduce_max (GST_GLES_VALUE_F32, run->input[0], run->n);
      break;
  }
  memcpy (run->output[0].want, &result, sizeof (result));
}

static void
sum_naively (BenchRun *run)
{
  guint64 sum = 0;

  for (gsize i = 0; i < run->n; i++)
    sum += run->input[0][i];
  memcpy (run->output[0].naive, &sum, sizeof (sum));
}

static void
minimum_naively (BenchRun *run)
{
  guint64 minimum = G_MAXUINT32;

  for (gsize i = 0; i < run->n; i++)
    minimum = MIN (minimum, run->input[0][i]);
  memcpy (run->output[0].naive, &minimum, sizeof (minimum));
}

static void
maximum_naively (BenchRun *run)
{
  gfloat maximum = -G_MAXFLOAT, value;

  for (gsize i = 0; i < run->n; i++) {
    memcpy (&value, run->input[0] + i, sizeof (value));
    maximum = MAX (maximum, value);
  }
  memcpy (run->output[0].naive, &maximum, sizeof (maximum));
}

const BenchExperiment bench_reductions[] = {
  {
      .name = "reduce",
      .summary = "64-bit sum of u32",
      .variable = "GST_GLES_REDUCE_VARIANT",
      .param = SUM_U32,
      .by_input = TRUE,
      .setup = setup_reduce,
      .launch = launch_reduce,
      .native = reduce_natively,
      .naive = sum_naively,
  },
  {
      /* no naive baseline: a sum in another order has other bits */
      .name = "reduce-f32",
      .summary = "sum of f32 in an order of its own, the same bits on every device",
      .variable = "GST_GLES_REDUCE_VARIANT",
      .param = SUM_F32,
      .setup = setup_reduce,
      .launch = launch_reduce,
      .native = reduce_natively,
  },
  {
      .name = "reduce-min",
      .summary = "least of u32",
      .variable = "GST_GLES_REDUCE_VARIANT",
      .param = MIN_U32,
      .setup = setup_reduce,
      .launch = launch_reduce,
      .native = reduce_natively,
      .naive = minimum_naively,
  },
  {
      .name = "reduce-max-f32",
      .summary = "largest of f32",
      .variable = "GST_GLES_REDUCE_VARIANT",
      .param = MAX_F32,
      .setup = setup_reduce,
      .launch = launch_reduce,
      .native = reduce_natively,
      .naive = maximum_naively,
  },
  { NULL },
};
