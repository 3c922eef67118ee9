/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_EXPRESSION_H
#define GST_GLES_EXPRESSION_H

#include <gst/gles/core/prelude.h>

G_BEGIN_DECLS

#define GST_TYPE_GLES_EXPRESSION (gst_gles_expression_get_type ())
GST_GLES_API GType gst_gles_expression_get_type (void);

/**
 * GstGlesExpression:
 *
 * A formula on 32-bit integers, parsed. It has no side effects, ends always, and has one value for
 * all inputs on every device. It never changes. Thread: any.
 *
 * Since: 0.1
 */
typedef struct _GstGlesExpression GstGlesExpression;

/**
 * GST_GLES_EXPRESSION_MAX_PARAMETERS:
 *
 * The most parameters (`$name`) of an expression.
 *
 * Since: 0.1
 */
#define GST_GLES_EXPRESSION_MAX_PARAMETERS 16

/**
 * gst_gles_expression_new:
 * @text: the expression
 * @error: set when %NULL is returned
 *
 * Parses an expression on samples of frames, such as `in(hue, 15, 45) && Y > 100`.
 *
 * Returns: (transfer full) (nullable): the expression. Errors: %GST_GLES_ERROR_SETTINGS, with the
 *     column and what was expected there.
 * Since: 0.1
 */
GST_GLES_API GstGlesExpression *gst_gles_expression_new (const gchar *text, GError **error);

/**
 * gst_gles_expression_new_for_arrays:
 * @text: the expression
 * @names: (array zero-terminated=1): what it can name, in the order of the arrays; at most 8
 * @error: set when %NULL is returned
 *
 * Parses an expression on values of arrays, such as `a * 3 + min(b, 255)`.
 *
 * Returns: (transfer full) (nullable): the expression. Errors: as gst_gles_expression_new().
 * Since: 0.1
 */
GST_GLES_API GstGlesExpression *gst_gles_expression_new_for_arrays (
    const gchar *text, const gchar *const *names, GError **error);

/**
 * gst_gles_expression_ref:
 * @expression: an expression
 *
 * Returns: (transfer full): @expression
 * Since: 0.1
 */
GST_GLES_API GstGlesExpression *gst_gles_expression_ref (GstGlesExpression *expression);

/**
 * gst_gles_expression_unref:
 * @expression: (transfer full) (nullable): an expression
 *
 * Drops a reference.
 *
 * Since: 0.1
 */
GST_GLES_API void gst_gles_expression_unref (GstGlesExpression *expression);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesExpression, gst_gles_expression_unref)

/**
 * gst_gles_expression_get_text:
 * @expression: an expression
 *
 * Returns: (transfer none): the text that was parsed
 * Since: 0.1
 */
GST_GLES_API const gchar *gst_gles_expression_get_text (GstGlesExpression *expression);

/**
 * gst_gles_expression_describe:
 * @expression: an expression
 *
 * Tells what is calculated: a line for each operation, in order, on numbers, names, parameters and
 * the results of earlier lines, %1, %2, …; the last line is the value. What is known is calculated,
 * and equal parts are one. Expressions with the same description have the same values.
 *
 * Returns: (transfer full): the description
 * Since: 0.1
 */
GST_GLES_API gchar *gst_gles_expression_describe (GstGlesExpression *expression);

/**
 * gst_gles_expression_get_arrays:
 * @expression: an expression
 *
 * Returns: (transfer none) (array zero-terminated=1) (nullable): the names of the arrays that
 *     gst_gles_expression_new_for_arrays() was given; %NULL for an expression on frames
 * Since: 0.1
 */
GST_GLES_API const gchar *const *gst_gles_expression_get_arrays (GstGlesExpression *expression);

/**
 * gst_gles_expression_get_parameters:
 * @expression: an expression
 *
 * Returns: (transfer none) (array zero-terminated=1): the names of its parameters, without `$`, in
 *     the order in which they first occur
 * Since: 0.1
 */
GST_GLES_API const gchar *const *gst_gles_expression_get_parameters (GstGlesExpression *expression);

/**
 * gst_gles_expression_evaluate:
 * @expression: an expression on arrays
 * @values: (array): one value of each array
 * @parameters: (array) (nullable): the parameters, in the order of
 *     gst_gles_expression_get_parameters()
 *
 * Returns: the value
 * Since: 0.1
 */
GST_GLES_API gint32 gst_gles_expression_evaluate (
    GstGlesExpression *expression, const gint32 *values, const gint32 *parameters);

G_END_DECLS

#endif
