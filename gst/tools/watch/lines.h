/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lines of events: those of glesjson with what the program knows beside, and those of events that
 * it finds itself. docs/json.md describes them. */
#ifndef WATCH_LINES_H
#define WATCH_LINES_H

#include "frame.h"
#include "timeline.h"

#include <gst/gst.h>
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

#define WATCH_ELEMENT "gst-gles-watch"

/* Returns the time of day @time_us, of g_get_real_time(), as lines have it: (transfer full). */
gchar *watch_line_format_utc (gint64 time_us);

/* What the program finds itself. */
typedef struct {
  const gchar *tags; /* JSON */
  const gchar *event, *phase, *id, *outage, *text;
  const gchar *cause; /* of what ends */
  guint64 frame, start_frame;
  gint64 utc_us;
  gint64 duration_us; /* of what ends; below 0 otherwise */
} WatchLine;

/* Returns (transfer full): the line, without line feed. */
gchar *watch_line_new (const WatchLine *about);

/* Returns the line that ends an event whose element could not: (transfer full). @start: the line of
 * its start, complete or not; @frame: the number of frames. */
gchar *watch_line_end (
    JsonObject *start, const gchar *cause, guint64 frame, gint64 utc_us, guint64 duration_ns);

/* The picture of an event. */
typedef struct {
  gchar *path;      /* (nullable): of its file */
  WatchFrame frame; /* that it shows, without a sample */
} WatchPicture;

/* What is known of a line beside it. */
typedef struct {
  const gchar *utc;                       /* (nullable): in place of what the line has */
  const gchar *source;                    /* (nullable): where the time of day is from */
  const WatchPicture *picture;            /* (nullable) */
  const WatchPlace *recording, *pre_roll; /* (nullable) */
  gint64 clock_offset_us;                 /* the camera's clock minus this machine's; 0: unknown */
} WatchLineMore;

/* Returns @line with more members: (transfer full). */
gchar *watch_line_complete (const gchar *line, const WatchLineMore *more);

G_END_DECLS

#endif
