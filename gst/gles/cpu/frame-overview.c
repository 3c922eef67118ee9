/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Threads visit bands of rows. Where there are enough samples, those of an area are counted by
 * value, as the frame histogram counts, and the tables are added to the bins when the band leaves
 * the area; other samples go to the bins one by one. */
#include <gst/gles/cpu/frame-overview.h>

#include <string.h>

#include <gst/gles/core/checked.h>
#include <gst/gles/core/error.h>
#include <gst/gles/cpu/chunks.h>
#include <gst/gles/cpu/distance.h>

#define SIDE GST_GLES_OVERVIEW_SIDE
#define BINS GST_GLES_OVERVIEW_BINS
#define STEP GST_GLES_OVERVIEW_ROW_STEP
#define CHUNK GST_GLES_CPU_ROWS_CHUNK

/* Smallest band that is handed to another thread: some 20 us of work. */
#define MIN_BAND_SAMPLES 65536

/* With fewer samples per word of the tables, clearing and adding them does not pay. */
#define MIN_TABLE_LOAD 2

typedef struct {
  const GstGlesCpuChannel *channel;
  const GstGlesCpuFrameHistogramShape *region;
  GstGlesCpuRows rows;
  gsize table_words;      /* of an area; 0: samples are not counted by value */
  GstGlesCpuChunks bands; /* of visited rows */
  GMutex lock;            /* protects what follows */
  guint32 *values;
  guint32 *words;
  gboolean failed; /* a thread could not allocate its tables */
} Work;

/* The areas of a row of them, as far as a band has visited them. */
typedef struct {
  guint row;
  guint32 *tables; /* of an area after the other; nullable */
  guint32 bins[SIDE][BINS];
  guint64 gradients[SIDE];
} Band;

/* ---- rows ---- */

static guint
bin_of (const Work *work, guint value)
{
  return value * BINS >> work->channel->depth;
}

/* Counts @n samples, at most CHUNK - 1, from (@x, @y) of the region on, and adds their gradients to
 * *sum. */
static void
visit_values (const Work *work, guint x, guint y, guint n, guint32 *bins, guint64 *sum)
{
  const guint left = work->region->x + x, top = work->region->y + y;
  const guint n_right = MIN (n, work->region->width - 1 - x);
  guint16 now[CHUNK], below[CHUNK];

  gst_gles_cpu_rows_read (&work->rows, left, top, MAX (n, n_right + 1), now);
  *sum += gst_gles_cpu_distance_of_values (now, now + 1, n_right);
  if (y + 1 < work->region->height) {
    gst_gles_cpu_rows_read (&work->rows, left, top + 1, n, below);
    *sum += gst_gles_cpu_distance_of_values (now, below, n);
  }
  for (guint i = 0; bins != NULL && i < n; i++)
    bins[bin_of (work, now[i])]++;
}

/* Returns FALSE if the samples are not bytes side by side. */
static gboolean
visit_bytes (const Work *work, guint x, guint y, guint n, guint64 *sum)
{
  const guint left = work->region->x + x, top = work->region->y + y;
  const guint8 *now = gst_gles_cpu_channel_bytes (work->channel, left, top);

  if (now == NULL)
    return FALSE;
  *sum += gst_gles_cpu_distance_of_bytes (now, now + 1, MIN (n, work->region->width - 1 - x));
  if (y + 1 < work->region->height)
    *sum += gst_gles_cpu_distance_of_bytes (
        now, gst_gles_cpu_channel_bytes (work->channel, left, top + 1), n);
  return TRUE;
}

static void
visit_row (const Work *work, Band *band, guint column, guint y)
{
  const guint first = GST_GLES_OVERVIEW_EDGE (work->region->width, column);
  const guint end = GST_GLES_OVERVIEW_EDGE (work->region->width, column + 1);
  guint32 *bins = band->tables == NULL ? band->bins[column] : NULL;

  if (bins == NULL) {
    work->rows.count (&work->rows, work->region->x + first, work->region->y + y, end - first,
        band->tables + column * work->table_words);
    if (visit_bytes (work, first, y, end - first, &band->gradients[column]))
      return;
  }
  for (guint x = first; x < end; x += CHUNK - 1)
    visit_values (work, x, y, MIN (end - x, CHUNK - 1), bins, &band->gradients[column]);
}

/* ---- bands ---- */

