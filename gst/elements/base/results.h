/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The results of analysers on a buffer, for downstream elements, and waiting for them in a
 * streaming thread. */
#ifndef GST_GLES_RESULTS_H
#define GST_GLES_RESULTS_H

#include <gst/gles/meta/kinds.h>

G_BEGIN_DECLS

/* The type of gst_gles_histogram_result_wait() and its like. */
typedef gboolean (*ResultsWaitFunc) (gpointer result, guint64 timeout_ns, GError **error);

/* The results of one buffer. Each member is owned, and NULL if the buffer has no such result or it
 * was not requested. */
typedef struct {
#define RESULTS_MEMBER(Name, name, NAME, coordinates) GstGles##Name##Result *name;
  GST_GLES_RESULT_KINDS (RESULTS_MEMBER)
  GstBuffer *interests; /* the buffer itself if it has regions of interest */
} Results;

enum {
#define RESULTS_INDEX(Name, name, NAME, coordinates) RESULTS_INDEX_##NAME,
  GST_GLES_RESULT_KINDS (RESULTS_INDEX) RESULTS_N_KINDS
};

/* A bit for each kind of result: RESULTS_HISTOGRAM and so on. */
typedef enum {
#define RESULTS_PART(Name, name, NAME, coordinates) RESULTS_##NAME = 1 << RESULTS_INDEX_##NAME,
  GST_GLES_RESULT_KINDS (RESULTS_PART) RESULTS_ALL = (1 << RESULTS_N_KINDS) - 1,
  /* GstVideoRegionOfInterestMeta of any element; not in RESULTS_ALL */
  RESULTS_INTERESTS = 1 << RESULTS_N_KINDS
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

/* Returns what the first of @results says of the frame: (transfer none). There must be one. */
const GstGlesFrameInfo *results_get_frame (const Results *results);

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
#define RESULTS_OF_ANY "results of gleshistogram, glescompact or another analyser"

G_END_DECLS

#endif
