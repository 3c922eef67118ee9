// SPDX-License-Identifier: LGPL-2.1-or-later
/* Second of two passes: each team adds up the counts of the teams before it, then writes the
 * values of its tiles that pass.
 *
 * Defines: TEAM, LOCAL_SIZE_X, ROWS, PREDICATE, OUTPUTS, STAGED (compact/compact_tile.glsl)
 * Bindings:
 *   uniform 0: the pass
 *   storage 0: the state with the counts of the first pass; receives the result and the carry of
 *     the next window
 *   storage 1 and on: compact/compact_tile.glsl
 * Grid: as in the first pass. */
#include "compact/compact_common.glsl"
#include "compact/compact_tile.glsl"
#include "scan/scan_partials.glsl"

void
main ()
{
  uint n = window_n ();
  uint team = team_index ();
  uint teams = n_teams ();
  uvec2 tiles = team_tiles (team, teams, n_tiles_of (n));

#if OUTPUTS
  write_tiles (tiles, n, prefix_of_team (team));
#endif
  if (team == teams - 1u) {
    uint total = sum_of_teams (teams).x;
    if (team_rank () == 0u)
      write_compact_result (total);
  }
}
