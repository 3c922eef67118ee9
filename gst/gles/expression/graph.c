/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/expression/graph.h>

#include <string.h>

#include <gst/gles/expression/graph-private.h>

struct _GstGlesGraph {
  GArray *nodes;     /* of GstGlesNode */
  GArray *leaves;    /* of GstGlesLeaf */
  GHashTable *known; /* from a node without its range to its number and 1 */
  gboolean full;
};

/* What makes two nodes one. */
typedef struct {
  guint operation;
  guint operands[3];
  gint32 constant;
} Key;

static guint
key_hash (gconstpointer data)
{
  const Key *key = data;
  guint hash = key->operation;

  for (guint i = 0; i < 3; i++)
    hash = hash * 31 + key->operands[i];
  return hash * 31 + (guint) key->constant;
}

static gboolean
key_equal (gconstpointer a, gconstpointer b)
{
  return memcmp (a, b, sizeof (Key)) == 0;
}

GstGlesGraph *
gst_gles_graph_new (void)
{
  GstGlesGraph *graph = g_new0 (GstGlesGraph, 1);

  graph->nodes = g_array_new (FALSE, TRUE, sizeof (GstGlesNode));
  graph->leaves = g_array_new (FALSE, TRUE, sizeof (GstGlesLeaf));
  graph->known = g_hash_table_new_full (key_hash, key_equal, g_free, NULL);
  return graph;
}

void
gst_gles_graph_free (GstGlesGraph *graph)
{
  if (graph == NULL)
    return;
  g_array_unref (graph->nodes);
  g_array_unref (graph->leaves);
  g_hash_table_unref (graph->known);
  g_free (graph);
}

gboolean
gst_gles_graph_is_full (const GstGlesGraph *graph)
{
  return graph->full;
}

const GstGlesNode *
gst_gles_graph_get_nodes (const GstGlesGraph *graph, guint *n_nodes)
{
  *n_nodes = graph->nodes->len;
  return (const GstGlesNode *) (gpointer) graph->nodes->data;
}

const GstGlesLeaf *
gst_gles_graph_get_leaves (const GstGlesGraph *graph, guint *n_leaves)
{
  *n_leaves = graph->leaves->len;
  return (const GstGlesLeaf *) (gpointer) graph->leaves->data;
}

static const GstGlesNode *
get (const GstGlesGraph *graph, guint node)
{
  return &g_array_index (graph->nodes, GstGlesNode, node);
}

/* Returns the number of a node equal to @node, which is added if there is none. */
static guint
add (GstGlesGraph *graph, const GstGlesNode *node)
{
  Key key = { .operation = node->operation, .constant = node->constant };
  gpointer found;

  memcpy (key.operands, node->operands, sizeof (key.operands));
  found = g_hash_table_lookup (graph->known, &key);
  if (found != NULL)
    return GPOINTER_TO_UINT (found) - 1;
  if (graph->nodes->len >= GST_GLES_GRAPH_MAX_NODES) {
    graph->full = TRUE;
    return 0;
  }
  g_array_append_val (graph->nodes, *node);
  g_hash_table_insert (
      graph->known, g_memdup2 (&key, sizeof (key)), GUINT_TO_POINTER (graph->nodes->len));
  return graph->nodes->len - 1;
}

guint
gst_gles_graph_add_constant (GstGlesGraph *graph, gint32 value)
{
  const GstGlesNode node = {
    .operation = GST_GLES_OPERATION_CONSTANT, .constant = value, .least = value, .most = value
  };

  return add (graph, &node);
}

guint
gst_gles_graph_add_leaf (GstGlesGraph *graph, const GstGlesLeaf *leaf)
{
  GstGlesNode node = {
    .operation = GST_GLES_OPERATION_LEAF, .least = leaf->least, .most = leaf->most
  };
  guint i = 0;

  while (i < graph->leaves->len &&
      memcmp (&g_array_index (graph->leaves, GstGlesLeaf, i), leaf, sizeof (*leaf)) != 0)
    i++;
  if (i == graph->leaves->len)
    g_array_append_val (graph->leaves, *leaf);
  node.operands[0] = i;
  return add (graph, &node);
}

