// SPDX-License-Identifier: LGPL-2.1-or-later
/* Single pass: scans a tile and finds its exclusive prefix by decoupled look-back.
 *
 * Defines: TEAM (1 or 2), LOCAL_SIZE_X, ROWS, HEADS (scan/scan_rows.glsl), LOOK_BACK_TILES and
 *   NUMBERED (lib/lookback.glsl)
 * Bindings:
 *   uniform 0: the pass
 *   storage 0: the state; receives the result and the carry of the next window
 *   storage 1: the values
 *   storage 2: the sums; must not be the buffer of the values
 *   storage 3: the heads (HEADS 1) or the totals of the blocks (HEADS 2)
 * Grid: at least one workgroup per tile, at least one. */
#define WRITES 1
#define COUNT_WRAPS 1
#define SCAN_ONCE
#include "scan/scan_rows.glsl"

uint
tile_aggregate (uint tile, uint n, out bool complete)
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

/* How often sums over the values of this tile alone wrap. */
shared uint wraps_shared;

/* The test for 0 saves the atomic operation: most sums never wrap. Random ones wrap in every
 * invocation. */
void
add_wraps (uint wraps)
{
#if TEAM == 2
  uint sum = subgroup_add (wraps);

  if (SUBGROUP_LANE == 0u && sum != 0u)
    atomicAdd (wraps_shared, sum);
#else
  if (wraps != 0u)
    atomicAdd (wraps_shared, wraps);
#endif
}

/* Scans a tile and returns its inclusive prefix. @wraps receives, in invocation 0, how often the
 * sum wraps in the tile. */
uint
scan_tile (uint tile, uint n, out uint wraps)
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
  uint sum = total.x;
  bool complete = total.y != 0u;
#else
  uint sum = total;
  bool complete = false;
#endif
  publish_aggregate (tile, sum, complete, window_carry ().x);
#if HEADS == 0
  /* Here the work overlaps with the wait for other tiles, and the barrier of the look-back
   * suffices. */
  wraps = 0u;
  for (int r = 0; r < ROWS; r++)
    wraps += row_wraps (rows[r], row_sums[r]);
  add_wraps (wraps);
#endif
  prefix = find_exclusive_prefix (tile, n, sum, complete, window_carry ().x);
  /* The prefix can wrap once more when the aggregate is added to it. */
  wraps = wraps_shared + (prefix + sum < sum ? 1u : 0u);
  write_tile (tile, n, rows, row_sums, prefix);
  return complete ? sum : prefix + sum;
}

/* Writes the result of the last tile. Must be called by one invocation. The state that this
 * overwrites is not read before the next dispatch. */
void
write_scan_result (uint inclusive_prefix)
{
#if HEADS
  window_set_carry (uvec2 (inclusive_prefix, 0u));
  write_result (uvec2 (0u), array_n (), first_status ());
#else
  window_set_carry_word (0u, inclusive_prefix);
  state[GST_GLES_ARRAY_TOTAL] = inclusive_prefix;
  state[GST_GLES_ARRAY_COUNT] = array_n ();
#endif
}

/* Finishes a workgroup. Must be called by invocation 0. @group_wraps is the number of times that
 * the sum wrapped in its tile. */
void
finish_group (uint group_wraps)
{
#if HEADS == 0
  uint high;

  if (is_last_block_with_sum (group_wraps, high)) {
    high += window_carry ().y;
    window_set_carry_word (1u, high);
    state[GST_GLES_ARRAY_TOTAL + 1] = high;
    state[GST_GLES_ARRAY_STATUS] =
        first_status () | (high != 0u ? GST_GLES_ARRAY_STATUS_WRAPPED : 0u);
  }
#elif !NUMBERED
  is_last_block ();
#endif
}

void
main ()
{
  uint n = window_n ();
  uint last = max (n_tiles_of (n), 1u) - 1u;
  uint tile = take_tile (), wraps = 0u;

  /* The barriers of the tile separate this from the additions. */
  if (gl_LocalInvocationIndex == 0u)
    wraps_shared = 0u;
  if (tile <= last) {
    uint inclusive_prefix = scan_tile (tile, n, wraps);
    if (tile == last && team_rank () == 0u)
      write_scan_result (inclusive_prefix);
  }
  if (gl_LocalInvocationIndex == 0u)
    finish_group (wraps);
}
