/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Native twin of the reduce kernels: sum, minimum and maximum of an array. Runs on the shared pool;
 * thread: any. */
#ifndef GST_GLES_CPU_REDUCE_H
#define GST_GLES_CPU_REDUCE_H

#include <gst/gles/cpu/lib/key.h>

G_BEGIN_DECLS

/* Returns the sum of @n u32, 0 for none. The low word is the sum modulo 2^32, also for i32. */
guint64 gst_gles_cpu_reduce_sum (const guint32 *values, gsize n);

/* Returns the sum of @n i32, 0 for none. */
gint64 gst_gles_cpu_reduce_sum_i32 (const guint32 *values, gsize n);

/* Return the smallest and the largest of @n u32, i32 or f32 @values as bits, compared as keys of
 * gst_gles_cpu_to_key(), so a NaN can be either. For no values they return the identities: the
 * value with the key 0xffffffff (minimum: G_MAXUINT32, G_MAXINT32, the NaN 0x7fffffff) or with the
 * key 0 (maximum: 0, G_MININT32, the NaN 0xffffffff). */
guint32 gst_gles_cpu_reduce_min (GstGlesValueType type, const guint32 *values, gsize n);
guint32 gst_gles_cpu_reduce_max (GstGlesValueType type, const guint32 *values, gsize n);

/* Returns the sum of @n f32, as bits, by a binary tree whose shape depends on @n alone, so that it
 * does not depend on the number of threads or workgroups. docs/algorithms/float-sums.md defines
 * the tree. The sum of no values is -0. */
guint32 gst_gles_cpu_reduce_sum_f32 (const guint32 *values, gsize n);

/* Returns one addition of this tree. */
guint32 gst_gles_cpu_f32_add (guint32 a, guint32 b);

/* The same tree over @n values that are at the indices @first to @first + n - 1 of a longer array
 * with -0 everywhere else. Kernels that sum parts of an array get this result. */
guint32 gst_gles_cpu_reduce_sum_f32_at (guint64 first, const guint32 *values, gsize n);

G_END_DECLS

#endif
