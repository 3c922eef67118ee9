// SPDX-License-Identifier: LGPL-2.1-or-later
/* Moves chunks of keys to the output positions of their digits. Each invocation moves its own
 * chunk in order, so the sort is stable.
 *
 * Defines: LOCAL_SIZE_X; KEY_WORDS, PAYLOAD, SOURCE_RECORDS, TARGET_RECORDS, RADIX_BITS as in
 *   sort/digit.glsl; TEXELS: 1
 * Bindings: uniform 0: the pass; storage 0: the state with the prefix sums of sort_spine; texture 1
 *   and, with separate payloads, 2: the source; following storage: the target
 * Grid: as sort_serial_count. */
#define READS 1
#define WRITES 1
#include "sort/sort-layout.h"
#include "sort/digit.glsl"
#include "sort/digit_chunk.glsl"

/* Stores a key at the next free position of its digit. */
void
move (Key key, uint payload)
{
  uint digit = digit_of (key);
  uint at = private_words[digit];

  private_words[digit] = at + 1u;
  store_record (at, key, payload);
}

void
move_chunk (uint chunk)
{
  uint begin, end;
  uint first = 0u;
  uint from = params.tile_words + chunk, step = params.n_chunks, totals = params.totals;

  find_chunk (chunk, begin, end);
  for (uint digit = 0u; digit <= pass.mask; digit++) {
    private_words[digit] = first + state[from + digit * step];
    first += state[totals + digit];
  }
  for (; begin + 4u <= end; begin += 4u) {
    Key keys[4];
    uvec4 payloads;
    load_four (begin >> 2, keys, payloads);
    move (keys[0], payloads.x);
    move (keys[1], payloads.y);
    move (keys[2], payloads.z);
    move (keys[3], payloads.w);
  }
  if (begin < end) {
    Key keys[4];
    uvec4 payloads;
    load_four (begin >> 2, keys, payloads);
    move (keys[0], payloads.x);
    if (begin + 1u < end)
      move (keys[1], payloads.y);
    if (begin + 2u < end)
      move (keys[2], payloads.z);
  }
}

void
main ()
{
  begin_pass ();
  FOR_EACH_CHUNK (chunk)
    move_chunk (chunk);
}
