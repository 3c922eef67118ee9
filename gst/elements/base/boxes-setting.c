/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "boxes-setting.h"
#include "settings.h"

static const GEnumValue sources[] = {
  { BOXES_NONE, "No boxes", "none" },
  { BOXES_ROI, "GstVideoRegionOfInterestMeta", "roi" },
  { BOXES_ANALYTICS, "GstAnalyticsODMtd (GStreamer 1.24 and later)", "analytics" },
  { BOXES_ALL, "Both", "all" },
  { 0, NULL, NULL },
};

GParamSpec *
boxes_spec (const gchar *what, BoxesSource initial)
{
  g_autofree gchar *blurb = g_strdup_printf (
      "%s the boxes that elements upstream, such as detectors, put on the frame", what);

  return g_param_spec_enum ("boxes", "Boxes", g_intern_string (blurb),
      enum_type ("GstGlesBoxes", sources), initial, SETTING_FLAGS);
}

GParamSpec *
boxes_type_spec (void)
{
  return g_param_spec_string ("box-type", "Box type",
      "Only boxes of these types, such as \"person,car\"; unset: of all", "", SETTING_FLAGS);
}
