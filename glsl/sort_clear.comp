// SPDX-License-Identifier: LGPL-2.1-or-later
/* Makes the state ready for a sort by look-back: tickets, totals, and the words that tiles publish in
 * the first pass. Later passes find theirs cleared by the pass before.
 *
 * Defines: LOCAL_SIZE_X; KEYS, RADIX_BITS as in lib/digit.glsl
 * Bindings: uniform 0: the first pass; storage 0: the state
 * Grid: x * y workgroups, at least one per tile. */
#define READS 0
#define WRITES 0
#define KEY_WORDS 1
#define PAYLOAD 0
#include "lib/layout.h"
#include "lib/digit.glsl"

void
main ()
{
  uint tile = group_index ();
  uint local = gl_LocalInvocationIndex;

  if (tile < n_tiles (n_keys ()))
    for (uint i = local; i < uint (RADIX); i += uint (LOCAL_SIZE_X))
      state[params.tiles + tile * uint (RADIX) + i] = 0u;
  if (tile > 0u)
    return;
  if (local == 0u)
    write_result ();
  for (uint i = local; i < params.n_passes * uint (RADIX); i += uint (LOCAL_SIZE_X))
    state[params.totals + i] = 0u;
  for (uint i = local; i < params.n_passes; i += uint (LOCAL_SIZE_X))
    state[uint (GST_GLES_SORT_TICKETS) + i] = 0u;
}
