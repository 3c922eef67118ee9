/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Native twin of the compact kernels: the values that pass, in input order. Runs on the shared
 * pool; thread: any. */
#ifndef GST_GLES_CPU_COMPACT_H
#define GST_GLES_CPU_COMPACT_H

#include <gst/gles/cpu/lib/key.h>

G_BEGIN_DECLS

/* Writes the values v of @input (u32, i32 or f32) with @lower <= v <= @upper, compared as keys of
 * gst_gles_cpu_to_key(), to @values, and their indices in @input to @indices; both nullable. For a
 * threshold, @upper is the largest value. At most the first @capacity are written, and no later
 * word is touched. No output may overlap the input or the other output. Indices are modulo 2^32.
 * Returns how many values pass, regardless of @capacity. */
guint64 gst_gles_cpu_compact_range (GstGlesValueType type, guint32 lower, guint32 upper,
    const guint32 *input, gsize n, guint32 *values, guint32 *indices, gsize capacity);

/* The same for the values whose flag is not 0. @input may be NULL if @values is NULL. */
guint64 gst_gles_cpu_compact_flags (const guint32 *flags, const guint32 *input, gsize n,
    guint32 *values, guint32 *indices, gsize capacity);

G_END_DECLS

#endif
