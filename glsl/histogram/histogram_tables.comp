// SPDX-License-Identifier: LGPL-2.1-or-later
/* Counts the keys of an array into more bins than shared memory has 16-bit counters for. Every
 * key is read once; wider counters would take one pass over the keys per range of bins.
 *
 * A task is a contiguous range of keys with a private table of narrow counters, FIELDS to a
 * word. An overflowing counter carries into the next field of its word. The invocation detects
 * this from the value that atomicAdd() returns and records the carry; histogram_sum.comp
 * corrects the sums. docs/algorithms/histogram.md explains carries, carry slots, the
 * privatised bin and permuted bins, with drawings.
 *
 * Defines:
 *   BYTES, BINNING, RANGED, LOCAL_SIZE_X as in histogram_count.comp, but no keys of one byte
 *   FIELD_BITS    bits of a counter, 3 or 5: 8 equal keys carry at most once
 * Bindings: uniform 0: the pass; storage 0: the keys; storage 1: the carries, zero before the
 *   dispatch, then the number of tables, which is written; storage 2: the plan's state; storage
 *   3: the tables
 * Grid: x * y workgroups, any number. */
#include "histogram/histogram_keys.glsl"
#include "histogram/histogram_fields.glsl"
#include "lib/barrier.glsl"

layout (std430, binding = 1) buffer Carries
{
  uint carries[];
};

layout (std430, binding = 3) writeonly buffer Tables
{
  uint tables[];
};

#define FIELD_MAX ((1u << FIELD_BITS) - 1u)
#define NO_BIN 0xffffffffu
/* A carry slot holds the number of its counter plus 1 in the high bits and that counter's
 * carries in the low SLOT_SHIFT bits. The carries fit: a task has fewer than
 * 2^(FIELD_BITS + 15) keys, and a carry takes 2^FIELD_BITS of them. A slot whose high bits
 * are 0 is free; its low bits are then undefined. */
#define SLOTS (1u << GST_GLES_ARRAY_TABLE_SLOT_BITS)
#define SLOT_SHIFT 15
#define SLOT_COUNT ((1u << SLOT_SHIFT) - 1u)
/* Words after the table, one per bank, that count the privatised bin. */
#define PRIVATISED_WORDS 32u
/* A bin is privatised if at least 22 % of a sample of the task's keys fall into it. A rarer bin
 * costs less in contention than the comparison costs at each key. */
#define SAMPLES min (256u, uint (LOCAL_SIZE_X))
#define MIN_FREQUENT_SAMPLES (SAMPLES * 7u / 32u)

shared uint table[TABLE_WORDS + PRIVATISED_WORDS];
shared uint slots[SLOTS];
/* The most frequent permuted bin of the sample; its number of samples is in the high 15 bits. */
shared uint most_frequent;

/* The permuted privatised bin, NO_BIN if there is none, and the word of the table where this
 * invocation counts it. */
uint privatised_permuted = NO_BIN, privatised_position = 0u;

/* A bit for each key of the current batch whose counter wrapped. */
uint wrapped;

/* ---- carries ---- */

/* The carry slot of a counter: a multiplicative hash. Counters can share a slot. */
uint
carry_slot_of (uint permuted)
{
  return (permuted * 0x9e3779b1u) >> (32 - GST_GLES_ARRAY_TABLE_SLOT_BITS);
}

/* Records a carry out of a permuted bin's counter. The first counter to claim the slot keeps it for
 * the task; the others record in memory. */
void
record_carry (uint permuted)
{
  uint position = carry_slot_of (permuted), mine = (permuted + 1u) << SLOT_SHIFT;
  uint slot = slots[position];

  if (slot <= SLOT_COUNT) {
    uint was = atomicCompSwap (slots[position], slot, mine);

    slot = was == slot ? mine : was;
  }
  if ((slot ^ mine) <= SLOT_COUNT)
    atomicAdd (slots[position], 1u);
  else
    atomicAdd (carries[permuted], 1u);
}

/* Records the carries that follow a carry out of @permuted: the next field wraps too if it was
 * full, and so on. The chain ends at the highest field, whose carry enters no other counter. @old:
 * the word before the addition. */
void
record_carry_chain (uint permuted, uint old)
{
  uint above = old >> (field_of (permuted) * uint (FIELD_BITS)) >> FIELD_BITS;

  while ((above & FIELD_MAX) == FIELD_MAX) {
    permuted += BINS_PER_FIELD;
    record_carry (permuted);
    above >>= FIELD_BITS;
  }
}

/* ---- additions ---- */

/* Adds @n keys of one permuted bin, at most 2^FIELD_BITS, and returns the word as it was. Sets @bit
 * in wrapped if the counter overflowed. @privatised: the task has a privatised bin. The if around
 * plain assignments compiles to fewer instructions on NVIDIA than ?: does; an if around the
 * addition would become a branch. */
