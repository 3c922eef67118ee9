/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A stream, as its own thread (soak-stream.c) and the streaming thread of its pipeline
 * (soak-compare.c) see it. */
#ifndef GLES_SOAK_STREAM_H
#define GLES_SOAK_STREAM_H

#include "soak.h"

G_BEGIN_DECLS

/* results whose comparison waits until they are overwritten, or the pipeline is gone */
#define SOAK_N_KEPT 4

typedef struct {
  GstMiniObject *result, *expected;
  gint n_flushes;
} SoakKept;

struct _SoakStream {
  Soak *soak;
  guint index;
  GRand *rand;
  GThread *thread;
  gint64 advanced_us;    /* under the lock of the soak */
  const gchar *activity; /* static */

  /* of a pipeline */
  const SoakKind *kind;
  gboolean draws; /* its formats are those of glesoverlay */
  GstElement *pipeline, *source, *analyzer, *reference;
  GstGlesDevice *device; /* that the application gave, or NULL */
  gboolean broken;       /* an error ended its source */
  gint n_flushes;        /* atomic: before and after each flush, and when a device is lost */
  gint n_refused;        /* atomic: times that the source was refused since a frame came through */

  /* of its streaming thread */
  GRand *stream_rand;
  GstMiniObject *result; /* of the buffer that is between analyzer and reference */
  SoakKept kept[SOAK_N_KEPT];
  guint n_kept;
  gint n_compared; /* atomic */

  GAsyncQueue *changes; /* of SoakSetting *: what the streaming thread changes before a frame */
};

/* Lets the streaming thread of a new pipeline make what its source lacks, change settings and
 * compare results. */
void soak_compare_start (SoakStream *stream);
/* Compares the results that were kept of a pipeline that has stopped. */
void soak_compare_end (SoakStream *stream);
/* Describes what the analyzer gets and how it is set, to find an error again: (transfer full). */
gchar *soak_describe_analyzer (SoakStream *stream);

G_END_DECLS

#endif
