/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The threads of the pool sum up bands of rows. Dense 8-bit samples are compared in place, 16 at a
 * time. Samples of other layouts are unpacked to 16 bits first. */
#include <gst/gles/cpu/frame-mad.h>

#include <string.h>

#include <gst/gles/core/parallel.h>
#include <gst/gles/cpu/frame-histogram-rows.h>

#define CHUNK GST_GLES_CPU_ROWS_CHUNK

/* Smallest band that is handed to another thread: about 10 us of work. */
#define MIN_BAND_SAMPLES 65536
#define MAX_BANDS 64

/* Iterations after which a 16-bit lane could overflow: each adds two samples, so 128 * 2 * 255 <
 * 65536. */
#define MAX_ROUNDS 128

typedef guint8 U8x16 __attribute__ ((vector_size (16)));
typedef guint16 U16x8 __attribute__ ((vector_size (16)));

typedef struct {
  const GstGlesCpuChannel *channel;
  const GstGlesCpuSamples *samples;
  GstGlesCpuRows rows;
  const guint8 *kept;
  gboolean dense;
  guint n_bands;
  guint64 sums[MAX_BANDS];
} Work;

/* Returns the sum of |a[i] - b[i]| over 16 * @n bytes; @n is at most MAX_ROUNDS. */
static guint32
distance_of_rounds (const guint8 *a, const guint8 *b, guint n)
{
  U16x8 sums = { 0 };
  guint32 sum = 0;

  for (guint i = 0; i < n; i++) {
    U8x16 x, y, larger, distance;
    U16x8 pairs;

    memcpy (&x, a + 16 * i, sizeof x);
    memcpy (&y, b + 16 * i, sizeof y);
    larger = (U8x16) (x > y);
    distance = ((x - y) & larger) | ((y - x) & ~larger);
    memcpy (&pairs, &distance, sizeof pairs);
    sums += (pairs & 0xff) + (pairs >> 8);
  }
  for (guint i = 0; i < 8; i++)
    sum += sums[i];
  return sum;
}

static guint64
distance_of_bytes (const guint8 *a, const guint8 *b, guint n)
{
  guint64 sum = 0;

  for (; n >= 16; a += 16 * MIN (n / 16, MAX_ROUNDS), b += 16 * MIN (n / 16, MAX_ROUNDS),
       n -= 16 * MIN (n / 16, MAX_ROUNDS))
    sum += distance_of_rounds (a, b, MIN (n / 16, MAX_ROUNDS));
  for (guint i = 0; i < n; i++)
    sum += (guint) ABS (a[i] - b[i]);
  return sum;
}

static guint64
distance_of_row (const Work *work, guint y)
{
  const GstGlesComponent *c = &work->channel->component[0];
  const guint width = work->samples->width;
  const gsize first = (gsize) y * c->width + work->samples->x;
  guint16 values[CHUNK], before[CHUNK];
  guint64 sum = 0;

  if (work->dense)
    return distance_of_bytes (
        work->channel->data[0] + c->offset + (gsize) y * c->stride + work->samples->x,
        work->kept + first, width);
  for (guint x = 0; x < width; x += CHUNK) {
    const guint n = MIN (width - x, CHUNK);

    gst_gles_cpu_rows_read (&work->rows, work->samples->x + x, y, n, values);
    if (work->channel->depth > 8)
      memcpy (before, work->kept + 2 * (first + x), 2 * n);
    for (guint i = 0; work->channel->depth <= 8 && i < n; i++)
      before[i] = work->kept[first + x + i];
    for (guint i = 0; i < n; i++)
      sum += (guint) ABS (values[i] - before[i]);
  }
  return sum;
}

static void
sum_band (guint task, guint participant, gpointer user_data)
{
  Work *work = user_data;
  const guint64 height = work->samples->height;
  const guint from = (guint) (height * task / work->n_bands);
  const guint to = (guint) (height * (task + 1) / work->n_bands);
  guint64 sum = 0;

  for (guint y = from; y < to; y++)
    sum += distance_of_row (work, work->samples->y + y);
  work->sums[task] = sum;
}

guint64
gst_gles_cpu_frame_mad (
    const GstGlesCpuChannel *channel, const GstGlesCpuSamples *samples, const guint8 *kept)
{
  const GstGlesComponent *c = &channel->component[0];
  const guint64 n_samples = (guint64) samples->width * samples->height;
  Work work = { .channel = channel, .samples = samples, .kept = kept };
  guint64 sum = 0;

  gst_gles_cpu_rows_init (&work.rows, channel);
  work.dense =
      !channel->matrix && c->word_bytes == 1 && c->step == 1 && c->shift == 0 && c->depth == 8;
  work.n_bands = (guint) CLAMP (
      n_samples / MIN_BAND_SAMPLES, 1, MIN (MAX_BANDS, 4 * gst_gles_cpu_n_available ()));
  gst_gles_cpu_parallel (work.n_bands, sum_band, &work);
  for (guint i = 0; i < work.n_bands; i++)
    sum += work.sums[i];
  return sum;
}
