// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds where the list of each tile begins. If the entries exceed the capacity, it finds the
 * record in key order at which the capacity ends, and counts the entries before it again. That
 * case is slow, because a single workgroup does it.
 *
 * Defines: TEAM, LOCAL_SIZE_X, ROWS (lib/subgroup_team.glsl); POINTS (tiles/tiles_record.glsl)
 * Bindings: uniform 0: the step; storage 0: the state; receives the result; storage 1: the records;
 *   storage 2: the block of lists; storage 3: receives n_tiles + 1 offsets
 * Grid: one workgroup. */
#define SCAN_ROWS ROWS
#include "tiles/tiles-layout.h"
#include "tiles/tiles_spread.glsl"
#include "tiles/tiles_cut.glsl"

layout (std430, binding = 0) buffer State
{
  uint state[];
};

layout (std430, binding = 1) readonly buffer Records
{
  RawRecord records[];
};

layout (std430, binding = 2) coherent buffer Local
{
  uint local[];
};

layout (std430, binding = 3) writeonly buffer Offsets
{
  uint offsets[];
};

#define DIGITS 256u

/* The number of entries per digit of the records' keys, in 64 bits; and the result of the
 * search. */
shared uint low_sums[DIGITS], high_sums[DIGITS];
shared uint cut_key, cut_place, cut_tiles;

uint
tally_word (uint tile)
{
  return params.tally + uint (GST_GLES_TILES_TALLY_HEAD) + tile;
}

/* Returns the key of record @i; @n_tiles receives the number of tiles that it covers. */
uint
key_and_tiles (uint i, out uint n_tiles)
{
  Record record = record_from (records, i);
  uvec4 span;

  n_tiles = find_span (record, span) ? span_tiles (span) : 0u;
  return key_of (record, i) ^ params.flip;
}

/* ---- when the entries exceed the capacity ---- */

/* Returns the first digit whose entries exceed @remaining. Subtracts the entries of all smaller
 * digits. */
uint
find_digit (inout uint remaining)
{
  uint digit = 0u;

  while (digit < DIGITS - 1u && high_sums[digit] == 0u && low_sums[digit] <= remaining) {
    remaining -= low_sums[digit];
    digit++;
  }
  return digit;
}

/* Finds the key of the record at which the capacity ends, from the most significant digit on.
 * @remaining becomes the capacity for the entries of records with that key. */
uint
find_cut_key (uint n, inout uint remaining)
{
  uint known = 0u;
  uint key = 0u;

  for (int shift = 24; shift >= 0; shift -= 8) {
    for (uint i = team_rank (); i < DIGITS; i += TEAM_SIZE) {
      low_sums[i] = 0u;
      high_sums[i] = 0u;
    }
    workgroup_barrier ();
    for (uint i = team_rank (); i < n; i += TEAM_SIZE) {
      uint n_tiles;
      uint other = key_and_tiles (i, n_tiles);
      if ((other & known) == key && n_tiles > 0u) {
        uint digit = (other >> shift) & (DIGITS - 1u);
        uint before = atomicAdd (low_sums[digit], n_tiles);
        if (before + n_tiles < before)
          atomicAdd (high_sums[digit], 1u);
      }
    }
    workgroup_barrier ();
    key |= find_digit (remaining) << shift;
    known |= (DIGITS - 1u) << shift;
    workgroup_barrier ();
  }
  return key;
}

/* Finds this record among those with the same key, in input order. */
void
find_cut_place (uint n, uint key, uint remaining)
{
  for (uint first = 0u; first < n; first += TEAM_SIZE) {
    uint i = first + team_rank ();
    uint rows[ROWS];
    uint n_tiles = 0u;
    uint total;

    if (i < n && key_and_tiles (i, n_tiles) != key)
      n_tiles = 0u;
    for (int r = 0; r < ROWS; r++)
      rows[r] = 0u;
    rows[0] = n_tiles;
    team_scan (rows, total);
    if (rows[0] <= remaining && remaining < rows[0] + n_tiles) {
      cut_key = key;
      cut_place = i;
      cut_tiles = remaining - rows[0];
    }
    if (remaining < total)
      break;
    remaining -= total;
  }
  workgroup_barrier ();
}

