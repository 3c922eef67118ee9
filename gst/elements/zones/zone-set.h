/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The properties `zones` and `lines`: named polygons and lines for pictures of any size. */
#ifndef ZONE_SET_H
#define ZONE_SET_H

#include "zone-geometry.h"

G_BEGIN_DECLS

#define ZONE_SET_MAX (GST_GLES_ZONES_MAX / 2) /* zones of a set */
#define ZONE_SET_MAX_VERTICES 4096            /* of all zones of a set */
#define ZONE_MAX_SIDE 65535                   /* of a picture, in pixels */

/* What a zone may say for itself; else the properties of the element hold. */
typedef struct {
  gchar *types;                  /* NULL: as the property says */
  gint64 min_time, dwell, crowd; /* nanoseconds, nanoseconds, things; -1: as the property says */
} ZoneOptions;

/* One coordinate: millionths of the side of the picture, or of a pixel. */
typedef struct {
  gint64 value;
  gboolean in_pixels;
} ZoneCoordinate;

typedef struct {
  gchar *name, *text; /* @text: all that defines it */
  gboolean is_line;
  ZoneOptions options;
  GArray *coordinates; /* of ZoneCoordinate, x and y in turns */
} ZoneDefinition;

/* Definitions in their order. Immutable. */
typedef GPtrArray ZoneSet; /* of ZoneDefinition */

/* Parses definitions, "NAME [types=A,B] [min-time=S] [dwell=S] [crowd=N]: x,y x,y x,y; ...": of
 * lines if @are_lines, otherwise of polygons. A text without definitions is a set without zones.
 * (transfer full), to be freed with g_ptr_array_unref(). Errors: SETTINGS, which names the zone,
 * the column and what was expected. */
ZoneSet *zone_set_new (const gchar *text, gboolean are_lines, GError **error);

/* Places the vertices of @zone in a picture of @width x @height pixels, up to ZONE_MAX_SIDE each:
 * (transfer full), to be freed with g_free(). */
GstGlesZoneVertex *zone_definition_place (const ZoneDefinition *zone, guint width, guint height);

G_END_DECLS

#endif
