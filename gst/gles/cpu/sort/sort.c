/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A stable radix sort. Keys are split by their most significant digit that varies, in parallel,
 * until all keys with one digit fit a cache; there they are sorted from the least significant
 * digit on. Memory outside the caches is thus written once or twice instead of once per digit, and
 * digits that all keys share cost nothing. Groups that are still large, because the keys are
 * unevenly distributed, are split again in parallel.
 *
 * Keys are unsigned integers in ascending order, in elements together with their payload: two
 * streams of writes would cost more than one of twice the width. */
#include <gst/gles/cpu/sort/sort.h>

#include <string.h>

#include <gst/gles/cpu/lib/arena.h>
#include <gst/gles/cpu/lib/chunks.h>
#include <gst/gles/cpu/sort/sort-private.h>

/* The size of a leaf, which a thread sorts on its own with two temporary arrays of this size. Most
 * of both fits the second-level cache. They also serve as a combiner. */
#define LEAF_BYTES (256 * 1024)

G_STATIC_ASSERT (2 * LEAF_BYTES >= sizeof (GstGlesCpuCombiner));

/* Larger targets are written in whole lines, past the caches. */
#define COMBINE_BYTES (2 * 1024 * 1024)

/* Elements that are converted at a time between the caller's arrays and elements. */
#define TILE 512

/* log2 of the elements that a split leaves in a group on average: enough to be worth counting. */
#define GROUP_BITS 12

typedef struct {
  const GstGlesCpuElements *elements;
  const GstGlesCpuElements *keys_only;
  GstGlesCpuSortArrays caller;
  guint64 window;     /* the bits of keys that are sorted by */
  gboolean by_groups; /* leaves are sorted by sort-groups.c */
  gsize leaf;         /* elements per leaf */
  gsize serial_limit; /* larger groups are split in parallel */
  guint8 *arrays[2];  /* n elements each */
  guint8 *temps;      /* two leaves per participant, or its combiner */
  gsize *tables;      /* one word per chunk and digit */
} Sort;

/* A range of elements in one of the two arrays, or still in the input. */
typedef struct {
  const Sort *sort;
  gint array; /* INPUT, 0, 1 */
  gsize first;
  gsize n;
  guint64 window; /* bits in which they may differ */
} Group;

#define INPUT (-1)

static guint8 *
group_elements (const Group *group, guint array)
{
  return group->sort->arrays[array] + group->first * group->sort->elements->size;
}

/* ---- one thread ---- */

static guint
digit_bits (gsize n, guint most)
{
  guint log2_n = 63 - (guint) __builtin_clzll (n);

  return CLAMP (log2_n, GROUP_BITS + 4, GROUP_BITS + most) - GROUP_BITS;
}

/* Returns the most significant digit of @bits for @n elements. */
static GstGlesCpuDigit
highest_digit (guint64 bits, gsize n, guint most)
{
  guint low = (guint) __builtin_ctzll (bits), end = 64 - (guint) __builtin_clzll (bits);
  guint width = MIN (digit_bits (n, most), end - low);

  return (GstGlesCpuDigit){ end - width, (1u << width) - 1 };
}

static guint8 *
participant_temps (const Sort *sort, guint participant)
{
  return sort->temps + participant * 2 * sort->leaf * sort->elements->size;
}

/* @temps: two arrays as large as the largest leaf. */
static void
sort_leaf (const Group *group, gpointer from, guint8 *temps)
{
  const Sort *sort = group->sort;
  const GstGlesCpuElements *elements = sort->elements;
  gpointer both[2] = { temps, temps + sort->leaf * elements->size };

  if (group->n == 0)
    return;
  if (sort->by_groups) {
    GstGlesCpuKeyBits bits = { 0, 0 };

    elements->look (from, group->n, &bits);
    gst_gles_cpu_sort_groups (&sort->caller, from, group->first, group->n,
        bits.set & bits.clear & group->window, both[0]);
  } else {
    gst_gles_cpu_sort_store (&sort->caller, group->first, group->n,
        elements->leaf (from, group->n, group->window, both));
  }
}

