// SPDX-License-Identifier: LGPL-2.1-or-later
/* Writes an entry for each tile that a record covers: records in key order, the tiles of each in
 * raster order. Every invocation writes the same number of entries, independent of the records
 * that they belong to. docs/algorithms/tiles.md shows the whole pipeline.
 *
 * Defines: LOCAL_SIZE_X; POINTS (tiles/tiles_record.glsl)
 * Bindings: uniform 0: the step; storage 0: the records; storage 1: scratch; storage 2: receives
 *   the tile of each entry; storage 3: receives the index of its record
 * Grid: x * y workgroups, at least an invocation per params.entries_each entries. */
#include "tiles/tiles-layout.h"
#include "tiles/tiles_record.glsl"

layout (std430, binding = 0) readonly buffer Records
{
  RawRecord records[];
};

layout (std430, binding = 1) readonly buffer Scratch
{
  uint scratch[];
};

layout (std430, binding = 2) writeonly buffer Tiles
{
  uint tiles[];
};

layout (std430, binding = 3) writeonly buffer Indices
{
  uint indices[];
};

/* Returns the first entry of the i-th record in key order; for i = n, the end of the entries. */
uint
offset (uint i)
{
  return scratch[params.offsets + i];
}

/* Returns the record, from @first on, that @entry belongs to: the last one that begins at or
 * before it. Three positions are read at a time, because the latency of memory dominates. */
uint
find_owner (uint entry, uint first, uint n)
{
  uint last = n;

  while (first + 1u < last) {
    uint quarter = max ((last - first) >> 2, 1u);
    uvec3 at = min (first + quarter * uvec3 (1u, 2u, 3u), uvec3 (last - 1u));
    uvec3 found = uvec3 (offset (at.x), offset (at.y), offset (at.z));

    if (found.z <= entry) {
      first = at.z;
    } else if (found.y <= entry) {
      first = at.y;
      last = at.z;
    } else if (found.x <= entry) {
      first = at.x;
      last = at.y;
    } else {
      last = at.x;
    }
  }
  return first;
}

void
main ()
{
  uint place = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * uint (LOCAL_SIZE_X) +
      gl_LocalInvocationIndex;
  uint n = scratch[params.head];
  uint n_entries = scratch[params.head + 1u];
  uint entry = min (place * params.entries_each, n_entries);
  uint end = min (entry + params.entries_each, n_entries);

  if (entry == end)
    return;
  uint owner = find_owner (entry, 0u, n);
  while (entry < end) {
    uint begin = offset (owner);
    uint stop = min (offset (owner + 1u), end);
    uint index =
        params.order == GST_GLES_TILES_SORTED
        ? scratch[owner]
        : (params.order == GST_GLES_TILES_FORWARD ? owner : n - 1u - owner);
    Record record = record_from (records, index);
    uvec4 span;

    find_span (record, span);
    uint width = span.z - span.x + 1u;
    uint row = (entry - begin) / width;
    uint column = (entry - begin) - row * width;
    for (; entry < stop; entry++) {
      tiles[entry] = (span.y + row) * params.grid.columns + span.x + column;
      indices[entry] = index;
      column++;
      if (column == width) {
        column = 0u;
        row++;
      }
    }
    /* The search skips all records that cover nothing. */
    owner++;
    if (entry < end && offset (owner + 1u) <= entry)
      owner = find_owner (entry, owner, n);
  }
}
