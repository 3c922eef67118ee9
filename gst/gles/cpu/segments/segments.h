/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Native twin of the segments kernels: runs of equal keys, statistics of the values of each run,
 * and the largest or smallest values. Runs on the shared pool; thread: any. */
#ifndef GST_GLES_CPU_SEGMENTS_H
#define GST_GLES_CPU_SEGMENTS_H

#include <gst/gles/cpu/lib/key.h>

G_BEGIN_DECLS

/* The outputs, one entry per run in input order; NULL: not written. At most `capacity` entries are
 * written, those of the first runs, and no later word is touched. No array may overlap an input or
 * another output. */
typedef struct {
  guint32 *keys;   /* the key, gst_gles_cpu_type_words() words */
  guint32 *starts; /* where the run begins, modulo 2^32 */
  guint32 *counts; /* its length, modulo 2^32 */
  guint32 *sums;   /* u32, i32: modulo 2^32. f32: see below */
  guint32
      *sums_high; /* u32, i32: the high words of the 64-bit sums (i32: sign-extended). f32: none */
  guint32 *mins;  /* as in reduce */
  guint32 *maxs;
  gsize capacity;
} GstGlesCpuSegments;

typedef struct {
  GstGlesValueType key_type;
  const guint32 *keys;
  GstGlesValueType value_type; /* u32, i32 or f32 */
  const guint32 *values;       /* may be NULL if no sums, mins or maxs are wanted */
} GstGlesCpuKeyed;

/* Finds the runs of equal neighbours among the keys of the @n entries of @input. Keys are equal if
 * all bits are equal, so -0 is not +0, and a NaN equals itself. In sorted keys the runs are the
 * groups.
 *
 * f32 sums are gst_gles_cpu_reduce_sum_f32_at() of the run: the tree over the whole array with -0
 * in place of the values of other runs.
 *
 * Returns the number of runs, regardless of the capacity. */
guint64 gst_gles_cpu_segments (
    const GstGlesCpuKeyed *input, gsize n, const GstGlesCpuSegments *segments);

G_END_DECLS

#endif