/* ---- operations ---- */

static gboolean
is_constant (const GstGlesGraph *graph, guint node, gint32 value)
{
  const GstGlesNode *n = get (graph, node);

  return n->operation == GST_GLES_OPERATION_CONSTANT && n->constant == value;
}

/* Operations on a node and a constant, one after the other with the same operation, are one: (a
 * ^ 3) ^ 3. */
static gboolean
is_associative (GstGlesOperation operation)
{
  switch (operation) {
    case GST_GLES_OPERATION_ADD:
    case GST_GLES_OPERATION_MULTIPLY:
    case GST_GLES_OPERATION_AND:
    case GST_GLES_OPERATION_OR:
    case GST_GLES_OPERATION_XOR:
    case GST_GLES_OPERATION_LEAST:
    case GST_GLES_OPERATION_MOST:
      return TRUE;
    default:
      return FALSE;
  }
}

/* Whether the operation with @constant gives @node back, because of the values that it can have. */
static gboolean
keeps (GstGlesOperation operation, const GstGlesNode *node, gint32 constant)
{
  if (gst_gles_operation_is_neutral (operation, constant))
    return TRUE;
  if (node->least < 0)
    return FALSE;
  switch (operation) {
    case GST_GLES_OPERATION_DIFFERENT:
      return constant == 0 && node->most <= 1;
    case GST_GLES_OPERATION_EQUAL:
      return constant == 1 && node->most <= 1;
    case GST_GLES_OPERATION_AND:
      return constant >= node->most && ((constant + 1u) & (guint) constant) == 0;
    default:
      return FALSE;
  }
}

/* Whether @node is a sum of a node and a number. */
static gboolean
has_summand (const GstGlesGraph *graph, guint node)
{
  const GstGlesNode *sum = get (graph, node);

  return sum->operation == GST_GLES_OPERATION_ADD &&
      get (graph, sum->operands[1])->operation == GST_GLES_OPERATION_CONSTANT;
}

/* Numbers move to the end of sums, where they meet: (a + 3) * 2 is a * 2 + 6, and (a + 3) + b is (a
 * + b) + 3. Sums wrap, so their order does not matter. */
static guint
move_summand (GstGlesGraph *graph, GstGlesOperation operation, guint a, guint b)
{
  const gboolean in_left = has_summand (graph, a);
  const GstGlesNode sum = *get (graph, in_left ? a : b);
  const GstGlesNode other = *get (graph, in_left ? b : a);
  gint32 number;

  if (!in_left && !has_summand (graph, b))
    return GST_GLES_NO_NODE;
  number = get (graph, sum.operands[1])->constant;
  if (operation == GST_GLES_OPERATION_MULTIPLY) {
    if (other.operation != GST_GLES_OPERATION_CONSTANT)
      return GST_GLES_NO_NODE;
    number = gst_gles_operation_apply (operation, number, other.constant, 0);
  }
  a = gst_gles_graph_add (graph, operation, sum.operands[0], in_left ? b : a, 0);
  return gst_gles_graph_add (
      graph, GST_GLES_OPERATION_ADD, a, gst_gles_graph_add_constant (graph, number), 0);
}

