// SPDX-License-Identifier: LGPL-2.1-or-later
/* First of two passes: counts the values of each team's tiles that pass.
 *
 * Defines: TEAM, LOCAL_SIZE_X, ROWS, PREDICATE (compact/compact_tile.glsl)
 * Bindings:
 *   uniform 0: the pass
 *   storage 0: the state; receives two words per team
 *   storage 1: the words that are tested
 * Grid: x workgroups, any number; the second pass must have the same. */
#define OUTPUTS 0
#define STAGED 0
#include "compact/compact_common.glsl"
#include "compact/compact_tile.glsl"

void
main ()
{
  uint n = window_n ();
  uint team = team_index ();
  uvec2 tiles = team_tiles (team, n_teams (), n_tiles_of (n));
  uint count = team_sum (count_tiles (tiles, n));

  if (team_rank () == 0u)
    write_partial (team, uvec2 (count, 0u));
}
