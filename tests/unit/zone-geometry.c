/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The geometry of gleszones: points on borders belong to one side, crossings agree with what is
 * inside, and shapes far away cost a comparison of bounds. */
#include "../../gst/elements/zones/zone-geometry.h"

#define N 13 /* points of the grid in each direction */

/* Clockwise on the screen, so that the inside is on the right. It has edges in all directions,
 * vertices on points of the grid, and a vertex in the middle of an edge. */
static GstGlesZoneVertex arrow[] = { { 2, 2 }, { 8, 2 }, { 8, 0 }, { 12, 6 }, { 8, 12 }, { 8, 10 },
  { 2, 10 }, { 2, 6 } };
/* what is left of the square of the grid, whose edges lie between points, on the left */
static GstGlesZoneVertex closed[] = { { 2, 2 }, { 8, 2 }, { 8, 0 }, { 12, 6 }, { 8, 12 }, { 8, 10 },
  { 2, 10 }, { 2, 6 }, { 2, 2 } };

static ZoneShape
shape_of (GstGlesZoneVertex *vertices, guint n, gboolean is_line)
{
  ZoneShape shape = { vertices, n, is_line };

  zone_shape_measure (&shape);
  return shape;
}

static ZonePoint
point_at (guint i)
{
  return (ZonePoint){ i % N, i / N };
}

/* Two zones that share an edge neither overlap nor leave a gap. */
static void
test_shared_edges (void)
{
  GstGlesZoneVertex upper[] = { { 0, 0 }, { 12, 0 }, { 12, 5 }, { 7, 7 }, { 0, 3 } };
  GstGlesZoneVertex lower[] = { { 0, 3 }, { 7, 7 }, { 12, 5 }, { 12, 12 }, { 0, 12 } };
  const ZoneShape a = shape_of (upper, 5, FALSE), b = shape_of (lower, 5, FALSE);

  for (guint i = 0; i < N * N; i++) {
    const ZonePoint point = point_at (i);
    const guint n = zone_shape_contains (&a, point) + zone_shape_contains (&b, point);

    /* of the outer edges, the left and the upper ones belong to the zones */
    g_assert_cmpuint (n, ==, point.x < 12 && point.y < 12 ? 1 : 0);
  }
}

/* A motion crosses the border of a zone, in less out, as what is inside says, also through
 * vertices, along edges, and where it begins or ends on the border. */
static void
test_crossings_and_inside_agree (void)
{
  const ZoneShape zone = shape_of (arrow, G_N_ELEMENTS (arrow), FALSE);
  const ZoneShape line = shape_of (closed, G_N_ELEMENTS (closed), TRUE);
  guint n_crossings = 0;

  for (guint i = 0; i < N * N; i++) {
    for (guint k = 0; k < N * N; k++) {
      const ZonePoint from = point_at (i), to = point_at (k);
      const gint expected = zone_shape_contains (&zone, to) - zone_shape_contains (&zone, from);

      g_assert_cmpint (zone_shape_count_crossings (&line, from, to), ==, expected);
      n_crossings += expected != 0;
    }
  }
  g_assert_cmpuint (n_crossings, >, 1000);
}

/* The square touches an edge, its end, and no more. */
static void
test_near (void)
{
  GstGlesZoneVertex vertices[] = { { 10, 10 }, { 20, 20 } };
  const ZoneShape line = shape_of (vertices, 2, TRUE);

  g_assert_true (zone_shape_is_near (&line, (ZonePoint){ 15, 15 }, 0));
  g_assert_false (zone_shape_is_near (&line, (ZonePoint){ 15, 16 }, 0));
  g_assert_true (zone_shape_is_near (&line, (ZonePoint){ 14, 18 }, 2));
  g_assert_false (zone_shape_is_near (&line, (ZonePoint){ 13, 18 }, 2));
  g_assert_true (zone_shape_is_near (&line, (ZonePoint){ 23, 23 }, 3));
  g_assert_false (zone_shape_is_near (&line, (ZonePoint){ 24, 20 }, 3));
}

/* A shape whose bounds are elsewhere is not looked at: there is nothing to look at here. */
static void
test_bounds_come_first (void)
{
  static const ZonePoint outside[] = { { 9, 15 }, { 21, 15 }, { 15, 9 }, { 15, 21 } };
  const ZoneShape far = { NULL, 20, FALSE, .left = 10, .top = 10, .right = 20, .bottom = 20 };

  for (guint i = 0; i < G_N_ELEMENTS (outside); i++) {
    const ZonePoint point = outside[i];
    const ZonePoint beside = { point.x + (point.y == 15 ? 0 : 3),
      point.y + (point.y == 15 ? 3 : 0) };

    g_assert_false (zone_shape_contains (&far, point));
    g_assert_false (zone_shape_is_near (&far, point, 0));
    g_assert_cmpint (zone_shape_count_crossings (&far, point, beside), ==, 0);
  }
}

/* The farthest coordinates do not overflow. */
static void
test_farthest (void)
{
  const gint32 far = GST_GLES_ZONES_FARTHEST;
  GstGlesZoneVertex vertices[] = { { -far, -far }, { far, -far }, { far, far }, { -far, far } };
  const ZoneShape zone = shape_of (vertices, 4, FALSE);
  const ZoneShape line = shape_of (vertices + 1, 2, TRUE);

  g_assert_true (zone_shape_contains (&zone, (ZonePoint){ -far, -far }));
  g_assert_false (zone_shape_contains (&zone, (ZonePoint){ far, 0 }));
  g_assert_cmpint (
      zone_shape_count_crossings (&line, (ZonePoint){ far, 0 }, (ZonePoint){ -far, 1 }), ==, 1);
  g_assert_false (zone_shape_is_near (&zone, (ZonePoint){ 0, 0 }, far - 1));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/zone-geometry/shared-edges", test_shared_edges);
  g_test_add_func ("/zone-geometry/crossings-and-inside-agree", test_crossings_and_inside_agree);
  g_test_add_func ("/zone-geometry/near", test_near);
  g_test_add_func ("/zone-geometry/bounds-come-first", test_bounds_come_first);
  g_test_add_func ("/zone-geometry/farthest", test_farthest);
  return g_test_run ();
}
