// SPDX-License-Identifier: LGPL-2.1-or-later
/* First of two passes: how many values of each team's tiles pass.
 *
 * Defines: TEAM, LOCAL_SIZE_X, ROWS, PREDICATE (lib/compact_tile.glsl)
 * Bindings:
 *   uniform 0: the pass
 *   storage 0: the state; receives two words per team
 *   storage 1: the words that are tested
 * Grid: x workgroups, any number, the same for the second pass. */
#define OUTPUTS 0
#define STAGED 0
#include "lib/compact_tile.glsl"

void
main ()
{
  uint n = window_n ();
  uint team = team_index ();
  uvec2 tiles = team_tiles (team, n_teams (), n_tiles_of (n));
  uint count = 0u;

  for (uint i = 0u; i < tiles.y; i++) {
    uvec4 rows[ROWS];
    uint bits[ROWS];
    load_tile (tiles.x + i, n, rows);
    count += tile_passes (tiles.x + i, n, rows, bits);
  }
  count = team_sum (count);
  if (team_rank () == 0u)
    write_partial (team, uvec2 (count, 0u));
}
