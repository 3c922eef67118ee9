/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "histogram-reference.h"

void
histogram_reference_forget (HistogramReference *reference)
{
  g_clear_pointer (&reference->previous, gst_gles_buffer_unref);
  g_clear_pointer (&reference->repeated, gst_gles_buffer_unref);
  g_clear_pointer (&reference->validate_previous, g_free);
  g_clear_pointer (&reference->validate_kept, g_free);
  g_clear_pointer (&reference->validate_flash, g_free);
  histogram_values_forget (&reference->values);
  if (reference->flash != NULL)
    gst_gles_frame_plan_reset (GST_GLES_FRAME_PLAN (reference->flash));
  if (reference->mad != NULL)
    gst_gles_frame_plan_reset (GST_GLES_FRAME_PLAN (reference->mad));
}

void
histogram_reference_drop_mad (HistogramReference *reference)
{
  g_clear_pointer (&reference->mad, gst_gles_frame_mad_unref);
  g_clear_pointer (&reference->validate_kept, g_free);
}

void
histogram_reference_drop_flash (HistogramReference *reference)
{
  g_clear_pointer (&reference->flash, gst_gles_frame_flash_unref);
  g_clear_pointer (&reference->validate_flash, g_free);
}

gboolean
histogram_reference_make_flash (HistogramReference *reference, GstGlesQueue *queue,
    const GstGlesImage *image, const GstGlesFrameHistogramConfig *config, GError **error)
{
  const GstGlesFrameRegion region = { config->x, config->y, config->width, config->height };

  if (reference->flash == NULL)
    reference->flash = gst_gles_frame_flash_new (queue, image, &region, error);
  return reference->flash != NULL;
}

gboolean
histogram_reference_save (HistogramReference *reference, GError **error)
{
  g_clear_pointer (&reference->repeated, gst_gles_buffer_unref);
  if (reference->previous != NULL)
    reference->repeated = gst_gles_buffer_ref (reference->previous);
  return (reference->mad == NULL ||
             gst_gles_frame_plan_save (GST_GLES_FRAME_PLAN (reference->mad), error)) &&
      (reference->flash == NULL ||
          gst_gles_frame_plan_save (GST_GLES_FRAME_PLAN (reference->flash), error)) &&
      (reference->values.plan == NULL ||
          gst_gles_frame_plan_save (GST_GLES_FRAME_PLAN (reference->values.plan), error));
}

void
histogram_reference_restore (HistogramReference *reference)
{
  g_clear_pointer (&reference->previous, gst_gles_buffer_unref);
  reference->previous = g_steal_pointer (&reference->repeated);
  reference->frame = reference->before;
  if (reference->mad != NULL)
    gst_gles_frame_plan_restore (GST_GLES_FRAME_PLAN (reference->mad));
  if (reference->flash != NULL)
    gst_gles_frame_plan_restore (GST_GLES_FRAME_PLAN (reference->flash));
  histogram_values_restore (&reference->values);
}

gboolean
histogram_reference_expect_flash (HistogramReference *reference, const GstGlesImage *image,
    gboolean follows, guint32 *row, GError **error)
{
  if (!follows)
    g_clear_pointer (&reference->validate_flash, g_free);
  reference->lacks_flash =
      reference->before != HISTOGRAM_NO_FRAME && reference->validate_flash == NULL;
  return gst_gles_frame_flash_run_native (
      reference->flash, image, &reference->validate_flash, row, error);
}

gboolean
histogram_reference_expect_mad (HistogramReference *reference, const GstGlesImage *image,
    gboolean follows, guint32 *row, GError **error)
{
  const gboolean is_first = reference->before == HISTOGRAM_NO_FRAME;

  if (!follows) {
    g_clear_pointer (&reference->validate_kept, g_free);
    reference->validate_mad = is_first || reference->keeps_all;
  }
  reference->lacks_mad =
      !is_first && (!reference->validate_mad || reference->validate_kept == NULL);
  return gst_gles_frame_mad_run_native (
      reference->mad, image, &reference->validate_kept, row, error);
}
