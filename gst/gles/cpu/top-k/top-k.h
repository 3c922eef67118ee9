/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_CPU_TOP_K_H
#define GST_GLES_CPU_TOP_K_H

#include <gst/gles/core/types.h>

G_BEGIN_DECLS

/* Returns the bytes of scratch memory for gst_gles_cpu_top_k() of up to @k; 0 if they exceed the
 * address space. */
gsize gst_gles_cpu_top_k_scratch_bytes (gsize k);

/* What is selected: the first min (k, n) entries of the stable sort of the keys, descending if
 * @largest and ascending otherwise. No array may overlap another. */
typedef struct {
  GstGlesValueType type; /* u32, i32 or f32 */
  gboolean largest;
  gsize k;
  guint32 *keys;    /* (nullable) */
  guint32 *indices; /* (nullable): where they are, modulo 2^32 */
} GstGlesCpuTopK;

/* Writes @top of the @n @keys. @scratch: gst_gles_cpu_top_k_scratch_bytes() bytes, aligned to 8,
 * overwritten. */
void gst_gles_cpu_top_k (const GstGlesCpuTopK *top, const guint32 *keys, gsize n, gpointer scratch);

G_END_DECLS

#endif
