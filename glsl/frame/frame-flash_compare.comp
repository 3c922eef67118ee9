// SPDX-License-Identifier: LGPL-2.1-or-later
/* Relative luminance and saturated red of a picture: their sums, and how many samples of each
 * differ from those of the previous picture, which the picture replaces. The generated code has
 * luminance in the upper and red in the lower half of a word.
 *
 * Defines: LOCAL_SIZE_X; others: see frame/frame-expression_samples.glsl
 * Bindings: uniform 0: Params: pass.n samples, pass.row_groups in a row, are compared if
 *   pass.previous is not 0; storage 0: the row of words, from word pass.out_word on; storage 1: the
 *   picture; storage 2: what is kept, whose first GST_GLES_FRAME_FLASH_KEPT words are 0 between
 *   dispatches
 * Grid: x workgroups, any number */
#include "frame/frame-expression_samples.glsl"
#include "frame/frame-flash-layout.h"
#include "lib/barrier.glsl"

layout (std430, binding = 0) writeonly buffer Row
{
  uint row[];
};

layout (std430, binding = 2) coherent buffer Kept
{
  uint kept[];
};

shared uint totals[4];

/* The sums of the invocation's samples, in the order of the row. */
uvec4
compare ()
{
  uint step = gl_NumWorkGroups.x * uint (LOCAL_SIZE_X);
  uvec4 sums = uvec4 (0u);

  for (uint i = gl_GlobalInvocationID.x; i < pass.n; i += step) {
    uint at = GST_GLES_FRAME_FLASH_KEPT + i;
    uint value = uint (calculate_one (i % pass.row_groups, i / pass.row_groups));
    uint changed = value ^ kept[at];

    sums.x += value >> 16;
    sums.y += value & 0xffffu;
    sums.z += changed >> 16 != 0u ? 1u : 0u;
    sums.w += (changed & 0xffffu) != 0u ? 1u : 0u;
    kept[at] = value;
  }
  return sums;
}

void
main ()
{
  uvec4 sums;

  if (gl_LocalInvocationIndex < 4u)
    totals[gl_LocalInvocationIndex] = 0u;
  workgroup_barrier ();
  sums = compare ();
  for (uint k = 0u; k < 4u; k++)
    atomicAdd (totals[k], sums[k]);
  workgroup_barrier ();
  if (gl_LocalInvocationIndex != 0u || pass.n == 0u)
    return;
  for (uint k = 0u; k < 4u; k++)
    atomicAdd (kept[k], totals[k]);
  /* What the workgroup has added must be visible before its ticket is. */
  memoryBarrierBuffer ();
  if (atomicAdd (kept[GST_GLES_FRAME_FLASH_TICKET], 1u) + 1u != gl_NumWorkGroups.x)
    return;
  for (uint k = 0u; k < 4u; k++) {
    uint sum = atomicExchange (kept[k], 0u);

    row[pass.out_word + k] = k < 2u || pass.previous != 0u ? sum : 0u;
  }
  row[pass.out_word + GST_GLES_FRAME_FLASH_SAMPLES] = pass.n;
  row[pass.out_word + GST_GLES_FRAME_FLASH_COMPARED] = pass.previous;
  row[pass.out_word + GST_GLES_FRAME_FLASH_COMPARED + 1u] = 0u;
  row[pass.out_word + GST_GLES_FRAME_FLASH_COMPARED + 2u] = 0u;
  atomicExchange (kept[GST_GLES_FRAME_FLASH_TICKET], 0u);
}
