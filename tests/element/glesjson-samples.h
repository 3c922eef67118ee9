/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Results made by hand, for the tests of glesjson. */
#ifndef GLESJSON_SAMPLES_H
#define GLESJSON_SAMPLES_H

#include <gst/gles/gl/readback.h>
#include <gst/gles/meta/histogram.h>

/* One channel "Y" of the given depth over the whole of an 8x4 picture, all counters 0. Native
 * counts from word 0, then the difference, then the cells. */
static inline GstGlesHistogramInfo
sample_info (guint depth, guint bins, guint columns, guint rows)
{
  const GstGlesHistogramInfo info = {
    .frame = 0,
    .pts = GST_CLOCK_TIME_NONE,
    .duration = GST_CLOCK_TIME_NONE,
    .running_time = GST_CLOCK_TIME_NONE,
    .stream_time = GST_CLOCK_TIME_NONE,
    .width = 8,
    .height = 4,
    .format = GST_VIDEO_FORMAT_GRAY8,
    .region_width = 8,
    .region_height = 4,
    .columns = columns,
    .rows = rows,
    .bins = bins,
    .n_channels = 1,
    .channels = { { .name = "Y",
        .depth = depth,
        .difference_offset = 1u << depth,
        .cells_offset = (1u << depth) + 1 } },
  };

  return info;
}

/* @words: (transfer none) */
static inline GstGlesHistogramResult *
sample_result (const GstGlesHistogramInfo *info, const guint32 *words, gsize n_words)
{
  g_autoptr (GstGlesReadback) readback =
      gst_gles_readback_new_complete (g_bytes_new (words, n_words * sizeof *words));

  return gst_gles_histogram_result_new (info, readback, NULL);
}

/* Two channels of 2 bits: Y of 2, 0, 1, 1 and U of 0, 0, 0, 4 samples; all four times. */
static inline GstGlesHistogramResult *
sample_plain (void)
{
  static const guint32 words[] = { 2, 0, 1, 1, 4, 0, 0, 0, 4, 0 };
  GstGlesHistogramInfo info = sample_info (2, 4, 1, 1);

  info.frame = 12;
  info.pts = 40000000;
  info.duration = 20000000;
  info.running_time = 50000000;
  info.stream_time = 60000000;
  info.width = 1920;
  info.height = 1080;
  info.format = GST_VIDEO_FORMAT_NV12;
  info.x = 10;
  info.y = 20;
  info.region_width = 2;
  info.region_height = 2;
  info.n_channels = 2;
  info.channels[1] = info.channels[0];
  info.channels[1].name = "U";
  info.channels[1].native_offset = 5;
  info.channels[1].difference_offset = 9;
  return sample_result (&info, words, G_N_ELEMENTS (words));
}

/* A grid of 2x2 cells of 3 bins; the 32 samples are 0 or 1, the difference is 5. */
static inline GstGlesHistogramResult *
sample_grid (void)
{
  static const guint32 words[] = { 30, 2, 5, 8, 0, 0, 7, 1, 0, 8, 0, 0, 7, 1, 0 };
  GstGlesHistogramInfo info = sample_info (1, 3, 2, 2);

  info.luma = TRUE;
  info.channels[0].name = "luma";
  return sample_result (&info, words, G_N_ELEMENTS (words));
}

/* No sample at all: a region between the samples of a subsampled component. */
static inline GstGlesHistogramResult *
sample_empty (void)
{
  static const guint32 words[] = { 0, 0, 0 };
  const GstGlesHistogramInfo info = sample_info (1, 2, 1, 1);

  return sample_result (&info, words, G_N_ELEMENTS (words));
}

/* For a stream without a video format. */
static inline GstGlesHistogramResult *
sample_without_format (void)
{
  static const guint32 words[] = { 30, 2, 0 };
  GstGlesHistogramInfo info = sample_info (1, 2, 1, 1);

  info.format = GST_VIDEO_FORMAT_UNKNOWN;
  return sample_result (&info, words, G_N_ELEMENTS (words));
}

#endif
