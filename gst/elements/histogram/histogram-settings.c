/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <string.h>

#include "../base/boxes-setting.h"
#include "../base/settings.h"
#include "histogram-settings.h"

#define MIN_BINS 2
#define MAX_BINS 65536
#define MAX_CELLS 65535

static const GEnumValue channels[] = {
  { HISTOGRAM_CHANNELS_NATIVE, "Each stored component", "native" },
  { HISTOGRAM_CHANNELS_LUMA, "Luma, computed from RGB where it is not stored", "luma" },
  { 0, NULL, NULL },
};

#define MEMBER(name) G_STRUCT_OFFSET (HistogramSettings, name)

void
histogram_settings_install (GstGlesAnalyzerClass *klass)
{
  gst_gles_analyzer_install (klass, MEMBER (bins),
      g_param_spec_uint ("bins", "Bins",
          "Bins per histogram: bin = value * bins / 2^depth, rounded down", MIN_BINS, MAX_BINS, 256,
          SETTING_CONTROLLABLE));
  gst_gles_analyzer_install (klass, MEMBER (channels),
      g_param_spec_enum ("channels", "Channels", "What to count",
          enum_type ("GstGlesFrameHistogramChannels", channels), HISTOGRAM_CHANNELS_NATIVE,
          SETTING_CONTROLLABLE));
  gst_gles_analyzer_install_region (klass, MEMBER (region), "count");
  gst_gles_analyzer_install_mask (klass, "count");
  gst_gles_analyzer_install (klass, MEMBER (columns),
      g_param_spec_uint ("grid-columns", "Grid columns",
          "Cells side by side over the region, each with histograms of its own", 1, MAX_CELLS, 1,
          SETTING_CONTROLLABLE));
  gst_gles_analyzer_install (klass, MEMBER (rows),
      g_param_spec_uint ("grid-rows", "Grid rows",
          "Cells one below the other over the region, each with histograms of its own", 1,
          MAX_CELLS, 1, SETTING_CONTROLLABLE));
  gst_gles_analyzer_install (klass, MEMBER (emd),
      g_param_spec_boolean ("emd", "Earth mover's distance",
          "Also compute how far samples move on average from the histogram of the frame before",
          FALSE, SETTING_CONTROLLABLE));
  gst_gles_analyzer_install (klass, MEMBER (mad),
      g_param_spec_boolean ("mad", "Mean absolute difference",
          "Also compare samples with those at the same places of the frame before", FALSE,
          SETTING_CONTROLLABLE));
  gst_gles_analyzer_install (klass, MEMBER (mad_noise),
      g_param_spec_double ("mad-noise", "Noise of mad",
          "With mad: a frame that differs from the reference by at most this share of full scale "
          "does not become the reference of the next; 0 compares with the frame before",
          0.0, 1.0, 0.0, SETTING_CONTROLLABLE));
  gst_gles_analyzer_install (klass, MEMBER (flash),
      g_param_spec_boolean ("flash", "Flash",
          "Also compare luminance and saturated red with those of the frame before, for the "
          "flashes of glesevents",
          FALSE, SETTING_CONTROLLABLE));
  gst_gles_analyzer_install (klass, MEMBER (light),
      g_param_spec_boolean ("light", "Light levels",
          "Also count the largest of red, green and blue of each pixel, for light levels of PQ in "
          "cd/m²; in place of expression",
          FALSE, SETTING_FLAGS));
  gst_gles_analyzer_install (klass, MEMBER (outliers),
      g_param_spec_boolean ("outliers", "Outliers",
          "Also count rows that repeat others, and samples that are far from those above and below "
          "(signalstats: VREP, TOUT)",
          FALSE, SETTING_CONTROLLABLE));
  gst_gles_analyzer_install (klass, MEMBER (crop_limit),
      g_param_spec_double ("crop-limit", "Crop limit",
          "Also find the first and last rows and columns of luma whose mean exceeds this code "
          "value, or below 1 this share of full scale, 0.0941 for that of FFmpeg; -1 finds none",
          -1.0, 65535.0, -1.0, SETTING_CONTROLLABLE));
  gst_gles_analyzer_install (klass, MEMBER (expression),
      g_param_spec_string ("expression", "Expression",
          "Count the values of an expression as well, as one more channel, such as \"hue\"", "",
          SETTING_FLAGS));
  gst_gles_analyzer_install (klass, MEMBER (expression_range),
      g_param_spec_string ("expression-range", "Expression range",
          "The least and the largest value of the expression that are counted, \"lower,upper\", "
          "from 0 to 32767",
          "0,255", SETTING_FLAGS));
  gst_gles_analyzer_install (klass, MEMBER (expression_name),
      g_param_spec_string ("expression-name", "Expression name",
          "The name of the expression's channel, of up to 15 letters, digits, - and _",
          "expression", SETTING_FLAGS));
  gst_gles_analyzer_install_parameters (klass, MEMBER (parameters));
  gst_gles_analyzer_install (klass, MEMBER (boxes), boxes_spec ("Count also in", BOXES_NONE));
  gst_gles_analyzer_install (klass, MEMBER (box_type), boxes_type_spec ());
}

gboolean
histogram_settings_place (const HistogramSettings *settings, const GstGlesImage *image,
    GstGlesFrameHistogramConfig *config, GError **error)
{
  GstGlesRegionPlace place;

  if (!gst_gles_region_place (&settings->region, image, &place, error))
    return FALSE;
  *config = (GstGlesFrameHistogramConfig){ place.x, place.y, place.width, place.height,
    settings->columns, settings->rows, settings->bins,
    settings->channels == HISTOGRAM_CHANNELS_LUMA, settings->mad, settings->emd, TRUE, NULL };
  if (config->columns > config->width || config->rows > config->height) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_OUTSIDE,
        "a grid of %ux%u cells is finer than the %ux%u pixels it lies over; lower grid-columns "
        "and grid-rows",
        config->columns, config->rows, config->width, config->height);
    return FALSE;
  }
  return TRUE;
}

gboolean
histogram_settings_same_config (
    const GstGlesFrameHistogramConfig *a, const GstGlesFrameHistogramConfig *b)
{
  /* without the bytes between the last two members */
  return a->mask == b->mask &&
      memcmp (a, b, G_STRUCT_OFFSET (GstGlesFrameHistogramConfig, overview) + sizeof a->overview) ==
      0;
}

void
histogram_settings_describe (const GstGlesFrameHistogramConfig *config,
    const GstGlesFrameHistogramLayout *layout, const GstGlesImage *image,
    GstGlesHistogramInfo *info)
{
  *info = (GstGlesHistogramInfo){ .x = config->x - image->crop_x,
    .y = config->y - image->crop_y,
    .region_width = config->width,
    .region_height = config->height,
    .columns = config->columns,
    .rows = config->rows,
    .bins = config->bins,
    .luma = config->luma,
    .overview_offset = layout->overview_offset,
    .overview_depth = layout->overview_depth,
    .n_channels = layout->n_channels };
  for (guint i = 0; i < layout->n_channels; i++) {
    info->channels[i] = (GstGlesHistogramChannelInfo){ layout->channels[i].name,
      layout->channels[i].n_samples, layout->channels[i].depth, layout->channels[i].native_offset,
      layout->channels[i].difference_offset, layout->channels[i].cells_offset,
      config->emd ? layout->channels[i].emd_offset : 0, layout->channels[i].mad_offset };
  }
}
