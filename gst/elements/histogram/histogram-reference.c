/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "histogram-reference.h"

void
histogram_reference_forget (HistogramReference *reference)
{
  g_clear_pointer (&reference->previous, gst_gles_buffer_unref);
  g_clear_pointer (&reference->repeated, gst_gles_buffer_unref);
  g_clear_pointer (&reference->validate_previous, g_free);
  g_clear_pointer (&reference->validate_kept, g_free);
  histogram_values_forget (&reference->values);
  histogram_extras_forget (reference->extras);
  if (reference->mad != NULL)
    gst_gles_frame_plan_reset (GST_GLES_FRAME_PLAN (reference->mad));
}

void
histogram_reference_drop_mad (HistogramReference *reference)
{
  g_clear_pointer (&reference->mad, gst_gles_frame_mad_unref);
  g_clear_pointer (&reference->validate_kept, g_free);
}

gboolean
histogram_reference_save (HistogramReference *reference, GError **error)
{
  g_clear_pointer (&reference->repeated, gst_gles_buffer_unref);
  if (reference->previous != NULL)
    reference->repeated = gst_gles_buffer_ref (reference->previous);
  return (reference->mad == NULL ||
             gst_gles_frame_plan_save (GST_GLES_FRAME_PLAN (reference->mad), error)) &&
      histogram_extras_save (reference->extras, error) &&
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
  histogram_extras_restore (reference->extras);
  histogram_values_restore (&reference->values);
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
