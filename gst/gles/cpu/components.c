/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Native twin of connected components: builds a union-find forest of runs, in which the parent
 * of a run never comes after it. Rows are reduced to 64-bit masks. Bit operations on the masks
 * find the runs, and each pair of touching runs once, at the column where the later one begins.
 * Threads label chunks of rows in parallel; then the chunks are joined. */
#include <gst/gles/cpu/components-private.h>

#include <gst/gles/core/checked.h>
#include <gst/gles/cpu/vector.h>

/* ---- masks ---- */

/* A mask whose bit i is set if words[i] - lower <= span. */
static inline guint64
mask_of (const guint32 *words, guint n, guint32 lower, guint32 span)
{
  const GstGlesU32x4 weights = { 1, 2, 4, 8 };
  GstGlesI32x4 limit = { 0, 0, 0, 0 };
  guint64 mask = 0;
  guint i = 0;

  limit += (gint32) (span ^ 0x80000000u);
  for (; i + 16 <= n; i += 16) {
    GstGlesU32x4 bits = { 0, 0, 0, 0 };

    for (guint j = 0; j < 4; j++) {
      GstGlesU32x4 v = gst_gles_u32x4_load (words + i + 4 * j) - lower;
      bits |= (GstGlesU32x4) ((GstGlesI32x4) (v ^ 0x80000000u) <= limit) & (weights << (4 * j));
    }
    mask |= (guint64) (bits[0] | bits[1] | bits[2] | bits[3]) << i;
  }
  for (; i < n; i++)
    mask |= (guint64) (words[i] - lower <= span) << i;
  return mask;
}

G_ALWAYS_INLINE static inline void
find_masks (const GstGlesCpuForest *forest, guint row)
{
  const GstGlesCpuComponents *config = forest->config;
  const guint32 *words = forest->words + (gsize) row * config->width;
  guint64 *masks = forest->masks + (gsize) row * forest->row_masks;
  guint32 span = config->upper - config->lower;

  for (guint i = 0; i < forest->row_masks; i++)
    masks[i] = config->lower > config->upper
        ? 0
        : mask_of (words + 64 * i, MIN (config->width - 64 * i, 64), config->lower, span);
}

/* ---- runs ---- */

static guint32
weight_of (const guint32 *words, const GstGlesCpuRun *run)
{
  guint32 weight = 0;

  for (guint32 x = run->start; x <= run->last; x++)
    weight += words[x];
  return weight;
}

G_ALWAYS_INLINE static inline void
find_runs (const GstGlesCpuForest *forest, guint row)
{
  const guint64 *masks = forest->masks + (gsize) row * forest->row_masks;
  const guint32 *words = forest->words + (gsize) row * forest->config->width;
  guint32 first = row * forest->row_runs;
  GstGlesCpuRun *runs = forest->runs + first;
  guint32 *parents = forest->parents + first, *sizes = forest->sizes + first;
  guint64 before = 0;
  guint n = 0, n_ended = 0;

  for (guint i = 0; i < forest->row_masks; i++) {
    guint64 mask = masks[i];
    guint64 behind = i + 1 < forest->row_masks ? masks[i + 1] << 63 : 0;
    guint64 starts = mask & ~(mask << 1 | before);
    guint64 ends = mask & ~(mask >> 1 | behind);

    for (; starts != 0; starts &= starts - 1) {
      runs[n].start = 64 * i + __builtin_ctzll (starts);
      parents[n] = first + n;
      n++;
    }
    for (; ends != 0; ends &= ends - 1) {
      runs[n_ended].last = 64 * i + __builtin_ctzll (ends);
      sizes[n_ended] = runs[n_ended].last - runs[n_ended].start + 1;
      n_ended++;
    }
    before = mask >> 63;
  }
  for (guint i = 0; i < n && forest->weighted; i++)
    sizes[i] = weight_of (words, &runs[i]);
  forest->n_runs[row] = n;
}

/* ---- joining ---- */

static inline guint32
find_root (guint32 *parents, guint32 run)
{
  while (parents[run] != run) {
    parents[run] = parents[parents[run]];
    run = parents[run];
  }
  return run;
}

G_ALWAYS_INLINE static inline void
join (const GstGlesCpuForest *forest, guint32 a, guint32 b)
{
  guint32 *parents = forest->parents;
  guint32 low, high;

  /* Most runs that touch have been joined by others already. */
  if (parents[a] == parents[b])
    return;
  a = find_root (parents, a);
  b = find_root (parents, b);
  if (a == b)
    return;
  low = MIN (a, b);
  high = MAX (a, b);
  parents[high] = low;
  forest->sizes[low] += forest->sizes[high];
}

/* Joins the runs of @row with the touching runs of the row above. Two runs touch if they overlap
 * in a column, after each is extended by one column for diagonals. The first column of the
 * overlap is where one of them begins. */
