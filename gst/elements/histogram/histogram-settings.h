/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The properties of gleshistogram, and the configuration of a plan that follows from them. */
#ifndef HISTOGRAM_SETTINGS_H
#define HISTOGRAM_SETTINGS_H

#include <gst/gles/algo/frame/frame-histogram.h>
#include <gst/gles/meta/histogram.h>

#include "../base/boxes.h"
#include "../base/expression-setting.h"
#include "../base/gstglesanalyzer.h"
#include "../base/region-setting.h"

G_BEGIN_DECLS

typedef enum {
  HISTOGRAM_CHANNELS_NATIVE,
  HISTOGRAM_CHANNELS_LUMA
} HistogramChannels;

typedef struct {
  guint bins;
  HistogramChannels channels;
  GstGlesRegionSetting region;
  guint columns, rows;
  gboolean emd;
  gboolean mad;
  gdouble mad_noise;
  gboolean flash;
  gboolean light;
  gboolean outliers;
  gdouble crop_limit; /* below 1 a share of full scale; -1: off */
  const gchar *expression, *expression_range, *expression_name; /* interned */
  ExpressionParameters parameters;
  BoxesSource boxes;
  const gchar *box_type; /* interned */
} HistogramSettings;

void histogram_settings_install (GstGlesAnalyzerClass *klass);

/* Computes the configuration for @image. The region refers to the visible picture, so it moves with
 * the crop. Errors: OUTSIDE if the region or the grid does not fit the picture. */
gboolean histogram_settings_place (const HistogramSettings *settings, const GstGlesImage *image,
    GstGlesFrameHistogramConfig *config, GError **error);

gboolean histogram_settings_same_config (
    const GstGlesFrameHistogramConfig *a, const GstGlesFrameHistogramConfig *b);
/* Sets @info to what a result of a plan with @config and @layout says of it, without the frame. */
void histogram_settings_describe (const GstGlesFrameHistogramConfig *config,
    const GstGlesFrameHistogramLayout *layout, const GstGlesImage *image,
    GstGlesHistogramInfo *info);

G_END_DECLS

#endif
