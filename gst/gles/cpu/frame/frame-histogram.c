/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Native twin of the frame histogram. Large cells are counted in bands of rows, by native value,
 * in private tables of each thread. A thread adds its tables to the bins of a cell when it
 * continues with another cell, and at the end. For small cells, clearing and adding tables would
 * cost more than counting: there a task counts a run of neighbouring cells directly into their
 * bins. */
#include <gst/gles/cpu/frame/frame-histogram.h>

#include <stdlib.h>
#include <string.h>

#include <gst/gles/core/checked.h>
#include <gst/gles/core/error.h>
#include <gst/gles/cpu/frame/frame-histogram-rows.h>
#include <gst/gles/core/parallel.h>

/* The smallest task that is worth handing to another thread: some 10 us of work. */
#define MIN_TASK_SAMPLES 16384
/* More tasks than threads, so that the other threads take over the tasks of a thread that wakes up
 * late. */
#define TASKS_PER_THREAD 4

/* With fewer samples per word of a table, clearing and adding tables does not pay. */
#define MIN_TABLE_LOAD 2

#define NO_CELL G_MAXUINT

/* Grids with fewer columns and rows keep the edges of their cells on the stack. */
#define FEW_EDGES 65

/* The counts of one thread that have not been added to the bins of @cell yet. */
typedef struct {
  guint32 *tables;
  guint cell;
} Participant;

typedef struct {
  const GstGlesCpuChannel *channel;
  const GstGlesCpuFrameHistogramShape *shape;
  GstGlesCpuRows rows;
  guint32 *counts;
  guint n_cells;
  guint *column_edges; /* the first sample of each column, and the end of the last one */
  guint *row_edges;
  /* Large cells: */
  guint n_bands; /* bands per cell */
  GMutex lock;   /* protects the bins, because several threads can count one cell */
  Participant *participants;
  gint failed; /* atomic: a thread could not allocate its tables */
  /* Small cells: */
  guint run_columns; /* neighbouring cells that a task counts */
  guint n_runs;      /* tasks per row of cells */
} Work;

/* ---- memory for tables, kept for the next frame ---- */

typedef struct _Block Block;

struct _Block {
  Block *next;
};

static struct {
  GMutex lock;
  Block *blocks; /* never more than threads that counted at the same time */
} scratch;

guint32 *
gst_gles_cpu_take_tables (void)
{
  Block *block;

  g_mutex_lock (&scratch.lock);
  block = scratch.blocks;
  if (block != NULL)
    scratch.blocks = block->next;
  g_mutex_unlock (&scratch.lock);
  if (block == NULL)
    block = aligned_alloc (64, GST_GLES_CPU_ROWS_MAX_TABLE_WORDS * sizeof (guint32));
  return (guint32 *) (gpointer) block;
}

void
gst_gles_cpu_give_tables (guint32 *tables)
{
  Block *block = (Block *) (gpointer) tables;

  g_mutex_lock (&scratch.lock);
  block->next = scratch.blocks;
  scratch.blocks = block;
  g_mutex_unlock (&scratch.lock);
}

/* ---- the samples of a cell ---- */

/* Columns or rows of a component, and the part of them that is divided into cells. */
typedef struct {
  guint origin, size; /* of the part, in luma positions */
  guint sub;          /* log2 of the luma positions of a sample */
  guint n_samples;
} Axis;

static Axis
columns_of (const GstGlesComponent *c, const GstGlesCpuFrameHistogramShape *shape)
{
  return (Axis){ shape->x, shape->width, c->sub_x, c->width };
}

static Axis
rows_of (const GstGlesComponent *c, const GstGlesCpuFrameHistogramShape *shape)
{
  return (Axis){ shape->y, shape->height, c->sub_y, c->height };
}

/* The first sample of cell @i of @n. The cell of a position p is floor ((p - origin) * n / size),
 * so cell i begins at origin + ceil (i * size / n). */
static guint
cell_edge (Axis axis, guint n, guint i)
{
  guint64 position = axis.origin + gst_gles_div_ceil ((guint64) i * axis.size, n);

  return (guint) MIN (gst_gles_div_ceil (position, (guint64) 1 << axis.sub), axis.n_samples);
}

/* Returns the edges of @n cells: @few if n + 1 entries fit, otherwise memory that the caller
 * frees, or NULL if there is none. */
static guint *
cell_edges (Axis axis, guint n, guint few[FEW_EDGES])
{
  guint *edges = n < FEW_EDGES ? few : g_try_new (guint, (gsize) n + 1);

  for (guint i = 0; edges != NULL && i <= n; i++)
    edges[i] = cell_edge (axis, n, i);
  return edges;
}

