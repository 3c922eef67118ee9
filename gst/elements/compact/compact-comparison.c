/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "compact-comparison.h"

/* No frame: frames count from 0. */
#define NO_FRAME G_MAXUINT64

/* Returns the plan that keeps what pictures are compared with. */
static GstGlesFramePlan *
keeper_of (const CompactComparison *comparison)
{
  if (comparison->samples != NULL)
    return GST_GLES_FRAME_PLAN (comparison->samples);
  return comparison->expression != NULL ? GST_GLES_FRAME_PLAN (comparison->expression)
                                        : GST_GLES_FRAME_PLAN (comparison->plan);
}

void
compact_comparisons_forget (CompactComparison *comparisons)
{
  for (guint i = 0; i < GST_GLES_N_FIELDS; i++) {
    GstGlesFramePlan *keeper = keeper_of (&comparisons[i]);

    if (keeper != NULL)
      gst_gles_frame_plan_reset (keeper);
    compact_noise_forget (&comparisons[i].noise);
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
    g_clear_pointer (&comparisons[i].samples, gst_gles_frame_samples_unref);
    compact_noise_drop (&comparisons[i].noise);
    g_clear_pointer (&comparisons[i].validate_kept, g_free);
    g_clear_pointer (&comparisons[i].validate_values, g_free);
  }
}

gboolean
compact_comparison_begin (
    CompactComparison *comparison, guint64 frame, gboolean repeatable, GError **error)
{
  if (repeatable &&
      !(gst_gles_frame_plan_save (keeper_of (comparison), error) &&
          compact_noise_save (&comparison->noise, error)))
    return FALSE;
  comparison->is_first = !gst_gles_frame_plan_has_reference (keeper_of (comparison));
  comparison->before = comparison->frame;
  comparison->frame = frame;
  comparison->expression_call.frame = frame;
  return TRUE;
}

void
compact_comparison_restore (CompactComparison *comparison)
{
  gst_gles_frame_plan_restore (keeper_of (comparison));
  compact_noise_restore (&comparison->noise);
  comparison->frame = comparison->before;
}

/* ---- plans ---- */

gboolean
compact_comparison_make_plan (
    CompactComparison *comparison, GstGlesQueue *queue, const GstGlesImage *image, GError **error)
{
  GstGlesFrameCompactConfig config = comparison->config;
  GstGlesImage picture = *image;

  if (comparison->expression != NULL)
    gst_gles_frame_expression_get_picture (comparison->expression, image, &picture);
  g_clear_pointer (&comparison->samples, gst_gles_frame_samples_unref);
  if (comparison->has_samples) {
    comparison->samples = gst_gles_frame_samples_new (queue, image, config.channel, error);
    if (comparison->samples == NULL)
      return FALSE;
    gst_gles_frame_samples_get_picture (comparison->samples, image, &picture);
    /* the values of the picture are distances */
    config = (GstGlesFrameCompactConfig){ .predicate = GST_GLES_POINTS_THRESHOLD };
  }
  comparison->plan = gst_gles_frame_compact_new (queue, &picture, &config, error);
  return comparison->plan != NULL;
}

gboolean
compact_comparison_prepare (CompactComparison *comparison, const GstGlesFrameCompactCall *call,
    GstGlesFramePoints *points, GError **error)
{
  return gst_gles_frame_compact_prepare (comparison->plan, call, points, error) &&
      (comparison->expression == NULL ||
          gst_gles_frame_expression_prepare (comparison->expression, error));
}

guint
compact_comparison_get_n_reads (CompactComparison *comparison, const GstGlesFrameCompactCall *call)
{
  if (comparison->samples != NULL)
    return 2; /* neighbours are read */
  /* the plan of an expression reads the picture of values */
  return comparison->expression != NULL
      ? gst_gles_frame_expression_get_n_reads (comparison->expression)
      : gst_gles_frame_compact_get_n_reads (comparison->plan, call);
}

/* ---- runs ---- */

static GstGlesFrameSamplesCall
samples_call (const GstGlesFrameCompactCall *call)
{
  return (GstGlesFrameSamplesCall){ .radius = call->lower, .adaptation = call->adaptation };
}

/* The call for the picture of distances, which the first frame has none of. */
static GstGlesFrameCompactCall
distances_call (const CompactComparison *comparison, const GstGlesFrameCompactCall *call)
{
  GstGlesFrameCompactCall own = *call;

  if (comparison->is_first) {
    own.lower = 1;
    own.upper = 0;
  }
  return own;
}

