// SPDX-License-Identifier: LGPL-2.1-or-later
/* Selects the largest candidates, in order, with one workgroup, initialises their records with
 * neutral sums and boxes, and stores the list index of each in the label of its root. The
 * candidates are split into buckets by size, the largest first, until those that are certain and
 * those of the bucket that the last of the list lies in fit shared memory; candidates of one size
 * are split by their node. The remaining ones are ranked by comparing each with all others.
 *
 * Defines: LOCAL_SIZE_X; CAPACITY: candidates that fit shared memory, a multiple of 128, at least
 *   max_regions; PARTS (default 1): 2: the nodes of the candidates have a binding of their own
 * Bindings: uniform 0: the pass; storage 0: the state, receives the result; storage 1: the
 *   candidates; storage 2: receives the records; storage 3: the masks, then the number of points,
 *   and the counters of components_gather; storage 4: the labels; storage 5: with PARTS 2, the
 *   nodes
 * Grid: one workgroup. */
#include "components/components_params.glsl"
#define MASKS_BINDING 3
#include "components/components_place.glsl"
#include "components/components_buckets.glsl"
#include "lib/barrier.glsl"

/* Copies of the counters: most candidates have the same few sizes, and neighbouring invocations
 * would contend for one counter. */
#define COPIES (2u * uint (CAPACITY) / BUCKETS)
#define NO_BUCKET 0xffffffffu
/* Candidates that an invocation loads at a time, so that it waits for memory once for all. A small
 * workgroup is that of a device whose invocations have few registers. */
#if LOCAL_SIZE_X < 1024
#define AHEAD 1u
#else
#define AHEAD 8u
#endif

#ifndef PARTS
#define PARTS 1
#endif

layout (std430, binding = 0) writeonly buffer State
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

layout (std430, binding = 4) writeonly buffer Labels
{
  uint labels[];
};

#if PARTS == 2
layout (std430, binding = 5) readonly buffer Nodes
{
  uint nodes[];
};
#define NODE_OF(index) nodes[index]
#else
#define NODE_OF(index) candidates[params.nodes_at + (index)]
#endif

/* Candidates that may be listed: sizes above high_size; and sizes from low_size on with a node up
 * to last. Those below low_size never are. */
struct Range {
  uint low_size, high_size;
  uint first, last;
};

shared uint words[2 * CAPACITY]; /* the counters; then sizes and nodes */
shared uint chosen, n_certain, n_inside, n_kept;

uint
shift_of (uint distance)
{
  return max (bits_of (distance), 8u) - 8u;
}

/* The bucket of candidate @i, or NO_BUCKET if it is outside of the range. */
uint
bucket_of (Range range, uint size, uint i)
{
  if (size < range.low_size || size > range.high_size)
    return NO_BUCKET;
  if (range.low_size < range.high_size)
    return (range.high_size - size) >> shift_of (range.high_size - range.low_size);
  uint node = NODE_OF (i);
  if (node < range.first || node > range.last)
    return NO_BUCKET;
  return (node - range.first) >> shift_of (range.last - range.first);
}

