/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sorts of other projects, in place and in ascending order. BENCH_VQSORT and BENCH_TBB say which
 * were found at build time. */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include <glib.h>

G_BEGIN_DECLS

/* @keys: @n words of 4 or 8 bytes, as @wide says. */
typedef void (*BenchPeerSort) (gpointer keys, gsize n, gboolean wide);

/* Highway's VQSort, the fastest known sort on one CPU thread. */
void bench_vqsort (gpointer keys, gsize n, gboolean wide);
/* std::stable_sort() by the upper words of wide keys. */
void bench_stable_sort (gpointer keys, gsize n, gboolean wide);
/* tbb::parallel_sort(), on all threads. */
void bench_parallel_sort (gpointer keys, gsize n, gboolean wide);

G_END_DECLS

#endif
