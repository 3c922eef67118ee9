// SPDX-License-Identifier: LGPL-2.1-or-later
/* Counts the points in each cell of a band of rows. Stores the number of points, and the status
 * that it gives, after the masks.
 *
 * Defines: LOCAL_SIZE_X
 * Bindings: uniform 0: the pass; storage 0: the number of points; storage 1: the points, { u16 x,
 *   u16 y, u32 value }; storage 2: the cells of the band, zeroed; storage 3: the masks
 * Grid: x workgroups, any number; each takes every x-th block of LOCAL_SIZE_X points. */
#include "components/components_params.glsl"

layout (std430, binding = 0) readonly buffer Count
{
  uint count[];
};

layout (std430, binding = 1) readonly buffer Points
{
  uvec2 points[];
};

layout (std430, binding = 2) buffer Cells
{
  uint cells[];
};

layout (std430, binding = 3) writeonly buffer Masks
{
  uint masks[];
};

void
main ()
{
  uint wanted = params.counted != 0u ? count[params.count_at] : params.n;
  uint n = min (wanted, params.n);
  uint step = gl_NumWorkGroups.x * uint (LOCAL_SIZE_X);

  if (gl_GlobalInvocationID.x == 0u) {
    masks[params.n_words] = n;
    masks[params.n_words + 1u] = wanted > n ? GST_GLES_ARRAY_STATUS_CLAMPED : 0u;
  }
  for (uint i = gl_GlobalInvocationID.x; i < n; i += step) {
    uint point = points[i].x;
    uvec2 at = uvec2 (point & 0xffffu, point >> 16);
    uvec2 cell = at / uvec2 (params.cell_width, params.cell_height);
    if (at.x < params.frame_width && at.y < params.frame_height &&
        cell.y - params.first_row < params.n_rows)
      atomicAdd (cells[params.base + (cell.y - params.first_row) * params.width + cell.x], 1u);
  }
}
