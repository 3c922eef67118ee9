/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How a video is analysed. */
#ifndef REPORT_INPUTS_OPTIONS_H
#define REPORT_INPUTS_OPTIONS_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* Measures of FFmpeg's signalstats that need more passes over a frame. */
typedef enum {
  REPORT_MEASURES_SAT = 1 << 0,
  REPORT_MEASURES_HUE = 1 << 1,
  REPORT_MEASURES_TOUT = 1 << 2,
  REPORT_MEASURES_BRNG = 1 << 3,
} ReportMeasures;

typedef struct {
  const gchar *device;    /* (nullable) */
  guint timeout;          /* seconds without data after which the analysis fails; 0: none */
  gboolean progress;      /* show it */
  gboolean sound;         /* analyse it too */
  const gchar *stream_id; /* (nullable): what ids of streams are made of in place of the path */
  gchar **settings;       /* (nullable): ELEMENT.PROPERTY=VALUE each */
  gboolean pictures;      /* take them for the page */
  guint measures;         /* ReportMeasures beside those of the page */
  gboolean lines;         /* add lines of glesjson to the report */
  GstClockTime start;     /* where to begin, NONE: at the beginning */
  gboolean part;          /* begin with the key frame before @start, and take all from there on */
  gboolean replay;        /* the path is that of lines with results, see packed.h */
  gboolean replayable;    /* add such lines; @lines is set */
} ReportOptions;

G_END_DECLS

#endif
