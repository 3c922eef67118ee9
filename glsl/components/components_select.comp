// SPDX-License-Identifier: LGPL-2.1-or-later
/* Selects the largest candidates, in order, with one workgroup, and initialises their records: the
 * node of each, and neutral sums and boxes. The candidates are split into 256 buckets by size, the
 * largest first, until those that are certain and those of the bucket that the last of the list
 * lies in fit shared memory; candidates of one size are split by their index. The remaining ones
 * are ranked by comparing each with all others.
 *
 * Defines: LOCAL_SIZE_X; CAPACITY: candidates that fit shared memory, a multiple of 128, at least
 *   max_regions; PARTS (default 1): 2: the nodes of the candidates have a binding of their own
 * Bindings: uniform 0: the pass; storage 0: the state, which has the number of candidates,
 *   receives the result; storage 1: the candidates; storage 2: receives the records; storage 3:
 *   with PARTS 2, the nodes
 * Grid: one workgroup. */
#include "components/components_params.glsl"
#include "lib/barrier.glsl"

#define BUCKETS 256u
/* Copies of the counters: most candidates have the same few sizes, and neighbouring invocations
 * would contend for one counter. */
#define COPIES (2u * uint (CAPACITY) / BUCKETS)
#define NO_BUCKET 0xffffffffu

#ifndef PARTS
#define PARTS 1
#endif

layout (std430, binding = 0) buffer State
{
  uint state[];
};

layout (std430, binding = 1) readonly buffer Candidates
{
  uint candidates[];
};

layout (std430, binding = 2) writeonly buffer Regions
{
  uvec4 regions[];
};

#if PARTS == 2
layout (std430, binding = 3) readonly buffer Nodes
{
  uint nodes[];
};
#define NODE_OF(index) nodes[index]
#else
#define NODE_OF(index) candidates[params.nodes_at + (index)]
#endif

/* Candidates that may be listed: sizes above high_size; and sizes from low_size on with an index
 * up to last. Those below low_size never are. */
struct Range {
  uint low_size, high_size;
  uint first, last;
  bool by_logarithm; /* how the range is split next */
};

shared uint words[2 * CAPACITY]; /* the counters; then sizes and indices */
shared uint chosen, n_certain, n_inside, n_kept;

/* The number of bits that @value needs. */
uint
bits_of (uint value)
{
  int high = findMSB (value);

  return uint (high + 1);
}

/* Eight buckets for each power of two, exact below 16. */
uint
logarithm_of (uint size)
{
  uint bits = bits_of (size);

  return bits <= 4u ? size : 8u * (bits - 3u) + ((size >> (bits - 4u)) & 7u);
}

/* The smallest size of a bucket of logarithm_of(). */
uint
size_of_logarithm (uint bucket)
{
  return bucket < 16u ? bucket : (8u + (bucket & 7u)) << ((bucket >> 3u) - 1u);
}

uint
shift_of (uint distance)
{
  return max (bits_of (distance), 8u) - 8u;
}

/* The bucket of a candidate, or NO_BUCKET if it is outside of the range. */
uint
bucket_of (Range range, uint size, uint index)
{
  if (size < range.low_size || size > range.high_size || index < range.first ||
      index > range.last)
    return NO_BUCKET;
  if (range.by_logarithm)
    return BUCKETS - 1u - logarithm_of (size);
  if (range.low_size < range.high_size)
    return (range.high_size - size) >> shift_of (range.high_size - range.low_size);
  return (index - range.first) >> shift_of (range.last - range.first);
}

Range
part_of (Range range, uint bucket)
{
  uint shift;

  if (range.by_logarithm) {
    uint logarithm = BUCKETS - 1u - bucket;
    range.by_logarithm = false;
    range.low_size = size_of_logarithm (logarithm);
    range.high_size = logarithm == 8u * 29u + 7u ? 0xffffffffu
                                                 : size_of_logarithm (logarithm + 1u) - 1u;
  } else if (range.low_size < range.high_size) {
    shift = shift_of (range.high_size - range.low_size);
    range.high_size -= bucket << shift;
    range.low_size = max (range.low_size, range.high_size - min ((1u << shift) - 1u,
        range.high_size));
  } else {
    shift = shift_of (range.last - range.first);
    range.first += bucket << shift;
    range.last = min (range.last, range.first + ((1u << shift) - 1u));
  }
  return range;
}

