/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <gst/gles/meta/light.h>

#include "histogram-light.h"

#define MIN_DEPTH 8

/* By depth from 8 bits on, the largest component with at most 12 bits. */
static const HistogramCounted counted[] = {
  { "max(R, max(G, B))", "0,255", GST_GLES_LIGHT_CHANNEL },
  { "max(R, max(G, B))", "0,511", GST_GLES_LIGHT_CHANNEL },
  { "max(R, max(G, B))", "0,1023", GST_GLES_LIGHT_CHANNEL },
  { "max(R, max(G, B))", "0,2047", GST_GLES_LIGHT_CHANNEL },
  { "max(R, max(G, B))", "0,4095", GST_GLES_LIGHT_CHANNEL },
  { NULL, NULL, NULL },
  { NULL, NULL, NULL },
  { NULL, NULL, NULL },
  { "(max(R, max(G, B)) * 4095 + 32767) / 65535", "0,4095", GST_GLES_LIGHT_CHANNEL },
};

/* Returns (nullable): what to count in pictures of @video. */
static const HistogramCounted *
find (const GstVideoInfo *video)
{
  const guint depth = GST_VIDEO_INFO_COMP_DEPTH (video, 0);
  const guint index = depth - MIN_DEPTH;

  for (guint i = 1; i < 3; i++) {
    if (GST_VIDEO_INFO_N_COMPONENTS (video) < 3 || GST_VIDEO_INFO_COMP_DEPTH (video, i) != depth)
      return NULL;
  }
  return index < G_N_ELEMENTS (counted) && counted[index].text != NULL ? &counted[index] : NULL;
}

/* Returns (nullable): why pictures of @video have no light levels. */
static const gchar *
get_refusal (const GstVideoInfo *video)
{
  switch (video->colorimetry.transfer) {
    case GST_VIDEO_TRANSFER_SMPTE2084:
      return find (video) == NULL ? "the format has no red, green and blue of 8 to 12 or 16 bits"
                                  : NULL;
    case GST_VIDEO_TRANSFER_ARIB_STD_B67:
      return "the video is HLG, whose light depends on the display and on all three components of "
             "a pixel; convert it to PQ for the display first";
    default:
      return "the caps do not say that the video is PQ (SMPTE ST 2084); if it is, put \"capssetter "
             "caps=video/x-raw,colorimetry=bt2100-pq\" in front";
  }
}

HistogramCounted
histogram_light_choose (const HistogramSettings *settings, GstGlesPictureAnalyzer *analyzer)
{
  const GstVideoInfo *video = gst_gles_picture_analyzer_get_info (analyzer);

  if (settings->light && get_refusal (video) == NULL)
    return *find (video);
  return (HistogramCounted){ settings->expression, settings->expression_range,
    settings->expression_name };
}

void
histogram_light_warn (
    const HistogramSettings *settings, GstGlesPictureAnalyzer *analyzer, const gchar **said)
{
  const GstVideoInfo *video = gst_gles_picture_analyzer_get_info (analyzer);
  const gchar *refusal = settings->light ? get_refusal (video) : NULL;

  if (refusal != NULL && refusal != *said)
    GST_ELEMENT_WARNING (analyzer, RESOURCE, SETTINGS, ("No light levels: %s", refusal),
        ("format %s", gst_video_format_to_string (GST_VIDEO_INFO_FORMAT (video))));
  *said = refusal;
}
