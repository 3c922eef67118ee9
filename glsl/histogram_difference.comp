// SPDX-License-Identifier: LGPL-2.1-or-later
/* Per channel, the sum over native bins of |count - previous count|, modulo 2^32.
 *
 * Defines: LOCAL_SIZE_X, a power of two
 * Bindings: uniform 0: Params; storage 0: the counts, read and written; storage 1: those before
 * Grid: one workgroup per channel. */
#include "lib/layout.h"
#include "lib/barrier.glsl"

layout (std140, binding = 0) uniform Params
{
  GstGlesHistogramDifference channels[GST_GLES_HISTOGRAM_MAX_JOBS];
};

layout (std430, binding = 0) buffer Counts
{
  uvec4 counts[];
};

layout (std430, binding = 1) readonly buffer Previous
{
  uvec4 previous[];
};

shared uint sums[LOCAL_SIZE_X];

void
main ()
{
  uint channel = gl_WorkGroupID.x;
  uint local = gl_LocalInvocationIndex;
  uint first = channels[channel].native_offset;
  uvec4 sum = uvec4 (0u);

  for (uint i = local; i < channels[channel].n_rows; i += uint (LOCAL_SIZE_X)) {
    uvec4 a = counts[first + i];
    uvec4 b = previous[first + i];
    sum += max (a, b) - min (a, b);
  }
  sums[local] = sum.x + sum.y + sum.z + sum.w;
  for (uint n = uint (LOCAL_SIZE_X) / 2u; n > 0u; n /= 2u) {
    workgroup_barrier ();
    if (local < n)
      sums[local] += sums[local + n];
  }
  if (local == 0u && channels[channel].n_rows > 0u) {
    /* a row of its own: two workgroups must not write to the same one */
    counts[channels[channel].difference_offset] = uvec4 (sums[0], 0u, 0u, 0u);
  }
}
