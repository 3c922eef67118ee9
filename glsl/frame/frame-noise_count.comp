// SPDX-License-Identifier: LGPL-2.1-or-later
/* Counts by how much the pixels of some rows have changed since the frame before, and keeps these
 * rows for the next one. Four pixels are a word.
 *
 * Defines:
 *   BYTES, LUMA (frame/pixels.glsl)
 *   LOCAL_SIZE_X
 * Bindings: uniform 0: Params, where n is the words of the rows; storage 0: the picture; storage 1:
 *   the state: the rows of the frame before, then the bins of even and of odd frames
 * Grid: x workgroups, any number; each takes every x-th block of LOCAL_SIZE_X words. */
#include "frame/frame-samples-layout.h"
#include "frame/frame-noise-layout.h"
#include "lib/barrier.glsl"

layout (std140, binding = 0) uniform Params
{
  GstGlesFrameSamplesPass noise;
  GstGlesComponent components[3];
};

layout (std430, binding = 0) readonly buffer Image
{
  uint image[];
};

layout (std430, binding = 1) buffer State
{
  uint state[];
};

#define PIXELS noise
#include "frame/pixels.glsl"

shared uint totals[GST_GLES_FRAME_NOISE_BINS];

/* Of one invocation: pixels that have not changed, which are most of a still picture. */
uint n_same;

void
count_word (uint i)
{
  uint row = i / noise.row_words;
  uint x = (i - row * noise.row_words) * 4u;
  uint word, before;

  if (x >= noise.width)
    return;
  word = load_pixels (x, row * uint (GST_GLES_FRAME_NOISE_ROWS));
  before = state[i];
  state[i] = word;
  for (uint c = 0u; c < min (noise.width - x, 4u) && noise.frame > 0u; c++) {
    int change = int ((word >> (8u * c)) & 255u) - int ((before >> (8u * c)) & 255u);

    if (change == 0)
      n_same++;
    else
      atomicAdd (totals[clamp (change + GST_GLES_FRAME_NOISE_ZERO, 0,
                     GST_GLES_FRAME_NOISE_BINS - 1)],
          1u);
  }
}

void
main ()
{
  uint step = gl_NumWorkGroups.x * uint (LOCAL_SIZE_X);
  uint own = gl_LocalInvocationIndex;
  uint counts = noise.plane_words + (noise.frame & 1u) * uint (GST_GLES_FRAME_NOISE_BINS);
  uint next = noise.plane_words + ((noise.frame + 1u) & 1u) * uint (GST_GLES_FRAME_NOISE_BINS);

  for (uint b = own; b < uint (GST_GLES_FRAME_NOISE_BINS); b += uint (LOCAL_SIZE_X)) {
    totals[b] = 0u;
    if (gl_WorkGroupID.x == 0u)
      state[next + b] = 0u;
  }
  n_same = 0u;
  workgroup_barrier ();
  for (uint i = gl_GlobalInvocationID.x; i < noise.n; i += step)
    count_word (i);
  if (n_same > 0u)
    atomicAdd (totals[GST_GLES_FRAME_NOISE_ZERO], n_same);
  workgroup_barrier ();
  for (uint b = own; b < uint (GST_GLES_FRAME_NOISE_BINS); b += uint (LOCAL_SIZE_X)) {
    if (totals[b] > 0u)
      atomicAdd (state[counts + b], totals[b]);
  }
}
