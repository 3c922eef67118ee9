/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Threads visit bands of rows, area by area. Where there are enough samples, those of an area are
 * counted by value, as the frame histogram counts, and the tables are added to the bins at the end;
 * other samples go to the bins one by one. The native histogram needs the same counts of the
 * visited rows, and the rows below them are in the cache already, so both are made at once. */
#include <gst/gles/cpu/frame/frame-overview.h>

#include <string.h>

#include <gst/gles/core/error.h>
#include <gst/gles/cpu/lib/chunks.h>
#include <gst/gles/cpu/frame/distance.h>

#define SIDE GST_GLES_OVERVIEW_SIDE
#define BINS GST_GLES_OVERVIEW_BINS
#define STEP GST_GLES_OVERVIEW_ROW_STEP
#define CHUNK GST_GLES_CPU_ROWS_CHUNK

/* Samples in a row go to different bins, because an increment of the counter that was incremented
 * just before waits for that store. */
#define REPLICAS 4

/* Visited samples of the smallest band that is handed to another thread: some 20 us of work, with
 * the rows between them. */
#define MIN_BAND_SAMPLES 16384

/* With fewer samples per word of the tables, clearing and adding them does not pay. */
#define MIN_TABLE_LOAD 2

typedef struct {
  const GstGlesCpuChannel *channel;
  const GstGlesCpuFrameHistogramShape *region;
  GstGlesCpuRows rows;
  gboolean is_one_stream; /* each row follows the one above without a gap */
  gsize table_words;      /* of an area; 0: samples are not counted by value */
  GstGlesCpuChunks bands; /* of visited rows, with the rows up to the next one */
  GMutex lock;            /* protects what follows */
  guint32 *values;
  guint32 *words;
  gboolean failed; /* a thread could not allocate its tables */
} Work;

/* An area, as far as a band has visited it. */
typedef struct {
  guint first, end; /* columns of the region */
  guint32 *tables;  /* nullable */
  guint32 bins[REPLICAS][BINS];
  guint64 gradients;
} Area;

/* ---- rows ---- */

static void
count_bins (guint depth, const guint16 *values, guint n, guint32 (*bins)[BINS])
{
  guint i = 0;

  for (; i + REPLICAS <= n; i += REPLICAS) {
    bins[0][values[i] * BINS >> depth]++;
    bins[1][values[i + 1] * BINS >> depth]++;
    bins[2][values[i + 2] * BINS >> depth]++;
    bins[3][values[i + 3] * BINS >> depth]++;
  }
  for (; i < n; i++)
    bins[0][values[i] * BINS >> depth]++;
}

/* Visits @n samples, at most CHUNK - 1, of the area from (@x, @y) of the region on. */
static void
visit_values (const Work *work, Area *area, guint x, guint y, guint n)
{
  const guint left = work->region->x + x, top = work->region->y + y;
  const guint n_right = MIN (n, work->region->width - 1 - x);
  guint16 now[CHUNK], below[CHUNK];

  gst_gles_cpu_rows_read (&work->rows, left, top, MAX (n, n_right + 1), now);
  area->gradients += gst_gles_cpu_distance_of_values (now, now + 1, n_right);
  if (y + 1 < work->region->height) {
    gst_gles_cpu_rows_read (&work->rows, left, top + 1, n, below);
    area->gradients += gst_gles_cpu_distance_of_values (now, below, n);
  }
  if (area->tables == NULL)
    count_bins (work->channel->depth, now, n, area->bins);
}

/* Adds the gradients of row @y. Returns FALSE if the samples are not bytes side by side. */
static gboolean
visit_bytes (const Work *work, Area *area, guint y)
{
  const guint left = work->region->x + area->first, top = work->region->y + y;
  const guint n = area->end - area->first;
  const guint n_right = MIN (n, work->region->width - 1 - area->first);
  const guint8 *now = gst_gles_cpu_channel_bytes (work->channel, left, top), *below = now;

  if (now == NULL)
    return FALSE;
  if (y + 1 < work->region->height)
    below = gst_gles_cpu_channel_bytes (work->channel, left, top + 1);
  /* the processor does not expect rows that are so far apart */
  for (guint i = 0; i < n; i += 64) {
    const gsize next = (gsize) STEP * work->channel->component[0].stride + i;

    __builtin_prefetch (now + next);
    __builtin_prefetch (below + next);
  }
  area->gradients += gst_gles_cpu_gradients_of_bytes (now, below, n_right);
  if (n_right < n)
    area->gradients += (guint) ABS (below[n_right] - now[n_right]);
  return TRUE;
}

