// SPDX-License-Identifier: LGPL-2.1-or-later
/* Second of two passes that select the first k keys: writes the keys below the k-th key in input
 * order, then the first keys that equal it, until there are k.
 *
 * Defines: TEAM, LOCAL_SIZE_X, ROWS (top-k/top-k_tile.glsl)
 * Bindings:
 *   uniform 0: the pass
 *   storage 0: the state with the counts of the first pass; receives the result
 *   storage 1: the keys
 *   storage 2: receives k keys
 *   storage 3: receives their indices
 * Grid: as in the first pass. */
#include "top-k/top-k_tile.glsl"

layout (std430, binding = 2) writeonly buffer TopKeys
{
  uint top_keys[];
};

layout (std430, binding = 3) writeonly buffer TopIndices
{
  uint top_indices[];
};

uvec2
sides_before (uint team)
{
  uvec2 sum = uvec2 (0u);

  for (uint i = team_rank (); i < team; i += TEAM_SIZE)
    sum += read_partial (i);
  return uvec2 (team_sum (sum.x), team_sum (sum.y));
}

void
write_key (uint place, uint key, uint i)
{
  top_keys[place] = key;
  top_indices[place] = i;
}

void
main ()
{
  uint n = window_n ();
  uint team = team_index ();
  uvec2 tiles = team_tiles (team, n_teams (), n_tiles_of (n));
  uvec2 before = sides_before (team);
  uint k = min (params.k, n);
  uint equals = state[GST_GLES_TOP_K_LEFT];

  for (uint i = 0u; i < tiles.y; i++) {
    uvec4 rows[ROWS];
    uint bits[ROWS];
    uint ranks[ROWS];
    uint total;

    load_tile (tiles.x + i, n, rows);
    for (int r = 0; r < ROWS; r++) {
      bits[r] = row_sides (rows[r], row_count (row_at (tiles.x + i, r), n));
      ranks[r] = side_counts (bits[r]);
    }
    team_scan (ranks, total);
    for (int r = 0; r < ROWS; r++) {
      uint below = before.x + (ranks[r] & 0xffffu);
      uint equal = before.y + (ranks[r] >> 16);
      for (uint c = 0u; c < 4u; c++) {
        uint at = 4u * row_at (tiles.x + i, r) + c;
        if ((bits[r] & (1u << c)) != 0u)
          write_key (below++, rows[r][c], at);
        if ((bits[r] & (16u << c)) != 0u) {
          if (equal < equals)
            write_key (k - equals + equal, rows[r][c], at);
          equal++;
        }
      }
    }
    before += uvec2 (total & 0xffffu, total >> 16);
  }
  if (team == 0u && team_rank () == 0u)
    write_result (uvec2 (n, 0u), k, first_status ());
}
