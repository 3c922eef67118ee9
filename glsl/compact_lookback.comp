// SPDX-License-Identifier: LGPL-2.1-or-later
/* Single pass: tests a tile, learns by decoupled look-back how many values before it pass, and writes
 * those of the tile.
 *
 * Defines: TEAM (1 or 2), LOCAL_SIZE_X, ROWS, PREDICATE, OUTPUTS, STAGED (lib/compact_tile.glsl), LOOK
 *   (lib/lookback.glsl)
 * Bindings:
 *   uniform 0: the pass
 *   storage 0: the state; receives the result and what the next window starts from
 *   storage 1 and on: lib/compact_tile.glsl
 * Grid: at least one workgroup per tile, at least one. */
#include "lib/compact_tile.glsl"

uint
tile_sum (uint tile, uint n, out bool complete)
{
  complete = false;
  return tile_count (tile, n);
}

#include "lib/lookback.glsl"

/* Returns how many pass up to the end of the tile. */
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
  prefix = tile_prefix (tile, n, count, false, window_carry ().x);
  write_tile (tile, n, rows, bits, ranks, count, prefix);
  return prefix + count;
}

void
main ()
{
  uint n = window_n ();
  uint n_tiles = max (n_tiles_of (n), 1u);
  uint tile = take_tile ();
  uint behind = 0u;

  if (tile < n_tiles)
    behind = compact_tile (tile, n);
  if (gl_LocalInvocationIndex != 0u)
    return;
  if (tile == n_tiles - 1u) {
    atomicExchange (state[GST_GLES_ARRAY_TOTAL], behind);
    memoryBarrierBuffer ();
  }
  if (last_to_end ())
    write_compact_result (atomicOr (state[GST_GLES_ARRAY_TOTAL], 0u));
}
