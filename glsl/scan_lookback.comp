// SPDX-License-Identifier: LGPL-2.1-or-later
/* Single pass: scans a tile and learns what stands before it by decoupled look-back.
 *
 * Defines: TEAM (1 or 2), LOCAL_SIZE_X, ROWS, HEADS (lib/scan_rows.glsl), LOOK (lib/lookback.glsl)
 * Bindings:
 *   uniform 0: the pass
 *   storage 0: the state; receives the result and what the next window starts from
 *   storage 1: the values; storage 2: the sums, which must not be the values; storage 3: the heads
 *     (HEADS 1) or the blocks' totals (HEADS 2)
 * Grid: at least one workgroup per tile, at least one. */
#define WRITES 1
#define COUNT_WRAPS 1
#include "lib/scan_rows.glsl"

uint
tile_sum (uint tile, uint n, out bool complete)
{
  Element total = tile_total (tile, n);

#if HEADS
  complete = total.y != 0u;
  return total.x;
#else
  complete = false;
  return total;
#endif
}

#include "lib/lookback.glsl"

shared uint wraps_shared;

/* Returns what stands behind the tile. */
uint
scan_tile (uint tile, uint n)
{
  uvec4 rows[ROWS];
  Element row_sums[ROWS];
  Element total;
  uint prefix;

  load_tile (tile, n, rows);
  for (int r = 0; r < ROWS; r++)
    row_sums[r] = row_sum (rows[r], row_heads (row_at (tile, r), n));
  team_scan (row_sums, total);
#if HEADS
  prefix = tile_prefix (tile, n, total.x, total.y != 0u, window_carry ().x);
  write_tile (tile, n, rows, row_sums, prefix);
  return total.y != 0u ? total.x : prefix + total.x;
#else
  prefix = tile_prefix (tile, n, total, false, window_carry ().x);
  write_tile (tile, n, rows, row_sums, prefix);
  return prefix + total;
#endif
}

void
main ()
{
  uint n = window_n ();
  uint n_tiles = max (n_tiles_of (n), 1u);
  uint tile = take_tile ();
  uint behind = 0u;

  if (gl_LocalInvocationIndex == 0u)
    wraps_shared = 0u;
  if (tile < n_tiles) {
    behind = scan_tile (tile, n);
#if HEADS == 0
    /* most sums never wrap */
    if (wraps != 0u)
      atomicAdd (wraps_shared, wraps);
#endif
  }
  TEAM_BARRIER ();
  if (gl_LocalInvocationIndex != 0u)
    return;
  if (wraps_shared != 0u || tile == n_tiles - 1u) {
    atomicAdd (state[GST_GLES_ARRAY_WRAPS], wraps_shared);
    if (tile == n_tiles - 1u)
      atomicExchange (state[GST_GLES_ARRAY_TOTAL], behind);
    memoryBarrierBuffer ();
  }
  if (last_to_end ()) {
    uint low = atomicOr (state[GST_GLES_ARRAY_TOTAL], 0u);
    uint high = atomicExchange (state[GST_GLES_ARRAY_WRAPS], 0u) + window_carry ().y;

    window_set_carry (uvec2 (low, high));
#if HEADS
    write_result (uvec2 (0u), array_n (), first_status ());
#else
    write_result (uvec2 (low, high), array_n (),
        first_status () | (high != 0u ? GST_GLES_ARRAY_STATUS_WRAPPED : 0u));
#endif
  }
}
