/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "track-forms.h"

#include <math.h>

#if HAVE_ANALYTICS
#include <gst/analytics/analytics.h>
#endif

static const Track *
get_track (const Tracker *tracker, guint i)
{
  return &g_array_index (tracker->tracks, Track, i);
}

/* ---- the result ---- */

/* Sets the rectangle of @track to the pixels of @box that are in the picture. FALSE for none. */
static gboolean
set_rectangle (GstGlesTrack *track, const TrackerBox *box, const GstGlesFrameInfo *frame)
{
  const gdouble left = MAX (floor (box->x), 0), top = MAX (floor (box->y), 0);
  const gdouble right = MIN (ceil (box->x + box->width), frame->width);
  const gdouble bottom = MIN (ceil (box->y + box->height), frame->height);

  if (!(left < right && top < bottom))
    return FALSE;
  track->x = (guint32) left;
  track->y = (guint32) top;
  track->width = (guint32) (right - left);
  track->height = (guint32) (bottom - top);
  return TRUE;
}

/* Returns the place of @label in @labels, where it is added if it is new. Types of other elements
 * need not be UTF-8. */
static guint
find_label (GPtrArray *labels, GQuark label)
{
  g_autofree gchar *text = g_utf8_make_valid (g_quark_to_string (label), -1);
  guint i;

  if (g_ptr_array_find_with_equal_func (labels, text, g_str_equal, &i))
    return i;
  g_ptr_array_add (labels, g_steal_pointer (&text));
  return labels->len - 1;
}

static gboolean
describe (const Track *track, const GstGlesFrameInfo *frame, guint64 number, GstClockTime now,
    GPtrArray *labels, GstGlesTrack *described)
{
  const gboolean seen = track->box_index != TRACKER_NO_BOX;
  const TrackerBox box = seen ? track->box : track_predict (track, now);

  if ((!seen && track->state == GST_GLES_TRACK_NEW) || !set_rectangle (described, &box, frame))
    return FALSE;
  described->id = track->id;
  described->label = find_label (labels, track->label);
  described->state = track->state;
  described->age_frames = (guint32) (number - track->first_frame);
  described->hits = track->hits;
  described->age = now - track->first_seen;
  described->lost = now - track->last_seen;
  described->velocity_x = track->velocity_x;
  described->velocity_y = track->velocity_y;
  described->path_length = track->path_length;
  return TRUE;
}

GstGlesTracksResult *
track_forms_make_result (const Tracker *tracker, const TrackerSettings *settings,
    const GstGlesFrameInfo *frame, guint64 n_boxes, GstClockTime now)
{
  const GstGlesTracksInfo info = {
    .frame = *frame, .track_lost = settings->track_lost, .min_hits = settings->min_hits
  };
  g_autoptr (GPtrArray) labels = g_ptr_array_new_with_free_func (g_free);
  GstGlesTrack *tracks = g_new0 (GstGlesTrack, MAX (tracker->tracks->len, 1));
  g_autoptr (GBytes) bytes = NULL;
  guint n = 0;

  for (guint i = 0; i < tracker->tracks->len; i++) {
    if (describe (get_track (tracker, i), frame, tracker->n_frames - 1, now, labels, &tracks[n]))
      n++;
  }
  g_ptr_array_add (labels, NULL);
  bytes = g_bytes_new_take (tracks, n * sizeof *tracks);
  return gst_gles_tracks_result_new_complete (&info, (const gchar *const *) labels->pdata, bytes,
      n + (n_boxes > TRACKER_MAX_BOXES ? n_boxes - TRACKER_MAX_BOXES : 0));
}

/* ---- other formats ---- */

/* Whether the box of @track in this frame is what of a rectangle is in the picture. */
static gboolean
is_box_of (const Track *track, gint64 x, gint64 y, gint64 width, gint64 height, GQuark label,
    const GstGlesFrameInfo *frame)
{
  TrackerBox box;

  return track->box_index != TRACKER_NO_BOX &&
      tracker_box_set (&box, x, y, width, height, label, frame->width, frame->height) &&
      tracker_box_equal (&box, &track->box);
}

