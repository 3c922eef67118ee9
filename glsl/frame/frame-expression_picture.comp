// SPDX-License-Identifier: LGPL-2.1-or-later
/* Calculates an expression for each sample of a picture, and writes a picture of the values.
 *
 * Defines: LOCAL_SIZE_X; HALVES 1: samples of the values have 16 bits, not 8;
 *   ENCODING 0: the value, which fits; 1: whether it is not 0; 2: the value, if it is from lower to
 *   upper; others: see frame/frame-expression_samples.glsl
 * Bindings: storage 0: receives the values
 * Grid: x workgroups, any number */
#include "frame/frame-expression_samples.glsl"

layout (std430, binding = 0) writeonly buffer Values
{
  uint values[];
};

uvec4
encode (ivec4 v)
{
#if ENCODING == 1
  return uvec4 (notEqual (v, ivec4 (0)));
#elif ENCODING == 2
  uvec4 beyond = uvec4 (lessThan (v, ivec4 (pass.lower))) |
      uvec4 (greaterThan (v, ivec4 (pass.upper)));

  return uvec4 (v) * (1u - beyond) + pass.outside * beyond;
#else
  /* samples beside the region can have values that do not fit */
  return uvec4 (v) & (HALVES != 0 ? 0xffffu : 0xffu);
#endif
}

void
main ()
{
  uint step = gl_NumWorkGroups.x * uint (LOCAL_SIZE_X);

  for (uint i = gl_GlobalInvocationID.x; i < pass.n; i += step) {
    uint row = i / pass.row_groups;
    uint x = pass.x + 4u * (i - row * pass.row_groups);
    uint y = pass.y + row;
    ivec4 numbers;
    uvec4 codes;

    calculate (x, y, numbers);
    codes = encode (numbers);
#if HALVES
    values[y * pass.row_words + x / 2u] = codes.x | (codes.y << 16);
    values[y * pass.row_words + x / 2u + 1u] = codes.z | (codes.w << 16);
#else
    values[y * pass.row_words + x / 4u] =
        codes.x | (codes.y << 8) | (codes.z << 16) | (codes.w << 24);
#endif
  }
}
