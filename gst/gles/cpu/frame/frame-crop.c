/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The threads of the pool take bands of rows, and add up rows and columns while they read the
 * picture once. Sums are kept in vectors of 16 bits for as long as they fit. */
#include <gst/gles/cpu/frame/frame-crop.h>

#include <string.h>

#include <gst/gles/core/error.h>
#include <gst/gles/cpu/lib/chunks.h>
#include <gst/gles/cpu/lib/vector.h>

#define CHUNK GST_GLES_CPU_ROWS_CHUNK

/* Smallest band that is handed to another thread. */
#define MIN_BAND_SAMPLES 262144

typedef struct {
  const GstGlesCpuSamples *samples;
  GstGlesCpuRows rows;
  guint n_fit;            /* samples whose sum fits 16 bits */
  GstGlesCpuChunks bands; /* of rows */
  guint32 *row_sums;      /* one for each row */
  guint32 *column_sums;   /* the same of each band and column */
} Work;

static guint32
total (GstGlesU16x8 v)
{
  guint32 sum = 0;

  for (guint i = 0; i < 8; i++)
    sum += v[i];
  return sum;
}

/* Adds up @n rows, as many as fit, of at most CHUNK columns from @x on. */
static void
add_rows (const Work *work, const GstGlesCpuSampleRun *run, guint n, guint32 *columns)
{
  GstGlesU16x8 lanes[CHUNK / 8] = { { 0 } };
  guint16 values[CHUNK] = { 0 };
  const guint n_vectors = (run->n + 7) / 8;

  for (guint y = run->y; y < run->y + n; y++) {
    guint32 *sum = &work->row_sums[y];

    gst_gles_cpu_rows_read (
        &work->rows, work->samples->x + run->x, work->samples->y + y, run->n, values);
    for (guint i = 0; i < n_vectors;) {
      const guint end = MIN (n_vectors, i + work->n_fit);
      GstGlesU16x8 row = { 0 };

      for (; i < end; i++) {
        const GstGlesU16x8 v = gst_gles_u16x8_load (values + 8 * i);

        lanes[i] += v;
        row += v;
      }
      *sum += total (row);
    }
  }
  for (guint i = 0; i < run->n; i++)
    columns[run->x + i] += lanes[i / 8][i % 8];
}

static void
add_band (guint task, guint participant, gpointer user_data)
{
  const Work *work = user_data;
  const guint width = work->samples->width;
  const GstGlesCpuRange rows = gst_gles_cpu_chunk (&work->bands, task);
  guint32 *columns = work->column_sums + (gsize) task * width;

  for (guint y = (guint) rows.first; y < rows.end; y += work->n_fit) {
    for (guint x = 0; x < width; x += CHUNK)
      add_rows (work, &(GstGlesCpuSampleRun){ x, y, MIN (width - x, CHUNK) },
          MIN ((guint) rows.end - y, work->n_fit), columns);
  }
}

/* Sets @words to those of @n sums of which some are at least @least. */
static void
find (const guint32 *sums, guint n, guint32 least, guint32 words[2])
{
  words[0] = words[1] = 0;
  for (guint i = 0; i < n; i++) {
    if (sums[i] < least)
      continue;
    words[0] = MAX (words[0], n - i);
    words[1] = i + 1;
  }
}

gboolean
gst_gles_cpu_frame_crop (const GstGlesCpuChannel *channel, const GstGlesCpuSamples *samples,
    const GstGlesFrameRowsPlace *place, guint32 *words, GError **error)
{
  const guint width = samples->width, height = samples->height;
  Work work = { .samples = samples, .n_fit = 65535 / ((1u << channel->depth) - 1) };
  g_autofree guint32 *sums = NULL;

  memset (words, 0, GST_GLES_FRAME_ROWS_CROP_WORDS * sizeof (guint32));
  if (width == 0 || height == 0)
    return TRUE;
  gst_gles_cpu_rows_init (&work.rows, channel);
  work.bands = gst_gles_cpu_chunks (height, MIN_BAND_SAMPLES / width + 1, 1);
  sums = g_try_new0 (guint32, height + (gsize) width * work.bands.count);
  if (sums == NULL) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY,
        "cannot allocate the sums of %u rows and %u columns", height, width);
    return FALSE;
  }
  work.row_sums = sums;
  work.column_sums = sums + height;
  gst_gles_cpu_parallel (work.bands.count, add_band, &work);
  for (guint band = 1; band < work.bands.count; band++)
    gst_gles_cpu_add_counts (work.column_sums, work.column_sums + (gsize) band * width, width);
  find (work.row_sums, height, place->row_sum, words);
  find (work.column_sums, width, place->column_sum, words + 2);
  return TRUE;
}
