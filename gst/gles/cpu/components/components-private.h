/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Native twin of connected components: the forest of runs, which components.c builds and
 * components-totals.c reads, and the records of components, to which both add the runs of
 * strips. */
#ifndef GST_GLES_CPU_COMPONENTS_PRIVATE_H
#define GST_GLES_CPU_COMPONENTS_PRIVATE_H

#include <gst/gles/cpu/lib/chunks.h>
#include <gst/gles/cpu/components/components.h>
#include <gst/gles/cpu/lib/newer.h>
#include <gst/gles/cpu/lib/vector.h>

G_BEGIN_DECLS

/* A strip: two rows for 8 neighbours, one for 4. All foreground words in neighbouring columns of a
 * strip touch, so its components are the runs of columns that have one: the nodes of the forest.
 * Runs are numbered strip by strip, from left to right, with gaps between strips. */
typedef struct {
  guint64 top, bottom; /* masks of the two rows; bottom is 0 if there is one row */
} GstGlesCpuStripMasks;

/* What is known of a component. Undefined for runs that are not roots. */
typedef struct {
  /* The number of pixels; after select_candidates() 1 + the index in the list, 0 if it is not
   * listed. */
  guint32 size;
  guint32 first; /* raster index of the first word; the root need not contain it */
} GstGlesCpuRoot;

typedef struct {
  const GstGlesCpuComponents *config;
  const guint32 *words; /* NULL: the input has bytes */
  const guint8 *bytes;
  gboolean weighted;  /* a word adds its value to the size instead of 1 */
  guint strip_height; /* rows of a strip; the last strip may have one less */
  guint n_strips;
  gboolean joins_chunks; /* the runs that are joined have records */
  guint row_masks;       /* 64-bit masks per row */
  gsize row_runs;        /* capacity for runs per strip */
  guint64 *masks;   /* bit i of a mask: its word i is foreground; a row of zeros follows the last */
  guint32 *parents; /* number of a run, not greater; a root is its own parent */
  GstGlesCpuRoot *roots; /* one per run */
  guint32 *n_runs;       /* number of runs in each strip */
  /* Roots of at least min_size, per strip at the index of its first run: ~size in the high half,
   * the first word in the low half. Ascending order is the order of the list. Until
   * find_candidates(): the numbers of the roots of the chunk. */
  guint64 *candidates;
  guint32 *n_candidates; /* number of candidates in each strip */
  guint32 *borders; /* the roots within its chunk of each run of the strips where chunks meet */
  guint64 *listed;  /* the candidates that are listed, in order */
  GstGlesComponentRecord *tables; /* private records of each chunk; NULL with records */
  /* Long lists: the record of each run that is a root of its chunk, and the run of each candidate.
   * NULL for other lists. */
  GstGlesComponentRecord *records;
  guint32 *candidate_runs;
  gpointer sort_scratch;
  guint32 *slots; /* points: 1 + the list index of each cell's component, or 0 */
  guint32 *cells; /* points: number of points in each cell */
  GstGlesCpuChunks strips;
} GstGlesCpuForest;

/* The masks of a strip in the 64 columns from 64 * @i on. */
static inline GstGlesCpuStripMasks
gst_gles_cpu_strip_masks (const GstGlesCpuForest *forest, guint strip, guint i)
{
  const guint64 *top = forest->masks + (gsize) strip * forest->strip_height * forest->row_masks + i;

  return (GstGlesCpuStripMasks){ *top, forest->strip_height == 2 ? top[forest->row_masks] : 0 };
}

/* The bits of the first run in @mask, which is not 0. */
static inline guint64
gst_gles_cpu_first_run (guint64 mask)
{
  return mask & ~(mask + (mask & -mask));
}

/* The root of @run, after gst_gles_cpu_forest_grow(). Parents are roots of chunks; their parents
 * are the roots of components. Thread: any. */
static inline guint32
gst_gles_cpu_run_root (const guint32 *parents, guint32 run)
{
  return parents[parents[run]];
}

