/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Replaces parallel-sort.cc in builds without oneTBB. */
#include "parallel-sort.h"

gboolean
bench_parallel_sort_available (void)
{
  return FALSE;
}

void
bench_parallel_sort_u32 (guint32 *keys, gsize n)
{
}

void
bench_parallel_sort_u64 (guint64 *keys, gsize n)
{
}
