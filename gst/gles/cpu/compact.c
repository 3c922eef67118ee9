/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Each chunk counts the values that pass; then it writes them from the sum of the earlier counts
 * on. The indices of values that pass are collected a tile at a time. Every index is stored at the
 * end of the list, and the end advances only if the value passes, so there is no branch to
 * mispredict. */
#include <gst/gles/cpu/compact.h>

#include <gst/gles/cpu/chunks.h>
#include <gst/gles/cpu/vector.h>

/* Values per tile; its buffers stay in the first-level cache. */
#define TILE 1024

/* Values that are counted in 32-bit counters. */
#define PIECE ((gsize) 1 << 30)

typedef struct {
  const guint32 *flags; /* NULL: the range is tested */
  const guint32 *input;
  GstGlesValueType type;
  guint32 lower, span; /* key - lower <= span */
  guint32 *values, *indices;
  gsize capacity;
  GstGlesCpuChunks chunks;
  gsize counts[GST_GLES_CPU_MAX_CHUNKS]; /* replaced by the exclusive prefixes of the chunks */
} Work;

/* ---- counting ---- */

/* Counts four words at a time. @type is a constant in each inlined copy. At most 2^32 words. */
G_ALWAYS_INLINE static inline gsize
count_range_as (const Work *work, const guint32 *input, gsize n, GstGlesValueType type)
{
  GstGlesI32x4 span = { 0, 0, 0, 0 };
  GstGlesU32x4 counts = { 0, 0, 0, 0 };
  gsize count = 0, i = 0;

  /* For signed comparisons, which every processor has for vectors. */
  span += (gint32) (work->span ^ 0x80000000u);
  for (; i + 4 <= n; i += 4) {
    GstGlesU32x4 v = gst_gles_u32x4_load (input + i);

    if (type == GST_GLES_VALUE_F32)
      v ^= (0u - (v >> 31)) | 0x80000000u;
    else if (type == GST_GLES_VALUE_I32)
      v ^= 0x80000000u;
    counts -= (GstGlesU32x4) ((GstGlesI32x4) ((v - work->lower) ^ 0x80000000u) <= span);
  }
  for (; i < n; i++)
    count += gst_gles_cpu_to_key (type, input[i]) - work->lower <= work->span;
  return count + counts[0] + counts[1] + counts[2] + counts[3];
}

static gsize
count_flags (const guint32 *flags, gsize n)
{
  GstGlesU32x4 counts = { 0, 0, 0, 0 };
  gsize count = 0, i = 0;

  for (; i + 4 <= n; i += 4)
    counts -= (GstGlesU32x4) (gst_gles_u32x4_load (flags + i) != 0);
  for (; i < n; i++)
    count += flags[i] != 0;
  return count + counts[0] + counts[1] + counts[2] + counts[3];
}

/* At most 2^32 values. */
static gsize
count_piece (const Work *work, gsize first, gsize n)
{
  if (work->flags != NULL)
    return count_flags (work->flags + first, n);
  if (work->type == GST_GLES_VALUE_F32)
    return count_range_as (work, work->input + first, n, GST_GLES_VALUE_F32);
  if (work->type == GST_GLES_VALUE_I32)
    return count_range_as (work, work->input + first, n, GST_GLES_VALUE_I32);
  return count_range_as (work, work->input + first, n, GST_GLES_VALUE_U32);
}

static gsize
count_passing (const Work *work, gsize first, gsize end)
{
  gsize count = 0;

  for (; first < end; first += MIN (end - first, PIECE))
    count += count_piece (work, first, MIN (end - first, PIECE));
  return count;
}

static void
count_chunk (guint task, guint participant, gpointer user_data)
{
  Work *work = user_data;
  gsize first = gst_gles_cpu_chunk_first (&work->chunks, task);

  work->counts[task] =
      count_passing (work, first, first + gst_gles_cpu_chunk_n (&work->chunks, task));
}

/* ---- writing ---- */

