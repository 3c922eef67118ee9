/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The boxes of a histogram result. */
#include <string.h>

#include <gst/gles/meta/histogram-private.h>

guint
gst_gles_histogram_info_get_n_box_channels (const GstGlesHistogramInfo *info)
{
  guint n = 0;

  while (n < info->n_channels && !info->channels[n].computed)
    n++;
  return n;
}

guint
gst_gles_histogram_info_get_box_depth (const GstGlesHistogramInfo *info)
{
  guint depth = 0;

  for (guint i = 0; i < gst_gles_histogram_info_get_n_box_channels (info); i++)
    depth = MAX (depth, info->channels[i].depth);
  return depth;
}

gsize
gst_gles_histogram_info_get_box_bytes (const GstGlesHistogramInfo *info)
{
  return sizeof (guint32) * info->n_boxes * gst_gles_histogram_info_get_n_box_channels (info)
      << gst_gles_histogram_info_get_box_depth (info);
}

static gboolean
check_box (const GstGlesHistogramInfo *info, const GstGlesBox *box, const guint32 *words)
{
  const guint n_values = 1u << gst_gles_histogram_info_get_box_depth (info);

  if (box->x > info->frame.width || box->width > info->frame.width - box->x ||
      box->y > info->frame.height || box->height > info->frame.height - box->y)
    return FALSE;
  for (guint i = 0; i < gst_gles_histogram_info_get_n_box_channels (info); i++) {
    guint64 sum = 0;

    for (guint value = 0; value < n_values; value++)
      sum += words[(gsize) i * n_values + value];
    if (sum >= GST_GLES_HISTOGRAM_MAX_SAMPLES)
      return FALSE;
  }
  return TRUE;
}

gboolean
gst_gles_histogram_info_check_boxes (
    const GstGlesHistogramInfo *info, const GstGlesBox *boxes, const guint32 *words)
{
  const gsize each = (gsize) gst_gles_histogram_info_get_n_box_channels (info)
      << gst_gles_histogram_info_get_box_depth (info);

  for (guint i = 0; i < info->n_boxes; i++) {
    if (!check_box (info, &boxes[i], words + i * each))
      return FALSE;
  }
  return TRUE;
}

/* ---- reading ---- */

const GstGlesBox *
gst_gles_histogram_result_get_boxes (GstGlesHistogramResult *result, guint *n)
{
  g_return_val_if_fail (n != NULL, NULL);
  *n = 0;
  g_return_val_if_fail (result != NULL, NULL);

  *n = result->info.n_boxes;
  return result->boxes != NULL ? g_bytes_get_data (result->boxes, NULL) : NULL;
}

guint
gst_gles_histogram_result_get_n_box_channels (GstGlesHistogramResult *result)
{
  g_return_val_if_fail (result != NULL, 0);

  return gst_gles_histogram_info_get_n_box_channels (&result->info);
}

const guint32 *
gst_gles_histogram_result_peek_box_words (GstGlesHistogramResult *result)
{
  return result->info.n_boxes > 0 ? result->base.arrays[1].data : NULL;
}

GstGlesBuffer *
gst_gles_histogram_result_get_box_buffer (GstGlesHistogramResult *result)
{
  return result->info.n_boxes > 0 ? gst_gles_result_get_buffer (result, 1) : NULL;
}

/* Sets the counters of a channel in a box, in @n bins. */
static void
rebin (const GstGlesHistogramResult *result, guint box, guint channel, guint n, guint32 *counts)
{
  const GstGlesHistogramInfo *info = &result->info;
  const guint depth = gst_gles_histogram_info_get_box_depth (info);
  const gsize at = ((gsize) box * gst_gles_histogram_info_get_n_box_channels (info) + channel)
      << depth;
  const guint32 *words = (const guint32 *) result->base.arrays[1].data + at;
  const guint own = info->channels[channel].depth;

  memset (counts, 0, n * sizeof *counts);
  /* where another channel is deeper, the values of this one are the first of as many bins each */
  for (guint64 value = 0; value < 1u << own; value++)
    counts[value * n >> own] += words[value << (depth - own)];
}

gboolean
gst_gles_histogram_result_get_box_statistics (GstGlesHistogramResult *result, guint box,
    guint channel, GstGlesHistogramStatistics *statistics, GError **error)
{
  g_autofree guint32 *counts = NULL;
  guint n;

  g_return_val_if_fail (result != NULL && statistics != NULL, FALSE);
  g_return_val_if_fail (box < result->info.n_boxes, FALSE);
  g_return_val_if_fail (
      channel < gst_gles_histogram_info_get_n_box_channels (&result->info), FALSE);

  if (!gst_gles_histogram_result_wait (result, G_MAXUINT64, error))
    return FALSE;
  n = 1u << result->info.channels[channel].depth;
  counts = g_new (guint32, n);
  rebin (result, box, channel, n, counts);
  gst_gles_histogram_statistics_compute (counts, n, statistics);
  return TRUE;
}

GBytes *
gst_gles_histogram_result_get_box_counts (
    GstGlesHistogramResult *result, guint box, guint channel, GError **error)
{
  guint32 *counts;
  guint n;

  g_return_val_if_fail (result != NULL, NULL);
  g_return_val_if_fail (box < result->info.n_boxes, NULL);
  g_return_val_if_fail (channel < gst_gles_histogram_info_get_n_box_channels (&result->info), NULL);

  if (!gst_gles_histogram_result_wait (result, G_MAXUINT64, error))
    return NULL;
  n = result->info.bins;
  counts = g_new (guint32, n);
  rebin (result, box, channel, n, counts);
  return g_bytes_new_take (counts, n * sizeof *counts);
}
