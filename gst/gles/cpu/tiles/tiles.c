/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Visible records are sorted by key. In that order, groups of records count how often they cover
 * each tile. Prefix sums over tiles and, within a tile, over groups give the position of each
 * group's next entry of a tile, where the groups write their entries. So the list in key order,
 * which the capacity truncates, is never stored, and never sorted by tile. */
#include <gst/gles/cpu/tiles/tiles.h>

#include <string.h>

#include <gst/gles/cpu/lib/arena.h>
#include <gst/gles/cpu/lib/chunks.h>
#include <gst/gles/cpu/sort/sort.h>

/* The fewest records of a task. */
#define MIN_CHUNK 1024

/* The most bytes for the counters of all groups, unless one group needs more. */
#define COUNTERS_BYTES ((gsize) 16 << 20)

#define MAX_GROUPS 256

/* The wanted number of tiles in a band, as long as there are at most MAX_BANDS. */
#define BAND_TILES 512
#define MAX_BANDS 64
#define BAND_RECORDS 2048

/* An invalid column: there are at most 2^24. */
#define CULLED G_MAXUINT32

/* A contiguous range of records in key order. */
typedef struct {
  gsize first;     /* index of the first record */
  gsize n_entries; /* entries of the group that fit the capacity */
} Group;

/* Records are collected until there are enough for a band of tile rows, so that the writes of a
 * batch lie in few pages. A write to a page that is missing in the processor's translation cache
 * (TLB) costs more than all other steps. */
typedef struct {
  guint n;
  guint32 first_row, last_row;
  guint32 waiting[BAND_RECORDS]; /* indices of the collected records, relative to the group */
} Band;

typedef struct {
  const GstGlesCpuTilesConfig *config;
  const GstGlesTileRecord *records;
  gsize n;
  gsize n_visible;
  GstGlesCpuTileSpan *all_spans; /* per record; CULLED in column_0 if it is not visible */
  guint32 *keys;                 /* keys of visible records, then sorted */
  guint32 *order;                /* indices of these records */
  GstGlesCpuTileSpan *spans;     /* spans in this order */
  guint32 *counters;             /* n_tiles per group */
  guint band_shift;              /* log2 of the rows of a band */
  guint n_bands;
  Band *bands; /* n_bands per participant */
  guint32 *offsets, *indices, *keys_out;
  gsize capacity;
  GstGlesCpuChunks chunks; /* chunks of records */
  guint64 counts[GST_GLES_CPU_MAX_CHUNKS];
  guint n_groups;
  Group groups[MAX_GROUPS];
} Work;

/* ---- one record ---- */

static inline gboolean
is_nan (guint32 bits)
{
  return (bits & 0x7fffffffu) > 0x7f800000u;
}

/* Returns a key with the order of IEEE numbers, in which -0 equals 0. */
static inline guint32
number_key (guint32 bits)
{
  bits = bits == 0x80000000u ? 0 : bits;
  return GST_GLES_F32_TO_KEY (bits);
}

/* Returns whether the range from @min to @max contains a pixel from 0 to @size - 1; all are bits
 * of f32. */
static inline gboolean
axis_visible (guint32 min, guint32 max, guint32 size_bits)
{
  if (is_nan (min) || is_nan (max) || number_key (min) > number_key (max))
    return FALSE;
  return max <= 0x80000000u && (min >> 31 != 0 || min < size_bits);
}

static inline guint32
f32_bits (guint32 value)
{
  gfloat f = (gfloat) value;
  guint32 bits;

  memcpy (&bits, &f, sizeof bits);
  return bits;
}

static inline gboolean
is_visible (const GstGlesTileRecord *record, const GstGlesTileGrid *grid)
{
  return axis_visible (record->min_x, record->max_x, f32_bits (grid->width)) &&
      axis_visible (record->min_y, record->max_y, f32_bits (grid->height));
}

static inline guint32
clamped_pixel (guint32 bits, guint32 size)
{
  gfloat f;

  if (bits >> 31 != 0)
    return 0;
  if (bits >= f32_bits (size))
    return size - 1;
  memcpy (&f, &bits, sizeof f);
  return (guint32) f;
}

gboolean
gst_gles_cpu_tile_span (
    const GstGlesTileRecord *record, const GstGlesTileGrid *grid, GstGlesCpuTileSpan *span)
{
  if (!is_visible (record, grid))
    return FALSE;
  span->column_0 = clamped_pixel (record->min_x, grid->width) / grid->tile_width;
  span->row_0 = clamped_pixel (record->min_y, grid->height) / grid->tile_height;
  span->column_1 = clamped_pixel (record->max_x, grid->width) / grid->tile_width;
  span->row_1 = clamped_pixel (record->max_y, grid->height) / grid->tile_height;
  return TRUE;
}

