// SPDX-License-Identifier: LGPL-2.1-or-later
/* Adds up what frame-mad_sum found. A picture that is farther from the reference than the limit,
 * and the first one, becomes the reference.
 *
 * Defines: LOCAL_SIZE_X, the invocations of a workgroup; DENSE: see frame-mad_sum.comp
 * Bindings: uniform 0: Params; storage 0: the image; storage 1: the reference, written; storage
 *   2: the sums of the workgroups; storage 3: the sums of the channels, written from word
 *   shape.out_word on
 * Grid: as for frame-mad_sum */
#include "frame/frame-mad_words.glsl"

layout (std430, binding = 1) writeonly buffer Reference
{
  uint reference[];
};

layout (std430, binding = 2) readonly buffer Sums
{
  uvec2 sums[];
};

layout (std430, binding = 3) writeonly buffer Out
{
  uint sums_out[];
};

/* 64-bit sums of the channels, the lower word first */
shared uint totals[2 * GST_GLES_FRAME_HISTOGRAM_MAX_JOBS];

void
add_sums (uint channel)
{
  uint first = jobs[channel].first_group;
  Moved sum = Moved (0u, 0u);

  for (uint i = gl_LocalInvocationIndex; i < jobs[channel].n_groups; i += uint (LOCAL_SIZE_X)) {
    uvec2 part = sums[first + i];

    sum.low += part.x;
    sum.high += part.y + (sum.low < part.x ? 1u : 0u);
  }
  ADD_WIDE (totals[2u * channel], totals[2u * channel + 1u], sum);
}

bool
is_beyond_limit ()
{
  uvec2 all = uvec2 (0u);

  for (uint channel = 0u; channel < shape.n_jobs; channel++) {
    uint shift = 16u - jobs[channel].depth;
    uint low = totals[2u * channel];
    uint high = totals[2u * channel + 1u];

    /* a shift by 32 is undefined */
    high = (high << shift) | ((low >> 1) >> (31u - shift));
    low <<= shift;
    all.x += low;
    all.y += high + (all.x < low ? 1u : 0u);
  }
  return all.y > shape.limit_high || (all.y == shape.limit_high && all.x > shape.limit_low);
}

void
main ()
{
  GstGlesFrameMadJob job = jobs[find_job ()];
  uint local = gl_LocalInvocationIndex;

  for (uint i = local; i < 2u * uint (GST_GLES_FRAME_HISTOGRAM_MAX_JOBS); i += uint (LOCAL_SIZE_X))
    totals[i] = 0u;
  workgroup_barrier ();
  for (uint channel = 0u; channel < shape.n_jobs; channel++)
    add_sums (channel);
  workgroup_barrier ();
  if (gl_WorkGroupID.x == 0u) {
    for (uint i = local; i < 4u * shape.n_jobs; i += uint (LOCAL_SIZE_X))
      sums_out[shape.out_word + i] = i % 4u < 2u ? totals[2u * (i / 4u) + i % 4u] : 0u;
  }
  if (shape.has_reference == 0u || is_beyond_limit ()) {
    for (Walk walk = walk_begin (job); walk.at < job.n_words; walk_next (job, walk))
      reference[job.reference + walk.at] = read_packed (job, walk);
  }
}
