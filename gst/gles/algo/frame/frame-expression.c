/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <string.h>

#include <gst/gles/algo/frame/frame-expression-private.h>
#include <gst/gles/core/checked.h>
#include <gst/gles/core/error.h>
#include <gst/gles/expression/bind.h>
#include <gst/gles/expression/expression-info.h>
#include <gst/gles/expression/glsl.h>
#include <gst/gles/gl/submission.h>

#define INVOCATIONS 64

/* Groups of samples, or points, per invocation. */
#define EACH_SOFTWARE 16
#define EACH 1

/* ---- plans ---- */

/* Describes the picture of values, whose rows kernels read in steps of 16 samples. */
static void
describe_picture (GstGlesFrameExpression *plan, const GstGlesComponent *grid)
{
  const GstGlesFrameFormula *formula = &plan->formula;
  GstGlesImage *picture = &plan->picture;
  guint depth = 8, bytes;

  if (!plan->config.predicate)
    depth = MAX (g_bit_storage (plan->config.upper), 8);
  if (formula->encoding == GST_GLES_CPU_ENCODE_LIMITED)
    depth++;
  bytes = depth > 8 ? 2 : 1;
  *picture = (GstGlesImage){ .width = plan->plan.format.width,
    .height = plan->plan.format.height,
    .n_components = 1,
    .names = { "expression" },
    .luma = GST_GLES_LUMA_STORED,
    .luma_depth = depth };
  picture->components[0] = (GstGlesComponent){
    .stride = (guint32) gst_gles_align_up (grid->width, 16) * bytes,
    .step = bytes,
    .word_bytes = bytes,
    .depth = depth,
    .sub_x = grid->sub_x,
    .sub_y = grid->sub_y,
    .width = grid->width,
    .height = grid->height,
  };
  if (bytes == 2 && G_BYTE_ORDER == G_BIG_ENDIAN)
    picture->components[0].big_endian = TRUE;
}

static void
find_leaves (GstGlesFrameExpression *plan, const GstGlesFrameFormula *formula)
{
  for (guint i = 0; i < formula->n_leaves; i++) {
    const GstGlesLeaf *leaf = &formula->leaves[i];
    const guint bit = 1u << leaf->numbers[0];

    if (leaf->kind != GST_GLES_BOUND_SAMPLE)
      continue;
    plan->components |= bit;
    if (leaf->numbers[1] == GST_GLES_MOMENT_PREVIOUS)
      plan->previous |= bit;
    if (leaf->numbers[1] == GST_GLES_MOMENT_BACKGROUND)
      plan->background |= bit;
  }
}

static gboolean
init (GstGlesFrameExpression *plan, GError **error)
{
  const GstGlesComponent *grid =
      gst_gles_frame_expression_find_grid (&plan->plan.format, plan->config.expression->names);
  const GstGlesExpression *value = plan->config.point_value;

  plan->sub_x = grid->sub_x;
  plan->sub_y = grid->sub_y;
  plan->n_parameters = plan->config.expression->parameters->len - 1;
  if (!gst_gles_frame_formula_init (&plan->formula, plan, plan->config.expression, error))
    return FALSE;
  /* the picture has no room for such values */
  if (value == NULL && plan->formula.encoding == GST_GLES_CPU_ENCODE_PREDICATE)
    value = plan->config.expression;
  if (value != NULL && !gst_gles_frame_formula_init (&plan->value, plan, value, error))
    return FALSE;
  find_leaves (plan, &plan->formula);
  find_leaves (plan, &plan->value);
  describe_picture (plan, grid);
  plan->plan.host_bytes = gst_gles_frame_expression_kept_bytes (plan);
  if (plan->background == 0 || plan->config.predicate)
    return TRUE;
  g_set_error_literal (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS,
      "bg. is the background that glescompact keeps; histograms have prev. alone");
  return FALSE;
}

