/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "compact-comparison.h"

/* No frame: frames count from 0. */
#define NO_FRAME G_MAXUINT64

void
compact_comparisons_forget (CompactComparison *comparisons)
{
  for (guint i = 0; i < GST_GLES_N_FIELDS; i++) {
    if (comparisons[i].plan != NULL)
      gst_gles_frame_compact_reset (comparisons[i].plan);
    if (comparisons[i].expression != NULL)
      gst_gles_frame_expression_reset (comparisons[i].expression);
  }
}

void
compact_comparisons_reset (CompactComparison *comparisons)
{
  compact_comparisons_forget (comparisons);
  for (guint i = 0; i < GST_GLES_N_FIELDS; i++) {
    g_clear_pointer (&comparisons[i].validate_kept, g_free);
    comparisons[i].frame = NO_FRAME;
  }
}

void
compact_comparisons_drop (CompactComparison *comparisons)
{
  for (guint i = 0; i < GST_GLES_N_FIELDS; i++) {
    g_clear_pointer (&comparisons[i].plan, gst_gles_frame_compact_unref);
    g_clear_pointer (&comparisons[i].expression, gst_gles_frame_expression_unref);
    g_clear_pointer (&comparisons[i].validate_kept, g_free);
    g_clear_pointer (&comparisons[i].validate_values, g_free);
  }
}

static gboolean
save (CompactComparison *comparison, GError **error)
{
  return comparison->expression != NULL
      ? gst_gles_frame_expression_save (comparison->expression, error)
      : gst_gles_frame_compact_save (comparison->plan, error);
}

gboolean
compact_comparison_begin (
    CompactComparison *comparison, guint64 frame, gboolean repeatable, GError **error)
{
  if (repeatable && !save (comparison, error))
    return FALSE;
  comparison->is_first = comparison->expression != NULL
      ? !gst_gles_frame_expression_has_reference (comparison->expression)
      : !gst_gles_frame_compact_has_reference (comparison->plan);
  comparison->before = comparison->frame;
  comparison->frame = frame;
  comparison->expression_call.frame = frame;
  return TRUE;
}

void
compact_comparison_restore (CompactComparison *comparison)
{
  if (comparison->expression != NULL)
    gst_gles_frame_expression_restore (comparison->expression);
  else
    gst_gles_frame_compact_restore (comparison->plan);
  comparison->frame = comparison->before;
}

/* ---- runs ---- */

gboolean
compact_comparison_run (CompactComparison *comparison, const GstGlesImage *image,
    const GstGlesFrameCompactCall *call, GstGlesBuffer *points, GstGlesBuffer *counts,
    GError **error)
{
  const GstGlesFrameExpressionCall *of_expression = &comparison->expression_call;
  GstGlesFrameExpression *expression = comparison->expression;
  GstGlesImage picture;

  if (expression == NULL)
    return gst_gles_frame_compact_run (comparison->plan, image, call, points, counts, error);
  return gst_gles_frame_expression_run (expression, image, of_expression, &picture, error) &&
      gst_gles_frame_compact_run (comparison->plan, &picture, call, points, counts, error) &&
      (!gst_gles_frame_expression_needs_values (expression) ||
          gst_gles_frame_expression_write_values (expression, image, of_expression, points, counts,
              gst_gles_frame_compact_capacity (comparison->plan, call), error)) &&
      gst_gles_frame_expression_finish (expression, image, of_expression, error);
}

gboolean
compact_comparison_run_cpu (CompactComparison *comparison, const GstGlesImage *image,
    const GstGlesFrameCompactCall *call, GstGlesResult *result, GstGlesBuffer **points,
    GBytes **bytes, GError **error)
{
  const GstGlesFrameExpressionCall *of_expression = &comparison->expression_call;
  GstGlesFrameExpression *expression = comparison->expression;
  GstGlesImage picture;

  if (expression == NULL)
    return gst_gles_frame_compact_run_cpu (
        comparison->plan, image, call, result, points, bytes, error);
  return gst_gles_frame_expression_run (expression, image, of_expression, &picture, error) &&
      gst_gles_frame_compact_run_cpu (
          comparison->plan, &picture, call, result, points, bytes, error) &&
      (!gst_gles_frame_expression_needs_values (expression) ||
          gst_gles_frame_expression_write_values_cpu (expression, image, of_expression,
              (guint32 *) g_bytes_get_data (*bytes, NULL), result->count, error)) &&
      gst_gles_frame_expression_finish (expression, image, of_expression, error);
}

/* ---- validation ---- */

static guint32 *
expect_expression (CompactComparison *comparison, const GstGlesImage *image,
    const GstGlesFrameCompactCall *call, GstGlesResult *result, GError **error)
{
  const GstGlesFrameExpressionCall *of_expression = &comparison->expression_call;
  GstGlesFrameExpression *expression = comparison->expression;
  g_autofree guint32 *points = NULL;
  GstGlesImage picture;
  guint8 *nothing = NULL;

  if (!gst_gles_frame_expression_run_native (expression, image, of_expression,
          &comparison->validate_kept, &comparison->validate_values, &picture, error))
    return NULL;
  points =
      gst_gles_frame_compact_run_native (comparison->plan, &picture, call, &nothing, result, error);
  if (points == NULL ||
      (gst_gles_frame_expression_needs_values (expression) &&
          !gst_gles_frame_expression_write_values_native (expression, image, of_expression,
              comparison->validate_kept, points, result->count, error)))
    return NULL;
  gst_gles_frame_expression_finish_native (
      expression, image, of_expression, comparison->validate_kept);
  return g_steal_pointer (&points);
}

/* Whether the points depend on earlier frames, and on all of them. */
static gboolean
compares (const CompactComparison *comparison, const GstGlesFrameCompactConfig *config,
    gboolean *with_all)
{
  *with_all = config->background;
  if (comparison->expression == NULL)
    return config->predicate == GST_GLES_POINTS_MOTION;
  *with_all = gst_gles_frame_expression_has_background (comparison->expression);
  return gst_gles_frame_expression_compares (comparison->expression);
}

guint32 *
compact_comparison_expect (CompactComparison *comparison, const GstGlesFrameCompactConfig *config,
    const GstGlesImage *image, const GstGlesFrameCompactCall *call, GstGlesResult *result,
    GError **error)
{
  gboolean with_all;
  guint32 *points;

  /* The twin gets its reference from the next frame on that gives it one: any frame, or for a
   * background the first one. */
  if (comparison->is_first || comparison->validate_frame != comparison->before)
    g_clear_pointer (&comparison->validate_kept, g_free);
  comparison->is_unknown = compares (comparison, config, &with_all) && !comparison->is_first &&
      comparison->validate_kept == NULL;
  points = comparison->expression != NULL
      ? expect_expression (comparison, image, call, result, error)
      : gst_gles_frame_compact_run_native (
            comparison->plan, image, call, &comparison->validate_kept, result, error);
  if (points == NULL)
    return NULL;
  comparison->validate_frame = comparison->frame;
  if (comparison->is_unknown && with_all)
    g_clear_pointer (&comparison->validate_kept, g_free);
  return points;
}