static void
sort_serial (const Group *group, guint participant)
{
  const Sort *sort = group->sort;
  const GstGlesCpuElements *elements = sort->elements;
  guint8 *from = group_elements (group, (guint) group->array);
  GstGlesCpuKeyBits key_bits = { 0, 0 };
  guint64 bits;
  GstGlesCpuDigit digit;
  gsize places[1 << GST_GLES_CPU_LEAF_DIGIT_BITS] = { 0 }, begin = 0;

  if (group->n <= sort->leaf) {
    sort_leaf (group, from, participant_temps (sort, participant));
    return;
  }
  elements->look (from, group->n, &key_bits);
  bits = key_bits.set & key_bits.clear & group->window;
  if (bits == 0) {
    gst_gles_cpu_sort_store (&sort->caller, group->first, group->n, from);
    return;
  }
  digit = highest_digit (bits, group->n, GST_GLES_CPU_LEAF_DIGIT_BITS);
  elements->count (from, group->n, digit, places);
  for (guint d = 0; d <= digit.mask; d++) {
    gsize count = places[d];

    places[d] = begin;
    begin += count;
  }
  elements->scatter (from, group->n, digit, places, group_elements (group, (guint) !group->array));
  begin = 0;
  for (guint d = 0; d <= digit.mask; d++) {
    Group part = { sort, !group->array, group->first + begin, places[d] - begin,
      bits & (((guint64) 1 << digit.shift) - 1) };

    sort_serial (&part, participant);
    begin = places[d];
  }
}

/* ---- all threads ---- */

/* A split of a group into the other array, by a digit. */
typedef struct {
  Group group;
  GstGlesCpuChunks chunks;
  GstGlesCpuKeyBits bits[GST_GLES_CPU_MAX_CHUNKS];
  GstGlesCpuDigit digit;
  gsize ends[1 << GST_GLES_CPU_DIGIT_BITS]; /* end of each part, in the array */
  guint64 part_window;
} Split;

/* One word per digit: counts, then the position of the chunk's next element. */
static gsize *
split_table (const Split *split, guint chunk)
{
  return split->group.sort->tables + (gsize) chunk * (split->digit.mask + 1);
}

/* Reads a chunk of a group, as elements or, from the input, as their keys. */
typedef struct {
  const Group *group;
  gboolean keys_only;
  const GstGlesCpuElements *funcs; /* of the type of `elements` */
  GstGlesCpuRange left;            /* in the group */
  gconstpointer elements;          /* those that were read last */
  gsize n;
  guint64 tile[TILE * sizeof (GstGlesCpuWideElement) / sizeof (guint64)];
} Reader;

static void
reader_init (Reader *reader, const Split *split, guint chunk, gboolean keys_only)
{
  const Sort *sort = split->group.sort;

  reader->group = &split->group;
  reader->keys_only = keys_only && split->group.array == INPUT;
  reader->funcs = reader->keys_only ? sort->keys_only : sort->elements;
  reader->left = gst_gles_cpu_chunk (&split->chunks, chunk);
}

/* Reads the next elements of the chunk. Returns FALSE at its end. */
static gboolean
reader_next (Reader *reader)
{
  const Group *group = reader->group;
  const Sort *sort = group->sort;
  gsize next = reader->left.first;

  reader->n = MIN (reader->left.end - next, group->array == INPUT ? TILE : G_MAXSIZE);
  reader->left.first += reader->n;
  reader->elements = reader->tile;
  if (group->array != INPUT)
    reader->elements = group_elements (group, (guint) group->array) + next * sort->elements->size;
  else if (reader->keys_only)
    gst_gles_cpu_sort_load_keys (&sort->caller, group->first + next, reader->n, reader->tile);
  else
    gst_gles_cpu_sort_load (&sort->caller, group->first + next, reader->n, reader->tile);
  return reader->n > 0;
}

static void
look_at_chunk (guint task, guint participant, gpointer user_data)
{
  Split *split = user_data;
  Reader reader;

  reader_init (&reader, split, task, TRUE);
  split->bits[task] = (GstGlesCpuKeyBits){ 0, 0 };
  while (reader_next (&reader))
    reader.funcs->look (reader.elements, reader.n, &split->bits[task]);
}

