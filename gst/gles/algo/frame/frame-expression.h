/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Expressions on pictures. A plan calculates the value of each sample and writes it to a picture of
 * one component, which histograms and compaction read like any other. */
#ifndef GST_GLES_FRAME_EXPRESSION_H
#define GST_GLES_FRAME_EXPRESSION_H

#include <gst/gles/algo/frame/frame-compact.h>
#include <gst/gles/expression/expression.h>

G_BEGIN_DECLS

/* The largest bound of values. */
#define GST_GLES_FRAME_EXPRESSION_MAX_UPPER 32767

typedef struct {
  GstGlesExpression *expression;
  GstGlesExpression *point_value; /* (nullable): of points; else the expression itself */
  /* TRUE: the picture tells where the value is not 0, and has the value itself if that is always 0
   * to 255. FALSE: it has the values from lower to upper, and elsewhere a value above upper. */
  gboolean predicate;
  guint lower, upper;
} GstGlesFrameExpressionConfig;

/* Parameters that can differ from frame to frame. */
typedef struct {
  guint x, y, width, height;      /* the region, in luma positions of the stored picture */
  const gint32 *parameters;       /* of the expression, in its order */
  const gint32 *value_parameters; /* of point_value */
  guint64 frame;                  /* its number */
  guint adaptation;               /* of the background: as GstGlesFrameCompactCall */
} GstGlesFrameExpressionCall;

/* Points that frame compaction has found, of two words each. */
typedef struct {
  guint32 *points;
  guint n;
} GstGlesFramePointList;

/* Begins with a GstGlesFramePlan, which keeps what the next frame is compared with. */
typedef struct _GstGlesFrameExpression GstGlesFrameExpression;

/* Makes a plan for images with the layout @format. Errors: SETTINGS (a name that the format lacks,
 * too many operations, bg. without `predicate`), TOO_LARGE. */
GST_GLES_API GstGlesFrameExpression *gst_gles_frame_expression_new (GstGlesQueue *queue,
    const GstGlesImage *format, const GstGlesFrameExpressionConfig *config, GError **error);
/* NULL is safe. */
GST_GLES_API void gst_gles_frame_expression_unref (GstGlesFrameExpression *plan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesFrameExpression, gst_gles_frame_expression_unref)

/* Returns a bit mask of the stored components that are read. */
GST_GLES_API guint gst_gles_frame_expression_get_components (const GstGlesFrameExpression *plan);

/* Sets the layout of the picture of values, without pixels, with the crop of @image. */
GST_GLES_API void gst_gles_frame_expression_get_picture (
    const GstGlesFrameExpression *plan, const GstGlesImage *image, GstGlesImage *picture);

/* Whether the points of the picture need gst_gles_frame_expression_write_values(). */
GST_GLES_API gboolean gst_gles_frame_expression_needs_values (const GstGlesFrameExpression *plan);
/* Whether values outside the bounds are marked: by the highest bit of the picture's depth. */
GST_GLES_API gboolean gst_gles_frame_expression_has_outside (const GstGlesFrameExpression *plan);
/* Whether earlier frames matter, and whether all of them do. */
GST_GLES_API gboolean gst_gles_frame_expression_compares (const GstGlesFrameExpression *plan);
GST_GLES_API gboolean gst_gles_frame_expression_has_background (const GstGlesFrameExpression *plan);

/* On a device with GL: builds the programs and dispatches them without work, so that no frame waits
 * for a compiler. */
GST_GLES_API gboolean gst_gles_frame_expression_prepare (
    GstGlesFrameExpression *plan, GError **error);

/* Returns how often samples of a picture are read: twice if neighbours are read, components with
 * fewer samples, the picture again for points or for the next frame. */
GST_GLES_API guint gst_gles_frame_expression_get_n_reads (const GstGlesFrameExpression *plan);

/* Calculates the values of @image into *@picture, which is valid until the next call. On a device
 * with GL the work is queued, in the open submission. gst_gles_frame_expression_finish() follows.
 * Errors: NO_MEMORY, and those of programs. */
GST_GLES_API gboolean gst_gles_frame_expression_run (GstGlesFrameExpression *plan,
    const GstGlesImage *image, const GstGlesFrameExpressionCall *call, GstGlesImage *picture,
    GError **error);

/* Writes the values of @points, which frame compaction has found in the picture. */
GST_GLES_API gboolean gst_gles_frame_expression_write_values (GstGlesFrameExpression *plan,
    const GstGlesImage *image, const GstGlesFrameExpressionCall *call,
    const GstGlesFramePoints *points, GError **error);

/* Makes @image what the next frame is compared with. */
GST_GLES_API gboolean gst_gles_frame_expression_finish (GstGlesFrameExpression *plan,
    const GstGlesImage *image, const GstGlesFrameExpressionCall *call, GError **error);

/* The native twins, with any plan. What @native or @kept keeps is what the frame is compared
 * with. */
GST_GLES_API gboolean gst_gles_frame_expression_run_native (GstGlesFrameExpression *plan,
    const GstGlesFrameNative *native, const GstGlesFrameExpressionCall *call, GstGlesImage *picture,
    GError **error);
GST_GLES_API gboolean gst_gles_frame_expression_write_values_native (GstGlesFrameExpression *plan,
    const GstGlesFrameNative *native, const GstGlesFrameExpressionCall *call,
    const GstGlesFramePointList *list, GError **error);
/* Writes the values of the region, 32 bits each, row by row. */
gboolean gst_gles_frame_expression_write_words_native (GstGlesFrameExpression *plan,
    const GstGlesFrameNative *native, const GstGlesFrameExpressionCall *call, guint32 *words,
    GError **error);
GST_GLES_API void gst_gles_frame_expression_finish_native (GstGlesFrameExpression *plan,
    const GstGlesImage *image, const GstGlesFrameExpressionCall *call, guint8 *kept);

G_END_DECLS

#endif