G_ALWAYS_INLINE static inline void
join_rows (const GstGlesCpuForest *forest, guint row)
{
  const guint64 *below = forest->masks + (gsize) row * forest->row_masks;
  const guint64 *above = below - forest->row_masks;
  /* Numbers of the last runs that began so far, in either row. */
  guint32 a = (guint32) (row * forest->row_runs) - 1;
  guint32 b = (guint32) ((row - 1) * forest->row_runs) - 1;
  guint64 carry_a = 0, carry_b = 0;
  gboolean diagonal = forest->config->diagonal;

  for (guint i = 0; i < forest->row_masks; i++) {
    guint64 before_a = below[i] << 1 | carry_a, before_b = above[i] << 1 | carry_b;
    guint64 starts_a = below[i] & ~before_a, starts_b = above[i] & ~before_b;
    guint64 reach_a = diagonal ? below[i] | before_a : below[i];
    guint64 reach_b = diagonal ? above[i] | before_b : above[i];
    guint64 places = reach_a & reach_b & (starts_a | starts_b);

    for (; places != 0; places &= places - 1) {
      guint64 so_far = places ^ (places - 1); /* the bits up to the column, inclusive */
      join (forest, a + __builtin_popcountll (starts_a & so_far),
          b + __builtin_popcountll (starts_b & so_far));
    }
    a += __builtin_popcountll (starts_a);
    b += __builtin_popcountll (starts_b);
    carry_a = below[i] >> 63;
    carry_b = above[i] >> 63;
  }
}

/* ---- roots ---- */

/* Collects the candidates among the roots of the chunk that no other chunk's root has joined. */
static void
find_candidates (GstGlesCpuForest *forest, guint row)
{
  guint64 *candidates = forest->candidates + row * forest->row_runs;
  guint n = 0;

  for (guint i = 0; i < forest->n_candidates[row]; i++) {
    const guint32 run = (guint32) candidates[i];

    if (forest->parents[run] != run)
      continue;
    if (forest->sizes[run] >= forest->config->min_size)
      candidates[n++] = (guint64) ~forest->sizes[run] << 32 | run;
    forest->sizes[run] = 0;
  }
  forest->n_candidates[row] = n;
}

/* Makes the root the parent of each run, and collects the roots. One step is enough, because every
 * run before it is flat already. */
G_ALWAYS_INLINE static inline void
flatten_row (GstGlesCpuForest *forest, guint row)
{
  guint32 *parents = forest->parents;
  const guint32 first = row * forest->row_runs;
  guint64 *roots = forest->candidates + first;
  guint n = 0;

  for (guint32 i = first; i < first + forest->n_runs[row]; i++) {
    const guint32 root = parents[parents[i]];

    parents[i] = root;
    roots[n] = root; /* stays if it is one */
    n += root == i;
  }
  forest->n_candidates[row] = n;
}

G_ALWAYS_INLINE static inline void
label_rows (GstGlesCpuForest *forest, guint first, guint end)
{
  for (guint row = first; row < end; row++) {
    find_masks (forest, row);
    find_runs (forest, row);
    if (row > first)
      join_rows (forest, row);
  }
  for (guint row = first; row < end; row++)
    flatten_row (forest, row);
}

GST_GLES_CPU_NEWER static void
label_rows_newer (GstGlesCpuForest *forest, guint first, guint end)
{
  label_rows (forest, first, end);
}

static void
label_chunk (guint task, guint participant, gpointer user_data)
{
  GstGlesCpuForest *forest = user_data;
  guint first = gst_gles_cpu_chunk_first (&forest->rows, task);
  guint end = first + gst_gles_cpu_chunk_n (&forest->rows, task);

  if (GST_GLES_CPU_IS_NEWER)
    label_rows_newer (forest, first, end);
  else
    label_rows (forest, first, end);
}

static void
collect_chunk (guint task, guint participant, gpointer user_data)
{
  GstGlesCpuForest *forest = user_data;
  guint first = gst_gles_cpu_chunk_first (&forest->rows, task);
  guint end = first + gst_gles_cpu_chunk_n (&forest->rows, task);

  for (guint row = first; row < end; row++)
    find_candidates (forest, row);
}

/* Makes the root the parent of each run on the path from @run. */
static void
compress_path (guint32 *parents, guint32 run)
{
  guint32 root = run;

  while (parents[root] != root)
    root = parents[root];
  while (run != root) {
    guint32 next = parents[run];
    parents[run] = root;
    run = next;
  }
}

/* Joins neighbouring chunks. The roots of chunks along the borders, which are the parents of other
 * runs, are then attached to their new roots directly. Otherwise the runs of a spiral would each
 * follow a path through all of its turns. */
static void
join_chunks (GstGlesCpuForest *forest)
{
  guint32 *borders = forest->borders;
  gsize n = 0;

  for (guint i = 1; i < forest->rows.count; i++) {
    guint row = gst_gles_cpu_chunk_first (&forest->rows, i);

    for (guint side = row - 1; side <= row; side++) {
      gsize first = side * forest->row_runs;
      for (gsize j = first; j < first + forest->n_runs[side]; j++)
        borders[n++] = forest->parents[j];
    }
  }
  for (guint i = 1; i < forest->rows.count; i++)
    join_rows (forest, gst_gles_cpu_chunk_first (&forest->rows, i));
  for (gsize i = 0; i < n; i++)
    compress_path (forest->parents, borders[i]);
}

guint
gst_gles_cpu_forest_grow (GstGlesCpuForest *forest)
{
  guint n = 0;

  gst_gles_cpu_parallel (forest->rows.count, label_chunk, forest);
  join_chunks (forest);
  gst_gles_cpu_parallel (forest->rows.count, collect_chunk, forest);
  for (guint row = 0; row < forest->config->height; row++)
    n += forest->n_candidates[row];
  return n;
}
