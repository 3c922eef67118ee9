// SPDX-License-Identifier: LGPL-2.1-or-later
/* First of two passes that select the first k keys: counts, in each team's tiles, the keys below
 * the k-th key and those equal to it.
 *
 * Defines: TEAM, LOCAL_SIZE_X, ROWS (top-k/top-k_tile.glsl)
 * Bindings: uniform 0: the pass; storage 0: the state; receives two words per team; storage 1: the
 *   keys
 * Grid: x workgroups, any number; the second pass must have the same. */
#include "top-k/top-k_tile.glsl"

void
main ()
{
  uint n = window_n ();
  uint team = team_index ();
  uvec2 tiles = team_tiles (team, n_teams (), n_tiles_of (n));
  uvec2 sides = uvec2 (0u);

  for (uint i = 0u; i < tiles.y; i++) {
    uvec4 rows[ROWS];
    load_tile (tiles.x + i, n, rows);
    for (int r = 0; r < ROWS; r++) {
      uint counts = side_counts (row_sides (rows[r], row_count (row_at (tiles.x + i, r), n)));
      sides += uvec2 (counts & 0xffffu, counts >> 16);
    }
  }
  sides = uvec2 (team_sum (sides.x), team_sum (sides.y));
  if (team_rank () == 0u)
    write_partial (team, sides);
}
