/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The lines of the buffers that pass an element, for glesjson and glespublish. */
#ifndef GST_GLES_JSON_LINES_H
#define GST_GLES_JSON_LINES_H

#include "json-results.h"

G_BEGIN_DECLS

/* A line of JSON, with its line feed. */
typedef struct {
  gchar *text; /* (transfer full) */
  gsize size;
  GstClockTime pts, duration;
  const GstStructure *event; /* of glesevents, NULL of the line of a frame */
} JsonLine;

typedef GstFlowReturn (*JsonLineFunc) (GstElement *element, JsonLine *line);

/* A member of an element. All zero but for @element and @func. */
typedef struct {
  GstElement *element;
  JsonLineFunc func; /* gets the lines, on the streaming thread */

  /* of the streaming thread */
  gsize capacity; /* what the line before took, and some more */
  ResultsExpected expected;

  /* with the object lock */
  JsonOptions options;
  GError *tags_error; /* why the last value of `tags` was refused; NULL if it was not */
} JsonLines;

/* Installs `tags` as property @tags, and the long lists as @options, @lists by default. */
void json_lines_install (GObjectClass *klass, guint tags, guint options, gboolean lists);
/* Keeps the former tags where @text is no object, with a warning once the element has started. */
void json_lines_set_tags (JsonLines *self, const gchar *text);
/* Returns (transfer full): the tags, "" for none. */
gchar *json_lines_get_tags (JsonLines *self);
/* Begins a stream. FALSE after an element error: the tags are wrong. */
gboolean json_lines_start (JsonLines *self);
void json_lines_clear (JsonLines *self);

/* Waits for the results of @buffer, which came to @pad, and makes its lines. *@silent: there is
 * nothing to tell about it. */
GstFlowReturn json_lines_take_buffer (
    JsonLines *self, GstPad *pad, GstBuffer *buffer, gboolean *silent);
/* Adds what is read to @query if an analyser asks that. Thread: any. */
void json_lines_answer (JsonLines *self, GstQuery *query);
/* Makes the lines of events that end with the stream, and warns at its end if nothing came. */
void json_lines_take_event (JsonLines *self, GstEvent *event);

G_END_DECLS

#endif
