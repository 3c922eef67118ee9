// SPDX-License-Identifier: LGPL-2.1-or-later
/* Prepares a sort for a count that the device holds: clamps it, writes the result, and computes
 * the grid.
 *
 * Defines: none
 * Bindings: uniform 0: the setup; storage 0: the state; storage 1: the block that holds the count
 * Grid: one workgroup of one invocation. */
#include "sort/sort-layout.h"

layout (std140, binding = 0) uniform Params
{
  GstGlesSortSetup params;
};

layout (std430, binding = 0) buffer State
{
  uint state[];
};

layout (std430, binding = 1) readonly buffer Counts
{
  uint counts[];
};

#define SORT_STATE state
#include "sort/sort_setup.glsl"

void
main ()
{
  write_sort_setup (counts[params.word], params.capacity, params.tile, params.max_groups_x);
}
