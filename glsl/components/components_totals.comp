// SPDX-License-Identifier: LGPL-2.1-or-later
/* Computes the box, the sizes and the sums of each listed component. An invocation accumulates
 * one component in registers and adds these totals when it reaches another component. Many
 * invocations contribute to the first TABLE components of the list, which are the largest: their
 * totals go to a table in shared memory, all others directly to the records. The totals are
 * sums, minima and maxima of integers, so the order of execution does not change them.
 *
 * Defines: LOCAL_SIZE_X; TABLE: components in the shared table, 0: no table; SPAN: pixels of a
 *   mask word that make an item, 4 or 32; POINTS: 1: items are points
 * Bindings: uniform 0: the pass; storage 0: the masks, then the number of points; storage 1: the
 *   labels; storage 2: the words of a band of rows, or the points; storage 3: the records
 * Grid: x workgroups, any number; each takes a contiguous range of items. */
#include "components/components_params.glsl"
#include "lib/barrier.glsl"
#include "components/components_record.glsl"

layout (std430, binding = 0) readonly buffer Masks
{
  uint masks[];
};

layout (std430, binding = 1) readonly buffer Labels
{
  uint labels[];
};

#if POINTS
layout (std430, binding = 2) readonly buffer Points
{
  uvec2 points[];
};
#else
layout (std430, binding = 2) readonly buffer Words
{
  uint words[];
};
#endif

/* The list index of a node's component, or NOT_LISTED. */
uint
slot_of (uint node)
{
  uint label = labels[node];

  if ((label & GST_GLES_COMPONENTS_LISTED) == 0u)
    label = labels[label];
  return (label & GST_GLES_COMPONENTS_LISTED) != 0u ? label ^ GST_GLES_COMPONENTS_LISTED
                                                    : NOT_LISTED;
}

#if POINTS

uint
n_items ()
{
  return params.counted != 0u ? masks[params.n_words] : params.n;
}

void
add_item (uint i, inout Totals totals)
{
  uvec2 point = points[i];
  uvec2 at = uvec2 (point.x & 0xffffu, point.x >> 16);
  uvec2 cell = at / uvec2 (params.cell_width, params.cell_height);

  if (at.x >= params.frame_width || at.y >= params.frame_height)
    return;
  uint word = cell.y * params.row_words + cell.x / 32u;
  uint mask = masks[word];
  if ((mask & (1u << (cell.x % 32u))) == 0u)
    return;
  uint slot =
      slot_of (word * GST_GLES_COMPONENTS_NODES + run_at (starts_of (mask), cell.x % 32u));
  if (slot == NOT_LISTED)
    return;
  totals_take (totals, slot);
  totals_add_row (totals, at.x, at.x, at.y);
  totals_add_value (totals, point.y);
}

#else

#define ITEMS_PER_WORD uint (32 / SPAN)

uint
n_items ()
{
  return params.n_rows * params.row_words * ITEMS_PER_WORD;
}

void
add_piece (uint word, uint x, uint n, uint starts, inout Totals totals)
{
  uint slot = slot_of (word * GST_GLES_COMPONENTS_NODES + run_at (starts, x));
  uint row = word / params.row_words;
  uint left = 32u * (word % params.row_words) + x;
  uint at = params.base + (row - params.first_row) * params.width + left;

  if (slot == NOT_LISTED)
    return;
  totals_take (totals, slot);
  totals_add_row (totals, left, left + n - 1u, row);
  for (uint i = 0u; i < n; i++)
    totals_add_value (totals, words[at + i]);
}

void
add_item (uint i, inout Totals totals)
{
  uint word = params.first_row * params.row_words + i / ITEMS_PER_WORD;
  uint first = i % ITEMS_PER_WORD * uint (SPAN);
  uint mask = masks[word];
  uint starts = starts_of (mask);
  uint left = (mask >> first) & (0xffffffffu >> (32 - SPAN));

  while (left != 0u) {
    uint x = lowest_of (left);
    uint n = run_length (left, x);
    add_piece (word, first + x, n, starts, totals);
    left &= n == 32u ? 0u : ~(((1u << n) - 1u) << x);
  }
}

#endif

void
main ()
{
  uint n = n_items ();
  uint each = (n + gl_NumWorkGroups.x - 1u) / gl_NumWorkGroups.x;
#if TABLE
  uint first = min (gl_WorkGroupID.x * each, n);
  uint end = min (first + each, n);
  uint step = uint (LOCAL_SIZE_X);
  uint i = first + gl_LocalInvocationIndex;
#else
  /* Each invocation takes a contiguous range, so that items of one component follow each other. */
  each = (each + uint (LOCAL_SIZE_X) - 1u) / uint (LOCAL_SIZE_X);
  uint i = min (gl_GlobalInvocationID.x * each, n);
  uint end = min (i + each, n);
  uint step = 1u;
#endif
  Totals totals;

  table_begin ();
  totals_begin (totals);
  for (; i < end; i += step)
    add_item (i, totals);
  totals_flush (totals);
  table_flush ();
}
