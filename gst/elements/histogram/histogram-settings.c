/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "../base/enum-type.h"
#include "histogram-settings.h"

#define MIN_BINS 2
#define MAX_BINS 65536
#define DEFAULT_BINS 256
#define DEFAULT_CHANNELS HISTOGRAM_CHANNELS_NATIVE
#define DEFAULT_CELLS 1
#define MAX_CELLS 65535

enum {
  PROP_0,
  PROP_BINS,
  PROP_CHANNELS,
  PROP_REGION,
  PROP_GRID_COLUMNS,
  PROP_GRID_ROWS,
  PROP_EMD,
  PROP_MAD,
  PROP_MAD_NOISE
};

#define GST_TYPE_GLES_HISTOGRAM_CHANNELS (channels_get_type ())
static GType
channels_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    { HISTOGRAM_CHANNELS_NATIVE, "Each stored component", "native" },
    { HISTOGRAM_CHANNELS_LUMA, "Luma, computed from RGB where it is not stored", "luma" },
    { 0, NULL, NULL },
  };

  return enum_type (&type, "GstGlesFrameHistogramChannels", values);
}

void
histogram_settings_set (
    HistogramSettings *settings, GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_REGION) {
    gst_gles_region_set (object, &settings->region, value);
    return;
  }
  GST_OBJECT_LOCK (object);
  switch (id) {
    case PROP_BINS:
      settings->bins = g_value_get_uint (value);
      break;
    case PROP_CHANNELS:
      settings->channels = g_value_get_enum (value);
      break;
    case PROP_GRID_COLUMNS:
      settings->columns = g_value_get_uint (value);
      break;
    case PROP_GRID_ROWS:
      settings->rows = g_value_get_uint (value);
      break;
    case PROP_MAD:
      settings->mad = g_value_get_boolean (value);
      break;
    case PROP_EMD:
      settings->emd = g_value_get_boolean (value);
      break;
    case PROP_MAD_NOISE:
      settings->mad_noise = g_value_get_double (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (object);
}

void
histogram_settings_get (
    const HistogramSettings *settings, GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  GST_OBJECT_LOCK (object);
  switch (id) {
    case PROP_BINS:
      g_value_set_uint (value, settings->bins);
      break;
    case PROP_CHANNELS:
      g_value_set_enum (value, settings->channels);
      break;
    case PROP_REGION:
      gst_gles_region_get (&settings->region, value);
      break;
    case PROP_GRID_COLUMNS:
    case PROP_GRID_ROWS:
      g_value_set_uint (value, id == PROP_GRID_ROWS ? settings->rows : settings->columns);
      break;
    case PROP_MAD:
      g_value_set_boolean (value, settings->mad);
      break;
    case PROP_EMD:
      g_value_set_boolean (value, settings->emd);
      break;
    case PROP_MAD_NOISE:
      g_value_set_double (value, settings->mad_noise);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (object);
}

void
histogram_settings_install (GObjectClass *klass)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING |
      GST_PARAM_CONTROLLABLE;

  g_object_class_install_property (klass, PROP_BINS,
      g_param_spec_uint ("bins", "Bins",
          "Bins per histogram: bin = value * bins / 2^depth, rounded down", MIN_BINS, MAX_BINS,
          DEFAULT_BINS, flags));
  g_object_class_install_property (klass, PROP_CHANNELS,
      g_param_spec_enum ("channels", "Channels", "What to count", GST_TYPE_GLES_HISTOGRAM_CHANNELS,
          DEFAULT_CHANNELS, flags));
  gst_gles_region_install (klass, PROP_REGION, "count");
  g_object_class_install_property (klass, PROP_GRID_COLUMNS,
      g_param_spec_uint ("grid-columns", "Grid columns",
          "Cells side by side over the region, each with histograms of its own", 1, MAX_CELLS,
          DEFAULT_CELLS, flags));
  g_object_class_install_property (klass, PROP_GRID_ROWS,
      g_param_spec_uint ("grid-rows", "Grid rows",
          "Cells one below the other over the region, each with histograms of its own", 1,
          MAX_CELLS, DEFAULT_CELLS, flags));
  g_object_class_install_property (klass, PROP_EMD,
      g_param_spec_boolean ("emd", "Earth mover's distance",
          "Also compute how far samples move on average from the histogram of the frame before",
          FALSE, flags));
  g_object_class_install_property (klass, PROP_MAD,
      g_param_spec_boolean ("mad", "Mean absolute difference",
          "Also compare samples with those at the same places of the frame before", FALSE, flags));
  g_object_class_install_property (klass, PROP_MAD_NOISE,
      g_param_spec_double ("mad-noise", "Noise of mad",
          "With mad: a frame that differs from the reference by at most this share of full scale "
          "does not become the reference of the next; 0 compares with the frame before",
          0.0, 1.0, 0.0, flags));
}

void
histogram_settings_init (HistogramSettings *settings)
{
  *settings = (HistogramSettings){ .bins = DEFAULT_BINS,
    .channels = DEFAULT_CHANNELS,
    .columns = DEFAULT_CELLS,
    .rows = DEFAULT_CELLS };
}

gboolean
histogram_settings_place (const HistogramSettings *settings, const GstGlesImage *image,
    GstGlesFrameHistogramConfig *config, GError **error)
{
  *config = (GstGlesFrameHistogramConfig){ image->crop_x, image->crop_y, image->crop_width,
    image->crop_height, settings->columns, settings->rows, settings->bins,
    settings->channels == HISTOGRAM_CHANNELS_LUMA, settings->mad, settings->emd };
  if (!gst_gles_region_place (
          &settings->region, image, &config->x, &config->y, &config->width, &config->height, error))
    return FALSE;
  if (config->columns > config->width || config->rows > config->height) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_OUTSIDE,
        "a grid of %ux%u cells is finer than the %ux%u pixels it lies over; lower grid-columns "
        "and grid-rows",
        config->columns, config->rows, config->width, config->height);
    return FALSE;
  }
  return TRUE;
}
