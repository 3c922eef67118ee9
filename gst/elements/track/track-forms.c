/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "track-forms.h"

#include <math.h>
#include <string.h>

#if HAVE_ANALYTICS
#include <gst/analytics/analytics.h>
#endif

/* Results in other processes have no longer ones. */
#define MAX_LABEL_BYTES 255

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

/* The labels of a result, each once. */
typedef struct {
  GPtrArray *texts;
  GHashTable *indices; /* of each GQuark, plus 1 */
} Labels;

/* Returns the place of @label, which is added if it is new. Types of other elements need not be
 * UTF-8, and a detector's box need not have one. */
static guint
find_label (Labels *labels, GQuark label)
{
  const guint known =
      GPOINTER_TO_UINT (g_hash_table_lookup (labels->indices, GUINT_TO_POINTER (label)));
  const gchar *text = label != 0 ? g_quark_to_string (label) : "";

  if (known != 0)
    return known - 1;
  g_ptr_array_add (
      labels->texts, g_utf8_make_valid (text, (gssize) MIN (strlen (text), MAX_LABEL_BYTES)));
  g_hash_table_insert (
      labels->indices, GUINT_TO_POINTER (label), GUINT_TO_POINTER (labels->texts->len));
  return labels->texts->len - 1;
}

/* The box of @track in this frame: the one it has, or the expected one. FALSE if the track is not
 * listed: it is new and has none, or is expected outside of the picture. */
static gboolean
find_place (
    const Track *track, const GstGlesFrameInfo *frame, GstClockTime now, GstGlesTrack *described)
{
  const gboolean seen = track->box_index != TRACK_NO_BOX;
  const TrackerBox box = seen ? track->box : track_predict (track, now);

  return (seen || track->state != GST_GLES_TRACK_NEW) && set_rectangle (described, &box, frame);
}

/* Returns the positions of those tracks that are listed, as gst_gles_tracks_info_check_paths() has
 * them. */
static GBytes *
make_paths (const Track *const *listed, guint n)
{
  GByteArray *bytes = g_byte_array_new ();
  guint32 end = 0;

  g_byte_array_append (bytes, (const guint8 *) &end, sizeof end);
  for (guint i = 0; i < n; i++) {
    end += listed[i]->path->len;
    g_byte_array_append (bytes, (const guint8 *) &end, sizeof end);
  }
  for (guint i = 0; i < n; i++)
    g_byte_array_append (bytes, (const guint8 *) listed[i]->path->data,
        listed[i]->path->len * (guint) sizeof (GstGlesTrackPosition));
  return g_byte_array_free_to_bytes (bytes);
}

/* Sets all but the place. @number is that of the frame. */
static void
describe (
    const Track *track, guint64 number, GstClockTime now, Labels *labels, GstGlesTrack *described)
{
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
}

GstGlesTracksResult *
track_forms_make_result (const Tracker *tracker, const TrackerSettings *settings,
    const GstGlesFrameInfo *frame, guint64 n_boxes, GstClockTime now)
{
  const GstGlesTracksInfo info = { .frame = *frame,
    .track_lost = settings->track_lost,
    .min_hits = settings->min_hits,
    .path = settings->path };
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) indices = g_hash_table_new (NULL, NULL);
  Labels labels = { texts, indices };
  GstGlesTrack *tracks = g_new0 (GstGlesTrack, MAX (tracker->tracks->len, 1));
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GBytes) paths = NULL;
  const Track *listed[TRACKER_MAX_TRACKS];
  guint n = 0;

  for (guint i = 0; i < tracker->tracks->len; i++) {
    const Track *track = tracker_get (tracker, i);

    if (!find_place (track, frame, now, &tracks[n]))
      continue;
    describe (track, tracker->n_frames - 1, now, &labels, &tracks[n]);
    listed[n++] = track;
  }
  if (info.path > 0)
    paths = make_paths (listed, n);
  g_ptr_array_add (texts, NULL);
  bytes = g_bytes_new_take (tracks, n * sizeof *tracks);
  return gst_gles_tracks_result_new_complete (&info, (const gchar *const *) texts->pdata, bytes,
      paths, n + (n_boxes > TRACKER_MAX_BOXES ? n_boxes - TRACKER_MAX_BOXES : 0));
}

/* ---- other formats ---- */

static void
set_track (GstVideoRegionOfInterestMeta *meta, const Track *track)
{
  static const gchar *const states[] = {
    [GST_GLES_TRACK_NEW] = "new",
    [GST_GLES_TRACK_CONFIRMED] = "confirmed",
    [GST_GLES_TRACK_LOST] = "lost",
    [GST_GLES_TRACK_PREDICTED] = "predicted",
  };

  meta->id = (gint) track->id;
  gst_video_region_of_interest_meta_add_param (meta,
      gst_structure_new ("gles-track", "id", G_TYPE_UINT64, track->id, "state", G_TYPE_STRING,
          states[track->state], "velocity-x", G_TYPE_DOUBLE, track->velocity_x, "velocity-y",
          G_TYPE_DOUBLE, track->velocity_y, "path-length", G_TYPE_DOUBLE, track->path_length,
          NULL));
}

