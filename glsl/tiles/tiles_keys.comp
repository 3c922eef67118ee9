// SPDX-License-Identifier: LGPL-2.1-or-later
/* Counts the tiles that each record covers, and writes the key that it is sorted by, flipped for
 * descending order. Both are done here because records are read in input order.
 *
 * Defines: LOCAL_SIZE_X; POINTS (tiles/tiles_record.glsl)
 * Bindings: uniform 0: the step; storage 0: the state; storage 1: the records; storage 2: scratch,
 *   receives the counts; storage 3: receives the keys, unless key order is input order
 * Grid: x workgroups, any number; each takes every x-th group of LOCAL_SIZE_X
 *   consecutive records. */
#include "tiles/tiles-layout.h"
#include "tiles/tiles_record.glsl"

layout (std430, binding = 0) readonly buffer State
{
  uint state[];
};

layout (std430, binding = 1) readonly buffer Records
{
  RawRecord records[];
};

layout (std430, binding = 2) writeonly buffer Scratch
{
  uint scratch[];
};

layout (std430, binding = 3) writeonly buffer Keys
{
  uint keys[];
};

void
main ()
{
  uint n = params.counted != 0u ? state[GST_GLES_ARRAY_N] : params.n;
  uint step = gl_NumWorkGroups.x * uint (LOCAL_SIZE_X);

  for (uint i = gl_GlobalInvocationID.x; i < n; i += step) {
    Record record = record_from (records, i);
    uvec4 span;
    bool covers = find_span (record, span);

    scratch[params.counts + i] = covers ? (span.z - span.x + 1u) * (span.w - span.y + 1u) : 0u;
    if (params.order == GST_GLES_TILES_SORTED)
      keys[i] = key_of (record, i) ^ params.flip;
  }
}