GstGlesFrameExpression *
gst_gles_frame_expression_new (GstGlesQueue *queue, const GstGlesImage *format,
    const GstGlesFrameExpressionConfig *config, GError **error)
{
  g_autoptr (GstGlesFrameExpression) plan = g_new0 (GstGlesFrameExpression, 1);

  g_return_val_if_fail (GST_IS_GLES_QUEUE (queue) && format != NULL, NULL);
  g_return_val_if_fail (
      config->lower <= config->upper && config->upper <= GST_GLES_FRAME_EXPRESSION_MAX_UPPER, NULL);
  gst_gles_frame_plan_init (&plan->plan, queue, format);
  plan->config = *config;
  plan->config.expression = gst_gles_expression_ref (config->expression);
  if (config->point_value != NULL)
    gst_gles_expression_ref (config->point_value);
  return init (plan, error) ? g_steal_pointer (&plan) : NULL;
}

void
gst_gles_frame_expression_unref (GstGlesFrameExpression *plan)
{
  if (plan == NULL)
    return;
  gst_gles_frame_formula_clear (&plan->formula);
  gst_gles_frame_formula_clear (&plan->value);
  gst_gles_program_unref (plan->keep);
  gst_gles_program_unref (plan->average);
  gst_gles_buffer_unref (plan->values);
  g_free (plan->cpu_values);
  gst_gles_expression_unref (plan->config.expression);
  gst_gles_expression_unref (plan->config.point_value);
  gst_gles_frame_plan_clear (&plan->plan);
  g_free (plan);
}

guint
gst_gles_frame_expression_get_components (const GstGlesFrameExpression *plan)
{
  return MAX (plan->components, 1);
}

void
gst_gles_frame_expression_get_picture (
    const GstGlesFrameExpression *plan, const GstGlesImage *image, GstGlesImage *picture)
{
  *picture = gst_gles_frame_with_crop (&plan->picture, image);
}

gboolean
gst_gles_frame_expression_needs_values (const GstGlesFrameExpression *plan)
{
  return plan->value.graph != NULL;
}

gboolean
gst_gles_frame_expression_has_outside (const GstGlesFrameExpression *plan)
{
  return plan->formula.encoding == GST_GLES_CPU_ENCODE_LIMITED;
}

gboolean
gst_gles_frame_expression_compares (const GstGlesFrameExpression *plan)
{
  return (plan->previous | plan->background) != 0;
}

gboolean
gst_gles_frame_expression_has_background (const GstGlesFrameExpression *plan)
{
  return plan->background != 0;
}

/* Whether @formula has samples beside one, or of components with fewer columns or rows. */
static gboolean
reads_again (const GstGlesFrameExpression *plan, const GstGlesFrameFormula *formula)
{
  for (guint i = 0; i < formula->n_leaves; i++) {
    const GstGlesLeaf *leaf = &formula->leaves[i];
    const GstGlesComponent *c;

    if (leaf->kind != GST_GLES_BOUND_SAMPLE)
      continue;
    c = &plan->plan.format.components[leaf->numbers[0]];
    if (leaf->numbers[2] != 0 || c->sub_x != plan->sub_x || c->sub_y != plan->sub_y)
      return TRUE;
  }
  return FALSE;
}

guint
gst_gles_frame_expression_get_n_reads (const GstGlesFrameExpression *plan)
{
  return gst_gles_frame_expression_compares (plan) ||
          gst_gles_frame_expression_needs_values (plan) || reads_again (plan, &plan->formula)
      ? 2
      : 1;
}

/* ---- programs ---- */

static guint
n_storage (const GstGlesFrameExpression *plan, gboolean points)
{
  return points ? 4 : gst_gles_frame_expression_compares (plan) ? 3 : 2;
}

