/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How a video is analysed. */
#ifndef REPORT_INPUTS_OPTIONS_H
#define REPORT_INPUTS_OPTIONS_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* Measures of FFmpeg that need more passes over a frame. */
typedef enum {
  REPORT_MEASURES_SAT = 1 << 0,
  REPORT_MEASURES_HUE = 1 << 1,
  REPORT_MEASURES_TOUT = 1 << 2,
  REPORT_MEASURES_BRNG = 1 << 3,
  REPORT_MEASURES_CROP = 1 << 4,
  REPORT_MEASURES_VREP = 1 << 5,
  REPORT_MEASURES_ALL = (1 << 6) - 1,
} ReportMeasures;

typedef struct {
  const gchar *device; /* (nullable) */
  const gchar *place;  /* (nullable): the file that gets the device on which frames are analysed */
  guint timeout;       /* seconds without data after which the analysis fails; 0: none */
  gboolean progress;   /* show the progress */
  gboolean sound;      /* analyse the sound, too */
  /* (nullable): a text from which the ids of streams are made in place of the path */
  const gchar *stream_id;
  gchar **settings;   /* (nullable): ELEMENT.PROPERTY=VALUE each */
  gboolean pictures;  /* take pictures for the page */
  guint measures;     /* ReportMeasures beside those of the page */
  gboolean lines;     /* add lines of glesjson to the report */
  GstClockTime start; /* where to begin, NONE: at the beginning */
  gboolean part;      /* begin with the key frame before @start, and take all from there on */
  gboolean replay;    /* the path is that of lines with results, see packed.h */
  /* add lines with packed results, from which a replay is possible; @lines is set, too */
  gboolean replayable;
} ReportOptions;

G_END_DECLS

#endif
