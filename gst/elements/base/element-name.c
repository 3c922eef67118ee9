/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "element-name.h"

#include <string.h>

void
element_name_instance (GstObject *element)
{
  static const gchar suffix[] = "element";
  g_autofree gchar *type = g_ascii_strdown (G_OBJECT_TYPE_NAME (element) + strlen ("Gst"), -1);
  g_autofree gchar *old = gst_object_get_name (element), *name = NULL;

  if (!g_str_has_prefix (old, type) || !g_str_has_suffix (type, suffix))
    return;
  name = g_strdup_printf (
      "%.*s%s", (gint) (strlen (type) - strlen (suffix)), type, old + strlen (type));
  gst_object_set_name (element, name);
}

static void
constructed (GObject *object)
{
  G_OBJECT_CLASS (g_type_class_peek_parent (G_OBJECT_GET_CLASS (object)))->constructed (object);
  element_name_instance (GST_OBJECT (object));
}

void
element_class_name_instances (GObjectClass *klass)
{
  klass->constructed = constructed;
}