/* Counts the entries that fit again. */
void
tally_kept (uint n, uvec3 cut)
{
  for (uint tile = team_rank (); tile < params.grid.n_tiles; tile += TEAM_SIZE)
    local[tally_word (tile)] = 0u;
  memoryBarrierBuffer ();
  workgroup_barrier ();
  for (uint first = 0u; first < n; first += TEAM_SIZE) {
    uint i = min (first + team_rank (), n - 1u);
    Record record = record_from (records, i);
    uint limit = kept_tiles (cut, key_of (record, i) ^ params.flip, i);
    uint total = spread (record, i == first + team_rank () ? limit : 0u);

    for (uint at = team_rank (); at < total; at += TEAM_SIZE)
      atomicAdd (local[tally_word (spread_tile (at).x)], 1u);
    workgroup_barrier ();
  }
  memoryBarrierBuffer ();
  workgroup_barrier ();
}

uvec3
make_cut (uint n)
{
  uint remaining = params.max_entries;
  uint key = find_cut_key (n, remaining);

  find_cut_place (n, key, remaining);
  return uvec3 (cut_key, cut_place, cut_tiles);
}

/* ---- always ---- */

/* Replaces counts by offsets. Neighbouring invocations access neighbouring words. */
void
scan_tiles ()
{
  uint sum = 0u;

  for (uint first = 0u; first < params.grid.n_tiles; first += uint (ROWS) * TEAM_SIZE) {
    uint rows[ROWS];
    uint total;

    for (int r = 0; r < ROWS; r++) {
      uint tile = first + uint (r) * TEAM_SIZE + team_rank ();
      rows[r] = tile < params.grid.n_tiles ? local[tally_word (tile)] : 0u;
    }
    team_scan (rows, total);
    for (int r = 0; r < ROWS; r++) {
      uint tile = first + uint (r) * TEAM_SIZE + team_rank ();
      if (tile < params.grid.n_tiles) {
        offsets[tile] = sum + rows[r];
        local[tally_word (tile)] = sum + rows[r];
      }
    }
    sum += total;
  }
}

void
write_plan (uint n, uvec2 total, uint count, uvec3 cut)
{
  uint status = params.counted != 0u ? state[GST_GLES_ARRAY_CLAMPED] : 0u;

  offsets[params.grid.n_tiles] = count;
  local[GST_GLES_TILES_LOCAL_N] = n;
  local[GST_GLES_TILES_LOCAL_TASKS] = 0u;
  local[GST_GLES_TILES_LOCAL_CUT] = cut.x;
  local[GST_GLES_TILES_LOCAL_CUT + 1] = cut.y;
  local[GST_GLES_TILES_LOCAL_CUT + 2] = cut.z;
  state[GST_GLES_ARRAY_TOTAL] = total.x;
  state[GST_GLES_ARRAY_TOTAL + 1] = total.y;
  state[GST_GLES_ARRAY_COUNT] = count;
  state[GST_GLES_ARRAY_STATUS] =
      status | (total.y != 0u || total.x > count ? GST_GLES_ARRAY_STATUS_TRUNCATED : 0u);
}

void
main ()
{
  uint n = params.counted != 0u ? state[GST_GLES_ARRAY_N] : params.n;
  uvec2 total = uvec2 (local[params.tally], local[params.tally + 1u]);
  uint count = params.max_entries;
  uvec3 cut = NO_CUT;

  if (total.y != 0u || total.x > params.max_entries) {
    cut = make_cut (n);
    tally_kept (n, cut);
  } else {
    count = total.x;
  }
  scan_tiles ();
  if (team_rank () == 0u)
    write_plan (n, total, count, cut);
}
