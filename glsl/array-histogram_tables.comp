// SPDX-License-Identifier: LGPL-2.1-or-later
/* Counts the keys of an array into so many bins that shared memory has but a few bits for each: every key
 * is looked at once, where counters of 16 bits take a pass over the keys for every range of bins.
 *
 * A table is an array of words with FIELDS counters of FIELD_BITS each. An addition that makes a counter
 * wrap carries one into the next counter of the word, and its invocation knows, as atomicAdd () tells what
 * the word was: so nothing has to be undone or kept from happening. Carries out of each counter of a table
 * are counted in memory, and in the end
 *   count = counters + 2^FIELD_BITS * carries out of them - carries into them
 * (array-histogram_sum.comp), which is exact whatever the order of additions. What leaves the highest counter
 * of a word is of no interest to anyone.
 *
 * Keys that are frequent would meet at one word, and their carries at one word of memory. So the most frequent
 * bin of a sample of the keys, if it is frequent, is counted apart, in a word per lane; and carries are gathered
 * in shared memory first, in slots that belong to the counter which came first.
 *
 * A task is a stretch of keys with a table of its own: as many as leave counters mostly empty, if keys are
 * spread evenly.
 *
 * What the time goes into on NVIDIA (docs/performance.md) is instructions, whatever they are, and lanes that meet at
 * a bank of shared memory: so little is done for each key, and spots are spread over banks.
 *
 * Defines:
 *   BYTES, BINNING, RANGED, LOCAL_SIZE_X as in array-histogram_count.comp
 *   FIELD_BITS    3 to 8: 8 equal keys carry one at the most
 *   SHARED_WORDS  all there are
 * Bindings: uniform 0: the pass; storage 0: the keys; storage 1: the carries, zero, and behind them
 *   the number of tables, which is written; storage 2: the plan's state; storage 3: the tables
 * Grid: x * y workgroups, any number */
#include "lib/array-histogram_keys.glsl"
#include "lib/array-histogram_fields.glsl"
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
/* the lowest bit of each field */
#define FIELD_LOWS ((0xffffffffu >> (32u % uint (FIELD_BITS))) / FIELD_MAX)
#define NOBODY 0xffffffffu
/* A slot is a counter, counted from 1, and how many carries out of it there were: fewer than 2^15, as a task has
 * fewer keys than 2^(FIELD_BITS - 1) for each of 2^16 bins. One whose counter is 0 is free, whatever is in it. */
#define SLOTS (1u << GST_GLES_ARRAY_TABLE_SLOT_BITS)
#define SLOT_SHIFT 15
#define SLOT_COUNT ((1u << SLOT_SHIFT) - 1u)
/* what no counter gets to */
#define NEVER 0xffffffffu
#define TABLE_ROOM uint (SHARED_WORDS - GST_GLES_ARRAY_TABLE_SPARE)
/* Words beside the table, a bank for each neighbour: they count the frequent bin, and take the additions of nothing. */
#define ASIDE 32u
/* whether the bits where the frequent bin's field would be stay 0 in them, so that it never seems to wrap */
#define ASIDE_IS_CLEAR (FIELD_BITS <= 5)
/* Of so many keys from all over the task a frequent bin has so many: 22 percent. Fewer take less than it takes to
 * look for them at each key. */
#define SAMPLES min (256u, uint (LOCAL_SIZE_X))
#define SAMPLES_OF_FREQUENT (SAMPLES * 7u / 32u)

shared uint table[TABLE_ROOM + ASIDE];
shared uint slots[SLOTS];
/* the most frequent bin, and above it how many of the samples went where its do */
shared uint frequent;

/* The bin that is counted aside, or NOBODY, and its spot, likewise; the invocation's word for it, and what is added
 * there for each key. */
uint frequent_bin, frequent_spot, frequent_place, frequent_one;

/* Of a batch of keys: those whose counters wrapped, by bits, and which bits were set in other fields of their words,
 * any of which. */
uint wrapped, beside;

/* ---- carries ---- */

/* Where carries out of a counter are gathered. */
uint
slot_of (uint spot)
{
  return (spot * 0x9e3779b1u) >> (32 - GST_GLES_ARRAY_TABLE_SLOT_BITS);
}

/* A carry out of a spot's counter: to its slot, which is that of the first that asks for it, or to memory. */
void
tell_carry (uint spot)
{
  uint place = slot_of (spot), mine = (spot + 1u) << SLOT_SHIFT;
  uint slot = slots[place];

  if (slot <= SLOT_COUNT) {
    uint was = atomicCompSwap (slots[place], slot, mine);

    slot = was == slot ? mine : was;
  }
  if ((slot ^ mine) <= SLOT_COUNT)
    atomicAdd (slots[place], 1u);
  else
    atomicAdd (carries[spot], 1u);
}

