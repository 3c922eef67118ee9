/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the analysers left on a buffer, for elements behind them, and waiting for it in a streaming
 * thread. */
#ifndef GST_GLES_RESULTS_H
#define GST_GLES_RESULTS_H

#include <gst/gles/meta/histogram.h>
#include <gst/gles/meta/points.h>
#include <gst/gles/meta/tiles.h>

G_BEGIN_DECLS

/* Each is NULL when the buffer has none, or when it is not asked for. Owned. */
typedef struct {
  GstGlesHistogramResult *histogram;
  GstGlesPointsResult *points;
  GstGlesTilesResult *tiles;
} Results;

typedef enum {
  RESULTS_HISTOGRAM = 1 << 0,
  RESULTS_POINTS = 1 << 1,
  RESULTS_TILES = 1 << 2,
  RESULTS_ALL = RESULTS_HISTOGRAM | RESULTS_POINTS | RESULTS_TILES
} ResultsParts;

/* no results for this frame, and nothing wrong */
#define RESULTS_FLOW_DISCARDED GST_FLOW_CUSTOM_SUCCESS

/* Takes those of @parts that @buffer carries; FALSE if there are none. To be cleared. */
gboolean results_collect (Results *results, ResultsParts parts, GstBuffer *buffer);
void results_clear (Results *results);

/* Waits until all are there, but not beyond a flush of @pad or a change of state. What stayed on the
 * device (readback=false) is dropped from @results, unless all did: that is an error. OK: getters do
 * not wait any more; FLUSHING; DISCARDED when a flush upstream discarded the work and is on its way
 * here; ERROR, for which alone @error is set. */
GstFlowReturn results_wait (Results *results, GstPad *pad, GError **error);

G_END_DECLS

#endif
