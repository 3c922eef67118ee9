/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "element-setting.h"

#include <string.h>

/* Returns the names of the properties of @object that can be written: (transfer full). */
static gchar *
list_properties (GObject *object)
{
  guint n;
  g_autofree GParamSpec **specs = g_object_class_list_properties (G_OBJECT_GET_CLASS (object), &n);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (guint i = 0; i < n; i++) {
    if ((specs[i]->flags & G_PARAM_WRITABLE) && !g_str_equal (specs[i]->name, "name") &&
        !g_str_equal (specs[i]->name, "parent"))
      g_ptr_array_add (names, (gpointer) specs[i]->name);
  }
  g_ptr_array_add (names, NULL);
  return g_strjoinv (", ", (gchar **) names->pdata);
}

/* Returns what values @spec takes: (transfer full). */
static gchar *
describe_values (GParamSpec *spec)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (G_IS_PARAM_SPEC_ENUM (spec)) {
    const GEnumClass *values = G_PARAM_SPEC_ENUM (spec)->enum_class;

    for (guint i = 0; i < values->n_values; i++)
      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", values->values[i].value_nick);
    return g_string_free (g_steal_pointer (&text), FALSE);
  }
  if (G_IS_PARAM_SPEC_FLAGS (spec)) {
    const GFlagsClass *values = G_PARAM_SPEC_FLAGS (spec)->flags_class;

    for (guint i = 0; i < values->n_values; i++)
      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", values->values[i].value_nick);
    g_string_append (text, ", several with a + between");
    return g_string_free (g_steal_pointer (&text), FALSE);
  }
  if (G_IS_PARAM_SPEC_UINT (spec))
    return g_strdup_printf (
        "%u to %u", G_PARAM_SPEC_UINT (spec)->minimum, G_PARAM_SPEC_UINT (spec)->maximum);
  if (G_IS_PARAM_SPEC_DOUBLE (spec))
    return g_strdup_printf (
        "%g to %g", G_PARAM_SPEC_DOUBLE (spec)->minimum, G_PARAM_SPEC_DOUBLE (spec)->maximum);
  if (G_IS_PARAM_SPEC_UINT64 (spec))
    return g_strdup_printf ("%" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT,
        G_PARAM_SPEC_UINT64 (spec)->minimum, G_PARAM_SPEC_UINT64 (spec)->maximum);
  return g_strdup (G_IS_PARAM_SPEC_BOOLEAN (spec) ? "true, false" : g_type_name (spec->value_type));
}

gboolean
element_setting_refuse (GError **error, const gchar *whole, const gchar *why, const gchar *there)
{
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "%s: %s: %s", whole, why, there);
  return FALSE;
}

/* Returns whether @element took @value, of property @spec: some are looked at when they are set,
 * and refused with a warning. */
static gboolean
set_value (GstElement *element, GParamSpec *spec, const GValue *value)
{
  g_auto (GValue) before = G_VALUE_INIT, after = G_VALUE_INIT;

  if (!(spec->flags & G_PARAM_READABLE)) {
    g_object_set_property (G_OBJECT (element), spec->name, value);
    return TRUE;
  }
  g_object_get_property (G_OBJECT (element), spec->name, g_value_init (&before, spec->value_type));
  g_object_set_property (G_OBJECT (element), spec->name, value);
  g_object_get_property (G_OBJECT (element), spec->name, g_value_init (&after, spec->value_type));
  return g_param_values_cmp (spec, &before, &after) != 0 ||
      g_param_values_cmp (spec, value, &after) == 0;
}

gboolean
element_setting_apply (
    GstElement *element, const gchar *setting, const gchar *whole, GError **error)
{
  const gchar *equals = strchr (setting, '=');
  g_autofree gchar *name =
      equals != NULL ? g_strndup (setting, (gsize) (equals - setting)) : g_strdup (setting);
  GParamSpec *spec = g_object_class_find_property (G_OBJECT_GET_CLASS (element), name);
  g_autofree gchar *there = NULL;
  g_auto (GValue) value = G_VALUE_INIT;

  if (spec == NULL || !(spec->flags & G_PARAM_WRITABLE) || equals == NULL) {
    there = list_properties (G_OBJECT (element));
    return element_setting_refuse (error, whole, "no such property; there are", there);
  }
  g_value_init (&value, spec->value_type);
  if (!gst_value_deserialize_with_pspec (&value, equals + 1, spec) ||
      g_param_value_validate (spec, &value)) {
    there = describe_values (spec);
    return element_setting_refuse (
        error, whole, "not a value of this property, which takes", there);
  }
  return set_value (element, spec, &value) ||
      element_setting_refuse (
          error, whole, "the element refuses it", g_param_spec_get_blurb (spec));
}
