/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Counters and facts of a camera, which all of its pipelines, one after the other, contribute to.
 */
#ifndef WATCH_TALLY_H
#define WATCH_TALLY_H

#include <glib.h>

G_BEGIN_DECLS

/* References are counted, because a pipeline that was abandoned outlives its camera. */
typedef struct {
  gint64 n_frames, n_analysed, n_restarts, lag_us; /* atomic */
  gint64 clock_offset_us, has_clock,
      clock_is_wrong; /* atomic: of a camera that sends the time of day */

  gint64 is_recording; /* atomic */

  GMutex lock; /* of what follows: */
  /* from the kind of an event to the number of events that began */
  GHashTable *events;
  gchar *decoder, *memory, *format, *device; /* (nullable) */
  gchar *error;                              /* (nullable): of the last failure */
  guint width, height;
} WatchTally;

/* @events: (array zero-terminated=1): kinds that are counted from 0. */
WatchTally *watch_tally_new (const gchar *const *events);
WatchTally *watch_tally_ref (WatchTally *self);
void watch_tally_unref (WatchTally *self);
/* Any thread. */
void watch_tally_count_event (WatchTally *self, const gchar *event);
/* Replaces the text in @member, one of @self. Any thread. */
void watch_tally_set (WatchTally *self, gchar **member, const gchar *text);

static inline gint64
watch_get (gint64 *value)
{
  return __atomic_load_n (value, __ATOMIC_RELAXED);
}

static inline void
watch_set (gint64 *value, gint64 to)
{
  __atomic_store_n (value, to, __ATOMIC_RELAXED);
}

static inline gint64
watch_add (gint64 *value, gint64 more)
{
  return __atomic_add_fetch (value, more, __ATOMIC_RELAXED);
}

G_END_DECLS

#endif
