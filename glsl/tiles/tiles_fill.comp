// SPDX-License-Identifier: LGPL-2.1-or-later
/* Writes each entry that fits to the list of its tile, in any order. tiles_lists sorts the lists
 * by key and index, which differ between any two entries of a tile.
 *
 * Defines: TEAM, LOCAL_SIZE_X (lib/subgroup_team.glsl); ROWS: 1; POINTS (tiles/tiles_record.glsl)
 * Bindings: uniform 0: the step; storage 0: the block of lists, with the position of the next entry
 *   of each tile; storage 1: the records; storage 2: receives key and index of each entry
 * Grid: x workgroups, any number; each takes every x-th group of LOCAL_SIZE_X
 *   consecutive records. */
#define SCAN_ROWS ROWS
#include "tiles/tiles-layout.h"
#include "tiles/tiles_spread.glsl"
#include "tiles/tiles_cut.glsl"

layout (std430, binding = 0) buffer Local
{
  uint local[];
};

layout (std430, binding = 1) readonly buffer Records
{
  RawRecord records[];
};

layout (std430, binding = 2) writeonly buffer Entries
{
  uvec2 entries[];
};

shared uint keys[LOCAL_SIZE_X];

void
main ()
{
  uint n = local[GST_GLES_TILES_LOCAL_N];
  uvec3 cut = uvec3 (local[GST_GLES_TILES_LOCAL_CUT], local[GST_GLES_TILES_LOCAL_CUT + 1],
      local[GST_GLES_TILES_LOCAL_CUT + 2]);
  uint step = gl_NumWorkGroups.x * uint (LOCAL_SIZE_X);

  for (uint first = gl_WorkGroupID.x * uint (LOCAL_SIZE_X); first < n; first += step) {
    uint i = first + team_rank ();
    Record record = record_from (records, min (i, n - 1u));
    uint key = key_of (record, i) ^ params.flip;

    keys[team_rank ()] = key;
    uint total = spread (record, i < n ? kept_tiles (cut, key, i) : 0u);
    for (uint at = team_rank (); at < total; at += TEAM_SIZE) {
      uvec2 tile = spread_tile (at);
      uint place =
          atomicAdd (local[params.tally + uint (GST_GLES_TILES_TALLY_HEAD) + tile.x], 1u);
      entries[place] = uvec2 (keys[tile.y], first + tile.y);
    }
    workgroup_barrier ();
  }
}