/* Adds the tables of an area to its bins, and to the values that the caller wants. */
static void
add_tables (Work *work, Band *band, guint column)
{
  const guint n_values = 1u << work->channel->depth;
  guint32 *tables = band->tables + column * work->table_words;

  for (guint i = 1; i < work->rows.n_tables; i++)
    gst_gles_cpu_add_counts (tables, tables + (gsize) i * n_values, n_values);
  for (guint value = 0; value < n_values; value++)
    band->bins[column][bin_of (work, value)] += tables[value];
  if (work->values != NULL) {
    g_mutex_lock (&work->lock);
    gst_gles_cpu_add_counts (work->values, tables, n_values);
    g_mutex_unlock (&work->lock);
  }
}

static void
flush (Work *work, Band *band)
{
  for (guint column = 0; column < SIDE && band->tables != NULL; column++)
    add_tables (work, band, column);
  g_mutex_lock (&work->lock);
  gst_gles_cpu_add_counts (work->words + band->row * SIDE * BINS, band->bins[0], SIDE * BINS);
  for (guint column = 0; column < SIDE; column++) {
    guint32 *sum = work->words + GST_GLES_OVERVIEW_SUMS + 2 * (band->row * SIDE + column);
    const guint64 now = (sum[0] | (guint64) sum[1] << 32) + band->gradients[column];

    sum[0] = (guint32) now;
    sum[1] = (guint32) (now >> 32);
  }
  g_mutex_unlock (&work->lock);
}

static void
begin (const Work *work, Band *band, guint row)
{
  guint32 *tables = band->tables;

  *band = (Band){ .row = row, .tables = tables };
  if (tables != NULL)
    memset (tables, 0, SIDE * work->table_words * sizeof (guint32));
}

static void
visit_band (guint task, guint participant, gpointer user_data)
{
  Work *work = user_data;
  const GstGlesCpuRange range = gst_gles_cpu_chunk (&work->bands, task);
  Band band = { .tables = work->table_words != 0 ? gst_gles_cpu_take_tables () : NULL };
  guint row = 0;

  if (work->table_words != 0 && band.tables == NULL) {
    g_mutex_lock (&work->lock);
    work->failed = TRUE;
    g_mutex_unlock (&work->lock);
    return;
  }
  begin (work, &band, row);
  for (guint y = (guint) range.first * STEP; y < range.end * STEP; y += STEP) {
    while (y >= GST_GLES_OVERVIEW_EDGE (work->region->height, row + 1))
      row++;
    if (row != band.row) {
      flush (work, &band);
      begin (work, &band, row);
    }
    for (guint column = 0; column < SIDE; column++)
      visit_row (work, &band, column, y);
  }
  flush (work, &band);
  if (band.tables != NULL)
    gst_gles_cpu_give_tables (band.tables);
}

/* ---- the overview ---- */

/* Sets rows and table_words. */
static void
init_rows (
    Work *work, const GstGlesCpuChannel *channel, const GstGlesCpuFrameHistogramShape *region)
{
  const gsize n_visited =
      (gsize) region->width * GST_GLES_OVERVIEW_VISITED (region->height) / GST_GLES_OVERVIEW_AREAS;

  *work = (Work){ .channel = channel, .region = region };
  gst_gles_cpu_rows_init (&work->rows, channel);
  work->table_words = (gsize) work->rows.n_tables << channel->depth;
  if (channel->matrix || SIDE * work->table_words > GST_GLES_CPU_ROWS_MAX_TABLE_WORDS ||
      n_visited < MIN_TABLE_LOAD * work->table_words)
    work->table_words = 0;
}

gboolean
gst_gles_cpu_frame_overview_has_values (
    const GstGlesCpuChannel *channel, const GstGlesCpuFrameHistogramShape *region)
{
  Work work;

  init_rows (&work, channel, region);
  return work.table_words != 0;
}

gboolean
gst_gles_cpu_frame_overview (const GstGlesCpuChannel *channel,
    const GstGlesCpuFrameHistogramShape *region, guint32 *values, guint32 *words, GError **error)
{
  Work work;

  memset (words, 0, GST_GLES_OVERVIEW_WORDS * sizeof (guint32));
  init_rows (&work, channel, region);
  work.values = values;
  work.words = words;
  work.bands = gst_gles_cpu_chunks (
      GST_GLES_OVERVIEW_VISITED (region->height), MIN_BAND_SAMPLES / region->width + 1, 1);
  g_mutex_init (&work.lock);
  gst_gles_cpu_parallel (work.bands.count, visit_band, &work);
  g_mutex_clear (&work.lock);
  if (work.failed)
    g_set_error_literal (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY,
        "cannot allocate the tables of the overview of a frame");
  return !work.failed;
}
