/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/expression/expression-info.h>
#include <gst/gles/expression/names.h>

static void
append_leaf (GString *text, const GstGlesExpression *expression, const GstGlesLeaf *leaf)
{
  static const gchar *const moments[] = { "", "prev.", "bg." };
  const gchar *const *names = expression->array_names != NULL
      ? (const gchar *const *) expression->array_names
      : gst_gles_frame_vocabulary.names;
  const gint number = leaf->numbers[0], offset = leaf->numbers[2];

  switch (leaf->kind) {
    case GST_GLES_LEAF_PARAMETER:
      g_string_append_printf (
          text, "$%s", (const gchar *) g_ptr_array_index (expression->parameters, number));
      return;
    case GST_GLES_LEAF_SHARE:
      g_string_append_printf (text, "%d.%03d%%", number / 1000, number % 1000);
      return;
    case GST_GLES_LEAF_DEPTH:
      g_string_append (text, "depth");
      return;
    default:
      g_string_append_printf (text, "%s%s", moments[leaf->numbers[1]], names[number]);
      if (offset != 0)
        g_string_append_printf (
            text, "[%d,%d]", GST_GLES_OFFSET_X (offset), GST_GLES_OFFSET_Y (offset));
      return;
  }
}

/* @lines: of the nodes before; 0: it has none. */
static void
append_operand (GString *text, const GstGlesExpression *expression, const GstGlesNode *node,
    guint line, const GstGlesLeaf *leaves)
{
  if (line != 0)
    g_string_append_printf (text, "%%%u", line);
  else if (node->operation == GST_GLES_OPERATION_CONSTANT)
    g_string_append_printf (text, "%d", node->constant);
  else
    append_leaf (text, expression, &leaves[node->operands[0]]);
}

gchar *
gst_gles_expression_describe (GstGlesExpression *expression)
{
  GString *text = g_string_new (NULL);
  guint n_nodes, n_leaves, n_lines = 0;
  const GstGlesNode *nodes;
  const GstGlesLeaf *leaves;
  g_autofree guint *lines = NULL;

  g_return_val_if_fail (expression != NULL, NULL);
  nodes = gst_gles_graph_get_nodes (expression->graph, &n_nodes);
  leaves = gst_gles_graph_get_leaves (expression->graph, &n_leaves);
  lines = g_new0 (guint, n_nodes);
  for (guint i = 0; i <= expression->result; i++) {
    const guint arity = gst_gles_operation_get_arity (nodes[i].operation);

    if (arity == 0)
      continue;
    lines[i] = ++n_lines;
    g_string_append_printf (
        text, "%%%u = %s", n_lines, gst_gles_operation_get_name (nodes[i].operation));
    for (guint k = 0; k < arity; k++) {
      const guint operand = nodes[i].operands[k];

      g_string_append_c (text, ' ');
      append_operand (text, expression, &nodes[operand], lines[operand], leaves);
    }
    g_string_append_c (text, '\n');
  }
  if (lines[expression->result] == 0) {
    append_operand (text, expression, &nodes[expression->result], 0, leaves);
    g_string_append_c (text, '\n');
  }
  return g_string_free (text, FALSE);
}
