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
 * Keys that are frequent would meet at one word, and their carries at one word of memory. So the first bin
 * of which a counter wraps is counted in registers from there on, and carries are gathered in shared memory
 * first, in slots that belong to the counter which came first.
 *
 * A task is a stretch of keys with a table of its own: as many as leave counters mostly empty, if keys are
 * spread evenly.
 *
 * Defines:
 *   BYTES, BINNING, RANGED, LOCAL_SIZE_X as in array-histogram_count.comp
 *   FIELD_BITS    2 to 8
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
#define NOBODY 0xffffffffu
/* A slot is a counter and how many carries out of it there were: fewer than 2^15, as a task has fewer keys
 * than 2^(FIELD_BITS - 1) for each of 2^16 bins. */
#define SLOTS uint (GST_GLES_ARRAY_TABLE_SLOTS)
#define SLOT_SHIFT 15
/* words that take the additions of nothing, a bank for each neighbour */
#define ASIDE 32u
#define TABLE_ROOM uint (SHARED_WORDS - GST_GLES_ARRAY_TABLE_SPARE)

shared uint table[TABLE_ROOM + ASIDE];
shared uint slots[SLOTS];
shared uint frequent_bin, frequent_n;

/* of this invocation: the bin that is counted in a register, and how often it was seen */
uint in_register, n_in_register;

/* ---- carries ---- */

/* Counts a carry in a slot, if that is the counter's or free. */
bool
slot_takes (uint place, uint counter)
{
  uint slot = slots[place];

  if (slot == NOBODY) {
    slot = atomicCompSwap (slots[place], NOBODY, (counter << SLOT_SHIFT) | 1u);
    if (slot == NOBODY)
      return true;
  }
  if (slot >> SLOT_SHIFT != counter)
    return false;
  atomicAdd (slots[place], 1u);
  return true;
}

/* A carry out of a counter. Two slots are asked: one leaves more frequent counters out, more take longer. */
void
tell_carry (uint counter)
{
  uint place = (counter ^ (counter >> 10)) % SLOTS;

  if (!slot_takes (place, counter) && !slot_takes (place ^ 1u, counter))
    atomicAdd (carries[counter], 1u);
}

/* An addition to the bin's counter made it wrap; the word was @old. */
void
carry (uint bin, uint old)
{
  uint field = field_of (bin), word = word_of (bin, field);

  do {
    tell_carry (field * params.table_words + word);
    field++;
  } while (field < FIELDS && ((old >> (field * uint (FIELD_BITS))) & FIELD_MAX) == FIELD_MAX);
  if (in_register == NOBODY)
    atomicCompSwap (frequent_bin, NOBODY, bin);
}

/* ---- additions ---- */

bool
is_bin (uint bin)
{
#if RANGED
  return bin != GST_GLES_HISTOGRAM_NO_COUNTER;
#else
  return true;
#endif
}

/* Adds one key of each bin: what the words were. Counters that wrap are told by bits of @wrapped, from
 * @first on. @apart: there is a bin in a register. No branch lies between the additions, so that all are on
 * their way at a time. */
uvec4
add_bins (uvec4 bins, const uint first, const bool apart, inout uint wrapped)
{
  uvec4 olds;

  for (uint k = 0u; k < 4u; k++) {
    uint bin = bins[k], field = field_of (bin);
    bool elsewhere = apart && bin == in_register;
    bool counts = !elsewhere && is_bin (bin);
    uint one = 1u << (field * uint (FIELD_BITS));
    uint at = counts ? mixed (word_of (bin, field)) : TABLE_ROOM + gl_LocalInvocationIndex % ASIDE;
    uint old = atomicAdd (table[at], counts ? one : 0u);

    if (apart)
      n_in_register += elsewhere ? 1u : 0u;
    wrapped |= is_bin (bin) && (~old & (one * FIELD_MAX)) == 0u ? 1u << (first + k) : 0u;
    olds[k] = old;
  }
  return olds;
}

/* Less than 2^FIELD_BITS keys of one bin. */
void
add_few (uint bin, uint n)
{
  if (!is_bin (bin))
    return;
  uint field = field_of (bin);
  uint shift = field * uint (FIELD_BITS);
  uint old = atomicAdd (table[mixed (word_of (bin, field))], n << shift);

  if (((old >> shift) & FIELD_MAX) + n > FIELD_MAX)
    carry (bin, old);
}

void
add_equal (uint bin, uint n)
{
  if (bin == in_register) {
    n_in_register += n;
    return;
  }
#if FIELD_BITS >= 5
  add_few (bin, n);
#else
  for (uint i = 0u; i < n; i++)
    add_few (bin, 1u);
#endif
}

/* ---- keys ---- */

#define BIN(word, i) bin_of_key (((word) >> ((i) * KEY_BITS)) & (0xffffffffu >> (32u - KEY_BITS)))

/* Carries of the keys of a unit from the @first on, by bits of @wrapped; the words were @olds, then @more.
 * Invocations go through their own wraps, of which few have any, not all through those of every key. */
void
carry_keys (uvec4 unit, uint first, uint wrapped, uvec4 olds, uvec4 more)
{
  while (wrapped != 0u) {
    uint k = uint (findLSB (wrapped));
    uvec4 four = k < 4u ? olds : more;
    uvec2 two = (k & 2u) == 0u ? four.xy : four.zw;

    carry (bin_of_key (key_of (unit, first + k)), (k & 1u) == 0u ? two.x : two.y);
    wrapped &= wrapped - 1u;
  }
}

