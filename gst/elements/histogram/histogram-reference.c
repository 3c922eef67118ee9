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
  if (reference->mad != NULL)
    gst_gles_frame_plan_reset (GST_GLES_FRAME_PLAN (reference->mad));
}

void
histogram_reference_drop_mad (HistogramReference *reference)
{
  g_clear_pointer (&reference->mad, gst_gles_frame_mad_unref);
  g_clear_pointer (&reference->validate_kept, g_free);
}
