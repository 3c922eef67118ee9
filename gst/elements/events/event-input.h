/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_EVENT_INPUT_H
#define GST_GLES_EVENT_INPUT_H

#include "event.h"

#include <gst/gles/meta/histogram-info.h>
#include <gst/gles/meta/regions.h>

G_BEGIN_DECLS

/* A frame for the detectors. */
typedef struct {
  /* Complete; that of the last frame if its picture is repeated; NULL: none. */
  GstGlesHistogramResult *result;
  GstGlesRegionsResult *regions; /* complete, or NULL */
  EventTime time;
  EventSaidLight said; /* by the caps */
  gboolean same;       /* the result is that of the frame before */
  gboolean repeats;    /* the stream says that the picture repeats the previous one */
} EventInput;

/* Whether channel 0 is luma. Without luma only cuts and freezes are detected. */
gboolean event_input_has_luma (GstGlesHistogramResult *result);

/* Returns the mean absolute difference of the samples of @channel as a share of full scale
 * (2^depth), 0 when it was not computed. */
gdouble event_input_get_mad (const EventInput *input, guint channel);

/* Returns the mean absolute difference over the samples of all channels as a share of full scale
 * (2^depth). FFmpeg's freezedetect computes the same value. */
gdouble event_input_get_difference (const EventInput *input);

G_END_DECLS

#endif
