/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Divides an array into chunks, one per task of a parallel call. */
#ifndef GST_GLES_CPU_CHUNKS_H
#define GST_GLES_CPU_CHUNKS_H

#include <gst/gles/core/parallel.h>

G_BEGIN_DECLS

/* Limits the arrays with one entry per chunk, which callers keep on the stack. */
#define GST_GLES_CPU_MAX_CHUNKS 256

/* The smallest number of items, of a few ns each, that is worth handing to another thread: some
 * 10 us of work. */
#define GST_GLES_CPU_MIN_CHUNK 16384

/* More chunks than threads, so that the other threads take over the chunks of a thread that
 * wakes up late. */
#define GST_GLES_CPU_CHUNKS_PER_THREAD 4

typedef struct {
  gsize n;    /* items */
  gsize size; /* items per chunk; the last may have fewer */
  guint count;
} GstGlesCpuChunks;

/* Divides @n items into chunks of at least @min items. Unless there is only one chunk, its size
 * is a multiple of @alignment. The number of chunks depends on the number of threads, so results
 * must not depend on it. */
static inline GstGlesCpuChunks
gst_gles_cpu_chunks (gsize n, gsize min, gsize alignment)
{
  gsize most =
      MIN (gst_gles_cpu_n_threads () * GST_GLES_CPU_CHUNKS_PER_THREAD, GST_GLES_CPU_MAX_CHUNKS);
  GstGlesCpuChunks chunks = { n, n, n > 0 };

  if (gst_gles_cpu_n_threads () == 1 || n / 2 < min)
    return chunks;
  chunks.size = MAX (n / most + (n % most != 0), min);
  chunks.size += (alignment - chunks.size % alignment) % alignment;
  chunks.count = (guint) (n / chunks.size + (n % chunks.size != 0));
  return chunks;
}

/* Items from `first` to before `end`. */
typedef struct {
  gsize first, end;
} GstGlesCpuRange;

static inline GstGlesCpuRange
gst_gles_cpu_chunk (const GstGlesCpuChunks *chunks, guint chunk)
{
  gsize first = chunks->size * chunk;

  return (GstGlesCpuRange){ first, first + MIN (chunks->size, chunks->n - first) };
}

/* Replaces counts by the sums of the counts before each. Returns the sum of all. */
static inline guint64
gst_gles_cpu_sum_counts (guint64 *counts, guint n)
{
  guint64 sum = 0;

  for (guint i = 0; i < n; i++) {
    guint64 count = counts[i];

    counts[i] = sum;
    sum += count;
  }
  return sum;
}

G_END_DECLS

#endif
