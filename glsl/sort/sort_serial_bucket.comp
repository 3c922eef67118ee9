// SPDX-License-Identifier: LGPL-2.1-or-later
/* Sorts the keys of each bucket by one digit, one bucket per invocation. A bucket is a contiguous
 * range of keys with the same most significant digit; it is the same range in source and target.
 *
 * Defines: LOCAL_SIZE_X; KEY_WORDS, PAYLOAD, SOURCE_RECORDS, TARGET_RECORDS, RADIX_BITS as in
 *   sort/digit.glsl; TEXELS: 1
 * Bindings: uniform 0: the pass; storage 0: the state with the bucket table of sort_serial_decide;
 *   texture 1: the source; following storage: the target
 * Grid: one invocation per bucket. */
#define READS 1
#define WRITES 1
#include "sort/sort-layout.h"
#include "sort/digit.glsl"

/* Two counters per word; they fit because a bucket has fewer than 65536 keys. llvmpipe stores to
 * this array lane by lane, so clearing and summing a word per counter would take as long as moving
 * the keys. The additional word is explained in sort/digit_chunk.glsl. */
uint counters[RADIX / 2 + 1];

void
count (Key key)
{
  uint digit = digit_of (key);
  counters[digit >> 1] += 1u << ((digit & 1u) << 4);
}

/* Stores a key at the next free position of its digit. */
void
move (uint first, Key key, uint payload)
{
  uint digit = digit_of (key);
  uint at = (digit & 1u) << 4;
  uint word = counters[digit >> 1];

  counters[digit >> 1] = word + (1u << at);
  store_record (first + ((word >> at) & 0xffffu), key, payload);
}

/* Buckets begin at any key, but loads are aligned to four keys. */
void
count_bucket (uint begin, uint end)
{
  for (uint at = begin & ~3u; at < end; at += 4u) {
    Key keys[4];
    uvec4 payloads;
    load_four (at >> 2, keys, payloads);
    if (at >= begin)
      count (keys[0]);
    if (at + 1u >= begin && at + 1u < end)
      count (keys[1]);
    if (at + 2u >= begin && at + 2u < end)
      count (keys[2]);
    if (at + 3u < end)
      count (keys[3]);
  }
}

void
move_bucket (uint begin, uint end)
{
  for (uint at = begin & ~3u; at < end; at += 4u) {
    Key keys[4];
    uvec4 payloads;
    load_four (at >> 2, keys, payloads);
    if (at >= begin)
      move (begin, keys[0], payloads.x);
    if (at + 1u >= begin && at + 1u < end)
      move (begin, keys[1], payloads.y);
    if (at + 2u >= begin && at + 2u < end)
      move (begin, keys[2], payloads.z);
    if (at + 3u < end)
      move (begin, keys[3], payloads.w);
  }
}

void
sort_bucket (uint begin, uint end)
{
  uint words = (pass.mask >> 1) + 1u;
  uint first = 0u;

  for (uint i = 0u; i < words; i++)
    counters[i] = 0u;
  count_bucket (begin, end);
  for (uint i = 0u; i < words; i++) {
    uint counts = counters[i];
    uint second = first + (counts & 0xffffu);
    counters[i] = first | second << 16;
    first = second + (counts >> 16);
  }
  move_bucket (begin, end);
}

void
main ()
{
  begin_pass ();
  /* This loop has one round; sort/digit_chunk.glsl explains why it is a loop. */
  for (uint i = gl_GlobalInvocationID.x; i < params.n_buckets;
       i += gl_NumWorkGroups.x * uint (LOCAL_SIZE_X))
    sort_bucket (state[params.buckets + i], state[params.buckets + i + 1u]);
}