/* What the carry out of a spot's counter made wrap as well: the next counter, if it was full, and so on, but for
 * the highest one. The word was @old. */
void
tell_more (uint spot, uint old)
{
  uint above = old >> (field_of (spot) * uint (FIELD_BITS)) >> FIELD_BITS;

  while ((above & FIELD_MAX) == FIELD_MAX) {
    spot += FIELD_SPOTS;
    tell_carry (spot);
    above >>= FIELD_BITS;
  }
}

/* Whether a field of the word has all bits set. */
bool
any_full (uint word)
{
  uint run = word;

  for (uint i = 1u; i < uint (FIELD_BITS); i++)
    run &= word >> i;
  return (run & FIELD_LOWS) != 0u;
}

/* ---- additions ---- */

/* Adds one key: what the word was. A counter that wraps is told by @bit. @apart: there is a frequent bin. (By
 * conditions, not choices, of which NVIDIA's compiler makes more; a condition for the addition would be a branch.) */
uint
add_spot (uint spot, uint bit, const bool apart)
{
  uint field = field_of (spot), at = place_of (word_of (spot, field));
  uint one = 1u << (field * uint (FIELD_BITS)), full = one * FIELD_MAX;

  if (apart && spot == frequent_spot) {
    at = frequent_place;
    one = frequent_one;
#if !ASIDE_IS_CLEAR
    full = NEVER;
#endif
  }
#if RANGED
  if (!is_bin (spot)) {
    at = frequent_place;
    one = 0u;
    full = NEVER;
  }
#endif
  uint old = atomicAdd (table[at], one);

  if ((~old & full) == 0u) {
    wrapped |= bit;
    beside |= old & ~full;
  }
  return old;
}

/* One key for each spot, with bits from @first on. No branch lies between the additions. */
uvec4
add_spots (uvec4 spots, const uint first, const bool apart)
{
  uvec4 olds;

  olds.x = add_spot (spots.x, 1u << first, apart);
  olds.y = add_spot (spots.y, 2u << first, apart);
  olds.z = add_spot (spots.z, 4u << first, apart);
  olds.w = add_spot (spots.w, 8u << first, apart);
  return olds;
}

/* @n keys of one spot, no more than 2^FIELD_BITS, likewise. */
uint
add_equal (uint spot, uint n, uint bit, const bool apart)
{
  uint old = 0u;

  if (apart && spot == frequent_spot) {
    atomicAdd (table[frequent_place], n * frequent_one);
  } else if (is_bin (spot)) {
    uint field = field_of (spot), shift = field * uint (FIELD_BITS);

    old = atomicAdd (table[place_of (word_of (spot, field))], n << shift);
    if (((old >> shift) & FIELD_MAX) + n > FIELD_MAX) {
      wrapped |= bit;
      beside |= old & ~(FIELD_MAX << shift);
    }
  }
  return old;
}

uint
spot_of_any (uint bin)
{
  return is_bin (bin) ? spot_of (bin) : bin;
}

/* A key that is in no hurry. */
void
add_key (uint key, const bool apart)
{
  uint spot = spot_of_any (bin_of_key (key));

  wrapped = 0u;
  beside = 0u;
  uint old = add_equal (spot, 1u, 1u, apart);
  if (wrapped != 0u) {
    tell_carry (spot);
    tell_more (spot, old);
  }
}

/* ---- keys ---- */

#define BIN(word, i) bin_of_key (((word) >> ((i) * KEY_BITS)) & (0xffffffffu >> (32u - KEY_BITS)))

#if BYTES == 1

/* Keys of one byte in so many bins are too rare to be hurried. */
void
count_units (uint begin, uint end, const bool apart)
{
  for (uint i = begin + gl_LocalInvocationIndex; i < end; i += uint (LOCAL_SIZE_X)) {
    uvec4 unit = keys[i];

    for (uint k = 0u; k < UNIT_KEYS; k++)
      add_key (key_of (unit, k), apart);
  }
}

#else

/* What words of the table were, for the lower and the upper keys of the words of a unit. */
struct Olds {
  uvec4 lower;
#if BYTES == 2
  uvec4 upper;
#endif
};

