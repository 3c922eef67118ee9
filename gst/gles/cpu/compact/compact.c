/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Each chunk counts the items that pass; then it writes them from the sum of the earlier counts on.
 * The indices of items that pass are collected a tile at a time. Every index is stored at the end
 * of the list, and the end advances only if the item passes, so there is no branch to mispredict.
 */
#include <gst/gles/cpu/compact/compact.h>

#include <string.h>

#include <gst/gles/cpu/lib/chunks.h>
#include <gst/gles/cpu/unique/unique.h>
#include <gst/gles/cpu/lib/vector.h>

/* Items per tile; its buffers stay in the first-level cache. */
#define TILE 1024

/* Items that are counted in 32-bit counters. */
#define PIECE ((gsize) 1 << 30)

/* Which items pass. */
typedef enum {
  RANGE_U32,
  RANGE_I32,
  RANGE_F32,
  FLAGS,
  RUNS, /* those that differ from the item before */
  RUNS_WIDE
} Test;

typedef struct {
  Test test;
  const guint32 *flags;
  const guint32 *input; /* two words per item for RUNS_WIDE */
  guint32 lower, span;  /* RANGE: key - lower <= span */
  guint32 *values, *indices;
  gsize capacity;
  GstGlesCpuChunks chunks;
  guint64 counts[GST_GLES_CPU_MAX_CHUNKS]; /* replaced by the sums of the earlier counts */
} Work;

/* Calls @function with a constant test, so that there is an inlined copy for each. */
#define WITH_TEST(test, function, ...)                                                             \
  ((test) == RANGE_U32          ? function (__VA_ARGS__, RANGE_U32)                                \
          : (test) == RANGE_I32 ? function (__VA_ARGS__, RANGE_I32)                                \
          : (test) == RANGE_F32 ? function (__VA_ARGS__, RANGE_F32)                                \
          : (test) == FLAGS     ? function (__VA_ARGS__, FLAGS)                                    \
          : (test) == RUNS      ? function (__VA_ARGS__, RUNS)                                     \
                                : function (__VA_ARGS__, RUNS_WIDE))

static inline GstGlesValueType
type_of (Test test)
{
  return test == RANGE_F32 ? GST_GLES_VALUE_F32
      : test == RANGE_I32  ? GST_GLES_VALUE_I32
                           : GST_GLES_VALUE_U32;
}

/* Whether item @i passes, which for RUNS is not the first one. */
G_ALWAYS_INLINE static inline gboolean
passes (const Work *work, gsize i, Test test)
{
  const guint32 *words = work->input;

  if (test == FLAGS)
    return work->flags[i] != 0;
  if (test == RUNS)
    return words[i] != words[i - 1];
  if (test == RUNS_WIDE)
    return words[2 * i] != words[2 * i - 2] || words[2 * i + 1] != words[2 * i - 1];
  return gst_gles_cpu_to_key (type_of (test), words[i]) - work->lower <= work->span;
}

/* ---- counting ---- */

/* Returns ~0 for each of four items that pass. @span has the sign bit inverted, for signed
 * comparisons, which every processor has for vectors. */
G_ALWAYS_INLINE static inline GstGlesU32x4
four_pass (const Work *work, gsize i, GstGlesI32x4 span, Test test)
{
  GstGlesU32x4 v = gst_gles_u32x4_load ((test == FLAGS ? work->flags : work->input) + i);

  if (test == FLAGS)
    return (GstGlesU32x4) (v != 0);
  if (test == RUNS)
    return (GstGlesU32x4) (v != gst_gles_u32x4_load (work->input + i - 1));
  if (test == RANGE_F32)
    v ^= (0u - (v >> 31)) | 0x80000000u;
  else if (test == RANGE_I32)
    v ^= 0x80000000u;
  return (GstGlesU32x4) ((GstGlesI32x4) ((v - work->lower) ^ 0x80000000u) <= span);
}

/* Counts at most 2^32 items, which for RUNS are not the first one. */
G_ALWAYS_INLINE static inline gsize
count_piece (const Work *work, gsize i, gsize end, Test test)
{
  GstGlesI32x4 span = { 0, 0, 0, 0 };
  GstGlesU32x4 counts = { 0, 0, 0, 0 };
  gsize count = 0;

  span += (gint32) (work->span ^ 0x80000000u);
  for (; test != RUNS_WIDE && i + 4 <= end; i += 4)
    counts -= four_pass (work, i, span, test);
  for (; i < end; i++)
    count += passes (work, i, test);
  return count + counts[0] + counts[1] + counts[2] + counts[3];
}

static gsize
count_passing (const Work *work, gsize first, gsize end)
{
  gsize count = 0;

  if (work->test >= RUNS && first == 0 && end > 0)
    count = ++first;
  for (; first < end; first += MIN (end - first, PIECE))
    count += WITH_TEST (work->test, count_piece, work, first, first + MIN (end - first, PIECE));
  return count;
}

