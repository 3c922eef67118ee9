// SPDX-License-Identifier: LGPL-2.1-or-later
/* How often each digit occurs in a tile. The atomics are for numbers only: whatever their order, the
 * sums are the same. */
#include "lib/barrier.glsl"

shared uint tile_counts[RADIX];

/* By all invocations of the workgroup together; all see the counts afterwards. */
void
count_tile (uint tile, uint n)
{
  uint first = tile * TILE;
  uint last = min (first + TILE, n);

  for (uint i = gl_LocalInvocationIndex; i < uint (RADIX); i += uint (LOCAL_SIZE_X))
    tile_counts[i] = 0u;
  workgroup_barrier ();
  for (uint i = first + gl_LocalInvocationIndex; i < last; i += uint (LOCAL_SIZE_X))
    atomicAdd (tile_counts[digit_of (load_key (i))], 1u);
  workgroup_barrier ();
}
