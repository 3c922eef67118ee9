/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* tbb::parallel_sort() of oneTBB, on all threads, if it was found at build time. */
#ifndef BENCH_PARALLEL_SORT_H
#define BENCH_PARALLEL_SORT_H

#include <glib.h>

G_BEGIN_DECLS

/* If this returns FALSE, the other functions do nothing. */
gboolean bench_parallel_sort_available (void);
void bench_parallel_sort_u32 (guint32 *keys, gsize n);
void bench_parallel_sort_u64 (guint64 *keys, gsize n);

G_END_DECLS

#endif