guint64
gst_gles_cpu_frame_histogram_n_samples (
    const GstGlesComponent *component, const GstGlesCpuFrameHistogramShape *shape)
{
  const Axis columns = columns_of (component, shape), rows = rows_of (component, shape);
  const guint x = cell_edge (columns, 1, 0), y = cell_edge (rows, 1, 0);
  const guint width = cell_edge (columns, 1, 1) - x, height = cell_edge (rows, 1, 1) - y;

  if (shape->spans != NULL)
    return gst_gles_cpu_spans_count (shape->spans, x, y, width, height);
  return (guint64) width * height;
}

/* ---- counting ---- */

/* Adds the tables of a thread to the bins of its cell. */
static void
flush_tables (Work *work, Participant *participant)
{
  guint depth = work->channel->depth, bins = work->shape->bins;
  guint32 *tables = participant->tables, *counts;

  if (participant->cell == NO_CELL)
    return;
  for (guint i = 1; i < work->rows.n_tables; i++)
    gst_gles_cpu_add_counts (tables, tables + ((gsize) i << depth), 1u << depth);
  counts = work->counts + (gsize) participant->cell * bins;
  g_mutex_lock (&work->lock);
  if (bins == 1u << depth) {
    gst_gles_cpu_add_counts (counts, tables, bins);
  } else {
    for (guint v = 0; v < 1u << depth; v++)
      counts[v * bins >> depth] += tables[v];
  }
  g_mutex_unlock (&work->lock);
  participant->cell = NO_CELL;
}

static void
count_band (guint task, guint index, gpointer user_data)
{
  Work *work = user_data;
  Participant *participant = &work->participants[index];
  guint cell = task / work->n_bands, band = task % work->n_bands;
  const guint *columns = work->column_edges + cell % work->shape->columns;
  const guint *rows = work->row_edges + cell / work->shape->columns;
  guint64 n_rows = rows[1] - rows[0];
  guint y = rows[0] + (guint) (n_rows * band / work->n_bands);
  guint end = rows[0] + (guint) (n_rows * (band + 1) / work->n_bands);
  guint n = columns[1] - columns[0];

  if (participant->cell != cell) {
    if (participant->tables == NULL)
      participant->tables = gst_gles_cpu_take_tables ();
    if (participant->tables == NULL) {
      g_atomic_int_set (&work->failed, TRUE);
      return;
    }
    flush_tables (work, participant);
    memset (participant->tables, 0,
        ((gsize) work->rows.n_tables << work->channel->depth) * sizeof (guint32));
    participant->cell = cell;
  }
  if (work->shape->spans == NULL && gst_gles_cpu_rows_are_one_stream (work->channel, n)) {
    work->rows.count (&work->rows, columns[0], y, n * (end - y), participant->tables);
    return;
  }
  for (; y < end; y++) {
    GstGlesCpuSpanWalk walk =
        gst_gles_cpu_spans_walk (work->shape->spans, y, columns[0], columns[1]);

    while (gst_gles_cpu_span_next (&walk))
      work->rows.count (&work->rows, walk.from, y, walk.end - walk.from, participant->tables);
  }
}

static void
count_large_cells (Work *work, guint64 n_samples)
{
  guint n_threads = gst_gles_cpu_n_threads ();
  guint64 n_tasks = MIN (n_threads * TASKS_PER_THREAD, n_samples / MIN_TASK_SAMPLES);
  Participant participants[GST_GLES_CPU_MAX_THREADS];

  work->n_bands = n_threads > 1 ? (guint) MAX (n_tasks / work->n_cells, 1) : 1;
  work->participants = participants;
  for (guint i = 0; i < n_threads; i++)
    work->participants[i] = (Participant){ NULL, NO_CELL };
  g_mutex_init (&work->lock);
  gst_gles_cpu_parallel (work->n_cells * work->n_bands, count_band, work);
  for (guint i = 0; i < n_threads; i++) {
    flush_tables (work, &work->participants[i]);
    if (work->participants[i].tables != NULL)
      gst_gles_cpu_give_tables (work->participants[i].tables);
  }
  g_mutex_clear (&work->lock);
}

/* Counts the samples of @run, which begin in cell @column. */
static void
count_across_cells (const Work *work, const guint16 *values, const GstGlesCpuSampleRun *run,
    guint column, guint32 *row_counts)
{
  guint x = run->x, end = run->x + run->n;
  guint bins = work->shape->bins, depth = work->channel->depth;

  for (; x < end; column++) {
    guint32 *counts = row_counts + (gsize) column * bins;
    guint cell_end = MIN (work->column_edges[column + 1], end);

    for (; x < cell_end; x++)
      counts[*values++ * bins >> depth]++;
  }
}

