/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Shared by the tests of the limit of llvmpipe's loops. */
#ifndef LOOP_ROUNDS_H
#define LOOP_ROUNDS_H

#include <gst/gles/algo/plan/array-tuning.h>

#include "rounds-probe.h"

extern GstGlesQueue *loop_rounds_queue;

/* Measures one call. */
void loop_rounds_begin (void);
/* Returns the rounds of each kernel since loop_rounds_begin(), by name: (transfer full). Fails,
 * naming @where, if one took more than a kernel may take. */
GHashTable *loop_rounds_end (const gchar *where);

/* Makes a call over @n values and checks its result. Returns what loop_rounds_end() does. */
typedef GHashTable *(*LoopRoundsRun) (guint n, gconstpointer data);

/* Records the rounds a tile in plans of @shape, for the check of what the table states for
 * @algorithm, and runs a workgroup whose teams have the most tiles. */
void loop_rounds_measure (
    GstGlesAlgorithm algorithm, const GstGlesShape *shape, LoopRoundsRun run, gconstpointer data);

/* the tests of frames */
void loop_rounds_add_frames (void);

#endif
