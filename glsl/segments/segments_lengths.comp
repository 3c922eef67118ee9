// SPDX-License-Identifier: LGPL-2.1-or-later
/* Writes where runs begin and how long they are.
 *
 * Defines: LOCAL_SIZE_X; OUTPUTS, bits: 1 starts, 2 lengths
 * Bindings: storage 0: the state; storage 1: scratch; storage 2 and following: the starts and the
 *   lengths, if they are written
 * Grid: x workgroups, any number; each takes every x-th group of LOCAL_SIZE_X consecutive runs. */
#include "lib/array-layout.h"

layout (std430, binding = 0) readonly buffer State
{
  uint state[];
};

layout (std430, binding = 1) readonly buffer Scratch
{
  uint scratch[];
};

#if OUTPUTS & 1
layout (std430, binding = 2) writeonly buffer Starts
{
  uint starts[];
};
#endif
#if OUTPUTS == 3
layout (std430, binding = 3) writeonly buffer Lengths
{
  uint lengths[];
};
#elif OUTPUTS == 2
layout (std430, binding = 2) writeonly buffer Lengths
{
  uint lengths[];
};
#endif

void
main ()
{
  uint n_runs = state[GST_GLES_ARRAY_COUNT];
  uint step = gl_NumWorkGroups.x * uint (LOCAL_SIZE_X);

  for (uint i = gl_GlobalInvocationID.x; i < n_runs; i += step) {
    uint start = scratch[i];
#if OUTPUTS & 1
    starts[i] = start;
#endif
#if OUTPUTS & 2
    lengths[i] = scratch[i + 1u] - start;
#endif
  }
}