gboolean
compact_comparison_run (CompactComparison *comparison, const GstGlesImage *image,
    const GstGlesFrameCompactCall *call, GstGlesFramePoints *points, GError **error)
{
  const GstGlesFrameExpressionCall *of_expression = &comparison->expression_call;
  GstGlesFrameExpression *expression = comparison->expression;
  GstGlesImage picture;

  if (comparison->samples != NULL) {
    const GstGlesFrameSamplesCall of_samples = samples_call (call);
    const GstGlesFrameCompactCall own = distances_call (comparison, call);

    return gst_gles_frame_samples_run (comparison->samples, image, &of_samples, &picture, error) &&
        gst_gles_frame_compact_run (comparison->plan, &picture, &own, points, error);
  }
  if (expression == NULL)
    return gst_gles_frame_compact_run (comparison->plan, image, call, points, error) &&
        compact_noise_measure (&comparison->noise, image, error);
  return gst_gles_frame_expression_run (expression, image, of_expression, &picture, error) &&
      gst_gles_frame_compact_run (comparison->plan, &picture, call, points, error) &&
      (!gst_gles_frame_expression_needs_values (expression) ||
          gst_gles_frame_expression_write_values (
              expression, image, of_expression, points, error)) &&
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

  if (!gst_gles_frame_expression_run_native (expression,
          &(GstGlesFrameNative){ image, &comparison->validate_kept, &comparison->validate_values },
          of_expression, &picture, error))
    return NULL;
  points = gst_gles_frame_compact_run_native (
      comparison->plan, &(GstGlesFrameNative){ &picture, &nothing, NULL }, call, result, error);
  if (points == NULL ||
      (gst_gles_frame_expression_needs_values (expression) &&
          !gst_gles_frame_expression_write_values_native (expression,
              &(GstGlesFrameNative){ image, &comparison->validate_kept, NULL }, of_expression,
              &(GstGlesFramePointList){ points, result->count }, error)))
    return NULL;
  gst_gles_frame_expression_finish_native (
      expression, image, of_expression, comparison->validate_kept);
  return g_steal_pointer (&points);
}

static guint32 *
expect_samples (CompactComparison *comparison, const GstGlesImage *image,
    const GstGlesFrameCompactCall *call, GstGlesResult *result, GError **error)
{
  const GstGlesFrameSamplesCall of_samples = samples_call (call);
  const GstGlesFrameCompactCall own = distances_call (comparison, call);
  guint8 *nothing = NULL;
  GstGlesImage picture;

  if (!gst_gles_frame_samples_run_native (comparison->samples,
          &(GstGlesFrameNative){ image, &comparison->validate_kept, NULL }, &of_samples, &picture,
          error))
    return NULL;
  return gst_gles_frame_compact_run_native (
      comparison->plan, &(GstGlesFrameNative){ &picture, &nothing, NULL }, &own, result, error);
}

/* Whether the points depend on earlier frames, and on all of them. */
static gboolean
compares (const CompactComparison *comparison, gboolean *with_all)
{
  *with_all = comparison->config.background || comparison->samples != NULL;
  if (comparison->expression == NULL)
    return comparison->config.predicate == GST_GLES_POINTS_MOTION;
  *with_all = gst_gles_frame_expression_has_background (comparison->expression);
  return gst_gles_frame_expression_compares (comparison->expression);
}

guint32 *
compact_comparison_expect (CompactComparison *comparison, const GstGlesImage *image,
    const GstGlesFrameCompactCall *call, GstGlesResult *result, GError **error)
{
  gboolean with_all;
  guint32 *points;

  /* The twin gets its reference from the next frame on that gives it one: any frame, or for a
   * background the first one. */
  if (comparison->is_first || comparison->validate_frame != comparison->before)
    g_clear_pointer (&comparison->validate_kept, g_free);
  comparison->is_unknown = compares (comparison, &with_all) && !comparison->is_first &&
      comparison->validate_kept == NULL;
  points = comparison->samples != NULL ? expect_samples (comparison, image, call, result, error)
      : comparison->expression != NULL
      ? expect_expression (comparison, image, call, result, error)
      : gst_gles_frame_compact_run_native (comparison->plan,
            &(GstGlesFrameNative){ image, &comparison->validate_kept, NULL }, call, result, error);
  if (points == NULL)
    return NULL;
  comparison->validate_frame = comparison->frame;
  if (comparison->is_unknown && with_all)
    g_clear_pointer (&comparison->validate_kept, g_free);
  return points;
}
