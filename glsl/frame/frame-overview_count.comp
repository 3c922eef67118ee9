// SPDX-License-Identifier: LGPL-2.1-or-later
/* The overview of a frame: a histogram of luma and the sum of its gradients for each of 4 x 4 areas
 * of the region, over every fourth row. The last workgroup to finish moves the accumulator to the
 * counts and clears it for the next frame.
 *
 * Defines:
 *   STEP          1 to 4: bytes from one sample to the next, whose components all lie in these:
 *                 the offsets of components are one, their shifts count from there, and 4 means
 *                 whole words; 0: any layout
 *   MATRIX        STEP > 0: 1: luma is computed from three components
 *   PRIVATE       1: each invocation has counters of its own; 0: they share those of the
 *                 workgroup, of which there are REPLICAS
 *   LOCAL_SIZE_X  invocations of a workgroup
 * Bindings:
 *   uniform 0: Params
 *   storage 0: the image
 *   storage 1: the accumulator: the words of an overview and a ticket, all 0 between dispatches
 *   storage 2: the counts, written from word shape.out_word on
 * Grid: 16 * shape.parts workgroups; the parts of an area follow each other. */
#include "frame/frame-overview-layout.h"
#include "lib/barrier.glsl"
#include "frame/frame-histogram_moved.glsl"

#define LUMA 1
#define SCALES_TO_8 (shape.scale_to_8 != 0u)

/* Neighbouring invocations use different replicas, which lie in different banks. */
#define REPLICAS 32u
#define TICKET GST_GLES_OVERVIEW_WORDS

layout (std140, binding = 0) uniform Params
{
  GstGlesFrameOverviewShape shape;
  GstGlesComponent components[3];
};

layout (std430, binding = 0) readonly buffer Image
{
  uint image[];
};

layout (std430, binding = 1) coherent buffer Accumulator
{
  uint accumulator[];
};

layout (std430, binding = 2) writeonly buffer Counts
{
  uint counts[];
};

shared uint totals[2];
shared bool is_last;
#if PRIVATE
/* and one for samples that are not counted */
uint counters[GST_GLES_OVERVIEW_BINS + 1u];
#else
shared uint counters[REPLICAS * GST_GLES_OVERVIEW_BINS];
#endif

uint
load_word (uint at)
{
  return image[min (at, shape.last_word)];
}

#if STEP == 0
#include "frame/sample.glsl"
#endif

/* ---- samples ---- */

/* Samples that are visited at a time. On GPUs neighbouring invocations read neighbouring words, so
 * that loads coalesce. */
#define ALONE (STEP == 0 || (STEP == 4 && !PRIVATE))
#if ALONE
#define GROUP 1u
#else
#define GROUP 4u
#define GROUP_WORDS uint (STEP)
#endif

#if STEP != 0
uint
value_of (uint word)
{
  uint mask = (1u << components[0].depth) - 1u;

#if STEP == 2
  if (components[0].big_endian != 0u)
    word = ((word >> 8) & 0xffu) | ((word & 0xffu) << 8);
#endif
#if MATRIX
  return GST_GLES_LUMA (shape.kr, shape.kg, shape.kb, (word >> components[0].shift) & mask,
      (word >> components[1].shift) & mask, (word >> components[2].shift) & mask);
#else
  return (word >> components[0].shift) & mask;
#endif
}
#endif

#if ALONE

uint
read_one (uint x, uint y)
{
#if STEP == 4
  return value_of (load_word (
      (components[0].offset + (shape.y + y) * components[0].stride >> 2) + shape.x + x));
#else
  return shape.luma != 0u
      ? read_luma (shape.kr, shape.kg, shape.kb, shape.x + x, shape.y + y)
      : read_sample (components[0], shape.x + x, shape.y + y);
#endif
}

/* Reads GROUP + 1 samples from (@x, @y) of the region on. Behind the end of the row, which is that
 * of the region, the last one is repeated, so that it has no gradient there. */
void
read_group (uint x, uint y, out uint samples[GROUP + 1u])
{
  samples[0] = read_one (x, y);
  samples[1] = read_one (min (x + 1u, shape.width - 1u), y);
}

