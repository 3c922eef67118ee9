/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Chunks are summed first; then each is scanned from the sum of the earlier chunks on. */
#include <gst/gles/cpu/scan/scan.h>

#include <gst/gles/cpu/lib/chunks.h>
#include <gst/gles/cpu/reduce/reduce-parts.h>
#include <gst/gles/cpu/reduce/reduce.h>
#include <gst/gles/cpu/lib/vector.h>

/* Values that are summed and then scanned while they are in the first-level cache. */
#define PIECE 2048

/* From this block size on, all threads scan one block after the other. Smaller blocks are
 * distributed over the threads. */
#define LARGE_BLOCK (8 * GST_GLES_CPU_MIN_CHUNK)

typedef struct {
  const guint32 *input;
  const guint32 *heads; /* segmented scans only */
  guint32 *output;
  gboolean inclusive;
  GstGlesCpuChunks chunks; /* of values, or of blocks */
  /* per chunk: the carry that it adds; replaced by the carry that it starts from */
  guint64 sums[GST_GLES_CPU_MAX_CHUNKS];
  gboolean has_head[GST_GLES_CPU_MAX_CHUNKS];
  /* blocks only */
  gsize n, block_size;
  guint32 *totals;
} Work;

/* ---- one thread ---- */

/* Scans from @sum on, and returns @sum plus the @n values. @inclusive is a constant in each
 * inlined copy. Each vector is read before it is written, so @output may be @input. */
G_ALWAYS_INLINE static inline guint32
scan_values_as (const guint32 *input, guint32 *output, gsize n, guint32 sum, gboolean inclusive)
{
  const GstGlesU32x4 zero = { 0, 0, 0, 0 };
  GstGlesU32x4 before = { sum, sum, sum, sum };
  gsize i = 0;

  for (; i + 4 <= n; i += 4) {
    GstGlesU32x4 v = gst_gles_u32x4_load (input + i), own = v;

    v += GST_GLES_SHUFFLE (zero, v, 0, 4, 5, 6);
    v += GST_GLES_SHUFFLE (zero, v, 0, 1, 4, 5);
    gst_gles_u32x4_store (output + i, before + (inclusive ? v : v - own));
    before += GST_GLES_SHUFFLE (v, v, 3, 3, 3, 3);
  }
  sum = before[0];
  for (; i < n; i++) {
    guint32 value = input[i];

    output[i] = inclusive ? sum + value : sum;
    sum += value;
  }
  return sum;
}

/* @inclusive is a constant in each inlined copy. */
G_ALWAYS_INLINE static inline void
scan_segments_as (const guint32 *input, const guint32 *heads, guint32 *output, gsize n, guint32 sum,
    gboolean inclusive)
{
  for (gsize i = 0; i < n; i++) {
    guint32 value = input[i];

    sum = heads[i] != 0 ? 0 : sum;
    output[i] = inclusive ? sum + value : sum;
    sum += value;
  }
}

/* Scans from @sum on. Returns @sum plus the values, unless there are segments. */
static guint32
scan_values (const Work *work, gsize first, gsize end, guint32 sum)
{
  const guint32 *input = work->input + first;
  guint32 *output = work->output + first;

  if (work->heads == NULL)
    return work->inclusive ? scan_values_as (input, output, end - first, sum, TRUE)
                           : scan_values_as (input, output, end - first, sum, FALSE);
  if (work->inclusive)
    scan_segments_as (input, work->heads + first, output, end - first, sum, TRUE);
  else
    scan_segments_as (input, work->heads + first, output, end - first, sum, FALSE);
  return 0;
}

/* ---- the whole array ---- */

/* Sums up a chunk, or what follows its last head, inclusive. */
static void
sum_chunk (guint task, guint participant, gpointer user_data)
{
  Work *work = user_data;
  GstGlesCpuRange range = gst_gles_cpu_chunk (&work->chunks, task);
  gsize first = work->heads != NULL ? range.end : range.first;

  work->has_head[task] = FALSE;
  while (first > range.first && !work->has_head[task])
    work->has_head[task] = work->heads[--first] != 0;
  work->sums[task] = gst_gles_cpu_sum_values (work->input + first, range.end - first, FALSE);
}

