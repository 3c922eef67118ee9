// SPDX-License-Identifier: LGPL-2.1-or-later
/* Per channel, two sums over native bins: |count - previous count|, modulo 2^32, and |cumulative count -
 * previous cumulative count|, in 64 bits. Cumulative counts differ by less than 2^31.
 *
 * Defines: LOCAL_SIZE_X, a power of two
 * Bindings: uniform 0: Params; storage 0: the counts, read and written; storage 1: those before
 * Grid: one workgroup per channel. */
#include "lib/layout.h"
#include "lib/barrier.glsl"
#include "lib/histogram_moved.glsl"

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

#define SCAN_WORD(k) sums[k]
shared uint sums[LOCAL_SIZE_X];
shared uint totals[3];

/* Sum of the differences of the rows, modulo 2^32. */
uint
rows_moved (uint from, uint to)
{
  uvec4 sum = uvec4 (0u);

  for (uint i = from; i < to; i++)
    sum += counts[i] - previous[i];
  return sum.x + sum.y + sum.z + sum.w;
}

void
main ()
{
  uint channel = gl_WorkGroupID.x;
  uint local = gl_LocalInvocationIndex;
  uint n_rows = channels[channel].n_rows;
  uint share = (n_rows + uint (LOCAL_SIZE_X) - 1u) / uint (LOCAL_SIZE_X);
  uint from = channels[channel].native_offset + min (local * share, n_rows);
  uint to = channels[channel].native_offset + min ((local + 1u) * share, n_rows);
  uint own = rows_moved (from, to);
  uvec4 sum = uvec4 (0u);
  uint moved;
  Moved result = Moved (0u, 0u);

  if (local < 3u)
    totals[local] = 0u;
  SCAN_WORDS (own, moved);
  for (uint i = from; i < to; i++) {
    uvec4 a = counts[i];
    uvec4 b = previous[i];

    sum += max (a, b) - min (a, b);
    for (int c = 0; c < 4; c++) {
      moved += a[c] - b[c];
      add_moved (result, moved);
    }
  }
  atomicAdd (totals[0], sum.x + sum.y + sum.z + sum.w);
  ADD_WIDE (totals[1], totals[2], result);
  workgroup_barrier ();
  /* a row of its own: two workgroups must not write to the same one */
  if (local == 0u && n_rows > 0u)
    counts[channels[channel].difference_offset] = uvec4 (totals[0], totals[1], totals[2], 0u);
}
