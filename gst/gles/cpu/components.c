/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Native twin of connected components: builds a union-find forest of runs, in which the parent
 * of a run never comes after it. Rows are reduced to 64-bit masks. Bit operations on the masks
 * find the runs of strips, and the pairs of runs that touch. Threads label chunks of strips in
 * parallel; then the chunks are joined. */
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
weight_of (const guint32 *words, guint64 bits)
{
  guint32 weight = 0;

  for (; bits != 0; bits &= bits - 1)
    weight += words[__builtin_ctzll (bits)];
  return weight;
}

/* What is known of the words in the columns @run, of 64 columns whose first word in the upper row
 * has the raster index @at. */
G_ALWAYS_INLINE static inline GstGlesCpuRoot
root_of (const GstGlesCpuForest *forest, GstGlesCpuStripMasks masks, guint64 run, gsize at)
{
  const guint width = forest->config->width;
  const guint64 top = masks.top & run, bottom = masks.bottom & run;
  const guint32 row = (guint32) at + (top != 0 ? 0 : width);
  GstGlesCpuRoot root = { .first = row + (guint32) __builtin_ctzll (top != 0 ? top : run) };

  if (forest->weighted)
    root.size =
        weight_of (forest->words + at, top) + weight_of (forest->words + at + width, bottom);
  else
    root.size = (guint32) (__builtin_popcountll (top) + __builtin_popcountll (bottom));
  return root;
}

static inline void
merge_roots (GstGlesCpuRoot *to, GstGlesCpuRoot from)
{
  to->size += from.size;
  to->first = MIN (to->first, from.first);
}

G_ALWAYS_INLINE static inline void
find_runs (const GstGlesCpuForest *forest, guint strip)
{
  const guint32 first = strip * forest->row_runs;
  guint32 *parents = forest->parents + first;
  GstGlesCpuRoot *roots = forest->roots + first;
  gsize at = (gsize) strip * forest->strip_height * forest->config->width;
  guint64 before = 0;
  guint n = 0;

  for (guint i = 0; i < forest->row_masks; i++, at += 64) {
    const GstGlesCpuStripMasks masks = gst_gles_cpu_strip_masks (forest, strip, i);
    guint64 mask = masks.top | masks.bottom, run;
    const guint64 last = mask >> 63;

    if (before & mask) {
      run = gst_gles_cpu_first_run (mask);
      merge_roots (&roots[n - 1], root_of (forest, masks, run, at));
      mask &= ~run;
    }
    for (; mask != 0; mask &= ~run) {
      run = gst_gles_cpu_first_run (mask);
      roots[n] = root_of (forest, masks, run, at);
      parents[n] = first + n;
      n++;
    }
    before = last;
  }
  forest->n_runs[strip] = n;
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
  merge_roots (&forest->roots[low], forest->roots[high]);
}

/* Joins the runs of @strip with the touching runs of the strip above. Words touch in a column where
 * both rows have one, after each is extended by one column for diagonals. The columns between two
 * starts of runs belong to the same pair of runs, so the first one is enough. */
G_ALWAYS_INLINE static inline void
join_strips (const GstGlesCpuForest *forest, guint strip)
{
  const guint64 *below = forest->masks + (gsize) strip * forest->strip_height * forest->row_masks;
  const guint64 *above = below - forest->row_masks;
  /* Numbers of the last runs that began so far, in either strip. */
  guint32 a = (guint32) (strip * forest->row_runs) - 1;
  guint32 b = (guint32) ((strip - 1) * forest->row_runs) - 1;
  guint64 carry_a = 0, carry_b = 0, carry_below = 0, carry_above = 0;
  gboolean diagonal = forest->config->diagonal;

  for (guint i = 0; i < forest->row_masks; i++) {
    const GstGlesCpuStripMasks rows_a = gst_gles_cpu_strip_masks (forest, strip, i);
    const GstGlesCpuStripMasks rows_b = gst_gles_cpu_strip_masks (forest, strip - 1, i);
    guint64 mask_a = rows_a.top | rows_a.bottom, mask_b = rows_b.top | rows_b.bottom;
    guint64 starts_a = mask_a & ~(mask_a << 1 | carry_a);
    guint64 starts_b = mask_b & ~(mask_b << 1 | carry_b);
    guint64 reach_a = diagonal ? below[i] | below[i] << 1 | carry_below : below[i];
    guint64 reach_b = diagonal ? above[i] | above[i] << 1 | carry_above : above[i];
    guint64 places = reach_a & reach_b;

    while (places != 0) {
      guint64 so_far = places ^ (places - 1); /* the bits up to the column, inclusive */
      guint64 starts = (starts_a | starts_b) & ~so_far;

      join (forest, a + __builtin_popcountll (starts_a & so_far),
          b + __builtin_popcountll (starts_b & so_far));
      places &= -(starts & -starts); /* from the next start on */
    }
    a += __builtin_popcountll (starts_a);
    b += __builtin_popcountll (starts_b);
    carry_a = mask_a >> 63;
    carry_b = mask_b >> 63;
    carry_below = below[i] >> 63;
    carry_above = above[i] >> 63;
  }
}

