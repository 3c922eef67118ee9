/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Replaces vqsort.cc in builds without Highway. */
#include "vqsort.h"

gboolean
bench_vqsort_available (void)
{
  return FALSE;
}

void
bench_vqsort_u32 (guint32 *keys, gsize n)
{
}

void
bench_vqsort_u64 (guint64 *keys, gsize n)
{
}

void
bench_stable_sort_pairs (guint64 *pairs, gsize n)
{
}
