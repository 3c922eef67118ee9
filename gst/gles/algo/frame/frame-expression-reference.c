/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What expressions compare pictures with, on a device with GL: one buffer, with the averages of
 * each component that has a background, and the bytes of the previous frame. */
#include "config.h"

#include <string.h>

#include <gst/gles/algo/frame/frame-expression-private.h>
#include <gst/gles/algo/frame/frame-reference.h>
#include <gst/gles/core/checked.h>
#include <gst/gles/core/error.h>
#include <gst/gles/cpu/frame-kept.h>

/* Finds the bytes of the components, in whole 16-byte rows. */
static void
find_used (GstGlesFrameExpression *plan)
{
  plan->used_from = G_MAXSIZE;
  for (guint i = 0; i < plan->format.n_components; i++) {
    const GstGlesComponent *c = &plan->format.components[i];
    const gsize end = c->offset + (gsize) (c->height - 1) * c->stride +
        (gsize) (c->width - 1) * c->step + c->word_bytes;

    if ((plan->components & 1u << i) == 0)
      continue;
    plan->used_from = MIN (plan->used_from, c->offset & ~15u);
    plan->used_to = MAX (plan->used_to, gst_gles_align_up (end, 16));
  }
  plan->used_from = MIN (plan->used_from, plan->used_to);
}

/* Lays the reference out. Returns its size. */
static gsize
lay_out (GstGlesFrameExpression *plan, guint alignment)
{
  gsize size = 0;

  for (guint i = 0; i < plan->format.n_components; i++) {
    const GstGlesComponent *c = &plan->format.components[i];

    plan->averages_at[i] = size;
    if ((plan->background & 1u << i) != 0)
      size += gst_gles_align_up (4 * (gsize) c->width * c->height, alignment);
  }
  plan->previous_at = size;
  return size + (plan->previous != 0 ? plan->used_to : 0);
}

gboolean
gst_gles_frame_expression_prepare_reference (GstGlesFrameExpression *plan, GError **error)
{
  const GstGlesLimits *limits = gst_gles_device_get_limits (plan->device);
  gsize size;

  find_used (plan);
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
  plan->reference = gst_gles_buffer_new (plan->device, size, error);
  if (plan->reference == NULL)
    return FALSE;
  if (plan->previous != 0)
    plan->keep =
        gst_gles_frame_reference_get_program (plan->queue, GST_GLES_FRAME_REFERENCE_KEEP, error);
  if (plan->background != 0)
    plan->average =
        gst_gles_frame_reference_get_program (plan->queue, GST_GLES_FRAME_REFERENCE_SAMPLES, error);
  return (plan->previous == 0 || plan->keep != NULL) &&
      (plan->background == 0 || plan->average != NULL);
}

static gboolean
keep_previous (
    GstGlesFrameExpression *plan, GstGlesBuffer *image, gsize image_bytes, guint n, GError **error)
{
  const GstGlesFrameReferenceCall call = { .format = &plan->format,
    .components = plan->format.components,
    .image = { image, 0, image_bytes, GST_GLES_READ },
    .from = plan->used_from,
    .averages = { plan->reference, plan->previous_at, plan->used_to, GST_GLES_WRITE },
    .kept = { plan->reference, plan->previous_at, plan->used_to, GST_GLES_WRITE },
    .n = n };

  return gst_gles_frame_reference_run (
      plan->queue, plan->keep, GST_GLES_FRAME_REFERENCE_KEEP, &call, error);
}

static gboolean
move_averages (GstGlesFrameExpression *plan, guint component, GstGlesBuffer *image,
    gsize image_bytes, guint n, guint weight, GError **error)
{
  const GstGlesComponent *c = &plan->format.components[component];
  const GstGlesFrameReferenceCall call = { .format = &plan->format,
    .components = c,
    .image = { image, 0, image_bytes, GST_GLES_READ },
    .averages = { plan->reference, plan->averages_at[component], 4 * (gsize) c->width * c->height,
        GST_GLES_READ_WRITE },
    .n = n,
    .weight = weight,
    .first = !plan->has_reference };

  return gst_gles_frame_reference_run (
      plan->queue, plan->average, GST_GLES_FRAME_REFERENCE_SAMPLES, &call, error);
}

/* Queues the kernels over @image, or without work. */
static gboolean
update (GstGlesFrameExpression *plan, GstGlesBuffer *image, gboolean works, guint weight,
    GError **error)
{
  const gsize end = MIN (plan->used_to, gst_gles_buffer_get_size (image));
  const gsize n_words = works ? gst_gles_div_ceil (end - plan->used_from, 4) : 0;

  if (plan->keep != NULL && !keep_previous (plan, image, end, (guint) n_words, error))
    return FALSE;
  for (guint i = 0; i < plan->format.n_components; i++) {
    const GstGlesComponent *c = &plan->format.components[i];

    if ((plan->background & 1u << i) != 0 &&
        !move_averages (plan, i, image, end, works ? c->width * c->height : 0, weight, error))
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

  plan->has_reference = ok;
  return ok;
}

gboolean
gst_gles_frame_expression_warm_reference (
    GstGlesFrameExpression *plan, GstGlesBuffer *nothing, GError **error)
{
  return plan->reference == NULL || update (plan, nothing, FALSE, 0, error);
}

/* ---- repetition ---- */

gboolean
gst_gles_frame_expression_has_reference (const GstGlesFrameExpression *plan)
{
  return plan->has_reference || plan->kept != NULL;
}

void
gst_gles_frame_expression_reset (GstGlesFrameExpression *plan)
{
  plan->has_reference = FALSE;
  g_clear_pointer (&plan->kept, g_free);
}

gboolean
gst_gles_frame_expression_save (GstGlesFrameExpression *plan, GError **error)
{
  const gsize bytes = gst_gles_frame_expression_kept_bytes (plan);
  gsize size;

  g_clear_pointer (&plan->saved_kept, g_free);
  if (plan->kept != NULL) {
    plan->saved_kept = g_try_malloc (bytes);
    if (plan->saved_kept == NULL) {
      g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY,
          "cannot allocate %" G_GSIZE_FORMAT " bytes to keep a frame", bytes);
      return FALSE;
    }
    memcpy (plan->saved_kept, plan->kept, bytes);
  }
  plan->saved_has_reference = plan->has_reference;
  if (!plan->has_reference)
    return TRUE;
  size = gst_gles_buffer_get_size (plan->reference);
  if (plan->saved_reference == NULL)
    plan->saved_reference = gst_gles_buffer_new (plan->device, size, error);
  return plan->saved_reference != NULL &&
      gst_gles_queue_copy (plan->queue, plan->reference, 0, plan->saved_reference, 0, size, error);
}

void
gst_gles_frame_expression_restore (GstGlesFrameExpression *plan)
{
  g_free (plan->kept);
  plan->kept = g_steal_pointer (&plan->saved_kept);
  plan->has_reference = plan->saved_has_reference;
  if (plan->has_reference) {
    GstGlesBuffer *buffer = plan->reference;

    plan->reference = plan->saved_reference;
    plan->saved_reference = buffer;
  }
}
