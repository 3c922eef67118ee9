/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Pipelines, and elements between two pads, that are written as in gst-launch-1.0, on the device
 * under test, which their lines need not name. */
#ifndef LINES_H
#define LINES_H

#include "gleshistogram-common.h"

/* ---- pipelines ---- */

/* Returns the pipeline of @format, of which no element may be missing: (transfer full). */
GstElement *line_new (const gchar *format, ...) G_GNUC_PRINTF (1, 2);
/* Returns the next message of @types, before which there must be no error: (transfer full). */
GstMessage *line_next (GstElement *pipeline, guint types);
/* Returns the type of that message. */
GstMessageType line_wait (GstElement *pipeline, guint types);
/* Asserts that no error is left on the bus. */
void line_free (GstElement *pipeline);
void line_probe (GstElement *pipeline, const gchar *name, const gchar *pad_name,
    GstPadProbeCallback probe, gpointer user_data);

/* ---- elements between two pads ---- */

/* Puts the elements of @format into PLAYING; @caps (nullable) are pushed. */
TestStream *line_stream (const gchar *caps, const gchar *format, ...) G_GNUC_PRINTF (2, 3);
void line_set_caps (TestStream *stream, const gchar *caps);
void line_set_video (TestStream *stream, const gchar *format, guint width, guint height);
/* Sets a property of the only element that @factory made. */
void line_set (TestStream *stream, const gchar *factory, const gchar *property, const gchar *value);
/* Returns a number of its `stats`. */
guint64 line_stat (TestStream *stream, const gchar *factory, const gchar *name);
/* Returns the number of messages of @type that are on the bus, and removes them. */
guint line_count (TestStream *stream, GstMessageType type);
/* Return the structures of the element messages since the last call, and of the events of
 * glesevents that frames carried downstream, or that went there by themselves: (transfer full).
 * Frames and events are removed. */
GPtrArray *line_take_posted (TestStream *stream);
GPtrArray *line_take_pushed (TestStream *stream);
/* Stamps @buffer (transfer full) by its number and pushes it. */
GstFlowReturn line_try_push (TestStream *stream, GstBuffer *buffer);
/* Pushes @buffer (transfer full), which has to end with @flow and one element error: (transfer
 * full). */
GError *line_push_bad (TestStream *stream, GstBuffer *buffer, GstFlowReturn flow);
/* Asserts that @line refuses @caps with an error of @domain and @code that contains @text. */
void line_check_refused (
    const gchar *line, const gchar *caps, GQuark domain, gint code, const gchar *text);

/* ---- the program ---- */

/* As test_run(). */
gint lines_main (gint argc, gchar **argv, void (*add_tests) (TCase *tcase));

#define LINES_MAIN(add_tests)                                                                      \
  int main (int argc, char **argv)                                                                 \
  {                                                                                                \
    return lines_main (argc, argv, add_tests);                                                     \
  }

#endif
