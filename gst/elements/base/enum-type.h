/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Types of the plugin's enum properties. */
#ifndef ENUM_TYPE_H
#define ENUM_TYPE_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* Returns the enum type @name with @values, which are static and end with an entry of 0 and NULL.
 * The first call registers it and sets *@type, a static variable that is 0 before. Thread: any. */
GType enum_type (gsize *type, const gchar *name, const GEnumValue *values);

G_END_DECLS

#endif
