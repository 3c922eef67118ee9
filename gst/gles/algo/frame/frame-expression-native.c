/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Expressions on pictures in native code: of a cpu device, and the twin of the kernels. */
#include "config.h"

#include <gst/gles/algo/frame/frame-expression-private.h>
#include <gst/gles/algo/frame/frame-reference.h>
#include <gst/gles/core/checked.h>
#include <gst/gles/core/error.h>
#include <gst/gles/cpu/frame/frame-background.h>
#include <gst/gles/cpu/frame/frame-kept.h>

/* ---- what is kept of a frame ---- */

/* Sets where each component lies in @kept, if that is not NULL. Returns the size. */
static gsize
place_kept (const GstGlesFrameExpression *plan, guint8 *kept, GstGlesCpuFrameExpression *native)
{
  gsize size = 0;

  for (guint i = 0; i < plan->plan.format.n_components; i++) {
    const GstGlesFrameChannel of_plan = gst_gles_frame_channel (&plan->plan.format, (gint) i);
    const GstGlesCpuChannel channel = gst_gles_frame_channel_samples (&of_plan, &plan->plan.format);

    if ((plan->previous & 1u << i) != 0) {
      native->previous[i] = kept != NULL ? kept + size : NULL;
      size += gst_gles_align_up (gst_gles_cpu_frame_kept_bytes (&channel), 16);
    }
    if ((plan->background & 1u << i) != 0) {
      native->background[i] = kept != NULL ? kept + size : NULL;
      size += gst_gles_align_up (gst_gles_cpu_frame_background_bytes (&channel), 16);
    }
  }
  return size;
}

gsize
gst_gles_frame_expression_kept_bytes (const GstGlesFrameExpression *plan)
{
  GstGlesCpuFrameExpression native;

  return place_kept (plan, NULL, &native);
}

/* ---- calls ---- */

static void
describe_components (const GstGlesFrameExpression *plan, const GstGlesImage *image,
    GstGlesCpuFrameExpression *native)
{
  for (guint i = 0; i < plan->plan.format.n_components; i++) {
    const GstGlesFrameChannel channel = gst_gles_frame_channel (image, (gint) i);

    native->visible[i] = gst_gles_frame_visible (&image->components[i], image);
    /* others are not there */
    if ((plan->components & 1u << i) != 0)
      native->channels[i] = gst_gles_frame_channel_samples (&channel, image);
  }
}

static void
use_formula (const GstGlesFrameExpression *plan, const GstGlesFrameFormula *formula,
    const gint32 *parameters, GstGlesCpuFrameExpression *native)
{
  native->expression = formula->native;
  native->leaves = formula->leaves;
  native->n_leaves = formula->n_leaves;
  native->table = formula->table;
  native->encoding = formula->encoding;
  native->lower = plan->config.lower;
  native->upper = plan->config.upper;
  native->outside = formula->outside;
  native->parameters = parameters;
}

void
gst_gles_frame_expression_describe_native (const GstGlesFrameExpression *plan,
    const GstGlesImage *image, const GstGlesFrameExpressionCall *call, guint8 *kept,
    GstGlesCpuFrameExpression *native)
{
  const GstGlesComponent *grid = plan->picture.components;
  const GstGlesFrameRegion region = { call->x, call->y, call->width, call->height };
  const GstGlesCpuSamples samples = gst_gles_frame_samples_in (grid, &region);

  *native = (GstGlesCpuFrameExpression){ .crop_x = image->crop_x,
    .crop_y = image->crop_y,
    .crop_width = image->crop_width,
    .crop_height = image->crop_height,
    .sub_x = plan->sub_x,
    .sub_y = plan->sub_y,
    .frame = (gint32) (call->frame & G_MAXINT32),
    .weight = gst_gles_frame_reference_weight (call->adaptation),
    .x = samples.x,
    .y = samples.y,
    .width = samples.width,
    .height = samples.height,
    .stride = grid->stride,
    .halves = grid->word_bytes == 2 };
  describe_components (plan, image, native);
  place_kept (plan, kept, native);
  use_formula (plan, &plan->formula, call->parameters, native);
}