/* @code: of the formula. */
static void
make_spec (const GstGlesFrameExpression *plan, const GstGlesFrameFormula *formula, gboolean points,
    const gchar *code, GstGlesProgramSpec *spec)
{
  guint n = 0;

  memset (spec, 0, sizeof (*spec));
  spec->kernel = points ? "frame-expression_points" : "frame-expression_picture";
  spec->local_size[0] = INVOCATIONS;
  spec->n_storage = n_storage (plan, points);
  spec->code = code;
  spec->defines[n++] = (GstGlesDefine){ "TABLE", formula->table_bits };
  spec->defines[n++] = (GstGlesDefine){ "REFERENCE", gst_gles_frame_expression_compares (plan) };
  spec->defines[n++] = (GstGlesDefine){ "DEGREES",
    formula->table_bits == 0 && gst_gles_graph_has (formula->graph, GST_GLES_OPERATION_DEGREES) };
  spec->defines[n++] = (GstGlesDefine){ "LINEAR",
    formula->table_bits == 0 && gst_gles_graph_has (formula->graph, GST_GLES_OPERATION_LINEAR) };
  if (points)
    return;
  spec->defines[n++] = (GstGlesDefine){ "HALVES", plan->picture.components[0].word_bytes == 2 };
  /* the entries of a table are encoded */
  spec->defines[n++] =
      (GstGlesDefine){ "ENCODING", formula->table_bits != 0 ? 0 : formula->encoding };
}

static void
add_program (GstGlesFrameExpression *plan, GstGlesFrameFormula *formula, gchar **code,
    GstGlesProgramList *list)
{
  const gboolean points = formula == &plan->value;
  GstGlesProgramSpec spec;

  *code = gst_gles_frame_formula_write_code (
      formula, &plan->plan.format, plan->sub_x, plan->sub_y, !points);
  make_spec (plan, formula, points, *code, &spec);
  gst_gles_program_list_add (list, &spec, &formula->program);
}

static gboolean
build (GstGlesFrameExpression *plan, GError **error)
{
  const gsize bytes =
      (gsize) plan->picture.components[0].stride * plan->picture.components[0].height;
  g_autofree gchar *of_picture = NULL, *of_points = NULL;
  g_autofree GstGlesProgramList *list = g_new0 (GstGlesProgramList, 1);

  if (!gst_gles_frame_expression_prepare_reference (plan, error))
    return FALSE;
  plan->values = gst_gles_buffer_new (plan->plan.device, MAX (bytes, 16), error);
  if (plan->values == NULL)
    return FALSE;
  add_program (plan, &plan->formula, &of_picture, list);
  if (gst_gles_frame_expression_needs_values (plan))
    add_program (plan, &plan->value, &of_points, list);
  return gst_gles_program_list_get (list, plan->plan.queue, error);
}

gboolean
gst_gles_frame_expression_init_example (
    GstGlesFrameExpression *plan, const GstGlesFrameExpressionConfig *config)
{
  *plan = (GstGlesFrameExpression){ .config = *config,
    .plan.format = { .width = 64,
        .height = 48,
        .n_components = 3,
        .names = { "Y", "U", "V" },
        .luma = GST_GLES_LUMA_STORED,
        .kr = 13933,
        .kg = 46871,
        .kb = 4732,
        .luma_depth = 8 } };

  for (guint i = 0; i < 3; i++)
    plan->plan.format.components[i] = (GstGlesComponent){ .plane = i,
      .stride = 64,
      .step = 1,
      .word_bytes = 1,
      .depth = 8,
      .sub_x = i > 0,
      .sub_y = i > 0,
      .width = i > 0 ? 32 : 64,
      .height = i > 0 ? 24 : 48 };
  return init (plan, NULL);
}

void
gst_gles_frame_expression_clear_example (GstGlesFrameExpression *plan)
{
  gst_gles_frame_formula_clear (&plan->formula);
  gst_gles_frame_formula_clear (&plan->value);
}

