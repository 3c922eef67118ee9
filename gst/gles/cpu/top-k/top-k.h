/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_CPU_TOP_K_H
#define GST_GLES_CPU_TOP_K_H

#include <gst/gles/core/types.h>

G_BEGIN_DECLS

/* Returns the bytes of scratch memory for gst_gles_cpu_top_k() of up to @k; 0 if they exceed the
 * address space. */
gsize gst_gles_cpu_top_k_scratch_bytes (gsize k);

/* Writes the first min (k, n) entries of the stable sort of @keys (u32, i32 or f32), descending if
 * @largest and ascending otherwise, to @top_keys, and their indices in @keys, modulo 2^32, to
 * @top_indices; both nullable. No array may overlap another. @scratch:
 * gst_gles_cpu_top_k_scratch_bytes() bytes, aligned to 8, overwritten. */
void gst_gles_cpu_top_k (GstGlesValueType type, gboolean largest, const guint32 *keys, gsize n,
    gsize k, guint32 *top_keys, guint32 *top_indices, gpointer scratch);

G_END_DECLS

#endif
