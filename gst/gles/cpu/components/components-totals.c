/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Native twin of connected components: selects the components that are listed, and computes their
 * records. Each chunk of strips, or of points, has private records, which are merged at the end. */
#include <stdlib.h>
#include <string.h>

#include <gst/gles/core/checked.h>
#include <gst/gles/cpu/lib/arena.h>
#include <gst/gles/cpu/components/components-private.h>
#include <gst/gles/cpu/sort/sort.h>

/* Longer lists are not privatised, because that takes too much memory. */
#define MAX_TABLE 4096
/* Where a list can have one entry for so many runs, there is memory for a record of each run. */
#define RUNS_PER_RECORD 64

/* ---- scratch memory ---- */

static void
lay_out (GstGlesCpuForest *forest, GstGlesCpuArena *arena, const GstGlesCpuComponents *config,
    gboolean points)
{
  const guint width = config->width, height = config->height, max_regions = config->max_regions;
  gsize n_cells = 0, n_runs = 0;
  guint n_tables = max_regions > MAX_TABLE ? 1 : GST_GLES_CPU_MAX_CHUNKS;
  const GstGlesCpuSortConfig sort = gst_gles_cpu_sort_config (GST_GLES_VALUE_U64, FALSE);

  forest->row_masks = gst_gles_div_ceil (width, 64);
  forest->row_runs = (gsize) width / 2 + 1;
  if (!gst_gles_size_mul (width, height, &n_cells) ||
      !gst_gles_size_mul (forest->row_runs, height, &n_runs) || n_runs > G_MAXUINT32) {
    arena->size = G_MAXSIZE;
    return;
  }
  forest->masks = gst_gles_cpu_arena_take (
      arena, (gsize) forest->row_masks * ((gsize) height + 1), sizeof (guint64));
  forest->parents = gst_gles_cpu_arena_take (arena, n_runs, sizeof (guint32));
  forest->roots = gst_gles_cpu_arena_take (arena, n_runs, sizeof (GstGlesCpuRoot));
  forest->candidates = gst_gles_cpu_arena_take (arena, n_runs, sizeof (guint64));
  forest->borders = gst_gles_cpu_arena_take (
      arena, forest->row_runs * 2 * MIN (GST_GLES_CPU_MAX_CHUNKS, height), sizeof (guint32));
  forest->n_runs = gst_gles_cpu_arena_take (arena, height, sizeof (guint32));
  forest->n_candidates = gst_gles_cpu_arena_take (arena, height, sizeof (guint32));
  forest->listed = gst_gles_cpu_arena_take (arena, (gsize) max_regions + 1, sizeof (guint64));
  if (max_regions > MAX_TABLE && max_regions >= n_runs / RUNS_PER_RECORD && !points) {
    forest->records = gst_gles_cpu_arena_take (arena, n_runs, sizeof (GstGlesComponentRecord));
    forest->candidate_runs = gst_gles_cpu_arena_take (arena, n_runs, sizeof (guint32));
    forest->sort_scratch =
        gst_gles_cpu_arena_take (arena, gst_gles_cpu_sort_scratch_bytes (&sort, n_runs, TRUE), 1);
  } else {
    forest->tables = gst_gles_cpu_arena_take (
        arena, (gsize) n_tables * max_regions, sizeof (GstGlesComponentRecord));
  }
  if (points) {
    forest->slots = gst_gles_cpu_arena_take (arena, n_cells, sizeof (guint32));
    forest->cells = gst_gles_cpu_arena_take (arena, n_cells, sizeof (guint32));
  }
}

gsize
gst_gles_cpu_components_scratch_bytes (
    guint width, guint height, guint max_regions, gboolean points)
{
  const GstGlesCpuComponents config = {
    .width = width, .height = height, .max_regions = max_regions
  };
  GstGlesCpuForest forest;
  GstGlesCpuArena arena = { NULL, 0 };

  lay_out (&forest, &arena, &config, points);
  return arena.size == G_MAXSIZE ? 0 : arena.size + 64;
}

