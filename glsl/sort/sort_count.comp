// SPDX-License-Identifier: LGPL-2.1-or-later
/* Counts the digits of each tile.
 *
 * Defines: LOCAL_SIZE_X; KEYS, KEY_WORDS, PAYLOAD, SOURCE_RECORDS, RADIX_BITS as in sort/digit.glsl
 * Bindings: uniform 0: the pass; storage 0: the state; storage 1: the keys
 * Grid: x * y workgroups, at least one per tile.
 *
 * Word digit * tiles + tile of the counts is the number of keys with this digit in the tile.
 * Digits come first so that the prefix sums over all counts are the output positions of each
 * tile's digits. */
#define READS 2
#define WRITES 0
#include "sort/sort-layout.h"
#include "sort/digit.glsl"
#include "sort/digit_count.glsl"

uint
key_of (uint tile, int k)
{
  return tile * TILE + uint (k * LOCAL_SIZE_X) + gl_LocalInvocationIndex;
}

void
main ()
{
  uint n = n_keys ();
  uint tiles = n_tiles (n);
  uint tile = group_index ();
  Key keys[KEYS];

  if (params.pass_index == 0u && tile == 0u && gl_LocalInvocationIndex == 0u)
    write_result ();
  if (tile >= tiles)
    return;
  /* All loads are in flight before the first count. */
  for (int k = 0; k < KEYS; k++)
    keys[k] = load_key (min (key_of (tile, k), n - 1u));
  clear_tile_counts ();
  for (int k = 0; k < KEYS; k++) {
    if (key_of (tile, k) < n)
      atomicAdd (tile_counts[digit_of (keys[k])], 1u);
  }
  workgroup_barrier ();
  for (uint digit = gl_LocalInvocationIndex; digit < uint (RADIX); digit += uint (LOCAL_SIZE_X))
    state[params.tile_words + digit * tiles + tile] = tile_counts[digit];
}
