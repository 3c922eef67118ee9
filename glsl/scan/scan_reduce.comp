// SPDX-License-Identifier: LGPL-2.1-or-later
/* First pass of reduce-then-scan: computes the aggregate of each team's tiles.
 *
 * Defines: TEAM, LOCAL_SIZE_X, ROWS, HEADS (scan/scan_rows.glsl)
 * Bindings:
 *   uniform 0: the pass
 *   storage 0: the state; receives two words per team: the 64-bit sum or, with HEADS, the sum
 *     since the last head and whether there is a head
 *   storage 1: the values
 *   storage 3: the heads (HEADS 1)
 * Grid: x workgroups, any number; the second pass must have the same. */
#define WRITES 0
#define COUNT_WRAPS 0
#include "scan/scan_rows.glsl"

#if HEADS

uvec2
sum_tiles (uvec2 tiles, uint n)
{
  uvec2 sum = ELEMENT_ZERO;

  for (uint i = 0u; i < tiles.y; i++)
    sum = combine (sum, tile_total (tiles.x + i, n));
  return sum;
}

#else

uvec2
sum_tiles (uvec2 tiles, uint n)
{
  uvec2 sum = uvec2 (0u);

  for (uint i = 0u; i < tiles.y; i++) {
    uvec4 rows[ROWS];
    load_tile (tiles.x + i, n, rows);
    for (int r = 0; r < ROWS; r++) {
      for (int c = 0; c < 4; c++) {
        sum.x += rows[r][c];
        sum.y += sum.x < rows[r][c] ? 1u : 0u;
      }
    }
  }
  return team_sum_64 (sum);
}

#endif

void
main ()
{
  uint n = window_n ();
  uint team = team_index ();
  uvec2 sum = sum_tiles (team_tiles (team, n_teams (), n_tiles_of (n)), n);

  if (team_rank () == 0u)
    write_partial (team, sum);
}
