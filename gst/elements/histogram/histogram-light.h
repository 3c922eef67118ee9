/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The channel that light=true adds to gleshistogram: an expression that the caps choose. */
#ifndef HISTOGRAM_LIGHT_H
#define HISTOGRAM_LIGHT_H

#include "../base/gstglespictureanalyzer.h"
#include "histogram-settings.h"

G_BEGIN_DECLS

/* An expression whose values are counted; texts are static or interned. */
typedef struct {
  const gchar *text; /* "": none */
  const gchar *range, *name;
} HistogramCounted;

/* Returns what is counted by an expression: with light=true the largest of red, green and blue if
 * the caps of @analyzer say that they are in PQ, else what @settings say. */
HistogramCounted histogram_light_choose (
    const HistogramSettings *settings, GstGlesPictureAnalyzer *analyzer);

/* Warns where light=true has no effect with the caps of @analyzer, and why. @said, at first NULL:
 * what was warned of last, which is not said again. */
void histogram_light_warn (
    const HistogramSettings *settings, GstGlesPictureAnalyzer *analyzer, const gchar **said);

G_END_DECLS

#endif
