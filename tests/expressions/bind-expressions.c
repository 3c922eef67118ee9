/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calculates expressions on samples of frames, for the scripts beside this. A line of standard
 * input has names of components, their depths, Kr and Kb in 1/65536, 1 for full range, values of
 * the components, and behind `|` the expression; a line of the value is written, or `error` and
 * why. The value comes from native code, and is compared with that of the graph. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gst/gst.h>

#include <gst/gles/cpu/expression/expression.h>
#include <gst/gles/expression/bind.h>
#include <gst/gles/expression/expression-info.h>

#define BLOCK GST_GLES_CPU_EXPRESSION_BLOCK
#define MAX_LEAVES 64

static gchar line[1 << 16];

/* Reads what precedes the expression, of n components each. */
static guint
read_samples (gchar **words, GstGlesSamples *samples, gint32 *values)
{
  guint n = 0, at;

  *samples = (GstGlesSamples){ 0 };
  for (; words[n] != NULL && !g_ascii_isdigit (words[n][0]); n++)
    samples->names[n] = words[n];
  at = samples->n_components = n;
  for (guint i = 0; i < n; i++)
    samples->components[i].depth = (guint32) atoi (words[at++]);
  samples->kr = (guint) atoi (words[at++]);
  samples->kb = (guint) atoi (words[at++]);
  samples->kg = 65536 - samples->kr - samples->kb;
  samples->full_range = atoi (words[at++]);
  for (guint i = 0; i < n; i++)
    values[i] = atoi (words[at++]);
  return n;
}

/* The same value in a whole block. */
static gint32
run_native (const GstGlesGraph *graph, guint result, const gint32 *leaf_values, guint n)
{
  GstGlesCpuExpression *native = gst_gles_cpu_expression_new (graph, result);
  gint32 *blocks = aligned_alloc (64, MAX (n, 1) * BLOCK * sizeof (gint32));
  const gint32 *inputs[MAX_LEAVES];
  GstGlesCpuExpressionRun *run;
  gint32 value;

  for (guint i = 0; i < n; i++) {
    inputs[i] = blocks + i * BLOCK;
    for (guint k = 0; k < BLOCK; k++)
      blocks[i * BLOCK + k] = leaf_values[i];
  }
  run = gst_gles_cpu_expression_begin (native, inputs);
  value = gst_gles_cpu_expression_run (run)[BLOCK - 1];
  free (blocks);
  gst_gles_cpu_expression_end (run);
  gst_gles_cpu_expression_free (native);
  return value;
}

static void
calculate (const GstGlesSamples *samples, const gint32 *values, const gchar *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstGlesExpression) expression = gst_gles_expression_new (text, &error);
  g_autoptr (GstGlesGraph) graph = NULL;
  gint32 leaf_values[MAX_LEAVES] = { 0 };
  const GstGlesLeaf *leaves;
  guint result, n;

  if (expression != NULL) {
    result = expression->result;
    graph = gst_gles_expression_bind (expression->graph, &result, samples, &error);
  }
  if (graph == NULL) {
    printf ("error %s\n", strtok (error->message, "\n"));
    return;
  }
  leaves = gst_gles_graph_get_leaves (graph, &n);
  g_assert_cmpuint (n, <=, MAX_LEAVES);
  for (guint i = 0; i < n; i++) {
    if (leaves[i].kind == GST_GLES_BOUND_SAMPLE)
      leaf_values[i] = values[leaves[i].numbers[0]];
  }
  if (run_native (graph, result, leaf_values, n) !=
      gst_gles_graph_evaluate (graph, result, leaf_values))
    g_error ("%s: native code finds another value than the graph", text);
  printf ("%d\n", gst_gles_graph_evaluate (graph, result, leaf_values));
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  while (fgets (line, sizeof (line), stdin) != NULL) {
    gint32 values[GST_GLES_EXPRESSION_MAX_COMPONENTS];
    GstGlesSamples samples;
    gchar *text = strchr (line, '|');
    g_auto (GStrv) words = NULL;

    line[strcspn (line, "\n")] = '\0';
    g_assert_nonnull (text);
    *text++ = '\0';
    words = g_strsplit (line, " ", -1);
    read_samples (words, &samples, values);
    calculate (&samples, values, text);
  }
  return 0;
}
