/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The events that have started and not ended, each in a file, so that the next process can end
 * those that a kill of this one interrupted. Used by one thread. */
#ifndef WATCH_OPEN_EVENTS_H
#define WATCH_OPEN_EVENTS_H

#include "notice.h"

G_BEGIN_DECLS

typedef struct _WatchOpenEvents WatchOpenEvents;

typedef void (*WatchOpenEventsFunc) (
    const WatchNotice *notice, const gchar *line, gpointer user_data);

/* NULL with @error: the folder @path cannot be made, or another program uses it. */
WatchOpenEvents *watch_open_events_new (const gchar *path, GError **error);
void watch_open_events_free (WatchOpenEvents *self); /* nullable */

/* Calls @func once for each event that a former process left: with the line of its end, which may
 * have been sent already, or else with a new one whose cause is "interrupted". */
void watch_open_events_resume (WatchOpenEvents *self, WatchOpenEventsFunc func, gpointer user_data);
/* Keeps what the next process would need of @line, which is complete. To be called before
 * publishers get it. */
void watch_open_events_note (WatchOpenEvents *self, const WatchNotice *notice, const gchar *line);
/* Returns whether watch_open_events_settle() has something to do. */
gboolean watch_open_events_is_pending (const WatchOpenEvents *self);
/* To be called when no line that was noted can be lost any more by the end of the process. */
void watch_open_events_settle (WatchOpenEvents *self);

G_END_DECLS

#endif
