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
} TrackInputSettings;

/* All zero at the start of a stream. */
typedef struct {
  TrackerBox boxes[TRACKER_MAX_BOXES];
  guint n_boxes;
  guint64 n_found;          /* of the frame, which may be more */
  gboolean found;           /* the frame has regions or boxes */
  gboolean analysed;        /* the frame was analysed, and has all boxes of what can be seen */
  gboolean expects_regions; /* an earlier frame had regions: those without were not analysed */
} TrackInput;

/* Installs the properties of TrackInputSettings, which is at @offset of the settings. */
void track_input_install (GObjectClass *klass, guint id, gsize offset);

/* Takes the boxes of @buffer, in pixels of its picture of @width x @height. A box that regions,
 * regions of interest and detections repeat is taken once. Waits for regions as results_wait()
 * does, and returns what it returns. */
GstFlowReturn track_input_take (TrackInput *input, const TrackInputSettings *settings,
    GstBuffer *buffer, guint width, guint height, GstPad *pad, GError **error);

G_END_DECLS

#endif
