/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tracker.h"

#include <math.h>

#define COST_ONE (1 << 20) /* of a pair without overlap at no distance */
#define NO_MATCH_COST (2 * COST_ONE)
/* Boxes of which one is as many times as large, in its mean side, are not one thing, unless they
 * overlap. */
#define MAX_GROWTH 2.5
/* A lost track reaches as far as a new one after so many seconds. */
#define WIDE_AFTER 0.5
/* The place where a track was lost is this much worse than the predicted one, in sides. */
#define STOP_PENALTY 0.25
/* Frames that are closer in time tell nothing of velocity. */
#define MIN_SECONDS 0.001
/* Least gains of the filter, for position and velocity. */
#define MIN_ALPHA 0.7
#define MIN_BETA 0.2
/* A box whose sides have changed by more than this shows only a part, or more than the thing, and
 * its centre tells nothing of the velocity, unless the track is younger than so many hits. */
#define SAME_SIDE 1.5
#define YOUNG_HITS 5
/* A thing behind others is kept so many times track-lost at most: a box that covers the picture all
 * the time would keep all. */
#define MAX_COVERED 5
/* Share of a predicted box in the box of another track from which on one box shows both. */
#define MERGED_SHARE 0.5

gboolean
tracker_box_set (TrackerBox *box, gint64 x, gint64 y, gint64 box_width, gint64 box_height,
    GQuark label, guint width, guint height)
{
  const gint64 left = MAX (x, 0), top = MAX (y, 0);
  const gint64 right = MIN (x + box_width, width), bottom = MIN (y + box_height, height);

  if (left >= right || top >= bottom)
    return FALSE;
  *box = (TrackerBox){ left, top, right - left, bottom - top, label };
  return TRUE;
}

gboolean
tracker_box_equal (const TrackerBox *a, const TrackerBox *b)
{
  return a->x == b->x && a->y == b->y && a->width == b->width && a->height == b->height &&
      a->label == b->label;
}

static gdouble
seconds_since (GstClockTime then, GstClockTime now)
{
  return now > then ? (gdouble) (now - then) / GST_SECOND : 0.0;
}

void
tracker_forget (Tracker *tracker)
{
  if (tracker->tracks != NULL)
    g_array_set_size (tracker->tracks, 0);
}

void
tracker_clear (Tracker *tracker)
{
  g_clear_pointer (&tracker->tracks, g_array_unref);
  g_clear_pointer (&tracker->costs, g_free);
  assignment_clear (&tracker->assignment);
  *tracker = (Tracker){ 0 };
}

TrackerBox
track_predict (const Track *track, GstClockTime now)
{
  const gdouble seconds = seconds_since (track->last_seen, now);

  return (TrackerBox){ .x = track->x + track->velocity_x * seconds - track->width / 2,
    .y = track->y + track->velocity_y * seconds - track->height / 2,
    .width = track->width,
    .height = track->height,
    .label = track->label };
}

/* ---- costs ---- */

static gdouble
get_common_area (const TrackerBox *a, const TrackerBox *b)
{
  const gdouble width = MIN (a->x + a->width, b->x + b->width) - MAX (a->x, b->x);
  const gdouble height = MIN (a->y + a->height, b->y + b->height) - MAX (a->y, b->y);

  return width > 0 && height > 0 ? width * height : 0;
}

static gdouble
get_centre_distance (const TrackerBox *a, const TrackerBox *b)
{
  const gdouble x = a->x + a->width / 2 - b->x - b->width / 2;
  const gdouble y = a->y + a->height / 2 - b->y - b->height / 2;

  return sqrt (x * x + y * y);
}

static gdouble
get_side (const TrackerBox *box)
{
  return (box->width + box->height) / 2;
}

/* Returns how far from its predicted place the box of @track may be, in sides. A track without
 * velocity may go anywhere; a lost one gets there by and by. */
static gdouble
get_reach (const TrackerSettings *settings, const Track *track, GstClockTime now)
{
  const gdouble lost = seconds_since (track->last_seen, now) / WIDE_AFTER;

  if (track->hits < 2)
    return settings->max_distance;
  return settings->max_distance * (0.5 + 0.5 * MIN (lost, 1.0));
}

