/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Properties that are members of a plain structure, the settings of an element, which is changed
 * under the object lock. */
#ifndef SETTINGS_H
#define SETTINGS_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* The flags of properties that may change while playing, of those that a GstController may change,
 * and of those that are read when the element starts. */
#define SETTING_FLAGS                                                                              \
  ((GParamFlags) (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING))
#define SETTING_FLAGS_READY                                                                        \
  ((GParamFlags) (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY))
#define SETTING_CONTROLLABLE ((GParamFlags) (SETTING_FLAGS | GST_PARAM_CONTROLLABLE))

/* Installs @spec as property @id, which several properties may have: the member of the settings at
 * @offset, of the type of its values: boolean, enum, flags, uint or double, or string: interned. */
void settings_install (GObjectClass *klass, guint id, gsize offset, GParamSpec *spec);

/* Sets @settings to the defaults of all properties of @object that were installed as @id. */
void settings_init (GObject *object, guint id, gpointer settings);

/* Implement set_property and get_property. NULL stands for the default of a string. */
void settings_set (GObject *object, gpointer settings, const GValue *value, GParamSpec *spec);
void settings_get (GObject *object, gconstpointer settings, GValue *value, GParamSpec *spec);

/* Return the enum or flags type @name with @values, which are static and end with an entry of 0 and
 * NULL. The first call registers it. Call in a class_init(), which GObject runs one at a time. */
GType enum_type (const gchar *name, const GEnumValue *values);
GType flags_type (const gchar *name, const GFlagsValue *values);

G_END_DECLS

#endif
