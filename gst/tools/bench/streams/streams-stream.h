/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declarations that a run and its streams share. */
#ifndef BENCH_STREAMS_STREAM_H
#define BENCH_STREAMS_STREAM_H

#include "streams.h"

/* Capacity of the table of push times: more frames than an element and its queues hold. */
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
  GPtrArray *moved;          /* (nullable): copies of frames in memory that the element offers */
  gint64 pushed_us[N_TIMES]; /* by frame number modulo N_TIMES; set before the frame is pushed */

  /* used on the thread that calls the sink pad only: */
  GQueue pending; /* buffers whose results are not read yet */
  Phase seen;     /* the phase of the previous frame */
  guint n_phase;  /* frames in that phase */
  guint64 n_read, n_results, n_points;

  gint n_frames; /* atomic: frames that are done */
  GAsyncQueue *samples;
  GArray *latencies; /* of gdouble, ms; written by the sampler */
} Stream;

struct _Run {
  const StreamsOptions *options;
  GstElement *pipeline;
  Stream **streams;
  guint n_streams;
  gint phase;  /* atomic */
  gint failed; /* atomic: set with the error */

  GMutex lock; /* protects the fields below */
  GCond cond;
  GError *error;        /* the first one */
  gboolean go;          /* frames after the first may be pushed */
  guint n_first;        /* streams whose first result is complete */
  guint n_warm;         /* streams that have pushed WARM_FRAMES */
  guint n_reached;      /* streams that have received all frames of the phase */
  guint n_ended;        /* streams that have received EOS */
  gint64 last_first_us; /* time of the first result of the last stream */
};

/* ---- streams-run.c ---- */

/* Ends the run. If @error (transfer full) is the first, it becomes the reason. Thread: any. */
void run_fail (Run *run, GError *error);

/* Adds one to @count, a member of @run that counts streams, and wakes its waiter. Thread: any. */
void run_pass (Run *run, guint *count);

/* ---- streams-stream.c ---- */

/* Makes a stream that is not linked yet; never NULL. @frames must outlive it. */
Stream *stream_new (Run *run, guint index, GPtrArray *frames);
void stream_free (Stream *stream);

/* Makes an element for @stream, adds it to the run's pipeline and links it between the stream's
 * pads. */
gboolean stream_link (Stream *stream, const gchar *device, GError **error);

/* Starts its threads. The streaming thread pushes one frame, waits for run->go, and pushes until
 * the run fails or its phase is PHASE_STOP; then it sends EOS. */
void stream_start (Stream *stream);

/* Wait for the streaming thread, and for the sampler, which ends after its last sample. They do
 * nothing for a stream that was not started. */
void stream_join (Stream *stream);
void stream_join_sampler (Stream *stream);

#endif
