// SPDX-License-Identifier: LGPL-2.1-or-later
/* Counts the points in each cell of a band of rows.
 *
 * Defines: LOCAL_SIZE_X
 * Bindings: uniform 0: the pass; storage 0: the state; storage 1: the points, { u16 x, u16 y, u32
 *   value }; storage 2: the cells of the band, zeroed
 * Grid: x workgroups, any number; each takes every x-th block of LOCAL_SIZE_X points. */
#include "components/components_params.glsl"

layout (std430, binding = 0) readonly buffer State
{
  uint state[];
};

layout (std430, binding = 1) readonly buffer Points
{
  uvec2 points[];
};

layout (std430, binding = 2) buffer Cells
{
  uint cells[];
};

void
main ()
{
  uint n = params.counted != 0u ? state[GST_GLES_ARRAY_N] : params.n;
  uint step = gl_NumWorkGroups.x * uint (LOCAL_SIZE_X);

  for (uint i = gl_GlobalInvocationID.x; i < n; i += step) {
    uvec2 at = uvec2 (points[i].x & 0xffffu, points[i].x >> 16);
    uvec2 cell = at / uvec2 (params.cell_width, params.cell_height);
    if (at.x < params.frame_width && at.y < params.frame_height &&
        cell.y - params.first_row < params.n_rows)
      atomicAdd (cells[params.base + (cell.y - params.first_row) * params.width + cell.x], 1u);
  }
}
