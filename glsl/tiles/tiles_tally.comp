// SPDX-License-Identifier: LGPL-2.1-or-later
/* Counts the entries of each tile and of all tiles, and clears the counts of the next call. If the
 * entries exceed the capacity, the counts of tiles are not used and may be incomplete.
 *
 * Defines: TEAM, LOCAL_SIZE_X (lib/subgroup_team.glsl); ROWS: 1; POINTS (tiles/tiles_record.glsl)
 * Bindings: uniform 0: the step; storage 0: the state; storage 1: the records; storage 2: the block
 *   of lists, in which this call's counts are zero
 * Grid: x workgroups, any number; each takes every x-th group of LOCAL_SIZE_X
 *   consecutive records. */
#define SCAN_ROWS ROWS
#include "tiles/tiles-layout.h"
#include "tiles/tiles_spread.glsl"

/* A workgroup with at most so many entries per record does not check the total, because it would
 * have to wait for the result of the atomic operation. */
#define FEW_TILES 16u

layout (std430, binding = 0) readonly buffer State
{
  uint state[];
};

layout (std430, binding = 1) readonly buffer Records
{
  RawRecord records[];
};

layout (std430, binding = 2) buffer Local
{
  uint local[];
};

shared bool all_fit;

/* Adds to the number of all entries. Returns whether all entries so far fit. Must be called by one
 * invocation. */
bool
add_entries (uint n)
{
  uint before = atomicAdd (local[params.tally], n);

  if (before + n < before)
    atomicAdd (local[params.tally + 1u], 1u);
  return n <= FEW_TILES * TEAM_SIZE ||
      (before + n >= before && before + n <= params.max_entries && local[params.tally + 1u] == 0u);
}

void
main ()
{
  uint n = params.counted != 0u ? state[GST_GLES_ARRAY_N] : params.n;
  uint step = gl_NumWorkGroups.x * uint (LOCAL_SIZE_X);
  uint cleared = params.grid.n_tiles + uint (GST_GLES_TILES_TALLY_HEAD);

  for (uint i = gl_GlobalInvocationID.x; i < cleared; i += step)
    local[params.next_tally + i] = 0u;
  for (uint first = gl_WorkGroupID.x * uint (LOCAL_SIZE_X); first < n; first += step) {
    uint i = first + team_rank ();
    uint total = spread (record_from (records, min (i, n - 1u)), i < n ? ALL_TILES : 0u);

    if (team_rank () == 0u)
      all_fit = add_entries (total);
    if (total > FEW_TILES * TEAM_SIZE)
      workgroup_barrier ();
    if (total <= FEW_TILES * TEAM_SIZE || all_fit) {
      for (uint at = team_rank (); at < total; at += TEAM_SIZE) {
        uint tile = spread_tile (at).x;
        atomicAdd (local[params.tally + uint (GST_GLES_TILES_TALLY_HEAD) + tile], 1u);
      }
    }
    workgroup_barrier ();
  }
}