static void
list_cases (
    const GstGlesFrameExpressionConfig *config, GstGlesSpecialisationFunc func, gpointer user_data)
{
  GstGlesFrameExpression plan;

  if (gst_gles_frame_expression_init_example (&plan, config)) {
    const GstGlesFrameFormula *formulas[] = { &plan.formula, &plan.value };

    for (guint i = 0; i < (plan.value.graph != NULL ? 2 : 1); i++) {
      g_autofree gchar *code = gst_gles_frame_formula_write_code (
          formulas[i], &plan.plan.format, plan.sub_x, plan.sub_y, i == 0);
      GstGlesProgramSpec spec;

      make_spec (&plan, formulas[i], i == 1, code, &spec);
      func (&spec, user_data);
    }
  }
  gst_gles_frame_expression_clear_example (&plan);
}

/* One expression for each set of defines: tables of 1, 8 and 16 bits, code for each encoding. */
void
gst_gles_frame_expression_specialisations (GstGlesSpecialisationFunc func, gpointer user_data)
{
  static const struct {
    const gchar *text, *value;
    guint upper; /* 0: a predicate */
  } cases[] = {
    { "Y > 100", "Y * 3", 0 },
    { "in(hue, 15, 45) && Y > $p", "uvhue", 0 },
    { "abs(Y - prev.Y) + bg.U > 8", "Y[1,-1] - prev.Y", 0 },
    { "Y / 2", NULL, 255 },
    { "Y * 3", NULL, 1023 },
    { "x & 255", NULL, 255 },
    { "uvhue", NULL, 359 },
    { "uvsat + x - prev.V", NULL, 255 },
    { "R / y", NULL, 127 },
    { "lum >> 8", NULL, 255 },
    { "red + x > 8", "lum", 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GstGlesExpression) text = gst_gles_expression_new (cases[i].text, NULL);
    g_autoptr (GstGlesExpression) value =
        cases[i].value != NULL ? gst_gles_expression_new (cases[i].value, NULL) : NULL;
    const GstGlesFrameExpressionConfig config = { .expression = text,
      .point_value = value,
      .predicate = cases[i].upper == 0,
      .upper = cases[i].upper };

    list_cases (&config, func, user_data);
  }
}

/* ---- dispatches ---- */

static void
fill_params (const GstGlesFrameExpression *plan, const GstGlesImage *image,
    const GstGlesFrameExpressionCall *call, GstGlesFrameExpressionParams *params)
{
  const GstGlesComponent *grid = plan->picture.components;
  GstGlesCpuFrameExpression native;

  gst_gles_frame_expression_describe_native (plan, image, call, NULL, &native);
  memset (params, 0, sizeof (*params));
  params->pass = (GstGlesFrameExpressionPass){
    .x = native.x & ~3u,
    .y = native.y,
    .last_column = grid->width - 1,
    .row_words = grid->stride / 4,
    .last_word = gst_gles_frame_last_word (gst_gles_frame_used_end (&plan->used, image->buffer)),
    .previous = (guint32) (plan->previous_at / 4),
    .sub_x = plan->sub_x,
    .sub_y = plan->sub_y,
    .crop_x = image->crop_x,
    .crop_y = image->crop_y,
    .crop_width = image->crop_width,
    .crop_height = image->crop_height,
    .frame = (guint32) native.frame,
    .lower = plan->config.lower,
    .upper = plan->config.upper,
    .outside = plan->formula.outside,
  };
  params->pass.row_groups = native.width == 0
      ? 1
      : (guint32) gst_gles_div_ceil (native.x + native.width - params->pass.x, 4);
  params->pass.n = native.width == 0 ? 0 : params->pass.row_groups * native.height;
  for (guint i = 0; i < plan->plan.format.n_components; i++) {
    params->sources[i] = (GstGlesFrameExpressionSource){ .left = native.visible[i].left,
      .top = native.visible[i].top,
      .right = native.visible[i].right,
      .bottom = native.visible[i].bottom,
      .averages = (guint32) (plan->averages_at[i] / 4) };
    params->components[i] = plan->plan.format.components[i];
  }
}

/* Packs what a table has in words. */
static void
fill_table (const GstGlesFrameFormula *formula, guint32 *words)
{
  const guint bits = formula->table_bits, each = 32 / bits;

  memset (words, 0, sizeof (guint32) * 4 * GST_GLES_FRAME_EXPRESSION_TABLE_ROWS);
  for (guint i = 0; i < 1u << formula->table_depth; i++)
    words[i / each] |= (guint32) formula->table[i] << i % each * bits;
}

