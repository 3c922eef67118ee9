// SPDX-License-Identifier: LGPL-2.1-or-later
/* Writes the key of each entry.
 *
 * Defines: LOCAL_SIZE_X; POINTS (tiles/tiles_record.glsl)
 * Bindings: uniform 0: the step; storage 0: the state; storage 1: the records; storage 2: the index
 *   of each entry's record; storage 3: receives its key
 * Grid: x workgroups, any number; each takes every x-th group of LOCAL_SIZE_X
 *   consecutive entries. */
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

layout (std430, binding = 2) readonly buffer Indices
{
  uint indices[];
};

layout (std430, binding = 3) writeonly buffer Keys
{
  uint keys[];
};

void
main ()
{
  uint n_entries = state[GST_GLES_ARRAY_COUNT];
  uint step = gl_NumWorkGroups.x * uint (LOCAL_SIZE_X);

  for (uint i = gl_GlobalInvocationID.x; i < n_entries; i += step) {
    Record record = record_from (records, indices[i]);
    keys[i] = key_of (record, indices[i]);
  }
}
