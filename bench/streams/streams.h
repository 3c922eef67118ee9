/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The parts of gst-gles-bench-streams-1.0, which measures an element under several streams. It is
 * an application: it uses GStreamer and the exports of the shared library. */
#ifndef BENCH_STREAMS_H
#define BENCH_STREAMS_H

#include <gst/gles/gl/engine.h>
#include <gst/gles/gl/link.h>
#include <gst/gles/gles.h>
#include <gst/video/video.h>

#include "../files.h"

#define STREAMS_MAX 256

typedef enum {
  STREAMS_NOISE,
  STREAMS_RAMP, /* values that rise from left to right, with 3 bits of noise */
  STREAMS_CONSTANT,
  STREAMS_N_CONTENTS
} StreamsContent;

extern const gchar *const streams_contents[];

/* Where frames lie. */
typedef enum {
  STREAMS_SYSTEM,
  STREAMS_DEVICE, /* in memory of the allocator that the element offers */
  STREAMS_DMABUF, /* in DMABufs of the kernel */
  STREAMS_GL,     /* in textures of OpenGL */
  STREAMS_CUDA,
  STREAMS_N_MEMORIES
} StreamsMemory;

extern const gchar *const streams_memories[];

typedef struct {
  gchar *element; /* description of an element or a chain; "none" for none */
  gchar **devices;
  GArray *n_streams; /* of guint */
  GstVideoInfo video;
  gint n_frames;   /* timed frames of each stream; 0: `seconds` decides */
  gdouble seconds; /* duration of the timed interval */
  gdouble warmup_s;
  gint n_distinct;   /* number of different buffers of a stream */
  guint content;     /* StreamsContent */
  guint memory;      /* StreamsMemory */
  gchar *input;      /* (nullable): a file of raw frames, instead of content and n_distinct */
  gint lag;          /* frames that are pushed before the results of a frame are read */
  gboolean unread;   /* results are not read */
  gint sample_every; /* the latency is measured for one frame in this many; 0: never */
  BenchFiles files;
} StreamsOptions;

/* The names of the threads that push begin with this. */
#define STREAMS_THREAD_NAME "stream-"

typedef enum {
  PHASE_WARM,
  PHASE_RATE,
  PHASE_LATENCY,
  PHASE_STOP
} Phase;

/* What streams pass, and run_wait() waits for. */
typedef enum {
  STEP_FIRST,   /* the first result is complete */
  STEP_GO,      /* passed by the run: frames after the first may be pushed */
  STEP_WARM,    /* WARM_FRAMES have come out */
  STEP_REACHED, /* all frames of the phase have come out */
  STEP_ENDED,   /* EOS has come out */
  N_STEPS
} Step;

typedef struct _Run Run;

typedef struct {
  Run *run;
  guint index;
  GThread *thread;
  GstPad *source, *sink;
  GPtrArray *frames;
  GPtrArray *moved; /* (nullable): copies of frames in memory that the element offers */

  /* used on the thread that calls the sink pad only: */
  GQueue pending; /* buffers whose results are not read yet */
  Phase seen;     /* the phase of the previous frame */
  gint n_phase;   /* frames in that phase */
  guint64 n_read, n_results, n_points;

  gint n_frames; /* atomic: frames that are done */
} Stream;

struct _Run {
  const StreamsOptions *options;
  GstElement *pipeline;
  Stream **streams;
  guint n_streams;
  GThreadPool *samplers; /* of stream_sample() */
  gint phase;            /* atomic */
  gint failed;           /* atomic: set with the error */

  GMutex lock; /* protects the fields below */
  GCond cond;
  GError *error;           /* the first one */
  guint n_passed[N_STEPS]; /* by how many streams */
  gint64 last_us[N_STEPS]; /* when the last one did */
  GArray *latencies;       /* of gdouble, ms */
};

/* ---- streams-frames.c ---- */

/* Makes the frames of @n_streams streams, an array of buffers each; NULL with @error. Streams share
 * the frames of a file, and each begins with a different one. */
