/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Expressions in native code: one operation after the other, each on a block of values. */
#ifndef GST_GLES_CPU_EXPRESSION_H
#define GST_GLES_CPU_EXPRESSION_H

#include <gst/gles/expression/graph.h>

G_BEGIN_DECLS

/* Values of a block. The memory of a few blocks fits the first-level cache. */
#define GST_GLES_CPU_EXPRESSION_BLOCK 256

typedef struct _GstGlesCpuExpression GstGlesCpuExpression;

/* Prepares node @result of a pruned @graph, which may go. */
GstGlesCpuExpression *gst_gles_cpu_expression_new (const GstGlesGraph *graph, guint result);
/* NULL is safe. */
void gst_gles_cpu_expression_free (GstGlesCpuExpression *expression);

/* Returns memory that a thread calculates with: (transfer full), released by free (); or NULL. */
gint32 *gst_gles_cpu_expression_new_scratch (const GstGlesCpuExpression *expression);

/* Calculates a block of values of inputs[0], inputs[1], … in the order of the leaves, each a
 * block long and aligned to 32 bytes. Returns where the values are: in @scratch or in an input.
 * Thread: any, with a scratch of its own. */
const gint32 *gst_gles_cpu_expression_run (
    const GstGlesCpuExpression *expression, const gint32 *const *inputs, gint32 *scratch);

G_END_DECLS

#endif
