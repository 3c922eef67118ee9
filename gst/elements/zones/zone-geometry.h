/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Points, polygons and lines in 256ths of a pixel, in integers. Coordinates lie within
 * GST_GLES_ZONES_FARTHEST of 0, so that the difference of two products of differences has 60 bits.
 * A point that lies exactly on an edge counts as if it were moved to the right by an infinitely
 * small distance, and down by one that is infinitely smaller still. */
#ifndef ZONE_GEOMETRY_H
#define ZONE_GEOMETRY_H

#include <gst/gles/meta/zones-info.h>

G_BEGIN_DECLS

typedef struct {
  gint64 x, y;
} ZonePoint;

/* A polygon or a line that is placed in a picture. */
typedef struct {
  GstGlesZoneVertex *vertices; /* owned by who placed them */
  guint n;
  gboolean is_line;                /* no edge from the last vertex to the first */
  gint64 left, top, right, bottom; /* the bounds of the vertices */
} ZoneShape;

/* Sets the bounds. */
void zone_shape_measure (ZoneShape *shape);

/* Whether the bounds of @shape touch the rectangle from @first to @last: if not, no point of it is
 * inside, no motion in it crosses the shape, and no edge is near. */
static inline gboolean
zone_shape_touches (const ZoneShape *shape, ZonePoint first, ZonePoint last)
{
  return first.x <= shape->right && last.x >= shape->left && first.y <= shape->bottom &&
      last.y >= shape->top;
}

/* Whether @point is inside of the polygon, by the even-odd rule. */
gboolean zone_shape_contains (const ZoneShape *shape, ZonePoint point);

/* How often the motion from @from to @to crosses @shape from its left to its right, less how often
 * the other way. */
gint zone_shape_count_crossings (const ZoneShape *shape, ZonePoint from, ZonePoint to);

/* Whether an edge of @shape touches the square of all points that are at most @margin, 0 or more,
 * to the left or the right of @point and at most @margin above or below it. */
gboolean zone_shape_is_near (const ZoneShape *shape, ZonePoint point, gint64 margin);

G_END_DECLS

#endif
