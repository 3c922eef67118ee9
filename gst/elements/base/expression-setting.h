/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The properties of elements that calculate expressions: the text, and `parameters`. */
#ifndef EXPRESSION_SETTING_H
#define EXPRESSION_SETTING_H

#include <gst/gles/expression/expression.h>
#include <gst/gst.h>

G_BEGIN_DECLS

#define EXPRESSION_NAME_BYTES 32

/* What `parameters` says: numbers by name. */
typedef struct {
  guint n;
  struct {
    gchar name[EXPRESSION_NAME_BYTES];
    gint32 value;
  } items[GST_GLES_EXPRESSION_MAX_PARAMETERS];
} ExpressionParameters;

/* An expression as it was last set: the text, interned, and what it means. */
typedef struct {
  const gchar *text;
  GstGlesExpression *expression; /* nullable */
  gint32 parameters[GST_GLES_EXPRESSION_MAX_PARAMETERS];
} ExpressionInput;

/* Returns the property `parameters`, a string "name=number,…". */
GParamSpec *expression_parameters_spec (void);
/* Sets the parameters of @object under its lock. If @value has none, warns and changes nothing. */
void expression_parameters_set (
    GObject *object, ExpressionParameters *parameters, const GValue *value);
void expression_parameters_get (
    GObject *object, const ExpressionParameters *parameters, GValue *value);

/* Parses @text, interned, unless it is what @input has; an empty one is no expression. Takes the
 * values of its parameters. Parameters that it does not name are ignored, so that an application
 * can set them before the expression. @property: for errors. Errors: SETTINGS. */
gboolean expression_input_update (ExpressionInput *input, const gchar *property, const gchar *text,
    const ExpressionParameters *parameters, GError **error);
void expression_input_clear (ExpressionInput *input);

G_END_DECLS

#endif