static void
visit_row (const Work *work, Area *area, guint y)
{
  if (area->tables != NULL) {
    work->rows.count (&work->rows, work->region->x + area->first, work->region->y + y,
        area->end - area->first, area->tables);
    if (visit_bytes (work, area, y))
      return;
  }
  for (guint x = area->first; x < area->end; x += CHUNK - 1)
    visit_values (work, area, x, y, MIN (area->end - x, CHUNK - 1));
}

/* ---- bands ---- */

/* Adds up the tables at @tables, the sums to @values (nullable), and those of each bin to @bins
 * (nullable). */
static void
add_tables (Work *work, guint32 *tables, guint32 *values, guint32 *bins)
{
  const guint n_values = 1u << work->channel->depth;

  for (guint i = 1; i < work->rows.n_tables; i++)
    gst_gles_cpu_add_counts (tables, tables + (gsize) i * n_values, n_values);
  for (guint bin = 0; bins != NULL && bin < BINS; bin++) {
    for (guint value = bin * n_values / BINS; value < (bin + 1) * n_values / BINS; value++)
      bins[bin] += tables[value];
  }
  if (values == NULL)
    return;
  g_mutex_lock (&work->lock);
  gst_gles_cpu_add_counts (values, tables, n_values);
  g_mutex_unlock (&work->lock);
}

/* Visits the rows from @y to before @end in area @number. */
static void
visit_area (Work *work, guint32 *tables, guint number, guint y, guint end)
{
  const guint column = number % SIDE;
  guint32 *sum = work->words + GST_GLES_OVERVIEW_SUMS + 2 * number;
  Area area = { .first = GST_GLES_OVERVIEW_EDGE (work->region->width, column),
    .end = GST_GLES_OVERVIEW_EDGE (work->region->width, column + 1),
    .tables = tables };
  guint64 gradients;

  if (tables != NULL)
    memset (tables, 0, work->table_words * sizeof (guint32));
  for (; y < end; y += STEP)
    visit_row (work, &area, y);
  if (tables != NULL)
    add_tables (work, tables, work->values, area.bins[0]);
  g_mutex_lock (&work->lock);
  for (guint i = 0; i < REPLICAS; i++)
    gst_gles_cpu_add_counts (work->words + number * BINS, area.bins[i], BINS);
  gradients = (sum[0] | (guint64) sum[1] << 32) + area.gradients;
  sum[0] = (guint32) gradients;
  sum[1] = (guint32) (gradients >> 32);
  g_mutex_unlock (&work->lock);
}

/* Counts the rows between the visited row @y and the next one. */
static void
count_others (const Work *work, guint32 *tables, guint y)
{
  const guint end = MIN (y + STEP, work->region->height), width = work->region->width;
  const guint n_rows = work->is_one_stream ? MAX (end - y - 1, 1) : 1;

  for (y++; y < end; y += n_rows)
    work->rows.count (&work->rows, work->region->x, work->region->y + y, width * n_rows, tables);
}

static void
visit_rows (Work *work, guint32 *tables, guint y, guint end)
{
  const guint height = work->region->height;
  guint32 *others = tables != NULL ? tables + work->table_words : NULL;

  if (work->values != NULL)
    memset (others, 0, work->table_words * sizeof (guint32));
  for (guint row = 0; row < SIDE; row++) {
    const guint area_end =
        MIN (end, STEP * GST_GLES_OVERVIEW_VISITED (GST_GLES_OVERVIEW_EDGE (height, row + 1)));

    for (guint column = 0; column < SIDE && y < area_end; column++)
      visit_area (work, tables, row * SIDE + column, y, area_end);
    for (; y < area_end; y += STEP) {
      if (work->values != NULL)
        count_others (work, others, y);
    }
  }
  if (work->values != NULL)
    add_tables (work, others, work->values, NULL);
}

static void
visit_band (guint task, guint participant, gpointer user_data)
{
  Work *work = user_data;
  const GstGlesCpuRange range = gst_gles_cpu_chunk (&work->bands, task);
  guint32 *tables = work->table_words != 0 ? gst_gles_cpu_take_tables () : NULL;

  if (work->table_words != 0 && tables == NULL) {
    g_mutex_lock (&work->lock);
    work->failed = TRUE;
    g_mutex_unlock (&work->lock);
    return;
  }
  visit_rows (work, tables, (guint) range.first * STEP, (guint) range.end * STEP);
  if (tables != NULL)
    gst_gles_cpu_give_tables (tables);
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
  work->is_one_stream = gst_gles_cpu_rows_are_one_stream (channel, region->width);
  work->table_words = (gsize) work->rows.n_tables << channel->depth;
  if (channel->matrix || 2 * work->table_words > GST_GLES_CPU_ROWS_MAX_TABLE_WORDS ||
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
