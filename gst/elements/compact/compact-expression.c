/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <gst/gles/core/error.h>

#include "compact-expression.h"

gboolean
compact_expressions_are_other (
    const CompactExpressions *expressions, const CompactSettings *settings)
{
  return expressions->predicate.text != settings->expression ||
      expressions->value.text != settings->value;
}

gboolean
compact_expressions_update (CompactExpressions *expressions, const CompactSettings *settings,
    gboolean *changed, GError **error)
{
  *changed = compact_expressions_are_other (expressions, settings);
  if (!expression_input_update (&expressions->predicate, "expression", settings->expression,
          &settings->parameters, error) ||
      !expression_input_update (
          &expressions->value, "value", settings->value, &settings->parameters, error))
    return FALSE;
  if (expressions->predicate.expression != NULL)
    return TRUE;
  g_set_error_literal (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS,
      "predicate=expression without an expression; set expression, such as expression=\"Y > 100\"");
  return FALSE;
}

void
compact_expressions_clear (CompactExpressions *expressions)
{
  expression_input_clear (&expressions->predicate);
  expression_input_clear (&expressions->value);
}

GstGlesFrameExpression *
compact_expressions_new_plan (const CompactExpressions *expressions, GstGlesQueue *queue,
    const GstGlesImage *image, GError **error)
{
  const GstGlesFrameExpressionConfig config = { .expression = expressions->predicate.expression,
    .point_value = expressions->value.expression,
    .predicate = TRUE };

  return gst_gles_frame_expression_new (queue, image, &config, error);
}

GstGlesFrameExpressionCall
compact_expressions_call (
    const CompactExpressions *expressions, const GstGlesFrameCompactCall *call, guint64 frame)
{
  return (GstGlesFrameExpressionCall){ .x = call->x,
    .y = call->y,
    .width = call->width,
    .height = call->height,
    .parameters = expressions->predicate.parameters,
    .value_parameters = expressions->value.parameters,
    .frame = frame,
    .adaptation = call->adaptation };
}