static void
store_chunk (guint task, guint participant, gpointer user_data)
{
  Split *split = user_data;
  Reader reader;

  reader_init (&reader, split, task, FALSE);
  while (reader_next (&reader))
    gst_gles_cpu_sort_store (&split->group.sort->caller,
        split->group.first + reader.left.first - reader.n, reader.n, reader.elements);
}

static void
count_chunk (guint task, guint participant, gpointer user_data)
{
  Split *split = user_data;
  gsize *counts = split_table (split, task);
  Reader reader;

  memset (counts, 0, (split->digit.mask + 1) * sizeof counts[0]);
  reader_init (&reader, split, task, TRUE);
  while (reader_next (&reader))
    reader.funcs->count (reader.elements, reader.n, split->digit, counts);
}

static void
scatter_chunk (guint task, guint participant, gpointer user_data)
{
  Split *split = user_data;
  const Sort *sort = split->group.sort;
  const GstGlesCpuElements *funcs = sort->elements;
  gsize *places = split_table (split, task);
  gpointer to = sort->arrays[split->group.array == 0];
  /* No leaf is being sorted at this time. */
  GstGlesCpuCombiner *combiner = (gpointer) participant_temps (sort, participant);
  gboolean combine = split->group.n * funcs->size >= COMBINE_BYTES;
  Reader reader;

  reader_init (&reader, split, task, FALSE);
  if (combine)
    funcs->combine_begin (combiner, split->digit, places);
  while (reader_next (&reader)) {
    if (combine)
      funcs->combine_scatter (combiner, reader.elements, reader.n, split->digit, places, to);
    else
      funcs->scatter (reader.elements, reader.n, split->digit, places, to);
  }
  if (combine)
    funcs->combine_end (combiner, split->digit, places, to);
}

/* Replaces the counts of each chunk and digit by positions in the array: digits in order, and
 * chunks in order within each digit. */
static void
counts_to_places (Split *split)
{
  gsize sum = split->group.first;

  for (guint d = 0; d <= split->digit.mask; d++) {
    for (guint chunk = 0; chunk < split->chunks.count; chunk++) {
      gsize *at = split_table (split, chunk) + d, count = *at;

      *at = sum;
      sum += count;
    }
    split->ends[d] = sum;
  }
}

/* Returns the elements with digit @digit, in the other array. */
static Group
split_part (const Split *split, guint digit)
{
  gsize begin = digit > 0 ? split->ends[digit - 1] : split->group.first;

  return (Group){ split->group.sort, split->group.array == 0, begin, split->ends[digit] - begin,
    split->part_window };
}

static void
sort_small_part (guint task, guint participant, gpointer user_data)
{
  Group part = split_part (user_data, task);

  if (part.n <= part.sort->serial_limit)
    sort_serial (&part, participant);
}

static void
sort_parallel (const Group *group)
{
  const Sort *sort = group->sort;
  guint64 set = 0, clear = 0, varying;
  /* About 20 KiB of stack. Calls nest at most 16 deep, because a digit of so many elements has at
   * least 4 bits. */
  Split local, *split = &local;

  split->group = *group;
  split->chunks = gst_gles_cpu_chunks (group->n, GST_GLES_CPU_MIN_CHUNK, 1);
  gst_gles_cpu_parallel (split->chunks.count, look_at_chunk, split);
  for (guint i = 0; i < split->chunks.count; i++) {
    set |= split->bits[i].set;
    clear |= split->bits[i].clear;
  }
  varying = set & clear & group->window;
  if (varying == 0) {
    gst_gles_cpu_parallel (split->chunks.count, store_chunk, split);
    return;
  }
  split->digit = highest_digit (varying, group->n, GST_GLES_CPU_DIGIT_BITS);
  split->part_window = varying & (((guint64) 1 << split->digit.shift) - 1);
  gst_gles_cpu_parallel (split->chunks.count, count_chunk, split);
  counts_to_places (split);
  gst_gles_cpu_parallel (split->chunks.count, scatter_chunk, split);
  gst_gles_cpu_parallel (split->digit.mask + 1, sort_small_part, split);
  for (guint d = 0; d <= split->digit.mask; d++) {
    Group part = split_part (split, d);

    if (part.n > sort->serial_limit)
      sort_parallel (&part);
  }
}

/* ---- public functions ---- */

