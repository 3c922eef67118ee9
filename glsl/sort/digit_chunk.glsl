// SPDX-License-Identifier: LGPL-2.1-or-later
/* A chunk of keys per invocation, and a private array of a word per digit.
 *
 * llvmpipe ends the loops of an invocation after 65535 rounds in all, so chunks must be shorter. */

/* The array has one word more than there are digits. llvmpipe can then prove that its clamp of the
 * index has no effect, and drops it. */
uint private_words[RADIX + 1];

/* The loop has one round, because there is one invocation per chunk. It separates its body from
 * llvmpipe's clearing of the array, which is a store per word. If both were one basic block,
 * LLVM's scheduler would take seconds. */
#define FOR_EACH_CHUNK(chunk)                                                                      \
  for (uint chunk = gl_GlobalInvocationID.x; chunk < params.n_chunks;                             \
       chunk += gl_NumWorkGroups.x * uint (LOCAL_SIZE_X))

/* Returns the chunk as a range of keys. @begin is a multiple of four. */
void
find_chunk (uint chunk, out uint begin, out uint end)
{
  uint n = n_keys ();
  uint size = (n + params.n_chunks - 1u) / params.n_chunks;

  size = (size + 3u) & ~3u; /* a multiple of four */

  begin = min (chunk * size, n);
  end = min (begin + size, n);
}