static void
scan_chunk (guint task, guint participant, gpointer user_data)
{
  Work *work = user_data;
  GstGlesCpuRange range = gst_gles_cpu_chunk (&work->chunks, task);

  scan_values (work, range.first, range.end, (guint32) work->sums[task]);
}

/* With a single chunk the array is read only once: each piece is summed right before it is
 * scanned. */
static guint64
scan_alone (const Work *work, gsize n)
{
  guint64 sum = 0;

  for (gsize i = 0; i < n; i += PIECE) {
    gsize n_piece = MIN (n - i, PIECE);
    guint64 sum_before = sum;

    sum += gst_gles_cpu_sum_values (work->input + i, n_piece, FALSE);
    scan_values (work, i, i + n_piece, (guint32) sum_before);
  }
  return sum;
}

/* Returns the sum after the last head. */
static guint64
scan (Work *work, gsize n)
{
  guint64 sum = 0;

  work->chunks = gst_gles_cpu_chunks (n, GST_GLES_CPU_MIN_CHUNK, 16);
  if (work->chunks.count <= 1)
    return work->heads != NULL ? scan_values (work, 0, n, 0) : scan_alone (work, n);
  gst_gles_cpu_parallel (work->chunks.count, sum_chunk, work);
  for (guint i = 0; i < work->chunks.count; i++) {
    guint64 sum_before = sum;

    sum = work->sums[i] + (work->has_head[i] ? 0 : sum);
    work->sums[i] = sum_before;
  }
  gst_gles_cpu_parallel (work->chunks.count, scan_chunk, work);
  return sum;
}

guint64
gst_gles_cpu_scan (const guint32 *input, guint32 *output, gsize n, gboolean inclusive)
{
  Work work = { .input = input, .output = output, .inclusive = inclusive };

  return scan (&work, n);
}

void
gst_gles_cpu_scan_segmented (
    const guint32 *input, const guint32 *heads, guint32 *output, gsize n, gboolean inclusive)
{
  Work work = { .input = input, .heads = heads, .output = output, .inclusive = inclusive };

  scan (&work, n);
}

/* ---- blocks ---- */

static void
scan_some_blocks (guint task, guint participant, gpointer user_data)
{
  const Work *work = user_data;
  GstGlesCpuRange range = gst_gles_cpu_chunk (&work->chunks, task);

  for (gsize block = range.first; block < range.end; block++) {
    gsize begin = block * work->block_size;
    guint32 total = scan_values (work, begin, MIN (begin + work->block_size, work->n), 0);

    if (work->totals != NULL)
      work->totals[block] = total;
  }
}

void
gst_gles_cpu_scan_blocks (
    const guint32 *input, guint32 *output, gsize n, const GstGlesCpuBlocks *blocks)
{
  const gsize block_size = blocks->size;
  Work work = { .input = input, .output = output, .inclusive = blocks->inclusive };
  gsize n_blocks = n / block_size + (n % block_size != 0);

  for (gsize block = 0; block_size >= LARGE_BLOCK && block < n_blocks; block++) {
    gsize begin = block * block_size;
    guint64 total = gst_gles_cpu_scan (
        input + begin, output + begin, MIN (block_size, n - begin), blocks->inclusive);

    if (blocks->totals != NULL)
      blocks->totals[block] = (guint32) total;
  }
  if (block_size >= LARGE_BLOCK)
    return;
  work.n = n;
  work.block_size = block_size;
  work.totals = blocks->totals;
  work.chunks = gst_gles_cpu_chunks (n_blocks, GST_GLES_CPU_MIN_CHUNK / block_size + 1, 1);
  gst_gles_cpu_parallel (work.chunks.count, scan_some_blocks, &work);
}
