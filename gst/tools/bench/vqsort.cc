/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "vqsort.h"

#include <algorithm>

#include <hwy/contrib/sort/vqsort.h>

gboolean
bench_vqsort_available (void)
{
  return TRUE;
}

void
bench_vqsort_u32 (guint32 *keys, gsize n)
{
  hwy::Sorter () (keys, n, hwy::SortAscending ());
}

void
bench_vqsort_u64 (guint64 *keys, gsize n)
{
  hwy::Sorter () (reinterpret_cast<uint64_t *> (keys), n, hwy::SortAscending ());
}

void
bench_stable_sort_pairs (guint64 *pairs, gsize n)
{
  std::stable_sort (pairs, pairs + n, [] (guint64 a, guint64 b) { return (a >> 32) < (b >> 32); });
}
