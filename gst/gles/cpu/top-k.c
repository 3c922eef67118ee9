/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The largest or smallest values: their threshold is found digit by digit from counts, the keys on
 * its wanted side are collected in input order, and only these are sorted. */
#include <gst/gles/cpu/top-k.h>

#include <string.h>

#include <gst/gles/core/checked.h>
#include <gst/gles/cpu/chunks.h>
#include <gst/gles/cpu/sort.h>

#define DIGIT_BITS 11
#define N_DIGITS (1u << DIGIT_BITS)

/* Keys are flipped for the largest values, so that the wanted keys are the smallest. */
typedef struct {
  GstGlesValueType type;
  guint32 flip;
  const guint32 *words;
  GstGlesCpuChunks chunks;
  /* The wanted keys: all below `low`, and the first `quota` of those from `low` to `low` +
   * `span`. */
  guint32 low, span;
  gsize quota;
  guint shift;    /* first bit of the digit that is counted next */
  gsize *digits;  /* N_DIGITS per participant */
  guint32 *taken; /* words, and their indices */
  guint32 *places;
  /* per chunk: the number of keys below, and in the span; then their output positions, and the
   * quota */
  gsize n_below[GST_GLES_CPU_MAX_CHUNKS];
  gsize n_span[GST_GLES_CPU_MAX_CHUNKS];
} Work;

static inline guint32
key_at (const Work *work, GstGlesValueType type, gsize i)
{
  return gst_gles_cpu_to_key (type, work->words[i]) ^ work->flip;
}

/* ---- the threshold ---- */

/* @type is a constant in each inlined copy. */
G_ALWAYS_INLINE static inline void
count_digits_as (GstGlesValueType type, const Work *work, GstGlesCpuRange range, gsize *digits)
{
  guint32 low = work->low, span = work->span;

  for (gsize i = range.first; i < range.end; i++) {
    guint32 above = key_at (work, type, i) - low;

    if (above <= span)
      digits[above >> work->shift]++;
  }
}

static void
count_digits (guint task, guint participant, gpointer user_data)
{
  Work *work = user_data;
  GstGlesCpuRange range = gst_gles_cpu_chunk (&work->chunks, task);
  gsize *digits = work->digits + participant * N_DIGITS;

  GST_GLES_CPU_WITH_TYPE (work->type, count_digits_as, work, range, digits);
}

/* Narrows the span to the digit of the last key of the quota. Returns whether the quota takes the
 * whole span, so that no further digit is needed. */
static gboolean
narrow (Work *work)
{
  guint n_threads = gst_gles_cpu_n_threads ();

  memset (work->digits, 0, n_threads * N_DIGITS * sizeof (gsize));
  gst_gles_cpu_parallel (work->chunks.count, count_digits, work);
  for (guint digit = 0;; digit++) {
    gsize count = 0;

    for (guint i = 0; i < n_threads; i++)
      count += work->digits[i * N_DIGITS + digit];
    if (count >= work->quota) {
      work->low += digit << work->shift;
      work->span = (1u << work->shift) - 1;
      return count == work->quota;
    }
    work->quota -= count;
  }
}

static void
find_threshold (Work *work, gsize k)
{
  work->low = 0;
  work->span = G_MAXUINT32;
  work->quota = k;
  for (work->shift = 32 - DIGIT_BITS; !narrow (work) && work->shift > 0;
       work->shift -= MIN (work->shift, DIGIT_BITS))
    ;
}

/* ---- gathering ---- */

static void
count_chunk (guint task, guint participant, gpointer user_data)
{
  Work *work = user_data;
  GstGlesCpuRange range = gst_gles_cpu_chunk (&work->chunks, task);
  gsize n_below = 0, n_span = 0;

  for (gsize i = range.first; i < range.end; i++) {
    guint32 key = key_at (work, work->type, i);

    n_below += key < work->low;
    n_span += key - work->low <= work->span;
  }
  work->n_below[task] = n_below;
  work->n_span[task] = n_span;
}

static void
gather_chunk (guint task, guint participant, gpointer user_data)
{
  const Work *work = user_data;
  GstGlesCpuRange range = gst_gles_cpu_chunk (&work->chunks, task);
  gsize at = work->n_below[task], quota = work->n_span[task];
  guint32 last = work->low + work->span;

  for (gsize i = range.first; i < range.end; i++) {
    guint32 key = key_at (work, work->type, i);

    if (key > last)
      continue;
    if (key >= work->low) {
      if (quota == 0)
        continue;
      quota--;
    }
    work->taken[at] = work->words[i];
    work->places[at++] = (guint32) i;
  }
}

static void
gather (Work *work)
{
  gsize at = 0, quota = work->quota;

  gst_gles_cpu_parallel (work->chunks.count, count_chunk, work);
  for (guint i = 0; i < work->chunks.count; i++) {
    gsize n_below = work->n_below[i];

    work->n_below[i] = at;
    work->n_span[i] = MIN (work->n_span[i], quota);
    quota -= work->n_span[i];
    at += n_below + work->n_span[i];
  }
  gst_gles_cpu_parallel (work->chunks.count, gather_chunk, work);
}

/* ---- public functions ---- */

gsize
gst_gles_cpu_top_k_scratch_bytes (gsize k)
{
  const GstGlesCpuSortConfig config = gst_gles_cpu_sort_config (GST_GLES_VALUE_U32, FALSE);
  gsize digits = gst_gles_cpu_n_threads () * N_DIGITS * sizeof (gsize);
  gsize sort = gst_gles_cpu_sort_scratch_bytes (&config, k, TRUE);

  /* The sums cannot overflow: the sort rejects arrays of more than an eighth of the address
   * space. */
  return sort != 0 ? digits + gst_gles_align_up (2 * k * sizeof (guint32), 8) + sort : 0;
}

void
gst_gles_cpu_top_k (GstGlesValueType type, gboolean largest, const guint32 *keys, gsize n, gsize k,
    guint32 *top_keys, guint32 *top_indices, gpointer scratch)
{
  const GstGlesCpuSortConfig config = gst_gles_cpu_sort_config (type, largest);
  gsize *digits = scratch;
  guint32 *taken = (guint32 *) (digits + gst_gles_cpu_n_threads () * N_DIGITS);
  guint8 *sort_scratch = (guint8 *) taken + gst_gles_align_up (2 * k * sizeof (guint32), 8);
  Work work;

  if (top_keys == NULL)
    top_keys = taken;
  if (top_indices == NULL)
    top_indices = taken + k;
  if (k >= n) {
    gst_gles_cpu_sort (&config, keys, NULL, top_keys, top_indices, n, sort_scratch);
    return;
  }
  if (k == 0)
    return;
  work.type = type;
  work.flip = largest ? G_MAXUINT32 : 0;
  work.words = keys;
  work.chunks = gst_gles_cpu_chunks (n, GST_GLES_CPU_MIN_CHUNK, 16);
  work.digits = digits;
  work.taken = taken;
  work.places = taken + k;
  find_threshold (&work, k);
  gather (&work);
  gst_gles_cpu_sort (&config, work.taken, work.places, top_keys, top_indices, k, sort_scratch);
}