/* Finds runs, joins runs that touch, sums sizes, and collects the candidates. Returns the number of
 * candidates. */
guint gst_gles_cpu_forest_grow (GstGlesCpuForest *forest);

/* ---- records ---- */

static const GstGlesComponentRecord gst_gles_cpu_no_record = { .left = G_MAXUINT32,
  .top = G_MAXUINT32 };

static inline void
clear_table (GstGlesComponentRecord *table, guint n)
{
  for (guint i = 0; i < n; i++)
    table[i] = gst_gles_cpu_no_record;
}

static inline void
add_64 (guint32 *low, guint32 *high, guint64 value)
{
  guint64 sum = ((guint64) *high << 32 | *low) + value;

  *low = (guint32) sum;
  *high = (guint32) (sum >> 32);
}

static inline void
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
  return forest->roots[gst_gles_cpu_run_root (forest->parents, run)].size;
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
add_values (GstGlesComponentRecord *record, const guint32 *words, guint n, guint64 bits)
{
  const GstGlesU32x4 weights = { 1, 2, 4, 8 }, none = { 0 };
  GstGlesU32x4 low = none, high = none, max = none;
  guint64 sum = 0;
  guint i = bits != 0 ? (guint) __builtin_ctzll (bits) & ~3u : n;

  for (; i + 4 <= n && bits >> i != 0; i += 4) {
    const GstGlesU32x4 here = (none + (guint32) (bits >> i)) & weights;
    const GstGlesU32x4 v = gst_gles_u32x4_load (words + i) & (GstGlesU32x4) (here == weights);

    low += v & 0xffff;
    high += v >> 16;
    max = gst_gles_u32x4_select ((GstGlesU32x4) (v > max), v, max);
  }
  for (guint j = 0; j < 4; j++) {
    sum += low[j] + ((guint64) high[j] << 16);
    record->max_value = MAX (record->max_value, max[j]);
  }
  for (; i < n && bits >> i != 0; i++) {
    if (bits >> i & 1) {
      sum += words[i];
      record->max_value = MAX (record->max_value, words[i]);
    }
  }
  add_64 (&record->sum_value_low, &record->sum_value_high, sum);
}

/* A run of at most so many bytes is added one by one. */
#define FEW_BYTES 8

/* The same of bytes. */
G_ALWAYS_INLINE static inline void
add_bytes (GstGlesComponentRecord *record, const guint8 *bytes, guint n, guint64 bits)
{
  const GstGlesU8x16 weights = { 1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128 };
  GstGlesU16x8 even = { 0 }, odd = { 0 };
  GstGlesU8x16 max = { 0 };
  guint32 sum = 0;

  for (guint i = bits != 0 ? (guint) __builtin_ctzll (bits) & ~15u : n;
       __builtin_popcountll (bits) > FEW_BYTES && i + 16 <= n && bits >> i != 0; i += 16) {
    const guint64 here = bits >> i & 0xffff;
    const guint64 halves[2] = { (here & 0xff) * 0x0101010101010101u,
      (here >> 8) * 0x0101010101010101u };
    GstGlesU8x16 v;

    memcpy (&v, halves, sizeof v);
    v = gst_gles_u8x16_load (bytes + i) & (GstGlesU8x16) ((v & weights) == weights);
    even += (GstGlesU16x8) v & 0xff;
    odd += (GstGlesU16x8) v >> 8;
    max = (max & (GstGlesU8x16) (max > v)) | (v & (GstGlesU8x16) (max <= v));
    bits &= ~((guint64) 0xffff << i);
  }
  even += odd;
  for (guint j = 0; j < 8; j++)
    sum += even[j];
  for (guint j = 0; j < 16; j++)
    record->max_value = MAX (record->max_value, max[j]);
  for (; bits != 0; bits &= bits - 1) {
    const guint8 value = bytes[__builtin_ctzll (bits)];

    sum += value;
    record->max_value = MAX (record->max_value, value);
  }
  add_64 (&record->sum_value_low, &record->sum_value_high, sum);
}

