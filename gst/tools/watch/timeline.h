/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tells which file of a recording has the frame at a running time. All functions may be called by
 * any thread. */
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

/* Plans files in @directory. Each begins with a keyframe: with the one after which the former file
 * would become longer than @duration. */
WatchTimeline *watch_timeline_new (const gchar *directory, GstClockTime duration);
void watch_timeline_free (WatchTimeline *self);
/* Returns whether the keyframe at @time begins a file; asked again, the answer is the same. With
 * @begin, the recording begins with this keyframe if it has not begun. */
gboolean watch_timeline_plan (WatchTimeline *self, GstClockTime time, gboolean begin);
/* Notes that nothing is recorded from @time on. */
void watch_timeline_stop (WatchTimeline *self, GstClockTime time);
/* Returns the name of a file that begins at @time: (transfer full). Names are in order. */
gchar *watch_timeline_make_name (GDateTime *time);

#define WATCH_TIMELINE_SUFFIX ".mkv"

/* Returns how many times the timeline has changed so far. */
guint watch_timeline_count (WatchTimeline *self);
/* Returns the path of the file that was planned to begin at @start, or a new one if none was:
 * (transfer full). */
gchar *watch_timeline_get_file (WatchTimeline *self, GstClockTime start);
/* Returns the place of the frame at @time; if that is not recorded, with @or_first, that of the
 * first recorded frame after it: (transfer full) (nullable). */
WatchPlace *watch_timeline_find (WatchTimeline *self, GstClockTime time, gboolean or_first);

void watch_place_free (WatchPlace *place); /* nullable */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WatchPlace, watch_place_free)

G_END_DECLS

#endif
