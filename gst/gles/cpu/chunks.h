/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Divides an array into chunks, one per task of a parallel call. */
#ifndef GST_GLES_CPU_CHUNKS_H
#define GST_GLES_CPU_CHUNKS_H

#include <gst/gles/core/pool.h>

G_BEGIN_DECLS

/* Keeps arrays with an element per chunk small enough for the stack. */
#define GST_GLES_CPU_MAX_CHUNKS 256

/* The smallest number of items, of a few ns each, that is worth a task: about 10 us of work. */
#define GST_GLES_CPU_MIN_CHUNK 16384

/* Per thread, so that the others take over the share of a thread that starts late. */
#define GST_GLES_CPU_CHUNKS_PER_THREAD 4

typedef struct {
  gsize n;    /* items */
  gsize size; /* items per chunk; the last may have fewer */
  guint count;
} GstGlesCpuChunks;

/* Makes chunks of at least @min items and, unless one chunk holds all, of a multiple of
 * @alignment. Results must not depend on the number of chunks. */
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

static inline gsize
gst_gles_cpu_chunk_first (const GstGlesCpuChunks *chunks, guint chunk)
{
  return chunks->size * chunk;
}

/* Returns the number of items in @chunk. */
static inline gsize
gst_gles_cpu_chunk_n (const GstGlesCpuChunks *chunks, guint chunk)
{
  return MIN (chunks->size, chunks->n - chunks->size * chunk);
}

G_END_DECLS

#endif
