/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Records the tracks of a run, and begins again some time after an error. It waits for disks;
 * therefore only the thread of the run, for which nobody waits, calls its functions, except those
 * that say "any thread". */
#ifndef WATCH_RECORDER_H
#define WATCH_RECORDER_H

#include "timeline.h"
#include "tracks.h"
#include "watch-config.h"

#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct _WatchRecorder WatchRecorder;

typedef enum {
  WATCH_RECORDER_SAME,
  WATCH_RECORDER_WRITES, /* files have been written for a while without an error */
  WATCH_RECORDER_FAILED,
} WatchRecorderNews;

/* @config and @tracks live as long as it. */
WatchRecorder *watch_recorder_new (const WatchCameraConfig *config, WatchTracks *tracks);
void watch_recorder_free (WatchRecorder *self); /* nullable */

/* Begins, checks or ends the recording as needed; to be called several times a second. *@text:
 * (nullable) (transfer full): what failed. */
WatchRecorderNews watch_recorder_check (WatchRecorder *self, GstElement *pipeline, gchar **text);
/* To be called for an error of the element that writes files, unless watch_recorder_drops() says
 * that it does not matter. */
void watch_recorder_fail (WatchRecorder *self, GstElement *pipeline);
/* Returns whether @message can be dropped, because it is from a recording that already had an error
 * or is being ended. Any thread, when the message is posted. */
gboolean watch_recorder_drops (WatchRecorder *self, GstMessage *message);

/* Returns the place of the frame at @running in the recording, and sets *@pre_roll to the place
 * some seconds before it; both (transfer full) (nullable). Any thread. */
WatchPlace *watch_recorder_find (WatchRecorder *self, GstClockTime running, WatchPlace **pre_roll);

G_END_DECLS

#endif