GPtrArray *streams_frames_new (const StreamsOptions *options, guint n_streams, GError **error);

/* Copies @frames into memory of the allocator that the peer of @source offers for @caps: (transfer
 * full), an array of buffers. The copies are in system memory if none is offered. */
GPtrArray *streams_frames_move (const GPtrArray *frames, GstPad *source, GstCaps *caps);

/* ---- streams-memory.c ---- */

/* Returns the caps of the frames that streams_frames_new() made: (transfer full). */
GstCaps *streams_memory_caps (const StreamsOptions *options);

/* Replaces @frames, an array of buffers in system memory, by copies in the memory that the options
 * ask for. FALSE with @error if this machine has none. */
gboolean streams_memory_convert (const StreamsOptions *options, GPtrArray *frames, GError **error);

/* ---- streams-steps.c ---- */

/* Ends the run. If @error (transfer full) is the first, it becomes the reason. Thread: any. */
void run_fail (Run *run, GError *error);
/* Says that a stream has passed @step. Thread: any. */
void run_pass (Run *run, Step step);
/* Lets no stream have passed @step; or lets the run pass STEP_GO. */
void run_begin (Run *run, Step step);
/* Waits until @step was passed @n times; 0: for as long as @limit_us. Returns FALSE when the run
 * failed or the time is over. Thread: any. */
gboolean run_wait (Run *run, Step step, guint n, gint64 limit_us);

/* ---- streams-run.c ---- */

/* Runs @n_streams streams through the element on @device (nullable), and puts what was measured
 * into @row. Returns FALSE if it failed, with the reason in the row's member "error". @frames has
 * at least @n_streams entries. */
gboolean streams_run (const StreamsOptions *options, const gchar *device, guint n_streams,
    const GPtrArray *frames, JsonObject *row);

/* ---- streams-stream.c ---- */

/* Makes a stream that is not linked yet; never NULL. @frames must outlive it. */
Stream *stream_new (Run *run, guint index, GPtrArray *frames);
void stream_free (Stream *stream);
/* Makes an element for @stream, adds it to the run's pipeline and links it between the stream's
 * pads. */
gboolean stream_link (Stream *stream, const gchar *device, GError **error);
/* Starts its thread, which pushes one frame, waits for STEP_GO, and pushes until the run fails or
 * its phase is PHASE_STOP; then it sends EOS. */
void stream_start (Stream *stream);
/* Waits for the results of a sampled buffer (transfer full), whose offset-end is the time of its
 * push in us: what the threads of run->samplers do. */
void stream_sample (gpointer sample, gpointer run);

/* ---- streams-element.c ---- */

/* Makes a bin from @description, with pads "sink" and "src": (transfer floating); NULL with @error.
 * Sets @device on the elements that have the property and counts them in @n_devices. */
GstElement *streams_element_new (
    const gchar *description, const gchar *device, guint *n_devices, GError **error);

/* Describes the device of the first such element in @bin, from READY on: (transfer full)
 * (nullable). */
gchar *streams_element_describe_device (GstElement *bin);

/* Puts into @row how many frames the elements in @bin with a device have read since READY, by the
 * way that they came to the device: see docs/frames.md. */
void streams_element_count_frames (GstElement *bin, JsonObject *row);

/* Puts into @row, which has the rate, what the link to the device of the elements in @bin gives and
 * which share of it the frames take; null where it is not known, and for frames in memory of other
 * APIs, which do not cross it. */
void streams_element_add_link (const StreamsOptions *options, GstElement *bin, JsonObject *row);

/* Waits for all results on @buffer and adds their number and that of their points to the counts. */
gboolean streams_read_results (
    GstBuffer *buffer, guint *n_results, guint64 *n_points, GError **error);

/* ---- streams-report.c ---- */

/* Makes the report without results, and prints the head of the table: (transfer full). */
JsonObject *streams_report_begin (const StreamsOptions *options);
/* Prints @row of the report. */
void streams_report_row (const StreamsOptions *options, JsonObject *row);

#endif
