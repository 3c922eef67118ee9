/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/expression/expression-info.h>

#include <gst/gles/core/error.h>
#include <gst/gles/expression/names.h>

G_STATIC_ASSERT (GST_GLES_PARSER_MAX_PARAMETERS == GST_GLES_EXPRESSION_MAX_PARAMETERS);

G_DEFINE_BOXED_TYPE (
    GstGlesExpression, gst_gles_expression, gst_gles_expression_ref, gst_gles_expression_unref)

/* Returns a bit for each name of a sample in @graph. What is multiplied by 0 counts as well: the
 * grid of an expression must not depend on what can be calculated before. */
static guint
find_names (const GstGlesGraph *graph)
{
  guint n, names = 0;
  const GstGlesLeaf *leaves = gst_gles_graph_get_leaves (graph, &n);

  for (guint i = 0; i < n; i++) {
    if (leaves[i].kind == GST_GLES_LEAF_NAME && leaves[i].numbers[0] < GST_GLES_NAME_PLACE)
      names |= 1u << leaves[i].numbers[0];
  }
  return names;
}

/* Takes what of the graph the value needs: a name that does not matter is not asked for. */
static GstGlesExpression *
parse (const gchar *text, const GstGlesVocabulary *vocabulary, GError **error)
{
  g_autoptr (GPtrArray) parameters = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GstGlesGraph) graph = NULL;
  GstGlesExpression *expression;
  guint result;

  graph = gst_gles_expression_parse (text, vocabulary, parameters, &result, error);
  if (graph == NULL)
    return NULL;
  g_ptr_array_add (parameters, NULL);
  expression = g_new0 (GstGlesExpression, 1);
  expression->ref_count = 1;
  expression->text = g_strdup (text);
  expression->names = find_names (graph);
  expression->parameters = g_steal_pointer (&parameters);
  expression->graph = gst_gles_graph_prune (graph, &result, 1);
  expression->result = result;
  return expression;
}

GstGlesExpression *
gst_gles_expression_new (const gchar *text, GError **error)
{
  g_return_val_if_fail (text != NULL, NULL);
  return parse (text, &gst_gles_frame_vocabulary, error);
}

GstGlesExpression *
gst_gles_expression_new_for_arrays (const gchar *text, const gchar *const *names, GError **error)
{
  const GstGlesVocabulary vocabulary = { .names = names,
    .n_names = names != NULL ? g_strv_length ((gchar **) names) : 0 };
  GstGlesExpression *expression;

  g_return_val_if_fail (text != NULL, NULL);
  if (vocabulary.n_names < 1 || vocabulary.n_names > GST_GLES_EXPRESSION_MAX_ARRAYS) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS,
        "an expression on arrays has 1 to %d of them, not %u", GST_GLES_EXPRESSION_MAX_ARRAYS,
        vocabulary.n_names);
    return NULL;
  }
  expression = parse (text, &vocabulary, error);
  if (expression != NULL) {
    expression->n_arrays = vocabulary.n_names;
    expression->array_names = g_strdupv ((gchar **) names);
  }
  return expression;
}

GstGlesExpression *
gst_gles_expression_ref (GstGlesExpression *expression)
{
  g_return_val_if_fail (expression != NULL, NULL);
  g_atomic_int_inc (&expression->ref_count);
  return expression;
}

void
gst_gles_expression_unref (GstGlesExpression *expression)
{
  if (expression == NULL || !g_atomic_int_dec_and_test (&expression->ref_count))
    return;
  gst_gles_graph_free (expression->graph);
  g_ptr_array_unref (expression->parameters);
  g_strfreev (expression->array_names);
  g_free (expression->text);
  g_free (expression);
}

const gchar *
gst_gles_expression_get_text (GstGlesExpression *expression)
{
  g_return_val_if_fail (expression != NULL, NULL);
  return expression->text;
}

const gchar *const *
gst_gles_expression_get_arrays (GstGlesExpression *expression)
{
  g_return_val_if_fail (expression != NULL, NULL);
  return (const gchar *const *) expression->array_names;
}

const gchar *const *
gst_gles_expression_get_parameters (GstGlesExpression *expression)
{
  g_return_val_if_fail (expression != NULL, NULL);
  return (const gchar *const *) expression->parameters->pdata;
}

gint32
gst_gles_expression_evaluate (
    GstGlesExpression *expression, const gint32 *values, const gint32 *parameters)
{
  guint n;
  const GstGlesLeaf *leaves;
  g_autofree gint32 *inputs = NULL;

  g_return_val_if_fail (expression != NULL && expression->n_arrays > 0 && values != NULL, 0);
  g_return_val_if_fail (parameters != NULL || expression->parameters->len == 1, 0);
  leaves = gst_gles_graph_get_leaves (expression->graph, &n);
  inputs = g_new (gint32, n + 1);
  for (guint i = 0; i < n; i++)
    inputs[i] = leaves[i].kind == GST_GLES_LEAF_PARAMETER ? parameters[leaves[i].numbers[0]]
                                                          : values[leaves[i].numbers[0]];
  return gst_gles_graph_evaluate (expression->graph, expression->result, inputs);
}
