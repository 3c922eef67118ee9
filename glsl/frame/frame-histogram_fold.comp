// SPDX-License-Identifier: LGPL-2.1-or-later
/* Sums the histograms of cells at native depth to the histogram of the region. With REBIN also
 * converts the histograms of cells to `bins`. The samples are thus read only once.
 *
 * Defines: REBIN (1: the cells at native depth are in a separate buffer), LOCAL_SIZE_X
 * Bindings: uniform 0: Params; storage 0: the counts, whose native counters are zero; storage 1,
 *   with REBIN: the cells at native depth
 * Grid: y: channels; x: workgroups of cells_per_group cells each. */
#include "frame/frame-histogram-layout.h"

layout (std140, binding = 0) uniform Params
{
  GstGlesFrameHistogramFold channels[GST_GLES_FRAME_HISTOGRAM_MAX_JOBS];
};

layout (std430, binding = 0) buffer Counts
{
  uint counts[];
};

#if REBIN
layout (std430, binding = 1) readonly buffer Cells
{
  uint cells[];
};
#define CELLS cells
#else
#define CELLS counts
#endif

#if REBIN
/* The first value of bin b: the smallest v with v * bins >> depth >= b. */
uint
bin_edge (uint b, uint bins, uint depth)
{
  return b == bins ? 1u << depth : ((b << depth) + bins - 1u) / bins;
}
#endif

void
main ()
{
  GstGlesFrameHistogramFold channel = channels[gl_WorkGroupID.y];
  uint n_values = 1u << channel.depth;
  uint first = min (gl_WorkGroupID.x * channel.cells_per_group, channel.n_cells);
  uint last = min (first + channel.cells_per_group, channel.n_cells);

  for (uint v = gl_LocalInvocationIndex; v < n_values; v += uint (LOCAL_SIZE_X)) {
    uint sum = 0u;
    for (uint cell = first; cell < last; cell++)
      sum += CELLS[channel.source_offset + cell * n_values + v];
    if (sum != 0u)
      atomicAdd (counts[channel.native_offset + v], sum);
  }
#if REBIN
  for (uint cell = first; cell < last; cell++) {
    uint source = channel.source_offset + cell * n_values;
    uint target = channel.cells_offset + cell * channel.bins;

    for (uint b = gl_LocalInvocationIndex; b < channel.bins; b += uint (LOCAL_SIZE_X)) {
      uint sum = 0u;
      uint end = bin_edge (b + 1u, channel.bins, channel.depth);
      for (uint v = bin_edge (b, channel.bins, channel.depth); v < end; v++)
        sum += cells[source + v];
      counts[target + b] = sum;
    }
  }
#endif
}
