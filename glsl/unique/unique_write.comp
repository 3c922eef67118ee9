// SPDX-License-Identifier: LGPL-2.1-or-later
/* Second of two passes over keys, after segments_count: each team adds up the counts of the teams
 * before it, then writes the first key of each of its runs.
 *
 * Defines: TEAM, LOCAL_SIZE_X, ROWS, KEY_WORDS (segments/segments_tile.glsl)
 * Bindings:
 *   uniform 0: the pass
 *   storage 0: the state with the counts of the first pass; receives the result
 *   storage 1: the keys
 *   storage 2: receives a key per run
 * Grid: as in the first pass. */
#include "segments/segments_tile.glsl"
#include "scan/scan_partials.glsl"

layout (std430, binding = 2) writeonly buffer OutKeys
{
  Key out_keys[];
};

void
main ()
{
  uint n = window_n ();
  uint team = team_index ();
  uint teams = n_teams ();
  uvec2 tiles = team_tiles (team, teams, n_tiles_of (n));
  uint prefix = prefix_of_team (team);

  for (uint i = 0u; i < tiles.y; i++) {
    uint bits[ROWS];
    uint ranks[ROWS];
    uint count = tile_heads (tiles.x + i, n, bits, ranks);

    for (int r = 0; r < ROWS; r++) {
      uint place = prefix + ranks[r];
      for (uint c = 0u; c < 4u; c++) {
        bool begins = (bits[r] & (1u << c)) != 0u;

        if (begins && place < params.max_count)
          out_keys[place] = keys[4u * row_at (tiles.x + i, r) + c];
        place += begins ? 1u : 0u;
      }
    }
    prefix += count;
  }
  if (team == teams - 1u) {
    uint total = sum_of_teams (teams).x;

    if (team_rank () == 0u)
      write_result (uvec2 (total, 0u), min (total, params.max_count),
          first_status () | (total > params.max_count ? GST_GLES_ARRAY_STATUS_TRUNCATED : 0u));
  }
}