/* The spots of the lower keys of words. */
uvec4
lower_spots (uvec4 words)
{
#if BYTES == 2 && BINNING == 0 && !RANGED && SPOTS_SCATTERED
  /* A key is its bin, as each has one, and upper keys go out at the top. */
  uvec4 high = words * (GST_GLES_ARRAY_SCATTER << 16);

  return (high >> 16) + (high >> (16 + GST_GLES_ARRAY_SPREAD_SHIFT));
#else
  return uvec4 (spot_of_any (BIN (words.x, 0u)), spot_of_any (BIN (words.y, 0u)),
      spot_of_any (BIN (words.z, 0u)), spot_of_any (BIN (words.w, 0u)));
#endif
}

/* Adds the keys of a unit, with bits from @first on, by words; then those of the upper keys. */
Olds
add_unit (uvec4 unit, const uint first, const bool apart)
{
  Olds olds;

  olds.lower = uvec4 (0u);
#if BYTES == 2
  olds.upper = uvec4 (0u);
#endif
  /* equal neighbours would meet at one word */
  if (((unit.x ^ unit.y) | (unit.x ^ unit.z) | (unit.x ^ unit.w)) == 0u) {
    uint lower = lower_spots (unit).x;

#if BYTES == 2
    uint upper = lower_spots (unit >> 16).x, n = lower == upper ? 8u : 4u;

    olds.lower.x = add_equal (lower, n, 1u << first, apart);
    if (lower != upper)
      olds.upper.x = add_equal (upper, n, 0x10u << first, apart);
#else
    olds.lower.x = add_equal (lower, 4u, 1u << first, apart);
#endif
  } else {
    olds.lower = add_spots (lower_spots (unit), first, apart);
#if BYTES == 2
    olds.upper = add_spots (lower_spots (unit >> 16), first + 4u, apart);
#endif
  }
  return olds;
}

/* The key of a batch that has the bit @first. */
uint
pick_key (uint first, uvec4 unit, uvec4 next)
{
  uvec4 words = uvec4 (unit.xz, next.xz);

  if ((first & 0xaaaau) != 0u)
    words = uvec4 (unit.yw, next.yw);
  if ((first & 0xccccu) != 0u)
    words.xz = words.yw;
  if (first > 0xffu)
    words.x = words.z;
#if BYTES == 2
  words.x = (first & 0xf0f0u) != 0u ? words.x >> 16 : words.x & 0xffffu;
#endif
  return words.x;
}

/* What its word was. */
uint
pick_old (uint first, Olds olds, Olds next)
{
  uvec4 lower = uvec4 (olds.lower.xz, next.lower.xz);

  if ((first & 0xaaaau) != 0u)
    lower = uvec4 (olds.lower.yw, next.lower.yw);
#if BYTES == 2
  uvec4 upper = uvec4 (olds.upper.xz, next.upper.xz);

  if ((first & 0xaaaau) != 0u)
    upper = uvec4 (olds.upper.yw, next.upper.yw);
  if ((first & 0xf0f0u) != 0u)
    lower = upper;
#endif
  if ((first & 0xccccu) != 0u)
    lower.xz = lower.yw;
  return first > 0xffu ? lower.z : lower.x;
}

/* Carries of the keys of two units. Invocations go through their own wraps, of which few have any, not all through
 * those of every key. What words were is asked for only where a counter beside one that wrapped may have been full. */
void
tell_batch (uvec4 unit, uvec4 next, Olds olds, Olds next_olds)
{
  bool more = any_full (beside);

  while (wrapped != 0u) {
    uint first = wrapped & (0u - wrapped);
    uint spot = spot_of (bin_of_key (pick_key (first, unit, next)));

    tell_carry (spot);
    if (more)
      tell_more (spot, pick_old (first, olds, next_olds));
    wrapped ^= first;
  }
}

/* Units begin to end, two at a time. The two after them are on their way meanwhile. */
void
count_units (uint begin, uint end, const bool apart)
{
  const uint step = uint (LOCAL_SIZE_X);
  uint i = begin + gl_LocalInvocationIndex, last = max (end, 1u) - 1u;
  uvec4 unit = keys[min (i, last)], next = keys[min (i + step, last)];
  Olds olds, next_olds;

  for (; i + step < end; i += 2u * step) {
    uvec4 third = keys[min (i + 2u * step, last)], fourth = keys[min (i + 3u * step, last)];

    wrapped = 0u;
    beside = 0u;
    olds = add_unit (unit, 0u, apart);
    next_olds = add_unit (next, 8u, apart);
    if (wrapped != 0u)
      tell_batch (unit, next, olds, next_olds);
    unit = third;
    next = fourth;
  }
  wrapped = 0u;
  beside = 0u;
  if (i < end)
    olds = add_unit (unit, 0u, apart);
  if (wrapped != 0u)
    tell_batch (unit, unit, olds, olds);
}

