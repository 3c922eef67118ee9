/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The tracker of glestrack on boxes that the test makes: which tracks boxes become, what is told of
 * these, and when they end. tests/tracks measures it on composed clips. */
#include <gst/gst.h>

#include "../../gst/elements/track/tracker.h"

#define FRAME (GST_SECOND / 25)

static const TrackerSettings defaults = { 0.3, 3, 1, 3, TRUE, 0, 0.35, 0.82, 0.95 };

typedef struct {
  Tracker tracker;
  TrackerSettings settings;
  GstClockTime now;
} Run;

static void
push (Run *run, const TrackerBox *boxes, guint n)
{
  tracker_push (&run->tracker, &run->settings, boxes, n, run->now);
  run->now += FRAME;
}

static void
push_empty (Run *run, guint n_frames)
{
  for (guint i = 0; i < n_frames; i++)
    push (run, NULL, 0);
}

static const Track *
get (const Run *run, guint i)
{
  g_assert_cmpuint (i, <, run->tracker.tracks->len);
  return &g_array_index (run->tracker.tracks, Track, i);
}

static TrackerBox
box_at (gdouble x, gdouble y)
{
  return (TrackerBox){ x, y, 20, 10, 1 };
}

/* A box that moves by 4 pixels right and 2 up in a frame: 100 and -50 a second. */
static void
push_moving (Run *run, guint first, guint n_frames)
{
  for (guint i = first; i < first + n_frames; i++) {
    const TrackerBox box = box_at (100 + 4.0 * i, 300 - 2.0 * i);

    push (run, &box, 1);
  }
}

static void
assert_near (gdouble value, gdouble wanted)
{
  g_assert_cmpfloat_with_epsilon (value, wanted, 1e-6);
}

/* The numbers of a track that moves evenly, in its first frames and later. */
static void
test_even (void)
{
  Run run = { .settings = defaults };

  push_moving (&run, 0, 1);
  g_assert_cmpint (get (&run, 0)->state, ==, GST_GLES_TRACK_NEW);
  assert_near (get (&run, 0)->velocity_x, 0);
  push_moving (&run, 1, 1);
  g_assert_cmpint (get (&run, 0)->state, ==, GST_GLES_TRACK_NEW);
  assert_near (get (&run, 0)->velocity_x, 100);
  assert_near (get (&run, 0)->velocity_y, -50);
  push_moving (&run, 2, 1);
  g_assert_cmpint (get (&run, 0)->state, ==, GST_GLES_TRACK_CONFIRMED);
  push_moving (&run, 3, 97);
  g_assert_cmpuint (run.tracker.tracks->len, ==, 1);
  g_assert_cmpuint (get (&run, 0)->id, ==, 1);
  g_assert_cmpuint (get (&run, 0)->hits, ==, 100);
  g_assert_cmpuint (get (&run, 0)->first_frame, ==, 0);
  assert_near (get (&run, 0)->velocity_x, 100);
  assert_near (get (&run, 0)->velocity_y, -50);
  assert_near (get (&run, 0)->path_length, 99 * 4.47213595499958);
  tracker_clear (&run.tracker);
}

/* Without a box the track is lost, goes on as predicted, and has its id when it is seen again. */
static void
test_lost (void)
{
  Run run = { .settings = defaults };
  TrackerBox place;

  push_moving (&run, 0, 10);
  push_empty (&run, 20);
  g_assert_cmpint (get (&run, 0)->state, ==, GST_GLES_TRACK_LOST);
  g_assert_cmpuint (get (&run, 0)->box_index, ==, TRACK_NO_BOX);
  g_assert_cmpuint (get (&run, 0)->misses, ==, 20);
  place = track_predict (get (&run, 0), run.now - FRAME);
  assert_near (place.x, 100 + 4 * 29);
  assert_near (place.y, 300 - 2 * 29);
  push_moving (&run, 30, 1);
  g_assert_cmpuint (run.tracker.tracks->len, ==, 1);
  g_assert_cmpint (get (&run, 0)->state, ==, GST_GLES_TRACK_CONFIRMED);
  g_assert_cmpuint (get (&run, 0)->id, ==, 1);
  g_assert_cmpuint (get (&run, 0)->hits, ==, 11);
  assert_near (get (&run, 0)->path_length, 30 * 4.47213595499958);
  tracker_clear (&run.tracker);
}

/* A thing that stopped, so that nothing moved, and goes on where it was last seen. */
static void
test_stopped (void)
{
  Run run = { .settings = defaults };

  push_moving (&run, 0, 10);
  push_empty (&run, 24);
  push_moving (&run, 10, 1);
  g_assert_cmpuint (run.tracker.tracks->len, ==, 1);
  g_assert_cmpuint (get (&run, 0)->id, ==, 1);
  tracker_clear (&run.tracker);
}