/* Counts the samples of @all, which lie in cells from @column on. */
static void
count_samples (const Work *work, const GstGlesCpuSampleRun *all, guint column, guint32 *row_counts)
{
  GstGlesCpuSampleRun run = *all;
  guint16 values[GST_GLES_CPU_ROWS_CHUNK];

  for (guint end = all->x + all->n; run.x < end; run.x += run.n) {
    run.n = MIN (end - run.x, GST_GLES_CPU_ROWS_CHUNK);
    while (work->column_edges[column + 1] <= run.x)
      column++;
    gst_gles_cpu_rows_read (&work->rows, run.x, run.y, run.n, values);
    count_across_cells (work, values, &run, column, row_counts);
  }
}

/* Counts a run of small cells. No other task counts these cells, so there is no lock. */
static void
count_run (guint task, guint index, gpointer user_data)
{
  const Work *work = user_data;
  const GstGlesCpuFrameHistogramShape *shape = work->shape;
  guint row = task / work->n_runs;
  guint first = task % work->n_runs * work->run_columns;
  guint last = MIN (first + work->run_columns, shape->columns);
  guint32 *row_counts = work->counts + (gsize) row * shape->columns * shape->bins;

  for (guint y = work->row_edges[row]; y < work->row_edges[row + 1]; y++) {
    GstGlesCpuSpanWalk walk = gst_gles_cpu_spans_walk (
        shape->spans, y, work->column_edges[first], work->column_edges[last]);

    while (gst_gles_cpu_span_next (&walk))
      count_samples (
          work, &(GstGlesCpuSampleRun){ walk.from, y, walk.end - walk.from }, first, row_counts);
  }
}

static void
count_small_cells (Work *work, guint64 n_samples_cell)
{
  guint columns = work->shape->columns;

  work->run_columns = (guint) MIN (1 + MIN_TASK_SAMPLES / MAX (n_samples_cell, 1), columns);
  work->n_runs = (guint) gst_gles_div_ceil (columns, work->run_columns);
  gst_gles_cpu_parallel (work->shape->rows * work->n_runs, count_run, work);
}

gboolean
gst_gles_cpu_frame_histogram (const GstGlesCpuChannel *channel,
    const GstGlesCpuFrameHistogramShape *shape, guint32 *counts, GError **error)
{
  const GstGlesComponent *c = &channel->component[0];
  Work work = { .channel = channel, .shape = shape, .counts = counts };
  guint64 n_samples = gst_gles_cpu_frame_histogram_n_samples (c, shape);
  guint64 n_samples_cell;
  guint few_columns[FEW_EDGES], few_rows[FEW_EDGES];

  work.n_cells = shape->columns * shape->rows;
  n_samples_cell = n_samples / work.n_cells;
  work.column_edges = cell_edges (columns_of (c, shape), shape->columns, few_columns);
  work.row_edges = cell_edges (rows_of (c, shape), shape->rows, few_rows);
  gst_gles_cpu_rows_init (&work.rows, channel);

  memset (counts, 0, (gsize) work.n_cells * shape->bins * sizeof (guint32));
  if (work.column_edges == NULL || work.row_edges == NULL)
    work.failed = TRUE;
  else if (n_samples_cell >= (guint64) MIN_TABLE_LOAD << channel->depth)
    count_large_cells (&work, n_samples);
  else
    count_small_cells (&work, n_samples_cell);
  if (work.column_edges != few_columns)
    g_free (work.column_edges);
  if (work.row_edges != few_rows)
    g_free (work.row_edges);
  if (work.failed)
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY,
        "cannot allocate the tables of a histogram of %u values", 1u << channel->depth);
  return !work.failed;
}

guint32
gst_gles_cpu_frame_histogram_difference (const guint32 *a, const guint32 *b, gsize n)
{
  guint32 sum = 0;

  for (gsize i = 0; i < n; i++)
    sum += a[i] > b[i] ? a[i] - b[i] : b[i] - a[i];
  return sum;
}

guint64
gst_gles_cpu_frame_histogram_emd (const guint32 *a, const guint32 *b, gsize n)
{
  guint64 sum = 0;
  gint32 moved = 0;

  for (gsize i = 0; i < n; i++) {
    moved += (gint32) (a[i] - b[i]);
    sum += (guint32) ABS (moved);
  }
  return sum;
}
