/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Native twin of the compact kernels: the values that pass, in input order. Runs on the shared
 * pool; thread: any. */
#ifndef GST_GLES_CPU_COMPACT_H
#define GST_GLES_CPU_COMPACT_H

#include <gst/gles/cpu/lib/key.h>

G_BEGIN_DECLS

/* The values v (u32, i32 or f32) with lower <= v <= upper, compared as keys of
 * gst_gles_cpu_to_key(). For a threshold, upper is the largest value. */
typedef struct {
  GstGlesValueType type;
  guint32 lower, upper;
} GstGlesCpuValueRange;

/* Where what passes is written: at most the first @capacity, and no later word is touched. Indices
 * are modulo 2^32. No output may overlap the input or the other output. */
typedef struct {
  guint32 *values, *indices; /* both nullable */
  gsize capacity;
} GstGlesCpuCompacted;

/* Writes the values of @input in @range, and their indices in @input. Returns how many pass,
 * regardless of the capacity. */
guint64 gst_gles_cpu_compact_range (const GstGlesCpuValueRange *range, const guint32 *input,
    gsize n, const GstGlesCpuCompacted *out);

/* The same for the values whose flag is not 0. @input may be NULL if no values are written. */
guint64 gst_gles_cpu_compact_flags (
    const guint32 *flags, const guint32 *input, gsize n, const GstGlesCpuCompacted *out);

G_END_DECLS

#endif
