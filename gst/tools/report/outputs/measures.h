/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The measures of FFmpeg's filter signalstats, and those of others that QCTools has. */
#ifndef REPORT_OUTPUTS_MEASURES_H
#define REPORT_OUTPUTS_MEASURES_H

#include "../model/results.h"

G_BEGIN_DECLS

#define REPORT_N_MEASURES 39

typedef struct {
  const gchar *name;                   /* that of FFmpeg, of other filters with the filter's */
  const gchar *channel;                /* that it is of, or NULL: of the whole picture */
  gchar text[G_ASCII_DTOSTR_BUF_SIZE]; /* the value as FFmpeg writes it; "": not known */
  gboolean shown;                      /* it is known of some frames */
} ReportMeasure;

/* Fills @measures in FFmpeg's order. */
void report_get_measures (const ReportResults *results, ReportMeasure measures[REPORT_N_MEASURES]);
/* Returns (nullable). */
const ReportChannel *report_find_channel (const ReportResults *results, const gchar *name);

G_END_DECLS

#endif
