// SPDX-License-Identifier: LGPL-2.1-or-later
/* First of two passes over how many tiles records cover: the sum of each team's.
 *
 * Defines: TEAM, LOCAL_SIZE_X, ROWS (lib/tiles_counts.glsl)
 * Bindings: uniform 0: the pass; storage 0: the state; receives two words per team; storage 1: scratch
 * Grid: x workgroups, any number, the same for the second pass. */
#include "lib/tiles_counts.glsl"

void
main ()
{
  uint n = window_n ();
  uint team = team_index ();
  uvec2 tiles = team_tiles (team, n_teams (), n_tiles_of (n));
  uvec2 sum = uvec2 (0u);

  for (uint i = 0u; i < tiles.y; i++) {
    for (int r = 0; r < ROWS; r++) {
      uvec4 row = load_row (row_at (tiles.x + i, r), n);
      sum = add_64 (sum, joined (low_sum (row), high_sum (row)));
    }
  }
  sum = team_sum_64 (sum);
  if (team_rank () == 0u)
    write_partial (team, sum);
}
