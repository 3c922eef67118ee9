/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <string.h>

#include <gst/gles/algo/frame/frame-expression-private.h>
#include <gst/gles/expression/bind.h>
#include <gst/gles/expression/expression-info.h>

#define TABLE_BITS (GST_GLES_FRAME_EXPRESSION_TABLE_ROWS * 128)

static void
describe_samples (const GstGlesImage *format, GstGlesSamples *samples)
{
  *samples = (GstGlesSamples){ .n_components = format->n_components,
    .kr = format->kr,
    .kg = format->kg,
    .kb = format->kb,
    .full_range = format->full_range };
  for (guint i = 0; i < format->n_components; i++) {
    samples->names[i] = format->names[i];
    samples->components[i] = format->components[i];
  }
}

static const GstGlesNode *
result_of (const GstGlesFrameFormula *formula)
{
  guint n;

  return &gst_gles_graph_get_nodes (formula->graph, &n)[formula->result];
}

/* Chooses what becomes of values, which the picture has room for if they are known to fit. */
static void
choose_encoding (GstGlesFrameFormula *formula, const GstGlesFrameExpression *plan)
{
  const GstGlesNode *node = result_of (formula);

  if (plan->config.predicate) {
    if (node->least < 0 || node->most > G_MAXUINT8)
      formula->encoding = GST_GLES_CPU_ENCODE_PREDICATE;
    return;
  }
  if (node->least < (gint32) plan->config.lower || node->most > (gint32) plan->config.upper) {
    formula->encoding = GST_GLES_CPU_ENCODE_LIMITED;
    formula->outside = 1u << MAX (g_bit_storage (plan->config.upper), 8);
  }
}

/* Returns how many bits the largest code needs, of 1, 8 and 16; 0: more. */
static guint
code_bits (const GstGlesFrameFormula *formula)
{
  const GstGlesNode *node = result_of (formula);

  if (formula->encoding == GST_GLES_CPU_ENCODE_PREDICATE)
    return 1;
  if (formula->encoding == GST_GLES_CPU_ENCODE_LIMITED)
    return 16;
  if (node->least < 0 || node->most > G_MAXUINT16)
    return 0;
  return node->most <= 1 ? 1 : node->most <= G_MAXUINT8 ? 8 : 16;
}

/* An expression of one sample is a table, if that is small. */
static void
choose_table (GstGlesFrameFormula *formula, const GstGlesImage *format)
{
  const GstGlesLeaf *sample = NULL;
  const guint bits = code_bits (formula);
  guint depth;

  for (guint i = 0; i < formula->n_leaves; i++) {
    if (formula->leaves[i].kind == GST_GLES_BOUND_PARAMETER)
      continue;
    if (formula->leaves[i].kind != GST_GLES_BOUND_SAMPLE || sample != NULL)
      return;
    sample = &formula->leaves[i];
  }
  if (sample == NULL || sample->numbers[1] != GST_GLES_MOMENT_NOW || sample->numbers[2] != 0)
    return;
  depth = format->components[sample->numbers[0]].depth;
  if (bits << depth <= TABLE_BITS) {
    formula->table_bits = bits;
    formula->table_depth = depth;
  }
}

gboolean
gst_gles_frame_formula_init (GstGlesFrameFormula *formula, const GstGlesFrameExpression *plan,
    const GstGlesExpression *expression, GError **error)
{
  GstGlesSamples samples;

  describe_samples (&plan->plan.format, &samples);
  formula->result = expression->result;
  formula->graph = gst_gles_expression_bind (expression->graph, &formula->result, &samples, error);
  if (formula->graph == NULL)
    return FALSE;
  formula->leaves = gst_gles_graph_get_leaves (formula->graph, &formula->n_leaves);
  formula->native = gst_gles_cpu_expression_new (formula->graph, formula->result);
  if (formula == &plan->formula)
    choose_encoding (formula, plan);
  choose_table (formula, &plan->plan.format);
  return TRUE;
}

void
gst_gles_frame_formula_clear (GstGlesFrameFormula *formula)
{
  gst_gles_program_unref (formula->program);
  gst_gles_cpu_expression_free (formula->native);
  gst_gles_graph_free (formula->graph);
  g_free (formula->table);
}

/* Calculates a row of all samples that there are. */
static void
make_table (GstGlesFrameFormula *formula, const gint32 *parameters, guint lower, guint upper)
{
  const guint n = 1u << formula->table_depth;
  g_autofree guint16 *ramp = g_new (guint16, n);
  GstGlesCpuFrameExpression call = { .expression = formula->native,
    .leaves = formula->leaves,
    .n_leaves = formula->n_leaves,
    .encoding = formula->encoding,
    .lower = lower,
    .upper = upper,
    .outside = formula->outside,
    .parameters = parameters,
    .width = n,
    .height = 1,
    .values = (guint8 *) formula->table,
    .halves = TRUE };

  for (guint i = 0; i < n; i++)
    ramp[i] = (guint16) i;
  for (guint i = 0; i < formula->n_leaves; i++) {
    if (formula->leaves[i].kind == GST_GLES_BOUND_SAMPLE)
      call.channels[formula->leaves[i].numbers[0]] =
          (GstGlesCpuChannel){ .data = { (const guint8 *) ramp },
            .component = { { .step = 2,
                .word_bytes = 2,
                .big_endian = G_BYTE_ORDER == G_BIG_ENDIAN,
                .depth = formula->table_depth,
                .width = n,
                .height = 1 } },
            .depth = formula->table_depth };
  }
  gst_gles_cpu_frame_expression (&call, NULL);
}

void
gst_gles_frame_formula_update (GstGlesFrameFormula *formula, const gint32 *parameters,
    guint n_parameters, guint lower, guint upper)
{
  const gsize bytes = n_parameters * sizeof (gint32);

  if (formula->table_bits == 0 ||
      (formula->table != NULL && memcmp (parameters, formula->table_parameters, bytes) == 0))
    return;
  if (formula->table == NULL)
    formula->table = g_new0 (guint16, (gsize) 1 << formula->table_depth);
  memcpy (formula->table_parameters, parameters, bytes);
  make_table (formula, parameters, lower, upper);
}
