/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the page shows of all frames, of bounded size: the levels of luma, a heat map of its
 * histograms, and a strip of pictures. */
#ifndef REPORT_MODEL_OVERVIEW_H
#define REPORT_MODEL_OVERVIEW_H

#include "results.h"

G_BEGIN_DECLS

#define REPORT_HEAT_BINS 64

/* Percentiles 1, 5, 10, 50, 90, 95, 99 and the mean. */
#define REPORT_N_LEVELS 8

/* Frames in a row: time and levels of the first, the largest changes of all. */
typedef struct {
  GstClockTime time;              /* in stream time */
  guint8 levels[REPORT_N_LEVELS]; /* code values of 8 bits */
  gfloat light_max, light_mean;   /* cd/m²: the largest */
  guint16 emd, mad;               /* 256 times code values of 8 bits */
} ReportPoint;

typedef struct {
  gfloat shares[REPORT_HEAT_BINS]; /* the sums of the shares of @n_frames frames */
  guint n_frames;
} ReportColumn;

typedef struct {
  GstClockTime time;
  GBytes *jpeg;
} ReportStripPicture;

/* Other files may read the members, and only overview.c changes them. */
typedef struct {
  ReportPoint *points;
  guint n_points, n_frames;
  guint stride; /* how many frames a point stands for; the last one may stand for fewer */
  gboolean has_emd, has_mad, has_light;
  GstClockTime begin, end; /* of the frames */
  ReportColumn *columns;
  guint n_columns;
  GstClockTime column_ns;
  GArray *pictures; /* of ReportStripPicture */
  GstClockTime picture_ns, next_picture;
} ReportOverview;

void report_overview_init (ReportOverview *self);
void report_overview_clear (ReportOverview *self);
void report_overview_add (ReportOverview *self, const ReportResults *results);
/* As report_wants_picture() and report_add_picture(). */
gboolean report_overview_wants_picture (const ReportOverview *self, GstClockTime time);
void report_overview_add_picture (ReportOverview *self, GstClockTime time, GBytes *jpeg);

G_END_DECLS

#endif
