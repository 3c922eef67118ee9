// SPDX-License-Identifier: LGPL-2.1-or-later
/* Compares the native histograms of a frame with those of the frame before. Each channel writes
 * one row. Its first word is the sum of |count - previous count| over the bins, modulo 2^32. The
 * next two words are the earth mover's distance if it is wanted, otherwise 0: the sum of
 * |cumulative count - previous cumulative count|, in 64 bits, low word first. Cumulative counts
 * differ by less than 2^31.
 *
 * Defines: LOCAL_SIZE_X, a power of two
 * Bindings: uniform 0: Params; storage 0: the counts, read and written; storage 1: the counts of
 *   the frame before
 * Grid: one workgroup per channel. */
#include "frame/frame-histogram-layout.h"
#include "lib/barrier.glsl"
#include "frame/frame-histogram_moved.glsl"

layout (std140, binding = 0) uniform Params
{
  GstGlesFrameHistogramDifference channels[GST_GLES_FRAME_HISTOGRAM_MAX_JOBS];
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

/* Returns this invocation's part of the sum of |count - previous count|. */
uint
add_differences (uint first, uint n_rows)
{
  uvec4 sum = uvec4 (0u);

  for (uint i = gl_LocalInvocationIndex; i < n_rows; i += uint (LOCAL_SIZE_X)) {
    uvec4 a = counts[first + i];
    uvec4 b = previous[first + i];
    sum += max (a, b) - min (a, b);
  }
  return sum.x + sum.y + sum.z + sum.w;
}

/* Adds the earth mover's distance to totals[1] and totals[2]. Each invocation takes a contiguous
 * range of rows. A scan of the sums of ranges gives the difference of the cumulative counts before
 * each range. */
void
add_distances (uint first, uint n_rows)
{
  uint share = (n_rows + uint (LOCAL_SIZE_X) - 1u) / uint (LOCAL_SIZE_X);
  uint from = first + min (gl_LocalInvocationIndex * share, n_rows);
  uint to = first + min ((gl_LocalInvocationIndex + 1u) * share, n_rows);
  uvec4 change = uvec4 (0u);
  Moved distance = Moved (0u, 0u);
  uint own, moved;

  for (uint i = from; i < to; i++)
    change += counts[i] - previous[i];
  own = change.x + change.y + change.z + change.w;
  SCAN_WORDS (own, moved);
  for (uint i = from; i < to; i++) {
    change = counts[i] - previous[i];
    for (int c = 0; c < 4; c++) {
      moved += change[c];
      add_moved (distance, moved);
    }
  }
  ADD_WIDE (totals[1], totals[2], distance);
}

void
main ()
{
  uint channel = gl_WorkGroupID.x;
  uint local = gl_LocalInvocationIndex;
  uint first = channels[channel].native_offset;
  uint n_rows = channels[channel].n_rows;

  if (local < 3u)
    totals[local] = 0u;
  workgroup_barrier ();
  atomicAdd (totals[0], add_differences (first, n_rows));
  if (channels[channel].emd != 0u)
    add_distances (first, n_rows);
  workgroup_barrier ();
  /* Each channel has a whole row, because two workgroups must not write to the same one. */
  if (local == 0u && n_rows > 0u)
    counts[channels[channel].difference_offset] = uvec4 (totals[0], totals[1], totals[2], 0u);
}