Range
part_of (Range range, uint bucket)
{
  uint shift;

  if (range.low_size < range.high_size) {
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

/* Counts the candidates of each bucket, and adds up the copies in the first of each. */
void
count_buckets (Range range, uint n)
{
  uint copy = gl_LocalInvocationIndex % COPIES;

  for (uint i = gl_LocalInvocationIndex; i < 2u * uint (CAPACITY); i += uint (LOCAL_SIZE_X))
    words[i] = 0u;
  workgroup_barrier ();
  for (uint i = gl_LocalInvocationIndex; i < n; i += uint (LOCAL_SIZE_X)) {
    uint bucket = bucket_of (range, candidates[i], i);
    if (bucket != NO_BUCKET)
      atomicAdd (words[bucket * COPIES + copy], 1u);
  }
  workgroup_barrier ();
  for (uint b = gl_LocalInvocationIndex; b < BUCKETS; b += uint (LOCAL_SIZE_X)) {
    uint count = 0u;
    for (uint c = 0u; c < COPIES; c++)
      count += words[b * COPIES + c];
    words[b * COPIES] = count;
  }
  workgroup_barrier ();
}

/* Takes the counters of components_gather instead. */
void
load_buckets ()
{
  for (uint b = gl_LocalInvocationIndex; b < BUCKETS; b += uint (LOCAL_SIZE_X))
    words[b * COPIES] = masks[params.counters_at + b];
  workgroup_barrier ();
}

/* Finds the bucket of candidate @wanted. */
void
choose_bucket (uint wanted)
{
  uint certain = n_certain;

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

void
keep_candidate (Range range, uint size, uint i)
{
  if (size < range.low_size)
    return;
  uint node = NODE_OF (i);
  if (size > range.high_size || node <= range.last) {
    uint at = atomicAdd (n_kept, 1u);
    words[2u * at] = size;
    words[2u * at + 1u] = node;
  }
}

/* Puts the sizes and the nodes of candidates that may be listed into shared memory. */
void
keep_candidates (Range range, uint n)
{
  uint sizes[AHEAD];
  uint last = max (n, 1u) - 1u;

  workgroup_barrier ();
  for (uint i = gl_LocalInvocationIndex; i < n; i += AHEAD * uint (LOCAL_SIZE_X)) {
    for (uint k = 0u; k < AHEAD; k++)
      sizes[k] = candidates[min (i + k * uint (LOCAL_SIZE_X), last)];
    for (uint k = 0u; k < AHEAD; k++) {
      if (i + k * uint (LOCAL_SIZE_X) < n)
        keep_candidate (range, sizes[k], i + k * uint (LOCAL_SIZE_X));
    }
  }
  workgroup_barrier ();
}

void
write_record (uint at, uint node)
{
  regions[4u * at] = uvec4 (raster_index_of (node), 0xffffffffu, 0xffffffffu, 0u);
  for (uint k = 1u; k < 4u; k++)
    regions[4u * at + k] = uvec4 (0u);
  labels[node] = GST_GLES_COMPONENTS_LISTED | at;
}

void
write_records (uint wanted)
{
  for (uint i = gl_LocalInvocationIndex; i < n_kept; i += uint (LOCAL_SIZE_X)) {
    uint size = words[2u * i], node = words[2u * i + 1u], rank = 0u;
    for (uint k = 0u; k < n_kept; k++) {
      uint other = words[2u * k];
      rank += other > size || (other == size && words[2u * k + 1u] < node) ? 1u : 0u;
    }
    if (rank < wanted)
      write_record (rank, node);
  }
}

void
write_result (uint total, uint wanted)
{
  uint status = params.counted != 0u ? masks[params.n_words + 1u] : 0u;

  state[GST_GLES_ARRAY_TOTAL] = total;
  state[GST_GLES_ARRAY_TOTAL + 1] = 0u;
  state[GST_GLES_ARRAY_COUNT] = wanted;
  state[GST_GLES_ARRAY_STATUS] =
      status | (total > wanted ? GST_GLES_ARRAY_STATUS_TRUNCATED : 0u);
}

void
main ()
{
  uint total = masks[params.counters_at + BUCKETS];
  uint wanted = min (total, params.max_regions);
  Range range = Range (0u, 0xffffffffu, 0u, 0xffffffffu);

  if (gl_LocalInvocationIndex == 0u) {
    n_certain = 0u;
    n_inside = total;
    n_kept = 0u;
  }
  workgroup_barrier ();
  if (total > uint (CAPACITY)) {
    load_buckets ();
    choose_bucket (wanted);
    range.low_size = size_of_bucket (chosen);
    range.high_size = last_size_of_bucket (chosen);
    workgroup_barrier ();
  }
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
