/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tracks as results and in the formats that other elements read. */
#ifndef TRACK_FORMS_H
#define TRACK_FORMS_H

#include <gst/gles/meta/tracks-info.h>

#include "track-input.h"

G_BEGIN_DECLS

/* The result of the tracks at @now in a picture of @frame, which had @n_boxes: (transfer full). New
 * tracks without a box, and tracks that are expected outside of the picture, are not listed. */
GstGlesTracksResult *track_forms_make_result (const Tracker *tracker,
    const TrackerSettings *settings, const GstGlesFrameInfo *frame, guint64 n_boxes,
    GstClockTime now);

/* Gives the GstVideoRegionOfInterestMeta of @buffer that @input was taken from the id of the track
 * of its box, and a structure "gles-track"; a parent_id that names one follows. Adds one for each
 * track that has a box and no such meta. */
void track_forms_add_roi (GstBuffer *buffer, const Tracker *tracker, const TrackInput *input);

#if HAVE_ANALYTICS
/* Adds a GstAnalyticsTrackingMtd for each track that is listed as lost, or that has the box of a
 * GstAnalyticsODMtd of @buffer, which it is related to. Does nothing for a buffer without
 * GstAnalyticsRelationMeta. */
void track_forms_add_analytics (GstBuffer *buffer, const Tracker *tracker, const TrackInput *input,
    const GstGlesFrameInfo *frame, GstClockTime now);
#endif

G_END_DECLS

#endif
