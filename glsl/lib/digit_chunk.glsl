// SPDX-License-Identifier: LGPL-2.1-or-later
/* A stretch of keys per invocation, and an array in function scope.
 *
 * llvmpipe ends an invocation's loops after 65535 rounds in all, so chunks are kept short enough. */

/* one more than the digits: then llvmpipe's clamp of the index is known to do nothing and goes */
uint private_words[RADIX + 1];

/* One, as there are as many invocations. But the loop keeps what follows apart from llvmpipe's clearing of
 * the array, a store per word: together, LLVM's scheduler takes seconds for them. */
#define FOR_EACH_CHUNK(chunk)                                                                      \
  for (uint chunk = gl_GlobalInvocationID.x; chunk < params.n_chunks;                             \
       chunk += gl_NumWorkGroups.x * uint (LOCAL_SIZE_X))

/* `begin` is a multiple of four. */
void
find_chunk (uint chunk, out uint begin, out uint end)
{
  uint n = n_keys ();
  uint size = (n + params.n_chunks - 1u) / params.n_chunks;

  size = (size + 3u) & ~3u; // whole fours

  begin = min (chunk * size, n);
  end = min (begin + size, n);
}