/* Allocates what is kept, and makes the frame what it is compared with. */
static gboolean
ensure_kept (const GstGlesFrameExpression *plan, const GstGlesFrameNative *native,
    const GstGlesFrameExpressionCall *call, GError **error)
{
  GstGlesCpuFrameExpression described;

  if (plan->plan.host_bytes == 0 || *native->kept != NULL)
    return TRUE;
  if (!gst_gles_frame_make_kept (native->kept, plan->plan.host_bytes, error))
    return FALSE;
  gst_gles_frame_expression_describe_native (plan, native->image, call, *native->kept, &described);
  described.weight = GST_GLES_CPU_FRAME_BACKGROUND_ONE;
  gst_gles_cpu_frame_expression_keep (&described);
  return TRUE;
}

gboolean
gst_gles_frame_expression_run_native (GstGlesFrameExpression *plan,
    const GstGlesFrameNative *native, const GstGlesFrameExpressionCall *call, GstGlesImage *picture,
    GError **error)
{
  const GstGlesComponent *grid = plan->picture.components;
  const gsize bytes = (gsize) grid->stride * grid->height;
  guint8 **values = native->values;
  GstGlesCpuFrameExpression described;

  if (!ensure_kept (plan, native, call, error))
    return FALSE;
  if (*values == NULL)
    *values = g_try_malloc0 (bytes);
  if (*values == NULL) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY,
        "cannot allocate %" G_GSIZE_FORMAT " bytes for the values of an expression", bytes);
    return FALSE;
  }
  gst_gles_frame_formula_update (
      &plan->formula, call->parameters, plan->n_parameters, plan->config.lower, plan->config.upper);
  gst_gles_frame_expression_describe_native (plan, native->image, call, *native->kept, &described);
  described.values = *values;
  if (!gst_gles_cpu_frame_expression (&described, error))
    return FALSE;
  *picture = gst_gles_frame_with_crop (&plan->picture, native->image);
  picture->planes[0] = *values;
  return TRUE;
}

gboolean
gst_gles_frame_expression_write_values_native (GstGlesFrameExpression *plan,
    const GstGlesFrameNative *native, const GstGlesFrameExpressionCall *call,
    const GstGlesFramePointList *list, GError **error)
{
  GstGlesCpuFrameExpression described;

  gst_gles_frame_expression_describe_native (plan, native->image, call, *native->kept, &described);
  use_formula (plan, &plan->value,
      plan->config.point_value != NULL ? call->value_parameters : call->parameters, &described);
  described.table = NULL;
  return gst_gles_cpu_frame_expression_points (&described, list->points, list->n, error);
}

gboolean
gst_gles_frame_expression_write_words_native (GstGlesFrameExpression *plan,
    const GstGlesFrameNative *native, const GstGlesFrameExpressionCall *call, guint32 *words,
    GError **error)
{
  GstGlesCpuFrameExpression described;

  gst_gles_frame_expression_describe_native (plan, native->image, call, *native->kept, &described);
  use_formula (plan, &plan->value, call->parameters, &described);
  described.table = NULL;
  described.encoding = GST_GLES_CPU_ENCODE_WORDS;
  described.values = (guint8 *) words;
  described.stride = described.width * sizeof *words;
  return gst_gles_cpu_frame_expression (&described, error);
}

void
gst_gles_frame_expression_finish_native (GstGlesFrameExpression *plan, const GstGlesImage *image,
    const GstGlesFrameExpressionCall *call, guint8 *kept)
{
  GstGlesCpuFrameExpression native;

  if (kept == NULL)
    return;
  gst_gles_frame_expression_describe_native (plan, image, call, kept, &native);
  gst_gles_cpu_frame_expression_keep (&native);
}
