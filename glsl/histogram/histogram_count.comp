// SPDX-License-Identifier: LGPL-2.1-or-later
/* Counts the keys of an array into bins of equal width, with the counters of the frame histogram
 * (lib/histogram_counters.glsl). docs/algorithms/histogram.md compares the kinds of counters.
 *
 * Defines:
 *   BYTES     bytes of a key: 1, 2 or 4
 *   BINNING   how key - lower becomes a bin. 0: it is the bin; 1: it is multiplied by a 32-bit
 *             fraction; 2: it is multiplied by a 64-bit fraction
 *   RANGED    1: a key can lie outside the range of the bins
 *   COUNTERS  0 private, 1 shared, 2 global. The following ones depend on it:
 *     PRIVATE_SIZE      private: counters of an invocation
 *     SHARED_WORDS      shared: words of counters in a workgroup
 *     PACKED            shared: 1: a word holds two 16-bit counters
 *     LAST_BLOCK_FLUSH  shared: 1: workgroups add to an accumulator that is zero between
 *                       dispatches, and the last one to finish moves the sums to the output and
 *                       clears the accumulator. This saves the dispatch that clears the output.
 *   LOCAL_SIZE_X  invocations of a workgroup
 * Bindings: uniform 0: the pass; storage 0: the keys; storage 1: the counts, zero before the first
 *   window, or the accumulator with LAST_BLOCK_FLUSH; storage 2: the plan's state; storage 3: the
 *   counts, only with LAST_BLOCK_FLUSH
 * Grid: x * y workgroups, any number. */
#define CHECKED RANGED
#define BANKS_MIXED (BYTES != 1)
#include "histogram/histogram_keys.glsl"

/* The types that lib/histogram_counters.glsl needs. An array is one cell with one channel. */
struct CellJob {
  uint bins;
  uint n_counters;
  uint channel_stride;
  uint replica_shift;
  uint ranges;
};

struct Cell {
  uint range; // PACKED: the range of counters that the workgroup keeps
  uint out_base;
  CellJob job;
};

#include "lib/histogram_counters.glsl"

#if LAST_BLOCK_FLUSH
layout (std430, binding = 3) buffer Target
{
  uint target[];
};

/* The last workgroup to finish moves the accumulator to the output and clears it. The word after
 * the counters numbers the workgroups that have finished. All invocations call this together, after
 * their counters were added. */
void
last_block_flush (uint n_groups)
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
    target[bin] = params.array.window == 0u ? count : target[bin] + count;
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
/* Whether all keys of a unit are equal. They would contend for one counter, so they are counted by
 * one atomic addition. */
bool
all_equal (uvec4 row)
{
  return all (equal (row, row.yzwx)) &&
      row.x == ((row.x << (KEY_BITS & 31u)) | (row.x >> ((32u - KEY_BITS) & 31u)));
}
#endif

/* Small workgroups count the words of a row in a loop. They are those of devices whose compilers
 * are slow: V3D's (Mesa 25.0) needs 1.5 s for three copies of a row of sixteen keys with a
 * multiplication each, and 0.1 s for the loop. Compilers do not know that the loop begins with 0,
 * so they do not unroll it. */
#define ROLLED (COUNTERS == 1 && !PACKED && BYTES < 4 && BINNING != 0 && LOCAL_SIZE_X <= 128)

void
count_row (uvec4 row)
{
#if COUNTERS == 1
  if (all_equal (row)) {
    counters_add_n (bin_of_key (row.x & (0xffffffffu >> (32u - KEY_BITS))), UNIT_KEYS);
    return;
  }
#endif
#if ROLLED
  for (uint i = gl_WorkGroupID.z; i < 4u; i++) {
    count_word (row.x);
    row = row.yzwx;
  }
#else
  count_word (row.x);
  count_word (row.y);
  count_word (row.z);
  count_word (row.w);
#endif
}

/* Counts every LOCAL_SIZE_X-th unit from @i on. Two loads are in flight at a time, because memory
 * latency dominates. */
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

/* Counts the keys after the last whole unit. One invocation calls this. */
void
count_tail (uint n)
{
  uvec4 row = n % UNIT_KEYS != 0u ? keys[n / UNIT_KEYS] : uvec4 (0u);

  for (uint i = 0u; i < n % UNIT_KEYS; i++)
    counters_add (bin_of_key (key_of (row, i)));
}

#if PACKED
/* Units that a workgroup can count between two flushes, and the tail besides. */
#define FLUSH_UNITS                                                                                \
  ((SAMPLES_PER_FLUSH - UNIT_KEYS) / UNIT_KEYS / uint (LOCAL_SIZE_X) * uint (LOCAL_SIZE_X))
#endif

/* Counts part @part of @parts of the keys. With private counters each invocation reads a
 * contiguous range, which suits the cache of a CPU. Otherwise neighbouring invocations read
 * neighbouring units, so that loads coalesce. */
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
      counters_flush_large (cell);
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
#if LAST_BLOCK_FLUSH
  last_block_flush (n_groups);
#endif
#endif
  if (group == 0u && gl_LocalInvocationIndex == 0u)
    write_result ();
}
