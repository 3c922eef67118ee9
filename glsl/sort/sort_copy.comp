// SPDX-License-Identifier: LGPL-2.1-or-later
/* Copies one or two words of each item. It splits records into keys and payloads, and it copies
 * keys that need no pass.
 *
 * Defines: LOCAL_SIZE_X
 * Bindings: uniform 0: the copy; storage 0: the state; storage 1: source; storage 2: target
 * Grid: x workgroups, any number; each takes every x-th group of LOCAL_SIZE_X consecutive items. */
#include "sort/sort-layout.h"

layout (std140, binding = 0) uniform Params
{
  GstGlesSortCopy params;
};

layout (std430, binding = 0) buffer State
{
  uint state[];
};

layout (std430, binding = 1) readonly buffer Source
{
  uint source[];
};

layout (std430, binding = 2) writeonly buffer Target
{
  uint target[];
};

void
main ()
{
  uint n = params.counted != 0u ? state[GST_GLES_SORT_N] : params.n;
  uint step = gl_NumWorkGroups.x * uint (LOCAL_SIZE_X);

  if (params.write_result != 0u && gl_GlobalInvocationID.x == 0u) {
    state[GST_GLES_SORT_TOTAL] = n;
    state[GST_GLES_SORT_TOTAL + 1] = 0u;
    state[GST_GLES_SORT_COUNT] = n;
    state[GST_GLES_SORT_STATUS] = 0u;
  }
  for (uint i = gl_GlobalInvocationID.x; i < n; i += step) {
    uint from = params.source_first + params.source_stride * i;
    uint to = params.target_stride * i;

    for (uint w = 0u; w < params.words; w++)
      target[to + w] = params.source_stride == 0u ? i : source[from + w];
  }
}