/* Returns the cost of giving @box to @track, from 0 to NO_MATCH_COST. */
static gint64
get_cost (const TrackerSettings *settings, const Track *track, const TrackerBox *predicted,
    const TrackerBox *box, GstClockTime now)
{
  const gdouble common = get_common_area (predicted, box);
  const gdouble iou =
      common / (predicted->width * predicted->height + box->width * box->height - common);
  const gdouble small = MIN (get_side (predicted), get_side (box));
  const gdouble large = MAX (get_side (predicted), get_side (box));
  const gdouble side = (small + large) / 2;
  gdouble distance = get_centre_distance (predicted, box), reach;

  if (settings->same_label && track->label != box->label)
    return NO_MATCH_COST;
  if (common > 0 && iou >= settings->iou_score_threshold)
    return (gint64) ((1 - iou) * COST_ONE);
  if (track->misses > 0)
    distance = MIN (distance, get_centre_distance (&track->box, box) + STOP_PENALTY * side);
  reach = get_reach (settings, track, now) * side;
  if (large > MAX_GROWTH * small || !(distance < reach))
    return NO_MATCH_COST;
  return COST_ONE + (gint64) (distance / reach * COST_ONE);
}

/* ---- changes of a track ---- */

/* The gains of a filter that weights all boxes alike (the least squares line through them: of two
 * boxes it goes through both), until
 * there are so many that a thing that turns would be followed too slowly. */
static void
get_gains (guint hits, gdouble *alpha, gdouble *beta)
{
  const gdouble n = MIN (hits, 100);

  *alpha = MAX (2 * (2 * n - 1) / (n * (n + 1)), MIN_ALPHA);
  *beta = MAX (6 / (n * (n + 1)), MIN_BETA);
}

static gboolean
is_same_side (gdouble a, gdouble b)
{
  return MAX (a, b) <= SAME_SIDE * MIN (a, b);
}

/* Moves the model to @now, where it is corrected by @box, unless @is_merged: then the box is that
 * of several things, and tells where none of them is. */
static void
follow (Track *track, const TrackerBox *box, gboolean is_merged, GstClockTime now)
{
  const gdouble seconds = seconds_since (track->last_seen, now);
  gdouble x = track->x + track->velocity_x * seconds, y = track->y + track->velocity_y * seconds;
  const gdouble off_x = box->x + box->width / 2 - x, off_y = box->y + box->height / 2 - y;
  const gboolean shows_velocity = seconds >= MIN_SECONDS &&
      (track->hits < YOUNG_HITS ||
          (is_same_side (box->width, track->width) && is_same_side (box->height, track->height)));
  gdouble alpha, beta, moved_x, moved_y;

  if (!is_merged) {
    get_gains (track->hits, &alpha, &beta);
    x += alpha * off_x;
    y += alpha * off_y;
    track->width += alpha * (box->width - track->width);
    track->height += alpha * (box->height - track->height);
    if (shows_velocity) {
      track->velocity_x += beta * off_x / seconds;
      track->velocity_y += beta * off_y / seconds;
    }
  }
  moved_x = x - track->x;
  moved_y = y - track->y;
  track->path_length += sqrt (moved_x * moved_x + moved_y * moved_y);
  track->x = x;
  track->y = y;
}

static void
hit (Track *track, const TrackerSettings *settings, const TrackerBox *boxes, guint index,
    gboolean is_merged, GstClockTime now)
{
  track->hits++;
  track->misses = 0;
  follow (track, &boxes[index], is_merged, now);
  track->box = boxes[index];
  track->box_index = index;
  track->last_seen = now;
  if (track->hits >= settings->min_hits || track->state == GST_GLES_TRACK_LOST)
    track->state = GST_GLES_TRACK_CONFIRMED;
}

static void
miss (Track *track)
{
  track->misses++;
  track->box_index = TRACKER_NO_BOX;
  if (track->state == GST_GLES_TRACK_CONFIRMED)
    track->state = GST_GLES_TRACK_LOST;
}

/* A new track is dropped once it was missed as often as it was seen. */
static gboolean
is_over (const Track *track, const TrackerSettings *settings, GstClockTime now)
{
  const gdouble unseen = seconds_since (track->last_seen, now);

  if (track->misses == 0)
    return FALSE;
  if (track->state == GST_GLES_TRACK_NEW && track->misses >= track->hits)
    return TRUE;
  return MIN (unseen, seconds_since (track->covered, now)) > settings->track_lost ||
      unseen > MAX_COVERED * settings->track_lost;
}

