// SPDX-License-Identifier: LGPL-2.1-or-later
// Test kernel: output[i] = input[i] + ADDEND * params.factor.
// Defines: ADDEND. Bindings: 0 input, 1 output (u32 words). Grid: 1-D, one invocation a word.
#include "test/test_block.glsl"
layout (std430, binding = 0) readonly buffer Input { uint words_in[]; };
layout (std430, binding = 1) buffer Output { uint words_out[]; };

void
main ()
{
  uint i = gl_GlobalInvocationID.x;
  if (i < params.n)
    words_out[i] = words_in[i] + uint (ADDEND) * params.factor;
}
