/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stall-watch.h"

/* ---- events ---- */

/* Posts the events in their order. A message may run code of the application, so no lock is held
 * meanwhile: what another thread adds then is posted here too. */
static void
post_events (StallWatch *watch)
{
  g_mutex_lock (&watch->lock);
  if (!watch->posting) {
    watch->posting = TRUE;
    while (watch->unposted->len > 0) {
      const Event event = g_array_index (watch->unposted, Event, 0);

      g_array_remove_index (watch->unposted, 0);
      g_mutex_unlock (&watch->lock);
      watch->post (watch->element, &event);
      g_mutex_lock (&watch->lock);
    }
    watch->posting = FALSE;
  }
  g_mutex_unlock (&watch->lock);
}

static GstClockTime
get_elapsed (const StallWatch *watch, GstClockTime now)
{
  return now > watch->since ? now - watch->since : 0;
}

/* The lock is held. */
static void
add_event (
    StallWatch *watch, EventPhase phase, const EventTime *at, EventCause cause, GstClockTime now)
{
  const gdouble seconds = (gdouble) get_elapsed (watch, now) / GST_SECOND;
  Event *event;

  event = event_add (watch->unframed, EVENT_STALLED, phase, at, &watch->start, seconds);
  event->cause = cause;
  g_array_append_val (watch->unposted, *event);
  event->posted = TRUE;
}

/* Returns the time of a stall before the first frame. */
static EventTime
get_time_without_frame (const StallWatch *watch)
{
  const GstClockTime base = gst_element_get_base_time (watch->element);
  EventTime time = { 0, GST_CLOCK_TIME_NONE, GST_CLOCK_TIME_NONE, GST_CLOCK_TIME_NONE,
    GST_CLOCK_TIME_NONE, GST_CLOCK_TIME_NONE, GST_CLOCK_STIME_NONE, 1.0 };

  if (GST_CLOCK_TIME_IS_VALID (base) && watch->since >= base)
    time.running_time = watch->since - base;
  return time;
}

/* The lock is held. A stall starts where the last frame ends. */
static void
begin_stall (StallWatch *watch, GstClockTime now)
{
  watch->stalled = TRUE;
  watch->start = watch->has_last ? watch->last : get_time_without_frame (watch);
  if (watch->has_last)
    event_time_advance (&watch->start);
  add_event (watch, EVENT_START, &watch->start, EVENT_CAUSE_CONDITION, now);
}

/* The lock is held. @at is NULL where no frame ends the stall. */
static void
end_stall (StallWatch *watch, const EventTime *at, EventCause cause)
{
  const GstClockTime now = gst_clock_get_time (watch->clock);
  EventTime end = watch->start;

  if (at == NULL) {
    end.duration = get_elapsed (watch, now);
    if (watch->has_last && GST_CLOCK_TIME_IS_VALID (watch->last.duration))
      end.duration -= MIN (end.duration, watch->last.duration);
    event_time_advance (&end);
    end.frame = watch->start.frame;
    at = &end;
  }
  add_event (watch, EVENT_END, at, cause, now);
  watch->stalled = FALSE;
}

/* ---- waiting: the lock is held ---- */

static void
cancel (StallWatch *watch)
{
  if (watch->wait == NULL)
    return;
  gst_clock_id_unschedule (watch->wait);
  g_clear_pointer (&watch->wait, gst_clock_id_unref);
}

static void
stall_watch_free (gpointer data)
{
  StallWatch *watch = data;

  g_weak_ref_clear (&watch->living);
  g_array_unref (watch->unframed);
  g_array_unref (watch->unposted);
  g_cond_clear (&watch->posted);
  g_mutex_clear (&watch->lock);
}

static void
stall_watch_unref (gpointer watch)
{
  g_atomic_rc_box_release_full (watch, stall_watch_free);
}

static gboolean on_time (GstClock *clock, GstClockTime time, GstClockID id, gpointer user_data);

static void
wait_until (StallWatch *watch, GstClockTime due)
{
  watch->wait = gst_clock_new_single_shot_id (watch->clock, due);
  gst_clock_id_wait_async (
      watch->wait, on_time, g_atomic_rc_box_acquire (watch), stall_watch_unref);
}

static GstClockTime
get_timeout (const StallWatch *watch)
{
  return (GstClockTime) (watch->timeout * GST_SECOND + 0.5);
}

/* Begins a wait, or keeps the pending one if it ends early enough: on_time() continues it. */
static void
await (StallWatch *watch)
{
  const GstClockTime due = watch->since + get_timeout (watch);

  if (!watch->playing || watch->ended || !watch->live || watch->stalled || watch->clock == NULL ||
      watch->timeout <= 0.0) {
    cancel (watch);
    return;
  }
  if (watch->wait != NULL && gst_clock_id_get_time (watch->wait) > due)
    cancel (watch);
  if (watch->wait == NULL)
    wait_until (watch, due);
}

static void
await_from_now (StallWatch *watch)
{
  if (watch->clock != NULL)
    watch->since = gst_clock_get_time (watch->clock);
  await (watch);
}

/* On the thread of the clock. The element may be gone. */
static gboolean
on_time (GstClock *clock, GstClockTime time, GstClockID id, gpointer user_data)
{
  StallWatch *watch = user_data;
  GstElement *element = NULL;

  g_mutex_lock (&watch->lock);
  if (watch->wait == id) {
    const GstClockTime now = gst_clock_get_time (clock);

    g_clear_pointer (&watch->wait, gst_clock_id_unref);
    if (watch->held)
      watch->since = now;
    if (now >= watch->since + get_timeout (watch))
      element = g_weak_ref_get (&watch->living);
    if (element != NULL) {
      watch->poster = g_thread_self ();
      begin_stall (watch, now);
    }
    await (watch);
  }
  g_mutex_unlock (&watch->lock);
  if (element != NULL) {
    post_events (watch);
    gst_object_unref (element);
    g_mutex_lock (&watch->lock);
    watch->poster = NULL;
    g_cond_signal (&watch->posted);
    g_mutex_unlock (&watch->lock);
  }
  return TRUE;
}

