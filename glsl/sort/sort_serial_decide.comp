// SPDX-License-Identifier: LGPL-2.1-or-later
/* Decides whether keys are first split into buckets by their most significant digit. The remaining
 * digits are then sorted bucket by bucket, and each bucket stays in the processor's cache. This
 * does not pay if buckets are small, or of so unequal sizes that invocations would wait for one
 * another.
 *
 * Defines: none
 * Bindings: uniform 0: the parameters of the decision; storage 0: the state with the totals of the
 *   digits; receives the first key of each bucket and the grids of the kernels of either way
 * Grid: one workgroup of one invocation. */
#include "sort/sort-layout.h"

layout (std140, binding = 0) uniform Params
{
  GstGlesSortDecide params;
};

layout (std430, binding = 0) buffer State
{
  uint state[];
};

/* Writes the first key of each bucket. `rounds` receives the sum over all workgroups of the
 * largest bucket in each, which estimates their time; `longest` the largest bucket; `first` the
 * number of keys. */
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
  /* Split if the estimated time is at most twice that of equal buckets, no bucket has more than a
   * quarter of it, and there are enough keys to pay for clearing and summing the counters. */
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
