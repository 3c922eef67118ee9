/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What expressions compare pictures with, on a device with GL: one buffer, with the averages of
 * each component that has a background, and the bytes of the previous frame. */
#include "config.h"

#include <string.h>

#include <gst/gles/algo/frame/frame-expression-private.h>
#include <gst/gles/algo/frame/frame-reference.h>
#include <gst/gles/core/checked.h>
#include <gst/gles/core/error.h>
#include <gst/gles/cpu/frame/frame-kept.h>

/* Lays the reference out. Returns its size. */
static gsize
lay_out (GstGlesFrameExpression *plan, guint alignment)
{
  gsize size = 0;

  for (guint i = 0; i < plan->plan.format.n_components; i++) {
    const GstGlesComponent *c = &plan->plan.format.components[i];

    plan->averages_at[i] = size;
    if ((plan->background & 1u << i) != 0)
      size += gst_gles_align_up (4 * (gsize) c->width * c->height, alignment);
  }
  plan->previous_at = size;
  return size + (plan->previous != 0 ? plan->used.to : 0);
}

gboolean
gst_gles_frame_expression_prepare_reference (GstGlesFrameExpression *plan, GError **error)
{
  const GstGlesLimits *limits = gst_gles_device_get_limits (plan->plan.device);
  gsize size;

  plan->used = gst_gles_frame_used (&plan->plan.format, plan->components);
  size = lay_out (plan, MAX (limits->storage_alignment, 16));
  if (size == 0)
    return TRUE;
  if (size > limits->storage_block_bytes) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE,
        "what the expression compares frames with, %" G_GSIZE_FORMAT " bytes, is larger than a "
        "storage block of %" G_GUINT64_FORMAT " bytes; use the cpu device",
        size, (guint64) limits->storage_block_bytes);
    return FALSE;
  }
  plan->plan.kept.buffers[0] = gst_gles_buffer_new (plan->plan.device, size, error);
  if (plan->plan.kept.buffers[0] == NULL)
    return FALSE;
  if (plan->previous != 0)
    plan->keep = gst_gles_frame_reference_get_program (
        plan->plan.queue, GST_GLES_FRAME_REFERENCE_KEEP, error);
  if (plan->background != 0)
    plan->average = gst_gles_frame_reference_get_program (
        plan->plan.queue, GST_GLES_FRAME_REFERENCE_SAMPLES, error);
  return (plan->previous == 0 || plan->keep != NULL) &&
      (plan->background == 0 || plan->average != NULL);
}

static gboolean
keep_previous (GstGlesFrameExpression *plan, GstGlesBinding image, guint n, GError **error)
{
  const GstGlesFrameReferenceCall call = { .format = &plan->plan.format,
    .components = plan->plan.format.components,
    .image = image,
    .from = plan->used.from,
    .averages = { plan->plan.kept.buffers[0], plan->previous_at, plan->used.to, GST_GLES_WRITE },
    .kept = { plan->plan.kept.buffers[0], plan->previous_at, plan->used.to, GST_GLES_WRITE },
    .n = n };

  return gst_gles_frame_reference_run (
      plan->plan.queue, plan->keep, GST_GLES_FRAME_REFERENCE_KEEP, &call, error);
}

/* @call: the image, its weight and the number of samples. */
static gboolean
move_averages (
    GstGlesFrameExpression *plan, guint component, GstGlesFrameReferenceCall call, GError **error)
{
  const GstGlesComponent *c = &plan->plan.format.components[component];

  call.format = &plan->plan.format;
  call.components = c;
  call.averages = (GstGlesBinding){ plan->plan.kept.buffers[0], plan->averages_at[component],
    4 * (gsize) c->width * c->height, GST_GLES_READ_WRITE };
  call.first = plan->plan.kept.frames == 0;
  return gst_gles_frame_reference_run (
      plan->plan.queue, plan->average, GST_GLES_FRAME_REFERENCE_SAMPLES, &call, error);
}

/* Queues the kernels over @image, or without work. */
static gboolean
update (GstGlesFrameExpression *plan, GstGlesBuffer *image, gboolean works, guint weight,
    GError **error)
{
  const gsize end = gst_gles_frame_used_end (&plan->used, image);
  const GstGlesBinding bound = { image, 0, end, GST_GLES_READ };
  const gsize n_words = works ? gst_gles_div_ceil (end - plan->used.from, 4) : 0;

  if (plan->keep != NULL && !keep_previous (plan, bound, (guint) n_words, error))
    return FALSE;
  for (guint i = 0; i < plan->plan.format.n_components; i++) {
    const GstGlesComponent *c = &plan->plan.format.components[i];
    const GstGlesFrameReferenceCall call = {
      .image = bound, .n = works ? c->width * c->height : 0, .weight = weight
    };

    if ((plan->background & 1u << i) != 0 && !move_averages (plan, i, call, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
gst_gles_frame_expression_update_reference (
    GstGlesFrameExpression *plan, const GstGlesImage *image, guint adaptation, GError **error)
{
  gboolean ok =
      update (plan, image->buffer, TRUE, gst_gles_frame_reference_weight (adaptation), error);

  plan->plan.kept.frames = ok;
  return ok;
}

gboolean
gst_gles_frame_expression_warm_reference (
    GstGlesFrameExpression *plan, GstGlesBuffer *nothing, GError **error)
{
  return plan->plan.kept.buffers[0] == NULL || update (plan, nothing, FALSE, 0, error);
}
