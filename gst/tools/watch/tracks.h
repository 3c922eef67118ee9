/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What of a camera can be recorded: its coded video and audio. Each waits in a queue of the
 * pipeline, whose end is blocked while nothing is recorded, so that a recording has what came some
 * seconds before it began. */
#ifndef WATCH_TRACKS_H
#define WATCH_TRACKS_H

#include <gst/gst.h>

G_BEGIN_DECLS

#define WATCH_TRACKS_MAX 8

typedef struct _WatchTracks WatchTracks;

/* One of them, of which data has come. */
typedef struct {
  GstPad *pad;   /* (transfer full) */
  GstCaps *caps; /* (transfer full) */
} WatchTrack;

/* Returns the running time of @buffer on @pad, or NONE. */
GstClockTime watch_track_get_running (GstPad *pad, GstBuffer *buffer);

WatchTracks *watch_tracks_new (void);
void watch_tracks_free (WatchTracks *self);

typedef void (*WatchTracksFunc) (GstClockTime running, gpointer user_data);
/* Before there are tracks. Has @func be called for each keyframe of the video that comes, in its
 * thread. */
void watch_tracks_on_keyframe (WatchTracks *self, WatchTracksFunc func, gpointer user_data);

/* Has the camera's track go through @queue, an element of the pipeline that is linked later. Any
 * thread. */
void watch_tracks_add (WatchTracks *self, GstElement *queue, gboolean video);
/* One more will be added. Any thread. */
void watch_tracks_expect (WatchTracks *self);
/* No more will be added. Any thread. */
void watch_tracks_settle (WatchTracks *self);

/* Whether there is data of all tracks, or of those that have any after a while. One thread. */
gboolean watch_tracks_are_ready (WatchTracks *self);
/* Whether data of one waits. */
gboolean watch_tracks_wait (WatchTracks *self);
/* A muxer waits for each track: has those whose data has ended end for it. May wait for the
 * muxer. */
void watch_tracks_end_silent (WatchTracks *self);
/* Fills @tracks with those that have data, the video first. The caller frees the members. Returns
 * how many. */
guint watch_tracks_list (WatchTracks *self, WatchTrack tracks[WATCH_TRACKS_MAX]);
/* Has data of the tracks that are linked pass; or unlinks all, and has data wait. */
void watch_tracks_open (WatchTracks *self, gboolean open);

G_END_DECLS

#endif
