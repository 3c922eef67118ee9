/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/cpu/map/map.h>

#include <string.h>

#include <gst/gles/core/error.h>
#include <gst/gles/core/parallel.h>
#include <gst/gles/expression/parser.h>

#define BLOCK GST_GLES_CPU_EXPRESSION_BLOCK

/* Blocks that a task calculates: some 10 us of work. */
#define BLOCKS_PER_TASK 32

#define MAX_INPUTS (GST_GLES_CPU_MAP_MAX_ARRAYS + GST_GLES_PARSER_MAX_PARAMETERS)

typedef gint32 Block[BLOCK] __attribute__ ((aligned (32)));

typedef struct {
  const GstGlesCpuMapCall *call;
  const GstGlesLeaf *leaves;
  guint n_leaves;
  gint failed; /* atomic: a thread could not allocate its memory */
} Work;

static void
load (const guint8 *array, guint bytes, guint first, guint n, gint32 *block)
{
  if (bytes == 4) {
    memcpy (block, array + 4 * (gsize) first, 4 * (gsize) n);
    return;
  }
  for (guint i = 0; i < n; i++)
    block[i] = bytes == 1 ? array[first + i] : ((const guint16 *) (gconstpointer) array)[first + i];
}

static void
calculate (const Work *work, guint first, Block *blocks, const GstGlesCpuExpressionRun *run)
{
  const GstGlesCpuMapCall *call = work->call;
  const guint n = MIN (call->n - first, BLOCK);

  for (guint i = 0; i < work->n_leaves; i++) {
    const guint number = (guint) work->leaves[i].numbers[0];

    if (work->leaves[i].kind == GST_GLES_LEAF_NAME)
      load (call->arrays[number], call->bytes[number], first, n, blocks[i]);
  }
  memcpy (call->output + first, gst_gles_cpu_expression_run (run), n * sizeof (gint32));
}

/* Values of parameters are the same in each block. */
static void
fill_parameters (const Work *work, Block *blocks)
{
  for (guint i = 0; i < work->n_leaves; i++) {
    if (work->leaves[i].kind != GST_GLES_LEAF_PARAMETER)
      continue;
    for (guint k = 0; k < BLOCK; k++)
      blocks[i][k] = work->call->parameters[work->leaves[i].numbers[0]];
  }
}

static void
run_task (guint task, guint participant, gpointer user_data)
{
  Work *work = user_data;
  Block blocks[MAX_INPUTS];
  const gint32 *inputs[MAX_INPUTS];
  GstGlesCpuExpressionRun *run;

  for (guint i = 0; i < MAX_INPUTS; i++)
    inputs[i] = blocks[i];
  run = gst_gles_cpu_expression_begin (work->call->expression, inputs);
  if (run == NULL) {
    g_atomic_int_set (&work->failed, TRUE);
    return;
  }
  memset (blocks, 0, sizeof (blocks));
  fill_parameters (work, blocks);
  for (guint i = 0; i < BLOCKS_PER_TASK; i++) {
    const guint64 first = ((guint64) task * BLOCKS_PER_TASK + i) * BLOCK;

    if (first < work->call->n)
      calculate (work, (guint) first, blocks, run);
  }
  gst_gles_cpu_expression_end (run);
}

gboolean
gst_gles_cpu_map (const GstGlesCpuMapCall *call, GError **error)
{
  const guint values_per_task = BLOCK * BLOCKS_PER_TASK;
  Work work = { .call = call };

  work.leaves = gst_gles_graph_get_leaves (call->graph, &work.n_leaves);
  gst_gles_cpu_parallel (
      call->n / values_per_task + (call->n % values_per_task != 0), run_task, &work);
  if (!work.failed)
    return TRUE;
  g_set_error_literal (
      error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY, "map: no memory for the results of a block");
  return FALSE;
}
