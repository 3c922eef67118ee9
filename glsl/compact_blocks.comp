// SPDX-License-Identifier: LGPL-2.1-or-later
/* compact_lookback.comp for subgroups that need each other for two numbers only. Each tests a stretch of
 * the tile by itself, four rows at a time, and puts what passes in a row in shared memory, so that
 * registers hold four rows however large the tile is; then what all have found and what stands before
 * the tile say where it goes. What looking back costs, a journey to memory or three while nothing is read,
 * is shared by four times the values.
 *
 * Defines: TEAM 2, LOCAL_SIZE_X, ROWS: a multiple of 4, PREDICATE, OUTPUTS (lib/compact_tile.glsl), LOOK
 *   and NUMBERED (lib/lookback.glsl); at most 32 invocations to a subgroup, and as many subgroups
 * Bindings:
 *   uniform 0: the pass
 *   storage 0: the state; receives the result and what the next window starts from
 *   storage 1 and on: lib/compact_tile.glsl
 * Grid: at least one workgroup per tile, at least one. */
#define SCAN_ONCE
#define BLOCKS
#include "lib/compact_tile.glsl"

#define BLOCK (4u * uint (ROWS) * SUBGROUP_SIZE)

uint
tile_sum (uint tile, uint n, out bool complete)
{
  uint count = 0u;

  complete = false;
  for (int r = 0; r < ROWS; r++) {
    uint at = row_at (tile, r);
    uint in_row = row_count (at, n);
    if (in_row > 0u)
      count += count_bits (row_passes (values[at], in_row));
  }
  return team_sum (count);
}

#include "lib/lookback.glsl"

#if OUTPUTS

/* Puts what passes of a row from staged[place] on: the values, or where they are. */
void
stage_row (uint at, uvec4 row, uint bits, uint place)
{
#if OUTPUTS != 1
  row = uvec4 (params.first + 4u * at) + uvec4 (0u, 1u, 2u, 3u);
#elif PREDICATE == 1
  if (bits != 0u)
    row = source[at];
#endif
  for (int c = 0; c < 4; c++) {
    if ((bits & (1u << c)) != 0u)
      staged[place++] = row[c];
  }
}

/* Writes a subgroup's @count entries behind @prefix others. */
void
write_block (uint count, uint prefix)
{
  uint first = SUBGROUP_ID * BLOCK;

  for (uint i = SUBGROUP_LANE; i < count; i += SUBGROUP_SIZE) {
    uint place = OUT_PLACE (prefix + i);
    uint word = staged[first + i];

    if (place < params.out_count) {
#if OUTPUTS & 2
      out_indices[place] = word;
#endif
#if OUTPUTS == 1
      out_values[place] = word;
#elif OUTPUTS == 3
      word -= params.first;
#if PREDICATE == 1
      out_values[place] = source[word / 4u][word % 4u];
#else
      out_values[place] = values[word / 4u][word % 4u];
#endif
#endif
    }
  }
}

#endif

/* Four rows of a subgroup, from the invocation's row r on, @count entries behind the block's first:
 * returns how many there are behind them. Sums over the subgroup for all four in one word. */
uint
stage_rows_of_block (uint tile, uint n, int r, uint count)
{
  uvec4 rows[4];
  uint bits[4];
  uint found = 0u;

  if (n / TILE > tile) {
    for (int i = 0; i < 4; i++)
      rows[i] = values[row_at (tile, r + i)];
    for (int i = 0; i < 4; i++)
      bits[i] = row_passes (rows[i], 4u);
  } else {
    for (int i = 0; i < 4; i++) {
      uint at = row_at (tile, r + i);
      uint in_row = row_count (at, n);
      rows[i] = uvec4 (0u);
      if (in_row > 0u)
        rows[i] = values[at];
      bits[i] = row_passes (rows[i], in_row);
    }
  }
  for (int i = 0; i < 4; i++)
    found |= count_bits (bits[i]) << (8 * i);

  uint inclusive = subgroup_inclusive_add (found);
  uint sums = subgroup_lane_word (inclusive, SUBGROUP_SIZE - 1u);
  uint before = inclusive - found;
  for (int i = 0; i < 4; i++) {
#if OUTPUTS
    stage_row (row_at (tile, r + i), rows[i], bits[i],
        SUBGROUP_ID * BLOCK + count + ((before >> (8 * i)) & 255u));
#endif
    count += (sums >> (8 * i)) & 255u;
  }
  return count;
}

/* Returns how many pass up to the end of the tile. */
uint
compact_tile (uint tile, uint n)
{
  uint count = 0u;
  uint before, total, prefix;

  for (int r = 0; r < ROWS; r += 4)
    count = stage_rows_of_block (tile, n, r, count);
  if (SUBGROUP_LANE == 0u)
    spine_sums[SUBGROUP_ID] = count;
  TEAM_BARRIER ();
  before = SUBGROUP_LANE < N_SUBGROUPS ? spine_sums[SUBGROUP_LANE] : 0u;
  before = subgroup_inclusive_add (before);
  total = subgroup_lane_word (before, N_SUBGROUPS - 1u);
  before = subgroup_lane_word (before, max (SUBGROUP_ID, 1u) - 1u);
  before = SUBGROUP_ID > 0u ? before : 0u;

  tile_publish (tile, total, false, window_carry ().x);
  prefix = tile_prefix (tile, n, total, false, window_carry ().x);
#if OUTPUTS
  write_block (count, prefix + before);
#endif
  return prefix + total;
}

void
main ()
{
  uint n = window_n ();
  uint last = max (n_tiles_of (n), 1u) - 1u;
  uint tile = take_tile ();

  if (tile <= last) {
    uint behind = compact_tile (tile, n);
    /* what it makes of the state nobody reads before the next dispatch */
    if (tile == last && team_rank () == 0u)
      write_compact_result (behind);
  }
#if !NUMBERED
  if (gl_LocalInvocationIndex == 0u)
    last_to_end ();
#endif
}
