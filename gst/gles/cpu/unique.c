/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Each chunk counts the runs that begin in it; then it writes their keys from the sum of the
 * earlier counts on. */
#include <gst/gles/cpu/unique.h>

#include <gst/gles/cpu/chunks.h>
#include <gst/gles/cpu/vector.h>

typedef struct {
  guint key_words;
  const guint32 *keys;
  guint32 *output;
  gsize capacity;
  GstGlesCpuChunks chunks;
  gsize counts[GST_GLES_CPU_MAX_CHUNKS]; /* replaced by the exclusive prefixes of the chunks */
} Work;

/* Whether key @i, not 0, differs from the one before. @words is a constant in inlined copies. */
G_ALWAYS_INLINE static inline gboolean
differs (const guint32 *keys, gsize i, guint words)
{
  return keys[words * i] != keys[words * (i - 1)] ||
      (words == 2 && keys[2 * i + 1] != keys[2 * i - 1]);
}

G_ALWAYS_INLINE static inline gsize
count_as (const Work *work, gsize first, gsize end, guint words)
{
  GstGlesU32x4 counts = { 0, 0, 0, 0 };
  gsize count = first == 0 && first < end;
  gsize i = MAX (first, 1);

  for (; words == 1 && i + 4 <= end; i += 4)
    counts -= (GstGlesU32x4) (gst_gles_u32x4_load (work->keys + i) !=
        gst_gles_u32x4_load (work->keys + i - 1));
  for (; i < end; i++)
    count += differs (work->keys, i, words);
  return count + counts[0] + counts[1] + counts[2] + counts[3];
}

/* Returns how many runs begin with the keys from @first to @end. */
static gsize
count_runs (const Work *work, gsize first, gsize end)
{
  return work->key_words == 1 ? count_as (work, first, end, 1) : count_as (work, first, end, 2);
}

G_ALWAYS_INLINE static inline gsize
write_as (const Work *work, gsize first, gsize end, gsize at, guint words)
{
  gsize begin = at;

  for (; first < end && at < work->capacity; first++) {
    if (first != 0 && !differs (work->keys, first, words))
      continue;
    for (guint w = 0; w < words; w++)
      work->output[words * at + w] = work->keys[words * first + w];
    at++;
  }
  return at - begin + count_runs (work, first, end);
}

/* Writes the keys of these runs to the output from @at on, up to the capacity. Returns the number
 * of runs. */
static gsize
write_runs (const Work *work, gsize first, gsize end, gsize at)
{
  return work->key_words == 1 ? write_as (work, first, end, at, 1)
                              : write_as (work, first, end, at, 2);
}

static void
count_chunk (guint task, guint participant, gpointer user_data)
{
  Work *work = user_data;
  gsize first = gst_gles_cpu_chunk_first (&work->chunks, task);

  work->counts[task] = count_runs (work, first, first + gst_gles_cpu_chunk_n (&work->chunks, task));
}

static void
write_chunk (guint task, guint participant, gpointer user_data)
{
  const Work *work = user_data;
  gsize first = gst_gles_cpu_chunk_first (&work->chunks, task);
  gsize end = first + gst_gles_cpu_chunk_n (&work->chunks, task);

  if (work->counts[task] < work->capacity)
    write_runs (work, first, end, work->counts[task]);
}

guint64
gst_gles_cpu_unique (guint key_words, const guint32 *keys, gsize n, guint32 *output, gsize capacity)
{
  Work work = { .key_words = key_words,
    .keys = keys,
    .output = output,
    .capacity = capacity,
    .chunks = gst_gles_cpu_chunks (n, GST_GLES_CPU_MIN_CHUNK, 16) };
  gsize count = 0;

  if (work.chunks.count <= 1)
    return write_runs (&work, 0, n, 0);
  gst_gles_cpu_parallel (work.chunks.count, count_chunk, &work);
  for (guint i = 0; i < work.chunks.count; i++) {
    gsize count_before = count;

    count += work.counts[i];
    work.counts[i] = count_before;
  }
  gst_gles_cpu_parallel (work.chunks.count, write_chunk, &work);
  return count;
}
