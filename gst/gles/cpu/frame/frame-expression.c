/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Rows are calculated in blocks: the inputs of a block are read as numbers, one operation after the
 * other is done with them, and the results are packed. */
#include <gst/gles/cpu/frame/frame-expression.h>

#include <stdlib.h>
#include <string.h>

#include <gst/gles/core/error.h>
#include <gst/gles/core/parallel.h>
#include <gst/gles/cpu/frame/frame-background.h>
#include <gst/gles/cpu/frame/frame-kept.h>
#include <gst/gles/cpu/lib/newer.h>
#include <gst/gles/expression/bind.h>

#define BLOCK GST_GLES_CPU_EXPRESSION_BLOCK
#define COMPONENTS GST_GLES_CPU_EXPRESSION_COMPONENTS

/* Samples that a task calculates at least, and points. */
#define TASK_SAMPLES 32768
#define TASK_POINTS 16384

/* The samples of a component that a block spans: the values of points can lie on a finer grid. */
#define MAX_SPAN (4 * BLOCK)
G_STATIC_ASSERT (MAX_SPAN <= GST_GLES_CPU_ROWS_CHUNK);

/* What rows of the reference are worth a task. */
#define TASK_ROWS 32

typedef gint32 Block[BLOCK] __attribute__ ((aligned (32)));

typedef struct {
  const GstGlesCpuFrameExpression *call;
  GstGlesCpuRows rows[COMPONENTS];
  guint rows_per_task;
  guint32 *points;
  guint n_points;
  gint failed; /* atomic: a thread could not allocate its memory */
} Work;

/* What a thread calculates with. */
typedef struct {
  const Work *work;
  Block *inputs;
  GstGlesCpuExpressionRun *run;
} Worker;

/* ---- inputs ---- */

static guint
clamp_to (gint64 value, guint least, guint most)
{
  return (guint) CLAMP (value, (gint64) least, (gint64) most);
}

static void
read_moment (
    const Work *work, const GstGlesLeaf *leaf, const GstGlesCpuSampleRun *run, guint16 *samples)
{
  const guint component = (guint) leaf->numbers[0];
  const GstGlesCpuFrameExpression *call = work->call;

  if (leaf->numbers[1] == GST_GLES_MOMENT_NOW)
    gst_gles_cpu_rows_read (&work->rows[component], run->x, run->y, run->n, samples);
  else
    gst_gles_cpu_frame_read_kept (&call->channels[component],
        leaf->numbers[1] == GST_GLES_MOMENT_PREVIOUS ? call->previous[component]
                                                     : call->background[component],
        run, samples);
}

/* The column, in a component, of column @x of the grid. */
static guint
column_of (const GstGlesCpuFrameExpression *call, const GstGlesComponent *c, guint x)
{
  return (x << call->sub_x) >> c->sub_x;
}

/* Writes samples as numbers, each once or, from an even column on, twice: a whole block, so that
 * compilers know how long it is. */
G_ALWAYS_INLINE static inline void
spread_all (gboolean twice, const guint16 *restrict samples, gint32 *restrict numbers)
{
  for (guint i = 0; i < BLOCK && !twice; i++)
    numbers[i] = samples[i];
  for (guint i = 0; i < BLOCK / 2 && twice; i++)
    numbers[2 * i] = numbers[2 * i + 1] = samples[i];
}

GST_GLES_CPU_NEWER static void
spread_newer (gboolean twice, const guint16 *samples, gint32 *numbers)
{
  if (twice)
    spread_all (TRUE, samples, numbers);
  else
    spread_all (FALSE, samples, numbers);
}

/* @columns: log2 of the numbers of a sample. Returns FALSE where it is not that simple. */
static gboolean
spread (gint columns, guint x, const guint16 *samples, gint32 *numbers)
{
  if (columns != 0 && (columns != 1 || x % 2 != 0))
    return FALSE;
  if (gst_gles_cpu_is_newer ())
    spread_newer (columns == 1, samples, numbers);
  else
    spread_all (columns == 1, samples, numbers);
  return TRUE;
}

