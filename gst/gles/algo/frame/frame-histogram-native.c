/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The frame histogram's native twin. */
#include "config.h"

#include <string.h>

#include <gst/gles/algo/frame/frame-histogram-private.h>
#include <gst/gles/cpu/frame/frame-overview.h>

void
gst_gles_frame_histogram_shape (const GstGlesFrameHistogram *histogram, gboolean cells, guint bins,
    GstGlesCpuFrameHistogramShape *shape)
{
  const GstGlesFrameHistogramConfig *config = &histogram->config;

  *shape = (GstGlesCpuFrameHistogramShape){ config->x, config->y, config->width, config->height,
    cells ? config->columns : 1, cells ? config->rows : 1, bins, NULL };
}

/* Subtracts the samples outside of the mask from @counts, the native ones of the first channel. */
static gboolean
subtract_outside (const GstGlesFrameHistogram *histogram, const GstGlesCpuChannel *samples,
    guint32 *counts, GError **error)
{
  const guint n = 1u << samples->depth;
  g_autofree guint32 *outside = NULL;
  GstGlesCpuFrameHistogramShape shape;

  if (histogram->outside == NULL)
    return TRUE;
  outside = g_new (guint32, n);
  gst_gles_frame_histogram_shape (histogram, FALSE, n, &shape);
  shape.spans = histogram->outside;
  if (!gst_gles_cpu_frame_histogram (samples, &shape, outside, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    counts[i] -= outside[i];
  return TRUE;
}

/* Where the overview counts samples of the first channel by value, it makes the channel's native
 * histogram on the way, and *@has_values becomes TRUE. */
static gboolean
overview_native (const GstGlesFrameHistogram *histogram, const GstGlesImage *image, guint32 *counts,
    gboolean *has_values, GError **error)
{
  const GstGlesFrameHistogramLayout *layout = &histogram->layout;
  const GstGlesFrameChannel channel = gst_gles_frame_channel (image, GST_GLES_FRAME_LUMA);
  const GstGlesCpuChannel samples = gst_gles_frame_channel_samples (&channel, image);
  GstGlesCpuFrameHistogramShape shape;

  gst_gles_frame_histogram_shape (histogram, FALSE, 1u << channel.depth, &shape);
  *has_values = (histogram->config.mask == NULL || histogram->outside != NULL) &&
      gst_gles_cpu_frame_overview_has_values (&samples, &shape);
  return gst_gles_cpu_frame_overview (&samples, &shape,
             *has_values ? counts + layout->channels[0].native_offset : NULL,
             counts + layout->overview_offset, error) &&
      (!*has_values ||
          subtract_outside (
              histogram, &samples, counts + layout->channels[0].native_offset, error));
}

static void
compare_native (
    const GstGlesFrameHistogram *histogram, guint channel, const guint32 *previous, guint32 *counts)
{
  const GstGlesFrameHistogramLayout *layout = &histogram->layout;
  const guint32 *now = counts + layout->channels[channel].native_offset;
  const guint32 *before = previous + layout->channels[channel].native_offset;
  const guint n_values = 1u << layout->channels[channel].depth;
  const guint emd_offset = layout->channels[channel].emd_offset;

  counts[layout->channels[channel].difference_offset] =
      gst_gles_cpu_frame_histogram_difference (now, before, n_values);
  if (histogram->config.emd) {
    const guint64 emd = gst_gles_cpu_frame_histogram_emd (now, before, n_values);

    counts[emd_offset] = (guint32) emd;
    counts[emd_offset + 1] = (guint32) (emd >> 32);
  }
}

gboolean
gst_gles_frame_histogram_run_native (GstGlesFrameHistogram *histogram, const GstGlesImage *image,
    const guint32 *previous, guint32 *counts, GError **error)
{
  const GstGlesFrameHistogramLayout *layout = &histogram->layout;
  gboolean has_values = FALSE;

  memset (counts, 0, layout->size_bytes);
  if (layout->overview_offset != 0 &&
      !overview_native (histogram, image, counts, &has_values, error))
    return FALSE;
  for (guint i = 0; i < layout->n_channels; i++) {
    const GstGlesFrameChannel *channel = &histogram->channels[i];
    guint n_values = 1u << channel->depth;
    guint32 *native = counts + layout->channels[i].native_offset;
    const GstGlesCpuChannel samples = gst_gles_frame_channel_samples (channel, image);
    GstGlesCpuFrameHistogramShape shape;

    gst_gles_frame_histogram_shape (histogram, FALSE, n_values, &shape);
    shape.spans = channel->spans;
    if ((i > 0 || !has_values) && !gst_gles_cpu_frame_histogram (&samples, &shape, native, error))
      return FALSE;
    if (layout->channels[i].cells_offset != G_MAXUINT) {
      gst_gles_frame_histogram_shape (histogram, TRUE, layout->bins, &shape);
      shape.spans = channel->spans;
      if (!gst_gles_cpu_frame_histogram (
              &samples, &shape, counts + layout->channels[i].cells_offset, error))
        return FALSE;
    }
    if (previous != NULL)
      compare_native (histogram, i, previous, counts);
  }
  return TRUE;
}
