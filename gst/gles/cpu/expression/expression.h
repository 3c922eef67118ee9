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

/* What a thread calculates with: the memory of results, and where the inputs are. */
typedef struct _GstGlesCpuExpressionRun GstGlesCpuExpressionRun;

/* Prepares calculations with inputs[0], inputs[1], … in the order of the leaves, each a block long
 * and aligned to 32 bytes, which stay where they are: (transfer full), or NULL if there is no
 * memory. @expression must live as long. */
GstGlesCpuExpressionRun *gst_gles_cpu_expression_begin (
    const GstGlesCpuExpression *expression, const gint32 *const *inputs);
/* Calculates a block of values. Returns where they are, until the next one. Thread: any, one at a
 * time per run. */
const gint32 *gst_gles_cpu_expression_run (const GstGlesCpuExpressionRun *run);
/* NULL is safe. */
void gst_gles_cpu_expression_end (GstGlesCpuExpressionRun *run);

G_END_DECLS

#endif