/* Reads the samples of @run, which is of the grid. */
static void
read_samples (
    const Work *work, const GstGlesLeaf *leaf, const GstGlesCpuSampleRun *run, gint32 *numbers)
{
  const guint x = run->x, y = run->y, n = run->n;
  const GstGlesCpuFrameExpression *call = work->call;
  const guint component = (guint) leaf->numbers[0];
  const GstGlesComponent *c = &call->channels[component].component[0];
  guint first = column_of (call, c, x), last = column_of (call, c, x + n - 1);
  guint row = (y << call->sub_y) >> c->sub_y;
  gint shift = 0; /* from the first sample that is read to that of the first number */
  guint16 samples[MAX_SPAN] __attribute__ ((aligned (32)));

  if (leaf->numbers[2] != 0) {
    const gint64 from = (gint64) first + GST_GLES_OFFSET_X (leaf->numbers[2]);
    const gint64 to = (gint64) last + GST_GLES_OFFSET_X (leaf->numbers[2]);

    row = clamp_to ((gint64) row + GST_GLES_OFFSET_Y (leaf->numbers[2]),
        call->visible[component].top, call->visible[component].bottom);
    first = clamp_to (from, call->visible[component].left, call->visible[component].right);
    last = clamp_to (to, call->visible[component].left, call->visible[component].right);
    shift = (gint) (from - first);
  }
  read_moment (work, leaf, &(GstGlesCpuSampleRun){ first, row, last - first + 1 }, samples);
  if (shift == 0 && last - first == column_of (call, c, x + n - 1) - column_of (call, c, x) &&
      spread (c->sub_x - (gint) call->sub_x, x, samples, numbers))
    return;
  for (guint i = 0; i < n; i++) {
    const gint at = (gint) (column_of (call, c, x + i) - column_of (call, c, x)) + shift;

    numbers[i] = samples[CLAMP (at, 0, (gint) (last - first))];
  }
}

static void
fill (gint32 *numbers, gint32 value)
{
  for (guint i = 0; i < BLOCK; i++)
    numbers[i] = value;
}

static void
read_place (const GstGlesCpuFrameExpression *call, guint place, guint x, guint y, gint32 *numbers)
{
  switch ((GstGlesPlace) place) {
    case GST_GLES_PLACE_X:
      for (guint i = 0; i < BLOCK; i++)
        numbers[i] = (gint32) (((x + i) << call->sub_x) - call->crop_x);
      break;
    case GST_GLES_PLACE_Y:
      fill (numbers, (gint32) ((y << call->sub_y) - call->crop_y));
      break;
    case GST_GLES_PLACE_WIDTH:
      fill (numbers, (gint32) call->crop_width);
      break;
    case GST_GLES_PLACE_HEIGHT:
      fill (numbers, (gint32) call->crop_height);
      break;
    default:
      fill (numbers, call->frame);
      break;
  }
}

/* Returns the values of @n samples of the grid, at most a block, from (@x, @y) on. */
static const gint32 *
calculate (const Worker *worker, guint x, guint y, guint n)
{
  const GstGlesCpuSampleRun run = { x, y, n };
  const GstGlesCpuFrameExpression *call = worker->work->call;

  for (guint i = 0; i < call->n_leaves; i++) {
    const GstGlesLeaf *leaf = &call->leaves[i];

    if (leaf->kind == GST_GLES_BOUND_SAMPLE)
      read_samples (worker->work, leaf, &run, worker->inputs[i]);
    else if (leaf->kind == GST_GLES_BOUND_PLACE)
      read_place (call, (guint) leaf->numbers[0], x, y, worker->inputs[i]);
  }
  return gst_gles_cpu_expression_run (worker->run);
}

/* ---- values ---- */

/* A whole block, whatever the numbers behind the last one are. */
G_ALWAYS_INLINE static inline void
pack_all (gboolean predicate, const gint32 *restrict numbers, guint8 *restrict values)
{
  for (guint i = 0; i < BLOCK; i++)
    values[i] = predicate ? numbers[i] != 0 : (guint8) numbers[i];
}

GST_GLES_CPU_NEWER static void
pack_newer (gboolean predicate, const gint32 *numbers, guint8 *values)
{
  if (predicate)
    pack_all (TRUE, numbers, values);
  else
    pack_all (FALSE, numbers, values);
}

