// SPDX-License-Identifier: LGPL-2.1-or-later
/* Counts one digit of the keys whose higher digits are those of the k-th key. The results of the
 * atomic additions do not depend on their order.
 *
 * Defines: LOCAL_SIZE_X
 * Bindings: uniform 0: the pass; storage 0: the state; storage 1: counts, 256 per digit; storage 2:
 *   the keys
 * Grid: x workgroups, any number; each takes every x-th group of LOCAL_SIZE_X consecutive keys. */
#include "top-k/top-k-layout.h"
#include "lib/barrier.glsl"

layout (std140, binding = 0) uniform Params
{
  GstGlesTopKPass params;
};

layout (std430, binding = 0) readonly buffer State
{
  uint state[];
};

layout (std430, binding = 1) buffer Counts
{
  uint counts[];
};

layout (std430, binding = 2) readonly buffer Keys
{
  uint keys[];
};

shared uint digits[256];

void
main ()
{
  uint n = params.array.counted != 0u ? state[GST_GLES_ARRAY_N] : params.array.n;
  uint step = gl_NumWorkGroups.x * uint (LOCAL_SIZE_X);
  uint prefix = state[GST_GLES_TOP_K_PREFIX];
  /* The mask of the higher digits; the first digit has none. */
  uint above = params.shift == 24u ? 0u : 0xffffffffu << (params.shift + 8u);

  for (uint i = gl_LocalInvocationIndex; i < 256u; i += uint (LOCAL_SIZE_X))
    digits[i] = 0u;
  workgroup_barrier ();
  for (uint i = gl_GlobalInvocationID.x; i < n; i += step) {
    uint key = keys[i] ^ params.flip ^ (uint (int (keys[i]) >> 31) & params.sign_flip);

    if (((key ^ prefix) & above) == 0u)
      atomicAdd (digits[(key >> params.shift) & 255u], 1u);
  }
  workgroup_barrier ();
  for (uint i = gl_LocalInvocationIndex; i < 256u; i += uint (LOCAL_SIZE_X)) {
    if (digits[i] != 0u)
      atomicAdd (counts[32u * (24u - params.shift) + i], digits[i]);
  }
}
