// SPDX-License-Identifier: LGPL-2.1-or-later
/* Counts the digits of all passes over all keys, and clears the state for the first pass: tickets
 * and status words. Each later pass finds its status words cleared by the pass before, and the
 * totals of this sort were cleared by the previous sort, which uses another set. A separate kernel
 * for clearing would take several us.
 *
 * Defines: LOCAL_SIZE_X; PASSES: the largest number of passes; KEY_WORDS, PAYLOAD, SOURCE_RECORDS,
 *   RADIX_BITS as in sort/digit.glsl
 * Bindings: uniform 0: the first pass; storage 0: the state, totals zero; storage 1: the keys
 * Grid: x workgroups, any number; each takes every x-th batch of LOCAL_SIZE_X * 4
 *   consecutive keys. */
#pragma optionNV (unroll all)
#define READS 2
#define WRITES 0
#include "sort/sort-layout.h"
#include "lib/barrier.glsl"
#include "sort/digit.glsl"

#define BATCH_KEYS 4
#define BATCH uint (BATCH_KEYS * LOCAL_SIZE_X)

shared uint counts[PASSES * RADIX];

/* Per pass: the first bit of its digit, and its mask; 0 from n_passes on. */
uint shifts[PASSES], masks[PASSES];

void
find_passes ()
{
  for (int pass = 0; pass < PASSES; pass++) {
    shifts[pass] = 0u;
    masks[pass] = 0u;
    if (uint (pass) < params.n_passes)
      find_pass (uint (pass), shifts[pass], masks[pass]);
  }
}

void
count_key (Key key)
{
  for (int pass = 0; pass < PASSES; pass++) {
    if (masks[pass] != 0u)
      atomicAdd (counts[pass * RADIX + int (key_bits (key, shifts[pass], masks[pass]))], 1u);
  }
}

void
clear_state (uint n, uint n_counts)
{
  uint step = gl_NumWorkGroups.x * uint (LOCAL_SIZE_X);
  uint tiles = n / params.tile_keys + (n % params.tile_keys != 0u ? 1u : 0u);

  for (uint i = gl_GlobalInvocationID.x; i < tiles * uint (RADIX); i += step)
    state[params.tile_words + i] = 0u;
  for (uint i = gl_GlobalInvocationID.x; i < n_counts; i += step)
    state[params.next_totals + i] = 0u;
  for (uint i = gl_GlobalInvocationID.x; i < params.n_passes; i += step)
    state[uint (GST_GLES_SORT_TICKETS) + i] = 0u;
  if (gl_GlobalInvocationID.x == 0u)
    write_result ();
}

void
main ()
{
  uint local = gl_LocalInvocationIndex;
  uint n = n_keys ();
  uint n_counts = params.n_passes * uint (RADIX);

  clear_state (n, n_counts);
  for (uint i = local; i < n_counts; i += uint (LOCAL_SIZE_X))
    counts[i] = 0u;
  workgroup_barrier ();
  find_passes ();
  for (uint first = gl_WorkGroupID.x * BATCH; first < n; first += gl_NumWorkGroups.x * BATCH) {
    Key keys[BATCH_KEYS];

    /* All loads are issued before the first result is used. */
    for (int k = 0; k < BATCH_KEYS; k++)
      keys[k] = load_key (min (first + uint (k * LOCAL_SIZE_X) + local, n - 1u));
    for (int k = 0; k < BATCH_KEYS; k++) {
      if (first + uint (k * LOCAL_SIZE_X) + local < n)
        count_key (keys[k]);
    }
  }
  workgroup_barrier ();
  for (uint i = local; i < n_counts; i += uint (LOCAL_SIZE_X)) {
    if (counts[i] != 0u)
      atomicAdd (state[params.totals + i], counts[i]);
  }
}
