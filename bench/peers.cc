/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "peers.h"

#include <algorithm>
#include <cstdint>

#if BENCH_VQSORT
#include <hwy/contrib/sort/vqsort.h>

void
bench_vqsort (gpointer keys, gsize n, gboolean wide)
{
  if (wide)
    hwy::Sorter () (static_cast<uint64_t *> (keys), n, hwy::SortAscending ());
  else
    hwy::Sorter () (static_cast<uint32_t *> (keys), n, hwy::SortAscending ());
}

void
bench_stable_sort (gpointer keys, gsize n, gboolean)
{
  uint64_t *pairs = static_cast<uint64_t *> (keys);

  std::stable_sort (
      pairs, pairs + n, [] (uint64_t a, uint64_t b) { return (a >> 32) < (b >> 32); });
}
#endif

#if BENCH_TBB
#include <tbb/parallel_sort.h>

void
bench_parallel_sort (gpointer keys, gsize n, gboolean wide)
{
  if (wide)
    tbb::parallel_sort (static_cast<uint64_t *> (keys), static_cast<uint64_t *> (keys) + n);
  else
    tbb::parallel_sort (static_cast<uint32_t *> (keys), static_cast<uint32_t *> (keys) + n);
}
#endif