/* A fast thing stopped while it was hidden, and stands where it was last seen: it has its id in
 * that frame and in the next ones. */
static void
test_found_again (void)
{
  for (guint speed = 8; speed <= 12; speed += 2) {
    for (guint hidden = 10; hidden <= 20; hidden++) {
      Run run = { .settings = defaults };
      TrackerBox box = box_at (100, 100);

      for (guint i = 0; i < 15; i++, box.x += speed)
        push (&run, &box, 1);
      push_empty (&run, hidden);
      for (guint i = 0; i < 10; i++)
        push (&run, &box, 1);
      g_assert_cmpuint (run.tracker.last_id, ==, 1);
      tracker_clear (&run.tracker);
    }
  }
}

/* Frames come in pairs, 2 ms apart, and the thing moves evenly from frame to frame. */
static void
test_uneven_times (void)
{
  Run run = { .settings = defaults };

  run.tracker.frame_seconds = 0.04;
  for (guint i = 0; i < 60; i++) {
    const TrackerBox box = box_at (100 + 8.0 * i, 100);

    run.now = (i / 2) * 2 * FRAME + (i % 2) * 2 * GST_MSECOND;
    push (&run, &box, 1);
    g_assert_cmpfloat (ABS (get (&run, 0)->velocity_x), <, 1000);
  }
  g_assert_cmpuint (run.tracker.last_id, ==, 1);
  tracker_clear (&run.tracker);
}

/* A detector's box of low score begins no track, and goes on with one; one of a score below
 * score-low does not. */
static void
test_scores (void)
{
  Run run = { .settings = defaults };
  TrackerBox box = box_at (100, 100);

  run.tracker.best_score = 1; /* of an earlier box */
  box.is_detection = TRUE;
  box.score = 0.9;
  push (&run, &box, 1);
  g_assert_cmpuint (run.tracker.tracks->len, ==, 0);
  box.score = 0.99;
  for (guint i = 0; i < 3; i++)
    push (&run, &box, 1);
  box.score = 0.5;
  push (&run, &box, 1);
  g_assert_cmpint (get (&run, 0)->state, ==, GST_GLES_TRACK_CONFIRMED);
  box.score = 0.3;
  push (&run, &box, 1);
  g_assert_cmpint (get (&run, 0)->state, ==, GST_GLES_TRACK_LOST);
  box.score = 0.5;
  push (&run, &box, 1);
  g_assert_cmpint (get (&run, 0)->state, ==, GST_GLES_TRACK_LOST);
  tracker_clear (&run.tracker);
}

/* After track-lost seconds it is another thing, with an id that was not used. */
static void
test_too_late (void)
{
  Run run = { .settings = defaults };

  push_moving (&run, 0, 10);
  push_empty (&run, 25);
  g_assert_cmpuint (run.tracker.tracks->len, ==, 1);
  push_empty (&run, 1);
  g_assert_cmpuint (run.tracker.tracks->len, ==, 0);
  push_moving (&run, 35, 1);
  g_assert_cmpuint (get (&run, 0)->id, ==, 2);
  tracker_forget (&run.tracker);
  push_moving (&run, 36, 1);
  g_assert_cmpuint (get (&run, 0)->id, ==, 3);
  tracker_clear (&run.tracker);
}

/* A new track is dropped when it was missed as often as seen. */
static void
test_new_is_dropped (void)
{
  Run run = { .settings = defaults };

  push_moving (&run, 0, 1);
  push_empty (&run, 1);
  g_assert_cmpuint (run.tracker.tracks->len, ==, 0);
  push_moving (&run, 0, 2);
  push_empty (&run, 1);
  g_assert_cmpint (get (&run, 0)->state, ==, GST_GLES_TRACK_NEW);
  push_moving (&run, 3, 1);
  g_assert_cmpint (get (&run, 0)->state, ==, GST_GLES_TRACK_CONFIRMED);
  run.settings.min_hits = 1;
  push (&run, &(TrackerBox){ 500, 500, 9, 9, 1 }, 1);
  g_assert_cmpint (get (&run, 1)->state, ==, GST_GLES_TRACK_CONFIRMED);
  tracker_clear (&run.tracker);
}

/* A thing of 20 pixels that moves by 50 in a frame, so that no two boxes overlap: near enough for a
 * new track by the distance alone, unless only overlap matches. */