uint
add (uint permuted, uint n, uint bit, const bool privatised)
{
  uint field = field_of (permuted), at = word_of (permuted, field);
  uint shift = field * uint (FIELD_BITS), most = FIELD_MAX - n;

  if (privatised && permuted == privatised_permuted) {
    at = privatised_position;
    shift = 0u;
    most = FIELD_MAX;
  }
  uint old = atomicAdd (table[at], n << shift);

  if (int ((old >> shift) & FIELD_MAX) > int (most))
    wrapped |= bit;
  return old;
}

/* Adds one key per permuted bin, with bits from @first on. There is no branch between the
 * additions, so that they overlap. */
uvec4
add_four (uvec4 permuted, const uint first, const bool privatised)
{
  uvec4 olds;

  olds.x = add (permuted.x, 1u, 1u << first, privatised);
  olds.y = add (permuted.y, 1u, 2u << first, privatised);
  olds.z = add (permuted.z, 1u, 4u << first, privatised);
  olds.w = add (permuted.w, 1u, 8u << first, privatised);
  return olds;
}

/* Adds @n keys of a permuted bin while no other invocation adds, and records their carries. */
void
add_alone (uint permuted, uint n)
{
  uint field = field_of (permuted), at = word_of (permuted, field);

  for (; n != 0u && field < FIELDS; field++) {
    uint shift = field * uint (FIELD_BITS), sum = ((table[at] >> shift) & FIELD_MAX) + n;

    table[at] = (table[at] & ~(FIELD_MAX << shift)) | ((sum & FIELD_MAX) << shift);
    n = sum >> FIELD_BITS;
    if (n != 0u)
      atomicAdd (carries[permuted], n);
    permuted += BINS_PER_FIELD;
  }
}

/* The permuted bin of what bin_of_key() returned. Keys outside the range are counted like a bin. */
uint
permute_any (uint bin)
{
  return is_bin (bin) ? permute_bin (bin) : PERMUTED_NONE;
}

/* ---- keys ---- */

#define BIN(word, i) bin_of_key (((word) >> ((i) *KEY_BITS)) & (0xffffffffu >> (32u - KEY_BITS)))

/* The words of the table before the additions of a unit, for the lower and the upper key of each
 * word of the unit. */
struct Olds {
  uvec4 lower, upper;
};

/* The permuted bins of the lower keys of four words. */
uvec4
lower_permuted (uvec4 words)
{
#if BYTES == 2 && BINNING == 0 && !RANGED
  /* The key is the bin. Multiplying by the factor times 2^16 leaves the product of the lower key in
   * the high half of the word and drops the upper key. */
  uvec4 high = words * (GST_GLES_ARRAY_PERMUTE_FACTOR << 16);

  return (high >> 16) + (high >> (16 + GST_GLES_ARRAY_PERMUTE_SHIFT));
#else
  return uvec4 (permute_any (BIN (words.x, 0u)), permute_any (BIN (words.y, 0u)),
      permute_any (BIN (words.z, 0u)), permute_any (BIN (words.w, 0u)));
#endif
}

/* Adds the keys of a unit: the lower keys with the bits @first to @first + 3, the upper keys
 * with the next four. */
Olds
add_unit (uvec4 unit, const uint first, const bool privatised)
{
  Olds olds = Olds (uvec4 (0u), uvec4 (0u));

  /* Equal keys would contend for one word: add them at once. */
  if (((unit.x ^ unit.y) | (unit.x ^ unit.z) | (unit.x ^ unit.w)) == 0u) {
    uint lower = lower_permuted (unit).x;

#if BYTES == 2
    uint upper = lower_permuted (unit >> 16).x, n = lower == upper ? 8u : 4u;

    olds.lower.x = add (lower, n, 1u << first, privatised);
    if (lower != upper)
      olds.upper.x = add (upper, n, 0x10u << first, privatised);
#else
    olds.lower.x = add (lower, 4u, 1u << first, privatised);
#endif
  } else {
    olds.lower = add_four (lower_permuted (unit), first, privatised);
#if BYTES == 2
    olds.upper = add_four (lower_permuted (unit >> 16), first + 4u, privatised);
#endif
  }
  return olds;
}

/* The entry of sixteen whose bit is @first. */
uint
pick (uint first, uvec4 a, uvec4 b, uvec4 c, uvec4 d)
{
  if (first > 0xffu) {
    a = c;
    b = d;
  }
  if ((first & 0xf0f0u) != 0u)
    a = b;
  if ((first & 0xccccu) != 0u)
    a.xy = a.zw;
  return (first & 0xaaaau) != 0u ? a.y : a.x;
}

/* Records the carries of two units. Each invocation loops over its own wrapped counters, which are
 * few, instead of over all keys. */
void
record_batch (uvec4 unit, uvec4 next, Olds olds, Olds next_olds)
{
  while (wrapped != 0u) {
    uint first = wrapped & (0u - wrapped);
    uint word = pick (first, unit, unit, next, next);
    uint permuted = permute_any (BIN (word, (first & 0xf0f0u) != 0u ? 1u : 0u));

    record_carry (permuted);
    record_carry_chain (
        permuted, pick (first, olds.lower, olds.upper, next_olds.lower, next_olds.upper));
    wrapped ^= first;
  }
}

