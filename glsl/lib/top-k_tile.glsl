// SPDX-License-Identifier: LGPL-2.1-or-later
/* Keys of a tile against the k-th one: below it, or equal to it.
 *
 * Defines: ROWS; those of lib/subgroup_team.glsl
 * Bindings: storage 0: the state; storage 1: the keys */
#define SCAN_ROWS ROWS
#define SEGMENTED 0
#include "lib/scan.glsl"
#include "lib/scan_tile.glsl"

/* Bit c: key c of the row is below the k-th one; bit 4 + c: it equals it. */
uint
row_sides (uvec4 row, uint count)
{
  uint kth = state[GST_GLES_TOP_K_PREFIX];
  uint bits = 0u;

  for (uint c = 0u; c < 4u; c++) {
    uint key = row[c] ^ params.flip ^ (uint (int (row[c]) >> 31) & params.sign_flip);
    bits |= key < kth ? 1u << c : 0u;
    bits |= key == kth ? 16u << c : 0u;
  }
  return bits & (((1u << count) - 1u) * 17u);
}

/* How many are below, and in the high half how many are equal: a tile has less than 2^16 keys. The
 * numbers have names because bitCount() is lowp: shifted as it is, its result can lose all that is above
 * 16 bits, and does on llvmpipe. */
uint
side_counts (uint bits)
{
  uint below = uint (bitCount (bits & 15u));
  uint equal = uint (bitCount (bits >> 4));

  return below | (equal << 16);
}
