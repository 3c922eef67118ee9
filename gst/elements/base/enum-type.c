/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "enum-type.h"

GType
enum_type (gsize *type, const gchar *name, const GEnumValue *values)
{
  if (g_once_init_enter (type)) {
    GType registered = g_enum_register_static (name, values);
    gst_type_mark_as_plugin_api (registered, 0);
    g_once_init_leave (type, registered);
  }
  return *type;
}
