// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds the next digit of the k-th key from the prefix sums of the counts.
 *
 * Defines: LOCAL_SIZE_X: 64; TEAM 1
 * Bindings: uniform 0: the pass; storage 0: the state; storage 1: counts, 256 per digit
 * Grid: one workgroup. */
#define SCAN_ROWS 1
#define SEGMENTED 0
#include "top-k/top-k-layout.h"
#include "scan/scan.glsl"

layout (std140, binding = 0) uniform Params
{
  GstGlesTopKPass params;
};

layout (std430, binding = 0) buffer State
{
  uint state[];
};

layout (std430, binding = 1) readonly buffer Counts
{
  uint counts[];
};

void
main ()
{
  uint first = 4u * team_rank ();
  uint base = 32u * (24u - params.shift) + first;
  uint left = state[GST_GLES_TOP_K_LEFT];
  uint rows[1];
  uint total;

  rows[0] = counts[base] + counts[base + 1u] + counts[base + 2u] + counts[base + 3u];
  /* The barriers of the scan separate the reads of the state above from the writes below. */
  team_scan (rows, total);
  for (uint d = 0u; d < 4u; d++) {
    uint count = counts[base + d];
    if (rows[0] < left && left - rows[0] <= count) {
      state[GST_GLES_TOP_K_PREFIX] |= (first + d) << params.shift;
      state[GST_GLES_TOP_K_LEFT] = left - rows[0];
    }
    rows[0] += count;
  }
}