/* Returns a node that has the value of the operation on two nodes, or GST_GLES_NO_NODE. */
static guint
find_binary (GstGlesGraph *graph, GstGlesOperation operation, guint a, guint b)
{
  const GstGlesNode *left = get (graph, a), *right = get (graph, b);
  const gboolean by_constant = right->operation == GST_GLES_OPERATION_CONSTANT;

  if (by_constant && left->operation == operation && is_associative (operation)) {
    const guint inner = left->operands[0], other = left->operands[1];

    if (get (graph, other)->operation == GST_GLES_OPERATION_CONSTANT)
      return gst_gles_graph_add (graph, operation, inner,
          gst_gles_graph_add_constant (graph,
              gst_gles_operation_apply (
                  operation, get (graph, other)->constant, right->constant, 0)),
          0);
  }
  /* a - 3 is a + -3, so that it meets other sums */
  if (by_constant && operation == GST_GLES_OPERATION_SUBTRACT)
    return gst_gles_graph_add (graph, GST_GLES_OPERATION_ADD, a,
        gst_gles_graph_add_constant (
            graph, gst_gles_operation_apply (GST_GLES_OPERATION_NEGATE, right->constant, 0, 0)),
        0);
  if (by_constant && keeps (operation, left, right->constant))
    return a;
  if (operation == GST_GLES_OPERATION_MULTIPLY ||
      (operation == GST_GLES_OPERATION_ADD && !by_constant)) {
    const guint moved = move_summand (graph, operation, a, b);

    if (moved != GST_GLES_NO_NODE)
      return moved;
    left = get (graph, a);
    right = get (graph, b);
  }
  if (a == b) {
    switch (operation) {
      case GST_GLES_OPERATION_SUBTRACT:
      case GST_GLES_OPERATION_XOR:
      case GST_GLES_OPERATION_LESS:
      case GST_GLES_OPERATION_DIFFERENT:
      case GST_GLES_OPERATION_REMAINDER:
        return gst_gles_graph_add_constant (graph, 0);
      case GST_GLES_OPERATION_LESS_OR_EQUAL:
      case GST_GLES_OPERATION_EQUAL:
        return gst_gles_graph_add_constant (graph, 1);
      case GST_GLES_OPERATION_AND:
      case GST_GLES_OPERATION_OR:
      case GST_GLES_OPERATION_LEAST:
      case GST_GLES_OPERATION_MOST:
        return a;
      default:
        break;
    }
  }
  if (operation == GST_GLES_OPERATION_LEAST && left->most <= right->least)
    return a;
  if (operation == GST_GLES_OPERATION_LEAST && right->most <= left->least)
    return b;
  if (operation == GST_GLES_OPERATION_MOST && left->least >= right->most)
    return a;
  if (operation == GST_GLES_OPERATION_MOST && right->least >= left->most)
    return b;
  return GST_GLES_NO_NODE;
}

/* The same for any operation. */
static guint
find_simpler (GstGlesGraph *graph, GstGlesOperation operation, const guint operands[3])
{
  const GstGlesNode *a = get (graph, operands[0]);

  switch (gst_gles_operation_get_arity (operation)) {
    case 1:
      if (operation == GST_GLES_OPERATION_MAGNITUDE && a->least >= 0)
        return operands[0];
      if (a->operation == operation &&
          (operation == GST_GLES_OPERATION_NEGATE || operation == GST_GLES_OPERATION_COMPLEMENT))
        return a->operands[0];
      return GST_GLES_NO_NODE;
    case 2:
      return find_binary (graph, operation, operands[0], operands[1]);
    default:
      if (operands[1] == operands[2] || a->least > 0 || a->most < 0)
        return operands[1];
      return is_constant (graph, operands[0], 0) ? operands[2] : GST_GLES_NO_NODE;
  }
}

static gboolean
is_leaf_behind (const GstGlesLeaf *a, const GstGlesLeaf *b)
{
  if (a->kind != b->kind)
    return a->kind > b->kind;
  for (guint i = 0; i < G_N_ELEMENTS (a->numbers); i++) {
    if (a->numbers[i] != b->numbers[i])
      return a->numbers[i] > b->numbers[i];
  }
  return FALSE;
}

/* Whether @a comes behind @b, of operands that may be exchanged: constants are last. Inputs have an
 * order of their own, whichever the text names first. */