/* @type and @flags are constants in each inlined copy. */
G_ALWAYS_INLINE static inline guint
gather_places_as (
    const Work *work, gsize first, guint n, GstGlesValueType type, gboolean flags, guint16 *places)
{
  guint count = 0;

  for (guint i = 0; i < n; i++) {
    places[count] = (guint16) i;
    if (flags)
      count += work->flags[first + i] != 0;
    else
      count += gst_gles_cpu_to_key (type, work->input[first + i]) - work->lower <= work->span;
  }
  return count;
}

/* Stores the indices, relative to @first, of the values that pass. Returns their number. */
static guint
gather_places (const Work *work, gsize first, guint n, guint16 *places)
{
  if (work->flags != NULL)
    return gather_places_as (work, first, n, GST_GLES_VALUE_U32, TRUE, places);
  if (work->type == GST_GLES_VALUE_F32)
    return gather_places_as (work, first, n, GST_GLES_VALUE_F32, FALSE, places);
  if (work->type == GST_GLES_VALUE_I32)
    return gather_places_as (work, first, n, GST_GLES_VALUE_I32, FALSE, places);
  return gather_places_as (work, first, n, GST_GLES_VALUE_U32, FALSE, places);
}

/* Writes the values from @first to @end that pass to the output from @at on, up to the capacity.
 * Returns how many pass. */
static gsize
write_passing (const Work *work, gsize first, gsize end, gsize at)
{
  gsize begin = at;
  guint16 places[TILE];

  for (; first < end && at < work->capacity; first += MIN (end - first, TILE)) {
    guint count = gather_places (work, first, (guint) MIN (end - first, TILE), places);
    guint n_write = (guint) MIN (count, work->capacity - at);

    if (work->values != NULL) {
      for (guint i = 0; i < n_write; i++)
        work->values[at + i] = work->input[first + places[i]];
    }
    if (work->indices != NULL) {
      for (guint i = 0; i < n_write; i++)
        work->indices[at + i] = (guint32) (first + places[i]);
    }
    at += count;
  }
  return at - begin + count_passing (work, first, end);
}

static void
write_chunk (guint task, guint participant, gpointer user_data)
{
  const Work *work = user_data;
  gsize first = gst_gles_cpu_chunk_first (&work->chunks, task);
  gsize end = first + gst_gles_cpu_chunk_n (&work->chunks, task);

  if (work->counts[task] < work->capacity)
    write_passing (work, first, end, work->counts[task]);
}

static guint64
compact (Work *work, gsize n)
{
  gboolean writes = work->values != NULL || work->indices != NULL;
  gsize count = 0;

  work->chunks = gst_gles_cpu_chunks (n, GST_GLES_CPU_MIN_CHUNK, 16);
  if (work->chunks.count <= 1)
    return writes ? write_passing (work, 0, n, 0) : count_passing (work, 0, n);
  gst_gles_cpu_parallel (work->chunks.count, count_chunk, work);
  for (guint i = 0; i < work->chunks.count; i++) {
    gsize count_before = count;

    count += work->counts[i];
    work->counts[i] = count_before;
  }
  if (writes)
    gst_gles_cpu_parallel (work->chunks.count, write_chunk, work);
  return count;
}

guint64
gst_gles_cpu_compact_range (GstGlesValueType type, guint32 lower, guint32 upper,
    const guint32 *input, gsize n, guint32 *values, guint32 *indices, gsize capacity)
{
  guint32 lower_key = gst_gles_cpu_to_key (type, lower);
  guint32 upper_key = gst_gles_cpu_to_key (type, upper);
  Work work = { .input = input,
    .type = type,
    .lower = lower_key,
    .span = upper_key - lower_key,
    .values = values,
    .indices = indices,
    .capacity = capacity };

  return lower_key <= upper_key ? compact (&work, n) : 0;
}

guint64
gst_gles_cpu_compact_flags (const guint32 *flags, const guint32 *input, gsize n, guint32 *values,
    guint32 *indices, gsize capacity)
{
  Work work = {
    .flags = flags, .input = input, .values = values, .indices = indices, .capacity = capacity
  };

  return compact (&work, n);
}