static void
set_track (GstVideoRegionOfInterestMeta *meta, const Track *track)
{
  static const gchar *const states[] = {
    [GST_GLES_TRACK_NEW] = "new",
    [GST_GLES_TRACK_CONFIRMED] = "confirmed",
    [GST_GLES_TRACK_LOST] = "lost",
  };

  meta->id = (gint) track->id;
  gst_video_region_of_interest_meta_add_param (meta,
      gst_structure_new ("gles-track", "id", G_TYPE_UINT64, track->id, "state", G_TYPE_STRING,
          states[track->state], "velocity-x", G_TYPE_DOUBLE, track->velocity_x, "velocity-y",
          G_TYPE_DOUBLE, track->velocity_y, "path-length", G_TYPE_DOUBLE, track->path_length,
          NULL));
}

/* Returns whether @buffer has a meta of the box of @track. */
static gboolean
mark_interests (GstBuffer *buffer, const Track *track, const GstGlesFrameInfo *frame)
{
  gpointer state = NULL;
  gboolean found = FALSE;
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta_filtered (
              buffer, &state, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)) != NULL) {
    GstVideoRegionOfInterestMeta *roi = (GstVideoRegionOfInterestMeta *) meta;

    if (is_box_of (track, roi->x, roi->y, roi->w, roi->h, roi->roi_type, frame)) {
      set_track (roi, track);
      found = TRUE;
    }
  }
  return found;
}

void
track_forms_add_roi (GstBuffer *buffer, const Tracker *tracker, const GstGlesFrameInfo *frame)
{
  for (guint i = 0; i < tracker->tracks->len; i++) {
    const Track *track = get_track (tracker, i);
    const TrackerBox *box = &track->box;

    if (track->box_index != TRACKER_NO_BOX && !mark_interests (buffer, track, frame))
      set_track (gst_buffer_add_video_region_of_interest_meta_id (buffer, track->label,
                     (guint) box->x, (guint) box->y, (guint) box->width, (guint) box->height),
          track);
  }
}

#if HAVE_ANALYTICS
static void
add_tracking (
    GstAnalyticsRelationMeta *meta, const Track *track, const GstAnalyticsODMtd *detection)
{
  GstAnalyticsTrackingMtd tracking;

  if (!gst_analytics_relation_meta_add_tracking_mtd (meta, track->id, track->first_seen, &tracking))
    return;
  gst_analytics_tracking_mtd_update_last_seen (&tracking, track->last_seen);
  if (detection == NULL)
    gst_analytics_tracking_mtd_set_lost (&tracking);
  else
    gst_analytics_relation_meta_set_relation (
        meta, GST_ANALYTICS_REL_TYPE_RELATE_TO, detection->id, tracking.id);
}

/* The list of detections grows while tracks are added, so that they are found first. */
static void
relate (GstAnalyticsRelationMeta *meta, const Track *track, const GArray *detections,
    const GstGlesFrameInfo *frame)
{
  for (guint i = 0; i < detections->len; i++) {
    const GstAnalyticsODMtd *detection = &g_array_index (detections, GstAnalyticsODMtd, i);
    gint x, y, width, height;
    gfloat confidence;

    if (gst_analytics_od_mtd_get_location (detection, &x, &y, &width, &height, &confidence) &&
        is_box_of (
            track, x, y, width, height, gst_analytics_od_mtd_get_obj_type (detection), frame)) {
      add_tracking (meta, track, detection);
      return;
    }
  }
}

void
track_forms_add_analytics (GstBuffer *buffer, const Tracker *tracker, const GstGlesFrameInfo *frame)
{
  GstAnalyticsRelationMeta *meta = gst_buffer_get_analytics_relation_meta (buffer);
  g_autoptr (GArray) detections = g_array_new (FALSE, FALSE, sizeof (GstAnalyticsODMtd));
  gpointer state = NULL;
  GstAnalyticsODMtd found;

  if (meta == NULL)
    return;
  while (gst_analytics_relation_meta_iterate (
      meta, &state, gst_analytics_od_mtd_get_mtd_type (), &found))
    g_array_append_val (detections, found);
  for (guint i = 0; i < tracker->tracks->len; i++) {
    const Track *track = get_track (tracker, i);

    if (track->state == GST_GLES_TRACK_LOST)
      add_tracking (meta, track, NULL);
    else if (track->box_index != TRACKER_NO_BOX)
      relate (meta, track, detections, frame);
  }
}
#endif
