// SPDX-License-Identifier: LGPL-2.1-or-later
/* Single pass: tests a tile, finds by decoupled look-back how many values pass before it, and
 * writes the values of the tile that pass.
 *
 * Defines: TEAM (1 or 2), LOCAL_SIZE_X, ROWS, PREDICATE, OUTPUTS, STAGED
 *   (compact/compact_tile.glsl), LOOK_BACK_TILES and NUMBERED (lib/lookback.glsl)
 * Bindings:
 *   uniform 0: the pass
 *   storage 0: the state; receives the result and the carry of the next window
 *   storage 1 and on: compact/compact_tile.glsl
 * Grid: at least one workgroup per tile, at least one. */
#define SCAN_ONCE
#include "compact/compact_tile.glsl"

uint
tile_aggregate (uint tile, uint n, out bool complete)
{
  complete = false;
  return tile_count (tile, n);
}

#include "lib/lookback.glsl"

/* Returns how many values pass up to the end of the tile. */
uint
compact_tile (uint tile, uint n)
{
  uvec4 rows[ROWS];
  uint bits[ROWS];
  uint ranks[ROWS];
  uint count, prefix;

  load_tile (tile, n, rows);
  tile_passes (tile, n, rows, bits);
  count = tile_ranks (bits, ranks);
  publish_aggregate (tile, count, false, window_carry ().x);
  /* Staging overlaps with the look-back of other subgroups. */
  stage_tile (tile, rows, bits, ranks);
  prefix = find_exclusive_prefix (tile, n, count, false, window_carry ().x);
  write_staged_tile (tile, n, rows, bits, ranks, count, prefix);
  return prefix + count;
}

void
main ()
{
  uint n = window_n ();
  uint last = max (n_tiles_of (n), 1u) - 1u;
  uint tile = take_tile ();

  if (tile <= last) {
    uint inclusive_prefix = compact_tile (tile, n);
    /* The state that this overwrites is not read before the next dispatch. */
    if (tile == last && team_rank () == 0u)
      write_compact_result (inclusive_prefix);
  }
#if !NUMBERED
  if (gl_LocalInvocationIndex == 0u)
    is_last_block ();
#endif
}
