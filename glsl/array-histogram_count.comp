// SPDX-License-Identifier: LGPL-2.1-or-later
/* Counts the keys of an array into bins of equal width. The counters are those of the histogram of
 * pictures (lib/histogram_counters.glsl).
 *
 * Defines:
 *   BYTES     of a key: 1, 2 or 4
 *   BINNING   how a key's distance from the lower end becomes a bin: 0 is it, 1 by a multiplication
 *             with a fraction of 32 bits, 2 of 64 bits
 *   RANGED    1: keys can be outside
 *   COUNTERS  0 private, 1 shared, 2 global, with
 *     PRIVATE_SIZE        counters of an invocation
 *     SHARED_WORDS        counters of a workgroup, PACKED: two 16-bit ones to a word
 *     RANGES_ODD          PACKED: of an odd number of ranges
 *     GATHERS             the counts are gathered in a buffer of the plan's, zero between dispatches, from
 *                         where the last workgroup moves them: saves the dispatch that clears them
 *   LOCAL_SIZE_X, the invocations of a workgroup
 * Bindings: uniform 0: the pass; storage 0: the keys; storage 1: the counts, zero before the first
 *   window, or what gathers them; storage 2: the plan's state; storage 3, GATHERS: the counts
 * Grid: x * y workgroups, any number. */
#define LANE_MAP RANGED
#define MASKED 0
#define SCALE 0
#define BANKS_MIXED (BYTES != 1)
#include "lib/array-histogram_keys.glsl"

/* What the counters want to know: one cell, one channel. */
struct CellJob {
  uint bins;
  uint n_counters;
  uint channel_stride;
  uint replica_shift;
  uint ranges;
};

struct Cell {
  uint range; // of counters, when a workgroup has not all of them
  uint out_base;
  CellJob job;
};

#include "lib/histogram_counters.glsl"

#if GATHERS
layout (std430, binding = 3) buffer Target
{
  uint target[];
};

/* From what gathers the counts to where they belong. Behind the counters is the number of workgroups that
 * are done. By all invocations together, when what they counted has been added. */
void
move_out (uint n_groups)
{
  memoryBarrierBuffer ();
  workgroup_barrier ();
  if (gl_LocalInvocationIndex == 0u)
    SPARE_WORD (0) = atomicAdd (counts[params.bins], 1u);
  workgroup_barrier ();
  if (SPARE_WORD (0) != n_groups - 1u)
    return;
  for (uint bin = gl_LocalInvocationIndex; bin < params.bins; bin += uint (LOCAL_SIZE_X)) {
    uint count = atomicExchange (counts[bin], 0u);
    target[bin] = params.window == 0u ? count : target[bin] + count;
  }
  if (gl_LocalInvocationIndex == 0u)
    atomicExchange (counts[params.bins], 0u);
}
#endif

void
count_word (uint word)
{
#if BYTES == 4
  counters_add (bin_of_key (word));
#elif BYTES == 2
  counters_add (bin_of_key (word & 0xffffu));
  counters_add (bin_of_key (word >> 16));
#else
  counters_add (bin_of_key (word & 255u));
  counters_add (bin_of_key ((word >> 8) & 255u));
  counters_add (bin_of_key ((word >> 16) & 255u));
  counters_add (bin_of_key (word >> 24));
#endif
}

#if COUNTERS == 1
/* Where all keys are equal, atomics would meet at one counter: one for a unit instead. */
bool
all_equal (uvec4 row)
{
  return all (equal (row, row.yzwx)) && row.x == ((row.x << (KEY_BITS & 31u)) | (row.x >> ((32u - KEY_BITS) & 31u)));
}
#endif

void
count_row (uvec4 row)
{
#if COUNTERS == 1
  if (all_equal (row)) {
    counters_add_n (bin_of_key (row.x & (0xffffffffu >> (32u - KEY_BITS))), UNIT_KEYS);
    return;
  }
#endif
  count_word (row.x);
  count_word (row.y);
  count_word (row.z);
  count_word (row.w);
}

/* Every LOCAL_SIZE_X-th unit from i on, two at a time: what takes long is the way to memory and back. */
void
count_units (inout uint i, uint end)
{
  for (; i + uint (LOCAL_SIZE_X) < end; i += 2u * uint (LOCAL_SIZE_X)) {
    uvec4 row = keys[i];
    uvec4 next = keys[i + uint (LOCAL_SIZE_X)];

    count_row (row);
    count_row (next);
  }
  for (; i < end; i += uint (LOCAL_SIZE_X))
    count_row (keys[i]);
}

/* What is left behind the last whole unit: less than a unit, for one invocation. */
void
count_tail (uint n)
{
  uvec4 row = n % UNIT_KEYS != 0u ? keys[n / UNIT_KEYS] : uvec4 (0u);

  for (uint i = 0u; i < n % UNIT_KEYS; i++)
    counters_add (bin_of_key (key_of (row, i)));
}

#if PACKED
/* units of a workgroup after which a 16-bit counter could overflow, a tail included */
#define FLUSH_UNITS                                                                                \
  ((COUNTERS_ROOM - UNIT_KEYS) / UNIT_KEYS / uint (LOCAL_SIZE_X) * uint (LOCAL_SIZE_X))
#endif

/* Part `part` of `parts` of the keys. With private counters each invocation takes one stretch: a
 * processor's cache likes that. Else neighbours read neighbouring units. */
void
count_part (Cell cell, uint part, uint parts, uint n)
{
  uint n_units = n / UNIT_KEYS;
  uint local = gl_LocalInvocationIndex;
  uint per_part = n_units / parts + (n_units % parts != 0u ? 1u : 0u);
  uint begin = min (part * per_part, n_units);
  uint end = min (begin + per_part, n_units);

  if (part == parts - 1u && local == 0u)
    count_tail (n);
#if COUNTERS == 0
  uint per_invocation = (end - begin + uint (LOCAL_SIZE_X) - 1u) / uint (LOCAL_SIZE_X);
  begin = min (begin + local * per_invocation, end);
  end = min (begin + per_invocation, end);
  for (uint i = begin; i < end; i++)
    count_row (keys[i]);
#elif PACKED
  uint i = begin + local;
  do {
    uint flush = min (begin + FLUSH_UNITS, end);
    count_units (i, flush);
    begin = flush;
    if (begin < end)
      counters_make_room (cell);
  } while (begin < end);
#else
  uint i = begin + local;
  count_units (i, end);
#endif
}

void
main ()
{
  uint n_groups = gl_NumWorkGroups.x * gl_NumWorkGroups.y;
  uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  uint n = n_keys ();
  uint parts = max (n_groups / params.n_ranges, 1u);
  Cell cell = Cell (0u, 0u,
      CellJob (params.bins, params.bins, params.bins, params.replica_shift, params.n_ranges));

#if PACKED
  for (uint task = group; task < parts * params.n_ranges; task += n_groups) {
    cell.range = task / parts;
    counters_begin (cell);
    count_part (cell, task % parts, parts, n);
    counters_end (cell);
  }
#else
  counters_begin (cell);
  count_part (cell, group, n_groups, n);
  counters_end (cell);
#if GATHERS
  move_out (n_groups);
#endif
#endif
  if (group == 0u && gl_LocalInvocationIndex == 0u)
    write_result ();
}
