/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Native twin of the reduce kernels: sum, minimum and maximum of an array. Runs on the shared pool;
 * thread: any. */
#ifndef GST_GLES_CPU_REDUCE_H
#define GST_GLES_CPU_REDUCE_H

#include <gst/gles/cpu/key.h>

G_BEGIN_DECLS

/* Returns the sum of @n u32, 0 for none. The low word is the sum modulo 2^32, also for i32. */
guint64 gst_gles_cpu_reduce_sum (const guint32 *values, gsize n);

/* Returns the sum of @n i32, 0 for none. */
gint64 gst_gles_cpu_reduce_sum_i32 (const guint32 *values, gsize n);

/* Return the smallest and the largest of @n u32, i32 or f32 @values as bits, compared as keys of
 * gst_gles_cpu_to_key(), so a NaN can be either. For no values they return the identities: the
 * value with the key 0xffffffff (minimum: G_MAXUINT32, G_MAXINT32, the NaN 0x7fffffff) or with the
 * key 0 (maximum: 0, G_MININT32, the NaN 0xffffffff). */
guint32 gst_gles_cpu_reduce_min (GstGlesCpuType type, const guint32 *values, gsize n);
guint32 gst_gles_cpu_reduce_max (GstGlesCpuType type, const guint32 *values, gsize n);

/* Returns the sum of @n f32, as bits, by a binary tree whose shape depends on @n alone:
 *
 *   level 0 has the leaves GST_GLES_F32_CLEAN (values[i]), i < n;
 *   node i of level k + 1 is GST_GLES_F32_CLEAN (node 2i of level k + node 2i + 1 of level k), with
 *     the addition rounded to nearest, ties to even; if node 2i + 1 does not exist, it is node 2i;
 *   the sum is the only node of the first level that has one node.
 *
 * A missing node can be replaced by -0, because x + -0 is x for every normalised x; so the leaves
 * can be padded with -0 to a multiple of any power of two. Therefore the sums over every 2^k
 * values whose index is a multiple of 2^k, the last one padded, are the nodes of level k, and the
 * sum over them is the rest of the tree, however many threads or workgroups took part. The sum of
 * no values is -0. */
guint32 gst_gles_cpu_reduce_sum_f32 (const guint32 *values, gsize n);

/* Returns one addition of this tree. */
guint32 gst_gles_cpu_f32_add (guint32 a, guint32 b);

/* The same tree over @n values that are at the indices @first to @first + n - 1 of a longer array
 * with -0 everywhere else. Kernels that sum parts of an array get this result. */
guint32 gst_gles_cpu_reduce_sum_f32_at (guint64 first, const guint32 *values, gsize n);

G_END_DECLS

#endif
