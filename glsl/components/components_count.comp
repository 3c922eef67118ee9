// SPDX-License-Identifier: LGPL-2.1-or-later
/* Counts the candidates in each team's tiles of mask words: the first of two passes that list the
 * candidates.
 *
 * Defines: TEAM, LOCAL_SIZE_X, ROWS (components/components_tile.glsl)
 * Bindings: uniform 0: the pass; storage 0: the state, receives two words per team; storage 1: the
 *   roots of tiles; storage 2: the sizes
 * Grid: x workgroups, any number, the same for the second pass. */
#include "components/components_tile.glsl"

void
main ()
{
  uint n = window_n ();
  uint team = team_index ();
  uvec2 tiles = team_tiles (team, n_teams (), n_tiles_of (n));
  uint count = 0u;

  for (uint i = 0u; i < tiles.y; i++) {
    uvec4 rows[ROWS];
    load_tile (tiles.x + i, n, rows);
    for (int r = 0; r < ROWS; r++) {
      uvec2 bits = candidates_of_row (row_at (tiles.x + i, r), rows[r]);
      count += count_of (bits.x) + count_of (bits.y);
    }
  }
  count = team_sum (count);
  if (team_rank () == 0u)
    write_partial (team, uvec2 (count, 0u));
}
