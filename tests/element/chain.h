/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Elements between two pads, and a bus that the test reads. */
#ifndef GLES_CHAIN_H
#define GLES_CHAIN_H

#include "gleshistogram-common.h"

typedef struct {
  GstHarness *harness;
  GstBus *bus;
  GstVideoInfo info; /* of caps of raw video */
  guint64 n_pushed;
} Chain;

/* Puts @line into PLAYING; each %s in it stands for the device under test. @caps (nullable) are
 * pushed. */
Chain *chain_new (const gchar *line, const gchar *caps);
void chain_set_caps (Chain *chain, const gchar *caps);
/* Asserts that no error is left on the bus. */
void chain_free (Chain *chain);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Chain, chain_free)

/* Sets a property of the only element that @factory made. */
void chain_set (Chain *chain, const gchar *factory, const gchar *property, const gchar *value);
/* Returns a number of its `stats`. */
guint64 chain_stat (Chain *chain, const gchar *factory, const gchar *name);
/* Sends the events of a flushing seek. */
void chain_flush (Chain *chain);

/* Pushes @buffer (transfer full), stamped by its number, and returns what comes out: (transfer
 * full). */
GstBuffer *chain_push (Chain *chain, GstBuffer *buffer);
/* Pushes @buffer (transfer full), which has to end with @flow and one element error: (transfer
 * full). */
GError *chain_push_bad (Chain *chain, GstBuffer *buffer, GstFlowReturn flow);
/* Asserts that @line refuses @caps with an error of @domain and @code that contains @text. */
void chain_check_refused (
    const gchar *line, const gchar *caps, GQuark domain, gint code, const gchar *text);

/* As test_main(), with the tests that @add_tests adds. */
gint chain_main (gint argc, gchar **argv, void (*add_tests) (TCase *tcase));

#endif
