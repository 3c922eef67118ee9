/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The boxes of a frame that are followed. */
#ifndef TRACK_INPUT_H
#define TRACK_INPUT_H

#include "../base/boxes.h"
#include "../base/results.h"
#include "tracker.h"

G_BEGIN_DECLS

typedef struct {
  gboolean regions;
  BoxesSource boxes;
  const gchar *box_type; /* interned */
  guint detect_every;
} TrackInputSettings;

/* A meta on the frame, and the box that it shows. */
typedef struct {
  GstVideoRegionOfInterestMeta *roi; /* NULL: the GstAnalyticsODMtd @detection */
  guint detection;
  guint box; /* of the frame's boxes */
} TrackSource;

/* All zero at the start of a stream. */
typedef struct {
  TrackerBox boxes[TRACKER_MAX_BOXES];
  guint n_boxes;
  guint64 n_found;     /* different boxes of the frame, which may be more */
  GArray *sources;     /* of TrackSource, as long as the metas are on the frame; NULL at first */
  GHashTable *indices; /* of each TrackerBox found: where it is in the boxes, and 1 */
  gboolean found;      /* the frame has regions or boxes */
  gboolean looked;     /* somebody looked for boxes: the frame has all of what can be seen */
  /* earlier frames had regions, or a GstAnalyticsRelationMeta: those without were not looked at */
  gboolean expects_regions, expects_analytics;
  guint n_passed; /* frames since one that was looked at */
} TrackInput;

/* Installs the properties of TrackInputSettings, which is at @offset of the settings. */
void track_input_install (GObjectClass *klass, guint id, gsize offset);

/* Takes the boxes of @buffer, in pixels of @picture, and @regions, which are complete, or NULL. A
 * box that regions, regions of interest and detections repeat is taken once: a region is known by
 * its index, also where its metas were scaled, and a detection by its rectangle and type. */
void track_input_take (TrackInput *input, const TrackInputSettings *settings, GstBuffer *buffer,
    const GstGlesFrameInfo *picture, GstGlesRegionsResult *regions);

void track_input_clear (TrackInput *input);

G_END_DECLS

#endif
