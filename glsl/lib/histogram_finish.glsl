// SPDX-License-Identifier: LGPL-2.1-or-later
/* The workgroup that ends last, whichever that is, moves the counters to the result, compares them
 * with the result before and leaves them zero for the next frame: no dispatch of its own, no clear.
 * Nobody waits for anybody: a ticket says who is last, and by then all counters are there. */
#include "lib/barrier.glsl"
#include "lib/histogram_moved.glsl"

layout (std430, binding = 2) writeonly buffer Result
{
  uint result[];
};

layout (std430, binding = 3) readonly buffer Previous
{
  uint previous[];
};

/* SPARE_WORD: 0 the ticket; then sums of the channels: differences, and 64-bit distances */
#define DIFFERENCE_WORD(channel) SPARE_WORD (1u + (channel))
#define LOW_WORD(channel) SPARE_WORD (5u + (channel))
#define HIGH_WORD(channel) SPARE_WORD (9u + (channel))
#define SCAN_WORD(k) SPARE_WORD (16u + (k))
#define N_SUMS 12u

uint
count_before (uint i)
{
  return shape.has_previous != 0u ? previous[i] : counts[i];
}

/* The counters of @channel from @from to before @to; @moved is the difference of the cumulative counts
 * before @from. */
void
finish_counters (uint channel, uint from, uint to, inout uint moved)
{
  uint sum = 0u;
  Moved distance = Moved (0u, 0u);

  for (uint i = from; i < to; i++) {
    uint now = counts[i];
    uint before = count_before (i);

    counts[i] = 0u;
    result[i] = now;
    sum += max (now, before) - min (now, before);
    moved += now - before;
    add_moved (distance, moved);
  }
  atomicAdd (DIFFERENCE_WORD (channel), sum);
  ADD_WIDE (LOW_WORD (channel), HIGH_WORD (channel), distance);
}

/* Each invocation has a contiguous share of the counters of all channels. One scan serves them all: a
 * channel has as many samples as before, so its differences add up to 0. */
void
finish_channels ()
{
  uint n = 4u * channels[0].difference_offset;
  uint share = (n + uint (LOCAL_SIZE_X) - 1u) / uint (LOCAL_SIZE_X);
  uint begin = min (gl_LocalInvocationIndex * share, n);
  uint end = min (begin + share, n);
  uint own = 0u;
  uint moved;

  for (uint i = begin; i < end; i++)
    own += counts[i] - count_before (i);
  SCAN_WORDS (own, moved);
  for (uint channel = 0u; channel < shape.n_channels; channel++) {
    uint first = 4u * channels[channel].native_offset;
    uint from = max (begin, first);
    uint to = min (end, first + 4u * channels[channel].n_rows);

    if (from < to)
      finish_counters (channel, from, to, moved);
  }
}

void
finish (Cell cell)
{
  uint local = gl_LocalInvocationIndex;

  if (shape.n_all_groups == 0u)
    return;
  /* this workgroup's counters before its ticket */
  memoryBarrierBuffer ();
  workgroup_barrier ();
  if (local == 0u)
    SPARE_WORD (0u) = cell.busy ? atomicAdd (counts[shape.ticket], 1u) : shape.n_all_groups;
  for (uint i = 1u + local; i <= N_SUMS; i += uint (LOCAL_SIZE_X))
    SPARE_WORD (i) = 0u;
  workgroup_barrier ();
  if (SPARE_WORD (0u) + 1u != shape.n_all_groups)
    return;
  memoryBarrierBuffer ();
  finish_channels ();
  workgroup_barrier ();
  for (uint i = local; i < 4u * shape.n_channels; i += uint (LOCAL_SIZE_X))
    result[4u * channels[i / 4u].difference_offset + i % 4u] =
        i % 4u < 3u ? SPARE_WORD (1u + 4u * (i % 4u) + i / 4u) : 0u;
  if (local == 0u)
    counts[shape.ticket] = 0u;
}
