/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The expressions of glescompact. Their values are a picture, whose points are listed. */
#ifndef COMPACT_EXPRESSION_H
#define COMPACT_EXPRESSION_H

#include <gst/gles/algo/frame/frame-compact.h>
#include <gst/gles/algo/frame/frame-expression.h>

#include "compact-settings.h"

G_BEGIN_DECLS

typedef struct {
  ExpressionInput predicate, value;
} CompactExpressions;

/* Whether @settings have other texts: plans read other components than they will. */
gboolean compact_expressions_are_other (
    const CompactExpressions *expressions, const CompactSettings *settings);
/* Takes the expressions of @settings. *@changed tells whether plans need others than before.
 * Errors: SETTINGS. */
gboolean compact_expressions_update (CompactExpressions *expressions,
    const CompactSettings *settings, gboolean *changed, GError **error);
void compact_expressions_clear (CompactExpressions *expressions);

/* Makes a plan for images like @image. */
GstGlesFrameExpression *compact_expressions_new_plan (const CompactExpressions *expressions,
    GstGlesQueue *queue, const GstGlesImage *image, GError **error);

/* The call of frame @frame in the region of @call. */
GstGlesFrameExpressionCall compact_expressions_call (
    const CompactExpressions *expressions, const GstGlesFrameCompactCall *call, guint64 frame);

G_END_DECLS

#endif
