// SPDX-License-Identifier: LGPL-2.1-or-later
/* Three kinds of counters. The includer calls counters_begin(), counters_add() for each sample,
 * and counters_end(), which adds the counters to the buffer.
 *
 * Private: an array in function scope. On llvmpipe this is plain memory without atomics and by
 *   far the fastest.
 * Shared: in shared memory, each counter in as many replicas as fit. Neighbouring invocations
 *   use different replicas, so that a constant image is as fast as noise. With more counters
 *   than words, a workgroup keeps one range of them, PACKED as two 16-bit counters to a word,
 *   which are flushed before they can overflow. A range is every n-th block of 64 counters: this
 *   divides clustered values evenly, and flushes write neighbouring words.
 *   BANKS_MIXED 1: the bank of a counter depends on ten bits of its number, so the kernel keeps a
 *   multiple of 32 counters. With five bits, numbers with few bits set or with a common factor
 *   conflict more often (a copy of the loop in CUDA, H100, 4096 bins, 16 Mi keys, each the AND of
 *   three random ones: 28 us with five bits, 18 us with ten).
 * Global: directly in memory; a run of equal samples is one addition. Used where too few samples
 *   would pay for clearing and merging other counters.
 *
 * The includer defines CHECKED: 1: an index can be GST_GLES_NO_COUNTER, which counts nothing.
 * SPARE_WORD (0 to 7) is shared memory for the includer. It is free after counters_end() and a
 * barrier. */
#include "lib/counters-layout.h"
#include "lib/barrier.glsl"

layout (std430, binding = 1) coherent buffer Counts
{
  uint counts[];
};

/* The index, in the buffer, of counter @index of a workgroup. */
uint
counter_address (Cell cell, uint index)
{
#if COUNTERS == 0
  /* llvmpipe divides lane by lane. There are at most four channels. */
  uint channel = uint (index >= cell.job.bins) + uint (index >= 2u * cell.job.bins) +
      uint (index >= 3u * cell.job.bins);
#else
  uint channel = index / cell.job.bins;
#endif

  return cell.out_base + channel * (cell.job.channel_stride - cell.job.bins) + index;
}

#if COUNTERS == 0 /* ---- private ---- */

#define MERGE_COUNTERS 256u
#define SPARE_WORD(k) merge_counters[k]

/* The additional word takes the samples that are not counted. The size must be at least a
 * power of two plus one: llvmpipe can then prove that its clamp of the index does nothing, and
 * removes it. */
uint private_counters[PRIVATE_SIZE + 1];
shared uint merge_counters[256 * LOCAL_SIZE_X];

void
counters_begin (Cell cell)
{
  for (uint i = 0u; i < min (cell.job.n_counters, uint (PRIVATE_SIZE)); i++)
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

/* Sums the counters of the workgroup in shared memory before adding them to the buffer, which
 * halves the time that the atomics take. */
void
counters_end (Cell cell)
{
  uint local = gl_LocalInvocationIndex;
  uint n_words = min (cell.job.n_counters, uint (PRIVATE_SIZE));

  for (uint first = 0u; first < n_words; first += MERGE_COUNTERS) {
    uint n = min (n_words - first, MERGE_COUNTERS);

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
/* A flush on the way keeps smaller counters, because each flushed counter costs an atomic
 * addition. */
#define COUNTERS_KEPT 4096u
/* The samples that a workgroup can count between two flushes without overflow. */
#define SAMPLES_PER_FLUSH (65536u - COUNTERS_KEPT)
#define BLOCK_SHIFT 6
#define BLOCK_MASK 63u
/* SHARED_WORDS is a multiple of 32 */
#define RANGE_BLOCKS (RANGE_COUNTERS >> BLOCK_SHIFT)
uint range = 0u, n_ranges = 1u;
/* 2^32 / n_ranges, rounded up, by which a multiplication divides exactly for up to 2^12 blocks in
 * up to 2^20 ranges. */
uint range_factor = 0u;
#else
uint replica = 0u, replica_shift = 0u;

/* The first replica of a counter. */
uint
first_replica (uint index)
{
#if BANKS_MIXED
  index ^= (index >> 5) & 31u;
#endif
  return index << replica_shift;
}
#endif

#if PACKED
/* The position of a block of counters in the workgroup's range, or RANGE_BLOCKS if it belongs
 * to another range. */
uint
position_of (uint block)
{
  uint position, low;

  umulExtended (block, range_factor, position, low);
  if (n_ranges == 1u)
    position = block;
  return position * n_ranges + range == block ? position : RANGE_BLOCKS;
}
#endif

void
counters_begin (Cell cell)
{
#if PACKED
  uint n = uint (SHARED_WORDS);
  range = cell.range;
  n_ranges = cell.job.ranges;
  range_factor = 0xffffffffu / n_ranges + 1u;
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
  uint position = position_of (index >> BLOCK_SHIFT);

  if (position < RANGE_BLOCKS)
    atomicAdd (shared_counters[(position << (BLOCK_SHIFT - 1)) + ((index & BLOCK_MASK) >> 1)],
        n << ((index & 1u) << 4));
#elif CHECKED
  if (index < GST_GLES_NO_COUNTER)
    atomicAdd (shared_counters[first_replica (index) + replica], n);
#else
  atomicAdd (shared_counters[first_replica (index) + replica], n);
#endif
}

#if PACKED
/* Adds the counters of at least @least to the buffer and clears them. All invocations call this
 * together. */
void
counters_flush (Cell cell, uint least)
{
  workgroup_barrier ();
  for (uint i = gl_LocalInvocationIndex; i < uint (SHARED_WORDS); i += uint (LOCAL_SIZE_X)) {
    uint pair = shared_counters[i];
    uint position = 2u * i >> BLOCK_SHIFT;
    uint index = ((position * n_ranges + range) << BLOCK_SHIFT) + (2u * i & BLOCK_MASK);

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

/* To be called after SAMPLES_PER_FLUSH samples. As many can be counted afterwards. */
void
counters_flush_large (Cell cell)
{
  counters_flush (cell, COUNTERS_KEPT);
}
#endif

void
counters_end (Cell cell)
{
#if PACKED
  counters_flush (cell, 1u);
#else
  workgroup_barrier ();
  for (uint i = gl_LocalInvocationIndex; i < cell.job.n_counters; i += uint (LOCAL_SIZE_X)) {
    uint sum = 0u;
    /* Each invocation begins with another replica, so that the loads fall into different banks. */
    for (uint k = 0u; k < 1u << replica_shift; k++)
      sum += shared_counters[first_replica (i) +
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
  run_index = GST_GLES_NO_COUNTER;
  run_length = 0u;
}

void
counters_end (Cell cell)
{
  if (run_index < GST_GLES_NO_COUNTER)
    atomicAdd (counts[run_index], run_length);
}

void
counters_add_n (uint index, uint n)
{
  if (index != run_index) {
    if (run_index < GST_GLES_NO_COUNTER)
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
