/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tracker.h"

#include <math.h>

/* A thing behind others, or one that nobody looks for, is kept so many times track-lost at most: a
 * box that covers the picture all the time would keep all. */
#define MAX_KEPT 5
/* Share of a predicted box in the box of another track from which on one region shows both. */
#define MERGED_SHARE 0.5
/* Weight of a step in the mean of steps; velocities are of at least this share of the mean, so that
 * timestamps that are uneven do not make them. */
#define STEP_WEIGHT 0.125
#define LEAST_STEP 1.0

static Track *
get_track (const Tracker *tracker, guint i)
{
  return &g_array_index (tracker->tracks, Track, i);
}

const Track *
tracker_get (const Tracker *tracker, guint i)
{
  return get_track (tracker, i);
}

void
tracker_forget (Tracker *tracker)
{
  if (tracker->tracks != NULL)
    g_array_set_size (tracker->tracks, 0);
  tracker->last_time = 0;
  tracker->best_score = 0;
  tracker->interval = 0;
}

void
tracker_clear (Tracker *tracker)
{
  g_clear_pointer (&tracker->tracks, g_array_unref);
  g_clear_pointer (&tracker->costs, g_free);
  assignment_clear (&tracker->assignment);
  *tracker = (Tracker){ 0 };
}

static void
clear_track (gpointer track)
{
  g_clear_pointer (&((Track *) track)->path, g_array_unref);
}

static void
begin (Tracker *tracker)
{
  if (tracker->tracks != NULL)
    return;
  tracker->tracks = g_array_new (FALSE, FALSE, sizeof (Track));
  g_array_set_clear_func (tracker->tracks, clear_track);
  tracker->costs = g_new (gint64, TRACKER_MAX_BOXES * (TRACKER_MAX_TRACKS + TRACKER_MAX_BOXES));
}

/* ---- changes of a track ---- */

/* A frame that is looked at. */
typedef struct {
  const TrackerSettings *settings;
  const TrackerBox *boxes;
  guint n;
  GstClockTime now;
  guint owners[TRACKER_MAX_BOXES]; /* the track of each box; TRACK_NO_BOX: it has none */
} Frame;

static void
hit (Tracker *tracker, Track *track, const Frame *frame, const TrackerBox *box, gboolean is_merged)
{
  track->hits++;
  track_follow (track, box, is_merged, tracker->interval * LEAST_STEP, frame->now);
  track->misses = 0;
  if (track->hits >= frame->settings->min_hits || track->state != GST_GLES_TRACK_NEW)
    track->state = GST_GLES_TRACK_CONFIRMED;
}

static void
miss (Track *track)
{
  track->misses++;
  if (track->state != GST_GLES_TRACK_NEW)
    track->state = GST_GLES_TRACK_LOST;
}

/* A new track is dropped once it was missed as often as it was seen. */
static gboolean
is_over (const Track *track, const TrackerSettings *settings, gboolean looked, GstClockTime now)
{
  const gdouble unseen = track_seconds_since (track->last_seen, now);
  const gdouble uncovered = track_seconds_since (track->covered, now);

  if (track->state == GST_GLES_TRACK_NEW && track->misses >= track->hits)
    return TRUE;
  return unseen > MAX_KEPT * settings->track_lost ||
      (looked && MIN (unseen, uncovered) > settings->track_lost);
}

static void
add_track (Tracker *tracker, const Frame *frame, guint index)
{
  Track track = { .id = ++tracker->last_id,
    .state = frame->settings->min_hits > 1 ? GST_GLES_TRACK_NEW : GST_GLES_TRACK_CONFIRMED,
    .box_index = index,
    .hits = 1,
    .first_frame = tracker->n_frames };

  track_begin (&track, &frame->boxes[index], frame->now);
  g_array_append_val (tracker->tracks, track);
}

/* ---- rounds of matching ---- */

/* Some boxes of a frame, which get tracks that have none. */
typedef struct {
  guint rows[TRACKER_MAX_BOXES];
  guint n;
  TrackCostFunc cost;
  gboolean seen_only; /* no lost tracks */
} Round;

/* Sets the candidates to the tracks without a box. Returns how many there are. */
static guint
get_candidates (const Tracker *tracker, gboolean seen_only, GstClockTime now, TrackCandidate *found)
{
  guint n = 0;

  for (guint t = 0; t < tracker->tracks->len; t++) {
    Track *track = get_track (tracker, t);

    if (track->box_index == TRACK_NO_BOX && (!seen_only || track->misses == 0))
      found[n++] = (TrackCandidate){ track, track_predict (track, now),
        track_seconds_since (track->last_seen, now), track->misses > 0 };
  }
  return n;
}

