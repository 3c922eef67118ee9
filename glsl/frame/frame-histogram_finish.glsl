// SPDX-License-Identifier: LGPL-2.1-or-later
/* The last-block flush of the frame histogram. The last workgroup to finish moves the
 * accumulator to the result, compares it with the previous result, and clears it for the next
 * frame. This saves two dispatches. No workgroup waits for another one: a ticket tells a
 * workgroup whether it is the last, and then all counters have been added. */
#include "frame/frame-histogram-layout.h"
#include "lib/barrier.glsl"

layout (std430, binding = 2) writeonly buffer Result
{
  uint result[];
};

layout (std430, binding = 3) readonly buffer Previous
{
  uint previous[];
};

/* Flushes and clears the counters of a channel, and sums the differences in SPARE_WORD (1 +
 * channel). */
void
finish_channel (uint channel)
{
  uint first = 4u * channels[channel].native_offset;
  uint n = 4u * channels[channel].n_rows;
  uint sum = 0u;

  for (uint i = gl_LocalInvocationIndex; i < n; i += uint (LOCAL_SIZE_X)) {
    uint now = counts[first + i];
    uint before = shape.has_previous != 0u ? previous[first + i] : now;

    counts[first + i] = 0u;
    result[first + i] = now;
    sum += max (now, before) - min (now, before);
  }
  atomicAdd (SPARE_WORD (1u + channel), sum);
}

/* All invocations call this together, after the workgroup's counters were added. */
void
finish (Cell cell)
{
  uint local = gl_LocalInvocationIndex;

  if (shape.n_all_groups == 0u)
    return;
  /* The workgroup's counters must be visible before its ticket is. */
  memoryBarrierBuffer ();
  workgroup_barrier ();
  if (local == 0u)
    SPARE_WORD (0u) = cell.busy ? atomicAdd (counts[shape.ticket], 1u) : shape.n_all_groups;
  else if (local <= uint (GST_GLES_FRAME_HISTOGRAM_MAX_JOBS))
    SPARE_WORD (local) = 0u;
  workgroup_barrier ();
  if (SPARE_WORD (0u) + 1u != shape.n_all_groups)
    return;
  memoryBarrierBuffer ();
  for (uint channel = 0u; channel < shape.n_channels; channel++)
    finish_channel (channel);
  workgroup_barrier ();
  for (uint i = local; i < 4u * shape.n_channels; i += uint (LOCAL_SIZE_X))
    result[4u * channels[i / 4u].difference_offset + i % 4u] =
        i % 4u == 0u ? SPARE_WORD (1u + i / 4u) : 0u;
  if (local == 0u)
    counts[shape.ticket] = 0u;
}
