/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The threads of the pool read bands of rows as samples of 16 bits, then compare rows of these.
 * Rows end with samples of 0, so that whole vectors are compared: these repeat, and are no
 * outliers. */
#include <gst/gles/cpu/frame/frame-outliers.h>

#include <string.h>

#include <glsl/frame/frame-rows-layout.h>
#include <gst/gles/cpu/lib/chunks.h>
#include <gst/gles/cpu/lib/vector.h>

#define CHUNK GST_GLES_CPU_ROWS_CHUNK
#define N_LANES 4

/* Smallest band that is handed to another thread. */
#define MIN_BAND_SAMPLES 131072

typedef guint16 Halves __attribute__ ((vector_size (2 * N_LANES)));

typedef struct {
  const GstGlesCpuSamples *samples;
  GstGlesCpuRows rows;
  guint16 *picture;
  guint stride; /* samples of a row there */
  GstGlesCpuChunks bands;
  guint n_repeated, n_outliers; /* atomic */
} Work;

static guint
get_stride (guint width)
{
  return (width + N_LANES - 1) / N_LANES * N_LANES;
}

gsize
gst_gles_cpu_frame_rows_bytes (guint width, guint height)
{
  return (gsize) get_stride (width) * height * sizeof (guint16);
}

static void
read_band (guint task, guint participant, gpointer user_data)
{
  const Work *work = user_data;
  const GstGlesCpuSamples *samples = work->samples;
  const GstGlesCpuRange rows = gst_gles_cpu_chunk (&work->bands, task);

  for (guint y = (guint) rows.first; y < rows.end; y++) {
    for (guint x = 0; x < samples->width; x += CHUNK)
      gst_gles_cpu_rows_read (&work->rows, samples->x + x, samples->y + y,
          MIN (samples->width - x, CHUNK), work->picture + (gsize) y * work->stride + x);
  }
}

static inline GstGlesI32x4
load (const guint16 *samples)
{
  Halves halves;

  memcpy (&halves, samples, sizeof halves);
  return __builtin_convertvector(halves, GstGlesI32x4);
}

/* Whether a row repeats another one. */
static gboolean
repeats (const guint16 *row, const guint16 *other, const Work *work)
{
  GstGlesI32x4 sums = { 0 };

  for (guint x = 0; x < work->stride; x += N_LANES)
    sums += GST_GLES_DISTANCE (GstGlesI32x4, load (row + x), load (other + x));
  return (guint) (sums[0] + sums[1] + sums[2] + sums[3]) < work->samples->width;
}

/* Whether samples are far from those above and below, each lane ~0 or 0. */
static inline GstGlesI32x4
are_far (const guint16 *row, gsize distance)
{
  const GstGlesI32x4 above = load (row - distance) & 255, centre = load (row) & 255;
  const GstGlesI32x4 below = load (row + distance) & 255;
  const GstGlesI32x4 far = (GST_GLES_DISTANCE (GstGlesI32x4, above, centre) +
                               GST_GLES_DISTANCE (GstGlesI32x4, below, centre)) >>
      1;

  return far - GST_GLES_DISTANCE (GstGlesI32x4, above, below) > GST_GLES_FRAME_ROWS_OUTLIER;
}

/* Returns the outliers of row @y, which has rows above and below. */
static guint
count_outliers (const Work *work, guint y)
{
  const guint width = work->samples->width, stride = work->stride;
  const guint16 *row = work->picture + (gsize) y * stride;
  const gboolean deep = y >= 2 && y + 2 < work->samples->height;
  guint8 is_far[GST_GLES_CPU_FRAME_ROWS_MAX_WIDTH + N_LANES];
  guint n = 0;

  for (guint x = 0; x < stride; x += N_LANES) {
    GstGlesI32x4 far = are_far (row + x, stride);

    if (deep)
      far &= are_far (row + x, 2 * (gsize) stride);
    for (guint i = 0; i < N_LANES; i++)
      is_far[x + i] = far[i] != 0;
  }
  for (guint x = 1; x + 1 < width; x++)
    n += is_far[x - 1] & is_far[x] & is_far[x + 1];
  return n;
}

static void
count_band (guint task, guint participant, gpointer user_data)
{
  Work *work = user_data;
  const GstGlesCpuRange rows = gst_gles_cpu_chunk (&work->bands, task);
  guint n_repeated = 0, n_outliers = 0;

  for (guint y = (guint) rows.first; y < rows.end; y++) {
    const guint16 *row = work->picture + (gsize) y * work->stride;

    if (y >= GST_GLES_FRAME_ROWS_REPEAT)
      n_repeated +=
          repeats (row, row - GST_GLES_FRAME_ROWS_REPEAT * (gsize) work->stride, work) ? 1 : 0;
    if (y >= 1 && y + 1 < work->samples->height)
      n_outliers += count_outliers (work, y);
  }
  __atomic_add_fetch (&work->n_repeated, n_repeated, __ATOMIC_RELAXED);
  __atomic_add_fetch (&work->n_outliers, n_outliers, __ATOMIC_RELAXED);
}

void
gst_gles_cpu_frame_outliers (const GstGlesCpuChannel *channel, const GstGlesCpuSamples *samples,
    guint8 *picture, guint32 *words)
{
  Work work = { .samples = samples,
    .picture = (guint16 *) (gpointer) picture,
    .stride = get_stride (samples->width) };

  gst_gles_cpu_rows_init (&work.rows, channel);
  work.bands =
      gst_gles_cpu_chunks (samples->height, MIN_BAND_SAMPLES / MAX (samples->width, 1) + 1, 1);
  gst_gles_cpu_parallel (work.bands.count, read_band, &work);
  gst_gles_cpu_parallel (work.bands.count, count_band, &work);
  memset (words, 0, GST_GLES_FRAME_ROWS_OUTLIERS_WORDS * sizeof *words);
  words[GST_GLES_FRAME_ROWS_N_REPEATED] = work.n_repeated;
  words[GST_GLES_FRAME_ROWS_N_OUTLIERS] = work.n_outliers;
}