/* Gives each box of the round the track of the best assignment, if there is one. Each box has a
 * column of its own behind those of the tracks, which stands for none. */
static void
match (Tracker *tracker, const Frame *frame, const Round *round)
{
  TrackCandidate candidates[TRACKER_MAX_TRACKS];
  guint rows[TRACKER_MAX_BOXES], columns[TRACKER_MAX_BOXES], n_rows = 0;
  const guint n_tracks = get_candidates (tracker, round->seen_only, frame->now, candidates);
  const guint n_columns = n_tracks + round->n;

  for (guint r = 0; r < round->n; r++) {
    const TrackerBox *box = &frame->boxes[round->rows[r]];
    gint64 *costs = &tracker->costs[n_rows * n_columns];
    gboolean has_any = FALSE;

    for (guint t = 0; t < n_tracks; t++) {
      costs[t] = round->cost (frame->settings, &candidates[t], box);
      has_any = has_any || costs[t] < TRACK_COST_NONE;
    }
    for (guint c = n_tracks; c < n_columns; c++)
      costs[c] = c == n_tracks + n_rows ? TRACK_COST_NONE : TRACK_COST_NEVER;
    if (has_any)
      rows[n_rows++] = round->rows[r];
  }
  assignment_solve (&tracker->assignment, tracker->costs, n_rows, n_columns, columns);
  for (guint r = 0; r < n_rows; r++) {
    if (columns[r] < n_tracks && tracker->costs[r * n_columns + columns[r]] < TRACK_COST_NONE)
      candidates[columns[r]].track->box_index = rows[r];
  }
}

/* ---- a frame ---- */

static gboolean
is_sure (const TrackerSettings *settings, const TrackerBox *box)
{
  return !box->is_detection || box->score >= settings->score_high;
}

static void
set_owners (Tracker *tracker, guint *owners)
{
  for (guint t = 0; t < tracker->tracks->len; t++) {
    if (get_track (tracker, t)->box_index != TRACK_NO_BOX)
      owners[get_track (tracker, t)->box_index] = t;
  }
}

/* Gives boxes to tracks: sure ones, then less sure ones, then sure ones that are far away. Sets
 * the owners of the boxes. */
static void
match_all (Tracker *tracker, Frame *frame)
{
  const TrackerSettings *settings = frame->settings;
  const TrackerBox *boxes = frame->boxes;
  guint *owners = frame->owners;
  Round sure = { .cost = track_cost_near };
  Round unsure = { .cost = track_cost_unsure, .seen_only = TRUE };
  Round far = { .cost = track_cost_far };

  for (guint t = 0; t < tracker->tracks->len; t++)
    get_track (tracker, t)->box_index = TRACK_NO_BOX;
  for (guint b = 0; b < frame->n; b++) {
    owners[b] = TRACK_NO_BOX;
    if (is_sure (settings, &boxes[b]))
      sure.rows[sure.n++] = b;
    else if (boxes[b].score >= settings->score_low)
      unsure.rows[unsure.n++] = b;
  }
  match (tracker, frame, &sure);
  match (tracker, frame, &unsure);
  set_owners (tracker, owners);
  for (guint r = 0; r < sure.n; r++) {
    if (boxes[sure.rows[r]].is_detection && owners[sure.rows[r]] == TRACK_NO_BOX)
      far.rows[far.n++] = sure.rows[r];
  }
  match (tracker, frame, &far);
  set_owners (tracker, owners);
}

static gboolean
is_covered (const Track *track, const TrackerBox *box, GstClockTime now)
{
  const TrackerBox place = track_predict (track, now);

  return track_box_get_common_area (&place, box) >= MERGED_SHARE * place.width * place.height;
}

/* Returns how many tracks without a box should be where the region @box is: the region shows all of
 * them, and each is kept as long as it does. Detectors tell things apart that overlap. */
static guint
cover (Tracker *tracker, const TrackerBox *box, GstClockTime now)
{
  guint n = 0;

  for (guint t = 0; t < tracker->tracks->len && !box->is_detection; t++) {
    Track *track = get_track (tracker, t);

    if (track->state == GST_GLES_TRACK_LOST && is_covered (track, box, now)) {
      track->covered = now;
      n++;
    }
  }
  return n;
}

