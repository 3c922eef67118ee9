// SPDX-License-Identifier: LGPL-2.1-or-later
/* Counts the digits of all passes at once, over all keys.
 *
 * Defines: LOCAL_SIZE_X; PASSES: how many there are at most; KEY_WORDS, PAYLOAD, SOURCE_RECORDS,
 *   RADIX_BITS as in lib/digit.glsl
 * Bindings: uniform 0: the first pass; storage 0: the state, totals zero; storage 1: the keys
 * Grid: x workgroups, any number; each takes every x-th stretch of LOCAL_SIZE_X * 4 keys. */
#define READS 2
#define WRITES 0
#include "lib/layout.h"
#include "lib/digit.glsl"

#define STRETCH (4u * uint (LOCAL_SIZE_X))

shared uint counts[PASSES * RADIX];

void
count_key (Key key)
{
  for (uint pass = 0u; pass < params.n_passes; pass++)
    atomicAdd (counts[pass * uint (RADIX) + digit_in_pass (key, pass)], 1u);
}

void
main ()
{
  uint local = gl_LocalInvocationIndex;
  uint n = n_keys ();
  uint n_counts = params.n_passes * uint (RADIX);

  for (uint i = local; i < n_counts; i += uint (LOCAL_SIZE_X))
    counts[i] = 0u;
  memoryBarrierShared ();
  barrier ();
  for (uint first = gl_WorkGroupID.x * STRETCH; first < n; first += gl_NumWorkGroups.x * STRETCH) {
    for (uint k = 0u; k < 4u; k++) {
      uint i = first + k * uint (LOCAL_SIZE_X) + local;
      if (i < n)
        count_key (load_key (i));
    }
  }
  memoryBarrierShared ();
  barrier ();
  for (uint i = local; i < n_counts; i += uint (LOCAL_SIZE_X)) {
    if (counts[i] != 0u)
      atomicAdd (state[params.totals + i], counts[i]);
  }
}
