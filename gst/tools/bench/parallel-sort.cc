/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "parallel-sort.h"

#include <tbb/parallel_sort.h>

gboolean
bench_parallel_sort_available (void)
{
  return TRUE;
}

void
bench_parallel_sort_u32 (guint32 *keys, gsize n)
{
  tbb::parallel_sort (keys, keys + n);
}

void
bench_parallel_sort_u64 (guint64 *keys, gsize n)
{
  tbb::parallel_sort (keys, keys + n);
}
