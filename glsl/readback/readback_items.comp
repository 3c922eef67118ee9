// SPDX-License-Identifier: LGPL-2.1-or-later
/* Copies a result and its items to memory that the host reads. Only the device knows their
 * number: it is in the result.
 *
 * Defines: LOCAL_SIZE_X
 * Bindings:
 *   uniform 0: the rows to copy and the size of an item
 *   storage 0: the result, whose third word is the number of items
 *   storage 1: the items
 *   storage 2: receives the result, with row 0 of the items, and the items behind the head
 * Grid: x workgroups, any number. */
#include "lib/array-layout.h"
#include "readback/readback-layout.h"

layout (std140, binding = 0) uniform Params
{
  GstGlesReadbackItems params;
};

layout (std430, binding = 0) readonly buffer Result
{
  uint result[];
};

layout (std430, binding = 1) readonly buffer Items
{
  uvec4 items[];
};

layout (std430, binding = 2) writeonly buffer Target
{
  uvec4 target[];
};

void
main ()
{
  uint bytes = result[GST_GLES_ARRAY_COUNT] * params.item_bytes;
  uint rows = bytes / 16u + (bytes % 16u != 0u ? 1u : 0u);
  uint n = min (rows - min (rows, params.first_row), params.n_rows);
  uint step = gl_NumWorkGroups.x * uint (LOCAL_SIZE_X);

  if (gl_GlobalInvocationID.x == 0u && params.first_row == 0u)
    target[0] = uvec4 (result[0], result[1], result[2], result[3]);
  for (uint i = gl_GlobalInvocationID.x; i < n; i += step)
    target[GST_GLES_READBACK_HEAD_ROWS + i] = items[i];
}
