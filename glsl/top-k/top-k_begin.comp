// SPDX-License-Identifier: LGPL-2.1-or-later
/* Initialises the search for the k-th key.
 *
 * Defines: LOCAL_SIZE_X
 * Bindings: uniform 0: the pass; storage 0: the state; storage 1: the counts of digits, set to zero
 * Grid: one workgroup. */
#include "top-k/top-k-layout.h"

layout (std140, binding = 0) uniform Params
{
  GstGlesTopKPass params;
};

layout (std430, binding = 0) buffer State
{
  uint state[];
};

layout (std430, binding = 1) buffer Counts
{
  uint counts[];
};

void
main ()
{
  uint n = params.array.counted != 0u ? state[GST_GLES_ARRAY_N] : params.array.n;

  for (uint i = gl_LocalInvocationIndex; i < 1024u; i += uint (LOCAL_SIZE_X))
    counts[i] = 0u;
  if (gl_LocalInvocationIndex == 0u) {
    state[GST_GLES_TOP_K_PREFIX] = 0u;
    state[GST_GLES_TOP_K_LEFT] = min (params.k, n);
  }
}