static void
pack_bytes (const GstGlesCpuFrameExpression *call, const gint32 *numbers, guint n, guint8 *values)
{
  const gboolean predicate = call->encoding == GST_GLES_CPU_ENCODE_PREDICATE;
  guint8 block[BLOCK] __attribute__ ((aligned (32)));
  guint8 *to = n == BLOCK ? values : block;

  if (gst_gles_cpu_is_newer ())
    pack_newer (predicate, numbers, to);
  else
    pack_all (predicate, numbers, to);
  if (n < BLOCK)
    memcpy (values, block, n);
}

static guint16
encode (const GstGlesCpuFrameExpression *call, gint32 number)
{
  if (call->encoding == GST_GLES_CPU_ENCODE_PREDICATE)
    return number != 0;
  if (call->encoding == GST_GLES_CPU_ENCODE_LIMITED &&
      (number < (gint32) call->lower || number > (gint32) call->upper))
    return (guint16) call->outside;
  return (guint16) number;
}

static void
pack (const GstGlesCpuFrameExpression *call, const gint32 *numbers, guint n, guint8 *values)
{
  guint16 *halves = (guint16 *) (gpointer) values;

  if (call->encoding == GST_GLES_CPU_ENCODE_WORDS) {
    memcpy (values, numbers, n * sizeof *numbers);
    return;
  }
  if (!call->halves && call->encoding != GST_GLES_CPU_ENCODE_LIMITED) {
    pack_bytes (call, numbers, n, values);
    return;
  }
  for (guint i = 0; i < n; i++) {
    const guint16 code = encode (call, numbers[i]);

    if (call->halves)
      halves[i] = code;
    else
      values[i] = (guint8) code;
  }
}

static void
look_up (const Work *work, guint x, guint y, guint n, guint8 *values)
{
  const GstGlesCpuFrameExpression *call = work->call;
  guint16 *halves = (guint16 *) (gpointer) values;
  guint leaf = 0;
  Block samples;

  while (call->leaves[leaf].kind != GST_GLES_BOUND_SAMPLE)
    leaf++;
  read_samples (work, &call->leaves[leaf], &(GstGlesCpuSampleRun){ x, y, n }, samples);
  for (guint i = 0; i < n && call->halves; i++)
    halves[i] = call->table[samples[i]];
  for (guint i = 0; i < n && !call->halves; i++)
    values[i] = (guint8) call->table[samples[i]];
}

static gboolean
begin_worker (Worker *worker, Work *work)
{
  const GstGlesCpuFrameExpression *call = work->call;
  g_autofree const gint32 **inputs = NULL;

  worker->work = work;
  worker->inputs = aligned_alloc (64, MAX (call->n_leaves, 1) * sizeof (Block));
  inputs = g_try_new (const gint32 *, call->n_leaves + 1);
  for (guint i = 0; worker->inputs != NULL && inputs != NULL && i < call->n_leaves; i++)
    inputs[i] = worker->inputs[i];
  if (worker->inputs != NULL && inputs != NULL)
    worker->run = gst_gles_cpu_expression_begin (call->expression, inputs);
  if (worker->run == NULL) {
    g_atomic_int_set (&work->failed, TRUE);
    return FALSE;
  }
  memset (worker->inputs, 0, MAX (call->n_leaves, 1) * sizeof (Block));
  for (guint i = 0; i < call->n_leaves; i++) {
    if (call->leaves[i].kind == GST_GLES_BOUND_PARAMETER)
      fill (worker->inputs[i], call->parameters[call->leaves[i].numbers[0]]);
  }
  return TRUE;
}

static void
end_worker (Worker *worker)
{
  gst_gles_cpu_expression_end (worker->run);
  free (worker->inputs);
}

static void
run_rows (guint task, guint participant, gpointer user_data)
{
  Work *work = user_data;
  const GstGlesCpuFrameExpression *call = work->call;
  const guint bytes = call->encoding == GST_GLES_CPU_ENCODE_WORDS ? 4 : call->halves ? 2 : 1;
  const guint end = MIN ((task + 1) * work->rows_per_task, call->height);
  Worker worker = { 0 };

  if (call->table != NULL || begin_worker (&worker, work)) {
    for (guint row = task * work->rows_per_task; row < end; row++) {
      guint8 *values = call->values + (call->y + row) * call->stride + (gsize) call->x * bytes;

      for (guint x = 0; x < call->width; x += BLOCK, values += (gsize) BLOCK * bytes) {
        const guint n = MIN (call->width - x, BLOCK);

        if (call->table != NULL)
          look_up (work, call->x + x, call->y + row, n, values);
        else
          pack (call, calculate (&worker, call->x + x, call->y + row, n), n, values);
      }
    }
  }
  end_worker (&worker);
}

