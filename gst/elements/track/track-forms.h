/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tracks as results and in the formats that other elements read. */
#ifndef TRACK_FORMS_H
#define TRACK_FORMS_H

#include <gst/gles/meta/tracks-info.h>

#include "tracker.h"

G_BEGIN_DECLS

/* The result of the tracks at @now in a picture of @frame, which had @n_boxes: (transfer full). New
 * tracks without a box, and tracks that are expected outside of the picture, are not listed. */
GstGlesTracksResult *track_forms_make_result (const Tracker *tracker,
    const TrackerSettings *settings, const GstGlesFrameInfo *frame, guint64 n_boxes,
    GstClockTime now);

/* Gives the GstVideoRegionOfInterestMeta of @buffer, a picture of @frame, whose rectangle and type
 * are those of a track's box the id of the track, and a structure "gles-track". Adds one for each
 * track that has a box and no such meta. */
void track_forms_add_roi (GstBuffer *buffer, const Tracker *tracker, const GstGlesFrameInfo *frame);

#if HAVE_ANALYTICS
/* Adds a GstAnalyticsTrackingMtd for each track that is lost, or that has the box of a
 * GstAnalyticsODMtd of @buffer, which it is related to. Does nothing for a buffer without
 * GstAnalyticsRelationMeta. */
void track_forms_add_analytics (
    GstBuffer *buffer, const Tracker *tracker, const GstGlesFrameInfo *frame);
#endif

G_END_DECLS

#endif
