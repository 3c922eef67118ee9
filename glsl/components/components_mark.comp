// SPDX-License-Identifier: LGPL-2.1-or-later
/* Stores the list index of each listed component in the label of its root, and replaces the node
 * in its record by the raster index of its first word.
 *
 * Defines: LOCAL_SIZE_X
 * Bindings: uniform 0: the pass; storage 0: the masks; storage 1: the labels; storage 2: the
 *   records; storage 3: the state, which has the number of records
 * Grid: x workgroups, at least one invocation for each of max_regions. */
#include "components/components_params.glsl"
#include "components/components_place.glsl"

layout (std430, binding = 1) writeonly buffer Labels
{
  uint labels[];
};

layout (std430, binding = 2) buffer Regions
{
  uint regions[];
};

layout (std430, binding = 3) readonly buffer State
{
  uint state[];
};

void
main ()
{
  uint i = gl_GlobalInvocationID.x;

  if (i >= state[GST_GLES_ARRAY_COUNT])
    return;
  uint node = regions[16u * i];
  labels[node] = GST_GLES_COMPONENTS_LISTED | i;
  regions[16u * i] = raster_index_of (node);
}
