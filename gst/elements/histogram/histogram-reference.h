/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What gleshistogram compares the next picture with. */
#ifndef GST_GLES_HISTOGRAM_REFERENCE_H
#define GST_GLES_HISTOGRAM_REFERENCE_H

#include <gst/gles/algo/frame/frame-mad.h>

#include "histogram-expression.h"
#include "histogram-extras.h"

/* No frame: frames count from 0. */
#define HISTOGRAM_NO_FRAME G_MAXUINT64

/* The last picture. Fields have one for each parity. */
typedef struct {
  guint64 frame, before;      /* numbers of the last picture and of the one before it */
  GstGlesBuffer *previous;    /* counts of the last picture */
  GstGlesBuffer *repeated;    /* what previous was for the last picture, if that is repeatable */
  GstGlesFrameMad *mad;       /* nullable */
  guint32 *validate_previous; /* the twin's counts of frame validate_frame */
  guint64 validate_frame;
  guint8 *validate_kept; /* the twin's reference samples */
  gboolean validate_mad; /* validate_kept is the reference of the device too */
  gboolean keeps_all;    /* every picture becomes the reference of mad */
  gboolean lacks_mad;    /* the twin does not know what the last picture differs from */
  HistogramValues values;
  HistogramExtra extras[HISTOGRAM_N_EXTRAS];
} HistogramReference;

/* Forgets counts, samples and values: the next picture is compared with none. Plans stay. */
void histogram_reference_forget (HistogramReference *reference);

/* Frees the plan that compares samples, and the samples of its twin. */
void histogram_reference_drop_mad (HistogramReference *reference);

/* Keeps what the next picture changes, which can be analysed again after
 * histogram_reference_restore(). Errors: NO_MEMORY, DEVICE_LOST. */
gboolean histogram_reference_save (HistogramReference *reference, GError **error);
void histogram_reference_restore (HistogramReference *reference);

/* Writes the row that the twin expects of absolute differences, and sets whether it lacks the
 * picture before; @follows: it has seen it. Errors: NO_MEMORY. */
gboolean histogram_reference_expect_mad (HistogramReference *reference, const GstGlesImage *image,
    gboolean follows, guint32 *row, GError **error);

#endif
