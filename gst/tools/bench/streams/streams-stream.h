/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a run and its streams know of each other. */
#ifndef BENCH_STREAMS_STREAM_H
#define BENCH_STREAMS_STREAM_H

#include "streams.h"

/* frames whose time of push is remembered: more than an element and its queues hold */
#define N_TIMES 4096

typedef enum {
  PHASE_WARM,
  PHASE_RATE,
  PHASE_LATENCY,
  PHASE_STOP
} Phase;

typedef struct _Run Run;

typedef struct {
  Run *run;
  guint index;
  GThread *thread, *sampler;
  GstPad *source, *sink;
  GPtrArray *frames;
  gint64 pushed_us[N_TIMES]; /* by the number of the frame; set before it is pushed */

  /* of the thread that calls the sink pad */
  GQueue pending; /* buffers whose results are not read yet */
  Phase seen;     /* the phase of the frame before */
  guint n_phase;  /* frames in that phase */
  guint64 n_read, n_results, n_points;

  gint n_frames; /* atomic: frames that are done */
  GAsyncQueue *samples;
  GArray *latencies; /* of gdouble, ms; of the sampler */
} Stream;

struct _Run {
  const StreamsOptions *options;
  GstElement *pipeline;
  Stream **streams;
  guint n_streams;
  gint phase;  /* atomic */
  gint failed; /* atomic: set with the error */

  GMutex lock; /* of what follows */
  GCond cond;
  GError *error;        /* the first */
  gboolean go;          /* frames behind the first may be pushed */
  guint n_first;        /* streams whose first result was there */
  guint n_warm;         /* ... that have pushed WARM_FRAMES */
  guint n_reached;      /* ... that have had all frames of the phase */
  guint n_ended;        /* ... that have had EOS */
  gint64 last_first_us; /* when the first result of the last stream was there */
};

/* ---- streams-run.c ---- */

/* Ends the run: @error (transfer full) is its reason if it is the first. Thread: any. */
void run_fail (Run *run, GError *error);

/* Adds one to @count, a member of @run that counts streams, and wakes who waits for it. Thread: any. */
void run_pass (Run *run, guint *count);

/* ---- streams-stream.c ---- */

/* A stream that is not linked: never NULL. @frames outlive it. */
Stream *stream_new (Run *run, guint index, GPtrArray *frames);
void stream_free (Stream *stream);

/* Puts an element of its own into the pipeline of the run and between the pads of @stream. */
gboolean stream_link (Stream *stream, const gchar *device, GError **error);

/* Starts its threads. The streaming thread pushes one frame, waits for run->go, and pushes until the run
 * fails or its phase is PHASE_STOP; then it sends EOS. */
void stream_start (Stream *stream);

/* Wait for the streaming thread, and for the sampler, which ends when it has waited for all samples. They
 * do nothing for a stream that was not started. */
void stream_join (Stream *stream);
void stream_join_sampler (Stream *stream);

#endif
