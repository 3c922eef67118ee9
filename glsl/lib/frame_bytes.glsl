// SPDX-License-Identifier: LGPL-2.1-or-later
/* Four bytes of a word as values, and what is tested of them.
 *
 * Defines: FRAME (lib/frame_tile.glsl) */

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
/* |Gx| + |Gy| of four bytes, of three rows from above: `words`, and those beside, left and right. */
uvec4
gradients (uvec3 words, uvec3 left, uvec3 right)
{
  ivec4 side = ivec4 (0), middle = ivec4 (0);

  for (int k = 0; k < 3; k++) {
    ivec4 here = ivec4 (bytes_of (words[k]));
    ivec4 before = ivec4 (int (left[k]), here.xyz);
    ivec4 behind = ivec4 (here.yzw, int (right[k]));

    side += (behind - before) * (k == 1 ? 2 : 1);
    middle += (before + 2 * here + behind) * (k - 1);
  }
  return uvec4 (abs (side) + abs (middle));
}
#endif
