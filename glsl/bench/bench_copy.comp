// SPDX-License-Identifier: LGPL-2.1-or-later
/* Copies 16-byte rows, to measure the bandwidth of memory; with 0 rows, the cost of a dispatch.
 *
 * Defines: LOCAL_SIZE_X
 * Bindings: uniform 0: Params; storage 0: source, 1: target
 * Grid: x * y workgroups, any number; each invocation takes every n-th row for n invocations. */
#include "frame/frame-histogram-layout.h"

layout (std140, binding = 0) uniform Params
{
  GstGlesFrameHistogramClear params;
};

layout (std430, binding = 0) readonly buffer Source
{
  uvec4 source[];
};

layout (std430, binding = 1) writeonly buffer Target
{
  uvec4 target[];
};

void
main ()
{
  uint step = gl_NumWorkGroups.x * gl_NumWorkGroups.y * uint (LOCAL_SIZE_X);
  uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;

  for (uint i = group * uint (LOCAL_SIZE_X) + gl_LocalInvocationIndex; i < params.n_rows; i += step)
    target[i] = source[i];
}