/* Sets the parameters of an expression that has @n. */
static void
set_parameters (GstGlesFrameExpressionTableParams *params, const gint32 *parameters, guint n)
{
  if (n > 0)
    memcpy (params->params.parameters, parameters, n * sizeof (gint32));
}

static guint
n_value_parameters (const GstGlesFrameExpression *plan)
{
  const GstGlesExpression *own = plan->config.point_value;

  return own != NULL ? own->parameters->len - 1 : plan->n_parameters;
}

static gboolean
dispatch (GstGlesFrameExpression *plan, GstGlesFrameFormula *formula,
    const GstGlesBinding bindings[4], GstGlesFrameExpressionTableParams *params, GError **error)
{
  const gboolean points = formula == &plan->value;
  const guint n_groups = gst_gles_frame_n_groups (
      plan->plan.device, params->params.pass.n, INVOCATIONS, EACH, EACH_SOFTWARE);
  const guint groups[3] = { MIN (n_groups, 65535), 1, 1 };
  gsize bytes = sizeof (params->params);

  if (formula->table_bits != 0) {
    gst_gles_frame_formula_update (formula, params->params.parameters,
        points ? n_value_parameters (plan) : plan->n_parameters, plan->config.lower,
        plan->config.upper);
    fill_table (formula, params->table);
    bytes = sizeof (*params);
  }
  return gst_gles_queue_dispatch (plan->plan.queue,
      &(GstGlesDispatch){ formula->program, bindings, n_storage (plan, points), params, bytes,
          GST_GLES_DISPATCH_NONE },
      groups, error);
}

/* Queues the kernel of the picture. */
static gboolean
queue_picture (GstGlesFrameExpression *plan, GstGlesBinding image,
    GstGlesFrameExpressionTableParams *params, GError **error)
{
  const GstGlesBinding bindings[4] = { { plan->values, 0, 0, GST_GLES_WRITE }, image,
    { plan->plan.kept.buffers[0], 0, 0, GST_GLES_READ } };

  return dispatch (plan, &plan->formula, bindings, params, error);
}

static gboolean
queue_points (GstGlesFrameExpression *plan, GstGlesBinding image, const GstGlesFramePoints *points,
    GstGlesFrameExpressionTableParams *params, GError **error)
{
  const gsize bytes =
      MIN (8 * (gsize) MAX (params->params.pass.n, 1), gst_gles_buffer_get_size (points->points));
  const GstGlesBinding bindings[4] = { { points->points, 0, bytes, GST_GLES_READ_WRITE }, image,
    { plan->plan.kept.buffers[0], 0, 0, GST_GLES_READ }, { points->counts, 0, 0, GST_GLES_READ } };

  return dispatch (plan, &plan->value, bindings, params, error);
}

static gboolean
warm_up (gpointer user_data, GstGlesBuffer *nothing, GError **error)
{
  GstGlesFrameExpression *plan = user_data;
  g_autofree GstGlesFrameExpressionTableParams *params =
      g_new0 (GstGlesFrameExpressionTableParams, 1);
  const GstGlesBinding image = { nothing, 0, 0, GST_GLES_READ };
  const GstGlesFramePoints points = { .points = nothing, .counts = nothing };

  params->params.pass.row_groups = 1;
  return queue_picture (plan, image, params, error) &&
      (plan->value.graph == NULL || queue_points (plan, image, &points, params, error)) &&
      gst_gles_frame_expression_warm_reference (plan, nothing, error);
}

gboolean
gst_gles_frame_expression_prepare (GstGlesFrameExpression *plan, GError **error)
{
  if (gst_gles_frame_plan_is_cpu (&plan->plan) || plan->is_prepared)
    return TRUE;
  plan->is_prepared =
      build (plan, error) && gst_gles_frame_warm_up (plan->plan.queue, warm_up, plan, error);
  return plan->is_prepared;
}

