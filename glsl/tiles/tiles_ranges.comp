// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds where the list of each tile begins in the sorted entries: the first entry whose tile is
 * not smaller. Every tile searches for itself, so empty tiles need no special case.
 *
 * Defines: LOCAL_SIZE_X; POINTS (tiles/tiles_record.glsl)
 * Bindings: uniform 0: the step; storage 0: the state; storage 1: the tile of each entry, sorted;
 *   storage 2: receives n_tiles + 1 offsets
 * Grid: x workgroups, any number; each takes every x-th group of LOCAL_SIZE_X consecutive tiles. */
#include "tiles/tiles-layout.h"
#include "tiles/tiles_record.glsl"

layout (std430, binding = 0) readonly buffer State
{
  uint state[];
};

layout (std430, binding = 1) readonly buffer Tiles
{
  uint tiles[];
};

layout (std430, binding = 2) writeonly buffer Offsets
{
  uint offsets[];
};

void
main ()
{
  uint n_entries = state[GST_GLES_ARRAY_COUNT];
  uint step = gl_NumWorkGroups.x * uint (LOCAL_SIZE_X);

  for (uint tile = gl_GlobalInvocationID.x; tile <= params.grid.n_tiles; tile += step) {
    uint first = 0u;
    uint last = n_entries;

    /* Three positions are read at a time, because the latency of memory dominates. */
    while (first < last) {
      uint quarter = (last - first) >> 2;
      uvec3 at = min (first + quarter * uvec3 (1u, 2u, 3u), uvec3 (last - 1u));
      uvec3 found = uvec3 (tiles[at.x], tiles[at.y], tiles[at.z]);

      if (found.z < tile) {
        first = at.z + 1u;
      } else if (found.y < tile) {
        first = at.y + 1u;
        last = at.z;
      } else if (found.x < tile) {
        first = at.x + 1u;
        last = at.y;
      } else {
        last = at.x;
      }
    }
    offsets[tile] = first;
  }
}
