// SPDX-License-Identifier: LGPL-2.1-or-later
/* First of two passes, or the only one: folds the tiles of each team.
 *
 * Defines: TEAM, LOCAL_SIZE_X, ROWS: a power of two, OP (reduce/reduce_fold.glsl)
 *   FINISHES  the last block folds the partial results; not with TEAM 0
 * Bindings:
 *   uniform 0: the pass
 *   storage 0: the state; receives two words per team: a 64-bit sum, or a node and 0
 *   storage 1: the values
 * Grid: x workgroups, any number of teams that suffices for tiles_per_team_log2(). */
#if OP == 2
#define FOLD_ROWS ROWS
#else
#define FOLD_ROWS 1
#endif
#define SCAN_ONCE
#include "reduce/reduce_fold.glsl"
#include "scan/scan_tile.glsl"
#if FINISHES
#include "lib/last_block.glsl"
#include "reduce/reduce_last.glsl"

shared bool is_last_shared;
#endif

#if OP == 0

uvec2
fold_tiles (uint first, uint last, uint n)
{
  uvec2 sum = uvec2 (0u);

  for (uint tile = first; tile < last; tile++) {
    uvec4 rows[ROWS];
    load_tile (tile, n, rows);
    for (int r = 0; r < ROWS; r++) {
      for (int c = 0; c < 4; c++) {
        sum.x += rows[r][c];
        sum.y += sum.x < rows[r][c] ? 1u : 0u;
        sum.y -= (rows[r][c] >> 31) & params.is_signed;
      }
    }
  }
  return team_sum_64 (sum);
}

#elif OP == 1

uvec2
fold_tiles (uint first, uint last, uint n)
{
  uint least[1];

  least[0] = FOLD_NONE;
  for (uint tile = first; tile < last; tile++) {
    uvec4 rows[ROWS];
    load_tile (tile, n, rows);
    for (int r = 0; r < ROWS; r++) {
      uint count = row_count (row_at (tile, r), n);
      uvec4 keys = rows[r] ^ params.flip ^ (uvec4 (ivec4 (rows[r]) >> 31) & params.sign_flip);
      for (uint c = 0u; c < 4u; c++)
        least[0] = min (least[0], c < count ? keys[c] : FOLD_NONE);
    }
  }
  return uvec2 (team_fold (least), 0u);
}

#else

uvec2
fold_tiles (uint first, uint last, uint n)
{
  Climb climb;

  climb.count = 0u;
  for (uint tile = first; tile < last; tile++) {
    uvec4 rows[ROWS];
    uint nodes[ROWS];
    load_tile (tile, n, rows);
    for (int r = 0; r < ROWS; r++) {
      uint count = row_count (row_at (tile, r), n);
      uvec4 leaves;
      for (uint c = 0u; c < 4u; c++)
        leaves[c] = c < count ? GST_GLES_F32_CLEAN (rows[r][c]) : FOLD_NONE;
      nodes[r] = fold (fold (leaves.x, leaves.y), fold (leaves.z, leaves.w));
    }
    climb_push (climb, team_fold (nodes));
  }
  return uvec2 (climb_top (climb), 0u);
}

#endif

void
main ()
{
  uint n = window_n ();
  uint n_tiles = n_tiles_of (n);
  uint k = tiles_per_team_log2 (n_tiles_of (array_n ()));
  uint team = team_index ();
  uint first = min (team << k, n_tiles);
  uint last = min (first + (1u << k), n_tiles);

  if (first < last) {
    uvec2 node = fold_tiles (first, last, n);
    if (team_rank () == 0u)
      write_partial (((params.array.first / TILE) >> k) + team, node);
  }
#if FINISHES
  if (team_rank () == 0u) {
    memoryBarrierBuffer ();
    is_last_shared = is_last_block ();
  }
  TEAM_BARRIER ();
  if (is_last_shared)
    finish ();
#endif
}
