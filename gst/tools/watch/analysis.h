/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The elements that analyse the frames of a camera. */
#ifndef WATCH_ANALYSIS_H
#define WATCH_ANALYSIS_H

#include "watch-config.h"

#include <gst/gst.h>

G_BEGIN_DECLS

/* An event of a camera with a folder for its files, which is not of the analysis. */
#define WATCH_EVENT_UNRECORDED "unrecorded"

/* Names of elements in the bin. */
#define WATCH_ANALYSIS_EVENTS "glesevents0"
#define WATCH_ANALYSIS_LINES "lines" /* appsink: lines of glesjson */

typedef struct {
  gboolean paced;       /* frames pass at the speed of the clock, else as they come */
  gboolean lossless;    /* no frame is left out when they come too fast */
  const gchar *session; /* keeps the ids of events apart */
} WatchAnalysisOptions;

/* Returns a bin with a pad "sink" for frames: (transfer floating). NULL with @error. */
GstElement *watch_analysis_new (
    const WatchCameraConfig *config, const WatchAnalysisOptions *options, GError **error);

/* Returns the kinds of events that @config asks for, but `stalled`, which the program finds itself:
 * (transfer full). NULL with @error. */
gchar **watch_analysis_list_events (const WatchCameraConfig *config, GError **error);

/* Whether events of this kind have a start and an end. */
gboolean watch_analysis_lasts (const gchar *event);

/* Returns the tags of a camera's lines, {"camera":NAME,...}: (transfer full). NULL with @error. */
gchar *watch_analysis_get_tags (const WatchCameraConfig *config, GError **error);

G_END_DECLS

#endif