#endif

/* What is left behind the last whole unit. By one invocation. */
void
count_tail (uint n)
{
  uvec4 unit = n % UNIT_KEYS != 0u ? keys[n / UNIT_KEYS] : uvec4 (0u);

  for (uint i = 0u; i < n % UNIT_KEYS; i++)
    add_key (key_of (unit, i), true);
}

/* ---- tables ---- */

/* Counts a sample of the keys of units begin to end: where slots will be. */
void
count_sample (uint key)
{
  uint bin = bin_of_key (key);

  if (is_bin (bin)) {
    uint n = atomicAdd (slots[slot_of (bin)], 1u) + 1u;

    if (n >= SAMPLES_OF_FREQUENT)
      atomicMax (frequent, (n << 16) | bin);
  }
}

/* By how many bits counts of the frequent bin lie higher in the words beside the table. With fields of 5 bits and
 * fewer a word counts less than 2^15 keys of a task, so there is room above the bin's field or below it. */
uint
aside_shift ()
{
#if ASIDE_IS_CLEAR
  uint shift = field_of (frequent_spot) * uint (FIELD_BITS);

  return shift < 15u ? shift + uint (FIELD_BITS) : 0u;
#else
  return 0u;
#endif
}

/* For units begin to end. */
void
begin_table (uint begin, uint end)
{
  uint local = gl_LocalInvocationIndex, n = end - begin, key = 0u;
  bool samples = local < SAMPLES && n > 0u;

  if (samples)
    key = key_of (keys[begin + local * n / SAMPLES], local % UNIT_KEYS);
  for (uint i = local; i < TABLE_ROOM + ASIDE; i += uint (LOCAL_SIZE_X))
    table[i] = 0u;
  for (uint i = local; i < SLOTS; i += uint (LOCAL_SIZE_X))
    slots[i] = 0u;
  if (local == 0u)
    frequent = 0u;
  workgroup_barrier ();
  if (samples)
    count_sample (key);
  workgroup_barrier ();
  frequent_bin = frequent != 0u ? frequent & 0xffffu : NOBODY;
  frequent_spot = frequent != 0u ? spot_of (frequent_bin) : NOBODY;
  frequent_place = TABLE_ROOM + local % ASIDE;
  frequent_one = 1u << aside_shift ();
}

/* Moves out the carries, the counters, and behind them what was counted aside. */
void
end_table (uint task)
{
  uint local = gl_LocalInvocationIndex;
  uint at = task * (params.table_words + uint (GST_GLES_ARRAY_TABLE_TAIL));

  workgroup_barrier ();
  for (uint i = local; i < SLOTS; i += uint (LOCAL_SIZE_X)) {
    uint owner = slots[i] >> SLOT_SHIFT;

    if (owner != 0u)
      atomicAdd (carries[owner - 1u], slots[i] & SLOT_COUNT);
  }
  for (uint i = local; i < params.table_words; i += uint (LOCAL_SIZE_X))
    tables[at + i] = table[i];
  if (local == 0u) {
    uint n = 0u;

    for (uint i = 0u; i < ASIDE; i++)
      n += table[TABLE_ROOM + i] >> aside_shift ();
    tables[at + params.table_words] = frequent_bin;
    tables[at + params.table_words + 1u] = n;
  }
  workgroup_barrier ();
}

void
main ()
{
  uint n_groups = gl_NumWorkGroups.x * gl_NumWorkGroups.y;
  uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  uint n = n_keys ();
  uint n_units = n / UNIT_KEYS;
  uint most = n_units / n_groups + (n_units % n_groups != 0u ? 1u : 0u); // of a workgroup
  uint n_tasks = n_groups * max ((most + params.task_units - 1u) / params.task_units, 1u);
  uint per_task = n_units / n_tasks + (n_units % n_tasks != 0u ? 1u : 0u);

  for (uint task = group; task < n_tasks; task += n_groups) {
    uint begin = min (task * per_task, n_units), end = min (begin + per_task, n_units);

    begin_table (begin, end);
    if (task == n_tasks - 1u && gl_LocalInvocationIndex == 0u)
      count_tail (n);
    if (frequent_bin == NOBODY)
      count_units (begin, end, false);
    else
      count_units (begin, end, true);
    end_table (task);
  }
  if (group == 0u && gl_LocalInvocationIndex == 0u) {
    carries[FIELDS * FIELD_SPOTS] = n_tasks;
    write_result ();
  }
}
