// SPDX-License-Identifier: LGPL-2.1-or-later
/* Takes the counters of the values that count out of those of a picture of values, which has
 * counters behind them for what lies outside.
 *
 * Defines: LOCAL_SIZE_X
 * Bindings: uniform 0: Params; storage 0: receives the counters; storage 1: those of the picture
 * Grid: x workgroups, any number */
#include "frame/frame-expression-layout.h"

layout (std140, binding = 0) uniform Params
{
  GstGlesFrameExpressionCounts pass;
};

layout (std430, binding = 0) buffer Counts
{
  uint counts[];
};

layout (std430, binding = 1) readonly buffer Source
{
  uint source[];
};

void
main ()
{
  uint step = gl_NumWorkGroups.x * uint (LOCAL_SIZE_X);

  for (uint i = gl_GlobalInvocationID.x; i < pass.n_values + pass.n_bins; i += step) {
    if (i < pass.n_values) {
      counts[pass.native_offset + i] = source[i];
      if (i < 4u)
        counts[pass.difference_offset + i] = 0u;
    } else {
      uint k = i - pass.n_values;
      uint cell = k / pass.bins;

      counts[pass.cells_offset + k] =
          source[pass.source_cells + cell * pass.source_bins + k - cell * pass.bins];
    }
  }
}
