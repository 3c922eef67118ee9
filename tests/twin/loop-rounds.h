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

/* Records the rounds a tile for the check of what the table states for @algorithm: @few was
 * measured with a number of tiles, @many with @tiles more. */
void loop_rounds_record (
    GstGlesAlgorithm algorithm, guint stated, GHashTable *few, GHashTable *many, guint tiles);

/* The numbers of tiles that a team is measured with, and then given: the most. */
#define LOOP_ROUNDS_FEW 32
#define LOOP_ROUNDS_MANY 96

/* the tests of frames */
void loop_rounds_add_frames (void);

#endif
