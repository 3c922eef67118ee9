/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stall-detector.h"

/* ---- events ---- */

/* Posts the events in their order. A message may run code of the application, so no lock is held
 * meanwhile: what another thread adds then is posted here too. */
static void
post_events (StallDetector *detector)
{
  g_mutex_lock (&detector->lock);
  if (!detector->posting) {
    detector->posting = TRUE;
    while (detector->unposted->len > 0) {
      const Event event = g_array_index (detector->unposted, Event, 0);

      g_array_remove_index (detector->unposted, 0);
      g_mutex_unlock (&detector->lock);
      detector->post (detector->element, &event);
      g_mutex_lock (&detector->lock);
    }
    detector->posting = FALSE;
  }
  g_mutex_unlock (&detector->lock);
}

static GstClockTime
get_elapsed (const StallDetector *detector, GstClockTime now)
{
  return now > detector->since ? now - detector->since : 0;
}

/* The lock is held. */
static void
add_event (StallDetector *detector, EventPhase phase, const EventTime *at, EventCause cause,
    GstClockTime now)
{
  Event event = { .kind = EVENT_STALLED,
    .phase = phase,
    .cause = cause,
    .at = *at,
    .start = detector->start,
    .score = (gdouble) get_elapsed (detector, now) / GST_SECOND };

  event_add (detector->unposted, &event);
  event.posted = TRUE;
  event_add (detector->unframed, &event);
}

/* Returns the time of a stall before the first frame. */
static EventTime
get_time_without_frame (const StallDetector *detector)
{
  const GstClockTime base = gst_element_get_base_time (detector->element);
  EventTime time = { 0, GST_CLOCK_TIME_NONE, GST_CLOCK_TIME_NONE, GST_CLOCK_TIME_NONE,
    GST_CLOCK_TIME_NONE, GST_CLOCK_TIME_NONE, GST_CLOCK_STIME_NONE, 1.0 };

  if (GST_CLOCK_TIME_IS_VALID (base) && detector->since >= base)
    time.running_time = detector->since - base;
  return time;
}

/* The lock is held. A stall starts where the last frame ends. */
static void
begin_stall (StallDetector *detector, GstClockTime now)
{
  detector->stalled = TRUE;
  detector->start = detector->has_last ? detector->last : get_time_without_frame (detector);
  if (detector->has_last)
    event_time_advance (&detector->start);
  add_event (detector, EVENT_START, &detector->start, EVENT_CAUSE_CONDITION, now);
}

/* The lock is held. @at is NULL where no frame ends the stall. */
static void
end_stall (StallDetector *detector, const EventTime *at, EventCause cause)
{
  const GstClockTime now = gst_clock_get_time (detector->clock);
  EventTime end = detector->start;

  if (at == NULL) {
    end.duration = get_elapsed (detector, now);
    if (detector->has_last && GST_CLOCK_TIME_IS_VALID (detector->last.duration))
      end.duration -= MIN (end.duration, detector->last.duration);
    event_time_advance (&end);
    end.frame = detector->start.frame;
    at = &end;
  }
  add_event (detector, EVENT_END, at, cause, now);
  detector->stalled = FALSE;
}

/* ---- waiting: the lock is held ---- */

static void
cancel (StallDetector *detector)
{
  if (detector->wait == NULL)
    return;
  gst_clock_id_unschedule (detector->wait);
  g_clear_pointer (&detector->wait, gst_clock_id_unref);
}

static void
stall_detector_free (gpointer data)
{
  StallDetector *detector = data;

  g_weak_ref_clear (&detector->living);
  g_array_unref (detector->unframed);
  g_array_unref (detector->unposted);
  g_cond_clear (&detector->posted);
  g_mutex_clear (&detector->lock);
}

static void
stall_detector_unref (gpointer detector)
{
  g_atomic_rc_box_release_full (detector, stall_detector_free);
}

static gboolean on_time (GstClock *clock, GstClockTime time, GstClockID id, gpointer user_data);

static void
wait_until (StallDetector *detector, GstClockTime due)
{
  detector->wait = gst_clock_new_single_shot_id (detector->clock, due);
  gst_clock_id_wait_async (
      detector->wait, on_time, g_atomic_rc_box_acquire (detector), stall_detector_unref);
}

static GstClockTime
get_timeout (const StallDetector *detector)
{
  return (GstClockTime) (detector->timeout * GST_SECOND + 0.5);
}

/* Begins a wait, or keeps the pending one if it ends early enough: on_time() continues it. */
static void
await (StallDetector *detector)
{
  const GstClockTime due = detector->since + get_timeout (detector);

  if (!detector->playing || detector->ended || !detector->live || detector->stalled ||
      detector->clock == NULL || detector->timeout <= 0.0) {
    cancel (detector);
    return;
  }
  if (detector->wait != NULL && gst_clock_id_get_time (detector->wait) > due)
    cancel (detector);
  if (detector->wait == NULL)
    wait_until (detector, due);
}

static void
await_from_now (StallDetector *detector)
{
  if (detector->clock != NULL)
    detector->since = gst_clock_get_time (detector->clock);
  await (detector);
}

/* On the thread of the clock. The element may be gone. */
static gboolean
on_time (GstClock *clock, GstClockTime time, GstClockID id, gpointer user_data)
{
  StallDetector *detector = user_data;
  GstElement *element = NULL;

  g_mutex_lock (&detector->lock);
  if (detector->wait == id) {
    const GstClockTime now = gst_clock_get_time (clock);

    g_clear_pointer (&detector->wait, gst_clock_id_unref);
    if (detector->held)
      detector->since = now;
    if (now >= detector->since + get_timeout (detector))
      element = g_weak_ref_get (&detector->living);
    if (element != NULL) {
      detector->poster = g_thread_self ();
      begin_stall (detector, now);
    }
    await (detector);
  }
  g_mutex_unlock (&detector->lock);
  if (element != NULL) {
    post_events (detector);
    gst_object_unref (element);
    g_mutex_lock (&detector->lock);
    detector->poster = NULL;
    g_cond_signal (&detector->posted);
    g_mutex_unlock (&detector->lock);
  }
  return TRUE;
}

