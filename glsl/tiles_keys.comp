// SPDX-License-Identifier: LGPL-2.1-or-later
/* The keys that records are sorted by, flipped for the largest first.
 *
 * Defines: LOCAL_SIZE_X; POINTS (lib/tiles_record.glsl)
 * Bindings: uniform 0: the step; storage 0: the state; storage 1: the records; storage 2: receives the
 *   keys
 * Grid: x workgroups, any number; each takes every x-th stretch of LOCAL_SIZE_X records. */
#include "lib/layout.h"
#include "lib/tiles_record.glsl"

layout (std430, binding = 0) readonly buffer State
{
  uint state[];
};

layout (std430, binding = 1) readonly buffer Records
{
  RawRecord records[];
};

layout (std430, binding = 2) writeonly buffer Keys
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
    keys[i] = key_of (record, i) ^ params.flip;
  }
}
