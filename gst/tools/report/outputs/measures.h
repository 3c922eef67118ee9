/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The measures of FFmpeg's filter signalstats. */
#ifndef REPORT_OUTPUTS_MEASURES_H
#define REPORT_OUTPUTS_MEASURES_H

#include "../model/results.h"

G_BEGIN_DECLS

#define REPORT_N_MEASURES 30

/* A measure of FFmpeg's filter signalstats. */
typedef struct {
  const gchar *name;
  const gchar *channel;                /* that it is of, or NULL: of the whole picture */
  gchar text[G_ASCII_DTOSTR_BUF_SIZE]; /* the value as FFmpeg writes it; "": not known */
} ReportMeasure;

/* Fills @measures in FFmpeg's order. */
void report_get_measures (const ReportResults *results, ReportMeasure measures[REPORT_N_MEASURES]);
/* Returns (nullable). */
const ReportChannel *report_find_channel (const ReportResults *results, const gchar *name);

G_END_DECLS

#endif
