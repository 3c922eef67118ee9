/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The largest or smallest values: their threshold is found digit by digit from counts, the keys on
 * its wanted side are collected in input order, and only these are sorted. Where few of many are
 * wanted, each thread makes a short list of its values first, in one pass. */
#include <gst/gles/cpu/top-k/top-k.h>

#include <string.h>

#include <gst/gles/core/checked.h>
#include <gst/gles/cpu/lib/chunks.h>
#include <gst/gles/cpu/lib/newer.h>
#include <gst/gles/cpu/sort/sort.h>
#include <gst/gles/cpu/lib/vector.h>

#define DIGIT_BITS 11
#define N_DIGITS (1u << DIGIT_BITS)

/* Short lists are made for at most so many wanted values. */
#define MAX_SHORT_K 4096
/* A thread needs so many values for each entry of its list: otherwise lists save nothing. */
#define VALUES_PER_ENTRY 4
/* Entries beyond those that are wanted, so that a list is seldom shortened. */
#define SHORT_ROOM 2048
#define SHORT_ENTRIES(k) (2 * (k) + SHORT_ROOM)

/* Keys are flipped for the largest values, so that the wanted keys are the smallest. */
typedef struct {
  GstGlesValueType type;
  guint32 flip;
  const guint32 *words;
  const guint32 *indices; /* of the words; NULL: their places */
  GstGlesCpuChunks chunks;
  guint n_tables; /* of digits: participants */
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
  memset (work->digits, 0, work->n_tables * N_DIGITS * sizeof (gsize));
  gst_gles_cpu_parallel (work->chunks.count, count_digits, work);
  for (guint digit = 0;; digit++) {
    gsize count = 0;

    for (guint i = 0; i < work->n_tables; i++)
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
    work->places[at++] = work->indices != NULL ? work->indices[i] : (guint32) i;
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

/* ---- short lists ---- */

/* What a thread has found: those of the best k of its values that it knows, and values that may
 * be among them, in input order. */
typedef struct {
  guint32 *words, *indices; /* SHORT_ENTRIES() each */
  gsize n;
  guint32 most; /* the greatest key that can be among the best */
} ShortList;

typedef struct {
  Work work; /* all values, in one chunk per thread */
  gsize k;
  gsize *digits; /* a table per list */
  ShortList lists[GST_GLES_CPU_MAX_CHUNKS];
} Shortening;

/* Keeps the best k of @list, in input order. */
static void
shorten (const Shortening *all, ShortList *list, gsize *digits)
{
  Work work = { .type = all->work.type,
    .flip = all->work.flip,
    .words = list->words,
    .indices = list->indices,
    .chunks = { list->n, list->n, 1 },
    .n_tables = 1,
    .digits = digits,
    .taken = list->words, /* no value moves up */
    .places = list->indices };

  find_threshold (&work, all->k);
  gather (&work);
  list->n = all->k;
  /* Later values of the same key come behind those that are kept. */
  list->most = work.low + work.span - 1;
}

/* Converts words to keys, in the order of signed integers. @type is a constant. */
G_ALWAYS_INLINE static inline GstGlesI32x4
signed_keys (GstGlesValueType type, guint32 flip, GstGlesU32x4 words)
{
  const guint32 sign = type == GST_GLES_VALUE_U32 ? 0x80000000u : 0;

  if (type == GST_GLES_VALUE_F32)
    words ^= (GstGlesU32x4) ((GstGlesI32x4) words >> 31) & 0x7fffffffu;
  return (GstGlesI32x4) (words ^ (flip ^ sign));
}

/* Whether one of 16 values belongs to the list. */
G_ALWAYS_INLINE static inline gboolean
any_of_16 (GstGlesValueType type, guint32 flip, const guint32 *words, gint32 most)
{
  GstGlesI32x4 found = { 0 };

  for (guint i = 0; i < 16; i += 4)
    found |= signed_keys (type, flip, gst_gles_u32x4_load (words + i)) <= most;
  return (found[0] | found[1] | found[2] | found[3]) != 0;
}

G_ALWAYS_INLINE static inline void
list_range_as (GstGlesValueType type, const Shortening *all, GstGlesCpuRange range, ShortList *list,
    gsize *digits)
{
  const Work *work = &all->work;

  for (gsize i = range.first; i < range.end; i += 16) {
    const gsize end = MIN (i + 16, range.end);

    if (end == i + 16 &&
        !any_of_16 (type, work->flip, work->words + i, (gint32) (list->most ^ 0x80000000u)))
      continue;
    for (gsize j = i; j < end; j++) {
      if (key_at (work, type, j) <= list->most) {
        list->words[list->n] = work->words[j];
        list->indices[list->n++] = (guint32) j;
      }
    }
    if (list->n + 16 <= SHORT_ENTRIES (all->k))
      continue;
    shorten (all, list, digits);
    if (list->most == G_MAXUINT32) /* the best key of all */
      return;
  }
}

G_ALWAYS_INLINE static inline void
list_range (const Shortening *all, GstGlesCpuRange range, ShortList *list, gsize *digits)
{
  GST_GLES_CPU_WITH_TYPE (all->work.type, list_range_as, all, range, list, digits);
}

GST_GLES_CPU_NEWER static void
list_range_newer (const Shortening *all, GstGlesCpuRange range, ShortList *list, gsize *digits)
{
  list_range (all, range, list, digits);
}

static void
list_chunk (guint task, guint participant, gpointer user_data)
{
  Shortening *all = user_data;
  const GstGlesCpuRange range = gst_gles_cpu_chunk (&all->work.chunks, task);
  gsize *digits = all->digits + task * N_DIGITS;

  if (gst_gles_cpu_is_newer ())
    list_range_newer (all, range, &all->lists[task], digits);
  else
    list_range (all, range, &all->lists[task], digits);
}

static gsize
n_lists (void)
{
  return MIN (gst_gles_cpu_n_threads (), GST_GLES_CPU_MAX_CHUNKS);
}

/* Words for the lists of all threads. */
static gsize
short_words (gsize k)
{
  return k <= MAX_SHORT_K ? n_lists () * 2 * SHORT_ENTRIES (k) : 0;
}

/* Replaces the values of @work by those of short lists in @memory, if that saves time. */
static void
make_short_lists (Work *work, gsize n, gsize k, guint32 *memory)
{
  const gsize room = SHORT_ENTRIES (k), all_room = n_lists () * room;
  Shortening all = { .work = *work, .k = k, .digits = work->digits };
  gsize at = 0;

  if (k > MAX_SHORT_K || n / VALUES_PER_ENTRY < all_room)
    return;
  all.work.chunks = (GstGlesCpuChunks){ n, n / n_lists () + 1, n_lists () };
  for (guint i = 0; i < n_lists (); i++)
    all.lists[i] = (ShortList){ memory + i * room, memory + all_room + i * room, 0, G_MAXUINT32 };
  gst_gles_cpu_parallel (all.work.chunks.count, list_chunk, &all);
  for (guint i = 0; i < n_lists (); i++) {
    const ShortList *list = &all.lists[i];

    memmove (memory + at, list->words, list->n * sizeof (guint32));
    memmove (memory + all_room + at, list->indices, list->n * sizeof (guint32));
    at += list->n;
  }
  work->words = memory;
  work->indices = memory + all_room;
  work->chunks = (GstGlesCpuChunks){ at, at, 1 };
  work->n_tables = 1;
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
  return sort != 0
      ? digits + gst_gles_align_up ((2 * k + short_words (k)) * sizeof (guint32), 8) + sort
      : 0;
}

void
gst_gles_cpu_top_k (const GstGlesCpuTopK *top, const guint32 *keys, gsize n, gpointer scratch)
{
  const GstGlesCpuSortConfig config = gst_gles_cpu_sort_config (top->type, top->largest);
  const gsize k = top->k;
  gsize *digits = scratch;
  guint32 *taken = (guint32 *) (digits + gst_gles_cpu_n_threads () * N_DIGITS);
  guint8 *sort_scratch =
      (guint8 *) taken + gst_gles_align_up ((2 * k + short_words (k)) * sizeof (guint32), 8);
  guint32 *top_keys = top->keys != NULL ? top->keys : taken;
  guint32 *top_indices = top->indices != NULL ? top->indices : taken + k;
  Work work;

  if (k >= n) {
    gst_gles_cpu_sort (
        &config, &(GstGlesCpuSortBuffers){ keys, NULL, top_keys, top_indices }, n, sort_scratch);
    return;
  }
  if (k == 0)
    return;
  work.type = top->type;
  work.flip = top->largest ? G_MAXUINT32 : 0;
  work.words = keys;
  work.indices = NULL;
  work.n_tables = gst_gles_cpu_n_threads ();
  work.chunks = gst_gles_cpu_chunks (n, GST_GLES_CPU_MIN_CHUNK, 16);
  work.digits = digits;
  work.taken = taken;
  work.places = taken + k;
  make_short_lists (&work, n, k, taken + 2 * k);
  find_threshold (&work, k);
  gather (&work);
  gst_gles_cpu_sort (&config,
      &(GstGlesCpuSortBuffers){ work.taken, work.places, top_keys, top_indices }, k, sort_scratch);
}
