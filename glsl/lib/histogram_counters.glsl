// SPDX-License-Identifier: LGPL-2.1-or-later
/* Three ways to keep counters while samples stream by.
 *
 * Private: an array in function scope. On llvmpipe that is plain memory that no atomic touches, and
 *   nothing else comes near: 2.3 cycles a sample (measured, see algo/tuning.c).
 * Shared: in shared memory, each counter as often as fits, neighbours in different copies, so that a
 *   constant image costs what noise does. With more counters than words, a workgroup takes one range
 *   of them, PACKED as two 16-bit counters to a word that are moved out before they can overflow. A range
 *   is every n-th block of counters: so all have alike shares of what is counted, and what is moved out
 *   lies side by side.
 *   RANGES_ODD 1: there is an odd number of ranges.
 *   BANKS_MIXED 1: which of the 32 banks of shared memory a counter lies in depends on ten bits of its number,
 *   not on five: numbers that have few bits set, or a common factor, then meet in one bank no more often than
 *   others (a copy of the loop in CUDA, H100, 4096 bins, 16 Mi keys, each the AND of three random ones: 28 us
 *   with five bits, 18 with ten). Counters are as many as a multiple of 32.
 * Global: straight to memory, runs of equal samples as one; where there are too few samples to pay
 *   for clearing and merging counters of one's own.
 *
 * SPARE_WORD (0 to 7) is shared memory that is free once counters_end() is behind a barrier. */
#include "lib/barrier.glsl"

layout (std430, binding = 1) coherent buffer Counts
{
  uint counts[];
};

/* indices can be GST_GLES_HISTOGRAM_NO_COUNTER */
#define CHECKED (MASKED || LANE_MAP)

/* Where a group's counter goes. */
uint
counter_address (Cell cell, uint index)
{
  uint channel = index / cell.job.bins;

  return cell.out_base + channel * (cell.job.channel_stride - cell.job.bins) + index;
}

#if COUNTERS == 0 /* ---- private ---- */

#define MERGE_COUNTERS 256u
#define SPARE_WORD(k) merge_counters[k]

/* one more, for what is not to be counted. Not less than a power of two plus one: then llvmpipe's
 * clamp of the index is known to do nothing and disappears. */
uint private_counters[PRIVATE_SIZE + 1];
shared uint merge_counters[256 * LOCAL_SIZE_X];

void
counters_begin (Cell cell)
{
  for (uint i = 0u; i < cell.job.n_counters; i++)
    private_counters[i] = 0u;
}

void
counters_add_n (uint index, uint n)
{
#if CHECKED
  private_counters[min (index, uint (PRIVATE_SIZE))] += n;
#else
  private_counters[index] += n;
#endif
}

/* Sums up in shared memory first: that halves the atomics' share. */
void
counters_end (Cell cell)
{
  uint local = gl_LocalInvocationIndex;

  for (uint first = 0u; first < cell.job.n_counters; first += MERGE_COUNTERS) {
    uint n = min (cell.job.n_counters - first, MERGE_COUNTERS);

    for (uint i = 0u; i < n; i++)
      merge_counters[i * uint (LOCAL_SIZE_X) + local] = private_counters[first + i];
    workgroup_barrier ();
    for (uint i = local; i < n; i += uint (LOCAL_SIZE_X)) {
      uint sum = 0u;
      for (uint k = 0u; k < uint (LOCAL_SIZE_X); k++)
        sum += merge_counters[i * uint (LOCAL_SIZE_X) + k];
      if (sum != 0u)
        atomicAdd (counts[counter_address (cell, first + i)], sum);
    }
    workgroup_barrier ();
  }
}

#elif COUNTERS == 1 /* ---- shared ---- */

#define SPARE_WORD(k) shared_counters[k]

shared uint shared_counters[SHARED_WORDS];

#if PACKED
#define RANGE_COUNTERS (2u * uint (SHARED_WORDS))
/* counters below stay when others are moved out: that takes an atomic addition each */
#define COUNTERS_KEPT 4096u
/* samples of a workgroup after which a counter could overflow */
#define COUNTERS_ROOM (65536u - COUNTERS_KEPT)
#define BLOCK_SHIFT 6
#define BLOCK_MASK 63u
/* SHARED_WORDS is a multiple of 32 */
#define RANGE_PLACES (RANGE_COUNTERS >> BLOCK_SHIFT)
uint range, n_ranges;
/* RANGES_ODD: the inverse of n_ranges modulo 2^32. Else 2^32 / n_ranges, rounded up: exact for up to 2^12
 * blocks in up to 2^20 ranges. */
uint range_factor;
#else
uint replica, replica_shift;

/* The first copy of a counter. */
uint
first_copy (uint index)
{
#if BANKS_MIXED
  index ^= (index >> 5) & 31u;
#endif
  return index << replica_shift;
}
#endif

#if PACKED && RANGES_ODD
/* Three bits of an odd number's inverse are its own, and each round doubles how many are right. */
uint
inverse_of (uint odd)
{
  uint inverse = odd;

  for (uint bits = 3u; bits < 32u; bits *= 2u)
    inverse *= 2u - odd * inverse;
  return inverse;
}

