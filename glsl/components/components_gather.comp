// SPDX-License-Identifier: LGPL-2.1-or-later
/* Lists the sizes and the nodes of the candidates, in any order, and counts them by size.
 *
 * Defines: LOCAL_SIZE_X; PARTS (default 1): 2: the nodes of the candidates have a binding of their
 *   own
 * Bindings: uniform 0: the pass; storage 0: the masks of tile roots, and the counters, which are
 *   zero before; storage 1: the sizes; storage 2: receives the candidates; storage 3: with PARTS 2,
 *   receives the nodes
 * Grid: x invocations, at least one per mask word. */
#include "components/components_params.glsl"
#include "components/components_buckets.glsl"
#include "lib/barrier.glsl"

#ifndef PARTS
#define PARTS 1
#endif

layout (std430, binding = 0) coherent buffer Masks
{
  uint masks[];
};

layout (std430, binding = 1) readonly buffer Sizes
{
  uint sizes[];
};

layout (std430, binding = 2) writeonly buffer Candidates
{
  uint candidates[];
};

#if PARTS == 2
layout (std430, binding = 3) writeonly buffer Nodes
{
  uint nodes[];
};
#define NODE_OF(index) nodes[index]
#else
#define NODE_OF(index) candidates[params.nodes_at + (index)]
#endif

shared uint counts[BUCKETS];
shared uint n_found, first;

/* Counts the candidates of a mask word by size. Returns which of its runs they are. */
uint
candidates_of (uint word)
{
  uint found = 0u;

  if (word >= params.n_words)
    return 0u;
  for (uint left = masks[params.roots_at + word]; left != 0u; left &= left - 1u) {
    uint i = lowest_of (left);
    uint size = sizes[word * GST_GLES_COMPONENTS_NODES + i];
    if (size >= params.min_size) {
      found |= 1u << i;
      atomicAdd (counts[bucket_of_size (size)], 1u);
    }
  }
  return found;
}

/* Adds the workgroup's counters to those of the grid, and reserves its part of the list. */
void
reserve ()
{
  if (gl_LocalInvocationIndex == 0u)
    first = n_found == 0u ? 0u : atomicAdd (masks[params.counters_at + BUCKETS], n_found);
  for (uint b = gl_LocalInvocationIndex; b < BUCKETS; b += uint (LOCAL_SIZE_X)) {
    if (counts[b] != 0u)
      atomicAdd (masks[params.counters_at + b], counts[b]);
  }
  workgroup_barrier ();
}

void
main ()
{
  uint word = gl_GlobalInvocationID.x;

  for (uint b = gl_LocalInvocationIndex; b < BUCKETS; b += uint (LOCAL_SIZE_X))
    counts[b] = 0u;
  if (gl_LocalInvocationIndex == 0u)
    n_found = 0u;
  workgroup_barrier ();
  uint found = candidates_of (word);
  uint at = found == 0u ? 0u : atomicAdd (n_found, count_of (found));
  workgroup_barrier ();
  reserve ();
  at += first;
  for (; found != 0u; found &= found - 1u) {
    uint node = word * GST_GLES_COMPONENTS_NODES + lowest_of (found);
    candidates[at] = sizes[node];
    NODE_OF (at) = node;
    at++;
  }
}