static inline guint64
span_n_tiles (const GstGlesCpuTileSpan *span)
{
  return (guint64) (span->column_1 - span->column_0 + 1) * (span->row_1 - span->row_0 + 1);
}

gboolean
gst_gles_cpu_tile_grid (
    guint width, guint height, guint tile_width, guint tile_height, GstGlesTileGrid *grid)
{
  guint64 columns, rows;

  if (width == 0 || height == 0 || tile_width == 0 || tile_height == 0 ||
      width > GST_GLES_CPU_TILES_MAX_SIZE || height > GST_GLES_CPU_TILES_MAX_SIZE)
    return FALSE;
  columns = gst_gles_div_ceil (width, tile_width);
  rows = gst_gles_div_ceil (height, tile_height);
  if (columns * rows > GST_GLES_CPU_TILES_MAX_TILES)
    return FALSE;
  *grid = (GstGlesTileGrid){ .width = width,
    .height = height,
    .tile_width = tile_width,
    .tile_height = tile_height,
    .columns = (guint32) columns,
    .rows = (guint32) rows,
    .n_tiles = (guint32) (columns * rows) };
  return TRUE;
}

/* ---- visible records in key order ---- */

static inline guint32
record_key (const Work *work, gsize i)
{
  guint32 depth = work->records[i].depth;

  if (work->config->sort_by == GST_GLES_TILES_SORT_BY_DEPTH)
    return GST_GLES_F32_TO_KEY (depth);
  return work->config->sort_by == GST_GLES_TILES_SORT_BY_VALUE ? depth : (guint32) i;
}

static void
find_spans (guint task, guint participant, gpointer user_data)
{
  Work *work = user_data;
  GstGlesCpuRange range = gst_gles_cpu_chunk (&work->chunks, task);
  guint64 count = 0;

  for (gsize i = range.first; i < range.end; i++) {
    GstGlesCpuTileSpan *span = &work->all_spans[i];

    if (gst_gles_cpu_tile_span (&work->records[i], &work->config->grid, span))
      count++;
    else
      span->column_0 = CULLED;
  }
  work->counts[task] = count;
}

static void
list_visible (guint task, guint participant, gpointer user_data)
{
  Work *work = user_data;
  GstGlesCpuRange range = gst_gles_cpu_chunk (&work->chunks, task);
  gsize at = (gsize) work->counts[task];

  for (gsize i = range.first; i < range.end; i++) {
    if (work->all_spans[i].column_0 == CULLED)
      continue;
    work->keys[at] = record_key (work, i);
    work->order[at++] = (guint32) i;
  }
}

static void
sort_visible (Work *work, gpointer sort_scratch)
{
  const GstGlesCpuSortConfig config =
      gst_gles_cpu_sort_config (GST_GLES_VALUE_U32, work->config->descending);

  work->chunks = gst_gles_cpu_chunks (work->n, GST_GLES_CPU_MIN_CHUNK, 16);
  gst_gles_cpu_parallel (work->chunks.count, find_spans, work);
  work->n_visible = (gsize) gst_gles_cpu_sum_counts (work->counts, work->chunks.count);
  gst_gles_cpu_parallel (work->chunks.count, list_visible, work);
  if (work->config->sort_by != GST_GLES_TILES_SORT_BY_INDEX || work->config->descending)
    gst_gles_cpu_sort (&config,
        &(GstGlesCpuSortBuffers){ work->keys, work->order, work->keys, work->order },
        work->n_visible, sort_scratch);
}

/* ---- groups ---- */

static void
order_spans (guint task, guint participant, gpointer user_data)
{
  Work *work = user_data;
  GstGlesCpuRange range = gst_gles_cpu_chunk (&work->chunks, task);
  guint64 count = 0;

  for (gsize i = range.first; i < range.end; i++) {
    work->spans[i] = work->all_spans[work->order[i]];
    count += span_n_tiles (&work->spans[i]);
  }
  work->counts[task] = count;
}

/* Combines chunks to groups with about equal numbers of entries. Returns the number of entries. */
static guint64
form_groups (Work *work)
{
  guint n_chunks = work->chunks.count, chunk = 0;
  guint64 total = gst_gles_cpu_sum_counts (work->counts, n_chunks);

  for (guint i = 0; i < work->n_groups; i++) {
    Group *group = &work->groups[i];
    guint64 begin_entry = chunk < n_chunks ? work->counts[chunk] : total;
    guint64 end_entry = total / work->n_groups * (i + 1);

    group->first = gst_gles_cpu_chunk (&work->chunks, chunk).first;
    while (chunk < n_chunks && (work->counts[chunk] < end_entry || i == work->n_groups - 1))
      chunk++;
    end_entry = chunk < n_chunks ? work->counts[chunk] : total;
    group->n_entries =
        (gsize) (MIN (end_entry, work->capacity) - MIN (begin_entry, work->capacity));
  }
  return total;
}

