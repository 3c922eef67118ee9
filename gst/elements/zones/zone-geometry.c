/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "zone-geometry.h"

static inline gint
sign (gint64 value)
{
  return (value > 0) - (value < 0);
}

static inline ZonePoint
get_vertex (const ZoneShape *shape, guint i)
{
  return (ZonePoint){ shape->vertices[i].x, shape->vertices[i].y };
}

static guint
get_n_edges (const ZoneShape *shape)
{
  return shape->is_line ? shape->n - 1 : shape->n;
}

static guint
get_end (const ZoneShape *shape, guint edge)
{
  return edge + 1 < shape->n ? edge + 1 : 0;
}

void
zone_shape_measure (ZoneShape *shape)
{
  shape->left = shape->right = shape->vertices[0].x;
  shape->top = shape->bottom = shape->vertices[0].y;
  for (guint i = 1; i < shape->n; i++) {
    shape->left = MIN (shape->left, shape->vertices[i].x);
    shape->right = MAX (shape->right, shape->vertices[i].x);
    shape->top = MIN (shape->top, shape->vertices[i].y);
    shape->bottom = MAX (shape->bottom, shape->vertices[i].y);
  }
}

/* The cross product of the vectors from @a to @b and from @a to @point: above 0 if @point is on the
 * right of the edge, for who looks from @a to @b. */
static inline gint64
cross (ZonePoint a, ZonePoint b, ZonePoint point)
{
  return (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x);
}

gboolean
zone_shape_contains (const ZoneShape *shape, ZonePoint point)
{
  gboolean inside = FALSE;

  if (!zone_shape_touches (shape, point, point))
    return FALSE;
  for (guint i = 0; i < shape->n; i++) {
    const ZonePoint a = get_vertex (shape, i), b = get_vertex (shape, get_end (shape, i));

    /* an edge that the row of the moved point crosses on the left of the point, or at it */
    if ((a.y <= point.y) != (b.y <= point.y) &&
        (a.y < b.y ? cross (a, b, point) <= 0 : cross (b, a, point) <= 0))
      inside = !inside;
  }
  return inside;
}

/* On which side of the line from @a to @b the moved @point is: 1 for the right, -1 for the left; 0
 * if @a is @b. */
static inline gint
get_side (ZonePoint a, ZonePoint b, ZonePoint point)
{
  const gint64 product = cross (a, b, point);

  if (product != 0)
    return sign (product);
  return a.y != b.y ? sign (a.y - b.y) : sign (b.x - a.x);
}

/* On which side of the motion from the moved @from to the moved @to, which differ, @vertex is. */
static gint
get_side_of_motion (ZonePoint from, ZonePoint to, ZonePoint vertex)
{
  const gint64 product = cross (from, to, vertex);

  if (product != 0)
    return sign (product);
  return from.y != to.y ? sign (to.y - from.y) : sign (from.x - to.x);
}

gint
zone_shape_count_crossings (const ZoneShape *shape, ZonePoint from, ZonePoint to)
{
  const ZonePoint first = { MIN (from.x, to.x), MIN (from.y, to.y) };
  const ZonePoint last = { MAX (from.x, to.x), MAX (from.y, to.y) };
  const guint n_edges = get_n_edges (shape);
  gint count = 0;

  if ((from.x == to.x && from.y == to.y) || !zone_shape_touches (shape, first, last))
    return 0;
  for (guint i = 0; i < n_edges; i++) {
    const ZonePoint a = get_vertex (shape, i), b = get_vertex (shape, get_end (shape, i));
    const gint before = get_side (a, b, from), after = get_side (a, b, to);

    if (before != after && get_side_of_motion (from, to, a) != get_side_of_motion (from, to, b))
      count += after;
  }
  return count;
}

/* Whether the edge from @a to @b and the square touch: neither the axes nor the normal of the edge
 * separate them. */
static gboolean
edge_is_near (ZonePoint a, ZonePoint b, ZonePoint point, gint64 margin)
{
  const ZonePoint corners[] = { { point.x - margin, point.y - margin },
    { point.x + margin, point.y - margin }, { point.x - margin, point.y + margin },
    { point.x + margin, point.y + margin } };
  guint n_left = 0, n_right = 0;

  if (MAX (a.x, b.x) < corners[0].x || MIN (a.x, b.x) > corners[3].x ||
      MAX (a.y, b.y) < corners[0].y || MIN (a.y, b.y) > corners[3].y)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (corners); i++) {
    const gint64 product = cross (a, b, corners[i]);

    n_left += product < 0;
    n_right += product > 0;
  }
  return n_left < G_N_ELEMENTS (corners) && n_right < G_N_ELEMENTS (corners);
}

gboolean
zone_shape_is_near (const ZoneShape *shape, ZonePoint point, gint64 margin)
{
  const guint n_edges = get_n_edges (shape);

  if (!zone_shape_touches (shape, (ZonePoint){ point.x - margin, point.y - margin },
          (ZonePoint){ point.x + margin, point.y + margin }))
    return FALSE;
  for (guint i = 0; i < n_edges; i++) {
    if (edge_is_near (get_vertex (shape, i), get_vertex (shape, get_end (shape, i)), point, margin))
      return TRUE;
  }
  return FALSE;
}