/* ---- calls ---- */

static void
begin (const GstGlesCpuFrameExpression *call, Work *work)
{
  memset (work, 0, sizeof (*work));
  work->call = call;
  for (guint i = 0; i < COMPONENTS; i++) {
    if (call->channels[i].data[0] != NULL)
      gst_gles_cpu_rows_init (&work->rows[i], &call->channels[i]);
  }
}

static gboolean
check (const Work *work, GError **error)
{
  if (work->failed)
    g_set_error_literal (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY,
        "no memory for the results of an expression");
  return !work->failed;
}

gboolean
gst_gles_cpu_frame_expression (const GstGlesCpuFrameExpression *call, GError **error)
{
  Work work;

  begin (call, &work);
  if (call->width == 0 || call->height == 0)
    return TRUE;
  work.rows_per_task = (TASK_SAMPLES - 1) / call->width + 1;
  gst_gles_cpu_parallel ((call->height - 1) / work.rows_per_task + 1, run_rows, &work);
  return check (&work, error);
}

/* Calculates the blocks that points lie in, each once: points are in raster order. */
static void
run_points (guint task, guint participant, gpointer user_data)
{
  Work *work = user_data;
  const GstGlesCpuFrameExpression *call = work->call;
  const guint grid_width = call->x + call->width;
  const guint end = MIN ((task + 1) * TASK_POINTS, work->n_points);
  const gint32 *values = NULL;
  guint block_x = 0, block_y = 0;
  Worker worker = { 0 };

  if (begin_worker (&worker, work)) {
    for (guint i = task * TASK_POINTS; i < end; i++) {
      const guint16 *place = (const guint16 *) (gconstpointer) (work->points + 2 * (gsize) i);
      const guint x = (place[0] + call->crop_x) >> call->sub_x;
      const guint y = (place[1] + call->crop_y) >> call->sub_y;

      if (values == NULL || x - block_x >= BLOCK || y != block_y) {
        block_x = x / BLOCK * BLOCK;
        block_y = y;
        values = calculate (&worker, block_x, y, MIN (grid_width - block_x, BLOCK));
      }
      work->points[2 * (gsize) i + 1] = (guint32) values[x - block_x];
    }
  }
  end_worker (&worker);
}

gboolean
gst_gles_cpu_frame_expression_points (
    const GstGlesCpuFrameExpression *call, guint32 *points, guint n, GError **error)
{
  Work work;

  begin (call, &work);
  work.points = points;
  work.n_points = n;
  gst_gles_cpu_parallel ((n + TASK_POINTS - 1) / TASK_POINTS, run_points, &work);
  return check (&work, error);
}

static void
keep_rows (guint task, guint participant, gpointer user_data)
{
  const Work *work = user_data;
  const GstGlesCpuFrameExpression *call = work->call;

  for (guint i = 0; i < COMPONENTS; i++) {
    const guint height = call->channels[i].component[0].height;

    for (guint y = task * TASK_ROWS; y < MIN ((task + 1) * TASK_ROWS, height); y++) {
      if (call->previous[i] != NULL)
        gst_gles_cpu_frame_keep_row (&work->rows[i], y, call->previous[i]);
      if (call->background[i] != NULL)
        gst_gles_cpu_frame_background_move_row (
            &work->rows[i], y, call->weight, call->background[i]);
    }
  }
}

void
gst_gles_cpu_frame_expression_keep (const GstGlesCpuFrameExpression *call)
{
  guint height = 0;
  Work work;

  begin (call, &work);
  for (guint i = 0; i < COMPONENTS; i++) {
    if (call->previous[i] != NULL || call->background[i] != NULL)
      height = MAX (height, call->channels[i].component[0].height);
  }
  gst_gles_cpu_parallel ((height + TASK_ROWS - 1) / TASK_ROWS, keep_rows, &work);
}
