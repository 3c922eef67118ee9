/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "settings.h"

static GQuark
offset_quark (void)
{
  return g_quark_from_static_string ("gst-gles-setting-offset");
}

void
settings_install (GObjectClass *klass, guint id, gsize offset, GParamSpec *spec)
{
  /* not NULL, which says that a property is none of the settings */
  g_param_spec_set_qdata (spec, offset_quark (), GSIZE_TO_POINTER (offset + 1));
  g_object_class_install_property (klass, id, spec);
}

static gsize
get_offset (GParamSpec *spec)
{
  return GPOINTER_TO_SIZE (g_param_spec_get_qdata (spec, offset_quark ())) - 1;
}

static void
set (gpointer settings, const GValue *value, GParamSpec *spec)
{
  const gsize offset = get_offset (spec);
  const gchar *text;

  switch (G_TYPE_FUNDAMENTAL (spec->value_type)) {
    case G_TYPE_BOOLEAN:
      G_STRUCT_MEMBER (gboolean, settings, offset) = g_value_get_boolean (value);
      break;
    case G_TYPE_ENUM:
      G_STRUCT_MEMBER (gint, settings, offset) = g_value_get_enum (value);
      break;
    case G_TYPE_FLAGS:
      G_STRUCT_MEMBER (guint, settings, offset) = g_value_get_flags (value);
      break;
    case G_TYPE_UINT:
      G_STRUCT_MEMBER (guint, settings, offset) = g_value_get_uint (value);
      break;
    case G_TYPE_DOUBLE:
      G_STRUCT_MEMBER (gdouble, settings, offset) = g_value_get_double (value);
      break;
    default:
      text = g_value_get_string (value);
      if (text == NULL)
        text = g_value_get_string (g_param_spec_get_default_value (spec));
      G_STRUCT_MEMBER (const gchar *, settings, offset) = g_intern_string (text);
      break;
  }
}

void
settings_set (GObject *object, gpointer settings, const GValue *value, GParamSpec *spec)
{
  GST_OBJECT_LOCK (object);
  set (settings, value, spec);
  GST_OBJECT_UNLOCK (object);
}

void
settings_get (GObject *object, gconstpointer settings, GValue *value, GParamSpec *spec)
{
  const gsize offset = get_offset (spec);

  GST_OBJECT_LOCK (object);
  switch (G_TYPE_FUNDAMENTAL (spec->value_type)) {
    case G_TYPE_BOOLEAN:
      g_value_set_boolean (value, G_STRUCT_MEMBER (gboolean, settings, offset));
      break;
    case G_TYPE_ENUM:
      g_value_set_enum (value, G_STRUCT_MEMBER (gint, settings, offset));
      break;
    case G_TYPE_FLAGS:
      g_value_set_flags (value, G_STRUCT_MEMBER (guint, settings, offset));
      break;
    case G_TYPE_UINT:
      g_value_set_uint (value, G_STRUCT_MEMBER (guint, settings, offset));
      break;
    case G_TYPE_DOUBLE:
      g_value_set_double (value, G_STRUCT_MEMBER (gdouble, settings, offset));
      break;
    default:
      g_value_set_static_string (value, G_STRUCT_MEMBER (const gchar *, settings, offset));
      break;
  }
  GST_OBJECT_UNLOCK (object);
}

void
settings_init (GObject *object, guint id, gpointer settings)
{
  guint n;
  g_autofree GParamSpec **specs = g_object_class_list_properties (G_OBJECT_GET_CLASS (object), &n);

  for (guint i = 0; i < n; i++) {
    if (specs[i]->param_id == id && g_param_spec_get_qdata (specs[i], offset_quark ()) != NULL)
      set (settings, g_param_spec_get_default_value (specs[i]), specs[i]);
  }
}

GType
enum_type (const gchar *name, const GEnumValue *values)
{
  GType type = g_type_from_name (name);

  if (type == G_TYPE_INVALID) {
    type = g_enum_register_static (name, values);
    gst_type_mark_as_plugin_api (type, 0);
  }
  return type;
}

GType
flags_type (const gchar *name, const GFlagsValue *values)
{
  GType type = g_type_from_name (name);

  if (type == G_TYPE_INVALID) {
    type = g_flags_register_static (name, values);
    gst_type_mark_as_plugin_api (type, 0);
  }
  return type;
}
