/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/expression/glsl.h>

static void
append_node (GString *text, const GstGlesNode *node, guint number)
{
  const guint arity = gst_gles_operation_get_arity (node->operation);

  g_string_append_printf (text, "  int n%u = ", number);
  if (node->operation == GST_GLES_OPERATION_CONSTANT) {
    g_string_append_printf (text, "int (0x%08xu);\n", (guint) node->constant);
    return;
  }
  if (node->operation == GST_GLES_OPERATION_LEAF) {
    g_string_append_printf (text, "i%u;\n", node->operands[0]);
    return;
  }
  g_string_append_printf (text, "operation_%s (", gst_gles_operation_get_name (node->operation));
  for (guint i = 0; i < arity; i++)
    g_string_append_printf (text, "%sn%u", i > 0 ? ", " : "", node->operands[i]);
  g_string_append (text, ");\n");
}

gchar *
gst_gles_graph_write_glsl (const GstGlesGraph *graph, guint result, const gchar *name)
{
  guint n_nodes, n_leaves;
  const GstGlesNode *nodes = gst_gles_graph_get_nodes (graph, &n_nodes);
  GString *text = g_string_new (NULL);

  gst_gles_graph_get_leaves (graph, &n_leaves);
  g_string_append_printf (text, "int\n%s (", name);
  for (guint i = 0; i < n_leaves; i++)
    g_string_append_printf (text, "%sint i%u", i > 0 ? ", " : "", i);
  g_string_append (text, ")\n{\n");
  for (guint i = 0; i <= result; i++)
    append_node (text, &nodes[i], i);
  g_string_append_printf (text, "  return n%u;\n}\n", result);
  return g_string_free (text, FALSE);
}

gboolean
gst_gles_graph_has (const GstGlesGraph *graph, GstGlesOperation operation)
{
  guint n;
  const GstGlesNode *nodes = gst_gles_graph_get_nodes (graph, &n);

  for (guint i = 0; i < n; i++) {
    if (nodes[i].operation == operation)
      return TRUE;
  }
  return FALSE;
}
