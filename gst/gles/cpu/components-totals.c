/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Native twin of connected components: selects the components that are listed, and computes their
 * records. Each chunk of rows, or of points, has private records, which are merged at the end. */
#include <stdlib.h>
#include <string.h>

#include <gst/gles/core/checked.h>
#include <gst/gles/cpu/components-private.h>

/* Longer lists are not privatised, because that takes too much memory: one thread computes them. */
#define MAX_TABLE 4096

/* ---- scratch memory ---- */

typedef struct {
  guint8 *memory; /* NULL: only the size is computed */
  gsize size;     /* bytes taken so far; G_MAXSIZE: the size overflowed */
} Arena;

static gpointer
arena_take (Arena *arena, gsize n, gsize each)
{
  gpointer memory = arena->memory != NULL ? arena->memory + arena->size : NULL;
  gsize bytes;

  if (arena->size == G_MAXSIZE || !gst_gles_size_mul (n, each, &bytes) ||
      !gst_gles_size_add (bytes, 63, &bytes) ||
      !gst_gles_size_add (arena->size, bytes & ~(gsize) 63, &arena->size))
    arena->size = G_MAXSIZE;
  return memory;
}

static void
lay_out (GstGlesCpuForest *forest, Arena *arena, guint width, guint height, guint max_regions,
    gboolean points)
{
  gsize n_cells = 0, n_runs = 0;
  guint n_tables = max_regions > MAX_TABLE ? 1 : GST_GLES_CPU_MAX_CHUNKS;

  forest->row_masks = gst_gles_div_ceil (width, 64);
  forest->row_runs = (gsize) width / 2 + 1;
  if (!gst_gles_size_mul (width, height, &n_cells) ||
      !gst_gles_size_mul (forest->row_runs, height, &n_runs) || n_runs > G_MAXUINT32) {
    arena->size = G_MAXSIZE;
    return;
  }
  forest->masks = arena_take (arena, (gsize) forest->row_masks * height, sizeof (guint64));
  forest->runs = arena_take (arena, n_runs, sizeof (GstGlesCpuRun));
  forest->candidates = arena_take (arena, n_runs, sizeof (guint64));
  forest->n_runs = arena_take (arena, height, sizeof (guint32));
  forest->n_candidates = arena_take (arena, height, sizeof (guint32));
  forest->listed = arena_take (arena, (gsize) max_regions + 1, sizeof (guint64));
  forest->tables =
      arena_take (arena, (gsize) n_tables * max_regions, sizeof (GstGlesComponentRecord));
  if (points) {
    forest->slots = arena_take (arena, n_cells, sizeof (guint32));
    forest->cells = arena_take (arena, n_cells, sizeof (guint32));
  }
}

gsize
gst_gles_cpu_components_scratch_bytes (
    guint width, guint height, guint max_regions, gboolean points)
{
  GstGlesCpuForest forest;
  Arena arena = { NULL, 0 };

  lay_out (&forest, &arena, width, height, max_regions, points);
  return arena.size == G_MAXSIZE ? 0 : arena.size + 64;
}

static void
init_forest (
    GstGlesCpuForest *forest, const GstGlesCpuComponents *config, gboolean points, gpointer scratch)
{
  Arena arena = { (guint8 *) scratch, 0 };

  *forest = (GstGlesCpuForest){ .config = config, .weighted = points };
  arena.size = -(gsize) scratch & 63;
  lay_out (forest, &arena, config->width, config->height, config->max_regions, points);
  forest->rows =
      gst_gles_cpu_chunks (config->height, GST_GLES_CPU_MIN_CHUNK / config->width + 1, 1);
}

/* ---- the list ---- */