/* 64 columns of a strip. */
typedef struct {
  const GstGlesCpuForest *forest;
  gsize at;          /* raster index of the first value */
  guint row, column; /* the same */
  guint n;           /* columns that exist */
  GstGlesCpuStripMasks masks;
} Block;

/* Adds the values of a row of the block, whose first has the raster index @at. */
G_ALWAYS_INLINE static inline void
add_row (GstGlesComponentRecord *record, const Block *block, gsize at, guint64 bits)
{
  const GstGlesCpuForest *forest = block->forest;

  if (forest->words != NULL)
    add_values (record, forest->words + at, block->n, bits);
  else
    add_bytes (record, forest->bytes + at, block->n, bits);
}

/* Adds the values in the columns @columns, which are not 0, to a component. */
G_ALWAYS_INLINE static inline void
add_columns (GstGlesComponentRecord *record, const Block *block, guint64 columns)
{
  const GstGlesCpuComponents *config = block->forest->config;
  const guint64 top = block->masks.top & columns, bottom = block->masks.bottom & columns;
  const guint n_bottom = (guint) __builtin_popcountll (bottom);
  const guint pixels = (guint) __builtin_popcountll (top) + n_bottom;

  record->left = MIN (record->left, block->column + (guint) __builtin_ctzll (columns));
  record->right = MAX (record->right, block->column + 63 - (guint) __builtin_clzll (columns));
  record->top = MIN (record->top, block->row + (top == 0));
  record->bottom = MAX (record->bottom, block->row + (bottom != 0));
  record->pixels += pixels;
  add_64 (&record->sum_x_low, &record->sum_x_high,
      (guint64) block->column * pixels + sum_of_bits (top) + sum_of_bits (bottom));
  add_64 (&record->sum_y_low, &record->sum_y_high, (guint64) block->row * pixels + n_bottom);
  if (config->lower == config->upper) {
    record->max_value = config->lower;
    add_64 (&record->sum_value_low, &record->sum_value_high, (guint64) config->lower * pixels);
    return;
  }
  add_row (record, block, block->at, top);
  if (bottom != 0)
    add_row (record, block, block->at + config->width, bottom);
}

/* Adds the runs of a strip, 64 columns at a time, to the records of their components in @table: at
 * the index of the list, or, with @by_run, at the number of the root within the chunk. */
G_ALWAYS_INLINE static inline void
add_strip (
    const GstGlesCpuForest *forest, GstGlesComponentRecord *table, guint strip, gboolean by_run)
{
  const guint width = forest->config->width;
  guint32 at = strip * forest->row_runs; /* the next run */
  Block block = { .forest = forest, .row = strip * forest->strip_height };
  guint64 before = 0;

  for (guint i = 0; i < forest->row_masks && forest->n_runs[strip] > 0; i++) {
    guint32 slot = 0;
    guint64 columns = 0; /* of the runs of this slot */
    guint64 mask, run;

    block.masks = gst_gles_cpu_strip_masks (forest, strip, i);
    block.column = 64 * i;
    block.n = MIN (width - block.column, 64);
    block.at = (gsize) block.row * width + block.column;
    mask = block.masks.top | block.masks.bottom;
    at -= (guint32) (before & mask); /* continues */
    before = mask >> 63;
    for (; mask != 0; mask &= ~run) {
      const guint32 slot_here = by_run ? forest->parents[at] + 1 : slot_of (forest, at);

      at++;
      run = gst_gles_cpu_first_run (mask);
      if (slot_here != slot) {
        if (slot != 0)
          add_columns (&table[slot - 1], &block, columns);
        slot = slot_here;
        columns = 0;
      }
      columns |= run;
    }
    if (slot != 0)
      add_columns (&table[slot - 1], &block, columns);
  }
}

G_END_DECLS

#endif
