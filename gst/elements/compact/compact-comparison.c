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
    g_clear_pointer (&comparisons[i].validate_kept, g_free);
  }
}

gboolean
compact_comparison_begin (
    CompactComparison *comparison, guint64 frame, gboolean repeatable, GError **error)
{
  if (repeatable && !gst_gles_frame_compact_save (comparison->plan, error))
    return FALSE;
  comparison->is_first = !gst_gles_frame_compact_has_reference (comparison->plan);
  comparison->before = comparison->frame;
  comparison->frame = frame;
  return TRUE;
}

void
compact_comparison_restore (CompactComparison *comparison)
{
  gst_gles_frame_compact_restore (comparison->plan);
  comparison->frame = comparison->before;
}

guint32 *
compact_comparison_expect (CompactComparison *comparison, const GstGlesFrameCompactConfig *config,
    const GstGlesImage *image, const GstGlesFrameCompactCall *call, GstGlesResult *result,
    GError **error)
{
  guint32 *points;

  /* The twin gets its reference from the next frame on that gives it one: any frame, or for a
   * background the first one. */
  if (comparison->is_first || comparison->validate_frame != comparison->before)
    g_clear_pointer (&comparison->validate_kept, g_free);
  comparison->is_unknown = config->predicate == GST_GLES_POINTS_MOTION && !comparison->is_first &&
      comparison->validate_kept == NULL;
  points = gst_gles_frame_compact_run_native (
      comparison->plan, image, call, &comparison->validate_kept, result, error);
  if (points == NULL)
    return NULL;
  comparison->validate_frame = comparison->frame;
  if (comparison->is_unknown && config->background)
    g_clear_pointer (&comparison->validate_kept, g_free);
  return points;
}
