// SPDX-License-Identifier: LGPL-2.1-or-later
/* Replaces a table of counts, a row per digit and a column per tile, by the exclusive
 * prefix sums along each row, and writes the totals of the rows.
 *
 * Defines: LOCAL_SIZE_X; RADIX_BITS
 *   TEAM as in lib/subgroup_team.glsl; TILE_KEYS keys of a tile
 * Bindings: uniform 0: the pass; storage 0: the state
 * Grid: a workgroup per row. */
#define READS 0
#define WRITES 0
#define KEY_WORDS 1
#define PAYLOAD 0
#include "sort/sort-layout.h"
#include "sort/digit.glsl"

#define SCAN_ROWS 4
#define SEGMENTED 0
#include "scan/scan.glsl"

void
main ()
{
  uint row = gl_WorkGroupID.x;
  uint n = n_keys ();
  uint columns = n / uint (TILE_KEYS) + (n % uint (TILE_KEYS) != 0u ? 1u : 0u);
  uint first = params.tile_words + row * columns;
  uint sum = 0u;

  for (uint begin = 0u; begin < columns; begin += uint (SCAN_ROWS) * TEAM_SIZE) {
    uint counts[SCAN_ROWS];
    uint total;

    for (int r = 0; r < SCAN_ROWS; r++) {
      uint i = begin + uint (r) * TEAM_SIZE + team_rank ();
      counts[r] = i < columns ? state[first + i] : 0u;
    }
    team_scan (counts, total);
    for (int r = 0; r < SCAN_ROWS; r++) {
      uint i = begin + uint (r) * TEAM_SIZE + team_rank ();
      if (i < columns)
        state[first + i] = sum + counts[r];
    }
    sum += total;
  }
  if (team_rank () == 0u)
    state[params.totals + row] = sum;
}
