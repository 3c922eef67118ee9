// SPDX-License-Identifier: LGPL-2.1-or-later
/* Merges the sorted chunks of long lists: each entry finds its rank in every other chunk by
 * bisection.
 *
 * Defines: LOCAL_SIZE_X
 * Bindings: as in tiles/tiles_list.glsl
 * Grid: x workgroups, any number; each takes every x-th task. */
#include "tiles/tiles-layout.h"
#include "tiles/tiles_list.glsl"

/* Returns how many entries of a chunk precede @entry. */
uint
rank_in_chunk (uvec2 entry, uint first, uint last)
{
  uint low = first;

  while (low < last) {
    uint middle = (low + last) / 2u;
    if (before (entries[middle], entry))
      low = middle + 1u;
    else
      last = middle;
  }
  return low - first;
}

void
place_entry (uint i, uint first, uint last, uint own)
{
  uint chunks = n_chunks_of (last - first);
  uint place = i - own * params.chunk;
  uvec2 entry = entries[i];

  for (uint chunk = 0u; chunk < chunks; chunk++) {
    uint begin = first + chunk * params.chunk;
    if (chunk != own)
      place += rank_in_chunk (entry, begin, min (begin + params.chunk, last));
  }
  indices[place] = entry.y;
}

void
main ()
{
  for (uint task = gl_WorkGroupID.x; task < n_tasks (); task += gl_NumWorkGroups.x) {
    uvec2 chunk = read_task (task);
    uint first = offsets[chunk.x];
    uint last = offsets[chunk.x + 1u];
    uint begin = first + chunk.y * params.chunk;

    if (last - first > params.chunk) {
      uint end = min (begin + params.chunk, last);
      for (uint i = begin + gl_LocalInvocationIndex; i < end; i += uint (LOCAL_SIZE_X))
        place_entry (i, first, last, chunk.y);
    }
  }
}
