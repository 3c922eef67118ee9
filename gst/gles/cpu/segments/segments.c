/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Each chunk counts the runs that begin in it, then writes them as far as they lie in the chunk.
 * Its part of a run that began earlier, and of its last run, which may continue in the next chunk,
 * are kept as pieces; runs that cross chunks are composed from the pieces at the end. Chunks are
 * nodes of the tree of f32 sums. */
#include <gst/gles/cpu/segments/segments.h>

#include <gst/gles/cpu/lib/chunks.h>
#include <gst/gles/cpu/reduce/reduce-parts.h>
#include <gst/gles/cpu/reduce/reduce.h>
#include <gst/gles/cpu/lib/vector.h>

/* Shorter runs are folded inline, because a function call per statistic would cost more. */
#define SHORT_RUN 16

/* Neighbouring values with one key: a run or a part of it. */
typedef struct {
  gsize n;
  guint64 sum;     /* u32, i32: modulo 2^64 */
  guint32 sum_f32; /* f32 */
  guint32 min;     /* the largest of the keys of the values XORed with ~0 */
  guint32 max;     /* the largest of the keys of the values */
} Piece;

typedef struct {
  const guint32 *keys;
  guint key_words;
  const guint32 *values;
  GstGlesValueType value_type;
  const GstGlesCpuSegments *out;
  gboolean sums, mins, maxs;
  guint level; /* a chunk has 2^level items */
  GstGlesCpuChunks chunks;
  /* per chunk */
  gsize n_begun[GST_GLES_CPU_MAX_CHUNKS];   /* number of runs that begin in the chunk */
  gsize first_run[GST_GLES_CPU_MAX_CHUNKS]; /* index of the first of these runs */
  /* the part of the last run that began in an earlier chunk */
  Piece leads[GST_GLES_CPU_MAX_CHUNKS];
  Piece tails[GST_GLES_CPU_MAX_CHUNKS]; /* the last run that begins in the chunk */
} Work;

static inline gboolean
begins_run (const Work *work, gsize i)
{
  const guint32 *key = work->keys + i * work->key_words;

  if (i == 0 || key[0] != key[-(gssize) work->key_words])
    return TRUE;
  return work->key_words == 2 && key[1] != key[-1];
}

static gsize
end_of_run (const Work *work, gsize i, gsize end)
{
  do
    i++;
  while (i < end && !begins_run (work, i));
  return i;
}

static void
count_chunk (guint task, guint participant, gpointer user_data)
{
  Work *work = user_data;
  GstGlesCpuRange range = gst_gles_cpu_chunk (&work->chunks, task);
  gsize count = 0;

  for (gsize i = range.first; i < range.end; i++)
    count += begins_run (work, i);
  work->n_begun[task] = count;
}

/* ---- pieces ---- */

static Piece
sum_up (const Work *work, gsize first, gsize n)
{
  const guint32 *values = work->values + first;
  GstGlesValueType type = work->value_type;
  Piece piece = { .n = n };

  if (work->sums && type == GST_GLES_VALUE_F32)
    piece.sum_f32 = gst_gles_cpu_sum_leaves (first, values, n);
  if (n <= SHORT_RUN) {
    for (gsize i = 0; i < n; i++) {
      guint32 key = gst_gles_cpu_to_key (type, values[i]);

      piece.sum += type == GST_GLES_VALUE_I32 ? (guint64) (gint32) values[i] : values[i];
      piece.min = MAX (piece.min, ~key);
      piece.max = MAX (piece.max, key);
    }
    return piece;
  }
  if (work->sums && type != GST_GLES_VALUE_F32)
    piece.sum = gst_gles_cpu_sum_values (values, n, type == GST_GLES_VALUE_I32);
  if (work->mins)
    piece.min = gst_gles_cpu_max_key (type, G_MAXUINT32, values, n);
  if (work->maxs)
    piece.max = gst_gles_cpu_max_key (type, 0, values, n);
  return piece;
}

static Piece
take_piece (const Work *work, gsize first, gsize end)
{
  if (work->sums || work->mins || work->maxs)
    return sum_up (work, first, end - first);
  return (Piece){ .n = end - first };
}

