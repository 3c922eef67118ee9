/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Native twin of connected components: builds a union-find forest of runs, in which the parent
 * of a run never comes after it. Rows are reduced to 64-bit masks. Bit operations on the masks
 * find the runs of strips, and the pairs of runs that touch. Threads label chunks of strips in
 * parallel; then the chunks are joined. */
#include <gst/gles/cpu/components/components-private.h>

#include <gst/gles/core/checked.h>

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

/* The same of bytes. */
G_ALWAYS_INLINE static inline guint64
mask_of_bytes (const guint8 *bytes, guint n, guint8 lower, guint8 span)
{
  const GstGlesU8x16 weights = { 1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128 };
  guint64 mask = 0;
  guint i = 0;

  for (; i + 16 <= n; i += 16) {
    const GstGlesU8x16 v = gst_gles_u8x16_load (bytes + i) - lower;
    const GstGlesU8x16 bits = (GstGlesU8x16) (v <= span) & weights;
    guint64 halves[2];

    memcpy (halves, &bits, sizeof halves);
    /* The sum of all bytes is in the highest byte of the product. */
    for (guint j = 0; j < 2; j++)
      mask |= (halves[j] * 0x0101010101010101u >> 56) << (i + 8 * j);
  }
  for (; i < n; i++)
    mask |= (guint64) ((guint8) (bytes[i] - lower) <= span) << i;
  return mask;
}

G_ALWAYS_INLINE static inline void
find_masks (const GstGlesCpuForest *forest, guint row)
{
  const GstGlesCpuComponents *config = forest->config;
  const gsize first = (gsize) row * config->width;
  guint64 *masks = forest->masks + (gsize) row * forest->row_masks;
  const guint32 lower = config->lower, upper = config->upper;

  for (guint i = 0; i < forest->row_masks; i++) {
    const gsize at = first + 64 * i;
    const guint n = MIN (config->width - 64 * i, 64);

    if (lower > upper || (forest->words == NULL && lower > G_MAXUINT8))
      masks[i] = 0;
    else if (forest->words != NULL)
      masks[i] = mask_of (forest->words + at, n, lower, upper - lower);
    else
      masks[i] = mask_of_bytes (forest->bytes + at, n, lower, MIN (upper, G_MAXUINT8) - lower);
  }
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

/* ---- joining ---- */

static inline guint32
find_root (guint32 *parents, guint32 run)
{
  guint32 parent = parents[run];

  /* Mostly the parent is the root, and nothing is stored. */
  for (guint32 next = parents[parent]; next != parent; next = parents[parent]) {
    parents[run] = next;
    run = next;
    parent = parents[run];
  }
  return parent;
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
  if (forest->joins_chunks && forest->records != NULL)
    merge_record (&forest->records[low], &forest->records[high]);
}

/* Where a strip touches the strip above, in 64 columns. */
typedef struct {
  guint64 places; /* columns where words touch, after each is extended by one for diagonals */
  guint64 starts; /* columns where runs above begin */
} Touches;

G_ALWAYS_INLINE static inline Touches
touches_of (const GstGlesCpuForest *forest, guint strip, guint i)
{
  const guint64 *below =
      forest->masks + (gsize) strip * forest->strip_height * forest->row_masks + i;
  const guint64 *above = below - forest->row_masks;
  const GstGlesCpuStripMasks masks = gst_gles_cpu_strip_masks (forest, strip - 1, i);
  const guint64 mask = masks.top | masks.bottom;
  guint64 before = mask << 1, reach_below = *below, reach_above = *above;

  if (forest->strip_height == 2) {
    reach_below |= *below << 1;
    reach_above |= *above << 1;
  }
  if (i > 0) {
    const GstGlesCpuStripMasks left = gst_gles_cpu_strip_masks (forest, strip - 1, i - 1);

    before |= (left.top | left.bottom) >> 63;
    if (forest->strip_height == 2) {
      reach_below |= below[-1] >> 63;
      reach_above |= above[-1] >> 63;
    }
  }
  return (Touches){ reach_below & reach_above, mask & ~before };
}

/* Joins run @a with the runs that it touches at @places. @b is the last run above that began in
 * earlier columns. The columns up to the next start belong to the same run, so the first one is
 * enough. */
G_ALWAYS_INLINE static inline void
join_places (const GstGlesCpuForest *forest, guint32 a, guint32 b, guint64 starts, guint64 places)
{
  while (places != 0) {
    const guint64 so_far = places ^ (places - 1); /* the bits up to the column, inclusive */
    const guint64 next = starts & ~so_far;

    join (forest, a, b + __builtin_popcountll (starts & so_far));
    places &= -(next & -next);
  }
}

/* Makes @run, which was not known before, a root or a child of the first run that it touches. */
G_ALWAYS_INLINE static inline void
add_run (const GstGlesCpuForest *forest, guint32 run, GstGlesCpuRoot known, guint32 b,
    const Touches *touches, guint64 places)
{
  const guint64 so_far = places ^ (places - 1);
  const guint64 next = touches->starts & ~so_far;
  guint32 root = run;

  if (places != 0) {
    root = find_root (forest->parents, b + __builtin_popcountll (touches->starts & so_far));
    forest->roots[root].size += known.size; /* its first word comes before */
    places &= -(next & -next);
  } else {
    forest->roots[run] = known;
  }
  forest->parents[run] = root;
  join_places (forest, run, b, touches->starts, places);
}

/* Finds the runs of @strip, if @find is set, and joins them with the runs that they touch of the
 * strip above, if @joins is set. */
G_ALWAYS_INLINE static inline void
walk_strip (const GstGlesCpuForest *forest, guint strip, gboolean find, gboolean joins)
{
  const gboolean diagonal = forest->strip_height == 2;
  gsize at = (gsize) strip * forest->strip_height * forest->config->width;
  /* Numbers of the next run, and of the last run above. */
  guint32 a = (guint32) (strip * forest->row_runs);
  guint32 b = (guint32) ((strip - 1) * forest->row_runs) - 1;
  gboolean before = FALSE;

  joins = joins && forest->n_runs[strip - 1] > 0;
  for (guint i = 0; i < forest->row_masks; i++, at += 64) {
    const GstGlesCpuStripMasks masks = gst_gles_cpu_strip_masks (forest, strip, i);
    const Touches touches = joins ? touches_of (forest, strip, i) : (Touches){ 0 };
    guint64 mask = masks.top | masks.bottom, run;
    const gboolean last = mask >> 63 != 0;

    if (before) { /* the last run continues here, or reaches the first column */
      run = mask & 1 ? gst_gles_cpu_first_run (mask) : 0;
      if (find && run != 0)
        merge_roots (
            &forest->roots[find_root (forest->parents, a - 1)], root_of (forest, masks, run, at));
      join_places (
          forest, a - 1, b, touches.starts, touches.places & (diagonal ? run | run << 1 | 1 : run));
      mask &= ~run;
    }
    for (; mask != 0; mask &= ~run, a++) {
      guint64 places;

      run = gst_gles_cpu_first_run (mask);
      places = touches.places & (diagonal ? run | run << 1 : run);
      if (find)
        add_run (forest, a, root_of (forest, masks, run, at), b, &touches, places);
      else
        join_places (forest, a, b, touches.starts, places);
    }
    b += (guint32) __builtin_popcountll (touches.starts);
    before = last;
  }
  if (find)
    forest->n_runs[strip] = a - (guint32) (strip * forest->row_runs);
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
    if (root->size >= forest->config->min_size) {
      if (forest->candidate_runs != NULL)
        forest->candidate_runs[strip * forest->row_runs + n] = run;
      candidates[n++] = (guint64) ~root->size << 32 | root->first;
    }
    root->size = 0;
  }
  forest->n_candidates[strip] = n;
}

