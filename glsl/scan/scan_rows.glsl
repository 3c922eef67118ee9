// SPDX-License-Identifier: LGPL-2.1-or-later
/* Prefix sums within an invocation's rows of four values, and their output.
 *
 * Defines:
 *   HEADS   where sums restart: 0 nowhere, 1 at flagged values, 2 at every block
 *   WRITES  the kernel writes sums
 * Bindings: storage 2: the sums; HEADS 1: storage 3: a word per value, not 0 for a head;
 *   HEADS 2: storage 3: the totals of the blocks */
#define SEGMENTED (HEADS != 0)
#define SCAN_ROWS ROWS
#define PASS GstGlesScanPass
#include "scan/scan-layout.h"
#include "scan/scan.glsl"
#include "scan/scan_tile.glsl"

#if WRITES
layout (std430, binding = 2) writeonly buffer Sums
{
  uvec4 sums[];
};
#endif

#if HEADS == 1
layout (std430, binding = 3) readonly buffer Heads
{
  uvec4 heads[];
};
#elif HEADS == 2 && WRITES
layout (std430, binding = 3) writeonly buffer Totals
{
  uint totals[];
};
#endif

#if HEADS == 2
/* Divides i by the block size; @place receives the remainder. A multiplication replaces the
 * division, which llvmpipe executes lane by lane. The factor is at most 1 below 2^32 /
 * block_size, so the quotient is exact or one too small. */
uint
block_of (uint i, out uint place)
{
  uint block, low;

  umulExtended (i, params.block_factor, block, low);
  place = i - block * params.block_size;
  if (place >= params.block_size) {
    place -= params.block_size;
    block++;
  }
  return block;
}
#endif

/* Returns a bit per value of the row: bit c says that value c is a head. */
uint
row_heads (uint at, uint n)
{
#if HEADS == 1
  uint count = row_count (at, n);
  uvec4 row = uvec4 (0u);

  if (count > 0u)
    row = masked_row (heads[at], count);
  return (row.x != 0u ? 1u : 0u) | (row.y != 0u ? 2u : 0u) | (row.z != 0u ? 4u : 0u) |
      (row.w != 0u ? 8u : 0u);
#elif HEADS == 2
  uint place;
  uint bits = 0u;

  block_of (params.array.first + 4u * at, place);
  for (uint c = 0u; c < 4u; c++) {
    bits |= place == 0u ? 1u << c : 0u;
    place = place + 1u == params.block_size ? 0u : place + 1u;
  }
  return bits;
#else
  return 0u;
#endif
}

Element
row_sum (uvec4 row, uint bits)
{
#if HEADS
  uint sum = row.x;

  for (int c = 1; c < 4; c++)
    sum = (bits & (1u << c)) != 0u ? row[c] : sum + row[c];
  return uvec2 (sum, bits != 0u ? 1u : 0u);
#else
  return row.x + row.y + row.z + row.w;
#endif
}

/* Returns the aggregate of a tile. Must be called by all invocations of the team. */
Element
tile_total (uint tile, uint n)
{
  uvec4 rows[ROWS];
  Element row_sums[ROWS];
  Element total;

  load_tile (tile, n, rows);
  for (int r = 0; r < ROWS; r++)
    row_sums[r] = row_sum (rows[r], row_heads (row_at (tile, r), n));
  team_scan (row_sums, total);
  return total;
}

#if WRITES

#if TEAM == 0
/* A last row with fewer than four values. It is stored after the loop over tiles, because
 * llvmpipe takes time for every store in the loop, masked or not. */
uint pending_at, pending_count = 0u;
uvec4 pending_row;
#endif

void
store_part (uint at, uint count, uvec4 row)
{
  if (count > 0u)
    sums[at].x = row.x;
  if (count > 1u)
    sums[at].y = row.y;
  if (count > 2u)
    sums[at].z = row.z;
}

void
store_row (uint at, uint count, uvec4 row)
{
  if (count == 4u)
    sums[at] = row;
#if TEAM == 0
  else if (count > 0u) {
    pending_at = at;
    pending_count = count;
    pending_row = row;
  }
#else
  else
    store_part (at, count, row);
#endif
}

/* Must be called after all tiles are written. */
void
store_pending_row ()
{
#if TEAM == 0
  store_part (pending_at, pending_count, pending_row);
#endif
}

#if HEADS == 2
void
store_totals (uint at, uint count, uvec4 inclusive)
{
  uint i = params.array.first + 4u * at;
  uint last = array_n () - 1u;
  uint place;
  uint block = block_of (i, place);

  for (uint c = 0u; c < count; c++, i++) {
    if (place + 1u == params.block_size || i == last)
      totals[block - params.first_block] = inclusive[c];
    place++;
    if (place == params.block_size) {
      place = 0u;
      block++;
    }
  }
}
#endif

/* Returns the inclusive sums of a row whose exclusive prefix is @prefix. */
uvec4
row_inclusive_sums (uvec4 row, uint prefix)
{
  uvec4 inclusive;

  inclusive.x = prefix + row.x;
  inclusive.y = inclusive.x + row.y;
  inclusive.z = inclusive.y + row.z;
  inclusive.w = inclusive.z + row.w;
  return inclusive;
}

#if COUNT_WRAPS
/* Returns how often these sums wrap. */
uint
row_wraps (uvec4 row, uint prefix)
{
  uvec4 wrapped =
      mix (uvec4 (0u), uvec4 (1u), lessThan (row_inclusive_sums (row, prefix), row));

  return wrapped.x + wrapped.y + wrapped.z + wrapped.w;
}
#endif

/* Writes the sums of a row whose exclusive prefix is @prefix. */
void
write_row (uint at, uint n, uvec4 row, uint bits, uint prefix)
{
  uint count = row_count (at, n);
  uvec4 exclusive, inclusive;

#if HEADS
  for (int c = 0; c < 4; c++) {
    exclusive[c] = (bits & (1u << c)) != 0u ? 0u : prefix;
    prefix = exclusive[c] + row[c];
    inclusive[c] = prefix;
  }
#else
  inclusive = row_inclusive_sums (row, prefix);
  exclusive = uvec4 (prefix, inclusive.xyz);
#endif
  store_row (at, count, params.inclusive != 0u ? inclusive : exclusive);
#if HEADS == 2
  if (params.write_totals != 0u)
    store_totals (at, count, inclusive);
#endif
}

/* Writes the sums of a tile whose exclusive prefix is @prefix; @row_sums comes from team_scan(). */
void
write_tile (uint tile, uint n, uvec4 rows[ROWS], Element row_sums[ROWS], uint prefix)
{
  for (int r = 0; r < ROWS; r++) {
    uint at = row_at (tile, r);
#if HEADS
    uint before = row_sums[r].y != 0u ? row_sums[r].x : prefix + row_sums[r].x;
#else
    uint before = prefix + row_sums[r];
#endif
    write_row (at, n, rows[r], row_heads (at, n), before);
  }
}

#endif
