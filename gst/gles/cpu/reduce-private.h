/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Parts of reduce that other algorithms are made of. One thread, no parallel calls. */
#ifndef GST_GLES_CPU_REDUCE_PRIVATE_H
#define GST_GLES_CPU_REDUCE_PRIVATE_H

#include <gst/gles/cpu/reduce.h>

G_BEGIN_DECLS

/* The sum of @n u32 (or i32: @is_signed), modulo 2^64. */
guint64 gst_gles_cpu_sum_values (const guint32 *values, gsize n, gboolean is_signed);

/* The largest of the @n keys of values, each flipped by @flip: by ~0, it is the smallest, flipped. 0
 * for none. */
guint32 gst_gles_cpu_max_key (GstGlesCpuType type, guint32 flip, const guint32 *values, gsize n);

/* gst_gles_cpu_reduce_sum_f32_at(). */
guint32 gst_gles_cpu_sum_leaves (guint64 first, const guint32 *values, gsize n);

/* The way up the tree of f32 sums: left children whose right sibling is still to come, one at most
 * per level. */
typedef struct {
  guint64 present; /* bit per level; 0 to begin with */
  guint32 nodes[64];
} GstGlesCpuF32Tree;

/* Adds node @index of @level, clean. Nodes come in the order of their leaves; a left sibling that was
 * never added is -0. */
void gst_gles_cpu_f32_tree_add (GstGlesCpuF32Tree *tree, guint level, guint64 index, guint32 node);

/* The root, all that was never added being -0. */
guint32 gst_gles_cpu_f32_tree_root (const GstGlesCpuF32Tree *tree);

G_END_DECLS

#endif