/* Sinks @candidate from index @at of a max-heap. */
static void
heap_sink (guint64 *heap, guint n, guint at, guint64 candidate)
{
  for (;;) {
    guint child = 2 * at + 1;

    if (child >= n)
      break;
    if (child + 1 < n && heap[child + 1] > heap[child])
      child++;
    if (heap[child] <= candidate)
      break;
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = candidate;
}

static gint
compare_candidates (gconstpointer a, gconstpointer b)
{
  guint64 x = *(const guint64 *) a, y = *(const guint64 *) b;

  return x < y ? -1 : x > y;
}

/* Collects the @most smallest candidates and returns their number. When the array is full it
 * becomes a max-heap, and from then on a smaller candidate replaces the greatest one. */
static guint
add_candidate (guint64 *heap, guint n, guint most, guint64 candidate)
{
  if (n == most) {
    if (candidate < heap[0])
      heap_sink (heap, n, 0, candidate);
    return n;
  }
  heap[n++] = candidate;
  for (guint i = n / 2; n == most && i-- > 0;)
    heap_sink (heap, n, i, heap[i]);
  return n;
}

/* Selects the first @most candidates in order, and stores 1 + its index in the root of each.
 * Returns their number. */
static guint
select_candidates (GstGlesCpuForest *forest, guint most)
{
  guint64 *listed = forest->listed;
  guint n = 0;

  for (guint row = 0; row < forest->config->height && most > 0; row++) {
    const guint64 *candidates = forest->candidates + row * forest->row_runs;

    for (guint i = 0; i < forest->n_candidates[row]; i++)
      n = add_candidate (listed, n, most, candidates[i]);
  }
  qsort (listed, n, sizeof (*listed), compare_candidates);
  for (guint i = 0; i < n; i++)
    forest->runs[(guint32) listed[i]].size = i + 1;
  return n;
}

/* ---- records ---- */

static void
clear_table (GstGlesComponentRecord *table, guint n)
{
  for (guint i = 0; i < n; i++)
    table[i] = (GstGlesComponentRecord){ .left = G_MAXUINT32, .top = G_MAXUINT32 };
}

static inline void
add_64 (guint32 *low, guint32 *high, guint64 value)
{
  guint64 sum = ((guint64) *high << 32 | *low) + value;

  *low = (guint32) sum;
  *high = (guint32) (sum >> 32);
}

static void
merge_record (GstGlesComponentRecord *to, const GstGlesComponentRecord *from)
{
  to->left = MIN (to->left, from->left);
  to->top = MIN (to->top, from->top);
  to->right = MAX (to->right, from->right);
  to->bottom = MAX (to->bottom, from->bottom);
  to->pixels += from->pixels;
  to->max_value = MAX (to->max_value, from->max_value);
  add_64 (&to->sum_x_low, &to->sum_x_high, (guint64) from->sum_x_high << 32 | from->sum_x_low);
  add_64 (&to->sum_y_low, &to->sum_y_high, (guint64) from->sum_y_high << 32 | from->sum_y_low);
  add_64 (&to->sum_value_low, &to->sum_value_high,
      (guint64) from->sum_value_high << 32 | from->sum_value_low);
}

/* 1 + the list index of a run's component; 0: it is not listed. */
static inline guint32
slot_of (const GstGlesCpuForest *forest, guint32 run)
{
  const GstGlesCpuRun *runs = forest->runs;

  return runs[run].parent == run ? runs[run].size : runs[runs[run].size].size;
}

static void
add_run (GstGlesComponentRecord *record, const GstGlesCpuRun *run, guint row, const guint32 *words)
{
  guint64 n = (guint64) run->last - run->start + 1;
  guint64 sum = 0;
  guint32 max = record->max_value;

  for (guint32 x = run->start; x <= run->last; x++) {
    max = MAX (max, words[x]);
    sum += words[x];
  }
  record->left = MIN (record->left, run->start);
  record->right = MAX (record->right, run->last);
  record->top = MIN (record->top, row);
  record->bottom = MAX (record->bottom, row);
  record->pixels += n;
  record->max_value = max;
  add_64 (&record->sum_x_low, &record->sum_x_high, ((guint64) run->start + run->last) * n / 2);
  add_64 (&record->sum_y_low, &record->sum_y_high, row * n);
  add_64 (&record->sum_value_low, &record->sum_value_high, sum);
}

typedef struct {
  GstGlesCpuForest *forest;
  guint n_listed;
  guint32 *labels;       /* (nullable) */
  const guint32 *points; /* (nullable) */
  gsize n_points;
  GstGlesCpuChunks chunks;
} Totals;

static void
label_row (const Totals *totals, guint row)
{
  const GstGlesCpuForest *forest = totals->forest;
  guint width = forest->config->width;
  guint32 *labels = totals->labels + (gsize) row * width;
  guint32 first = row * forest->row_runs;

  memset (labels, 0xff, sizeof (*labels) * width);
  for (guint32 i = first; i < first + forest->n_runs[row]; i++) {
    const GstGlesCpuRun *run = &forest->runs[i];
    guint32 root = run->parent == i ? i : run->size;
    guint32 label = root / forest->row_runs * width + forest->runs[root].start;

    for (guint32 x = run->start; x <= run->last; x++)
      labels[x] = label;
  }
}

static void
add_rows (guint task, guint participant, gpointer user_data)
{
  const Totals *totals = user_data;
  GstGlesCpuForest *forest = totals->forest;
  GstGlesComponentRecord *table = forest->tables + (gsize) task * totals->n_listed;
  guint row = gst_gles_cpu_chunk_first (&totals->chunks, task);
  guint end = row + gst_gles_cpu_chunk_n (&totals->chunks, task);

  clear_table (table, totals->n_listed);
  for (; row < end; row++) {
    guint32 first = row * forest->row_runs;
    const guint32 *words = forest->words + (gsize) row * forest->config->width;

    for (guint32 i = first; i < first + forest->n_runs[row]; i++) {
      guint32 slot = slot_of (forest, i);
      if (slot != 0)
        add_run (&table[slot - 1], &forest->runs[i], row, words);
    }
    if (totals->labels != NULL)
      label_row (totals, row);
  }
}

static void
add_points (guint task, guint participant, gpointer user_data)
{
  const Totals *totals = user_data;
  const GstGlesCpuForest *forest = totals->forest;
  const GstGlesCpuComponents *config = forest->config;
  GstGlesComponentRecord *table = forest->tables + (gsize) task * totals->n_listed;
  gsize i = gst_gles_cpu_chunk_first (&totals->chunks, task);
  gsize end = i + gst_gles_cpu_chunk_n (&totals->chunks, task);

  clear_table (table, totals->n_listed);
  for (; i < end; i++) {
    guint32 x = totals->points[2 * i] & 0xffff, y = totals->points[2 * i] >> 16;
    guint32 value = totals->points[2 * i + 1];
    guint32 slot = 0;

    if (x < config->frame_width && y < config->frame_height)
      slot =
          forest->slots[(gsize) (y / config->cell_height) * config->width + x / config->cell_width];
    if (slot != 0) {
      GstGlesComponentRecord point = { .left = x,
        .top = y,
        .right = x,
        .bottom = y,
        .pixels = 1,
        .max_value = value,
        .sum_x_low = x,
        .sum_y_low = y,
        .sum_value_low = value };
      merge_record (&table[slot - 1], &point);
    }
  }
}

/* Writes the records of the listed components: runs @add over chunks of @n items, at least @min
 * to a chunk, and merges the records of the chunks. */
static void
write_records (
    Totals *totals, gsize n, gsize min, GstGlesCpuFunc add, GstGlesComponentRecord *regions)
{
  GstGlesCpuForest *forest = totals->forest;

  totals->chunks = gst_gles_cpu_chunks (n, min, 1);
  if (forest->config->max_regions > MAX_TABLE)
    totals->chunks = (GstGlesCpuChunks){ n, n, n > 0 };
  gst_gles_cpu_parallel (totals->chunks.count, add, totals);
  clear_table (regions, totals->n_listed);
  for (guint i = 0; i < totals->chunks.count; i++)
    for (guint j = 0; j < totals->n_listed; j++)
      merge_record (&regions[j], &forest->tables[(gsize) i * totals->n_listed + j]);
  for (guint j = 0; j < totals->n_listed; j++) {
    guint32 root = (guint32) forest->listed[j];
    regions[j].first = root / forest->row_runs * forest->config->width + forest->runs[root].start;
  }
}

guint
gst_gles_cpu_components (const GstGlesCpuComponents *config, const guint32 *words, guint32 *labels,
    GstGlesComponentRecord *regions, gpointer scratch)
{
  GstGlesCpuForest forest;
  Totals totals = { .forest = &forest, .labels = labels };
  guint n;

  init_forest (&forest, config, FALSE, scratch);
  forest.words = words;
  n = gst_gles_cpu_forest_grow (&forest);
  totals.n_listed = select_candidates (&forest, config->max_regions);
  write_records (
      &totals, config->height, GST_GLES_CPU_MIN_CHUNK / config->width + 1, add_rows, regions);
  return n;
}

/* ---- points ---- */

static void
count_cells (GstGlesCpuForest *forest, const guint32 *points, gsize n)
{
  const GstGlesCpuComponents *config = forest->config;

  memset (forest->cells, 0, sizeof (guint32) * config->width * config->height);
  for (gsize i = 0; i < n; i++) {
    guint32 x = points[2 * i] & 0xffff, y = points[2 * i] >> 16;

    if (x < config->frame_width && y < config->frame_height)
      forest->cells[(gsize) (y / config->cell_height) * config->width + x / config->cell_width]++;
  }
  forest->words = forest->cells;
}

static void
fill_slots (GstGlesCpuForest *forest)
{
  guint width = forest->config->width;

  memset (forest->slots, 0, sizeof (guint32) * width * forest->config->height);
  for (guint row = 0; row < forest->config->height; row++) {
    guint32 first = row * forest->row_runs;

    for (guint32 i = first; i < first + forest->n_runs[row]; i++) {
      guint32 slot = slot_of (forest, i);
      for (guint32 x = forest->runs[i].start; slot != 0 && x <= forest->runs[i].last; x++)
        forest->slots[(gsize) row * width + x] = slot;
    }
  }
}

guint
gst_gles_cpu_components_points (const GstGlesCpuComponents *config, const guint32 *points, gsize n,
    GstGlesComponentRecord *regions, gpointer scratch)
{
  GstGlesCpuForest forest;
  Totals totals = { .forest = &forest, .points = points, .n_points = n };
  guint total;

  init_forest (&forest, config, TRUE, scratch);
  count_cells (&forest, points, n);
  total = gst_gles_cpu_forest_grow (&forest);
  totals.n_listed = select_candidates (&forest, config->max_regions);
  fill_slots (&forest);
  write_records (&totals, n, GST_GLES_CPU_MIN_CHUNK, add_points, regions);
  return total;
}
