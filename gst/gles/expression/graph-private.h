/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_EXPRESSION_GRAPH_PRIVATE_H
#define GST_GLES_EXPRESSION_GRAPH_PRIVATE_H

#include <gst/gles/expression/graph.h>

G_BEGIN_DECLS

/* The number of no node. */
#define GST_GLES_NO_NODE G_MAXUINT

/* ---- ranges.c ---- */

/* Sets the least and the most value of @node by those of its operands; both are the value if
 * that is known. Operands beyond the arity are ignored. */
void gst_gles_node_set_range (
    GstGlesNode *node, const GstGlesNode *a, const GstGlesNode *b, const GstGlesNode *c);

/* Whether the operation with @constant as second operand gives the first one. */
gboolean gst_gles_operation_is_neutral (GstGlesOperation operation, gint32 constant);

G_END_DECLS

#endif