static void
test_fast (void)
{
  for (guint reach = 0; reach <= 4; reach += 4) {
    Run run = { .settings = defaults };

    run.settings.max_distance = reach;
    for (guint i = 0; i < 5; i++) {
      const TrackerBox box = { 50.0 * i, 100, 20, 20, 1 };

      push (&run, &box, 1);
    }
    g_assert_cmpuint (run.tracker.tracks->len, ==, 1);
    g_assert_cmpuint (get (&run, 0)->id, ==, reach > 0 ? 1 : 5);
    tracker_clear (&run.tracker);
  }
}

/* A box of another label, and one of another size without overlap, are other things. */
static void
test_others (void)
{
  for (guint same = 0; same < 2; same++) {
    Run run = { .settings = defaults };
    TrackerBox box = box_at (100, 100);

    run.settings.same_label = same != 0;
    push (&run, &box, 1);
    box.label = 2;
    push (&run, &box, 1);
    g_assert_cmpuint (get (&run, 0)->id, ==, 1 + same);
    /* a track keeps its label */
    g_assert_cmpuint (get (&run, 0)->label, ==, 1 + same);
    push (&run, &(TrackerBox){ 130, 100, 80, 90, 2 }, 1);
    g_assert_cmpuint (get (&run, run.tracker.tracks->len - 1)->id, ==, 2 + same);
    tracker_clear (&run.tracker);
  }
}

/* Two things cross: while one box shows both, the track that has it goes on as it did, the other is
 * kept beyond track-lost, and both go on behind. */
static void
test_crossing (void)
{
  Run run = { .settings = defaults };

  run.settings.track_lost = 0.2;
  for (guint i = 0; i < 100; i++) {
    const gdouble left = 3.0 * i, right = 300 - 3.0 * i;
    TrackerBox boxes[2] = { { left, 100, 60, 60, 1 }, { right, 100, 60, 60, 1 } };

    if (ABS (left - right) > 60) {
      push (&run, boxes, 2);
    } else {
      boxes[0].width = ABS (left - right) + 60;
      boxes[0].x = MIN (left, right);
      push (&run, boxes, 1);
      for (guint t = 0; t < 2; t++)
        assert_near (get (&run, t)->velocity_x, t == 0 ? 75 : -75);
    }
  }
  g_assert_cmpuint (run.tracker.tracks->len, ==, 2);
  for (guint i = 0; i < 2; i++) {
    g_assert_cmpuint (get (&run, i)->id, ==, i + 1);
    g_assert_cmpint (get (&run, i)->state, ==, GST_GLES_TRACK_CONFIRMED);
    assert_near (get (&run, i)->box.x, i == 0 ? 297 : 3);
    g_assert_cmpfloat_with_epsilon (get (&run, i)->velocity_x, i == 0 ? 75 : -75, 1);
  }
  tracker_clear (&run.tracker);
}

/* Three things whose boxes become one from one frame to the next, which is like none of them: it is
 * no new thing. */
static void
test_joined (void)
{
  static const TrackerBox apart[] = { { 100, 100, 20, 20, 1 }, { 150, 100, 20, 20, 1 },
    { 200, 100, 20, 20, 1 } };
  Run run = { .settings = defaults };

  for (guint i = 0; i < 10; i++)
    push (&run, apart, 3);
  for (guint i = 0; i < 10; i++)
    push (&run, &(const TrackerBox){ 90, 60, 140, 100, 1 }, 1);
  for (guint i = 0; i < 5; i++)
    push (&run, apart, 3);
  g_assert_cmpuint (run.tracker.tracks->len, ==, 3);
  g_assert_cmpuint (run.tracker.last_id, ==, 3);
  for (guint i = 0; i < 3; i++)
    assert_near (get (&run, i)->box.x, 100 + 50 * i);
  /* in front of one thing, it is another */
  push (&run, &(const TrackerBox){ 80, 80, 60, 60, 1 }, 1);
  g_assert_cmpuint (run.tracker.last_id, ==, 4);
  tracker_clear (&run.tracker);
}

/* A box that is twice as wide from one frame to the next tells nothing of the velocity, nor does a
 * frame of the same time. */
static void
test_no_velocity (void)
{
  Run run = { .settings = defaults };
  TrackerBox box;

  push_moving (&run, 0, 10);
  box = box_at (140, 280);
  box.width *= 2;
  push (&run, &box, 1);
  assert_near (get (&run, 0)->velocity_x, 100);
  run.now = get (&run, 0)->last_seen + 1;
  box = (TrackerBox){ 145, 280, get (&run, 0)->width, 10, 1 };
  push (&run, &box, 1);
  assert_near (get (&run, 0)->velocity_x, 100);
  g_assert_cmpuint (get (&run, 0)->hits, ==, 12);
  tracker_clear (&run.tracker);
}