/* Sets owners[b] to the track of each box of this frame, or to NULL. */
static void
find_owners (const Tracker *tracker, const Track *owners[TRACKER_MAX_BOXES])
{
  memset (owners, 0, TRACKER_MAX_BOXES * sizeof *owners);
  for (guint i = 0; i < tracker->tracks->len; i++) {
    const Track *track = tracker_get (tracker, i);

    if (track->box_index != TRACK_NO_BOX)
      owners[track->box_index] = track;
  }
}

#define MANY GINT_TO_POINTER (-1)

/* Lets the metas of @buffer whose parent has another id in @ids name it by that. A parent_id of 0
 * is none, and an id that several metas had tells nothing. */
static void
rename_parents (GstBuffer *buffer, GHashTable *ids)
{
  gpointer state = NULL;
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta_filtered (
              buffer, &state, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)) != NULL) {
    GstVideoRegionOfInterestMeta *roi = (GstVideoRegionOfInterestMeta *) meta;
    const gpointer parent = g_hash_table_lookup (ids, GINT_TO_POINTER (roi->parent_id));

    if (roi->parent_id != 0 && parent != NULL && parent != MANY)
      roi->parent_id = GPOINTER_TO_INT (parent);
  }
}

void
track_forms_add_roi (GstBuffer *buffer, const Tracker *tracker, const TrackInput *input)
{
  g_autoptr (GHashTable) ids = g_hash_table_new (NULL, NULL); /* of each id: the new one */
  const Track *owners[TRACKER_MAX_BOXES];
  gboolean has_roi[TRACKER_MAX_BOXES] = { FALSE };

  find_owners (tracker, owners);
  for (guint i = 0; i < input->sources->len; i++) {
    const TrackSource *source = &g_array_index (input->sources, TrackSource, i);
    const Track *track = owners[source->box];

    if (source->roi == NULL || track == NULL)
      continue;
    g_hash_table_insert (ids, GINT_TO_POINTER (source->roi->id),
        g_hash_table_contains (ids, GINT_TO_POINTER (source->roi->id))
            ? MANY
            : GINT_TO_POINTER ((gint) track->id));
    set_track (source->roi, track);
    has_roi[source->box] = TRUE;
  }
  rename_parents (buffer, ids);
  for (guint b = 0; b < input->n_boxes; b++) {
    const TrackerBox *box = &input->boxes[b];

    if (owners[b] != NULL && !has_roi[b])
      set_track (gst_buffer_add_video_region_of_interest_meta_id (buffer, owners[b]->label,
                     (guint) box->x, (guint) box->y, (guint) box->width, (guint) box->height),
          owners[b]);
  }
}

#if HAVE_ANALYTICS
static gboolean
add_tracking (GstAnalyticsRelationMeta *meta, const Track *track, GstAnalyticsTrackingMtd *tracking)
{
  if (!gst_analytics_relation_meta_add_tracking_mtd (meta, track->id, track->first_seen, tracking))
    return FALSE;
  gst_analytics_tracking_mtd_update_last_seen (tracking, track->last_seen);
  return TRUE;
}

void
track_forms_add_analytics (GstBuffer *buffer, const Tracker *tracker, const TrackInput *input,
    const GstGlesFrameInfo *frame, GstClockTime now)
{
  GstAnalyticsRelationMeta *meta = gst_buffer_get_analytics_relation_meta (buffer);
  const Track *owners[TRACKER_MAX_BOXES];
  gboolean has_tracking[TRACKER_MAX_BOXES] = { FALSE };
  GstAnalyticsTrackingMtd tracking;
  GstGlesTrack described;

  if (meta == NULL)
    return;
  find_owners (tracker, owners);
  for (guint i = 0; i < input->sources->len; i++) {
    const TrackSource *source = &g_array_index (input->sources, TrackSource, i);

    if (source->roi != NULL || owners[source->box] == NULL || has_tracking[source->box] ||
        !add_tracking (meta, owners[source->box], &tracking))
      continue;
    has_tracking[source->box] = TRUE;
    gst_analytics_relation_meta_set_relation (
        meta, GST_ANALYTICS_REL_TYPE_RELATE_TO, source->detection, tracking.id);
  }
  for (guint i = 0; i < tracker->tracks->len; i++) {
    const Track *track = tracker_get (tracker, i);

    if (track->state == GST_GLES_TRACK_LOST && find_place (track, frame, now, &described) &&
        add_tracking (meta, track, &tracking))
      gst_analytics_tracking_mtd_set_lost (&tracking);
  }
}
#endif
