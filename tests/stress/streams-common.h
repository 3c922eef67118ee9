/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Streams of the analysing elements whose results are known beforehand: each kind of stream has its
 * own frames, and a digest for each frame of what the cpu device finds in it when nothing else
 * runs. */
#ifndef STREAMS_COMMON_H
#define STREAMS_COMMON_H

#include <gst/gst.h>

#include <gst/gles/device/device.h>

#define STREAM_FRAMES 24

/* A stream that does not go on for so long hangs. Sanitizers and loaded machines are slow. */
#define STREAM_PATIENCE (120 * GST_SECOND)

/* Kinds of streams by number; the first one reads more counters back than any other, see
 * streams_fail_reads_above(). */
#define STREAM_KIND_LARGEST 0
guint stream_n_kinds (void);
const gchar *stream_kind_name (guint kind);
/* A kind whose caps change in the middle. */
guint stream_kind_with_change (void);

/* Makes the frames of all kinds and what is found in them. NULL, or what is wrong: (transfer
 * full). */
gchar *streams_prepare (void);
void streams_finish (void);

typedef struct {
  guint kind;
  guint n_pulled;
  GstElement *pipeline, *source, *sink;
  GstBus *bus;
  GstMessage *error; /* found while pulling */
} Stream;

/* Makes a stream of @kind that plays all its frames on @device, or, if that is NULL, on a device of
 * its own that @spec names. Its sink blocks when no frame is pulled. */
Stream *stream_new (guint kind, const gchar *spec, GstGlesDevice *device);
/* Feeds and plays it, again after stream_stop(). FALSE: it cannot go to PLAYING. */
gboolean stream_play (Stream *stream);
void stream_stop (Stream *stream);
/* Stops it at any moment, and releases it. */
void stream_free (Stream *stream);

/* The device that its first element uses: (transfer full) (nullable). */
GstGlesDevice *stream_get_device (Stream *stream);

/* The next frame, NULL when there is none in time or none any more: (transfer full). */
GstSample *stream_pull (Stream *stream, GstClockTime timeout);

/* The first error that was posted: (transfer full) (nullable). Waits for it at most @timeout. */
GError *stream_pop_error (Stream *stream, GstClockTime timeout);

/* Returns NULL if the results on @sample, of @kind, are those of its frame; otherwise a
 * description: (transfer full). With @failed (out), results that report a failure are accepted. */
gchar *stream_check (guint kind, GstSample *sample, gboolean *failed);

/* Pulls and checks the remaining frames. Returns NULL, or a description of an error. */
gchar *stream_check_rest (Stream *stream);

#endif
