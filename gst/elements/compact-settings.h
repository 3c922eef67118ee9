/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The properties of glescompact. */
#ifndef COMPACT_SETTINGS_H
#define COMPACT_SETTINGS_H

#include <gst/gles/meta/points.h>

#include "gstglesregion.h"

G_BEGIN_DECLS

typedef enum {
  COMPACT_REFERENCE_PREVIOUS,
  COMPACT_REFERENCE_BACKGROUND
} CompactReference;

typedef struct {
  GstGlesPointsPredicate predicate;
  gint channel;
  guint lower, upper;
  GstGlesRegionSetting region;
  guint max_points;
  CompactReference reference;
  guint adaptation;
} CompactSettings;

/* Installs all properties of @klass, and nothing else with their ids. */
void compact_settings_install (GObjectClass *klass);

void compact_settings_init (CompactSettings *settings);

/* Implement set_property and get_property of @object, under its lock. */
void compact_settings_set (
    CompactSettings *settings, GObject *object, guint id, const GValue *value, GParamSpec *pspec);
void compact_settings_get (
    const CompactSettings *settings, GObject *object, guint id, GValue *value, GParamSpec *pspec);

G_END_DECLS

#endif
