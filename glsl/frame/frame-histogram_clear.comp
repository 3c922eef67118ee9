// SPDX-License-Identifier: LGPL-2.1-or-later
/* Zeroes words. OpenGL ES has no call that clears a buffer.
 *
 * Defines: LOCAL_SIZE_X
 * Bindings: uniform 0: the pass; storage 0: the words, in 16-byte rows
 * Grid: x * 1 workgroups, any number; each takes every x-th block of LOCAL_SIZE_X rows. */
#include "frame/frame-histogram-layout.h"

layout (std140, binding = 0) uniform Params
{
  GstGlesFrameHistogramClear params;
};

layout (std430, binding = 0) writeonly buffer Words
{
  uvec4 words[];
};

void
main ()
{
  uint step = gl_NumWorkGroups.x * uint (LOCAL_SIZE_X);

  for (uint i = gl_GlobalInvocationID.x; i < params.n_rows; i += step)
    words[i] = uvec4 (0u);
}
