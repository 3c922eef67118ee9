// SPDX-License-Identifier: LGPL-2.1-or-later
/* Distributes the tiles that a workgroup's records cover evenly over its invocations, however many
 * each record covers. There is one record per invocation; the frame must have less than 2^16
 * tiles.
 *
 * Defines: SCAN_ROWS (scan/scan.glsl); POINTS (tiles/tiles_record.glsl); the defines of
 *   lib/subgroup_team.glsl */
#define SEGMENTED 0
#include "scan/scan.glsl"
#include "tiles/tiles_record.glsl"

#define ALL_TILES 0xffffffffu

/* The exclusive prefix sums of the numbers of tiles. */
shared uint spread_begins[LOCAL_SIZE_X];
/* The first tile in bits 0 to 15, the number of columns in bits 16 to 31. */
shared uint spread_spans[LOCAL_SIZE_X];

/* Returns how many tiles a span has. */
uint
span_tiles (uvec4 span)
{
  return (span.z - span.x + 1u) * (span.w - span.y + 1u);
}

/* Returns how many tiles the records of all invocations cover, counting the first @limit of each
 * record in raster order. Must be called by the whole workgroup, with a barrier since the last
 * call of spread_tile(). */
uint
spread (Record record, uint limit)
{
  uint counts[SCAN_ROWS];
  uvec4 span;
  uint total;
  bool covers = find_span (record, span);

  spread_spans[team_rank ()] =
      (span.y * params.grid.columns + span.x) | (span.z - span.x + 1u) << 16;
  for (int r = 0; r < SCAN_ROWS; r++)
    counts[r] = 0u;
  counts[0] = covers ? min (span_tiles (span), limit) : 0u;
  team_scan (counts, total);
  spread_begins[team_rank ()] = counts[0];
  workgroup_barrier ();
  return total;
}

/* Returns the i-th of these tiles, and the invocation whose record covers it: the last one whose
 * tiles begin at or before i. */
uvec2
spread_tile (uint i)
{
  uint owner = 0u;

  for (uint step = uint (LOCAL_SIZE_X) / 2u; step > 0u; step /= 2u) {
    if (spread_begins[owner + step] <= i)
      owner += step;
  }
  uint span = spread_spans[owner];
  uint columns = span >> 16;
  uint place = i - spread_begins[owner];
  uint row = place / columns;

  return uvec2 ((span & 0xffffu) + row * params.grid.columns + place - row * columns, owner);
}
