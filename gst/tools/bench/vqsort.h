/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Highway's VQSort, the fastest known sort on one CPU thread, if it was found at build time. */
#ifndef BENCH_VQSORT_H
#define BENCH_VQSORT_H

#include <glib.h>

G_BEGIN_DECLS

/* If this returns FALSE, the other functions do nothing. */
gboolean bench_vqsort_available (void);
void bench_vqsort_u32 (guint32 *keys, gsize n);
void bench_vqsort_u64 (guint64 *keys, gsize n);
/* Calls std::stable_sort() with the upper words as keys. */
void bench_stable_sort_pairs (guint64 *pairs, gsize n);

G_END_DECLS

#endif