/* Makes the root the parent of each run, and collects the roots. One step is enough, because every
 * run before it is flat already. */
G_ALWAYS_INLINE static inline void
flatten_strip (const GstGlesCpuForest *forest, guint strip)
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

/* Computes the records of the roots of a chunk. A root precedes the other runs of its component. */
G_ALWAYS_INLINE static inline void
record_strip (const GstGlesCpuForest *forest, guint strip)
{
  const guint64 *roots = forest->candidates + strip * forest->row_runs;

  for (guint i = 0; i < forest->n_candidates[strip]; i++)
    forest->records[roots[i]] = gst_gles_cpu_no_record;
  add_strip (forest, forest->records, strip, TRUE);
}

G_ALWAYS_INLINE static inline void
label_strips_of (const GstGlesCpuForest *shared, guint height, guint first, guint end)
{
  GstGlesCpuForest copy = *shared; /* stores to its arrays cannot change it */
  const GstGlesCpuForest *forest = &copy;

  copy.strip_height = height; /* a constant */
  copy.joins_chunks = FALSE;
  for (guint strip = first; strip < end; strip++) {
    for (guint row = strip * height; row < MIN ((strip + 1) * height, forest->config->height);
         row++)
      find_masks (forest, row);
    walk_strip (forest, strip, TRUE, strip > first);
  }
  for (guint strip = first; strip < end; strip++)
    flatten_strip (forest, strip);
  for (guint strip = first; forest->records != NULL && strip < end; strip++)
    record_strip (forest, strip);
}

G_ALWAYS_INLINE static inline void
label_strips (const GstGlesCpuForest *forest, guint first, guint end)
{
  if (forest->strip_height == 2)
    label_strips_of (forest, 2, first, end);
  else
    label_strips_of (forest, 1, first, end);
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
  GstGlesCpuRange strips = gst_gles_cpu_chunk (&forest->strips, task);

  if (gst_gles_cpu_is_newer ())
    label_strips_newer (forest, strips.first, strips.end);
  else
    label_strips (forest, strips.first, strips.end);
}

static void
collect_chunk (guint task, guint participant, gpointer user_data)
{
  GstGlesCpuForest *forest = user_data;
  GstGlesCpuRange strips = gst_gles_cpu_chunk (&forest->strips, task);

  for (guint strip = strips.first; strip < strips.end; strip++)
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

  forest->joins_chunks = TRUE;
  for (guint i = 1; i < forest->strips.count; i++) {
    guint strip = gst_gles_cpu_chunk (&forest->strips, i).first;

    for (guint side = strip - 1; side <= strip; side++) {
      gsize first = side * forest->row_runs;
      for (gsize j = first; j < first + forest->n_runs[side]; j++)
        borders[n++] = forest->parents[j];
    }
  }
  for (guint i = 1; i < forest->strips.count; i++)
    walk_strip (forest, gst_gles_cpu_chunk (&forest->strips, i).first, FALSE, TRUE);
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
