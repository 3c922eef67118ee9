/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lines of events, as objects: those that glesjson wrote, to which the program adds members, and
 * those of events that the program finds itself. docs/json.md describes them. */
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

/* An event that the program found itself. */
typedef struct {
  const gchar *tags; /* JSON */
  const gchar *event, *phase, *id, *outage, *text;
  const gchar *cause; /* (nullable): why an event ended */
  guint64 frame, start_frame;
  gint64 utc_us;
  gint64 duration_us; /* of an event that ended; below 0 for other phases */
} WatchLine;

/* Returns the line: (transfer full). */
JsonObject *watch_line_new (const WatchLine *about);

/* Returns the line that ends an event whose element could not: (transfer full). It shares members
 * with @start, the line of its start, complete or not; @frame: the number of frames. */
JsonObject *watch_line_end (
    JsonObject *start, const gchar *cause, guint64 frame, gint64 utc_us, guint64 duration_ns);

/* The picture of an event. */
typedef struct {
  gchar *path;      /* (nullable): of its file */
  WatchFrame frame; /* that it shows, without a sample */
} WatchPicture;

/* These add members to a line, and are called in this order. @utc: (nullable): the time of day,
 * which replaces that of the line; @source: (nullable): whose clock it is from; @offset_us: the
 * camera's clock minus this machine's, 0 if that is unknown. */
void watch_line_set_clock (
    JsonObject *line, const gchar *utc, const gchar *source, gint64 offset_us);
/* @pre_roll: (nullable). */
void watch_line_set_recording (
    JsonObject *line, const WatchPlace *recording, const WatchPlace *pre_roll);
void watch_line_set_picture (JsonObject *line, const WatchPicture *picture);

/* Returns the text of @line, without line feed, with numbers and texts as glesjson writes them:
 * (transfer full). NULL after a warning, where there was no memory or a number is not finite. */
gchar *watch_line_write (JsonObject *line);

G_END_DECLS

#endif
