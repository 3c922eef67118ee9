/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Has the tracks of a run recorded, again after what went wrong. It waits for disks, so all but
 * the places of lines belongs to the thread of the run, for which nobody waits. */
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
  WATCH_RECORDER_WRITES, /* it began, and nothing went wrong for a while */
  WATCH_RECORDER_FAILED,
} WatchRecorderNews;

/* @config and @tracks live as long as it. */
WatchRecorder *watch_recorder_new (const WatchCameraConfig *config, WatchTracks *tracks);
void watch_recorder_free (WatchRecorder *self); /* nullable */

/* Does what is due, some times a second. *@text (nullable) (transfer full): what failed. */
WatchRecorderNews watch_recorder_check (WatchRecorder *self, GstElement *pipeline, gchar **text);
/* What writes files had an error, which watch_recorder_drops() let pass. */
void watch_recorder_fail (WatchRecorder *self, GstElement *pipeline);
/* Whether nobody has to see @message, as it is of files that had another error, or are being ended.
 * Any thread, when it is posted. */
gboolean watch_recorder_drops (WatchRecorder *self, GstMessage *message);

/* Returns the place of what has the running time, and *@pre_roll, where the seconds before it
 * begin: (transfer full) (nullable) both. Any thread. */
WatchPlace *watch_recorder_find (WatchRecorder *self, GstClockTime running, WatchPlace **pre_roll);

G_END_DECLS

#endif
