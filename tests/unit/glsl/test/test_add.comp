// SPDX-License-Identifier: LGPL-2.1-or-later
// Test kernel: output[i] = input[i] + ADDEND * params.factor.
// Defines: ADDEND; TEXELS, the input is a buffer texture. Bindings: 0 input, 1 output (u32 words).
// Grid: 1-D, one invocation a word.
#include "test/test_block.glsl"
#ifdef TEXELS
layout (binding = 0) uniform usamplerBuffer texels_in;
#define WORD(i) texelFetch (texels_in, int (i >> 2))[i & 3u]
#else
layout (std430, binding = 0) readonly buffer Input { uint words_in[]; };
#define WORD(i) words_in[i]
#endif
layout (std430, binding = 1) buffer Output { uint words_out[]; };

void
main ()
{
  uint i = gl_GlobalInvocationID.x;
  if (i < params.n)
    words_out[i] = WORD (i) + uint (ADDEND) * params.factor;
}