static void
write_piece (const Work *work, gsize run, const Piece *piece)
{
  const GstGlesCpuSegments *out = work->out;
  gboolean is_f32 = work->value_type == GST_GLES_VALUE_F32;

  if (out->counts != NULL)
    out->counts[run] = (guint32) piece->n;
  if (out->sums != NULL)
    out->sums[run] = is_f32 ? piece->sum_f32 : (guint32) piece->sum;
  if (out->sums_high != NULL && !is_f32)
    out->sums_high[run] = (guint32) (piece->sum >> 32);
  if (work->mins)
    out->mins[run] = gst_gles_cpu_from_key (work->value_type, ~piece->min);
  if (work->maxs)
    out->maxs[run] = gst_gles_cpu_from_key (work->value_type, piece->max);
}

/* ---- runs ---- */

static void
write_run (const Work *work, gsize run, gsize first, const Piece *piece)
{
  const GstGlesCpuSegments *out = work->out;

  if (out->keys != NULL) {
    for (guint w = 0; w < work->key_words; w++)
      out->keys[run * work->key_words + w] = work->keys[first * work->key_words + w];
  }
  if (out->starts != NULL)
    out->starts[run] = (guint32) first;
  write_piece (work, run, piece);
}

static void
write_chunk (guint task, guint participant, gpointer user_data)
{
  Work *work = user_data;
  GstGlesCpuRange range = gst_gles_cpu_chunk (&work->chunks, task);
  gsize i = range.first, end = range.end;
  gsize run = work->first_run[task];
  Piece piece = { .n = 0 };

  if (!begins_run (work, i)) {
    gsize run_end = end_of_run (work, i, end);

    piece = take_piece (work, i, run_end);
    i = run_end;
  }
  work->leads[task] = piece;
  for (; i < end && run < work->out->capacity; run++) {
    gsize run_end = end_of_run (work, i, end);

    piece = take_piece (work, i, run_end);
    write_run (work, run, i, &piece);
    i = run_end;
  }
  /* If the last run exceeds the capacity, this is another run's piece, but then it is not used. */
  work->tails[task] = piece;
}

static void
join_pieces (Piece *piece, const Piece *more)
{
  piece->n += more->n;
  piece->sum += more->sum;
  piece->min = MAX (piece->min, more->min);
  piece->max = MAX (piece->max, more->max);
}

/* Completes the runs that continue in later chunks. */
static void
join_chunks (const Work *work)
{
  guint n_chunks = work->chunks.count;

  for (guint first = 0; first < n_chunks; first++) {
    gsize run = work->first_run[first] + work->n_begun[first] - 1;
    Piece piece = work->tails[first];
    GstGlesCpuF32Tree tree = { .present = 0 };
    guint next = first + 1;

    if (work->n_begun[first] == 0 || run >= work->out->capacity || next == n_chunks ||
        work->leads[next].n == 0)
      continue;
    gst_gles_cpu_f32_tree_add (&tree, work->level, first, piece.sum_f32);
    for (; next < n_chunks && work->leads[next].n > 0; next++) {
      join_pieces (&piece, &work->leads[next]);
      gst_gles_cpu_f32_tree_add (&tree, work->level, next, work->leads[next].sum_f32);
      if (work->n_begun[next] > 0)
        break;
    }
    piece.sum_f32 = gst_gles_cpu_f32_tree_root (&tree);
    write_piece (work, run, &piece);
  }
}

/* The size of a chunk is a power of two. */
static void
set_chunks (Work *work, gsize n)
{
  work->chunks = gst_gles_cpu_chunks (n, GST_GLES_CPU_MIN_CHUNK, 1);
  if (work->chunks.count <= 1)
    return;
  while ((gsize) 1 << work->level < work->chunks.size)
    work->level++;
  work->chunks.size = (gsize) 1 << work->level;
  work->chunks.count = (guint) ((n - 1) >> work->level) + 1;
}

guint64
gst_gles_cpu_segments (const GstGlesCpuKeyed *input, gsize n, const GstGlesCpuSegments *segments)
{
  Work work = { .keys = input->keys,
    .key_words = gst_gles_cpu_type_words (input->key_type),
    .values = input->values,
    .value_type = input->value_type,
    .out = segments,
    .sums = segments->sums != NULL || segments->sums_high != NULL,
    .mins = segments->mins != NULL,
    .maxs = segments->maxs != NULL };
  gsize count = 0;

  set_chunks (&work, n);
  gst_gles_cpu_parallel (work.chunks.count, count_chunk, &work);
  for (guint i = 0; i < work.chunks.count; i++) {
    work.first_run[i] = count;
    count += work.n_begun[i];
  }
  if (segments->capacity > 0) {
    gst_gles_cpu_parallel (work.chunks.count, write_chunk, &work);
    join_chunks (&work);
  }
  return count;
}