static void
count_chunk (guint task, guint participant, gpointer user_data)
{
  Work *work = user_data;
  GstGlesCpuRange range = gst_gles_cpu_chunk (&work->chunks, task);

  work->counts[task] = count_passing (work, range.first, range.end);
}

/* ---- writing ---- */

/* Stores the indices, relative to @first, of the items that pass. Returns their number. */
G_ALWAYS_INLINE static inline guint
gather_places (const Work *work, gsize first, guint n, guint16 *places, Test test)
{
  guint i = test >= RUNS && first == 0, count = i;

  places[0] = 0;
  for (; i < n; i++) {
    places[count] = (guint16) i;
    count += passes (work, first + i, test);
  }
  return count;
}

static void
write_places (const Work *work, gsize first, const guint16 *places, guint n, gsize at)
{
  const guint words = work->test == RUNS_WIDE ? 2 : 1;
  const guint32 *input = work->input + first * words;
  guint32 *values = work->values, *indices = work->indices;

  if (values != NULL && n == TILE) { /* all pass */
    memcpy (values + at * words, input, TILE * words * sizeof *values);
  } else if (values != NULL && words == 2) {
    for (guint i = 0; i < n; i++)
      memcpy (values + 2 * (at + i), input + 2 * (gsize) places[i], 8);
  } else if (values != NULL) {
    for (guint i = 0; i < n; i++)
      values[at + i] = input[places[i]];
  }
  if (indices != NULL) {
    for (guint i = 0; i < n; i++)
      indices[at + i] = (guint32) (first + places[i]);
  }
}

/* Writes the items from @first to @end that pass to the output from @at on, up to the capacity.
 * Returns how many pass. */
static gsize
write_passing (const Work *work, gsize first, gsize end, gsize at)
{
  gsize begin = at;
  guint16 places[TILE];

  for (; first < end && at < work->capacity; first += MIN (end - first, TILE)) {
    guint n = (guint) MIN (end - first, TILE);
    guint count = WITH_TEST (work->test, gather_places, work, first, n, places);

    write_places (work, first, places, (guint) MIN (count, work->capacity - at), at);
    at += count;
  }
  return at - begin + count_passing (work, first, end);
}

static void
write_chunk (guint task, guint participant, gpointer user_data)
{
  const Work *work = user_data;
  GstGlesCpuRange range = gst_gles_cpu_chunk (&work->chunks, task);

  if (work->counts[task] < work->capacity)
    write_passing (work, range.first, range.end, work->counts[task]);
}

static guint64
compact (Work *work, gsize n)
{
  gboolean writes = work->values != NULL || work->indices != NULL;
  guint64 count;

  work->chunks = gst_gles_cpu_chunks (n, GST_GLES_CPU_MIN_CHUNK, 16);
  if (work->chunks.count <= 1)
    return writes ? write_passing (work, 0, n, 0) : count_passing (work, 0, n);
  gst_gles_cpu_parallel (work->chunks.count, count_chunk, work);
  count = gst_gles_cpu_sum_counts (work->counts, work->chunks.count);
  if (writes)
    gst_gles_cpu_parallel (work->chunks.count, write_chunk, work);
  return count;
}

guint64
gst_gles_cpu_compact_range (const GstGlesCpuValueRange *range, const guint32 *input, gsize n,
    const GstGlesCpuCompacted *out)
{
  guint32 lower_key = gst_gles_cpu_to_key (range->type, range->lower);
  guint32 upper_key = gst_gles_cpu_to_key (range->type, range->upper);
  Work work = { .test = range->type == GST_GLES_VALUE_F32 ? RANGE_F32
        : range->type == GST_GLES_VALUE_I32               ? RANGE_I32
                                                          : RANGE_U32,
    .input = input,
    .lower = lower_key,
    .span = upper_key - lower_key,
    .values = out->values,
    .indices = out->indices,
    .capacity = out->capacity };

  return lower_key <= upper_key ? compact (&work, n) : 0;
}

guint64
gst_gles_cpu_compact_flags (
    const guint32 *flags, const guint32 *input, gsize n, const GstGlesCpuCompacted *out)
{
  Work work = { FLAGS, flags, input, .values = out->values, .indices = out->indices,
    .capacity = out->capacity };

  return compact (&work, n);
}

guint64
gst_gles_cpu_unique (guint key_words, const guint32 *keys, gsize n, guint32 *output, gsize capacity)
{
  Work work = {
    .test = key_words == 1 ? RUNS : RUNS_WIDE, .input = keys, .values = output, .capacity = capacity
  };

  return compact (&work, n);
}
