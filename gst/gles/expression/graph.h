/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Expressions as graphs: each node is a number, an input, or an operation on earlier nodes. Equal
 * nodes are one, and what is known without an input is calculated when a node is made. */
#ifndef GST_GLES_EXPRESSION_GRAPH_H
#define GST_GLES_EXPRESSION_GRAPH_H

#include <gst/gles/expression/operations.h>

G_BEGIN_DECLS

/* An input. What kind and numbers mean is up to who makes and reads the graph; two leaves with
 * equal members are one. */
typedef struct {
  guint kind;
  gint numbers[3];
  gint32 least, most; /* values that it can have */
} GstGlesLeaf;

typedef struct {
  GstGlesOperation operation;
  guint operands[3]; /* of an operation: numbers of earlier nodes; of LEAF, the first: its number */
  gint32 constant;   /* of CONSTANT */
  gint32 least, most;
} GstGlesNode;

typedef struct _GstGlesGraph GstGlesGraph;

#define GST_GLES_GRAPH_MAX_NODES 4096

GstGlesGraph *gst_gles_graph_new (void);
/* NULL is safe. */
void gst_gles_graph_free (GstGlesGraph *graph);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesGraph, gst_gles_graph_free)

/* Each of these returns the number of a node. A graph that has the most nodes is full: it notes
 * that, and returns node 0 for further ones. */
guint gst_gles_graph_add_constant (GstGlesGraph *graph, gint32 value);
guint gst_gles_graph_add_leaf (GstGlesGraph *graph, const GstGlesLeaf *leaf);
/* Operands beyond the arity are ignored. */
guint gst_gles_graph_add (
    GstGlesGraph *graph, GstGlesOperation operation, guint a, guint b, guint c);
gboolean gst_gles_graph_is_full (const GstGlesGraph *graph);

/* (transfer none); valid until the next node or leaf is added. */
const GstGlesNode *gst_gles_graph_get_nodes (const GstGlesGraph *graph, guint *n_nodes);
const GstGlesLeaf *gst_gles_graph_get_leaves (const GstGlesGraph *graph, guint *n_leaves);

/* Returns a graph of those nodes alone that @results need: (transfer full). @results are
 * replaced by their numbers there. */
GstGlesGraph *gst_gles_graph_prune (const GstGlesGraph *graph, guint *results, guint n_results);

/* Returns the value of @node, where leaf i has the value leaves[i]. */
gint32 gst_gles_graph_evaluate (const GstGlesGraph *graph, guint node, const gint32 *leaves);

G_END_DECLS

#endif
