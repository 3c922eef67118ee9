/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the analysers left on a buffer, for elements behind them, and waiting for it in a streaming
 * thread. */
#ifndef GST_GLES_RESULTS_H
#define GST_GLES_RESULTS_H

#include <gst/gles/meta/histogram.h>
#include <gst/gles/meta/points.h>
#include <gst/gles/meta/regions.h>
#include <gst/gles/meta/tiles.h>

G_BEGIN_DECLS

/* Each is NULL when the buffer has none, or when it is not asked for. Owned. */
typedef struct {
  GstGlesHistogramResult *histogram;
  GstGlesPointsResult *points;
  GstGlesTilesResult *tiles;
  GstGlesRegionsResult *regions;
  GstBuffer *interests; /* the buffer itself, when it has regions of interest */
} Results;

typedef enum {
  RESULTS_HISTOGRAM = 1 << 0,
  RESULTS_POINTS = 1 << 1,
  RESULTS_TILES = 1 << 2,
  RESULTS_REGIONS = 1 << 3,
  RESULTS_INTERESTS = 1 << 4, /* GstVideoRegionOfInterestMeta, of anyone; not in RESULTS_ALL */
  RESULTS_ALL = RESULTS_HISTOGRAM | RESULTS_POINTS | RESULTS_TILES | RESULTS_REGIONS
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

/* Whether what an element works with comes at all. If it does not, the pipeline lacks an analyser or has it
 * in the wrong place: said once, by an element warning, when the stream ends or goes on without. All
 * zero at the start of a stream. On the streaming thread. */
typedef struct {
  guint n_without;  /* buffers so far */
  gboolean settled; /* something came, or the warning was posted */
} ResultsWatch;

/* A buffer came that carries what @element works with, or not. @wanted: what that is, and which elements
 * it comes from. */
void results_watch_buffer (
    ResultsWatch *watch, GstElement *element, gboolean found, const gchar *wanted);

/* The stream has ended. */
void results_watch_end (ResultsWatch *watch, GstElement *element, const gchar *wanted);

/* @wanted of an element that takes results of any kind. */
#define RESULTS_OF_ANY "results of gleshistogram, glescompact or glestiles"

G_END_DECLS

#endif
