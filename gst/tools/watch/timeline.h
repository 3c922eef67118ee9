/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which file of a recording has what, by running time. Any thread. */
#ifndef WATCH_TIMELINE_H
#define WATCH_TIMELINE_H

#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct _WatchTimeline WatchTimeline;

/* A place in a recording. */
typedef struct {
  gchar *file;
  GstClockTime offset; /* from the first frame of the file */
} WatchPlace;

/* Files go into @directory. A keyframe begins one if the former would be longer than @duration with
 * the frames up to the next keyframe. */
WatchTimeline *watch_timeline_new (const gchar *directory, GstClockTime duration);
void watch_timeline_free (WatchTimeline *self);
/* Returns whether the keyframe at @time begins a file. The answer stays the same for it. With
 * @begin, recording begins with it if it has not begun. */
gboolean watch_timeline_plan (WatchTimeline *self, GstClockTime time, gboolean begin);
/* From @time on nothing is recorded. */
void watch_timeline_stop (WatchTimeline *self, GstClockTime time);
/* Returns the name of a file that begins at @time: (transfer full). Names are in order. */
gchar *watch_timeline_make_name (GDateTime *time);

#define WATCH_TIMELINE_SUFFIX ".mkv"

/* Returns how many times there was an addition. */
guint watch_timeline_count (WatchTimeline *self);
/* Returns the file that was planned to begin at @start, or another one that was not:
 * (transfer full). */
gchar *watch_timeline_get_file (WatchTimeline *self, GstClockTime start);
/* Returns the place of what is at @time, or, with @or_first, of the first that there is behind it:
 * (transfer full) (nullable). */
WatchPlace *watch_timeline_find (WatchTimeline *self, GstClockTime time, gboolean or_first);

void watch_place_free (WatchPlace *place); /* nullable */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WatchPlace, watch_place_free)

G_END_DECLS

#endif