static gboolean
is_behind (const GstGlesGraph *graph, guint a, guint b)
{
  const GstGlesNode *left = get (graph, a), *right = get (graph, b);
  const gboolean a_constant = left->operation == GST_GLES_OPERATION_CONSTANT;
  const gboolean b_constant = right->operation == GST_GLES_OPERATION_CONSTANT;

  if (a_constant != b_constant)
    return a_constant;
  if (left->operation == GST_GLES_OPERATION_LEAF && right->operation == GST_GLES_OPERATION_LEAF)
    return is_leaf_behind (&g_array_index (graph->leaves, GstGlesLeaf, left->operands[0]),
        &g_array_index (graph->leaves, GstGlesLeaf, right->operands[0]));
  return a > b;
}

guint
gst_gles_graph_add (GstGlesGraph *graph, GstGlesOperation operation, guint a, guint b, guint c)
{
  const guint arity = gst_gles_operation_get_arity (operation);
  GstGlesNode node = { .operation = operation, .operands = { a, b, c } };
  guint simpler;

  g_return_val_if_fail (arity > 0 && graph->nodes->len > 0, 0);
  for (guint i = arity; i < 3; i++)
    node.operands[i] = 0;
  if (gst_gles_operation_commutes (operation) && is_behind (graph, a, b)) {
    node.operands[0] = b;
    node.operands[1] = a;
  }
  simpler = find_simpler (graph, operation, node.operands);
  if (simpler != GST_GLES_NO_NODE)
    return simpler;
  gst_gles_node_set_range (&node, get (graph, node.operands[0]), get (graph, node.operands[1]),
      get (graph, node.operands[2]));
  if (node.least == node.most)
    return gst_gles_graph_add_constant (graph, node.least);
  return add (graph, &node);
}

/* ---- graphs as a whole ---- */

GstGlesGraph *
gst_gles_graph_prune (const GstGlesGraph *graph, guint *results, guint n_results)
{
  GstGlesGraph *pruned = gst_gles_graph_new ();
  const guint n = graph->nodes->len;
  g_autofree guint *numbers = g_new0 (guint, n); /* whether it is needed, then its number */

  for (guint i = 0; i < n_results; i++)
    numbers[results[i]] = TRUE;
  for (guint i = n; i-- > 0;) {
    const GstGlesNode *node = get (graph, i);

    for (guint k = 0; k < gst_gles_operation_get_arity (node->operation) && numbers[i] != 0; k++)
      numbers[node->operands[k]] = TRUE;
  }
  for (guint i = 0; i < n; i++) {
    GstGlesNode node = *get (graph, i);

    if (numbers[i] == 0)
      continue;
    for (guint k = 0; k < gst_gles_operation_get_arity (node.operation); k++)
      node.operands[k] = numbers[node.operands[k]];
    numbers[i] = node.operation == GST_GLES_OPERATION_LEAF
        ? gst_gles_graph_add_leaf (
              pruned, &g_array_index (graph->leaves, GstGlesLeaf, node.operands[0]))
        : add (pruned, &node);
  }
  for (guint i = 0; i < n_results; i++)
    results[i] = numbers[results[i]];
  return pruned;
}

gint32
gst_gles_graph_evaluate (const GstGlesGraph *graph, guint node, const gint32 *leaves)
{
  g_autofree gint32 *values = g_new (gint32, node + 1);

  for (guint i = 0; i <= node; i++) {
    const GstGlesNode *n = get (graph, i);

    if (n->operation == GST_GLES_OPERATION_CONSTANT)
      values[i] = n->constant;
    else if (n->operation == GST_GLES_OPERATION_LEAF)
      values[i] = leaves[n->operands[0]];
    else
      values[i] = gst_gles_operation_apply (
          n->operation, values[n->operands[0]], values[n->operands[1]], values[n->operands[2]]);
  }
  return values[node];
}
