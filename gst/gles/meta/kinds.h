/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Every kind of result in one table, of which code that treats all of them alike is made. Not
 * installed. */
#ifndef GST_GLES_META_KINDS_H
#define GST_GLES_META_KINDS_H

#include <gst/gles/meta/histogram-info.h>
#include <gst/gles/meta/points-info.h>
#include <gst/gles/meta/regions-info.h>
#include <gst/gles/meta/tiles-info.h>
#include <gst/gles/meta/tracks-info.h>
#include <gst/gles/meta/zones-info.h>

/* Calls _ (Name, name, NAME, has_coordinates) for GstGles##Name##Result and the functions
 * gst_gles_##name##_result_…(). Of several results on a buffer the first one of this table says
 * which frame it is. Histograms have no coordinates, so they survive every transformation of the
 * picture. */
#define GST_GLES_RESULT_KINDS(_)                                                                   \
  _ (Histogram, histogram, HISTOGRAM, FALSE)                                                       \
  _ (Points, points, POINTS, TRUE)                                                                 \
  _ (Tiles, tiles, TILES, TRUE)                                                                    \
  _ (Regions, regions, REGIONS, TRUE)                                                              \
  _ (Tracks, tracks, TRACKS, TRUE)                                                                 \
  _ (Zones, zones, ZONES, TRUE)

#endif
