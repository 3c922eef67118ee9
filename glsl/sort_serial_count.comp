// SPDX-License-Identifier: LGPL-2.1-or-later
/* Counts the digits of stretches of keys, each invocation its own stretch in an array of its own. On
 * llvmpipe such an array is plain memory, and nothing is faster; on a GPU it would be spilt.
 *
 * Defines: LOCAL_SIZE_X; KEY_WORDS, PAYLOAD, SOURCE_RECORDS, RADIX_BITS as in lib/digit.glsl
 * Bindings: uniform 0: the pass; storage 0: the state; storage 1: the keys
 * Grid: x workgroups, x * LOCAL_SIZE_X = n_chunks. Word digit * n_chunks + chunk of the counts is
 *   the number of such digits in the chunk: digits first, so that a running sum over all of it says
 *   where each chunk's keys of each digit go. */
#define READS 2
#define WRITES 0
#include "lib/layout.h"
#include "lib/digit.glsl"
#include "lib/digit_chunk.glsl"

void
main ()
{
  uint chunk = gl_GlobalInvocationID.x;
  uint begin, end;

  if (params.pass_index == 0u && chunk == 0u)
    write_result ();
  find_chunk (chunk, begin, end);
  for (uint digit = 0u; digit <= params.mask; digit++)
    private_words[digit] = 0u;
  for (; begin + 4u <= end; begin += 4u) {
    Key a = load_key (begin), b = load_key (begin + 1u);
    Key c = load_key (begin + 2u), d = load_key (begin + 3u);
    private_words[digit_of (a)]++;
    private_words[digit_of (b)]++;
    private_words[digit_of (c)]++;
    private_words[digit_of (d)]++;
  }
  for (; begin < end; begin++)
    private_words[digit_of (load_key (begin))]++;
  for (uint digit = 0u; digit <= params.mask; digit++)
    state[params.tiles + digit * params.n_chunks + chunk] = private_words[digit];
}