/* Counts the units from @begin to @end, two at a time, while the loads of the next two are in
 * flight. */
void
count_units (uint begin, uint end, const bool privatised)
{
  const uint step = uint (LOCAL_SIZE_X);
  uint i = begin + gl_LocalInvocationIndex, last = max (end, 1u) - 1u;
  uvec4 unit = keys[min (i, last)], next = keys[min (i + step, last)];
  Olds olds, next_olds;

  for (; i + step < end; i += 2u * step) {
    uvec4 third = keys[min (i + 2u * step, last)], fourth = keys[min (i + 3u * step, last)];

    wrapped = 0u;
    olds = add_unit (unit, 0u, privatised);
    next_olds = add_unit (next, 8u, privatised);
    if (wrapped != 0u)
      record_batch (unit, next, olds, next_olds);
    unit = third;
    next = fourth;
  }
  wrapped = 0u;
  if (i < end)
    olds = add_unit (unit, 0u, privatised);
  if (wrapped != 0u)
    record_batch (unit, unit, olds, olds);
}

/* ---- tables ---- */

/* Counts one sampled key. The carry slots serve as the counters of the sample; bins that share a
 * slot are counted together, which can only privatise a bin that is less frequent. */
void
count_sample (uint key)
{
  uint permuted = permute_any (bin_of_key (key));
  uint n = atomicAdd (slots[carry_slot_of (permuted)], 1u) + 1u;

  if (n >= MIN_FREQUENT_SAMPLES)
    atomicMax (most_frequent, (n << 17) | permuted);
}

/* Clears the table and the slots, and chooses the privatised bin from a sample of the units from
 * @begin to @end. */
void
begin_table (uint begin, uint end)
{
  uint local = gl_LocalInvocationIndex, n = end - begin, key = 0u;
  bool samples = local < SAMPLES && n > 0u;

  if (samples)
    key = key_of (keys[begin + local * n / SAMPLES], local % UNIT_KEYS);
  for (uint i = local; i < TABLE_WORDS + PRIVATISED_WORDS; i += uint (LOCAL_SIZE_X))
    table[i] = 0u;
  for (uint i = local; i < SLOTS; i += uint (LOCAL_SIZE_X))
    slots[i] = 0u;
  if (local == 0u)
    most_frequent = 0u;
  workgroup_barrier ();
  if (samples)
    count_sample (key);
  workgroup_barrier ();
  privatised_permuted = most_frequent != 0u ? most_frequent & 0x1ffffu : NO_BIN;
  privatised_position = TABLE_WORDS + local % PRIVATISED_WORDS;
}

/* Adds the count of the privatised bin and the @n_tail keys of the array after its last whole
 * unit. One invocation calls this. */
void
add_rest (uint n_units, uint n_tail)
{
  uvec4 unit = n_tail != 0u ? keys[n_units] : uvec4 (0u);
  uint n = 0u;

  for (uint i = 0u; i < PRIVATISED_WORDS; i++)
    n += table[TABLE_WORDS + i];
  add_alone (privatised_permuted, n);
  for (uint i = 0u; i < n_tail; i++)
    add_alone (permute_any (bin_of_key (key_of (unit, i))), 1u);
}

/* Writes the recorded carries and the table. */
void
end_table (uint task)
{
  uint local = gl_LocalInvocationIndex;

  for (uint i = local; i < SLOTS; i += uint (LOCAL_SIZE_X)) {
    uint owner = slots[i] >> SLOT_SHIFT;

    if (owner != 0u)
      atomicAdd (carries[owner - 1u], slots[i] & SLOT_COUNT);
  }
  for (uint i = local; i < TABLE_WORDS; i += uint (LOCAL_SIZE_X))
    tables[task * TABLE_WORDS + i] = table[i];
  workgroup_barrier ();
}

void
main ()
{
  uint n_groups = gl_NumWorkGroups.x * gl_NumWorkGroups.y;
  uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  uint n = n_keys ();
  uint n_units = n / UNIT_KEYS;
  uint most = n_units / n_groups + (n_units % n_groups != 0u ? 1u : 0u); // units of a workgroup
  uint n_tasks = n_groups * max ((most + params.task_units - 1u) / params.task_units, 1u);
  uint per_task = n_units / n_tasks + (n_units % n_tasks != 0u ? 1u : 0u);

  for (uint task = group; task < n_tasks; task += n_groups) {
    uint begin = min (task * per_task, n_units), end = min (begin + per_task, n_units);

    begin_table (begin, end);
    if (privatised_permuted == NO_BIN)
      count_units (begin, end, false);
    else
      count_units (begin, end, true);
    workgroup_barrier ();
    if (gl_LocalInvocationIndex == 0u)
      add_rest (n_units, task == n_tasks - 1u ? n % UNIT_KEYS : 0u);
    workgroup_barrier ();
    end_table (task);
  }
  if (group == 0u && gl_LocalInvocationIndex == 0u) {
    carries[FIELDS * BINS_PER_FIELD] = n_tasks;
    write_result ();
  }
}
