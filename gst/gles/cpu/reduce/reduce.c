/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Each chunk is reduced to one value, and these to the result. Sums of f32 are in reduce-f32.c. */
#include <gst/gles/cpu/reduce/reduce-parts.h>
#include <gst/gles/cpu/reduce/reduce.h>

#include <gst/gles/cpu/lib/chunks.h>
#include <gst/gles/cpu/lib/vector.h>

typedef struct {
  const guint32 *values;
  GstGlesCpuChunks chunks;
  GstGlesValueType type;
  guint32 flip; /* the minimum is the maximum of keys XORed with ~0 */
  gboolean sum; /* or else the maximum */
  guint64 results[GST_GLES_CPU_MAX_CHUNKS];
} Work;

/* ---- sums ---- */

/* Four independent sums, so that an addition does not wait for the one before. */
G_ALWAYS_INLINE static inline guint64
sum_values_as (const guint32 *values, gsize n, gboolean is_signed)
{
  guint64 sums[4] = { 0, 0, 0, 0 };
  gsize i = 0;

  for (; i + 4 <= n; i += 4) {
    for (guint j = 0; j < 4; j++)
      sums[j] += is_signed ? (guint64) (gint32) values[i + j] : values[i + j];
  }
  for (; i < n; i++)
    sums[0] += is_signed ? (guint64) (gint32) values[i] : values[i];
  return sums[0] + sums[1] + sums[2] + sums[3];
}

guint64
gst_gles_cpu_sum_values (const guint32 *values, gsize n, gboolean is_signed)
{
  return is_signed ? sum_values_as (values, n, TRUE) : sum_values_as (values, n, FALSE);
}

/* ---- minimum and maximum ---- */

/* Converts four words to keys with their sign bit inverted, for signed comparisons, which every
 * processor has for vectors. */
G_ALWAYS_INLINE static inline GstGlesI32x4
signed_keys (GstGlesValueType type, guint32 flip, const guint32 *words)
{
  GstGlesI32x4 v = (GstGlesI32x4) gst_gles_u32x4_load (words);

  if (type == GST_GLES_VALUE_F32)
    v ^= (v >> 31) & 0x7fffffff;
  else if (type == GST_GLES_VALUE_U32)
    v ^= G_MININT32;
  return v ^ (gint32) flip;
}

G_ALWAYS_INLINE static inline GstGlesI32x4
larger (GstGlesI32x4 a, GstGlesI32x4 b)
{
  GstGlesU32x4 mask = (GstGlesU32x4) (a > b);

  return (GstGlesI32x4) gst_gles_u32x4_select (mask, (GstGlesU32x4) a, (GstGlesU32x4) b);
}

G_ALWAYS_INLINE static inline guint32
max_key_of (GstGlesValueType type, guint32 flip, const guint32 *values, gsize n)
{
  GstGlesI32x4 a = { G_MININT32, G_MININT32, G_MININT32, G_MININT32 }, b = a;
  guint32 max = 0;
  gsize i = 0;

  for (; i + 8 <= n; i += 8) {
    a = larger (a, signed_keys (type, flip, values + i));
    b = larger (b, signed_keys (type, flip, values + i + 4));
  }
  a = larger (a, b);
  for (guint j = 0; j < 4; j++)
    max = MAX (max, (guint32) a[j] ^ 0x80000000u);
  for (; i < n; i++)
    max = MAX (max, gst_gles_cpu_to_key (type, values[i]) ^ flip);
  return max;
}

guint32
gst_gles_cpu_max_key (GstGlesValueType type, guint32 flip, const guint32 *values, gsize n)
{
  return GST_GLES_CPU_WITH_TYPE (type, max_key_of, flip, values, n);
}

/* ---- all threads ---- */

static void
reduce_chunk (guint task, guint participant, gpointer user_data)
{
  Work *work = user_data;
  GstGlesCpuRange range = gst_gles_cpu_chunk (&work->chunks, task);
  const guint32 *values = work->values + range.first;
  gsize n = range.end - range.first;

  work->results[task] = work->sum
      ? gst_gles_cpu_sum_values (values, n, work->type == GST_GLES_VALUE_I32)
      : gst_gles_cpu_max_key (work->type, work->flip, values, n);
}

static void
reduce_chunks (Work *work, gsize n)
{
  work->chunks = gst_gles_cpu_chunks (n, GST_GLES_CPU_MIN_CHUNK, 16);
  gst_gles_cpu_parallel (work->chunks.count, reduce_chunk, work);
}

static guint64
reduce_sum (GstGlesValueType type, const guint32 *values, gsize n)
{
  Work work = { .values = values, .type = type, .sum = TRUE };

  reduce_chunks (&work, n);
  return gst_gles_cpu_sum_counts (work.results, work.chunks.count);
}

guint64
gst_gles_cpu_reduce_sum (const guint32 *values, gsize n)
{
  return reduce_sum (GST_GLES_VALUE_U32, values, n);
}

gint64
gst_gles_cpu_reduce_sum_i32 (const guint32 *values, gsize n)
{
  return (gint64) reduce_sum (GST_GLES_VALUE_I32, values, n);
}

static guint32
reduce_max (GstGlesValueType type, guint32 flip, const guint32 *values, gsize n)
{
  Work work = { .values = values, .type = type, .flip = flip };
  guint32 max = 0;

  reduce_chunks (&work, n);
  for (guint i = 0; i < work.chunks.count; i++)
    max = MAX (max, (guint32) work.results[i]);
  return gst_gles_cpu_from_key (type, max ^ flip);
}

guint32
gst_gles_cpu_reduce_min (GstGlesValueType type, const guint32 *values, gsize n)
{
  return reduce_max (type, G_MAXUINT32, values, n);
}

guint32
gst_gles_cpu_reduce_max (GstGlesValueType type, const guint32 *values, gsize n)
{
  return reduce_max (type, 0, values, n);
}
