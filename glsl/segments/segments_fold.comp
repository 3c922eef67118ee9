// SPDX-License-Identifier: LGPL-2.1-or-later
/* Folds the values of each run. It climbs the tree from both ends of the run and adds the nodes
 * that lie inside it, so the cost is the logarithm of the run's length. The result is that of the
 * tree over the whole array with neutral elements everywhere else.
 *
 * Defines: LOCAL_SIZE_X; STAT (segments/segments_node.glsl)
 * Bindings: uniform 0: the pass; storage 0: the state; storage 1: scratch; storage 2: the values;
 *   storage 3: receives a word per run
 * Grid: x workgroups, any number; each takes every x-th group of LOCAL_SIZE_X consecutive runs. */
#include "segments/segments-layout.h"
#include "segments/segments_node.glsl"

layout (std430, binding = 1) readonly buffer Scratch
{
  uint scratch[];
};

layout (std430, binding = 2) readonly buffer Values
{
  uint values[];
};

layout (std430, binding = 3) writeonly buffer Folded
{
  uint folded[];
};

Node
leaf (uint i)
{
  return leaf_of (values[i]);
}

/* Computes a node of a level below the stored ones. */
Node
low_node (uint level, uint i)
{
  uint first = i << level;
  Node node = leaf (first);

  if (level == 0u)
    return node;
  node = fold (node, leaf (first + 1u));
  if (level == 1u)
    return node;
  node = fold (node, fold (leaf (first + 2u), leaf (first + 3u)));
  if (level == 2u)
    return node;
  return fold (node,
      fold (fold (leaf (first + 4u), leaf (first + 5u)),
          fold (leaf (first + 6u), leaf (first + 7u))));
}

Node
whole_node (uint level, uint i)
{
  if (level < uint (GST_GLES_SEGMENTS_LEAF_BITS))
    return low_node (level, i);
  uint word = node_word (level, i);
#if STAT == 1
  return uvec2 (scratch[word], scratch[word + 1u]);
#else
  return scratch[word];
#endif
}

/* Folds the values from @first to @last, both included. */
Node
fold_run (uint first, uint last)
{
  Node left = leaf (first);

  if (first == last)
    return left;
  Node right = leaf (last);
  for (uint level = 0u; (first >> 1) != (last >> 1); level++) {
    if ((first & 1u) == 0u)
      left = fold (left, whole_node (level, first + 1u));
    if ((last & 1u) != 0u)
      right = fold (whole_node (level, last - 1u), right);
    first >>= 1;
    last >>= 1;
  }
  return fold (left, right);
}

uint
word_of (Node node)
{
#if STAT == 1
  return params.high != 0u ? node.y : node.x;
#elif STAT == 3
  /* The sign bit of the value follows from that of its key. */
  return node ^ params.flip ^ (uint (int (node ^ params.flip) >> 31) & params.sign_flip);
#else
  return node;
#endif
}

void
main ()
{
  uint n_runs = state[GST_GLES_ARRAY_COUNT];
  uint step = gl_NumWorkGroups.x * uint (LOCAL_SIZE_X);

  for (uint i = gl_GlobalInvocationID.x; i < n_runs; i += step)
    folded[i] = word_of (fold_run (scratch[i], scratch[i + 1u] - 1u));
}
