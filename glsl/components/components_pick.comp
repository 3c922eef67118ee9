// SPDX-License-Identifier: LGPL-2.1-or-later
/* Initialises the records of the listed components: the node of each, and neutral sums and
 * boxes.
 *
 * Defines: LOCAL_SIZE_X
 * Bindings: uniform 0: the pass; storage 0: the state, which has the number of candidates,
 *   receives the result; storage 1: the candidates; storage 2: their indices in the order of the
 *   list; storage 3: receives the records
 * Grid: x workgroups, at least one invocation for each of max_regions. */
#include "components/components_params.glsl"

layout (std430, binding = 0) buffer State
{
  uint state[];
};

layout (std430, binding = 1) readonly buffer Candidates
{
  uint candidates[];
};

layout (std430, binding = 2) readonly buffer Order
{
  uint order[];
};

layout (std430, binding = 3) writeonly buffer Regions
{
  uvec4 regions[];
};

void
main ()
{
  uint i = gl_GlobalInvocationID.x;
  uint total = state[GST_GLES_ARRAY_TOTAL];

  if (i < min (total, params.max_regions)) {
    regions[4u * i] =
        uvec4 (candidates[params.nodes_at + order[i]], 0xffffffffu, 0xffffffffu, 0u);
    for (uint k = 1u; k < 4u; k++)
      regions[4u * i + k] = uvec4 (0u);
  }
  if (i == 0u) {
    uint status = params.counted != 0u ? state[GST_GLES_ARRAY_CLAMPED] : 0u;
    state[GST_GLES_ARRAY_COUNT] = min (total, params.max_regions);
    state[GST_GLES_ARRAY_STATUS] =
        status | (total > params.max_regions ? GST_GLES_ARRAY_STATUS_TRUNCATED : 0u);
  }
}
