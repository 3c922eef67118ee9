/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The parts of gst-gles-bench-streams-1.0, which measures an element under several streams. It is
 * an application: it uses GStreamer and the exports of the shared library. */
#ifndef BENCH_STREAMS_H
#define BENCH_STREAMS_H

#include <gst/gles/gles.h>
#include <gst/video/video.h>

#define STREAMS_MAX 256

typedef enum {
  STREAMS_NOISE,
  STREAMS_RAMP, /* values that rise from left to right, with 3 bits of noise */
  STREAMS_CONSTANT,
  STREAMS_N_CONTENTS
} StreamsContent;

#define STREAMS_CONTENT_NAMES                                                                      \
  {                                                                                                \
    "noise", "ramp", "constant"                                                                    \
  }

/* Where frames lie. */
typedef enum {
  STREAMS_SYSTEM,
  STREAMS_DEVICE, /* in memory of the allocator that the element offers */
  STREAMS_DMABUF, /* in DMABufs of the kernel */
  STREAMS_GL,     /* in textures of OpenGL */
  STREAMS_CUDA,
  STREAMS_N_MEMORIES
} StreamsMemory;

#define STREAMS_MEMORY_NAMES                                                                       \
  {                                                                                                \
    "system", "device", "dmabuf", "gl", "cuda"                                                     \
  }

typedef struct {
  const gchar *element; /* description of an element or a chain; "none" for none */
  gchar **devices;
  GArray *n_streams; /* of guint */
  GstVideoInfo video;
  guint n_frames;  /* timed frames of each stream; 0: `seconds` decides */
  gdouble seconds; /* duration of the timed interval */
  gdouble warmup_s;
  guint n_distinct; /* number of different buffers of a stream */
  StreamsContent content;
  StreamsMemory memory;
  const gchar *input; /* (nullable): a file of raw frames, instead of content and n_distinct */
  guint lag;          /* frames that are pushed before the results of a frame are read */
  gboolean unread;    /* results are not read */
  guint sample_every; /* the latency is measured for one frame in this many; 0: never */
  const gchar *json_file, *csv_file;
} StreamsOptions;

/* Frames that elements read, by the way they came to the device: see docs/frames.md. */
typedef struct {
  guint64 copied, imported, resident, reused;
} StreamsWays;

/* CPU time in nanoseconds by kind of thread. */
typedef struct {
  gint64 total;     /* of the process */
  gint64 streaming; /* threads that push frames */
  gint64 device;    /* threads whose names begin with "gles-" */
} StreamsCpu;

#define STREAMS_THREAD_NAME "stream-"

/* The measurements of one device with one number of streams. */
typedef struct {
  gchar *device;      /* as requested; "" if the element has no such property */
  gchar *description; /* (nullable): the device that was opened */
  guint n_streams;
  gchar *message;    /* (nullable): the reason if there is no measurement */
  gdouble seconds;   /* length of the timed interval */
  guint64 n_frames;  /* of all streams in that interval */
  gdouble rate;      /* frames per second of all streams */
  gdouble slowest;   /* frames per second of the slowest stream */
  StreamsCpu cpu;    /* in that interval */
  guint64 n_read;    /* timed frames whose results were read */
  guint64 n_results; /* number of these results */
  guint64 n_points;  /* number of points in these results */
  StreamsWays ways;  /* of the frames that the elements read since READY */
  gdouble first_ms;  /* from PLAYING to the first result of the last stream */
  guint n_samples;   /* of the latency; 0: not measured */
  gdouble latency_median_ms, latency_99_ms;
  gdouble sampled_rate; /* frames per second of all streams while the latency was measured */
} StreamsResult;

/* ---- streams-frames.c ---- */

/* Makes the frames of @n_streams streams, an array of buffers each; NULL with @error. Streams share
 * the frames of a file, and each begins with a different one. */
GPtrArray *streams_frames_new (const StreamsOptions *options, guint n_streams, GError **error);

/* Returns the caps of the frames that streams_frames_new() made: (transfer full). */
GstCaps *streams_frames_caps (const StreamsOptions *options);

/* Copies @frames into memory of the allocator that the peer of @source offers for @caps: (transfer
 * full), an array of buffers. The copies are in system memory if none is offered. */
GPtrArray *streams_frames_move (const GPtrArray *frames, GstPad *source, GstCaps *caps);

/* ---- streams-memory.c ---- */

/* Replaces @frames, an array of buffers in system memory, by copies in the memory that the options
 * ask for. FALSE with @error if this machine has none. */
gboolean streams_memory_convert (const StreamsOptions *options, GPtrArray *frames, GError **error);

/* ---- streams-dmabuf.c ---- */

/* Replaces @frames, an array of buffers, by copies in DMABufs. FALSE with @error if the kernel
 * allocates none. */
gboolean streams_dmabuf_convert (GPtrArray *frames, GError **error);

/* Returns the caps of such frames, with the DRM format where GStreamer has one: (transfer full). */
GstCaps *streams_dmabuf_caps (const GstVideoInfo *video);

/* ---- streams-cpu.c ---- */

/* Reads the CPU time used so far. Threads that ended count only in the total. */
void streams_cpu_read (StreamsCpu *cpu);

/* ---- streams-run.c ---- */

/* Runs @n_streams streams through the element on @device. Never returns NULL: the message of the
 * result describes an error. @frames has at least @n_streams entries. */
StreamsResult *streams_run (
    const StreamsOptions *options, const gchar *device, guint n_streams, const GPtrArray *frames);
void streams_result_free (StreamsResult *result);

/* ---- streams-element.c ---- */

/* Makes a bin from @description, with pads "sink" and "src": (transfer floating); NULL with @error.
 * Sets @device on the elements that have the property and counts them in @n_devices. */
GstElement *streams_element_new (
    const gchar *description, const gchar *device, guint *n_devices, GError **error);

/* Describes the device of the first such element in @bin, from READY on: (transfer full)
 * (nullable). */
gchar *streams_element_describe_device (GstElement *bin);

/* Counts the frames that the elements in @bin with a device have read since READY. */
void streams_element_count_frames (GstElement *bin, StreamsWays *ways);

/* Waits for all results on @buffer and adds their number and that of their points to the counts. */
gboolean streams_read_results (
    GstBuffer *buffer, guint *n_results, guint64 *n_points, GError **error);

/* ---- streams-report.c ---- */

void streams_report_header (const StreamsOptions *options);
void streams_report_row (const StreamsOptions *options, const StreamsResult *result);
/* @results: of StreamsResult. */
gboolean streams_report_files (
    const StreamsOptions *options, const GPtrArray *results, GError **error);

#endif
