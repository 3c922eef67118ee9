// SPDX-License-Identifier: LGPL-2.1-or-later
/* Prepares the dispatches of reduce, scan and compact for a count that the device holds: clamps
 * the count, splits it into windows, and computes the grid of each.
 *
 * Defines: none
 * Bindings: uniform 0: the setup; storage 0: the state; storage 1: the block that holds the count
 * Grid: one workgroup of one invocation. */
#include "lib/array-layout.h"

layout (std140, binding = 0) uniform Params
{
  GstGlesArraySetup params;
};

layout (std430, binding = 0) buffer State
{
  uint state[];
};

layout (std430, binding = 1) readonly buffer Counts
{
  uint counts[];
};

uint
div_ceil (uint a, uint b)
{
  return a / b + (a % b != 0u ? 1u : 0u);
}

/* The first window always has a workgroup, which writes the result. Other empty windows have
 * none. */
void
setup_window (uint window, uint n)
{
  uint word = uint (GST_GLES_ARRAY_WINDOWS) + window * uint (GST_GLES_ARRAY_WINDOW_WORDS);
  uint groups = div_ceil (div_ceil (n, params.tile), params.teams_per_group);

  if (window == 0u)
    groups = max (groups, 1u);
  if (params.max_groups != 0u)
    groups = min (groups, params.max_groups);
  state[word] = min (groups, params.max_groups_x);
  state[word + 1u] = div_ceil (groups, params.max_groups_x);
  state[word + 2u] = 1u;
  state[word + 3u] = n;
}

void
main ()
{
  uint count = counts[params.word];
  uint n = min (count, params.capacity);

  state[GST_GLES_ARRAY_N] = n;
  state[GST_GLES_ARRAY_CLAMPED] = count > n ? GST_GLES_ARRAY_STATUS_CLAMPED : 0u;
  for (uint window = 0u; window < params.n_windows; window++) {
    uint first = window * params.window_size;
    setup_window (window, n > first ? min (n - first, params.window_size) : 0u);
  }
}
