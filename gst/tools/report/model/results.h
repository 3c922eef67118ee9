/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The results of a frame, as outputs get them. */
#ifndef REPORT_MODEL_RESULTS_H
#define REPORT_MODEL_RESULTS_H

#include <gst/gles/meta/light.h>
#include <gst/gles/meta/crop.h>
#include <gst/gles/meta/outliers.h>
#include <gst/gst.h>
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

#define REPORT_MAX_CHANNELS 8

/* Names of elements that FFmpeg's measures are made of. */
#define REPORT_SAT "sat"
#define REPORT_HUE "hue"
#define REPORT_BRNG "brng"

/* A channel of a frame. What is not known is 0, and @previous NAN. */
typedef struct {
  const gchar *name;
  guint depth;
  GstGlesHistogramStatistics statistics;
  gboolean has_emd, has_mad; /* of the statistics */
  const guint32 *counts;     /* (nullable): the histogram, of @n_counts bins */
  guint n_counts;
  gdouble previous; /* mean absolute difference of the samples from the previous frame */
} ReportChannel;

/* The results of a frame. */
typedef struct {
  guint64 number;
  GstClockTime pts;            /* may be NONE */
  GstClockTime time, duration; /* in stream time; the duration may be NONE */
  guint width, height;
  const gchar *format;        /* nullable */
  const gchar *stored_format; /* (nullable): of the file, where another one was analysed */
  guint n_channels;
  ReportChannel channels[REPORT_MAX_CHANNELS]; /* the first is that of the page */
  gboolean has_light;
  GstGlesLight light;       /* with @has_light: what is not known is 0 */
  gboolean key;             /* it is known to be a key frame */
  gdouble tout, vrep, brng; /* FFmpeg's measures: shares of the pixels or rows, or NAN */
  gboolean has_crop;
  GstGlesCrop crop;
} ReportResults;

/* Fills @results with what gleshistogram and glescompact left on @buffer, and waits for it. Returns
 * what keeps the pointers in @results valid: (transfer full). NULL without error: there is
 * nothing. */
GPtrArray *report_read_results (GstBuffer *buffer, ReportResults *results, GError **error);
/* Takes results of glescompact from @buffer: (transfer full), returns (transfer full). */
GstBuffer *report_remove_points (GstBuffer *buffer);
/* The same for histograms that the caller has, of which there is one at least, and which keep the
 * pointers valid. */
gboolean report_read_histograms (GPtrArray *held, ReportResults *results, GError **error);
/* Returns the members of the line of an event of glesevents: (transfer full). */
JsonObject *report_describe_event (const GstStructure *event);
/* Whether @text, a line of glesjson, is about an event. */
gboolean report_is_event_line (const gchar *text, gsize size);

G_END_DECLS

#endif
