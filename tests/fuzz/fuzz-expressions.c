/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Texts of expressions: two bytes that choose a format and values, then the text. What is parsed
 * has one value on a format, calculated node by node and by native code, and a function of GLSL. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include <gst/gles/cpu/expression/expression.h>
#include <gst/gles/expression/bind.h>
#include <gst/gles/expression/expression-info.h>
#include <gst/gles/expression/glsl.h>

#define BLOCK GST_GLES_CPU_EXPRESSION_BLOCK

static const GstGlesSamples formats[] = {
  { 3, { "Y", "U", "V" }, { { .depth = 8 }, { .depth = 8 }, { .depth = 8 } }, 13933, 46871, 4732 },
  { 4, { "Y", "U", "V", "A" },
      { { .depth = 16 }, { .depth = 16 }, { .depth = 16 }, { .depth = 16 } }, 19595, 38470, 7471,
      TRUE },
  { 3, { "R", "G", "B" }, { { .depth = 5 }, { .depth = 6 }, { .depth = 5 } }, 13933, 46871, 4732 },
  { 1, { "Y" }, { { .depth = 10 } }, 13933, 46871, 4732 },
};

/* A value that the leaf can have. */
static gint32
value_of (const GstGlesLeaf *leaf, guint seed)
{
  const gint64 span = (gint64) leaf->most - leaf->least;

  if (leaf->least == leaf->most)
    return (gint32) (seed * 2654435761u);
  return (gint32) (leaf->least + (seed % 3 == 0 ? span : (gint64) (seed * 40503u) % (span + 1)));
}

static gint32
run_native (const GstGlesGraph *graph, guint result, const gint32 *values, guint n)
{
  GstGlesCpuExpression *native = gst_gles_cpu_expression_new (graph, result);
  gint32 *blocks = aligned_alloc (64, (gsize) MAX (n, 1) * BLOCK * sizeof (gint32));
  g_autofree const gint32 **inputs = g_new (const gint32 *, n + 1);
  GstGlesCpuExpressionRun *run;
  gint32 value;

  for (guint i = 0; i < n; i++) {
    inputs[i] = blocks + (gsize) i * BLOCK;
    for (guint k = 0; k < BLOCK; k++)
      blocks[(gsize) i * BLOCK + k] = values[i];
  }
  run = gst_gles_cpu_expression_begin (native, inputs);
  value = gst_gles_cpu_expression_run (run)[BLOCK / 2];
  free (blocks);
  gst_gles_cpu_expression_end (run);
  gst_gles_cpu_expression_free (native);
  return value;
}

static void
check_value (const GstGlesGraph *graph, guint result, guint seed)
{
  g_autofree gchar *code = gst_gles_graph_write_glsl (graph, result, "expression");
  guint n, n_nodes;
  const GstGlesLeaf *leaves = gst_gles_graph_get_leaves (graph, &n);
  const GstGlesNode *node = &gst_gles_graph_get_nodes (graph, &n_nodes)[result];
  g_autofree gint32 *values = g_new0 (gint32, n + 1);
  gint32 value;

  for (guint i = 0; i < n; i++)
    values[i] = value_of (&leaves[i], seed + i);
  value = gst_gles_graph_evaluate (graph, result, values);
  fuzz_assert (node->least <= value && value <= node->most);
  fuzz_assert (run_native (graph, result, values, n) == value);
  for (const gchar *c = code; *c != '\0'; c++)
    fuzz_assert (g_ascii_isprint (*c) || *c == '\n');
}

static void
check_error (const GError *error)
{
  fuzz_assert (error != NULL && g_utf8_validate (error->message, -1, NULL));
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  static const gchar *const names[] = { "a", "b", "long_name", NULL };
  g_autofree gchar *text = NULL;
  g_autoptr (GstGlesExpression) of_frames = NULL, of_arrays = NULL;
  g_autoptr (GstGlesGraph) bound = NULL;
  g_autoptr (GError) error = NULL, of_format = NULL, refusal = NULL;
  guint result;

  fuzz_init ();
  if (size < 2)
    return 0;
  text = g_strndup ((const gchar *) data + 2, size - 2);
  of_arrays = gst_gles_expression_new_for_arrays (text, names, &refusal);
  if (of_arrays == NULL)
    check_error (refusal);
  of_frames = gst_gles_expression_new (text, &error);
  if (of_frames == NULL) {
    check_error (error);
    return 0;
  }
  result = of_frames->result;
  bound = gst_gles_expression_bind (
      of_frames->graph, &result, &formats[data[0] % G_N_ELEMENTS (formats)], &of_format);
  if (bound == NULL)
    check_error (of_format);
  else
    check_value (bound, result, data[1]);
  return 0;
}