void
count_unit (uvec4 unit, const bool apart)
{
  /* equal neighbours would meet at one word */
  if (all (equal (unit, unit.yzwx))) {
#if BYTES == 4
    add_equal (BIN (unit.x, 0u), 4u);
#elif BYTES == 2
    if (unit.x >> 16 == (unit.x & 0xffffu)) {
      add_equal (BIN (unit.x, 0u), 8u);
    } else {
      add_equal (BIN (unit.x, 0u), 4u);
      add_equal (BIN (unit.x, 1u), 4u);
    }
#else
    for (uint i = 0u; i < 4u; i++)
      add_equal (BIN (unit.x, i), 4u);
#endif
    return;
  }
  uint wrapped = 0u;
#if BYTES == 4
  uvec4 bins = uvec4 (BIN (unit.x, 0u), BIN (unit.y, 0u), BIN (unit.z, 0u), BIN (unit.w, 0u));
  uvec4 olds = add_bins (bins, 0u, apart, wrapped);

  carry_keys (unit, 0u, wrapped, olds, olds);
#elif BYTES == 2
  uvec4 bins = uvec4 (BIN (unit.x, 0u), BIN (unit.x, 1u), BIN (unit.y, 0u), BIN (unit.y, 1u));
  uvec4 more = uvec4 (BIN (unit.z, 0u), BIN (unit.z, 1u), BIN (unit.w, 0u), BIN (unit.w, 1u));
  uvec4 olds = add_bins (bins, 0u, apart, wrapped);
  uvec4 more_olds = add_bins (more, 4u, apart, wrapped);

  carry_keys (unit, 0u, wrapped, olds, more_olds);
#else
  for (uint i = 0u; i < 4u; i++, wrapped = 0u) {
    uint word = unit[i];
    uvec4 bins = uvec4 (BIN (word, 0u), BIN (word, 1u), BIN (word, 2u), BIN (word, 3u));
    uvec4 olds = add_bins (bins, 0u, apart, wrapped);

    carry_keys (unit, 4u * i, wrapped, olds, olds);
  }
#endif
}

/* Units begin to end, two at a time: what takes long is the way to memory and back. */
void
count_units (uint begin, uint end)
{
  uint i = begin + gl_LocalInvocationIndex;

  for (; i + uint (LOCAL_SIZE_X) < end; i += 2u * uint (LOCAL_SIZE_X)) {
    uvec4 unit = keys[i];
    uvec4 next = keys[i + uint (LOCAL_SIZE_X)];

    in_register = frequent_bin;
    if (in_register == NOBODY) {
      count_unit (unit, false);
      count_unit (next, false);
    } else {
      count_unit (unit, true);
      count_unit (next, true);
    }
  }
  for (; i < end; i += uint (LOCAL_SIZE_X))
    count_unit (keys[i], true);
}

/* What is left behind the last whole unit. By one invocation. */
void
count_tail (uint n)
{
  uvec4 unit = n % UNIT_KEYS != 0u ? keys[n / UNIT_KEYS] : uvec4 (0u);

  for (uint i = 0u; i < n % UNIT_KEYS; i++)
    add_equal (bin_of_key (key_of (unit, i)), 1u);
}

/* ---- tables ---- */

void
begin_table ()
{
  uint local = gl_LocalInvocationIndex;

  for (uint i = local; i < TABLE_ROOM + ASIDE; i += uint (LOCAL_SIZE_X))
    table[i] = 0u;
  for (uint i = local; i < SLOTS; i += uint (LOCAL_SIZE_X))
    slots[i] = NOBODY;
  if (local == 0u) {
    frequent_bin = NOBODY;
    frequent_n = 0u;
  }
  in_register = NOBODY;
  n_in_register = 0u;
  workgroup_barrier ();
}

/* Moves out the carries, the counters, and behind them what was counted in registers. */
void
end_table (uint task)
{
  uint local = gl_LocalInvocationIndex;
  uint at = task * (params.table_words + uint (GST_GLES_ARRAY_TABLE_TAIL));

  workgroup_barrier ();
  if (n_in_register != 0u)
    atomicAdd (frequent_n, n_in_register);
  for (uint i = local; i < SLOTS; i += uint (LOCAL_SIZE_X)) {
    if (slots[i] != NOBODY)
      atomicAdd (carries[slots[i] >> SLOT_SHIFT], slots[i] & ((1u << SLOT_SHIFT) - 1u));
  }
  for (uint i = local; i < params.table_words; i += uint (LOCAL_SIZE_X))
    tables[at + i] = table[i];
  workgroup_barrier ();
  if (local == 0u) {
    tables[at + params.table_words] = frequent_bin;
    tables[at + params.table_words + 1u] = frequent_n;
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
    uint begin = min (task * per_task, n_units);

    begin_table ();
    if (task == n_tasks - 1u && gl_LocalInvocationIndex == 0u)
      count_tail (n);
    count_units (begin, min (begin + per_task, n_units));
    end_table (task);
  }
  if (group == 0u && gl_LocalInvocationIndex == 0u) {
    carries[FIELDS * params.table_words] = n_tasks;
    write_result ();
  }
}
