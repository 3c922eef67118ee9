// SPDX-License-Identifier: LGPL-2.1-or-later
/* Counts the digits of chunks of keys. Each invocation counts its own chunk in a private array. On
 * llvmpipe such an array is plain memory and the fastest choice; a GPU would spill it.
 *
 * Defines: LOCAL_SIZE_X; KEY_WORDS, PAYLOAD, SOURCE_RECORDS, RADIX_BITS as in sort/digit.glsl
 *   TEXELS: 1
 * Bindings: uniform 0: the pass; storage 0: the state; texture 1: the keys
 * Grid: x workgroups, x * LOCAL_SIZE_X = n_chunks.
 *
 * Word digit * n_chunks + chunk of the counts is the number of keys with this digit in the chunk.
 * Digits come first so that the prefix sums over all counts are the output positions of each
 * chunk's digits. */
#define READS 2
#define WRITES 0
#include "sort/sort-layout.h"
#include "sort/digit.glsl"
#include "sort/digit_chunk.glsl"

void
count_chunk (uint chunk)
{
  uint begin, end;
  uint to = params.tile_words + chunk, step = params.n_chunks;

  find_chunk (chunk, begin, end);
  for (uint digit = 0u; digit <= pass.mask; digit++)
    private_words[digit] = 0u;
  for (; begin + 4u <= end; begin += 4u) {
    Key keys[4];
    uvec4 payloads;
    load_four (begin >> 2, keys, payloads);
    private_words[digit_of (keys[0])]++;
    private_words[digit_of (keys[1])]++;
    private_words[digit_of (keys[2])]++;
    private_words[digit_of (keys[3])]++;
  }
  if (begin < end) {
    Key keys[4];
    uvec4 payloads;
    load_four (begin >> 2, keys, payloads);
    private_words[digit_of (keys[0])]++;
    if (begin + 1u < end)
      private_words[digit_of (keys[1])]++;
    if (begin + 2u < end)
      private_words[digit_of (keys[2])]++;
  }
  for (uint digit = 0u; digit <= pass.mask; digit++)
    state[to + digit * step] = private_words[digit];
}

void
main ()
{
  if (params.pass_index == 0u && gl_GlobalInvocationID.x == 0u)
    write_result ();
  begin_pass ();
  FOR_EACH_CHUNK (chunk)
    count_chunk (chunk);
}