/* A thing that was seen twice may be one and a half sides from its place, and three half a second
 * later. */
static void
test_reach (void)
{
  for (guint n_lost = 0; n_lost <= 13; n_lost += 13) {
    for (guint sides = 1; sides <= 4; sides++) {
      Run run = { .settings = defaults };
      const TrackerBox there = box_at (100 + 15.0 * sides, 100);

      for (guint i = 0; i < 5; i++)
        push (&run, &(const TrackerBox){ 100, 100, 20, 10, 1 }, 1);
      push_empty (&run, n_lost);
      push (&run, &there, 1);
      g_assert_cmpuint (run.tracker.last_id, ==, sides < (n_lost == 0 ? 2 : 3) ? 1 : 2);
      tracker_clear (&run.tracker);
    }
  }
}

/* A box of the whole picture in every frame keeps a thing that it covers for a while only. */
static void
test_covered (void)
{
  Run run = { .settings = defaults };
  guint n_frames = 0;

  for (guint i = 0; i < 10; i++)
    push (&run, (const TrackerBox[]){ { 100, 100, 20, 20, 1 }, { 0, 0, 640, 360, 1 } }, 2);
  for (; run.tracker.tracks->len == 2; n_frames++)
    push (&run, &(const TrackerBox){ 0, 0, 640, 360, 1 }, 1);
  g_assert_cmpuint (n_frames, ==, 5 * 25 + 1);
  g_assert_cmpuint (get (&run, 0)->id, ==, 2);
  tracker_clear (&run.tracker);
}

/* The most boxes, in another order in each frame, and then so many others that the oldest lost
 * tracks are dropped. Times that do not pass, or by leaps, are no error. */
static void
test_many (void)
{
  Run run = { .settings = defaults };
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  TrackerBox boxes[TRACKER_MAX_BOXES];

  run.settings.track_lost = 3600;
  run.settings.min_hits = 1;
  for (guint frame = 0; frame < 12; frame++) {
    const guint row = frame / 4;
    guint order[TRACKER_MAX_BOXES];

    for (guint i = 0; i < TRACKER_MAX_BOXES; i++)
      order[i] = i;
    for (guint i = TRACKER_MAX_BOXES; i > 1; i--) {
      const guint other = (guint) g_rand_int_range (rand, 0, (gint) i), kept = order[i - 1];

      order[i - 1] = order[other];
      order[other] = kept;
    }
    for (guint i = 0; i < TRACKER_MAX_BOXES; i++)
      boxes[i] = (TrackerBox){ order[i] % 16 * 90 + 2 * frame + 5000 * row, order[i] / 16 * 90, 30,
        30, 1 };
    push (&run, boxes, TRACKER_MAX_BOXES);
    if (frame % 4 == 2)
      run.now -= FRAME;
  }
  g_assert_cmpuint (run.tracker.tracks->len, ==, TRACKER_MAX_TRACKS);
  g_assert_cmpuint (run.tracker.last_id, ==, 3 * TRACKER_MAX_BOXES);
  for (guint i = 0; i < TRACKER_MAX_TRACKS; i++) {
    g_assert_cmpuint (get (&run, i)->id, ==, TRACKER_MAX_BOXES + i + 1);
    g_assert_cmpuint (get (&run, i)->hits, ==, 4);
  }
  run.now += 1000000 * GST_SECOND;
  push (&run, boxes, TRACKER_MAX_BOXES);
  g_assert_cmpuint (run.tracker.tracks->len, ==, TRACKER_MAX_BOXES);
  tracker_clear (&run.tracker);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tracker/even", test_even);
  g_test_add_func ("/tracker/lost", test_lost);
  g_test_add_func ("/tracker/stopped", test_stopped);
  g_test_add_func ("/tracker/found-again", test_found_again);
  g_test_add_func ("/tracker/uneven-times", test_uneven_times);
  g_test_add_func ("/tracker/scores", test_scores);
  g_test_add_func ("/tracker/too-late", test_too_late);
  g_test_add_func ("/tracker/new-is-dropped", test_new_is_dropped);
  g_test_add_func ("/tracker/fast", test_fast);
  g_test_add_func ("/tracker/others", test_others);
  g_test_add_func ("/tracker/crossing", test_crossing);
  g_test_add_func ("/tracker/joined", test_joined);
  g_test_add_func ("/tracker/no-velocity", test_no_velocity);
  g_test_add_func ("/tracker/reach", test_reach);
  g_test_add_func ("/tracker/covered", test_covered);
  g_test_add_func ("/tracker/many", test_many);
  return g_test_run ();
}
