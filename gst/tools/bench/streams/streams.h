/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The parts of gst-gles-bench-streams-1.0, which measures an element under several streams. It is an
 * application: it uses GStreamer and what the shared library exports. */
#ifndef BENCH_STREAMS_H
#define BENCH_STREAMS_H

#include <gst/gles/gles.h>
#include <gst/video/video.h>

#define STREAMS_MAX 256

typedef enum {
  STREAMS_NOISE,
  STREAMS_RAMP, /* rows that rise from left to right, with 3 bits of noise */
  STREAMS_CONSTANT,
  STREAMS_N_CONTENTS
} StreamsContent;

#define STREAMS_CONTENT_NAMES                                                                      \
  {                                                                                                \
    "noise", "ramp", "constant"                                                                    \
  }

typedef struct {
  const gchar *element; /* description of an element or a chain; "none" for no element */
  gchar **devices;
  GArray *n_streams; /* of guint */
  GstVideoInfo video;
  guint n_frames;  /* of each stream that are timed; 0: `seconds` decides */
  gdouble seconds; /* how long frames are timed */
  gdouble warmup_s;
  guint n_distinct; /* buffers of a stream */
  StreamsContent content;
  const gchar *input; /* (nullable): a file of raw frames, instead of content and n_distinct */
  guint lag;          /* frames that are pushed before the results of a frame are read */
  gboolean unread;    /* nobody reads the results */
  guint sample_every; /* every so many frames the latency is measured; 0: not at all */
  const gchar *json_file, *csv_file;
} StreamsOptions;

/* CPU time in nanoseconds, by the kind of thread that used it. */
typedef struct {
  gint64 total;     /* of the process */
  gint64 streaming; /* threads that push frames */
  gint64 device;    /* threads whose names begin with "gles-" */
} StreamsCpu;

#define STREAMS_THREAD_NAME "stream-"

/* What one device with one number of streams came to. */
typedef struct {
  gchar *device;      /* as it was asked for; "" if the element has no such property */
  gchar *description; /* (nullable): what it turned out to be */
  guint n_streams;
  gchar *message;    /* (nullable): why there is no measurement */
  gdouble seconds;   /* that were timed */
  guint64 n_frames;  /* of all streams in that time */
  gdouble rate;      /* frames per second of all streams */
  gdouble slowest;   /* ... of the slowest stream */
  StreamsCpu cpu;    /* in that time */
  guint64 n_read;    /* timed frames whose results were read */
  guint64 n_results; /* ... how many results that were */
  guint64 n_points;  /* ... how many points those listed */
  gdouble first_ms;  /* from PLAYING to the first result of the last stream */
  guint n_samples;   /* of the latency; 0: not measured */
  gdouble latency_median_ms, latency_99_ms;
  gdouble sampled_rate; /* frames per second of all streams while the latency was measured */
} StreamsResult;

/* ---- streams-frames.c ---- */

/* The frames of @n_streams streams, an array of buffers each; NULL with @error. Streams share the frames
 * of a file, and each begins with another one. */
GPtrArray *streams_frames_new (const StreamsOptions *options, guint n_streams, GError **error);

/* ---- streams-cpu.c ---- */

/* What the process has used. Threads that ended are counted in the total only. */
void streams_cpu_read (StreamsCpu *cpu);

/* ---- streams-run.c ---- */

/* Runs @n_streams streams through the element on @device. Never NULL: the message of the result says
 * what went wrong. @frames are those of at least as many streams. */
StreamsResult *streams_run (
    const StreamsOptions *options, const gchar *device, guint n_streams, const GPtrArray *frames);
void streams_result_free (StreamsResult *result);

/* ---- streams-element.c ---- */

/* A bin of what @description describes, with pads "sink" and "src": (transfer floating), NULL with
 * @error. @device is set on the elements that choose one; they are counted in @n_devices. */
GstElement *streams_element_new (
    const gchar *description, const gchar *device, guint *n_devices, GError **error);

/* What the device of the first such element in @bin is, after READY: (transfer full) (nullable). */
gchar *streams_element_describe_device (GstElement *bin);

/* Waits for all results on @buffer and adds up how many they are and how many points they list. */
gboolean streams_read_results (
    GstBuffer *buffer, guint *n_results, guint64 *n_points, GError **error);

/* ---- streams-report.c ---- */

void streams_report_header (const StreamsOptions *options);
void streams_report_row (const StreamsOptions *options, const StreamsResult *result);
/* @results: of StreamsResult. */
gboolean streams_report_files (
    const StreamsOptions *options, const GPtrArray *results, GError **error);

#endif