/* ---- public ---- */

StallDetector *
stall_detector_new (GstElement *element, StallPost post)
{
  StallDetector *detector = g_atomic_rc_box_new0 (StallDetector);

  detector->element = element;
  detector->post = post;
  g_weak_ref_init (&detector->living, element);
  g_mutex_init (&detector->lock);
  g_cond_init (&detector->posted);
  detector->unframed = g_array_new (FALSE, FALSE, sizeof (Event));
  detector->unposted = g_array_new (FALSE, FALSE, sizeof (Event));
  return detector;
}

void
stall_detector_close (StallDetector *detector)
{
  GstClock *clock;

  g_mutex_lock (&detector->lock);
  detector->playing = FALSE;
  cancel (detector);
  clock = g_steal_pointer (&detector->clock);
  g_mutex_unlock (&detector->lock);
  gst_clear_object (&clock);
  stall_detector_unref (detector);
}

void
stall_detector_reset (StallDetector *detector)
{
  g_mutex_lock (&detector->lock);
  detector->asked = detector->live = detector->ended = detector->held = detector->has_last = FALSE;
  g_array_set_size (detector->unframed, 0);
  g_mutex_unlock (&detector->lock);
}

void
stall_detector_begin_stream (StallDetector *detector)
{
  g_mutex_lock (&detector->lock);
  detector->asked = FALSE;
  g_mutex_unlock (&detector->lock);
}

/* Asks upstream whether the stream is live until it is known. No lock is held. */
static void
ask (StallDetector *detector, GstPad *pad)
{
  g_autoptr (GstQuery) query = NULL;
  gboolean asked, live = FALSE;

  g_mutex_lock (&detector->lock);
  asked = detector->asked;
  g_mutex_unlock (&detector->lock);
  if (asked)
    return;
  query = gst_query_new_latency ();
  asked = gst_pad_peer_query (pad, query);
  if (asked)
    gst_query_parse_latency (query, &live, NULL, NULL);
  g_mutex_lock (&detector->lock);
  detector->asked = asked;
  detector->live = live;
  g_mutex_unlock (&detector->lock);
}

/* Takes the clock of the element. The lock is held. */
static void
take_clock (StallDetector *detector)
{
  g_autoptr (GstClock) clock = gst_element_get_clock (detector->element);

  if (clock == NULL || clock == detector->clock)
    return;
  cancel (detector);
  gst_object_replace ((GstObject **) &detector->clock, GST_OBJECT_CAST (clock));
  detector->since = gst_clock_get_time (clock);
}

void
stall_detector_play (StallDetector *detector, GstPad *pad, gdouble timeout)
{
  if (timeout > 0.0)
    ask (detector, pad);
  g_mutex_lock (&detector->lock);
  take_clock (detector);
  detector->playing = TRUE;
  detector->timeout = timeout;
  await_from_now (detector);
  g_mutex_unlock (&detector->lock);
}

void
stall_detector_pause (StallDetector *detector)
{
  g_mutex_lock (&detector->lock);
  detector->playing = FALSE;
  cancel (detector);
  while (detector->poster != NULL && detector->poster != g_thread_self ())
    g_cond_wait (&detector->posted, &detector->lock);
  g_mutex_unlock (&detector->lock);
}

/* Moves the events that no frame carries yet to @events. The lock is held. */
static void
take_unframed (StallDetector *detector, GArray *events)
{
  if (detector->unframed->len > 0)
    g_array_append_vals (events, detector->unframed->data, detector->unframed->len);
  g_array_set_size (detector->unframed, 0);
}

void
stall_detector_frame (
    StallDetector *detector, GstPad *pad, gdouble timeout, const EventTime *at, GArray *events)
{
  if (timeout > 0.0)
    ask (detector, pad);
  g_mutex_lock (&detector->lock);
  if (detector->stalled)
    end_stall (detector, at, EVENT_CAUSE_CONDITION);
  take_clock (detector);
  detector->timeout = timeout;
  detector->ended = FALSE;
  detector->held = detector->has_last = TRUE;
  detector->last = *at;
  take_unframed (detector, events);
  g_mutex_unlock (&detector->lock);
  post_events (detector);
}

void
stall_detector_frame_done (StallDetector *detector)
{
  g_mutex_lock (&detector->lock);
  detector->held = FALSE;
  await_from_now (detector);
  g_mutex_unlock (&detector->lock);
}

void
stall_detector_interrupt (StallDetector *detector)
{
  g_mutex_lock (&detector->lock);
  detector->ended = TRUE;
  cancel (detector);
  g_mutex_unlock (&detector->lock);
}

void
stall_detector_end (StallDetector *detector, EventCause cause, GArray *events)
{
  g_mutex_lock (&detector->lock);
  detector->ended = TRUE;
  cancel (detector);
  if (detector->stalled)
    end_stall (detector, NULL, cause);
  take_unframed (detector, events);
  g_mutex_unlock (&detector->lock);
  post_events (detector);
}

void
stall_detector_resume (StallDetector *detector)
{
  g_mutex_lock (&detector->lock);
  detector->ended = FALSE;
  await_from_now (detector);
  g_mutex_unlock (&detector->lock);
}
