// SPDX-License-Identifier: LGPL-2.1-or-later
/* Decides whether keys are split by their highest digit first, so that the other digits are sorted
 * bucket by bucket, each of which stays in the processor's cache. Not where buckets are so small, or so
 * unlike in size, that invocations would wait for one another.
 *
 * Defines: none
 * Bindings: uniform 0: what to decide about; storage 0: the state with the digits' totals. Gets where
 *   each bucket begins, and how many workgroups the kernels of either way have.
 * Grid: one workgroup of one invocation. */
#include "lib/layout.h"

layout (std140, binding = 0) uniform Params
{
  GstGlesSortDecide params;
};

layout (std430, binding = 0) buffer State
{
  uint state[];
};

/* Tells where buckets begin. `rounds`: how long all workgroups would be busy, in keys of an invocation;
 * `longest`: the busiest of them; `first`: all keys. */
void
find_buckets (out uint rounds, out uint longest, out uint first)
{
  uint busiest = 0u;

  rounds = 0u;
  longest = 0u;
  first = 0u;
  for (uint i = 0u; i < params.n_buckets; i++) {
    uint count = state[params.totals + i];
    state[params.buckets + i] = first;
    first += count;
    busiest = max (busiest, count);
    if ((i + 1u) % params.lanes == 0u || i + 1u == params.n_buckets) {
      rounds += busiest;
      longest = max (longest, busiest);
      busiest = 0u;
    }
  }
  state[params.buckets + params.n_buckets] = first;
}

void
write_groups (uint at, uint groups)
{
  state[at] = groups;
  state[at + 1u] = 1u;
  state[at + 2u] = 1u;
}

void
main ()
{
  uint rounds, longest, n;
  bool split;

  find_buckets (rounds, longest, n);
  /* at most twice the rounds of equal buckets, a quarter of them in one workgroup, and enough keys to
   * pay for the counters */
  split = longest <= params.largest &&
      (params.forced != 0u ||
          (rounds <= n / params.lanes * 2u && longest <= n / params.lanes / 4u &&
              n >= 512u * params.n_buckets));
  write_groups (uint (GST_GLES_SORT_CHUNKS_IF_SPLIT), split ? params.chunk_groups : 0u);
  write_groups (uint (GST_GLES_SORT_BUCKETS_IF_SPLIT),
      split ? (params.n_buckets + params.lanes - 1u) / params.lanes : 0u);
  write_groups (uint (GST_GLES_SORT_CHUNKS_IF_WHOLE), split ? 0u : params.chunk_groups);
  write_groups (uint (GST_GLES_SORT_SPINE_IF_WHOLE), split ? 0u : params.spine_groups);
}
