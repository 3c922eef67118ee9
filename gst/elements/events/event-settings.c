/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "event-settings.h"

#include "../base/settings.h"

/* A property and its member of EventSettings. */
typedef struct {
  const gchar *name, *nick, *blurb;
  gsize offset;
  gdouble max, value;
} Property;

#define SETTING(member) G_STRUCT_OFFSET (EventSettings, member)

static const Property properties[] = {
  { "update-interval", "Update interval",
      "Seconds between updates about an event that lasts, counted from its start; 0: no updates",
      SETTING (update_interval), 86400.0, 0.0 },
  { "cut-threshold", "Cut threshold",
      "The least change of the picture that is a cut, in percent: of its histograms, or of luma in "
      "its areas, which counts more in dark pictures",
      SETTING (cut_threshold), 300.0, 3.0 },
  { "cut-mad-threshold", "Cut threshold of mad",
      "The least change of luma samples that is a cut where histograms stay alike: mean absolute "
      "difference in percent of the scale (scdet: threshold); needs mad=true of gleshistogram",
      SETTING (cut_mad_threshold), 100.0, 10.0 },
  { "pixel-black-th", "Pixel black threshold",
      "Share of the luma range up to which a pixel is black (blackdetect: pix_th)",
      SETTING (pixel_black_th), 1.0, 0.1 },
  { "picture-black-ratio-th", "Picture black ratio threshold",
      "Share of black pixels from which a picture is black (blackdetect: pic_th)",
      SETTING (picture_black_ratio_th), 1.0, 0.98 },
  { "black-min-duration", "Black minimum duration",
      "The shortest black event in seconds (blackdetect: d)", SETTING (black_min_duration), 3600.0,
      2.0 },
  { "pixel-white-th", "Pixel white threshold",
      "Share of the luma range from white down to which a pixel is white", SETTING (pixel_white_th),
      1.0, 0.1 },
  { "picture-white-ratio-th", "Picture white ratio threshold",
      "Share of white pixels from which a picture is white", SETTING (picture_white_ratio_th), 1.0,
      0.98 },
  { "white-min-duration", "White minimum duration", "The shortest white event in seconds",
      SETTING (white_min_duration), 3600.0, 2.0 },
  { "freeze-noise", "Freeze noise",
      "The largest difference between frames of a freeze, as a share of full scale "
      "(freezedetect: n)",
      SETTING (freeze_noise), 1.0, 0.001 },
  { "freeze-duration", "Freeze duration",
      "The shortest freeze in seconds (freezedetect: d); needs mad=true of gleshistogram",
      SETTING (freeze_duration), 3600.0, 2.0 },
  { "over-exposed-ratio", "Over-exposed ratio",
      "Share of white pixels from which a picture is over-exposed", SETTING (over_exposed_ratio),
      1.0, 0.5 },
  { "under-exposed-ratio", "Under-exposed ratio",
      "Share of black pixels from which a picture is under-exposed", SETTING (under_exposed_ratio),
      1.0, 0.75 },
  { "low-contrast-range", "Low-contrast range",
      "Share of the luma range between the percentiles 0.1 and 99.9 up to which a picture has low "
      "contrast",
      SETTING (low_contrast_range), 1.0, 0.15 },
  { "exposure-min-duration", "Exposure minimum duration",
      "The shortest over-exposed, under-exposed or low-contrast event in seconds",
      SETTING (exposure_min_duration), 3600.0, 2.0 },
  { "moved-min-duration", "Moved minimum duration",
      "A camera has moved when it shows another view for so many seconds",
      SETTING (moved_min_duration), 3600.0, 1.5 },
  { "motion-min-size", "Motion minimum size",
      "The smallest region that is motion: points of glesregions, as a share of the picture",
      SETTING (motion_min_size), 1.0, 0.0005 },
  { "motion-hold", "Motion hold", "Motion ends after so many seconds without such a region",
      SETTING (motion_hold), 3600.0, 2.0 },
  { "crop-min-duration", "Crop minimum duration",
      "A border is another one when it is the same for twice so many seconds; needs crop-limit of "
      "gleshistogram",
      SETTING (crop_min_duration), 3600.0, 2.0 },
  { "stall-timeout", "Stall timeout",
      "A live stream has stalled when no frame comes for so many seconds of the clock; 0: never",
      SETTING (stall_timeout), 3600.0, 5.0 },
  { "luma-low", "Luma low", "Luma below it is under: a code value of 8 bits", SETTING (luma_low),
      255.0, 16.0 },
  { "luma-high", "Luma high", "Luma above it is over: a code value of 8 bits", SETTING (luma_high),
      255.0, 235.0 },
  { "chroma-low", "Chroma low", "Chroma below it is under: a code value of 8 bits",
      SETTING (chroma_low), 255.0, 16.0 },
  { "chroma-high", "Chroma high", "Chroma above it is over: a code value of 8 bits",
      SETTING (chroma_high), 255.0, 240.0 },
  { "level-ratio", "Level ratio",
      "A frame is over or under where more than this share of the samples of a component is",
      SETTING (level_ratio), 1.0, 0.01 },
  { "light-tolerance", "Light tolerance",
      "A light level is beyond the one that the caps say from this share of it more",
      SETTING (light_tolerance), 10.0, 0.05 },
};

void
event_settings_install (GObjectClass *klass, guint id)
{
  settings_install (klass, id, SETTING (kinds),
      g_param_spec_flags ("events", "Events",
          "The kinds of events that are detected, and presets of kinds, joined by \"+\"",
          event_kinds_get_type (), EVENT_KINDS_EDIT, SETTING_FLAGS));
#if HAVE_ANALYTICS
  settings_install (klass, id, SETTING (analytics),
      g_param_spec_boolean ("analytics", "Analytics",
          "Attach a GstAnalyticsRelationMeta with a GstAnalyticsClsMtd of the events that hold at "
          "each frame, too",
          FALSE, SETTING_FLAGS));
#endif
  settings_install (klass, id, SETTING (session),
      g_param_spec_string ("session", "Session",
          "A text that goes into the ids of events, such as the name of a recording; it is read "
          "when the element starts",
          "", SETTING_FLAGS_READY));
  settings_install (klass, id, SETTING (level_frames),
      g_param_spec_uint ("level-frames", "Level frames",
          "Levels are over or under from so many frames in a row on", 1, G_MAXINT, 5,
          SETTING_FLAGS));
  for (guint i = 0; i < G_N_ELEMENTS (properties); i++)
    settings_install (klass, id, properties[i].offset,
        g_param_spec_double (properties[i].name, properties[i].nick, properties[i].blurb, 0.0,
            properties[i].max, properties[i].value, SETTING_FLAGS));
}
