// SPDX-License-Identifier: LGPL-2.1-or-later
/* Prepares a sort for a count that the device holds: clamps it, writes the result, and makes the
 * workgroup counts.
 *
 * Defines: none
 * Bindings: uniform 0: the setup; storage 0: the state; storage 1: where the count is
 * Grid: one workgroup of one invocation. */
#include "lib/layout.h"

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

void
main ()
{
  uint count = counts[params.word];
  uint n = min (count, params.capacity);
  uint tiles = n / params.tile + (n % params.tile != 0u ? 1u : 0u);

  state[GST_GLES_SORT_TOTAL] = count;
  state[GST_GLES_SORT_TOTAL + 1] = 0u;
  state[GST_GLES_SORT_COUNT] = n;
  state[GST_GLES_SORT_STATUS] = count > n ? GST_GLES_ARRAY_STATUS_CLAMPED : 0u;
  state[GST_GLES_SORT_N] = n;
  state[GST_GLES_SORT_GROUPS] = min (tiles, params.max_groups_x);
  state[GST_GLES_SORT_GROUPS + 1] =
      tiles / params.max_groups_x + (tiles % params.max_groups_x != 0u ? 1u : 0u);
  state[GST_GLES_SORT_GROUPS + 2] = 1u;
}
