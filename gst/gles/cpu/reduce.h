/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Native twin of the reduce kernels: sum, minimum and maximum of an array. Runs on the shared pool;
 * thread: any. */
#ifndef GST_GLES_CPU_REDUCE_H
#define GST_GLES_CPU_REDUCE_H

#include <gst/gles/cpu/key.h>

G_BEGIN_DECLS

/* The sum of @n u32. Modulo 2^32 it is its low word, for i32 too. 0 for none. */
guint64 gst_gles_cpu_reduce_sum (const guint32 *values, gsize n);

/* The sum of @n i32. 0 for none. */
gint64 gst_gles_cpu_reduce_sum_i32 (const guint32 *values, gsize n);

/* The smallest and the largest of @n u32, i32 or f32 @values, as their bits: the order is that of
 * gst_gles_cpu_to_key(), so a NaN may be either. The identities, for none: what has the key
 * 0xffffffff (minimum: G_MAXUINT32, G_MAXINT32, the NaN 0x7fffffff) and the key 0 (maximum: 0,
 * G_MININT32, the NaN 0xffffffff). */
guint32 gst_gles_cpu_reduce_min (GstGlesCpuType type, const guint32 *values, gsize n);
guint32 gst_gles_cpu_reduce_max (GstGlesCpuType type, const guint32 *values, gsize n);

/* The sum of @n f32, bits in and out, by a binary tree whose shape depends on @n alone:
 *
 *   level 0 has the leaves GST_GLES_F32_CLEAN (values[i]), i < n;
 *   node i of level k + 1 is GST_GLES_F32_CLEAN (node 2i of level k + node 2i + 1 of level k), the
 *   addition rounded to nearest, ties to even; where node 2i + 1 does not exist it is node 2i;
 *   the sum is the only node of the first level that has one.
 *
 * A missing node may as well be -0, since x + -0 is x for every clean x: padding by -0 to any
 * multiple of a power of two changes nothing. So the sum over every 2^k values whose place is a
 * multiple of 2^k (the last of them padded) is node by node level k of the tree, and the sum over
 * these is the rest of it, however many threads or workgroups took part. None sum up to -0. */
guint32 gst_gles_cpu_reduce_sum_f32 (const guint32 *values, gsize n);

/* One addition of that tree. */
guint32 gst_gles_cpu_f32_add (guint32 a, guint32 b);

/* The same tree over @n values that stand at the places @first ... @first + n - 1 of a longer array
 * which has -0 everywhere else: what kernels get that sum parts of an array in one pass. */
guint32 gst_gles_cpu_reduce_sum_f32_at (guint64 first, const guint32 *values, gsize n);

G_END_DECLS

#endif
