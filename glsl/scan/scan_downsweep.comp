// SPDX-License-Identifier: LGPL-2.1-or-later
/* Second pass of reduce-then-scan: each team adds up the aggregates of the teams before it, then
 * scans its tiles.
 *
 * Defines: TEAM, LOCAL_SIZE_X, ROWS, HEADS (scan/scan_rows.glsl)
 * Bindings:
 *   uniform 0: the pass
 *   storage 0: the state with the partial results of the first pass; receives the result and the
 *     carry of the next window
 *   storage 1: the values
 *   storage 2: the sums; may be the buffer of the values
 *   storage 3: the heads (HEADS 1) or the totals of the blocks (HEADS 2)
 * Grid: as in the first pass. */
#define WRITES 1
#define COUNT_WRAPS 0
#include "scan/scan_rows.glsl"
#include "scan/scan_partials.glsl"

void
main ()
{
  uint n = window_n ();
  uint team = team_index ();
  uint teams = n_teams ();
  uvec2 tiles = team_tiles (team, teams, n_tiles_of (n));
  uint prefix = prefix_of_team (team);

#if BACKWARDS
  prefix += state[partial_word (team)];
#endif
  for (uint i = 0u; i < tiles.y; i++) {
#if BACKWARDS
    uint tile = tiles.x + tiles.y - 1u - i;
#else
    uint tile = tiles.x + i;
#endif
    uvec4 rows[ROWS];
    Element row_sums[ROWS];
    Element total;

    load_tile (tile, n, rows);
    for (int r = 0; r < ROWS; r++)
      row_sums[r] = row_sum (rows[r], row_heads (row_at (tile, r), n));
    team_scan (row_sums, total);
#if BACKWARDS
    prefix -= total;
#endif
    write_tile (tile, n, rows, row_sums, prefix);
#if HEADS
    prefix = total.y != 0u ? total.x : prefix + total.x;
#elif !BACKWARDS
    prefix += total;
#endif
  }
  store_pending_row ();

  if (team == teams - 1u) {
#if HEADS
    uvec2 end = uvec2 (prefix, 0u);
    uvec2 total = uvec2 (0u);
#else
    uvec2 end = sum_of_teams (teams);
    uvec2 total = end;
#endif
    if (team_rank () == 0u) {
      window_set_carry (end);
      write_result (total, array_n (),
          first_status () | (total.y != 0u ? GST_GLES_ARRAY_STATUS_WRAPPED : 0u));
    }
  }
}
