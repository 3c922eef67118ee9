/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is drawn where it was found: points, and tiles shaded by how full they are. Each in a layer no
 * larger than what it shows: blending costs by the pixel. */
#include "overlay-draw.h"

#include <math.h>

#define POINT_ALPHA 0.60
#define TILE_MIN_ALPHA 0.16
#define TILE_MAX_ALPHA 0.62
#define TILE_EDGE_ALPHA 0.80

/* A rectangle of pixels, right and bottom exclusive. */
typedef struct {
  guint left, top, right, bottom;
} Area;

static const Area nowhere = { G_MAXUINT, G_MAXUINT, 0, 0 };

static void
area_add (Area *area, const Area *more)
{
  area->left = MIN (area->left, more->left);
  area->top = MIN (area->top, more->top);
  area->right = MAX (area->right, more->right);
  area->bottom = MAX (area->bottom, more->bottom);
}

/* Pixels of the frame for those from @from to @to of a picture of @reference, @size at least. */
static void
scale_span (
    guint from, guint to, guint reference, guint frame, guint size, guint *start, guint *end)
{
  const guint64 first = (guint64) from * frame / reference;
  const guint64 last = ((guint64) to * frame + reference - 1) / reference;

  *start = (guint) MIN (first, frame - 1);
  *end = (guint) MIN (MAX (last, first + size), frame);
}

/* A colour as a layer holds it: premultiplied. */
static guint32
pixel (OverlayColour colour, gdouble alpha)
{
  const guint a = (guint) lrint (255 * alpha);

  return a << 24 | (guint32) lrint (a * colour.r) << 16 | (guint32) lrint (a * colour.g) << 8 |
      (guint32) lrint (a * colour.b);
}

static void
fill (OverlayLayer *layer, const Area *area, guint32 value)
{
  guint32 *words = (guint32 *) layer->map.data;

  for (guint y = area->top; y < area->bottom; y++) {
    guint32 *row = words + (gsize) (y - (guint) layer->y) * layer->width - layer->x;

    for (guint x = area->left; x < area->right; x++)
      row[x] = value;
  }
}

static void
begin (OverlayLayer *layer, const Area *area)
{
  overlay_layer_begin (layer, (gint) area->left, (gint) area->top, area->right - area->left,
      area->bottom - area->top);
  /* pixels are written past cairo */
  cairo_surface_flush (layer->surface);
}

/* ---- points ---- */

/* Points are drawn as large as they are, but in large pictures not so small that they vanish. */
typedef struct {
  const GstGlesPoint *points;
  guint n, width, height; /* of the picture that was analysed */
  guint size;
} Points;

static Area
point_area (const Points *points, guint i, const OverlayLook *look)
{
  const guint x = MIN (points->points[i].x, points->width - 1);
  const guint y = MIN (points->points[i].y, points->height - 1);
  Area area;

  scale_span (x, x + 1, points->width, look->width, points->size, &area.left, &area.right);
  scale_span (y, y + 1, points->height, look->height, points->size, &area.top, &area.bottom);
  return area;
}

GstVideoOverlayRectangle *
overlay_draw_points (GstGlesPointsResult *result, const OverlayLook *look)
{
  const guint32 value = pixel (overlay_points_colour, POINT_ALPHA);
  Points points = { .size = (guint) MAX (1, lrint (overlay_text_size (look) / 17)) };
  Area all = nowhere;
  OverlayLayer layer;

  points.points = gst_gles_points_result_get_points (result, &points.n, NULL);
  gst_gles_points_result_get_size (result, &points.width, &points.height);
  for (guint i = 0; i < points.n; i++) {
    const Area area = point_area (&points, i, look);

    area_add (&all, &area);
  }
  if (points.n == 0)
    return NULL;
  begin (&layer, &all);
  for (guint i = 0; i < points.n; i++) {
    const Area area = point_area (&points, i, look);

    fill (&layer, &area, value);
  }
  cairo_surface_mark_dirty (layer.surface);
  return overlay_layer_finish (&layer, look);
}

/* ---- tiles ---- */

typedef struct {
  const guint32 *offsets;
  guint columns, rows, tile_width, tile_height;
  guint width, height; /* of the picture that was analysed */
  guint largest;       /* entries of the fullest tile */
} Tiles;

static gboolean
get_tiles (GstGlesTilesResult *result, Tiles *tiles)
{
  guint n;

  tiles->offsets = gst_gles_tiles_result_get_offsets (result, &n, NULL);
  gst_gles_tiles_result_get_grid (result, &tiles->columns, &tiles->rows);
  gst_gles_tiles_result_get_tile_size (result, &tiles->tile_width, &tiles->tile_height);
  gst_gles_tiles_result_get_size (result, &tiles->width, &tiles->height);
  return tiles->offsets != NULL &&
      gst_gles_tiles_result_get_occupancy (result, NULL, &tiles->largest, NULL);
}

static Area
tile_area (const Tiles *tiles, guint tile, const OverlayLook *look)
{
  const guint x = tile % tiles->columns * tiles->tile_width;
  const guint y = tile / tiles->columns * tiles->tile_height;
  Area area;

  scale_span (x, MIN (x + tiles->tile_width, tiles->width), tiles->width, look->width, 1,
      &area.left, &area.right);
  scale_span (y, MIN (y + tiles->tile_height, tiles->height), tiles->height, look->height, 1,
      &area.top, &area.bottom);
  return area;
}

/* The left and upper edge of a tile: with those of its neighbours they make the grid. */
static void
draw_edges (OverlayLayer *layer, const Area *area, guint line, guint32 value)
{
  const Area edges[] = {
    { area->left, area->top, area->right, MIN (area->top + line, area->bottom) },
    { area->left, area->top, MIN (area->left + line, area->right), area->bottom },
  };

  for (guint i = 0; i < G_N_ELEMENTS (edges); i++)
    fill (layer, &edges[i], value);
}

static void
draw_tile (OverlayLayer *layer, const Tiles *tiles, guint tile, const OverlayLook *look)
{
  const guint entries = tiles->offsets[tile + 1] - tiles->offsets[tile];
  const guint line = (guint) MAX (1, lrint (overlay_text_size (look) / 22));
  const gdouble share = sqrt ((gdouble) entries / tiles->largest);
  const Area area = tile_area (tiles, tile, look);

  fill (layer, &area,
      pixel (overlay_tiles_colour, TILE_MIN_ALPHA + (TILE_MAX_ALPHA - TILE_MIN_ALPHA) * share));
  if (MIN (area.right - area.left, area.bottom - area.top) >= 6 * line)
    draw_edges (layer, &area, line, pixel (overlay_tiles_colour, TILE_EDGE_ALPHA));
}

GstVideoOverlayRectangle *
overlay_draw_tiles (GstGlesTilesResult *result, const OverlayLook *look)
{
  Tiles tiles;
  Area all = nowhere;
  OverlayLayer layer;

  if (!get_tiles (result, &tiles) || tiles.largest == 0)
    return NULL;
  for (guint tile = 0; tile < tiles.columns * tiles.rows; tile++) {
    if (tiles.offsets[tile + 1] > tiles.offsets[tile]) {
      const Area area = tile_area (&tiles, tile, look);

      area_add (&all, &area);
    }
  }
  begin (&layer, &all);
  for (guint tile = 0; tile < tiles.columns * tiles.rows; tile++)
    if (tiles.offsets[tile + 1] > tiles.offsets[tile])
      draw_tile (&layer, &tiles, tile, look);
  cairo_surface_mark_dirty (layer.surface);
  return overlay_layer_finish (&layer, look);
}