static void
init_forest (
    GstGlesCpuForest *forest, const GstGlesCpuComponents *config, gboolean points, gpointer scratch)
{
  GstGlesCpuArena arena = { (guint8 *) scratch, 0 };

  *forest = (GstGlesCpuForest){
    .config = config, .weighted = points, .strip_height = config->diagonal ? 2 : 1
  };
  forest->n_strips = gst_gles_div_ceil (config->height, forest->strip_height);
  arena.size = -(gsize) scratch & 63;
  lay_out (forest, &arena, config, points);
  memset (forest->masks + (gsize) config->height * forest->row_masks, 0,
      sizeof (guint64) * forest->row_masks);
  forest->strips =
      gst_gles_cpu_chunks (forest->n_strips, GST_GLES_CPU_MIN_CHUNK / config->width + 1, 1);
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

/* The root of the run that contains the word with the raster index @word. */
static guint32
root_at (const GstGlesCpuForest *forest, guint32 word)
{
  const guint strip = word / forest->config->width / forest->strip_height;
  const guint column = word % forest->config->width;
  guint32 run = (guint32) (strip * forest->row_runs) - 1;
  guint64 before = 0;

  for (guint i = 0; i <= column / 64; i++) {
    const GstGlesCpuStripMasks masks = gst_gles_cpu_strip_masks (forest, strip, i);
    const guint64 mask = masks.top | masks.bottom;
    guint64 starts = mask & ~(mask << 1 | before);

    if (i == column / 64)
      starts &= ~G_GUINT64_CONSTANT (0) >> (63 - column % 64);
    run += (guint32) __builtin_popcountll (starts);
    before = mask >> 63;
  }
  return gst_gles_cpu_run_root (forest->parents, run);
}

/* Selects the first @most candidates in order, and stores 1 + its index in the root of each.
 * Returns their number. */
static guint
select_candidates (GstGlesCpuForest *forest, guint most)
{
  guint64 *listed = forest->listed;
  guint n = 0;

  for (guint strip = 0; strip < forest->n_strips && most > 0; strip++) {
    const guint64 *candidates = forest->candidates + strip * forest->row_runs;

    for (guint i = 0; i < forest->n_candidates[strip]; i++)
      n = add_candidate (listed, n, most, candidates[i]);
  }
  qsort (listed, n, sizeof (*listed), compare_candidates);
  for (guint i = 0; i < n; i++)
    forest->roots[root_at (forest, (guint32) listed[i])].size = i + 1;
  return n;
}

/* ---- records ---- */

typedef struct {
  GstGlesCpuForest *forest;
  guint n_listed;
  guint32 *labels;       /* (nullable) */
  const guint32 *points; /* (nullable) */
  gsize n_points;
  GstGlesComponentRecord *regions; /* long lists */
  GstGlesCpuChunks chunks;
} Totals;

/* Writes @value to the words of @out whose bits of @mask are set, and @none to the others, in the
 * columns of the run @run. */
G_ALWAYS_INLINE static inline void
paint_run (guint32 *out, guint64 mask, guint64 run, guint32 value, guint32 none)
{
  const guint last = 63 - (guint) __builtin_clzll (run);

  for (guint i = (guint) __builtin_ctzll (run); i <= last; i++)
    out[i] = mask >> i & 1 ? value : none;
}

/* Writes the labels, or else the slots, of the words of a strip to @out. */
G_ALWAYS_INLINE static inline void
paint_strip (const GstGlesCpuForest *forest, guint strip, gboolean labels, guint32 *out)
{
  const guint32 none = labels ? GST_GLES_COMPONENTS_BACKGROUND : 0;
  const guint width = forest->config->width;
  const guint row = strip * forest->strip_height;
  const guint n_rows = MIN (forest->strip_height, forest->config->height - row);
  guint32 at = strip * forest->row_runs;
  guint64 before = 0;

  out += (gsize) row * width;
  memset (out, (gint) none, sizeof (*out) * width * n_rows);
  for (guint i = 0; i < forest->row_masks; i++) {
    const GstGlesCpuStripMasks masks = gst_gles_cpu_strip_masks (forest, strip, i);
    guint64 mask = masks.top | masks.bottom, run;

    at -= (guint32) (before & mask);
    before = mask >> 63;
    for (; mask != 0; mask &= ~run) {
      const GstGlesCpuRoot *root = &forest->roots[gst_gles_cpu_run_root (forest->parents, at++)];
      const guint32 value = labels ? root->first : root->size;

      run = gst_gles_cpu_first_run (mask);
      if (masks.top & run)
        paint_run (out + 64 * i, masks.top, run, value, none);
      if (masks.bottom & run)
        paint_run (out + width + 64 * i, masks.bottom, run, value, none);
    }
  }
}

G_ALWAYS_INLINE static inline void
add_some_strips (const Totals *totals, GstGlesComponentRecord *table, GstGlesCpuRange strips)
{
  for (guint strip = strips.first; strip < strips.end; strip++) {
    add_strip (totals->forest, table, strip, FALSE);
    if (totals->labels != NULL)
      paint_strip (totals->forest, strip, TRUE, totals->labels);
  }
}

GST_GLES_CPU_NEWER static void
add_some_strips_newer (const Totals *totals, GstGlesComponentRecord *table, GstGlesCpuRange strips)
{
  add_some_strips (totals, table, strips);
}

static void
add_strips (guint task, guint participant, gpointer user_data)
{
  const Totals *totals = user_data;
  GstGlesComponentRecord *table = totals->forest->tables + (gsize) task * totals->n_listed;
  GstGlesCpuRange range = gst_gles_cpu_chunk (&totals->chunks, task);

  clear_table (table, totals->n_listed);
  if (gst_gles_cpu_is_newer ())
    add_some_strips_newer (totals, table, range);
  else
    add_some_strips (totals, table, range);
}

/* Where the cells of points are. */
typedef struct {
  guint64 across, down; /* 2^32 / size of a cell, rounded up: coordinates have 16 bits */
  guint width;          /* of the grid, in cells */
  guint frame_width, frame_height;
} Cells;

static Cells
cells_of (const GstGlesCpuComponents *config)
{
  const guint64 one = (guint64) 1 << 32;

  return (Cells){ gst_gles_div_ceil (one, config->cell_width),
    gst_gles_div_ceil (one, config->cell_height), config->width, config->frame_width,
    config->frame_height };
}

/* Returns the raster index of the cell of (@x, @y), or G_MAXSIZE outside of the frame. */
static inline gsize
cell_at (const Cells *cells, guint32 x, guint32 y)
{
  if (x >= cells->frame_width || y >= cells->frame_height)
    return G_MAXSIZE;
  return (gsize) (y * cells->down >> 32) * cells->width + (x * cells->across >> 32);
}

/* The slot of the point at @place. */
static inline guint32
slot_at (const Totals *totals, const Cells *cells, guint32 place)
{
  const gsize cell = cell_at (cells, place & 0xffff, place >> 16);

  return cell != G_MAXSIZE ? totals->forest->slots[cell] : 0;
}

/* Points in a row that belong to one component. */
typedef struct {
  guint32 y, n, left, right, max_value;
  guint64 sum_x, sum_value;
} Span;

static inline void
add_span (GstGlesComponentRecord *to, const Span *span)
{
  to->left = MIN (to->left, span->left);
  to->top = MIN (to->top, span->y);
  to->right = MAX (to->right, span->right);
  to->bottom = MAX (to->bottom, span->y);
  to->pixels += span->n;
  to->max_value = MAX (to->max_value, span->max_value);
  add_64 (&to->sum_x_low, &to->sum_x_high, span->sum_x);
  add_64 (&to->sum_y_low, &to->sum_y_high, (guint64) span->y * span->n);
  add_64 (&to->sum_value_low, &to->sum_value_high, span->sum_value);
}

/* Whether point @i lies in row @y and in the component of @slot. */
static inline gboolean
continues (const Totals *totals, const Cells *cells, gsize i, guint32 y, guint32 slot)
{
  const guint32 place = totals->points[2 * i];

  return place >> 16 == y && slot_at (totals, cells, place) == slot;
}

static void
add_points (guint task, guint participant, gpointer user_data)
{
  const Totals *totals = user_data;
  const Cells cells = cells_of (totals->forest->config);
  GstGlesComponentRecord *table = totals->forest->tables + (gsize) task * totals->n_listed;
  const GstGlesCpuRange range = gst_gles_cpu_chunk (&totals->chunks, task);

  clear_table (table, totals->n_listed);
  for (gsize i = range.first; i < range.end;) {
    const guint32 slot = slot_at (totals, &cells, totals->points[2 * i]);
    Span span = { .y = totals->points[2 * i] >> 16, .left = G_MAXUINT32 };

    do {
      const guint32 x = totals->points[2 * i] & 0xffff, value = totals->points[2 * i + 1];

      span.n++;
      span.left = MIN (span.left, x);
      span.right = MAX (span.right, x);
      span.max_value = MAX (span.max_value, value);
      span.sum_x += x;
      span.sum_value += value;
    } while (++i < range.end && continues (totals, &cells, i, span.y, slot));
    if (slot != 0)
      add_span (&table[slot - 1], &span);
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
  for (guint j = 0; j < totals->n_listed; j++)
    regions[j].first = (guint32) forest->listed[j];
}

/* ---- long lists ---- */

/* Moves the candidates of all strips together, and sorts them. */
static void
sort_candidates (GstGlesCpuForest *forest, guint n)
{
  const GstGlesCpuSortConfig config = gst_gles_cpu_sort_config (GST_GLES_VALUE_U64, FALSE);
  guint32 *keys = (guint32 *) (gpointer) forest->candidates;
  gsize to = 0;

  for (guint strip = 0; strip < forest->n_strips; strip++) {
    const gsize from = strip * forest->row_runs, n_here = forest->n_candidates[strip];

    memmove (forest->candidates + to, forest->candidates + from, sizeof (guint64) * n_here);
    memmove (forest->candidate_runs + to, forest->candidate_runs + from, sizeof (guint32) * n_here);
    to += n_here;
  }
  gst_gles_cpu_sort (&config,
      &(GstGlesCpuSortBuffers){ keys, forest->candidate_runs, keys, forest->candidate_runs }, n,
      forest->sort_scratch);
}

static void
copy_records (guint task, guint participant, gpointer user_data)
{
  const Totals *totals = user_data;
  const GstGlesCpuForest *forest = totals->forest;
  const GstGlesCpuRange range = gst_gles_cpu_chunk (&totals->chunks, task);

  for (gsize i = range.first; i < range.end; i++) {
    totals->regions[i] = forest->records[forest->candidate_runs[i]];
    totals->regions[i].first = (guint32) forest->candidates[i];
  }
}

static void
paint_labels (guint task, guint participant, gpointer user_data)
{
  const Totals *totals = user_data;
  const GstGlesCpuRange strips = gst_gles_cpu_chunk (&totals->forest->strips, task);

  for (guint strip = strips.first; strip < strips.end; strip++)
    paint_strip (totals->forest, strip, TRUE, totals->labels);
}

/* Writes the records that the forest has of all components. */
static void
write_long_list (Totals *totals, guint n)
{
  GstGlesCpuForest *forest = totals->forest;

  sort_candidates (forest, n);
  totals->chunks = gst_gles_cpu_chunks (totals->n_listed, MAX_TABLE, 1);
  gst_gles_cpu_parallel (totals->chunks.count, copy_records, totals);
  if (totals->labels != NULL)
    gst_gles_cpu_parallel (forest->strips.count, paint_labels, totals);
}

guint
gst_gles_cpu_components (const GstGlesCpuComponents *config, gconstpointer input, guint32 *labels,
    GstGlesComponentRecord *regions, gpointer scratch)
{
  GstGlesCpuForest forest;
  Totals totals = { .forest = &forest, .labels = labels, .regions = regions };
  guint n;

  init_forest (&forest, config, FALSE, scratch);
  if (config->bytes)
    forest.bytes = input;
  else
    forest.words = input;
  n = gst_gles_cpu_forest_grow (&forest);
  if (forest.records != NULL) {
    totals.n_listed = MIN (n, config->max_regions);
    write_long_list (&totals, n);
    return n;
  }
  totals.n_listed = select_candidates (&forest, config->max_regions);
  write_records (
      &totals, forest.n_strips, GST_GLES_CPU_MIN_CHUNK / config->width + 1, add_strips, regions);
  return n;
}

/* ---- points ---- */

static void
count_cells (GstGlesCpuForest *forest, const guint32 *points, gsize n)
{
  const Cells cells = cells_of (forest->config);

  memset (forest->cells, 0, sizeof (guint32) * forest->config->width * forest->config->height);
  for (gsize i = 0; i < n; i++) {
    const gsize cell = cell_at (&cells, points[2 * i] & 0xffff, points[2 * i] >> 16);

    if (cell != G_MAXSIZE)
      forest->cells[cell]++;
  }
  forest->words = forest->cells;
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
  for (guint strip = 0; strip < forest.n_strips; strip++)
    paint_strip (&forest, strip, FALSE, forest.slots);
  write_records (&totals, n, GST_GLES_CPU_MIN_CHUNK, add_points, regions);
  return total;
}
