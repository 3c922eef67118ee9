/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The results of analysers on a buffer, for downstream elements, and waiting for them in a
 * streaming thread. */
#ifndef GST_GLES_RESULTS_H
#define GST_GLES_RESULTS_H

#include <gst/gles/meta/histogram-info.h>
#include <gst/gles/meta/points-info.h>
#include <gst/gles/meta/regions-info.h>
#include <gst/gles/meta/tiles-info.h>
#include <gst/gles/meta/tracks-info.h>
#include <gst/gles/meta/zones-info.h>

G_BEGIN_DECLS

/* The type of gst_gles_histogram_result_wait() and its like. */
typedef gboolean (*ResultsWaitFunc) (gpointer result, guint64 timeout_ns, GError **error);

/* Each member is owned, and NULL if the buffer has no such result or it was not requested. */
typedef struct {
  GstGlesHistogramResult *histogram;
  GstGlesPointsResult *points;
  GstGlesTilesResult *tiles;
  GstGlesRegionsResult *regions;
  GstGlesTracksResult *tracks;
  GstGlesZonesResult *zones;
  GstBuffer *interests; /* the buffer itself if it has regions of interest */
} Results;

typedef enum {
  RESULTS_HISTOGRAM = 1 << 0,
  RESULTS_POINTS = 1 << 1,
  RESULTS_TILES = 1 << 2,
  RESULTS_REGIONS = 1 << 3,
  RESULTS_TRACKS = 1 << 4,
  RESULTS_INTERESTS = 1 << 5, /* GstVideoRegionOfInterestMeta of any element; not in RESULTS_ALL */
  RESULTS_ZONES = 1 << 6,
  RESULTS_ALL = RESULTS_HISTOGRAM | RESULTS_POINTS | RESULTS_TILES | RESULTS_REGIONS |
      RESULTS_TRACKS | RESULTS_ZONES
} ResultsParts;

/* A flush discarded this frame's results; not an error. */
#define RESULTS_FLOW_DISCARDED GST_FLOW_CUSTOM_SUCCESS

/* Whether @buffer says that a picture is missing. Pictures that videorate or intervideosrc
 * repeats have the flag GAP too, but they are not empty. */
gboolean results_is_gap (GstBuffer *buffer);

/* Whether @buffer has regions of interest. */
gboolean results_has_interests (GstBuffer *buffer);

/* Takes the results of @parts on @buffer; returns FALSE if there are none. They must be cleared. */
gboolean results_collect (Results *results, ResultsParts parts, GstBuffer *buffer);
void results_clear (Results *results);

/* Waits until all results are complete; a flush of @pad or a state change ends the wait. Results
 * that stay on the device (readback=false) are dropped from @results; if no other is left, that is
 * an error. Returns OK: getters no longer wait; FLUSHING; DISCARDED: a flush upstream discarded the
 * work and will arrive here; ERROR, with @error set, and only then. */
GstFlowReturn results_wait (Results *results, GstPad *pad, GError **error);

/* Observes whether an element receives its input. If it does not, the analyser is missing or in the
 * wrong place, and one element warning is posted, when the stream ends or after EXPECTED_WITHIN
 * buffers.
 * All zero at the start of a stream. Used on the streaming thread. */
typedef struct {
  guint n_without;  /* number of buffers without input so far */
  gboolean settled; /* input was found, or the warning was posted */
} ResultsExpected;

/* Call for each buffer. @found says whether it carries input for @element. @wanted names the input
 * and the elements that make it, for the warning. */
void results_expect_buffer (
    ResultsExpected *expected, GstElement *element, gboolean found, const gchar *wanted);

/* Call at the end of the stream. */
void results_expect_end (ResultsExpected *expected, GstElement *element, const gchar *wanted);

/* The value of @wanted for elements that take any result. */
#define RESULTS_OF_ANY                                                                             \
  "results of gleshistogram, glescompact, glesregions, glestiles, glestrack or gleszones"

G_END_DECLS

#endif
