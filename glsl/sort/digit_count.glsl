// SPDX-License-Identifier: LGPL-2.1-or-later
/* Counts the digits of a tile. The results of the atomic additions do not depend on their order. */
#include "lib/barrier.glsl"

shared uint tile_counts[RADIX];

/* This and count_tile() must be called by all invocations of the workgroup. They end with a
 * barrier. */
void
clear_tile_counts ()
{
  for (uint i = gl_LocalInvocationIndex; i < uint (RADIX); i += uint (LOCAL_SIZE_X))
    tile_counts[i] = 0u;
  workgroup_barrier ();
}

void
count_tile (uint tile, uint n)
{
  uint first = tile * TILE;
  uint last = min (first + TILE, n);

  clear_tile_counts ();
  for (uint i = first + gl_LocalInvocationIndex; i < last; i += uint (LOCAL_SIZE_X))
    atomicAdd (tile_counts[digit_of (load_key (i))], 1u);
  workgroup_barrier ();
}