/* Drops what is over, and beyond the limit the tracks that have been lost for longest. */
static void
drop (Tracker *tracker, const TrackerSettings *settings, gboolean looked, GstClockTime now)
{
  GArray *tracks = tracker->tracks;

  for (guint t = tracks->len; t-- > 0;) {
    if (is_over (get_track (tracker, t), settings, looked, now))
      g_array_remove_index (tracks, t);
  }
  while (tracks->len > TRACKER_MAX_TRACKS) {
    guint oldest = 0;

    for (guint t = 1; t < tracks->len; t++) {
      if (get_track (tracker, t)->last_seen < get_track (tracker, oldest)->last_seen)
        oldest = t;
    }
    g_array_remove_index (tracks, oldest);
  }
}

/* More of a position is noise, and makes long numbers in text. */
static gfloat
to_sixteenths (gdouble x)
{
  return (gfloat) (floor (x * 16 + 0.5) / 16);
}

/* Keeps where the tracks are in this frame, and of the frames before what @length asks for. */
static void
keep_paths (Tracker *tracker, guint length, GstClockTime now)
{
  for (guint t = 0; t < tracker->tracks->len; t++) {
    Track *track = get_track (tracker, t);
    const TrackerBox place = track_predict (track, now);
    const GstGlesTrackPosition position = { to_sixteenths (place.x + place.width / 2),
      to_sixteenths (place.y + place.height / 2) };

    if (length == 0) {
      clear_track (track);
      continue;
    }
    if (track->path == NULL)
      track->path = g_array_new (FALSE, FALSE, sizeof position);
    g_array_append_val (track->path, position);
    if (track->path->len > length)
      g_array_remove_range (track->path, 0, track->path->len - length);
  }
}

static void
end_frame (Tracker *tracker, const TrackerSettings *settings, gboolean looked, GstClockTime now)
{
  drop (tracker, settings, looked, now);
  keep_paths (tracker, settings->path, now);
  tracker->n_frames++;
}

static void
take_step (Tracker *tracker, GstClockTime now)
{
  const gdouble step = track_seconds_since (tracker->last_time, now);

  if (tracker->interval == 0)
    tracker->interval = tracker->frame_seconds;
  if (tracker->tracks->len > 0)
    tracker->interval += (step - tracker->interval) * (tracker->interval > 0 ? STEP_WEIGHT : 1.0);
  tracker->last_time = now;
}

/* Detectors differ in how sure they are at best, so that scores are compared with shares of the
 * highest one so far. */
static TrackerSettings
scale_scores (Tracker *tracker, const TrackerSettings *settings, const TrackerBox *boxes, guint n)
{
  TrackerSettings scaled = *settings;

  for (guint b = 0; b < n; b++) {
    if (boxes[b].is_detection)
      tracker->best_score = MAX (tracker->best_score, boxes[b].score);
  }
  scaled.score_low *= tracker->best_score;
  scaled.score_high *= tracker->best_score;
  scaled.score_begin *= tracker->best_score;
  return scaled;
}

void
tracker_push (Tracker *tracker, const TrackerSettings *wanted, const TrackerBox *boxes, guint n,
    GstClockTime now)
{
  const TrackerSettings scaled = scale_scores (tracker, wanted, boxes, n);
  const TrackerSettings *settings = &scaled;
  Frame frame = { .settings = settings, .boxes = boxes, .n = n, .now = now };
  guint n_tracks;

  g_return_if_fail (n <= TRACKER_MAX_BOXES);

  begin (tracker);
  take_step (tracker, now);
  n_tracks = tracker->tracks->len;
  match_all (tracker, &frame);
  for (guint t = 0; t < n_tracks; t++) {
    if (get_track (tracker, t)->box_index == TRACK_NO_BOX)
      miss (get_track (tracker, t));
  }
  for (guint b = 0; b < n; b++) {
    const guint n_covered = cover (tracker, &boxes[b], now);
    const guint owner = frame.owners[b];
    Track *track = owner != TRACK_NO_BOX ? get_track (tracker, owner) : NULL;

    if (track != NULL)
      hit (tracker, track, &frame, &boxes[b], n_covered > 0 && is_covered (track, &boxes[b], now));
    else if (n_covered < 2 && (!boxes[b].is_detection || boxes[b].score >= settings->score_begin))
      add_track (tracker, &frame, b);
  }
  end_frame (tracker, settings, TRUE, now);
}

void
tracker_pass (Tracker *tracker, const TrackerSettings *settings, GstClockTime now)
{
  begin (tracker);
  for (guint t = 0; t < tracker->tracks->len; t++) {
    Track *track = get_track (tracker, t);

    track->box_index = TRACK_NO_BOX;
    if (track->state == GST_GLES_TRACK_CONFIRMED)
      track->state = GST_GLES_TRACK_PREDICTED;
  }
  end_frame (tracker, settings, FALSE, now);
}
