// SPDX-License-Identifier: LGPL-2.1-or-later
/* First of two passes over keys: counts the runs that begin in each team's tiles.
 *
 * Defines: TEAM, LOCAL_SIZE_X, ROWS, KEY_WORDS (segments/segments_tile.glsl)
 * Bindings:
 *   uniform 0: the pass
 *   storage 0: the state; receives two words per team
 *   storage 1: the keys
 * Grid: x workgroups, any number; the second pass must have the same. */
#include "segments/segments_tile.glsl"

void
main ()
{
  uint n = window_n ();
  uint team = team_index ();
  uvec2 tiles = team_tiles (team, n_teams (), n_tiles_of (n));
  uint count = 0u;

  for (uint i = 0u; i < tiles.y; i++) {
    for (int r = 0; r < ROWS; r++)
      count += uint (bitCount (row_heads (row_at (tiles.x + i, r), n)));
  }
  count = team_sum (count);
  if (team_rank () == 0u)
    write_partial (team, uvec2 (count, 0u));
}
