/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <string.h>

#include <gst/gles/core/error.h>
#include <gst/gles/meta/light.h>

#include "histogram-expression.h"
#include "histogram-light.h"

#define MAX_NAME_BYTES 15

/* ---- settings ---- */

static gboolean
read_range (const gchar *text, guint *lower, guint *upper)
{
  g_auto (GStrv) bounds = g_strsplit (text, ",", -1);
  guint64 numbers[2];

  if (g_strv_length (bounds) != 2)
    return FALSE;
  for (guint i = 0; i < 2; i++) {
    if (!g_ascii_string_to_unsigned (
            g_strstrip (bounds[i]), 10, 0, GST_GLES_FRAME_EXPRESSION_MAX_UPPER, &numbers[i], NULL))
      return FALSE;
  }
  *lower = (guint) numbers[0];
  *upper = (guint) numbers[1];
  return numbers[0] <= numbers[1];
}

/* Fields of messages have such names, too. */
static gboolean
is_taken_name (const gchar *name)
{
  static const gchar *const taken[] = { "luma", "frame", "timestamp", "stream-time", "running-time",
    "duration", "field", "passes", "boxes", GST_GLES_LIGHT_CHANNEL, "light-levels", NULL };

  return g_strv_contains (taken, name);
}

static gboolean
is_free_name (const gchar *name, const GstGlesImage *image)
{
  for (guint i = 0; i < image->n_components; i++) {
    if (g_str_equal (name, image->names[i]))
      return FALSE;
  }
  for (const gchar *c = name; *c != '\0'; c++) {
    if (!g_ascii_isalnum (*c) && *c != '-' && *c != '_')
      return FALSE;
  }
  return g_ascii_isalpha (name[0]) && strlen (name) <= MAX_NAME_BYTES && !is_taken_name (name);
}

gboolean
histogram_expression_update (HistogramExpression *expression, const HistogramSettings *settings,
    GstGlesPictureAnalyzer *analyzer, const GstGlesImage *image, GError **error)
{
  const HistogramCounted counted = histogram_light_choose (settings, analyzer);

  if (settings->light && settings->expression[0] != '\0') {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS,
        "light and expression \"%s\" cannot both be counted: give one of them to another "
        "gleshistogram behind this one",
        settings->expression);
    return FALSE;
  }
  if (expression->input.text != counted.text ||
      (counted.text[0] != '\0' && expression->range != counted.range))
    expression->is_new = TRUE;
  if (!expression_input_update (
          &expression->input, "expression", counted.text, &settings->parameters, error))
    return FALSE;
  if (expression->input.expression == NULL)
    return TRUE;
  if (!read_range (counted.range, &expression->lower, &expression->upper)) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS,
        "expression-range \"%s\" is not \"lower,upper\" from 0 to %d", counted.range,
        GST_GLES_FRAME_EXPRESSION_MAX_UPPER);
    return FALSE;
  }
  expression->range = counted.range;
  expression->name = counted.name;
  if (counted.text != settings->expression || is_free_name (counted.name, image))
    return TRUE;
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS,
      "expression-name \"%s\" is none: set it to a letter and up to %d letters, digits, - and _, "
      "which is neither a component's name nor that of a field of messages",
      counted.name, MAX_NAME_BYTES - 1);
  return FALSE;
}

void
histogram_expression_clear (HistogramExpression *expression)
{
  expression_input_clear (&expression->input);
  expression->is_new = TRUE;
  g_clear_pointer (&expression->plan, gst_gles_frame_expression_histogram_unref);
  expression->range = NULL;
}

void
histogram_expression_describe (
    const HistogramExpression *expression, GstGlesHistogramChannelInfo *channel)
{
  const GstGlesFrameExpressionHistogramLayout *layout =
      gst_gles_frame_expression_histogram_get_layout (expression->plan);

  *channel = (GstGlesHistogramChannelInfo){ .name = expression->name,
    .n_samples = layout->n_samples,
    .depth = layout->depth,
    .native_offset = layout->native_offset,
    .difference_offset = layout->difference_offset,
    .cells_offset = layout->cells_offset,
    .emd_offset = layout->emd_offset,
    .computed = TRUE };
}

/* ---- plans ---- */

gboolean
histogram_values_init (HistogramValues *values, const HistogramExpression *expression,
    GstGlesQueue *queue, const GstGlesImage *image, GError **error)
{
  const GstGlesFrameExpressionConfig config = { .expression = expression->input.expression,
    .lower = expression->lower,
    .upper = expression->upper };

  if (values->plan == NULL)
    values->plan = gst_gles_frame_expression_new (queue, image, &config, error);
  return values->plan != NULL && gst_gles_frame_expression_prepare (values->plan, error);
}

void
histogram_values_forget (HistogramValues *values)
{
  if (values->plan != NULL)
    gst_gles_frame_plan_reset (GST_GLES_FRAME_PLAN (values->plan));
  g_clear_pointer (&values->validate_kept, g_free);
}

void
histogram_values_restore (HistogramValues *values)
{
  if (values->plan == NULL)
    return;
  gst_gles_frame_plan_restore (GST_GLES_FRAME_PLAN (values->plan));
  values->has_counts = values->had_counts;
}

void
histogram_values_clear (HistogramValues *values)
{
  values->has_counts = FALSE;
  g_clear_pointer (&values->plan, gst_gles_frame_expression_unref);
  g_clear_pointer (&values->validate_kept, g_free);
  g_clear_pointer (&values->validate_values, g_free);
}

/* ---- runs ---- */

void
histogram_values_begin (HistogramValues *values, const HistogramExpression *expression,
    const GstGlesFrameHistogramConfig *config, guint64 frame)
{
  values->histogram = expression->plan;
  values->call = (GstGlesFrameExpressionCall){ .x = config->x,
    .y = config->y,
    .width = config->width,
    .height = config->height,
    .parameters = expression->input.parameters,
    .frame = frame };
}

gboolean
histogram_values_run (HistogramValues *values, const GstGlesImage *image, GstGlesBuffer *previous,
    GstGlesBuffer *counts, GError **error)
{
  GstGlesImage picture;

  values->had_counts = values->has_counts;
  values->has_counts = TRUE;
  return gst_gles_frame_expression_run (values->plan, image, &values->call, &picture, error) &&
      gst_gles_frame_expression_histogram_run (
          values->histogram, &picture, values->had_counts ? previous : NULL, counts, error) &&
      gst_gles_frame_expression_finish (values->plan, image, &values->call, error);
}

void
histogram_values_begin_twin (HistogramValues *values, gboolean follows, gboolean is_first)
{
  if (!follows)
    g_clear_pointer (&values->validate_kept, g_free);
  values->is_unknown = gst_gles_frame_expression_compares (values->plan) && !is_first && !follows;
}

gboolean
histogram_values_expect (HistogramValues *values, const GstGlesImage *image,
    const guint32 *previous, guint32 *counts, GError **error)
{
  GstGlesImage picture;

  if (!gst_gles_frame_expression_run_native (values->plan,
          &(GstGlesFrameNative){ image, &values->validate_kept, &values->validate_values },
          &values->call, &picture, error) ||
      !gst_gles_frame_expression_histogram_run_native (
          values->histogram, &picture, values->had_counts ? previous : NULL, counts, error))
    return FALSE;
  gst_gles_frame_expression_finish_native (
      values->plan, image, &values->call, values->validate_kept);
  return TRUE;
}