static void
add_track (Tracker *tracker, const TrackerSettings *settings, const TrackerBox *boxes, guint index,
    GstClockTime now)
{
  const TrackerBox *box = &boxes[index];
  const Track track = { .id = ++tracker->last_id,
    .label = box->label,
    .state = settings->min_hits > 1 ? GST_GLES_TRACK_NEW : GST_GLES_TRACK_CONFIRMED,
    .box = *box,
    .box_index = index,
    .hits = 1,
    .first_frame = tracker->n_frames,
    .first_seen = now,
    .last_seen = now,
    .x = box->x + box->width / 2,
    .y = box->y + box->height / 2,
    .width = box->width,
    .height = box->height };

  g_array_append_val (tracker->tracks, track);
}

static gboolean
is_covered (const Track *track, const TrackerBox *box, GstClockTime now)
{
  const TrackerBox place = track_predict (track, now);

  return get_common_area (&place, box) >= MERGED_SHARE * place.width * place.height;
}

/* ---- a frame ---- */

static Track *
get_track (const Tracker *tracker, guint i)
{
  return &g_array_index (tracker->tracks, Track, i);
}

/* Sets columns[b] to the track of each box, or to a number that is no track. Each box has a column
 * of its own that stands for a new track. */
static void
match (Tracker *tracker, const TrackerSettings *settings, const TrackerBox *boxes, guint n,
    GstClockTime now, guint *columns)
{
  const guint n_tracks = tracker->tracks->len, n_columns = n_tracks + n;

  if (tracker->costs == NULL)
    tracker->costs = g_new (gint64, TRACKER_MAX_BOXES * (TRACKER_MAX_TRACKS + TRACKER_MAX_BOXES));
  for (guint t = 0; t < n_tracks; t++) {
    const Track *track = get_track (tracker, t);
    const TrackerBox predicted = track_predict (track, now);

    for (guint b = 0; b < n; b++)
      tracker->costs[b * n_columns + t] = get_cost (settings, track, &predicted, &boxes[b], now);
  }
  for (guint b = 0; b < n; b++) {
    for (guint c = n_tracks; c < n_columns; c++)
      tracker->costs[b * n_columns + c] = c == n_tracks + b ? NO_MATCH_COST : 2 * NO_MATCH_COST;
  }
  assignment_solve (&tracker->assignment, tracker->costs, n, n_columns, columns);
  /* pairs that must not be cost as much as none */
  for (guint b = 0; b < n; b++) {
    if (tracker->costs[b * n_columns + columns[b]] >= NO_MATCH_COST)
      columns[b] = TRACKER_NO_BOX;
  }
}

/* Returns how many tracks without a box should be where @box is: the box shows all of them, and
 * each is kept as long as it does. */
static guint
cover (Tracker *tracker, const TrackerBox *box, GstClockTime now)
{
  guint n = 0;

  for (guint t = 0; t < tracker->tracks->len; t++) {
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
drop (Tracker *tracker, const TrackerSettings *settings, GstClockTime now)
{
  GArray *tracks = tracker->tracks;

  for (guint t = tracks->len; t-- > 0;) {
    if (is_over (get_track (tracker, t), settings, now))
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

void
tracker_push (Tracker *tracker, const TrackerSettings *settings, const TrackerBox *boxes, guint n,
    GstClockTime now)
{
  guint columns[TRACKER_MAX_BOXES];
  guint n_tracks;

  g_return_if_fail (n <= TRACKER_MAX_BOXES);

  if (tracker->tracks == NULL)
    tracker->tracks = g_array_new (FALSE, FALSE, sizeof (Track));
  n_tracks = tracker->tracks->len;
  match (tracker, settings, boxes, n, now, columns);
  for (guint t = 0; t < n_tracks; t++)
    get_track (tracker, t)->box_index = TRACKER_NO_BOX;
  for (guint b = 0; b < n; b++) {
    if (columns[b] < n_tracks)
      get_track (tracker, columns[b])->box_index = b;
  }
  for (guint t = 0; t < n_tracks; t++) {
    if (get_track (tracker, t)->box_index == TRACKER_NO_BOX)
      miss (get_track (tracker, t));
  }
  for (guint b = 0; b < n; b++) {
    const guint n_covered = cover (tracker, &boxes[b], now);
    Track *track = columns[b] < n_tracks ? get_track (tracker, columns[b]) : NULL;

    if (track != NULL)
      hit (track, settings, boxes, b, n_covered > 0 && is_covered (track, &boxes[b], now), now);
    else if (n_covered < 2)
      add_track (tracker, settings, boxes, b, now);
  }
  drop (tracker, settings, now);
  tracker->n_frames++;
}
