// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds where runs of equal keys begin, in tiles of ROWS rows of four keys per invocation.
 *
 * Defines: KEY_WORDS 1 or 2; ROWS; the defines of lib/subgroup_team.glsl
 * Bindings: storage 0: the state; storage 1: the keys */
#define SCAN_ROWS ROWS
#define SEGMENTED 0
#define PASS GstGlesSegmentsRunsPass
#include "segments/segments-layout.h"
#include "scan/scan.glsl"
#include "scan/scan_array.glsl"

#if KEY_WORDS == 1
#define Key uint
#else
#define Key uvec2
#endif

layout (std430, binding = 1) readonly buffer Keys
{
  Key keys[];
};

uint
row_at (uint tile, int r)
{
  return (tile * uint (ROWS) + uint (r)) * TEAM_SIZE + team_rank ();
}

/* Returns a bit per key: bit c says that a run begins at key c of the row. */
uint
row_heads (uint at, uint n)
{
  uint first = 4u * at;
  uint bits = 0u;

  if (first >= n)
    return 0u;
  Key before = keys[max (first, 1u) - 1u];
  for (uint c = 0u; c < 4u; c++) {
    Key key = keys[min (first + c, n - 1u)];
    /* A key past the end is taken to equal its predecessor. */
    bits |= key != before ? 1u << c : 0u;
    before = key;
  }
  return first == 0u ? bits | 1u : bits;
}

/* Finds the heads of a tile and the number of heads before each row, and returns the number of
 * heads. Must be called by all invocations of the team. */
uint
tile_heads (uint tile, uint n, out uint bits[ROWS], out uint ranks[ROWS])
{
  uint total;

  for (int r = 0; r < ROWS; r++) {
    bits[r] = row_heads (row_at (tile, r), n);
    ranks[r] = uint (bitCount (bits[r]));
  }
  team_scan (ranks, total);
  return total;
}
