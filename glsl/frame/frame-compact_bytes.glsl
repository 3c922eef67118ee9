// SPDX-License-Identifier: LGPL-2.1-or-later
/* Operations on the four bytes of a word.
 *
 * Defines: FRAME (frame/frame-compact_tile.glsl) */

uvec4
distance_of (uvec4 a, uvec4 b)
{
  return max (a, b) - min (a, b);
}

uvec4
bytes_of (uint word)
{
  return uvec4 (word & 255u, (word >> 8) & 255u, (word >> 16) & 255u, word >> 24);
}

#if FRAME == 3
/* Returns |Gx| + |Gy| for four bytes of the middle one of three rows. @words has these columns of
 * the three rows from above, @left and @right the columns beside them. */
uvec4
gradients (uvec3 words, uvec3 left, uvec3 right)
{
  ivec4 side = ivec4 (0), middle = ivec4 (0);

  for (int k = 0; k < 3; k++) {
    ivec4 here = ivec4 (bytes_of (words[k]));
    ivec4 before = ivec4 (int (left[k]), here.xyz);
    ivec4 after = ivec4 (here.yzw, int (right[k]));

    side += (after - before) * (k == 1 ? 2 : 1);
    middle += (before + 2 * here + after) * (k - 1);
  }
  return uvec4 (abs (side) + abs (middle));
}
#endif
