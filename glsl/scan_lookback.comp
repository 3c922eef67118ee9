// SPDX-License-Identifier: LGPL-2.1-or-later
/* Single pass: scans a tile and learns what stands before it by decoupled look-back.
 *
 * Defines: TEAM (1 or 2), LOCAL_SIZE_X, ROWS, HEADS (lib/scan_rows.glsl), LOOK and
 *   NUMBERED (lib/lookback.glsl)
 * Bindings:
 *   uniform 0: the pass
 *   storage 0: the state; receives the result and what the next window starts from
 *   storage 1: the values; storage 2: the sums, which must not be the values; storage 3: the heads
 *     (HEADS 1) or the blocks' totals (HEADS 2)
 * Grid: at least one workgroup per tile, at least one. */
#define WRITES 1
#define COUNT_WRAPS 1
#define SCAN_ONCE
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

/* How often sums over the values of the tile alone wrap. */
shared uint wraps_shared;

/* Most sums never wrap; random ones do in every invocation. */
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

/* Returns what stands behind the tile. @wraps, of invocation 0: how often the sum wraps in it. */
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
  tile_publish (tile, sum, complete, window_carry ().x);
#if HEADS == 0
  /* while other tiles publish, and so that no barrier has to follow */
  wraps = 0u;
  for (int r = 0; r < ROWS; r++)
    wraps += row_wraps (rows[r], row_sums[r]);
  add_wraps (wraps);
#endif
  prefix = tile_prefix (tile, n, sum, complete, window_carry ().x);
  /* one more where the sum of the tile makes what stands before it wrap */
  wraps = wraps_shared + (prefix + sum < sum ? 1u : 0u);
  write_tile (tile, n, rows, row_sums, prefix);
  return complete ? sum : prefix + sum;
}

/* By one invocation, behind the last tile: what the state receives nobody reads before the next dispatch. */
void
end_values (uint behind)
{
#if HEADS
  window_set_carry (uvec2 (behind, 0u));
  write_result (uvec2 (0u), array_n (), first_status ());
#else
  window_set_carry_word (0u, behind);
  state[GST_GLES_ARRAY_TOTAL] = behind;
  state[GST_GLES_ARRAY_COUNT] = array_n ();
#endif
}

/* By invocation 0, at the end of each workgroup: @group_wraps is how often the sum wrapped in its tile. */
void
end_group (uint group_wraps)
{
#if HEADS == 0
  uint high;

  if (last_to_end_of_sum (group_wraps, high)) {
    high += window_carry ().y;
    window_set_carry_word (1u, high);
    state[GST_GLES_ARRAY_TOTAL + 1] = high;
    state[GST_GLES_ARRAY_STATUS] =
        first_status () | (high != 0u ? GST_GLES_ARRAY_STATUS_WRAPPED : 0u);
  }
#elif !NUMBERED
  last_to_end ();
#endif
}

void
main ()
{
  uint n = window_n ();
  uint last = max (n_tiles_of (n), 1u) - 1u;
  uint tile = take_tile (), wraps = 0u;

  /* behind the barriers of a tile it is added to */
  if (gl_LocalInvocationIndex == 0u)
    wraps_shared = 0u;
  if (tile <= last) {
    uint behind = scan_tile (tile, n, wraps);
    if (tile == last && team_rank () == 0u)
      end_values (behind);
  }
  if (gl_LocalInvocationIndex == 0u)
    end_group (wraps);
}
