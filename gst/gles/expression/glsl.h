/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_EXPRESSION_GLSL_H
#define GST_GLES_EXPRESSION_GLSL_H

#include <gst/gles/expression/graph.h>

G_BEGIN_DECLS

/* Returns a function of GLSL with the value of node @result of a pruned @graph: (transfer full).
 *
 *   int NAME (int i0, int i1, …)
 *
 * has the leaves as parameters, in their order. It is written from one template an operation
 * with numbers alone: no text of a user gets into it. expression/expression_operations.glsl
 * comes first. */
gchar *gst_gles_graph_write_glsl (const GstGlesGraph *graph, guint result, const gchar *name);

/* Whether a node of @graph is the operation. */
gboolean gst_gles_graph_has (const GstGlesGraph *graph, GstGlesOperation operation);

G_END_DECLS

#endif
