/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Streams of the analysing elements whose results are known beforehand: each kind of stream has its
 * own frames, and a digest for each frame of what the cpu device finds in it when nothing else
 * runs. */
#ifndef STREAMS_COMMON_H
#define STREAMS_COMMON_H

#include <gst/gles/gles.h>
#include <gst/gst.h>

#define STREAM_FRAMES 24

/* A stream that does not go on for so long hangs. Sanitizers and loaded machines are slow. */
#define STREAM_PATIENCE (120 * GST_SECOND)

typedef enum {
  STREAM_LARGEST, /* reads more counters back than any other */
  STREAM_HISTOGRAM,
  STREAM_MESSAGES,
  STREAM_MOTION,
  STREAM_TILES,
  STREAM_CHAIN,
  STREAM_CHANGE, /* its caps change in the middle */
  STREAM_N_KINDS
} StreamKind;

/* Makes the frames of all kinds and what is found in them. */
void streams_prepare (void);
void streams_finish (void);

typedef struct {
  StreamKind kind;
  guint n_pulled;
  GstElement *pipeline, *source, *sink;
  GstBus *bus;
  GstMessage *error; /* found while pulling */
} Stream;

/* Makes a stream of @kind that plays all its frames on @device, or, if that is NULL, on a device of
 * its own that @spec names. Its sink blocks when no frame is pulled. */
Stream *stream_new (StreamKind kind, const gchar *spec, GstGlesDevice *device);
/* Feeds and plays it, again after stream_stop(). FALSE: it cannot go to PLAYING. */
gboolean stream_play (Stream *stream);
void stream_stop (Stream *stream);
/* Stops it at any moment, and releases it. */
void stream_free (Stream *stream);

/* The next frame, NULL when there is none in time or none any more: (transfer full). */
GstSample *stream_pull (Stream *stream);

/* The first error that was posted: (transfer full) (nullable). Waits for it at most @timeout. */
GError *stream_pop_error (Stream *stream, GstClockTime timeout);

/* Returns NULL if the results on @sample (transfer full), of @kind, are those of its frame;
 * otherwise a description: (transfer full). With @failed (out), results that report a failure are
 * accepted. */
gchar *stream_check (StreamKind kind, GstSample *sample, gboolean *failed);

/* Pulls and checks the remaining frames. Returns NULL, or a description of an error. */
gchar *stream_check_rest (Stream *stream);

#endif
