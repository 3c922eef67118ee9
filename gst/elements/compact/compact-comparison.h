/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What glescompact compares pictures with: a plan has the earlier picture, or the background.
 * Fields have one for each parity, in an array of GST_GLES_N_FIELDS. */
#ifndef GST_GLES_COMPACT_COMPARISON_H
#define GST_GLES_COMPACT_COMPARISON_H

#include <gst/gles/algo/frame/frame-compact.h>
#include <gst/gles/algo/frame/frame-expression.h>
#include <gst/gles/algo/frame/frame-samples.h>
#include <gst/gles/meta/frame-info.h>

#include "compact-noise.h"

G_BEGIN_DECLS

typedef struct {
  GstGlesFrameCompactConfig config;   /* what the plans are made for */
  gboolean has_samples;               /* and whether motion is compared with samples */
  GstGlesFrameCompact *plan;          /* (nullable) */
  GstGlesFrameExpression *expression; /* (nullable): its values are the picture of the plan */
  GstGlesFrameExpressionCall expression_call;
  GstGlesFrameSamples *samples; /* (nullable): likewise */
  CompactNoise noise;
  guint64 frame, before;   /* numbers of the last picture and of the one before it */
  gboolean is_first;       /* the last picture was compared with none */
  guint8 *validate_kept;   /* reference of the twin; NULL: unknown */
  guint8 *validate_values; /* the twin's picture of the expression; nullable */
  guint64 validate_frame;
  gboolean is_unknown; /* the twin does not know what the last picture was compared with */
} CompactComparison;

/* The next picture of each plan is compared with none. */
void compact_comparisons_forget (CompactComparison *comparisons);
/* The same, and pictures are counted anew. */
void compact_comparisons_reset (CompactComparison *comparisons);
void compact_comparisons_drop (CompactComparison *comparisons);

/* Begins picture @frame. With @repeatable what it replaces is kept for
 * compact_comparison_restore(). Errors: those of gst_gles_frame_plan_save(). */
gboolean compact_comparison_begin (
    CompactComparison *comparison, guint64 frame, gboolean repeatable, GError **error);
/* Brings back what the last picture, a repeatable one, was compared with. */
void compact_comparison_restore (CompactComparison *comparison);

/* Makes the plans for the config and images like @image. The expression is there already, where
 * there is one. Errors: those of the plans. */
gboolean compact_comparison_make_plan (
    CompactComparison *comparison, GstGlesQueue *queue, const GstGlesImage *image, GError **error);
/* On a device with GL: runs the plans once without work. @points as for
 * compact_comparison_run(). */
gboolean compact_comparison_prepare (CompactComparison *comparison,
    const GstGlesFrameCompactCall *call, GstGlesFramePoints *points, GError **error);
/* Returns how often a picture is read. */
guint compact_comparison_get_n_reads (
    CompactComparison *comparison, const GstGlesFrameCompactCall *call);

/* Lists the points of @image. The arguments are those of gst_gles_frame_compact_run(). */
gboolean compact_comparison_run (CompactComparison *comparison, const GstGlesImage *image,
    const GstGlesFrameCompactCall *call, GstGlesFramePoints *points, GError **error);

/* Lists the points of the last picture with native code. Returns (transfer full) the points, or
 * NULL with @error set. They are right unless is_unknown is set, because an earlier picture was
 * not listed in this way. */
guint32 *compact_comparison_expect (CompactComparison *comparison, const GstGlesImage *image,
    const GstGlesFrameCompactCall *call, GstGlesResult *result, GError **error);

G_END_DECLS

#endif
