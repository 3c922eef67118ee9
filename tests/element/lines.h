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

typedef struct {
  GstHarness *harness;
  GstBus *bus;
  GstVideoInfo info; /* of caps of raw video */
  guint64 n_pushed;
} Chain;

/* Puts the elements of @format into PLAYING; @caps (nullable) are pushed. */
Chain *chain_new (const gchar *caps, const gchar *format, ...) G_GNUC_PRINTF (2, 3);
void chain_set_caps (Chain *chain, const gchar *caps);
void chain_set_video (Chain *chain, const gchar *format, guint width, guint height);
/* Asserts that no error is left on the bus. */
void chain_free (Chain *chain);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Chain, chain_free)

/* Sets a property of the only element that @factory made. */
void chain_set (Chain *chain, const gchar *factory, const gchar *property, const gchar *value);
/* Returns a number of its `stats`. */
guint64 chain_stat (Chain *chain, const gchar *factory, const gchar *name);
/* Returns the number of messages of @type that are on the bus, and removes them. */
guint chain_count (Chain *chain, GstMessageType type);
/* Sends an event, or those of a flushing seek, which all have to pass. */
void chain_event (Chain *chain, GstEvent *event);
void chain_flush (Chain *chain);

/* Stamps @buffer (transfer full) by its number and pushes it. */
GstFlowReturn chain_try_push (Chain *chain, GstBuffer *buffer);
/* The same; returns what comes out: (transfer full). */
GstBuffer *chain_push (Chain *chain, GstBuffer *buffer);
GstBuffer *chain_push_noise (Chain *chain, guint32 seed);
/* Pushes @buffer (transfer full), which has to end with @flow and one element error: (transfer
 * full). */
GError *chain_push_bad (Chain *chain, GstBuffer *buffer, GstFlowReturn flow);
/* Asserts that @line refuses @caps with an error of @domain and @code that contains @text. */
void chain_check_refused (
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
