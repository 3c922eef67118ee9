/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stall-watch.h"

/* The clock may keep an entry for longer than the element lives, which the entry therefore does not
 * own. */
typedef struct {
  GWeakRef element;
  StallWatch *watch; /* lives as long as the element */
} Entry;

static void
entry_free (gpointer data)
{
  Entry *entry = data;

  g_weak_ref_clear (&entry->element);
  g_free (entry);
}

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

static gboolean on_time (GstClock *clock, GstClockTime time, GstClockID id, gpointer user_data);

static void
wait_until (StallWatch *watch, GstClockTime due)
{
  Entry *entry = g_new0 (Entry, 1);

  g_weak_ref_init (&entry->element, watch->element);
  entry->watch = watch;
  watch->wait = gst_clock_new_single_shot_id (watch->clock, due);
  gst_clock_id_wait_async (watch->wait, on_time, entry, entry_free);
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

/* On the thread of the clock. */
static gboolean
on_time (GstClock *clock, GstClockTime time, GstClockID id, gpointer user_data)
{
  Entry *entry = user_data;
  StallWatch *watch = entry->watch;
  g_autoptr (GstElement) element = g_weak_ref_get (&entry->element);

  if (element == NULL)
    return FALSE;
  g_mutex_lock (&watch->lock);
  if (watch->wait == id) {
    const GstClockTime now = gst_clock_get_time (clock);

    g_clear_pointer (&watch->wait, gst_clock_id_unref);
    if (watch->held)
      watch->since = now;
    if (now >= watch->since + get_timeout (watch))
      begin_stall (watch, now);
    await (watch);
  }
  g_mutex_unlock (&watch->lock);
  post_events (watch);
  return TRUE;
}

/* ---- public ---- */

void
stall_watch_init (StallWatch *watch, GstElement *element, StallPost post)
{
  *watch = (StallWatch){ .element = element, .post = post };
  g_mutex_init (&watch->lock);
  watch->unframed = g_array_new (FALSE, FALSE, sizeof (Event));
  watch->unposted = g_array_new (FALSE, FALSE, sizeof (Event));
}

void
stall_watch_clear (StallWatch *watch)
{
  cancel (watch);
  gst_clear_object (&watch->clock);
  g_array_unref (watch->unframed);
  g_array_unref (watch->unposted);
  g_mutex_clear (&watch->lock);
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
