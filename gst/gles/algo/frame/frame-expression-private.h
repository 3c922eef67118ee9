/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_FRAME_EXPRESSION_PRIVATE_H
#define GST_GLES_FRAME_EXPRESSION_PRIVATE_H

#include <gst/gles/algo/frame/frame-expression.h>
#include <gst/gles/cpu/frame/frame-expression.h>
#include <gst/gles/gl/program.h>
#include <glsl/frame/frame-expression-layout.h>

G_BEGIN_DECLS

/* An expression on a format. */
typedef struct {
  GstGlesGraph *graph; /* NULL: there is none */
  guint result;
  const GstGlesLeaf *leaves;
  guint n_leaves;
  GstGlesCpuEncoding encoding;
  guint outside; /* what stands for values that are not kept */
  GstGlesCpuExpression *native;
  GstGlesProgram *program;
  /* where one component of few bits is all that is read: what each sample becomes */
  guint table_bits; /* of an entry on the device; 0: there is no table */
  guint table_depth;
  guint16 *table;
  gint32 table_parameters[GST_GLES_EXPRESSION_MAX_PARAMETERS]; /* that it was made for */
} GstGlesFrameFormula;

/* The uniform block, without a table and with one. */
typedef struct {
  GstGlesFrameExpressionPass pass;
  GstGlesFrameExpressionSource sources[GST_GLES_MAX_COMPONENTS];
  GstGlesComponent components[GST_GLES_MAX_COMPONENTS];
  gint32 parameters[GST_GLES_EXPRESSION_MAX_PARAMETERS];
} GstGlesFrameExpressionParams;

typedef struct {
  GstGlesFrameExpressionParams params;
  guint32 table[4 * GST_GLES_FRAME_EXPRESSION_TABLE_ROWS];
} GstGlesFrameExpressionTableParams;

struct _GstGlesFrameExpression {
  GstGlesFramePlan plan; /* buffers: averages of each component, then bytes of the previous frame */
  GstGlesFrameExpressionConfig config;
  GstGlesImage picture;       /* of values, without pixels */
  guint sub_x, sub_y;         /* of its grid */
  guint n_parameters;         /* of the expression */
  guint components;           /* that are read */
  guint previous, background; /* the same, of the previous frame and of the background */
  GstGlesFrameFormula formula, value;

  /* on a device with GL */
  gboolean is_prepared;
  GstGlesBuffer *values;
  GstGlesFrameRange used;
  gsize averages_at[GST_GLES_MAX_COMPONENTS], previous_at;
  GstGlesProgram *keep, *average;

  guint8 *cpu_values; /* on a cpu device */
};

/* ---- frame-expression-formula.c ---- */

/* Binds @expression to the format of @plan, whose grid is known, and chooses a table. */
gboolean gst_gles_frame_formula_init (GstGlesFrameFormula *formula,
    const GstGlesFrameExpression *plan, const GstGlesExpression *expression, GError **error);
void gst_gles_frame_formula_clear (GstGlesFrameFormula *formula);
/* Makes the table for @parameters, unless it is there. */
void gst_gles_frame_formula_update (GstGlesFrameFormula *formula, const gint32 *parameters,
    guint n_parameters, guint lower, guint upper);

/* ---- frame-expression-grid.c ---- */

/* Returns the finest component of @format that @names, bits of GstGlesName, stand for, or the first
 * one. */
const GstGlesComponent *gst_gles_frame_expression_find_grid (
    const GstGlesImage *format, guint names);

/* ---- frame-expression-code.c ---- */

/* Returns the functions that the kernels include: (transfer full). */
gchar *gst_gles_frame_formula_write_code (const GstGlesFrameFormula *formula,
    const GstGlesImage *format, guint sub_x, guint sub_y, gboolean groups);

/* ---- frame-expression-native.c ---- */

/* Describes a call, where @kept (nullable) is what the frame is compared with, without a place for
 * the values. */
void gst_gles_frame_expression_describe_native (const GstGlesFrameExpression *plan,
    const GstGlesImage *image, const GstGlesFrameExpressionCall *call, guint8 *kept,
    GstGlesCpuFrameExpression *native);
/* The size of what native code keeps of a frame. */
gsize gst_gles_frame_expression_kept_bytes (const GstGlesFrameExpression *plan);

/* ---- frame-expression-reference.c ---- */

/* On a device with GL: allocates the reference and gets its programs. */
gboolean gst_gles_frame_expression_prepare_reference (GstGlesFrameExpression *plan, GError **error);
/* Queues its kernels without work. */
gboolean gst_gles_frame_expression_warm_reference (
    GstGlesFrameExpression *plan, GstGlesBuffer *nothing, GError **error);
/* Queues making @image the reference. */
gboolean gst_gles_frame_expression_update_reference (
    GstGlesFrameExpression *plan, const GstGlesImage *image, guint adaptation, GError **error);

/* ---- frame-expression.c ---- */

/* Makes a plan without a queue, for a picture of I420, to write code for; FALSE: it cannot be made.
 * In both cases gst_gles_frame_expression_clear_example() follows. */
gboolean gst_gles_frame_expression_init_example (
    GstGlesFrameExpression *plan, const GstGlesFrameExpressionConfig *config);
void gst_gles_frame_expression_clear_example (GstGlesFrameExpression *plan);

void gst_gles_frame_expression_specialisations (GstGlesSpecialisationFunc func, gpointer user_data);

G_END_DECLS

#endif
