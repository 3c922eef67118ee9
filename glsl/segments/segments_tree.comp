// SPDX-License-Identifier: LGPL-2.1-or-later
/* Makes nodes of the tree over the values: the lowest stored level from the values, or four levels
 * from the one below them.
 *
 * Defines: LOCAL_SIZE_X; STAT (segments/segments_node.glsl)
 *   FROM_VALUES  1: makes the lowest stored level
 * Bindings: uniform 0: the pass; storage 0: the state; storage 1: scratch; FROM_VALUES: storage 2:
 *   the values
 * Grid: x * y workgroups, at least an invocation per 16 values, or per 16 nodes of params.level. */
#include "segments/segments-layout.h"
#include "segments/segments_node.glsl"

layout (std430, binding = 1) buffer Scratch
{
  uint scratch[];
};

#if FROM_VALUES
layout (std430, binding = 2) readonly buffer Values
{
  uvec4 values[];
};
#endif

#define FAN 16u

void
write_node (uint level, uint i, Node node)
{
  uint word = node_word (level, i);

#if STAT == 1
  scratch[word] = node.x;
  scratch[word + 1u] = node.y;
#else
  scratch[word] = node;
#endif
}

#if !FROM_VALUES
Node
read_node (uint level, uint i)
{
  uint word = node_word (level, i);

#if STAT == 1
  return uvec2 (scratch[word], scratch[word + 1u]);
#else
  return scratch[word];
#endif
}
#endif

void
main ()
{
  uint place = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * uint (LOCAL_SIZE_X) +
      gl_LocalInvocationIndex;
  Node nodes[16];

#if FROM_VALUES
  uint level = uint (GST_GLES_SEGMENTS_LEAF_BITS);

  if (place >= n_nodes (level))
    return;
  for (uint r = 0u; r < 4u; r++) {
    uvec4 row = values[4u * place + r];
    for (uint c = 0u; c < 4u; c++)
      nodes[4u * r + c] = leaf_of (row[c]);
  }
  for (uint n = FAN / 2u; n > 0u; n /= 2u)
    for (uint i = 0u; i < n; i++)
      nodes[i] = fold (nodes[2u * i], nodes[2u * i + 1u]);
  write_node (level, place, nodes[0]);
#else
  uint level = params.level;
  uint first = FAN * place;
  uint last = n_nodes (level);

  /* Nodes that are not entirely inside the array are computed from undefined values and not
   * written. */
  if (first + 1u >= last)
    return;
  for (uint i = 0u; i < FAN; i++)
    nodes[i] = read_node (level, min (first + i, last - 1u));
  for (uint n = FAN / 2u; n > 0u; n /= 2u) {
    level++;
    first /= 2u;
    for (uint i = 0u; i < n; i++) {
      nodes[i] = fold (nodes[2u * i], nodes[2u * i + 1u]);
      if (first + i < n_nodes (level))
        write_node (level, first + i, nodes[i]);
    }
  }
#endif
}
