// SPDX-License-Identifier: LGPL-2.1-or-later
/* The tiles that a workgroup's records cover, dealt out evenly to its invocations, however many each
 * record covers. One record per invocation, of a frame with less than 2^16 tiles.
 *
 * Defines: SCAN_ROWS (lib/scan.glsl); POINTS (lib/tiles_record.glsl); those of lib/subgroup_team.glsl */
#define SEGMENTED 0
#include "lib/scan.glsl"
#include "lib/tiles_record.glsl"

#define ALL_TILES 0xffffffffu

/* where the tiles of each record begin, all in a row */
shared uint spread_begins[LOCAL_SIZE_X];
/* the first tile, and the columns from bit 16 on */
shared uint spread_spans[LOCAL_SIZE_X];

/* How many tiles a span has. */
uint
span_tiles (uvec4 span)
{
  return (span.z - span.x + 1u) * (span.w - span.y + 1u);
}

/* How many tiles the records of all invocations cover, the first @limit of each in raster order. All of a
 * workgroup together, with a barrier since the last call of spread_tile(). */
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

/* The i-th of these tiles, and which invocation's record covers it: the last one whose tiles begin there or
 * before. */
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
