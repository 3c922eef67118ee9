/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_EVENT_SETTINGS_H
#define GST_GLES_EVENT_SETTINGS_H

#include "event-kind.h"

G_BEGIN_DECLS

/* Properties of glesevents. Durations are in seconds, like FFmpeg's. */
typedef struct {
  EventKinds kinds;        /* only these are detected and reported */
  gboolean analytics;      /* only in builds with gst-analytics */
  const gchar *session;    /* part of the ids of events */
  gdouble update_interval; /* 0: no updates */
  gdouble cut_threshold, cut_mad_threshold;
  gdouble pixel_black_th, picture_black_ratio_th;
  gdouble pixel_white_th, picture_white_ratio_th;
  gdouble freeze_noise;
  gdouble over_exposed_ratio, under_exposed_ratio, low_contrast_range;
  gdouble black_min_duration, white_min_duration, freeze_duration, exposure_min_duration;
  gdouble moved_min_duration, crop_min_duration;
  gdouble motion_min_size; /* share of the picture */
  gdouble motion_hold, stall_timeout;
  gdouble luma_low, luma_high, chroma_low, chroma_high; /* code values of 8 bits */
  gdouble level_ratio;
  gdouble light_tolerance;
  guint level_frames;
} EventSettings;

/* Installs the properties as property @id. */
void event_settings_install (GObjectClass *klass, guint id);

G_END_DECLS

#endif
