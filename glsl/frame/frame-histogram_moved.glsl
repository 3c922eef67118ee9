// SPDX-License-Identifier: LGPL-2.1-or-later
/* The earth mover's distance of two histograms: the number of samples that move over an edge
 * between bins, summed over all edges, in 64 bits. */
#include "lib/barrier.glsl"

struct Moved {
  uint low, high;
};

/* Adds the distance at one edge between bins. @moved: the difference of the cumulative counts
 * there, a signed number. */
void
add_moved (inout Moved sum, uint moved)
{
  uint samples = uint (abs (int (moved)));

  sum.low += samples;
  sum.high += sum.low < samples ? 1u : 0u;
}

/* Adds to a 64-bit sum in two words of shared memory, by atomics. */
#define ADD_WIDE(low_word, high_word, sum)                                                         \
  {                                                                                                \
    uint before_low = atomicAdd (low_word, (sum).low);                                             \
    uint carry = before_low + (sum).low < before_low ? 1u : 0u;                                    \
    if ((sum).high + carry != 0u)                                                                  \
      atomicAdd (high_word, (sum).high + carry);                                                   \
  }

/* Sets @before to the sum of @own over the invocations before this one. SCAN_WORD (k), k below
 * LOCAL_SIZE_X, is shared memory. All invocations use this together; it ends with a barrier. */
#define SCAN_WORDS(own, before)                                                                    \
  {                                                                                                \
    uint scan_sum = own;                                                                           \
    for (uint distance = 1u; distance < uint (LOCAL_SIZE_X); distance *= 2u) {                     \
      SCAN_WORD (gl_LocalInvocationIndex) = scan_sum;                                              \
      workgroup_barrier ();                                                                        \
      scan_sum += gl_LocalInvocationIndex >= distance ?                                            \
          SCAN_WORD (gl_LocalInvocationIndex - distance) : 0u;                                     \
      workgroup_barrier ();                                                                        \
    }                                                                                              \
    before = scan_sum - (own);                                                                     \
  }
