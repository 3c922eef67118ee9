// SPDX-License-Identifier: LGPL-2.1-or-later
/* Multiplies two square f32 matrices by tiles in shared memory, to measure the rate of
 * arithmetic. Each invocation computes 8 rows of 4 columns.
 *
 * Defines: LOCAL_SIZE_X 16, LOCAL_SIZE_Y 8
 * Bindings: uniform 0: Params; storage 0: a, 1: b, 2: product, row by row; shared: 8 KiB
 * Grid: size / 64 * size / 64 workgroups; the size must be a multiple of 64. */
#include "frame/frame-histogram-layout.h"
#include "lib/barrier.glsl"

#define TILE 64
#define DEPTH 16

layout (std140, binding = 0) uniform Params
{
  GstGlesFrameHistogramClear params; /* n_rows is the size of the matrices */
};

layout (std430, binding = 0) readonly buffer A
{
  vec4 a[];
};

layout (std430, binding = 1) readonly buffer B
{
  vec4 b[];
};

layout (std430, binding = 2) writeonly buffer Product
{
  vec4 product[];
};

shared vec4 a_tile[TILE * DEPTH / 4]; /* rows of DEPTH */
shared vec4 b_tile[DEPTH * TILE / 4]; /* rows of TILE */

void
main ()
{
  uint quads = params.n_rows / 4u;
  uint row_0 = gl_WorkGroupID.y * uint (TILE);
  uint quad_0 = gl_WorkGroupID.x * uint (TILE / 4);
  uint me = gl_LocalInvocationIndex;
  uint x = gl_LocalInvocationID.x, y = gl_LocalInvocationID.y;
  vec4 sums[8];

  for (int i = 0; i < 8; i++)
    sums[i] = vec4 (0.0);
  for (uint k = 0u; k < params.n_rows; k += uint (DEPTH)) {
    for (uint i = me; i < uint (TILE * DEPTH / 4); i += 128u) {
      a_tile[i] = a[(row_0 + i / 4u) * quads + k / 4u + i % 4u];
      b_tile[i] = b[(k + i / 16u) * quads + quad_0 + i % 16u];
    }
    workgroup_barrier ();
    for (uint q = 0u; q < uint (DEPTH / 4); q++) {
      vec4 b0 = b_tile[(4u * q) * 16u + x], b1 = b_tile[(4u * q + 1u) * 16u + x];
      vec4 b2 = b_tile[(4u * q + 2u) * 16u + x], b3 = b_tile[(4u * q + 3u) * 16u + x];
      for (uint i = 0u; i < 8u; i++) {
        vec4 row = a_tile[(8u * y + i) * 4u + q];
        sums[i] += row.x * b0 + row.y * b1 + row.z * b2 + row.w * b3;
      }
    }
    workgroup_barrier ();
  }
  for (uint i = 0u; i < 8u; i++)
    product[(row_0 + 8u * y + i) * quads + quad_0 + x] = sums[i];
}