/* Counts the first @n of the tiles that a record covers. */
static void
count_tiles (const Work *work, guint32 *counters, const GstGlesCpuTileSpan *span, guint64 n)
{
  for (guint row = span->row_0; row <= span->row_1; row++) {
    guint32 *counter = counters + (gsize) row * work->config->grid.columns + span->column_0;
    guint n_columns = (guint) MIN (span->column_1 - span->column_0 + 1, n);

    for (guint column = 0; column < n_columns; column++)
      counter[column]++;
    n -= n_columns;
  }
}

static void
count_group (guint task, guint participant, gpointer user_data)
{
  Work *work = user_data;
  const Group *group = &work->groups[task];
  gsize n_tiles = work->config->grid.n_tiles, left = group->n_entries;
  guint32 *counters = work->counters + task * n_tiles;

  memset (counters, 0, n_tiles * sizeof counters[0]);
  for (gsize i = group->first; left > 0; i++) {
    guint64 n = MIN (span_n_tiles (&work->spans[i]), left);

    count_tiles (work, counters, &work->spans[i], n);
    left -= n;
  }
}

/* Writes the entries of a record for the first @n tiles of @span. */
static void
write_tiles (const Work *work, guint32 *places, gsize i, const GstGlesCpuTileSpan *span, guint64 n)
{
  guint32 index = work->order[i], key = work->keys[i];

  for (guint row = span->row_0; row <= span->row_1; row++) {
    guint32 *place = places + (gsize) row * work->config->grid.columns + span->column_0;
    guint n_columns = (guint) MIN (span->column_1 - span->column_0 + 1, n);

    for (guint column = 0; column < n_columns; column++) {
      guint32 at = place[column]++;

      if (work->indices != NULL)
        work->indices[at] = index;
      if (work->keys_out != NULL)
        work->keys_out[at] = key;
    }
    n -= n_columns;
  }
}

static void
write_band (const Work *work, guint32 *places, gsize first, Band *band)
{
  for (guint j = 0; j < band->n; j++) {
    gsize i = first + band->waiting[j];
    GstGlesCpuTileSpan span = work->spans[i];

    span.row_0 = MAX (span.row_0, band->first_row);
    span.row_1 = MIN (span.row_1, band->last_row);
    write_tiles (work, places, i, &span, G_MAXUINT64);
  }
  band->n = 0;
}

static void
write_group (guint task, guint participant, gpointer user_data)
{
  Work *work = user_data;
  const Group *group = &work->groups[task];
  gsize i = group->first, left = group->n_entries;
  guint32 *places = work->counters + (gsize) task * work->config->grid.n_tiles;
  Band *bands = work->bands + (gsize) participant * work->n_bands;
  guint shift = work->band_shift;

  for (guint b = 0; b < work->n_bands; b++) {
    bands[b].n = 0;
    bands[b].first_row = b << shift;
    bands[b].last_row = ((b + 1) << shift) - 1;
  }
  for (; left > 0 && span_n_tiles (&work->spans[i]) <= left; i++) {
    for (guint b = work->spans[i].row_0 >> shift; b <= work->spans[i].row_1 >> shift; b++) {
      bands[b].waiting[bands[b].n++] = (guint32) (i - group->first);
      if (bands[b].n == BAND_RECORDS)
        write_band (work, places, group->first, &bands[b]);
    }
    left -= span_n_tiles (&work->spans[i]);
  }
  for (guint b = 0; b < work->n_bands; b++)
    write_band (work, places, group->first, &bands[b]);
  if (left > 0)
    write_tiles (work, places, i, &work->spans[i], left);
}

/* ---- tiles ---- */

static void
sum_tiles (guint task, guint participant, gpointer user_data)
{
  Work *work = user_data;
  GstGlesCpuRange range = gst_gles_cpu_chunk (&work->chunks, task);

  work->counts[task] = 0;
  for (guint group = 0; group < work->n_groups; group++) {
    const guint32 *counters = work->counters + group * work->chunks.n;

    for (gsize tile = range.first; tile < range.end; tile++)
      work->counts[task] += counters[tile];
  }
}

