// SPDX-License-Identifier: LGPL-2.1-or-later
/* Sets words of a plan's state to zero.
 *
 * Defines: LOCAL_SIZE_X
 * Bindings: uniform 0: which words; storage 0: the state
 * Grid: x workgroups, any number. */
#include "lib/array-layout.h"

layout (std140, binding = 0) uniform Params
{
  GstGlesArrayClear params;
};

layout (std430, binding = 0) writeonly buffer State
{
  uint state[];
};

void
main ()
{
  uint step = gl_NumWorkGroups.x * uint (LOCAL_SIZE_X);

  for (uint i = gl_GlobalInvocationID.x; i < params.n; i += step)
    state[params.first + i] = 0u;
}
