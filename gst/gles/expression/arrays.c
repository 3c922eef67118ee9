/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/expression/arrays.h>

#include <gst/gles/expression/parser.h>

GstGlesGraph *
gst_gles_graph_limit_arrays (
    const GstGlesGraph *graph, guint *result, const gint32 *least, const gint32 *most)
{
  g_autoptr (GstGlesGraph) limited = gst_gles_graph_new ();
  guint n, n_leaves;
  const GstGlesNode *nodes = gst_gles_graph_get_nodes (graph, &n);
  const GstGlesLeaf *leaves = gst_gles_graph_get_leaves (graph, &n_leaves);
  g_autofree guint *numbers = g_new0 (guint, n);

  for (guint i = 0; i <= *result; i++) {
    const GstGlesNode *node = &nodes[i];

    if (node->operation == GST_GLES_OPERATION_CONSTANT) {
      numbers[i] = gst_gles_graph_add_constant (limited, node->constant);
    } else if (node->operation == GST_GLES_OPERATION_LEAF) {
      GstGlesLeaf leaf = leaves[node->operands[0]];

      if (leaf.kind == GST_GLES_LEAF_NAME) {
        leaf.least = least[leaf.numbers[0]];
        leaf.most = most[leaf.numbers[0]];
      }
      numbers[i] = gst_gles_graph_add_leaf (limited, &leaf);
    } else {
      numbers[i] = gst_gles_graph_add (limited, node->operation, numbers[node->operands[0]],
          numbers[node->operands[1]], numbers[node->operands[2]]);
    }
  }
  *result = numbers[*result];
  return gst_gles_graph_prune (limited, result, 1);
}
