// SPDX-License-Identifier: LGPL-2.1-or-later
/* Second of two passes over keys: each team adds up what the teams before it counted, then writes where
 * its runs begin and their keys.
 *
 * Defines: TEAM, LOCAL_SIZE_X, ROWS, KEY_WORDS (lib/segments_tile.glsl); OUT_KEYS: keys are written
 * Bindings:
 *   uniform 0: the pass
 *   storage 0: the state, as the first pass left it; receives the result
 *   storage 1: the keys
 *   storage 2: scratch; receives a word per run and one more: where the next one begins
 *   storage 3: OUT_KEYS: a key per run
 * Grid: as in the first pass. */
#include "lib/segments_tile.glsl"
#include "lib/scan_partials.glsl"

layout (std430, binding = 2) writeonly buffer Scratch
{
  uint scratch[];
};

#if OUT_KEYS
layout (std430, binding = 3) writeonly buffer OutKeys
{
  Key out_keys[];
};
#endif

void
write_head (uint place, uint i)
{
  if (place <= params.max_count)
    scratch[place] = i;
#if OUT_KEYS
  if (place < params.max_count)
    out_keys[place] = keys[i];
#endif
}

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
        if ((bits[r] & (1u << c)) != 0u)
          write_head (place++, 4u * row_at (tiles.x + i, r) + c);
      }
    }
    prefix += count;
  }
  if (team == teams - 1u) {
    uint total = sum_of_teams (teams).x;
    uint count = min (total, params.max_count);

    if (team_rank () == 0u) {
      if (total == count)
        scratch[total] = n;
      write_result (uvec2 (total, 0u), count,
          first_status () | (total > count ? GST_GLES_ARRAY_STATUS_TRUNCATED : 0u));
    }
  }
}
