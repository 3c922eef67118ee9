/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Native twin of expressions on pictures. */
#ifndef GST_GLES_CPU_FRAME_EXPRESSION_H
#define GST_GLES_CPU_FRAME_EXPRESSION_H

#include <gst/gles/cpu/expression/expression.h>
#include <gst/gles/cpu/frame/frame-histogram-rows.h>

G_BEGIN_DECLS

#define GST_GLES_CPU_EXPRESSION_COMPONENTS 4

/* What becomes of a value. */
typedef enum {
  GST_GLES_CPU_ENCODE_PLAIN,     /* the value, which fits */
  GST_GLES_CPU_ENCODE_PREDICATE, /* 1 if it is not 0, else 0 */
  GST_GLES_CPU_ENCODE_LIMITED,   /* the value from lower to upper, else outside */
  GST_GLES_CPU_ENCODE_WORDS      /* the value, in 32 bits */
} GstGlesCpuEncoding;

typedef struct {
  /* A formula, and its inputs in order; or a table of what each sample of the input becomes. */
  const GstGlesCpuExpression *expression;
  const GstGlesLeaf *leaves;
  guint n_leaves;
  const guint16 *table;
  GstGlesCpuEncoding encoding;
  guint lower, upper, outside;

  /* the picture */
  GstGlesCpuChannel channels[GST_GLES_CPU_EXPRESSION_COMPONENTS]; /* a component each */
  GstGlesCpuEdges visible[GST_GLES_CPU_EXPRESSION_COMPONENTS];
  guint crop_x, crop_y, crop_width, crop_height;
  guint sub_x, sub_y; /* of the grid of values */

  const gint32 *parameters;
  gint32 frame;
  /* samples of the previous frame and of the background, as gst_gles_cpu_frame_keep_row() writes
   * them; NULL: they are not read */
  guint8 *previous[GST_GLES_CPU_EXPRESSION_COMPONENTS];
  guint8 *background[GST_GLES_CPU_EXPRESSION_COMPONENTS];
  guint weight; /* of this frame in the background */

  /* the values: those of the grid's region */
  guint x, y, width, height;
  guint8 *values; /* of the whole grid */
  gsize stride;
  gboolean halves; /* 16 bits a value, not 8 */
} GstGlesCpuFrameExpression;

/* Calculates the values of the region. Uses the shared pool. Errors: NO_MEMORY. */
gboolean gst_gles_cpu_frame_expression (const GstGlesCpuFrameExpression *call, GError **error);

/* Writes the value, not encoded, at each of @n points in raster order, two words each: x | y << 16
 * from the visible corner, in luma positions, and the value. Uses the shared pool. Errors:
 * NO_MEMORY. */
gboolean gst_gles_cpu_frame_expression_points (
    const GstGlesCpuFrameExpression *call, guint32 *points, guint n, GError **error);

/* Replaces what is kept of the previous frame, and moves the background. Uses the shared pool. */
void gst_gles_cpu_frame_expression_keep (const GstGlesCpuFrameExpression *call);

G_END_DECLS

#endif
