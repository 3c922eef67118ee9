/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The channel of gleshistogram that an expression calculates. */
#ifndef HISTOGRAM_EXPRESSION_H
#define HISTOGRAM_EXPRESSION_H

#include <gst/gles/algo/frame/frame-expression-histogram.h>
#include <gst/gles/meta/histogram.h>

#include "../base/gstglespictureanalyzer.h"
#include "histogram-settings.h"

G_BEGIN_DECLS

/* What all fields share. */
typedef struct {
  ExpressionInput input;
  const gchar *range; /* interned: what the bounds were read from */
  const gchar *name;  /* interned: of the channel */
  guint lower, upper;
  gboolean is_new;                       /* no plans were made for it yet; the element clears it */
  GstGlesFrameExpressionHistogram *plan; /* nullable */
} HistogramExpression;

/* What a field has. */
typedef struct {
  GstGlesFrameExpression *plan;               /* nullable */
  GstGlesFrameExpressionHistogram *histogram; /* of the last frame, not owned */
  GstGlesFrameExpressionCall call;            /* of the last frame */
  guint8 *validate_kept, *validate_values;    /* the twin's */
  gboolean is_unknown; /* the twin does not know what the last frame was compared with */
  /* the counts of the last frame, and of the one before it, are of the same expression */
  gboolean has_counts, had_counts;
} HistogramValues;

/* Takes the expression of @settings for pictures of @analyzer, with the components of @image.
 * Errors: SETTINGS. */
gboolean histogram_expression_update (HistogramExpression *expression,
    const HistogramSettings *settings, GstGlesPictureAnalyzer *analyzer, const GstGlesImage *image,
    GError **error);
void histogram_expression_clear (HistogramExpression *expression);

/* Makes the plan of a field, and prepares it. */
gboolean histogram_values_init (HistogramValues *values, const HistogramExpression *expression,
    GstGlesQueue *queue, const GstGlesImage *image, GError **error);
void histogram_values_forget (HistogramValues *values);
void histogram_values_restore (HistogramValues *values);
void histogram_values_clear (HistogramValues *values);

/* Begins frame number @frame, in the region of @config. */
void histogram_values_begin (HistogramValues *values, const HistogramExpression *expression,
    const GstGlesFrameHistogramConfig *config, guint64 frame);
/* Counts the values of the frame into @counts, in the open submission, and compares the counters
 * with those of @previous (nullable), if these are of the same expression. */
gboolean histogram_values_run (HistogramValues *values, const GstGlesImage *image,
    GstGlesBuffer *previous, GstGlesBuffer *counts, GError **error);

/* Begins the frame for the twin. @follows: it counted the frame before; @is_first: there is
 * none. */
void histogram_values_begin_twin (HistogramValues *values, gboolean follows, gboolean is_first);
/* The twin of histogram_values_run(). */
gboolean histogram_values_expect (HistogramValues *values, const GstGlesImage *image,
    const guint32 *previous, guint32 *counts, GError **error);

/* Describes the channel. */
void histogram_expression_describe (
    const HistogramExpression *expression, GstGlesHistogramChannelInfo *channel);

G_END_DECLS

#endif
