/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The tracks of a camera that can be recorded: its coded video and audio. Each goes through a queue
 * of the pipeline. While nothing is recorded, the queue's source pad is blocked, and the queue
 * drops data older than some seconds; a recording therefore begins with what came before it was
 * started. */
#ifndef WATCH_TRACKS_H
#define WATCH_TRACKS_H

#include <gst/gst.h>

G_BEGIN_DECLS

#define WATCH_TRACKS_MAX 8

typedef struct _WatchTracks WatchTracks;

/* A track of which data has come. */
typedef struct {
  GstPad *pad;   /* (transfer full) */
  GstCaps *caps; /* (transfer full) */
} WatchTrack;

/* Returns the running time of @buffer on @pad, or NONE. */
GstClockTime watch_track_get_running (GstPad *pad, GstBuffer *buffer);

WatchTracks *watch_tracks_new (void);
void watch_tracks_free (WatchTracks *self);

typedef void (*WatchTracksFunc) (GstClockTime running, gpointer user_data);
/* To be called before tracks are added. Makes @func be called for each keyframe of the video, in
 * the thread that brings it. */
void watch_tracks_on_keyframe (WatchTracks *self, WatchTracksFunc func, gpointer user_data);

/* Adds a track that goes through @queue, an element of the pipeline whose source pad is linked when
 * a recording begins. Any thread. */
void watch_tracks_add (WatchTracks *self, GstElement *queue, gboolean video);
/* Says that one more track will be added, for which recordings wait. Any thread. */
void watch_tracks_expect (WatchTracks *self);
/* Says that no more tracks will be added. Any thread. */
void watch_tracks_settle (WatchTracks *self);

/* Returns whether a recording can begin: all tracks have had data, or one second has passed since
 * the first video. One thread. */
gboolean watch_tracks_are_ready (WatchTracks *self);
/* Returns whether a track that is alive is blocked. */
gboolean watch_tracks_wait (WatchTracks *self);
/* Sends an end of stream to the muxer for each track that has no more data, because the muxer would
 * wait for it. May wait for the muxer. */
void watch_tracks_end_silent (WatchTracks *self);
/* Fills @tracks with those that have data, the video first. The caller frees the members. Returns
 * how many. */
guint watch_tracks_list (WatchTracks *self, WatchTrack tracks[WATCH_TRACKS_MAX]);
/* With @open, lets the data of all linked tracks pass; otherwise blocks and unlinks all tracks. */
void watch_tracks_open (WatchTracks *self, gboolean open);

G_END_DECLS

#endif
