/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Parts of reduce that other algorithms use. They run on the calling thread, without parallel
 * calls. */
#ifndef GST_GLES_CPU_REDUCE_PARTS_H
#define GST_GLES_CPU_REDUCE_PARTS_H

#include <gst/gles/core/types.h>

G_BEGIN_DECLS

/* Returns the sum of @n u32 (or i32: @is_signed), modulo 2^64. */
guint64 gst_gles_cpu_sum_values (const guint32 *values, gsize n, gboolean is_signed);

/* Returns the largest of the @n keys of values, each XORed with @flip. With @flip = ~0 this is the
 * complement of the smallest key. 0 for no values. */
guint32 gst_gles_cpu_max_key (GstGlesValueType type, guint32 flip, const guint32 *values, gsize n);

/* gst_gles_cpu_reduce_sum_f32_at() on the calling thread. */
guint32 gst_gles_cpu_sum_leaves (guint64 first, const guint32 *values, gsize n);

/* A tree of f32 sums under construction: left children that wait for their right sibling, at most
 * one per level. */
typedef struct {
  guint64 present; /* a bit per level; initially 0 */
  guint32 nodes[64];
} GstGlesCpuF32Tree;

/* Adds node @index of @level, normalised. Nodes must come in the order of their leaves. A left
 * sibling that was never added counts as -0. */
void gst_gles_cpu_f32_tree_add (GstGlesCpuF32Tree *tree, guint level, guint64 index, guint32 node);

/* Returns the root. Nodes that were never added count as -0. */
guint32 gst_gles_cpu_f32_tree_root (const GstGlesCpuF32Tree *tree);

G_END_DECLS

#endif