#else

/* The bytes of sample @k of five. */
uint
bytes_of (uint words[GROUP_WORDS + 1u], const uint k)
{
  uint at = k * uint (STEP);
  uint bit = (at & 3u) << 3;
  uint word = words[at >> 2] >> bit;

  if (bit + 8u * uint (STEP) > 32u)
    word |= words[(at >> 2) + 1u] << (32u - bit);
  return word;
}

/* Reads GROUP + 1 samples from (@x, @y) of the region on. Behind the end of the row, which is that
 * of the region, the last one is repeated, so that it has no gradient there. */
void
read_group (uint x, uint y, out uint samples[GROUP + 1u])
{
  uint last = shape.width - 1u - x;
  uint at = components[0].offset + (shape.y + y) * components[0].stride +
      (shape.x + x) * uint (STEP);
  uint bit = (at & 3u) << 3;
  uint words[GROUP_WORDS + 1u];
  uint next = load_word (at >> 2);

  for (uint i = 0u; i <= GROUP_WORDS; i++) {
    uint low = next;

    /* the samples end before the last word of all, unless they are three bytes apart */
    if (i < GROUP_WORDS || STEP == 3)
      next = load_word ((at >> 2) + i + 1u);
    /* a shift by 32 is undefined */
    words[i] = (low >> bit) | ((next << 1) << (31u - bit));
  }
  samples[0] = value_of (bytes_of (words, 0u));
  samples[1] = last >= 1u ? value_of (bytes_of (words, 1u)) : samples[0];
  samples[2] = last >= 2u ? value_of (bytes_of (words, 2u)) : samples[1];
  samples[3] = last >= 3u ? value_of (bytes_of (words, 3u)) : samples[2];
  samples[4] = last >= 4u ? value_of (bytes_of (words, 4u)) : samples[3];
}

#endif

uint
distance_of (uint a, uint b)
{
  return max (a, b) - min (a, b);
}

/* ---- counters ---- */

void
clear_counters ()
{
#if PRIVATE
  for (uint i = 0u; i <= GST_GLES_OVERVIEW_BINS; i++)
    counters[i] = 0u;
#else
  for (uint i = gl_LocalInvocationIndex; i < REPLICAS * GST_GLES_OVERVIEW_BINS;
       i += uint (LOCAL_SIZE_X))
    counters[i] = 0u;
#endif
  if (gl_LocalInvocationIndex < 2u)
    totals[gl_LocalInvocationIndex] = 0u;
  workgroup_barrier ();
}

void
add_to_bin (uint bin, uint n)
{
#if PRIVATE
  counters[bin] += n;
#else
  atomicAdd (counters[bin * REPLICAS + gl_LocalInvocationIndex % REPLICAS], n);
#endif
}

/* Counts the first @n samples. Atomic additions count all that have one bin in a row; an invocation
 * with counters of its own does without branches. */
void
count (uint samples[GROUP + 1u], uint n)
{
  uint run = 0u, bin = 0u;

  for (uint k = 0u; k < GROUP; k++) {
    uint next = (samples[k] * GST_GLES_OVERVIEW_BINS) >> shape.depth;

#if PRIVATE
    add_to_bin (k < n ? next : GST_GLES_OVERVIEW_BINS, 1u);
#else
    if (k >= n)
      break;
    if (run > 0u && next != bin) {
      add_to_bin (bin, run);
      run = 0u;
    }
    bin = next;
    run++;
#endif
  }
  if (run > 0u)
    add_to_bin (bin, run);
}

/* Adds the counters of the workgroup to those of its area. */
void
add_counters (uint area)
{
#if PRIVATE
  for (uint bin = 0u; bin < GST_GLES_OVERVIEW_BINS; bin++) {
    if (counters[bin] != 0u)
      atomicAdd (accumulator[area * GST_GLES_OVERVIEW_BINS + bin], counters[bin]);
  }
#else
  workgroup_barrier ();
  for (uint bin = gl_LocalInvocationIndex; bin < GST_GLES_OVERVIEW_BINS;
       bin += uint (LOCAL_SIZE_X)) {
    uint sum = 0u;

    /* from a replica on that is in another bank than its neighbours' */
    for (uint i = 0u; i < REPLICAS; i++)
      sum += counters[bin * REPLICAS + (bin + i) % REPLICAS];
    if (sum != 0u)
      atomicAdd (accumulator[area * GST_GLES_OVERVIEW_BINS + bin], sum);
  }
#endif
}

