/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <string.h>

#include <gst/gles/core/error.h>

#include "expression-setting.h"
#include "settings.h"

GParamSpec *
expression_parameters_spec (void)
{
  return g_param_spec_string ("parameters", "Parameters",
      "Values of the parameters of expressions, \"name=number,...\": $name in an expression; "
      "changes compile nothing",
      "", SETTING_FLAGS);
}

static gboolean
is_name (const gchar *text)
{
  if (!g_ascii_isalpha (text[0]) && text[0] != '_')
    return FALSE;
  for (const gchar *c = text; *c != '\0'; c++) {
    if (!g_ascii_isalnum (*c) && *c != '_')
      return FALSE;
  }
  return strlen (text) < EXPRESSION_NAME_BYTES;
}

/* A number as expressions have them: decimal or hexadecimal, from -2^31 to 2^32 - 1. */
static gboolean
read_value (const gchar *text, gint32 *value)
{
  const gboolean is_negative = text[0] == '-';
  const gchar *digits = text + is_negative;
  const gboolean is_hex = g_str_has_prefix (digits, "0x");
  guint64 number;

  if (!g_ascii_string_to_unsigned (digits + (is_hex ? 2 : 0), is_hex ? 16 : 10, 0,
          is_negative ? 1u << 31 : G_MAXUINT32, &number, NULL))
    return FALSE;
  *value = (gint32) (is_negative ? -number : number);
  return TRUE;
}

/* Returns the index of @name, or how many parameters there are. */
static guint
find (const ExpressionParameters *parameters, const gchar *name)
{
  guint i = 0;

  while (i < parameters->n && !g_str_equal (parameters->items[i].name, name))
    i++;
  return i;
}

static gboolean
add_item (gchar *text, ExpressionParameters *parameters)
{
  gchar *equals = strchr (text, '=');

  if (equals == NULL || parameters->n == GST_GLES_EXPRESSION_MAX_PARAMETERS)
    return FALSE;
  *equals = '\0';
  g_strstrip (text);
  if (!is_name (text) || find (parameters, text) < parameters->n ||
      !read_value (g_strstrip (equals + 1), &parameters->items[parameters->n].value))
    return FALSE;
  g_strlcpy (parameters->items[parameters->n++].name, text, EXPRESSION_NAME_BYTES);
  return TRUE;
}

static gboolean
read_parameters (const gchar *text, ExpressionParameters *parameters)
{
  g_auto (GStrv) items = g_strsplit (text != NULL ? text : "", ",", -1);

  memset (parameters, 0, sizeof (*parameters));
  for (guint i = 0; items[i] != NULL; i++) {
    if (g_strstrip (items[i])[0] != '\0' && !add_item (items[i], parameters))
      return FALSE;
  }
  return TRUE;
}

void
expression_parameters_set (GObject *object, ExpressionParameters *parameters, const GValue *value)
{
  ExpressionParameters wanted;

  if (!read_parameters (g_value_get_string (value), &wanted)) {
    g_warning ("%s: parameters \"%s\" are refused: set parameters to at most %d different names "
               "with numbers of 32 bits, \"low=10,high=0x20\"",
        GST_OBJECT_NAME (object), g_value_get_string (value), GST_GLES_EXPRESSION_MAX_PARAMETERS);
    return;
  }
  GST_OBJECT_LOCK (object);
  *parameters = wanted;
  GST_OBJECT_UNLOCK (object);
}

void
expression_parameters_get (GObject *object, const ExpressionParameters *parameters, GValue *value)
{
  GString *text = g_string_new (NULL);

  GST_OBJECT_LOCK (object);
  for (guint i = 0; i < parameters->n; i++)
    g_string_append_printf (
        text, "%s%s=%d", i > 0 ? "," : "", parameters->items[i].name, parameters->items[i].value);
  GST_OBJECT_UNLOCK (object);
  g_value_take_string (value, g_string_free (text, FALSE));
}

/* ---- expressions ---- */

static gboolean
take_values (ExpressionInput *input, const gchar *property, const ExpressionParameters *parameters,
    GError **error)
{
  const gchar *const *names = gst_gles_expression_get_parameters (input->expression);

  for (guint i = 0; names[i] != NULL; i++) {
    const guint k = find (parameters, names[i]);

    if (k == parameters->n) {
      g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS,
          "%s: $%s has no value; set parameters=\"%s=...\"", property, names[i], names[i]);
      return FALSE;
    }
    input->parameters[i] = parameters->items[k].value;
  }
  return TRUE;
}

gboolean
expression_input_update (ExpressionInput *input, const gchar *property, const gchar *text,
    const ExpressionParameters *parameters, GError **error)
{
  if (text != input->text) {
    expression_input_clear (input);
    if (text[0] != '\0')
      input->expression = gst_gles_expression_new (text, error);
    if (text[0] != '\0' && input->expression == NULL) {
      g_prefix_error (error, "%s: ", property);
      return FALSE;
    }
    input->text = text;
  }
  return input->expression == NULL || take_values (input, property, parameters, error);
}

void
expression_input_clear (ExpressionInput *input)
{
  g_clear_pointer (&input->expression, gst_gles_expression_unref);
  input->text = NULL;
}
