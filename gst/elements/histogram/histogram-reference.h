/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What gleshistogram compares the next picture with. */
#ifndef GST_GLES_HISTOGRAM_REFERENCE_H
#define GST_GLES_HISTOGRAM_REFERENCE_H

#include <gst/gles/algo/frame/frame-mad.h>

#include "histogram-expression.h"

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
  HistogramValues values;
} HistogramReference;

/* Forgets counts, samples and values: the next picture is compared with none. Plans stay. */
void histogram_reference_forget (HistogramReference *reference);

/* Frees the plan that compares samples, and the samples of its twin. */
void histogram_reference_drop_mad (HistogramReference *reference);

#endif