/* ---- runs ---- */

/* Binds what is read of @image. */
static GstGlesBinding
bind_image (const GstGlesFrameExpression *plan, const GstGlesImage *image)
{
  return (GstGlesBinding){ image->buffer, 0, gst_gles_frame_used_end (&plan->used, image->buffer),
    GST_GLES_READ };
}

gboolean
gst_gles_frame_expression_run (GstGlesFrameExpression *plan, const GstGlesImage *image,
    const GstGlesFrameExpressionCall *call, GstGlesImage *picture, GError **error)
{
  const GstGlesFrameNative native = { image, &plan->plan.kept.host, &plan->cpu_values };
  g_autofree GstGlesFrameExpressionTableParams *params = NULL;
  gboolean ok;

  if (gst_gles_frame_plan_is_cpu (&plan->plan))
    return gst_gles_frame_expression_run_native (plan, &native, call, picture, error);
  if (!gst_gles_frame_plan_check_image (&plan->plan, image, error) ||
      !gst_gles_frame_expression_prepare (plan, error) ||
      !gst_gles_queue_begin (plan->plan.queue, error))
    return FALSE;
  params = g_new (GstGlesFrameExpressionTableParams, 1);
  fill_params (plan, image, call, &params->params);
  ok = !gst_gles_frame_expression_compares (plan) || plan->plan.kept.frames > 0 ||
      gst_gles_frame_expression_update_reference (plan, image, call->adaptation, error);
  set_parameters (params, call->parameters, plan->n_parameters);
  ok = ok && queue_picture (plan, bind_image (plan, image), params, error);
  gst_gles_frame_expression_get_picture (plan, image, picture);
  picture->buffer = plan->values;
  return gst_gles_queue_end (plan->plan.queue, ok ? error : NULL) && ok;
}

gboolean
gst_gles_frame_expression_write_values (GstGlesFrameExpression *plan, const GstGlesImage *image,
    const GstGlesFrameExpressionCall *call, const GstGlesFramePoints *points, GError **error)
{
  const GstGlesFrameNative native = { image, &plan->plan.kept.host, NULL };
  g_autofree GstGlesFrameExpressionTableParams *params = NULL;
  gboolean ok;

  if (gst_gles_frame_plan_is_cpu (&plan->plan)) {
    const GstGlesFramePointList list = { (guint32 *) g_bytes_get_data (points->bytes, NULL),
      points->result.count };

    return gst_gles_frame_expression_write_values_native (plan, &native, call, &list, error);
  }
  if (!gst_gles_queue_begin (plan->plan.queue, error))
    return FALSE;
  params = g_new (GstGlesFrameExpressionTableParams, 1);
  fill_params (plan, image, call, &params->params);
  params->params.pass.n = (guint) (gst_gles_buffer_get_size (points->points) / 8);
  set_parameters (params,
      plan->config.point_value == NULL ? call->parameters : call->value_parameters,
      n_value_parameters (plan));
  ok = queue_points (plan, bind_image (plan, image), points, params, error);
  return gst_gles_queue_end (plan->plan.queue, ok ? error : NULL) && ok;
}

gboolean
gst_gles_frame_expression_finish (GstGlesFrameExpression *plan, const GstGlesImage *image,
    const GstGlesFrameExpressionCall *call, GError **error)
{
  gboolean ok;

  if (!gst_gles_frame_expression_compares (plan))
    return TRUE;
  if (gst_gles_frame_plan_is_cpu (&plan->plan)) {
    gst_gles_frame_expression_finish_native (plan, image, call, plan->plan.kept.host);
    return TRUE;
  }
  if (!gst_gles_queue_begin (plan->plan.queue, error))
    return FALSE;
  ok = gst_gles_frame_expression_update_reference (plan, image, call->adaptation, error);
  return gst_gles_queue_end (plan->plan.queue, ok ? error : NULL) && ok;
}