/* ---- an area ---- */

/* Counts @n samples, 1 to GROUP, of row @y from @x on, and returns the sum of their gradients. */
uint
visit (uint x, uint y, uint n)
{
  uint samples[GROUP + 1u], below[GROUP + 1u];
  uint sum = 0u;

  read_group (x, y, samples);
  read_group (x, min (y + 1u, shape.height - 1u), below);
  count (samples, n);
  for (uint k = 0u; k < GROUP; k++) {
    uint gradients =
        distance_of (samples[k], samples[k + 1u]) + distance_of (samples[k], below[k]);

    sum += k < n ? gradients : 0u;
  }
  return sum;
}

/* Visits the samples of the workgroup's part of @area. */
void
visit_area (uint area)
{
  uint column = area % GST_GLES_OVERVIEW_SIDE, row = area / GST_GLES_OVERVIEW_SIDE;
  uint left = GST_GLES_OVERVIEW_EDGE (shape.width, column);
  uint right = GST_GLES_OVERVIEW_EDGE (shape.width, column + 1u);
  uint first = GST_GLES_OVERVIEW_VISITED (GST_GLES_OVERVIEW_EDGE (shape.height, row));
  uint end = GST_GLES_OVERVIEW_VISITED (GST_GLES_OVERVIEW_EDGE (shape.height, row + 1u));
  uint row_groups = max ((right - left + GROUP - 1u) / GROUP, 1u);
  uint n_groups = left < right ? (end - first) * row_groups : 0u;
  uint step = shape.parts * uint (LOCAL_SIZE_X);
  uint at = (gl_WorkGroupID.x % shape.parts) * uint (LOCAL_SIZE_X) + gl_LocalInvocationIndex;
  uint y = at / row_groups, x = at - y * row_groups;
  uint step_y = step / row_groups, step_x = step - step_y * row_groups;
  Moved sum = Moved (0u, 0u);

  for (; at < n_groups; at += step) {
    uint from = left + GROUP * x;
    bool wraps = x + step_x >= row_groups;

    add_moved (sum,
        visit (from, GST_GLES_OVERVIEW_ROW_STEP * (first + y), min (right - from, GROUP)));
    y += step_y + (wraps ? 1u : 0u);
    x += step_x - (wraps ? row_groups : 0u);
  }
  ADD_WIDE (totals[0], totals[1], sum);
}

/* ---- the end ---- */

void
finish (uint area)
{
  uint local = gl_LocalInvocationIndex;

  workgroup_barrier ();
  if (local == 0u) {
    uint word = GST_GLES_OVERVIEW_SUMS + 2u * area;
    Moved sum = Moved (totals[0], totals[1]);

    ADD_WIDE (accumulator[word], accumulator[word + 1u], sum);
  }
  /* What the workgroup has added must be visible before its ticket is. */
  memoryBarrierBuffer ();
  workgroup_barrier ();
  if (local == 0u)
    is_last = atomicAdd (accumulator[TICKET], 1u) + 1u ==
        GST_GLES_OVERVIEW_AREAS * shape.parts;
  workgroup_barrier ();
  if (!is_last)
    return;
  memoryBarrierBuffer ();
  for (uint i = local; i < GST_GLES_OVERVIEW_WORDS; i += uint (LOCAL_SIZE_X)) {
    counts[shape.out_word + i] = accumulator[i];
    accumulator[i] = 0u;
  }
  if (local == 0u)
    accumulator[TICKET] = 0u;
}

void
main ()
{
  uint area;

  if (shape.parts == 0u)
    return;
  area = gl_WorkGroupID.x / shape.parts;
  clear_counters ();
  visit_area (area);
  add_counters (area);
  finish (area);
}
