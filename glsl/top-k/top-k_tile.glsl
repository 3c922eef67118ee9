// SPDX-License-Identifier: LGPL-2.1-or-later
/* Compares the keys of a tile with the k-th key.
 *
 * Defines: ROWS; the defines of lib/subgroup_team.glsl
 * Bindings: storage 0: the state; storage 1: the keys */
#define SCAN_ROWS ROWS
#define SEGMENTED 0
#define PASS GstGlesTopKPass
#include "top-k/top-k-layout.h"
#include "scan/scan.glsl"
#include "scan/scan_tile.glsl"

/* Returns two bits per key: bit c says that key c of the row is below the k-th key, bit 4 + c that
 * it equals it. */
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

/* Returns the number of keys below in the low half, and of equal keys in the high half. They fit
 * because a tile has less than 2^16 keys. bitCount() returns a lowp value: if the result were
 * shifted directly, bits above 16 could be lost, as on llvmpipe. Assigning it to a variable makes
 * it highp. */
uint
side_counts (uint bits)
{
  uint below = uint (bitCount (bits & 15u));
  uint equal = uint (bitCount (bits >> 4));

  return below | (equal << 16);
}