/* Replaces counts by positions: tiles in order, and groups in order within each tile. */
static void
place_tiles (guint task, guint participant, gpointer user_data)
{
  Work *work = user_data;
  gsize n_tiles = work->chunks.n;
  GstGlesCpuRange range = gst_gles_cpu_chunk (&work->chunks, task);
  guint32 place = (guint32) work->counts[task];

  for (gsize tile = range.first; tile < range.end; tile++) {
    work->offsets[tile] = place;
    for (guint group = 0; group < work->n_groups; group++) {
      guint32 *counter = &work->counters[group * n_tiles + tile], count = *counter;

      *counter = place;
      place += count;
    }
  }
}

/* ---- public functions ---- */

static void
lay_out (Work *work, GstGlesCpuArena *arena)
{
  const GstGlesCpuSortConfig sort = gst_gles_cpu_sort_config (GST_GLES_VALUE_U32, FALSE);
  const GstGlesTileGrid *grid = &work->config->grid;
  const gsize n = work->n, group_bytes = (gsize) grid->n_tiles * sizeof (guint32);
  const gsize sort_bytes = gst_gles_cpu_sort_scratch_bytes (&sort, n, TRUE);
  guint n_threads = gst_gles_cpu_n_threads ();
  guint most = n_threads == 1 ? 1 : MIN (n_threads * GST_GLES_CPU_CHUNKS_PER_THREAD, MAX_GROUPS);

  work->n_groups = (guint) CLAMP (COUNTERS_BYTES / group_bytes, 1, most);
  while ((guint64) grid->columns << work->band_shift < BAND_TILES ||
      (grid->rows - 1) >> work->band_shift >= MAX_BANDS)
    work->band_shift++;
  work->n_bands = ((grid->rows - 1) >> work->band_shift) + 1;
  work->all_spans = gst_gles_cpu_arena_take (arena, n, sizeof (GstGlesCpuTileSpan));
  work->keys = gst_gles_cpu_arena_take (arena, n, sizeof (guint32));
  work->order = gst_gles_cpu_arena_take (arena, n, sizeof (guint32));
  work->counters = gst_gles_cpu_arena_take (arena, work->n_groups, group_bytes);
  work->bands = gst_gles_cpu_arena_take (arena, (gsize) n_threads * work->n_bands, sizeof (Band));
  /* Spans are computed after the sort, whose scratch memory they take. */
  work->spans =
      gst_gles_cpu_arena_take (arena, 1, MAX (sort_bytes, n * sizeof (GstGlesCpuTileSpan)));
  if (n > G_MAXUINT32 || sort_bytes == 0)
    arena->size = G_MAXSIZE;
}

gsize
gst_gles_cpu_tiles_scratch_bytes (const GstGlesCpuTilesConfig *config, gsize n)
{
  Work work = { .config = config, .n = n };
  GstGlesCpuArena arena = { NULL, 0 };

  lay_out (&work, &arena);
  return arena.size == G_MAXSIZE ? 0 : arena.size;
}

/* Writes the entries of records in key order to the outputs of @work. Returns the number of
 * entries. */
static guint64
list_tiles (Work *work)
{
  gsize n_tiles = work->config->grid.n_tiles;
  guint64 total;

  work->chunks = (GstGlesCpuChunks){ .n = work->n_visible };
  work->chunks.size = MAX (gst_gles_div_ceil (work->n_visible, GST_GLES_CPU_MAX_CHUNKS), MIN_CHUNK);
  work->chunks.count = (guint) gst_gles_div_ceil (work->n_visible, work->chunks.size);
  gst_gles_cpu_parallel (work->chunks.count, order_spans, work);
  total = form_groups (work);
  gst_gles_cpu_parallel (work->n_groups, count_group, work);
  work->chunks = gst_gles_cpu_chunks (n_tiles, GST_GLES_CPU_MIN_CHUNK, 16);
  gst_gles_cpu_parallel (work->chunks.count, sum_tiles, work);
  work->offsets[n_tiles] = (guint32) gst_gles_cpu_sum_counts (work->counts, work->chunks.count);
  gst_gles_cpu_parallel (work->chunks.count, place_tiles, work);
  if (work->indices != NULL || work->keys_out != NULL)
    gst_gles_cpu_parallel (work->n_groups, write_group, work);
  return total;
}

guint64
gst_gles_cpu_tiles (const GstGlesCpuTilesConfig *config, const GstGlesTileRecord *records, gsize n,
    const GstGlesCpuTileLists *lists, gpointer scratch)
{
  GstGlesCpuArena arena = { scratch, 0 };
  Work work = { .config = config,
    .records = records,
    .n = n,
    .offsets = lists->offsets,
    .indices = lists->indices,
    .keys_out = lists->keys,
    .capacity = lists->capacity };

  lay_out (&work, &arena);
  if (arena.size == G_MAXSIZE)
    return 0;
  sort_visible (&work, work.spans);
  return list_tiles (&work);
}
