// SPDX-License-Identifier: LGPL-2.1-or-later
/* How far the samples of a picture are from those of the reference: a 64-bit sum per workgroup.
 *
 * Defines: LOCAL_SIZE_X, the invocations of a workgroup; DENSE: the samples of all channels are
 *   bytes side by side, so that a word of the reference is a word of the image
 * Bindings: uniform 0: Params; storage 0: the image; storage 1: the reference; storage 2: the
 * sums
 * Grid: shape.n_groups workgroups; job k has n_groups of them from its first_group on. */
#include "frame/frame-mad_words.glsl"

layout (std430, binding = 1) readonly buffer Reference
{
  uint reference[];
};

layout (std430, binding = 2) writeonly buffer Sums
{
  uvec2 sums[];
};

shared uint totals[2];

uint
distance_of (uint a, uint b, uint mask, uint shift)
{
  uint x = (a >> shift) & mask;
  uint y = (b >> shift) & mask;

  return max (x, y) - min (x, y);
}

uint
distance_of_words (uint a, uint b, bool halves)
{
#if !DENSE
  if (halves)
    return distance_of (a, b, 0xffffu, 0u) + distance_of (a, b, 0xffffu, 16u);
#endif
  return distance_of (a, b, 0xffu, 0u) + distance_of (a, b, 0xffu, 8u) +
      distance_of (a, b, 0xffu, 16u) + distance_of (a, b, 0xffu, 24u);
}

void
main ()
{
  GstGlesFrameMadJob job = jobs[find_job ()];
  uint local = gl_LocalInvocationIndex;
  Moved sum = Moved (0u, 0u);

  if (local < 2u)
    totals[local] = 0u;
  workgroup_barrier ();
  if (shape.has_reference != 0u) {
    for (Walk walk = walk_begin (job); walk.at < job.n_words; walk_next (job, walk))
      add_moved (sum,
          distance_of_words (
              read_packed (job, walk), reference[job.reference + walk.at], job.depth > 8u));
  }
  ADD_WIDE (totals[0], totals[1], sum);
  workgroup_barrier ();
  if (local == 0u && gl_WorkGroupID.x < shape.n_groups)
    sums[gl_WorkGroupID.x] = uvec2 (totals[0], totals[1]);
}
