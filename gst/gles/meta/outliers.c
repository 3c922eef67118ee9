/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/meta/histogram-info.h>
#include <gst/gles/meta/outliers.h>

gboolean
gst_gles_histogram_result_get_outliers (
    GstGlesHistogramResult *result, guint *repeated_rows, guint *outliers, GError **error)
{
  const guint32 *words;

  g_return_val_if_fail (result != NULL && repeated_rows != NULL && outliers != NULL, FALSE);

  *repeated_rows = *outliers = 0;
  words = gst_gles_histogram_result_peek_words (
      result, gst_gles_histogram_result_get_info (result)->outliers_offset, error);
  if (words == NULL)
    return FALSE;
  *repeated_rows = words[0];
  *outliers = words[1];
  return TRUE;
}
