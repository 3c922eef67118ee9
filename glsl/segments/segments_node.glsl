// SPDX-License-Identifier: LGPL-2.1-or-later
/* A binary tree over an array of values, whose shape does not depend on the data: node i of level
 * k covers the up to 1 << k values from i << k on. The nodes from level
 * GST_GLES_SEGMENTS_LEAF_BITS on that lie entirely inside the array are stored.
 * docs/algorithms/float-sums.md shows how a run is folded.
 *
 * Defines: STAT  0 sums modulo 2^32, 1 64-bit sums, 2 sums of f32, 3 the smallest key
 * Bindings: uniform 0: the pass; storage 0: the state; storage 1: scratch, the nodes
 *   after the runs */

layout (std140, binding = 0) uniform Params
{
  GstGlesSegmentsPass params;
};

layout (std430, binding = 0) readonly buffer State
{
  uint state[];
};

uint
n_values ()
{
  return params.counted != 0u ? state[GST_GLES_ARRAY_N] : params.n;
}

#if STAT == 1

#define Node uvec2

Node
fold (Node a, Node b)
{
  uint low = a.x + b.x;

  return uvec2 (low, a.y + b.y + (low < a.x ? 1u : 0u));
}

Node
leaf_of (uint value)
{
  return uvec2 (value, params.is_signed != 0u ? uint (int (value) >> 31) : 0u);
}

#else

#define Node uint

#if STAT == 0

#define fold(a, b) ((a) + (b))
#define leaf_of(value) (value)

#elif STAT == 2

/* One addition. Bits are normalised so that denormals and NaNs are equal on all devices. */
Node
fold (Node a, Node b)
{
  uint sum = floatBitsToUint (uintBitsToFloat (a) + uintBitsToFloat (b));

  return GST_GLES_F32_CLEAN (sum);
}

Node
leaf_of (uint value)
{
  return GST_GLES_F32_CLEAN (value);
}

#else

#define fold(a, b) min (a, b)

Node
leaf_of (uint value)
{
  return value ^ params.flip ^ (uint (int (value) >> 31) & params.sign_flip);
}

#endif
#endif

/* The number of nodes of a level that lie inside the array, and the index of a node's first
 * word. */
uint
n_nodes (uint level)
{
  return n_values () >> level;
}

uint
node_word (uint level, uint i)
{
  uint above = level - uint (GST_GLES_SEGMENTS_LEAF_BITS);
  uint place = 2u * params.leaves - ((2u * params.leaves) >> above) + i;

#if STAT == 1
  return params.tree + 2u * place;
#else
  return params.tree + place;
#endif
}