void
count_buckets (Range range, uint n)
{
  uint copy = gl_LocalInvocationIndex % COPIES;
  uint bucket = NO_BUCKET, count = 0u;

  for (uint i = gl_LocalInvocationIndex; i < 2u * uint (CAPACITY); i += uint (LOCAL_SIZE_X))
    words[i] = 0u;
  workgroup_barrier ();
  for (uint i = gl_LocalInvocationIndex; i < n; i += uint (LOCAL_SIZE_X)) {
    uint next = bucket_of (range, candidates[i], i);
    if (next != bucket) {
      if (bucket != NO_BUCKET)
        atomicAdd (words[bucket * COPIES + copy], count);
      bucket = next;
      count = 0u;
    }
    count++;
  }
  if (bucket != NO_BUCKET)
    atomicAdd (words[bucket * COPIES + copy], count);
  workgroup_barrier ();
}

/* Adds up the copies in the first of each bucket, then finds the bucket of candidate @wanted. */
void
choose_bucket (uint wanted)
{
  uint certain = n_certain;

  for (uint b = gl_LocalInvocationIndex; b < BUCKETS; b += uint (LOCAL_SIZE_X)) {
    uint count = 0u;
    for (uint c = 0u; c < COPIES; c++)
      count += words[b * COPIES + c];
    words[b * COPIES] = count;
  }
  workgroup_barrier ();
  for (uint b = gl_LocalInvocationIndex; b < BUCKETS; b += uint (LOCAL_SIZE_X)) {
    uint before = certain, count = words[b * COPIES];
    for (uint c = 0u; c < b; c++)
      before += words[c * COPIES];
    if (before < wanted && before + count >= wanted) {
      chosen = b;
      n_certain = before;
      n_inside = count;
    }
  }
  workgroup_barrier ();
}

/* Puts the sizes and the indices of candidates that may be listed into shared memory. */
void
keep_candidates (Range range, uint n)
{
  workgroup_barrier ();
  for (uint i = gl_LocalInvocationIndex; i < n; i += uint (LOCAL_SIZE_X)) {
    uint size = candidates[i];
    if (size > range.high_size || (size >= range.low_size && i <= range.last)) {
      uint at = atomicAdd (n_kept, 1u);
      words[2u * at] = size;
      words[2u * at + 1u] = i;
    }
  }
  workgroup_barrier ();
}

void
write_record (uint at, uint index)
{
  regions[4u * at] = uvec4 (NODE_OF (index), 0xffffffffu, 0xffffffffu, 0u);
  for (uint k = 1u; k < 4u; k++)
    regions[4u * at + k] = uvec4 (0u);
}

void
write_records (uint wanted)
{
  for (uint i = gl_LocalInvocationIndex; i < n_kept; i += uint (LOCAL_SIZE_X)) {
    uint size = words[2u * i], index = words[2u * i + 1u], rank = 0u;
    for (uint k = 0u; k < n_kept; k++) {
      uint other = words[2u * k];
      rank += other > size || (other == size && words[2u * k + 1u] < index) ? 1u : 0u;
    }
    if (rank < wanted)
      write_record (rank, index);
  }
}

void
write_result (uint total, uint wanted)
{
  uint status = params.counted != 0u ? state[GST_GLES_ARRAY_CLAMPED] : 0u;

  state[GST_GLES_ARRAY_COUNT] = wanted;
  state[GST_GLES_ARRAY_STATUS] =
      status | (total > wanted ? GST_GLES_ARRAY_STATUS_TRUNCATED : 0u);
}

void
main ()
{
  uint total = state[GST_GLES_ARRAY_TOTAL];
  uint wanted = min (total, params.max_regions);
  Range range = Range (0u, 0xffffffffu, 0u, max (total, 1u) - 1u, true);

  if (gl_LocalInvocationIndex == 0u) {
    n_certain = 0u;
    n_inside = total;
    n_kept = 0u;
  }
  workgroup_barrier ();
  while (n_certain + n_inside > uint (CAPACITY)) {
    count_buckets (range, total);
    choose_bucket (wanted);
    range = part_of (range, chosen);
    workgroup_barrier ();
  }
  if (wanted > 0u)
    keep_candidates (range, total);
  write_records (wanted);
  if (gl_LocalInvocationIndex == 0u)
    write_result (total, wanted);
}
