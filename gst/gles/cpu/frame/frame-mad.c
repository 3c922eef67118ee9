/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The threads of the pool sum up bands of rows, and replace what is kept row by row, while the row
 * is in the first-level cache. Dense 8-bit samples are compared in place, 16 at a time. Samples of
 * other layouts are unpacked to 16 bits first. */
#include <gst/gles/cpu/frame/frame-mad.h>

#include <gst/gles/cpu/lib/chunks.h>
#include <gst/gles/cpu/frame/distance.h>
#include <gst/gles/cpu/frame/frame-kept.h>

#define CHUNK GST_GLES_CPU_ROWS_CHUNK

/* Smallest band that is handed to another thread: about 50 us of work. To wake a thread takes some
 * 10 us of each. */
#define MIN_BAND_SAMPLES 524288

typedef struct {
  const GstGlesCpuChannel *channel;
  const GstGlesCpuSamples *samples;
  GstGlesCpuRows rows;
  guint8 *compared[2];    /* pictures; NULL: nothing is */
  guint8 *target;         /* where the picture is kept, when it has been compared */
  GstGlesCpuChunks bands; /* of rows */
  guint64 sums[2][GST_GLES_CPU_MAX_CHUNKS];
} Work;

static guint64
distance_of_span (const Work *work, const guint8 *kept, guint y, guint left, guint width)
{
  const guint8 *bytes = gst_gles_cpu_channel_bytes (work->channel, left, y);
  guint16 values[CHUNK], before[CHUNK];
  guint64 sum = 0;

  if (bytes != NULL)
    return gst_gles_cpu_distance_of_bytes (
        bytes, kept + (gsize) y * work->channel->component[0].width + left, width);
  for (guint x = 0; x < width; x += CHUNK) {
    const guint n = MIN (width - x, CHUNK);

    gst_gles_cpu_rows_read (&work->rows, left + x, y, n, values);
    gst_gles_cpu_frame_read_kept (
        work->channel, kept, &(GstGlesCpuSampleRun){ left + x, y, n }, before);
    sum += gst_gles_cpu_distance_of_values (values, before, n);
  }
  return sum;
}

static guint64
distance_of_row (const Work *work, const guint8 *kept, guint y)
{
  const GstGlesCpuSamples *samples = work->samples;
  GstGlesCpuSpanWalk walk =
      gst_gles_cpu_spans_walk (samples->spans, y, samples->x, samples->x + samples->width);
  guint64 sum = 0;

  while (kept != NULL && gst_gles_cpu_span_next (&walk))
    sum += distance_of_span (work, kept, y, walk.from, walk.end - walk.from);
  return sum;
}

static void
sum_band (guint task, guint participant, gpointer user_data)
{
  Work *work = user_data;
  const guint top = work->samples->y;
  GstGlesCpuRange rows = gst_gles_cpu_chunk (&work->bands, task);
  guint64 sums[2] = { 0, 0 };

  for (guint y = top + (guint) rows.first; y < top + rows.end; y++) {
    sums[0] += distance_of_row (work, work->compared[0], y);
    sums[1] += distance_of_row (work, work->compared[1], y);
    gst_gles_cpu_frame_keep_row (&work->rows, y, work->target);
  }
  work->sums[0][task] = sums[0];
  work->sums[1][task] = sums[1];
}

static void
run (Work *work)
{
  const GstGlesCpuSamples *samples = work->samples;

  gst_gles_cpu_rows_init (&work->rows, work->channel);
  work->bands =
      gst_gles_cpu_chunks (samples->height, MIN_BAND_SAMPLES / MAX (samples->width, 1) + 1, 1);
  gst_gles_cpu_parallel (work->bands.count, sum_band, work);
}

void
gst_gles_cpu_frame_mad (const GstGlesCpuChannel *channel, const GstGlesCpuSamples *samples,
    const GstGlesCpuFrameEarlier *earlier, guint64 sums[2])
{
  Work work = { .channel = channel,
    .samples = samples,
    .compared = { earlier->reference, earlier->apart ? earlier->previous : NULL },
    .target = earlier->previous != NULL ? earlier->previous : earlier->reference };

  run (&work);
  for (guint i = 0; i < 2; i++)
    sums[i] = gst_gles_cpu_sum_counts (work.sums[i], work.bands.count);
}

void
gst_gles_cpu_frame_keep (
    const GstGlesCpuChannel *channel, const GstGlesCpuSamples *samples, guint8 *kept)
{
  Work work = { .channel = channel, .samples = samples, .target = kept };

  run (&work);
}