/* ---- public ---- */

StallWatch *
stall_watch_new (GstElement *element, StallPost post)
{
  StallWatch *watch = g_atomic_rc_box_new0 (StallWatch);

  watch->element = element;
  watch->post = post;
  g_weak_ref_init (&watch->living, element);
  g_mutex_init (&watch->lock);
  g_cond_init (&watch->posted);
  watch->unframed = g_array_new (FALSE, FALSE, sizeof (Event));
  watch->unposted = g_array_new (FALSE, FALSE, sizeof (Event));
  return watch;
}

void
stall_watch_close (StallWatch *watch)
{
  GstClock *clock;

  g_mutex_lock (&watch->lock);
  watch->playing = FALSE;
  cancel (watch);
  clock = g_steal_pointer (&watch->clock);
  g_mutex_unlock (&watch->lock);
  gst_clear_object (&clock);
  stall_watch_unref (watch);
}

void
stall_watch_reset (StallWatch *watch)
{
  g_mutex_lock (&watch->lock);
  watch->asked = watch->live = watch->ended = watch->held = watch->has_last = FALSE;
  g_array_set_size (watch->unframed, 0);
  g_mutex_unlock (&watch->lock);
}

void
stall_watch_begin_stream (StallWatch *watch)
{
  g_mutex_lock (&watch->lock);
  watch->asked = FALSE;
  g_mutex_unlock (&watch->lock);
}

/* Asks upstream whether the stream is live until it is known. No lock is held. */
static void
ask (StallWatch *watch, GstPad *pad)
{
  g_autoptr (GstQuery) query = NULL;
  gboolean asked, live = FALSE;

  g_mutex_lock (&watch->lock);
  asked = watch->asked;
  g_mutex_unlock (&watch->lock);
  if (asked)
    return;
  query = gst_query_new_latency ();
  asked = gst_pad_peer_query (pad, query);
  if (asked)
    gst_query_parse_latency (query, &live, NULL, NULL);
  g_mutex_lock (&watch->lock);
  watch->asked = asked;
  watch->live = live;
  g_mutex_unlock (&watch->lock);
}

/* Takes the clock of the element. The lock is held. */
static void
take_clock (StallWatch *watch)
{
  g_autoptr (GstClock) clock = gst_element_get_clock (watch->element);

  if (clock == NULL || clock == watch->clock)
    return;
  cancel (watch);
  gst_object_replace ((GstObject **) &watch->clock, GST_OBJECT_CAST (clock));
  watch->since = gst_clock_get_time (clock);
}

void
stall_watch_play (StallWatch *watch, GstPad *pad, gdouble timeout)
{
  if (timeout > 0.0)
    ask (watch, pad);
  g_mutex_lock (&watch->lock);
  take_clock (watch);
  watch->playing = TRUE;
  watch->timeout = timeout;
  await_from_now (watch);
  g_mutex_unlock (&watch->lock);
}

void
stall_watch_pause (StallWatch *watch)
{
  g_mutex_lock (&watch->lock);
  watch->playing = FALSE;
  cancel (watch);
  while (watch->poster != NULL && watch->poster != g_thread_self ())
    g_cond_wait (&watch->posted, &watch->lock);
  g_mutex_unlock (&watch->lock);
}

/* Moves the events that no frame carries yet to @events. The lock is held. */
static void
take_unframed (StallWatch *watch, GArray *events)
{
  if (watch->unframed->len > 0)
    g_array_append_vals (events, watch->unframed->data, watch->unframed->len);
  g_array_set_size (watch->unframed, 0);
}

void
stall_watch_frame (
    StallWatch *watch, GstPad *pad, gdouble timeout, const EventTime *at, GArray *events)
{
  if (timeout > 0.0)
    ask (watch, pad);
  g_mutex_lock (&watch->lock);
  if (watch->stalled)
    end_stall (watch, at, EVENT_CAUSE_CONDITION);
  take_clock (watch);
  watch->timeout = timeout;
  watch->ended = FALSE;
  watch->held = watch->has_last = TRUE;
  watch->last = *at;
  take_unframed (watch, events);
  g_mutex_unlock (&watch->lock);
  post_events (watch);
}

void
stall_watch_frame_done (StallWatch *watch)
{
  g_mutex_lock (&watch->lock);
  watch->held = FALSE;
  await_from_now (watch);
  g_mutex_unlock (&watch->lock);
}

void
stall_watch_interrupt (StallWatch *watch)
{
  g_mutex_lock (&watch->lock);
  watch->ended = TRUE;
  cancel (watch);
  g_mutex_unlock (&watch->lock);
}

void
stall_watch_end (StallWatch *watch, EventCause cause, GArray *events)
{
  g_mutex_lock (&watch->lock);
  watch->ended = TRUE;
  cancel (watch);
  if (watch->stalled)
    end_stall (watch, NULL, cause);
  take_unframed (watch, events);
  g_mutex_unlock (&watch->lock);
  post_events (watch);
}

void
stall_watch_resume (StallWatch *watch)
{
  g_mutex_lock (&watch->lock);
  watch->ended = FALSE;
  await_from_now (watch);
  g_mutex_unlock (&watch->lock);
}
