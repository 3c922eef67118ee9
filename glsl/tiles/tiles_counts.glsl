// SPDX-License-Identifier: LGPL-2.1-or-later
/* Sums of the numbers of tiles that records cover. The sums exceed 32 bits, so the low and the
 * high halves of the numbers, 16 bits each, are summed separately.
 *
 * Defines: ROWS; the defines of lib/subgroup_team.glsl
 * Bindings: storage 0: the state; storage 1: scratch */
#define SCAN_ROWS ROWS
#define SEGMENTED 0
#define PASS GstGlesTilesCountsPass
#include "tiles/tiles-layout.h"
#include "scan/scan.glsl"
#include "scan/scan_array.glsl"

layout (std430, binding = 1) buffer Scratch
{
  uint scratch[];
};

uint
row_at (uint tile, int r)
{
  return (tile * uint (ROWS) + uint (r)) * TEAM_SIZE + team_rank ();
}


uint
low_sum (uvec4 row)
{
  return (row.x & 0xffffu) + (row.y & 0xffffu) + (row.z & 0xffffu) + (row.w & 0xffffu);
}

uint
high_sum (uvec4 row)
{
  return (row.x >> 16) + (row.y >> 16) + (row.z >> 16) + (row.w >> 16);
}

/* Returns the 64-bit sum. */
uvec2
joined (uint low, uint high)
{
  return add_64 (uvec2 (low, 0u), uvec2 (high << 16, high >> 16));
}