/* ---- roots ---- */

/* Collects the candidates among the roots of the chunk that no other chunk's root has joined. */
static void
find_candidates (GstGlesCpuForest *forest, guint strip)
{
  guint64 *candidates = forest->candidates + strip * forest->row_runs;
  guint n = 0;

  for (guint i = 0; i < forest->n_candidates[strip]; i++) {
    const guint32 run = (guint32) candidates[i];
    GstGlesCpuRoot *root = &forest->roots[run];

    if (forest->parents[run] != run)
      continue;
    if (root->size >= forest->config->min_size)
      candidates[n++] = (guint64) ~root->size << 32 | root->first;
    root->size = 0;
  }
  forest->n_candidates[strip] = n;
}

/* Makes the root the parent of each run, and collects the roots. One step is enough, because every
 * run before it is flat already. */
G_ALWAYS_INLINE static inline void
flatten_strip (GstGlesCpuForest *forest, guint strip)
{
  guint32 *parents = forest->parents;
  const guint32 first = strip * forest->row_runs;
  guint64 *roots = forest->candidates + first;
  guint n = 0;

  for (guint32 i = first; i < first + forest->n_runs[strip]; i++) {
    const guint32 root = parents[parents[i]];

    parents[i] = root;
    roots[n] = root; /* stays if it is one */
    n += root == i;
  }
  forest->n_candidates[strip] = n;
}

G_ALWAYS_INLINE static inline void
label_strips (GstGlesCpuForest *forest, guint first, guint end)
{
  const guint height = forest->strip_height;

  for (guint strip = first; strip < end; strip++) {
    for (guint row = strip * height; row < MIN ((strip + 1) * height, forest->config->height);
         row++)
      find_masks (forest, row);
    find_runs (forest, strip);
    if (strip > first)
      join_strips (forest, strip);
  }
  for (guint strip = first; strip < end; strip++)
    flatten_strip (forest, strip);
}

GST_GLES_CPU_NEWER static void
label_strips_newer (GstGlesCpuForest *forest, guint first, guint end)
{
  label_strips (forest, first, end);
}

static void
label_chunk (guint task, guint participant, gpointer user_data)
{
  GstGlesCpuForest *forest = user_data;
  guint first = gst_gles_cpu_chunk_first (&forest->strips, task);
  guint end = first + gst_gles_cpu_chunk_n (&forest->strips, task);

  if (GST_GLES_CPU_IS_NEWER)
    label_strips_newer (forest, first, end);
  else
    label_strips (forest, first, end);
}

static void
collect_chunk (guint task, guint participant, gpointer user_data)
{
  GstGlesCpuForest *forest = user_data;
  guint first = gst_gles_cpu_chunk_first (&forest->strips, task);
  guint end = first + gst_gles_cpu_chunk_n (&forest->strips, task);

  for (guint strip = first; strip < end; strip++)
    find_candidates (forest, strip);
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

  for (guint i = 1; i < forest->strips.count; i++) {
    guint strip = gst_gles_cpu_chunk_first (&forest->strips, i);

    for (guint side = strip - 1; side <= strip; side++) {
      gsize first = side * forest->row_runs;
      for (gsize j = first; j < first + forest->n_runs[side]; j++)
        borders[n++] = forest->parents[j];
    }
  }
  for (guint i = 1; i < forest->strips.count; i++)
    join_strips (forest, gst_gles_cpu_chunk_first (&forest->strips, i));
  for (gsize i = 0; i < n; i++)
    compress_path (forest->parents, borders[i]);
}

guint
gst_gles_cpu_forest_grow (GstGlesCpuForest *forest)
{
  guint n = 0;

  gst_gles_cpu_parallel (forest->strips.count, label_chunk, forest);
  join_chunks (forest);
  gst_gles_cpu_parallel (forest->strips.count, collect_chunk, forest);
  for (guint strip = 0; strip < forest->n_strips; strip++)
    n += forest->n_candidates[strip];
  return n;
}
