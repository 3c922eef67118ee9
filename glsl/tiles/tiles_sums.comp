// SPDX-License-Identifier: LGPL-2.1-or-later
/* First of two passes over the counts of tiles: permutes the counts to key order and sums those of
 * each team.
 *
 * Defines: TEAM, LOCAL_SIZE_X, ROWS (tiles/tiles_counts.glsl)
 * Bindings: uniform 0: the pass; storage 0: the state; receives two words per team; storage 1:
 *   scratch
 * Grid: x workgroups, any number; the second pass must have the same. */
#include "tiles/tiles_counts.glsl"

/* Returns the input index of the i-th record in key order. */
uint
place_of (uint i, uint n)
{
  if (params.order == GST_GLES_TILES_SORTED)
    return scratch[i];
  return params.order == GST_GLES_TILES_FORWARD ? i : n - 1u - i;
}

/* Returns four consecutive counts in key order. */
uvec4
collect_row (uint at, uint n)
{
  uvec4 places = uvec4 (0u);
  uvec4 row = uvec4 (0u);

  /* All loads are issued before the first result is used. */
  for (uint c = 0u; c < 4u; c++)
    places[c] = place_of (min (4u * at + c, n - 1u), n);
  for (uint c = 0u; c < 4u; c++)
    row[c] = scratch[params.counts + places[c]];
  for (uint c = 0u; c < 4u; c++) {
    if (4u * at + c < n)
      scratch[params.offsets + 4u * at + c] = row[c];
    else
      row[c] = 0u;
  }
  return row;
}

void
main ()
{
  uint n = window_n ();
  uint team = team_index ();
  uvec2 tiles = team_tiles (team, n_teams (), n_tiles_of (n));
  uvec2 sum = uvec2 (0u);

  for (uint i = 0u; i < tiles.y; i++) {
    for (int r = 0; r < ROWS; r++) {
      uvec4 row = collect_row (row_at (tiles.x + i, r), n);
      sum = add_64 (sum, joined (low_sum (row), high_sum (row)));
    }
  }
  sum = team_sum_64 (sum);
  if (team_rank () == 0u)
    write_partial (team, sum);
}