static const GstGlesCpuElements *
choose_elements (GstGlesValueType type, gboolean with_payload)
{
  if (type == GST_GLES_VALUE_U64)
    return with_payload ? &gst_gles_cpu_elements_128 : &gst_gles_cpu_elements_64;
  return with_payload ? &gst_gles_cpu_elements_64 : &gst_gles_cpu_elements_32;
}

/* Takes the arrays of @sort, whose elements are set. */
static void
lay_out (Sort *sort, GstGlesCpuArena *arena, gsize n)
{
  guint n_threads = gst_gles_cpu_n_threads ();
  guint n_chunks = MIN (n_threads * GST_GLES_CPU_CHUNKS_PER_THREAD, GST_GLES_CPU_MAX_CHUNKS);
  gsize size = sort->elements->size;

  sort->leaf = MIN (LEAF_BYTES / size, n);
  if (n <= sort->leaf) {
    sort->temps = gst_gles_cpu_arena_take (arena, 2 * n, size);
    return;
  }
  sort->arrays[0] = gst_gles_cpu_arena_take (arena, n, size);
  sort->arrays[1] = gst_gles_cpu_arena_take (arena, n, size);
  sort->temps = gst_gles_cpu_arena_take (arena, n_threads * 2 * sort->leaf, size);
  sort->tables = gst_gles_cpu_arena_take (
      arena, n_chunks, sizeof (gsize) << digit_bits (n, GST_GLES_CPU_DIGIT_BITS));
  /* So callers can add to the size. No memory can hold arrays of an eighth of the address space. */
  if (n > G_MAXSIZE / 8 / size)
    arena->size = G_MAXSIZE;
}

gsize
gst_gles_cpu_sort_scratch_bytes (const GstGlesCpuSortConfig *config, gsize n, gboolean with_payload)
{
  Sort sort = { .elements = choose_elements (config->type, with_payload) };
  GstGlesCpuArena arena = { NULL, 0 };

  lay_out (&sort, &arena, n);
  return arena.size == G_MAXSIZE ? 0 : arena.size + 64;
}

static void
set_order (Sort *sort, const GstGlesCpuSortConfig *config)
{
  guint64 below_end = config->end_bit < 64 ? ((guint64) 1 << config->end_bit) - 1 : G_MAXUINT64;

  if (config->type == GST_GLES_VALUE_I32 || config->type == GST_GLES_VALUE_F32)
    sort->caller.flip = 0x80000000u;
  if (config->type == GST_GLES_VALUE_F32)
    sort->caller.sign_mask = 0x7fffffffu;
  if (config->descending)
    sort->caller.flip = ~sort->caller.flip;
  if (config->begin_bit < config->end_bit)
    sort->window = below_end >> config->begin_bit << config->begin_bit;
  sort->by_groups = sort->elements == &gst_gles_cpu_elements_32 && sort->window == G_MAXUINT32 &&
      gst_gles_cpu_sort_groups_available ();
}

void
gst_gles_cpu_sort (const GstGlesCpuSortConfig *config, const GstGlesCpuSortBuffers *buffers,
    gsize n, gpointer scratch)
{
  GstGlesCpuArena arena = { scratch, -(gsize) scratch & 63 };
  Sort sort = { .elements = choose_elements (config->type, buffers->payload_out != NULL),
    .keys_only = choose_elements (config->type, FALSE),
    .caller = { .words = gst_gles_cpu_type_words (config->type),
        .keys_in = buffers->keys_in,
        .payload_in = buffers->payload_in,
        .keys_out = buffers->keys_out,
        .payload_out = buffers->payload_out } };
  Group all = { .sort = &sort, .array = INPUT, .n = n };
  guint n_threads = gst_gles_cpu_n_threads ();

  lay_out (&sort, &arena, n);
  if (n == 0 || arena.size == G_MAXSIZE)
    return;
  set_order (&sort, config);
  all.window = sort.window;
  if (n <= sort.leaf) {
    guint8 *from = sort.temps + n * sort.elements->size;

    gst_gles_cpu_sort_load (&sort.caller, 0, n, from);
    sort_leaf (&all, from, sort.temps);
    return;
  }
  sort.serial_limit = n_threads == 1 ? G_MAXSIZE : MAX (n / (4 * n_threads), 65536);
  sort_parallel (&all);
}
