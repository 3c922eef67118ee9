/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Native twin of connected components: selects the components that are listed, and computes their
 * records. Each chunk of rows, or of points, has private records, which are merged at the end. */
#include <stdlib.h>
#include <string.h>

#include <gst/gles/core/checked.h>
#include <gst/gles/cpu/components-private.h>
#include <gst/gles/cpu/vector.h>

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
  forest->parents = arena_take (arena, n_runs, sizeof (guint32));
  forest->sizes = arena_take (arena, n_runs, sizeof (guint32));
  forest->candidates = arena_take (arena, n_runs, sizeof (guint64));
  forest->borders = arena_take (
      arena, forest->row_runs * 2 * MIN (GST_GLES_CPU_MAX_CHUNKS, height), sizeof (guint32));
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
    forest->sizes[(guint32) listed[i]] = i + 1;
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
  return forest->sizes[gst_gles_cpu_run_root (forest->parents, run)];
}

/* What was added to one component since the last flush(). Neighbouring runs mostly belong to the
 * same component, and a table in memory would make each wait for the one before. */
typedef struct {
  GstGlesComponentRecord *table;
  guint32 slot; /* 0: nothing was added */
  guint32 left, right, top, bottom, max;
  guint64 pixels, sum_x, sum_y, sum;
} Sums;

static void
flush (Sums *sums)
{
  const GstGlesComponentRecord record = { .left = sums->left,
    .top = sums->top,
    .right = sums->right,
    .bottom = sums->bottom,
    .pixels = (guint32) sums->pixels,
    .max_value = sums->max,
    .sum_x_low = (guint32) sums->sum_x,
    .sum_x_high = (guint32) (sums->sum_x >> 32),
    .sum_y_low = (guint32) sums->sum_y,
    .sum_y_high = (guint32) (sums->sum_y >> 32),
    .sum_value_low = (guint32) sums->sum,
    .sum_value_high = (guint32) (sums->sum >> 32) };

  if (sums->slot != 0)
    merge_record (&sums->table[sums->slot - 1], &record);
  *sums = (Sums){ .table = sums->table, .left = G_MAXUINT32, .top = G_MAXUINT32 };
}

/* Returns the sum of the numbers of the bits that are set. */
G_ALWAYS_INLINE static inline guint
sum_of_bits (guint64 bits)
{
  /* the bits in whose numbers bit i is set */
  static const guint64 halves[6] = { 0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0,
    0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000 };
  guint sum = 0;

  for (guint i = 0; i < G_N_ELEMENTS (halves); i++)
    sum += (guint) __builtin_popcountll (bits & halves[i]) << i;
  return sum;
}

/* Adds the values of the words whose bits are set. Of 64 words at @words, the first @n exist. */
G_ALWAYS_INLINE static inline void
add_values (Sums *sums, const guint32 *words, guint n, guint64 bits)
{
  const GstGlesU32x4 weights = { 1, 2, 4, 8 }, none = { 0 };
  GstGlesU32x4 low = none, high = none, max = none;
  guint i = 0;

  for (; i + 4 <= n; i += 4) {
    const GstGlesU32x4 here = (none + (guint32) (bits >> i)) & weights;
    const GstGlesU32x4 v = gst_gles_u32x4_load (words + i) & (GstGlesU32x4) (here == weights);

    low += v & 0xffff;
    high += v >> 16;
    max = gst_gles_u32x4_select ((GstGlesU32x4) (v > max), v, max);
  }
  for (guint j = 0; j < 4; j++) {
    sums->sum += low[j] + ((guint64) high[j] << 16);
    sums->max = MAX (sums->max, max[j]);
  }
  for (; i < n; i++) {
    if (bits >> i & 1) {
      sums->sum += words[i];
      sums->max = MAX (sums->max, words[i]);
    }
  }
}

/* Adds the words from column @column on whose bits are set to the component of @slot. */
G_ALWAYS_INLINE static inline void
add_bits (
    Sums *sums, guint32 slot, guint row, guint column, const guint32 *words, guint n, guint64 bits)
{
  const guint pixels = (guint) __builtin_popcountll (bits);

  if (slot == 0 || bits == 0)
    return;
  if (sums->slot != slot) {
    flush (sums);
    sums->slot = slot;
  }
  sums->left = MIN (sums->left, column + __builtin_ctzll (bits));
  sums->right = MAX (sums->right, column + 63 - __builtin_clzll (bits));
  sums->top = MIN (sums->top, row);
  sums->bottom = MAX (sums->bottom, row);
  sums->pixels += pixels;
  sums->sum_x += (guint64) column * pixels + sum_of_bits (bits);
  sums->sum_y += (guint64) row * pixels;
  add_values (sums, words, n, bits);
}

/* Returns the bits of the run @run among the 64 columns from @column on. */
static inline guint64
bits_of (const GstGlesCpuRun *run, guint32 column)
{
  const guint first = MAX (run->start, column) - column;
  const guint last = MIN (run->last, column + 63) - column;

  return (~G_GUINT64_CONSTANT (0) >> (63 - last)) & (~G_GUINT64_CONSTANT (0) << first);
}

/* Adds the runs of a row, 64 columns at a time. */
G_ALWAYS_INLINE static inline void
add_row (const GstGlesCpuForest *forest, Sums *sums, guint row)
{
  const GstGlesCpuRun *runs = forest->runs;
  const guint width = forest->config->width;
  const guint32 *words = forest->words + (gsize) row * width;
  guint32 at = row * forest->row_runs;
  const guint32 end = at + forest->n_runs[row];

  for (guint column = 0; column < width && at < end; column += 64) {
    const guint n = MIN (width - column, 64);
    guint32 slot = 0;
    guint64 bits = 0; /* of the runs of this slot */

    while (at < end && runs[at].start < column + 64) {
      const guint32 slot_here = slot_of (forest, at);

      if (slot_here != slot) {
        add_bits (sums, slot, row, column, words + column, n, bits);
        slot = slot_here;
        bits = 0;
      }
      if (slot != 0)
        bits |= bits_of (&runs[at], column);
      if (runs[at].last >= column + 64)
        break; /* continues */
      at++;
    }
    add_bits (sums, slot, row, column, words + column, n, bits);
  }
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
    guint32 root = gst_gles_cpu_run_root (forest->parents, i);
    guint32 label = root / forest->row_runs * width + forest->runs[root].start;

    for (guint32 x = run->start; x <= run->last; x++)
      labels[x] = label;
  }
}

G_ALWAYS_INLINE static inline void
add_some_rows (const Totals *totals, Sums *sums, guint row, guint end)
{
  for (; row < end; row++) {
    add_row (totals->forest, sums, row);
    if (totals->labels != NULL)
      label_row (totals, row);
  }
}

GST_GLES_CPU_NEWER static void
add_some_rows_newer (const Totals *totals, Sums *sums, guint row, guint end)
{
  add_some_rows (totals, sums, row, end);
}

static void
add_rows (guint task, guint participant, gpointer user_data)
{
  const Totals *totals = user_data;
  Sums sums = { .table = totals->forest->tables + (gsize) task * totals->n_listed };
  guint row = gst_gles_cpu_chunk_first (&totals->chunks, task);
  guint end = row + gst_gles_cpu_chunk_n (&totals->chunks, task);

  clear_table (sums.table, totals->n_listed);
  flush (&sums);
  if (GST_GLES_CPU_IS_NEWER)
    add_some_rows_newer (totals, &sums, row, end);
  else
    add_some_rows (totals, &sums, row, end);
  flush (&sums);
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
