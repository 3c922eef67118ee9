/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Native twin of the scan kernels: prefix sums of u32, modulo 2^32. Runs on the shared pool;
 * thread: any. Every @output may be its @input, and must not overlap it otherwise. */
#ifndef GST_GLES_CPU_SCAN_H
#define GST_GLES_CPU_SCAN_H

#include <glib.h>

G_BEGIN_DECLS

/* Writes the sum of input[0] to input[i - 1], or to input[i] if @inclusive, to output[i]. Returns
 * the sum of all @n values as a u64. */
guint64 gst_gles_cpu_scan (const guint32 *input, guint32 *output, gsize n, gboolean inclusive);

/* The same within segments: one begins at 0 and wherever heads[i] is not 0, and sums restart
 * there. @output must not overlap @heads. */
void gst_gles_cpu_scan_segmented (
    const guint32 *input, const guint32 *heads, guint32 *output, gsize n, gboolean inclusive);

typedef struct {
  gsize size; /* values, at least 1; the last block may be shorter */
  gboolean inclusive;
  guint32 *totals; /* (nullable): receives the sum of each block, modulo 2^32 */
} GstGlesCpuBlocks;

/* The same within blocks. */
void gst_gles_cpu_scan_blocks (
    const guint32 *input, guint32 *output, gsize n, const GstGlesCpuBlocks *blocks);

G_END_DECLS

#endif
