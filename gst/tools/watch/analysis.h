/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The elements that analyse the frames of a camera. */
#ifndef WATCH_ANALYSIS_H
#define WATCH_ANALYSIS_H

#include "watch-config.h"

#include <gst/gst.h>

G_BEGIN_DECLS

/* The event that files of a recording cannot be written. It does not come from the analysis. */
#define WATCH_EVENT_UNRECORDED "unrecorded"

/* Names by which the elements in the bin are found. */
#define WATCH_ANALYSIS_EVENTS "glesevents0"
#define WATCH_ANALYSIS_LINES "lines" /* an appsink that receives the lines of glesjson */

typedef struct {
  /* frames are analysed when they are due by the clock, not as soon as they come */
  gboolean paced;
  /* every frame is analysed; otherwise frames that come too fast are dropped */
  gboolean lossless;
  /* a text that differs between runs, so that their events have different ids */
  const gchar *session;
} WatchAnalysisOptions;

/* Returns a bin with a pad "sink" for frames: (transfer floating). NULL with @error. */
GstElement *watch_analysis_new (
    const WatchCameraConfig *config, const WatchAnalysisOptions *options, GError **error);

/* Returns the kinds of events that @config asks for, but `stalled`, which the program finds itself:
 * (transfer full). NULL with @error. */
gchar **watch_analysis_list_events (const WatchCameraConfig *config, GError **error);

/* Whether events of this kind have a start and an end, and so are states of the camera. Those of
 * zones are states of these instead. */
gboolean watch_analysis_lasts (const gchar *event);

/* Returns the tags of a camera's lines, {"camera":NAME,...}: (transfer full). NULL with @error. */
gchar *watch_analysis_get_tags (const WatchCameraConfig *config, GError **error);

G_END_DECLS

#endif
