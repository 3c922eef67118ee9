/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Events that last, in a folder: the next process ends those that a kill interrupted. One thread.
 */
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

/* Calls @func with a line for each event that a former process left: the end that it had, which may
 * be there already, or one with the cause "interrupted". */
void watch_open_events_resume (WatchOpenEvents *self, WatchOpenEventsFunc func, gpointer user_data);
/* To be called before publishers get @line, which is complete. */
void watch_open_events_note (WatchOpenEvents *self, const WatchNotice *notice, const gchar *line);
/* Whether lines that were noted have to be settled. */
gboolean watch_open_events_is_pending (const WatchOpenEvents *self);
/* All lines that were noted survive the end of the process. */
void watch_open_events_settle (WatchOpenEvents *self);

G_END_DECLS

#endif
