// SPDX-License-Identifier: LGPL-2.1-or-later
/* Second of two passes over the counts of tiles: replaces the count of each record by its first
 * entry, at most the capacity for entries.
 *
 * Defines: TEAM, LOCAL_SIZE_X, ROWS (tiles/tiles_counts.glsl)
 * Bindings: uniform 0: the pass; storage 0: the state with the sums of the first pass; receives the
 *   result; storage 1: scratch; storage 2: the state of the sort of entries, receives their number
 * Grid: as in the first pass. */
#include "tiles/tiles_counts.glsl"

layout (std430, binding = 2) writeonly buffer SortState
{
  uint sort_state[];
};

#define SORT_STATE sort_state
#include "sort/sort_setup.glsl"

/* Loads four consecutive counts. */
uvec4
load_row (uint at, uint n)
{
  uvec4 row = uvec4 (0u);

  for (uint c = 0u; c < 4u; c++) {
    if (4u * at + c < n)
      row[c] = scratch[params.offsets + 4u * at + c];
  }
  return row;
}

uvec2
sum_of_partials (uint last)
{
  uvec2 sum = uvec2 (0u);

  for (uint i = team_rank (); i < last; i += TEAM_SIZE)
    sum = add_64 (sum, read_partial (i));
  return team_sum_64 (sum);
}

uint
limited (uvec2 place)
{
  return place.y != 0u ? params.max_entries : min (place.x, params.max_entries);
}

void
write_row (uint at, uint n, uvec4 row, uvec2 place)
{
  for (uint c = 0u; c < 4u; c++) {
    if (4u * at + c < n)
      scratch[params.offsets + 4u * at + c] = limited (place);
    place = add_64 (place, uvec2 (row[c], 0u));
  }
}

void
main ()
{
  uint n = window_n ();
  uint team = team_index ();
  uint teams = n_teams ();
  uvec2 tiles = team_tiles (team, teams, n_tiles_of (n));
  uvec2 before = sum_of_partials (team);

  for (uint i = 0u; i < tiles.y; i++) {
    uvec4 rows[ROWS];
    uint lows[ROWS];
    uint highs[ROWS];
    uint low, high;

    for (int r = 0; r < ROWS; r++) {
      rows[r] = load_row (row_at (tiles.x + i, r), n);
      lows[r] = low_sum (rows[r]);
      highs[r] = high_sum (rows[r]);
    }
    team_scan (lows, low);
    team_scan (highs, high);
    for (int r = 0; r < ROWS; r++)
      write_row (row_at (tiles.x + i, r), n, rows[r], add_64 (before, joined (lows[r], highs[r])));
    before = add_64 (before, joined (low, high));
  }
  if (team == teams - 1u) {
    uvec2 total = sum_of_partials (teams);
    uint count = limited (total);

    if (team_rank () == 0u) {
      scratch[params.offsets + n] = count;
      scratch[params.head] = n;
      scratch[params.head + 1u] = count;
      write_sort_setup (count, count, params.sort_tile, params.sort_max_groups_x);
      write_result (total, count,
          first_status () |
              (total.y != 0u || total.x > count ? GST_GLES_ARRAY_STATUS_TRUNCATED : 0u));
    }
  }
}