/* Where a block of counters lies among those of the range; RANGE_PLACES or more when it belongs to
 * another. That is (block - range) / n_ranges with neither a division nor a look at the remainder: times
 * the inverse, multiples below 2^32 become their quotients, and what becomes less than RANGE_PLACES was
 * such a multiple, as n_ranges * (RANGE_PLACES + 1) <= 2^32. A block before the range's first wraps to
 * 2^32 - n_ranges + 1 or more, too much for that. */
uint
place_of (uint block)
{
  return (block - range) * range_factor;
}
#elif PACKED
uint
place_of (uint block)
{
  uint place, low;

  umulExtended (block, range_factor, place, low);
  if (n_ranges == 1u)
    place = block;
  return place * n_ranges + range == block ? place : RANGE_PLACES;
}
#endif

void
counters_begin (Cell cell)
{
#if PACKED
  uint n = uint (SHARED_WORDS);
  range = cell.range;
  n_ranges = cell.job.ranges;
#if RANGES_ODD
  range_factor = inverse_of (n_ranges);
#else
  range_factor = 0xffffffffu / n_ranges + 1u;
#endif
#else
  uint n = cell.job.n_counters << cell.job.replica_shift;
#if BANKS_MIXED
  n = ((cell.job.n_counters + 31u) & ~31u) << cell.job.replica_shift;
#endif
  replica_shift = cell.job.replica_shift;
  replica = gl_LocalInvocationIndex & ((1u << replica_shift) - 1u);
#endif
  for (uint i = gl_LocalInvocationIndex; i < n; i += uint (LOCAL_SIZE_X))
    shared_counters[i] = 0u;
  workgroup_barrier ();
}

void
counters_add_n (uint index, uint n)
{
#if PACKED
  uint place = place_of (index >> BLOCK_SHIFT);

  if (place < RANGE_PLACES)
    atomicAdd (shared_counters[(place << (BLOCK_SHIFT - 1)) + ((index & BLOCK_MASK) >> 1)],
        n << ((index & 1u) << 4));
#elif CHECKED
  if (index < GST_GLES_HISTOGRAM_NO_COUNTER)
    atomicAdd (shared_counters[first_copy (index) + replica], n);
#else
  atomicAdd (shared_counters[first_copy (index) + replica], n);
#endif
}

#if PACKED
/* Moves out the counters of at least @least. All invocations call it together. */
void
counters_move_out (Cell cell, uint least)
{
  workgroup_barrier ();
  for (uint i = gl_LocalInvocationIndex; i < uint (SHARED_WORDS); i += uint (LOCAL_SIZE_X)) {
    uint pair = shared_counters[i];
    uint place = 2u * i >> BLOCK_SHIFT;
    uint index = ((place * n_ranges + range) << BLOCK_SHIFT) + (2u * i & BLOCK_MASK);

    if ((pair & 0xffffu) >= least) {
      atomicAdd (counts[counter_address (cell, index)], pair & 0xffffu);
      pair &= 0xffff0000u;
    }
    if (pair >> 16 >= least) {
      atomicAdd (counts[counter_address (cell, index + 1u)], pair >> 16);
      pair &= 0xffffu;
    }
    shared_counters[i] = pair;
  }
  workgroup_barrier ();
}

/* When samples of COUNTERS_ROOM have been counted: makes room for as many. */
void
counters_make_room (Cell cell)
{
  counters_move_out (cell, COUNTERS_KEPT);
}
#endif

void
counters_end (Cell cell)
{
#if PACKED
  counters_move_out (cell, 1u);
#else
  workgroup_barrier ();
  for (uint i = gl_LocalInvocationIndex; i < cell.job.n_counters; i += uint (LOCAL_SIZE_X)) {
    uint sum = 0u;
    /* each invocation starts at another copy: one bank each */
    for (uint k = 0u; k < 1u << replica_shift; k++)
      sum += shared_counters[first_copy (i) +
          ((k + gl_LocalInvocationIndex) & ((1u << replica_shift) - 1u))];
    if (sum != 0u)
      atomicAdd (counts[counter_address (cell, i)], sum);
  }
#endif
}

#else /* ---- global: indices are words of the counts ---- */

#define SPARE_WORD(k) spare_words[k]

shared uint spare_words[8];

uint run_index, run_length;

void
counters_begin (Cell cell)
{
  run_index = GST_GLES_HISTOGRAM_NO_COUNTER;
  run_length = 0u;
}

void
counters_end (Cell cell)
{
  if (run_index < GST_GLES_HISTOGRAM_NO_COUNTER)
    atomicAdd (counts[run_index], run_length);
}

void
counters_add_n (uint index, uint n)
{
  if (index != run_index) {
    if (run_index < GST_GLES_HISTOGRAM_NO_COUNTER)
      atomicAdd (counts[run_index], run_length);
    run_index = index;
    run_length = 0u;
  }
  run_length += n;
}

#endif

void
counters_add (uint index)
{
  counters_add_n (index, 1u);
}

uint
bin_of (uint value, GstGlesHistogramJob job)
{
#if SCALE
  return (value * job.bins) >> job.depth;
#else
  return value;
#endif
}
