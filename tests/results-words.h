/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* All numbers of a result as words, to compare results of any kind. */
#ifndef RESULTS_WORDS_H
#define RESULTS_WORDS_H

#include <gst/gles/gles.h>

static inline gboolean
results_append (GArray *words, gconstpointer more, guint *n)
{
  if (more == NULL)
    return FALSE;
  g_array_append_val (words, *n);
  g_array_append_vals (words, more, *n);
  return TRUE;
}

static inline gboolean
results_histogram_words (GstGlesHistogramResult *result, GArray *words, GError **error)
{
  const GstGlesHistogramInfo *info = gst_gles_histogram_result_get_info (result);
  gboolean ok = TRUE;
  guint n;

  for (guint i = 0; i < gst_gles_histogram_result_get_n_channels (result) && ok; i++) {
    ok = results_append (
        words, gst_gles_histogram_result_get_native_counts (result, i, &n, error), &n);
    for (guint cell = 0; cell < info->columns * info->rows && ok; cell++)
      ok = results_append (
          words, gst_gles_histogram_result_get_counts (result, i, cell, &n, error), &n);
  }
  return ok;
}

/* Appends the numbers of @result (nullable), a result of histograms, points or tiles, to @words, of
 * guint32. Waits for them at most @timeout. */
static inline gboolean
results_words (gpointer result, GstClockTime timeout, GArray *words, GError **error)
{
  const GType type = result != NULL ? GST_MINI_OBJECT_TYPE (result) : 0;
  guint64 total;
  gconstpointer more;
  guint n;

  if (result == NULL)
    return TRUE;
  if (type == GST_TYPE_GLES_HISTOGRAM_RESULT)
    return gst_gles_histogram_result_wait (result, timeout, error) &&
        results_histogram_words (result, words, error);
  if (type == GST_TYPE_GLES_POINTS_RESULT) {
    if (!gst_gles_points_result_wait (result, timeout, error))
      return FALSE;
    more = gst_gles_points_result_get_points (result, &n, error);
    n *= sizeof (GstGlesPoint) / sizeof (guint32);
    total = gst_gles_points_result_get_total (result);
    g_array_append_vals (words, &total, 2);
    return results_append (words, more, &n);
  }
  if (!gst_gles_tiles_result_wait (result, timeout, error))
    return FALSE;
  total = gst_gles_tiles_result_get_total (result);
  g_array_append_vals (words, &total, 2);
  more = gst_gles_tiles_result_get_offsets (result, &n, error);
  if (!results_append (words, more, &n))
    return FALSE;
  more = gst_gles_tiles_result_get_indices (result, &n, error);
  return results_append (words, more, &n);
}

#endif
