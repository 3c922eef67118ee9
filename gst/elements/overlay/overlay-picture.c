/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Draws points, and behind them tiles shaded by their number of entries, in one layer that just
 * covers them, because the cost of blending is proportional to its pixels. */
#include "overlay-picture.h"

#include <math.h>

#define POINT_ALPHA 0.60
#define TILE_MIN_ALPHA 0.16
#define TILE_MAX_ALPHA 0.62
#define TILE_EDGE_ALPHA 0.80
#define LINES_OF_TEXT 13 /* height of text in widths of an edge */

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

/* Pixels of the frame, in one direction; @end is exclusive. */
typedef struct {
  guint start, end;
} Span;

/* From an analysed picture to the frame, in one direction. */
typedef struct {
  guint from, to; /* the sizes of both */
  guint least;    /* pixels that a span has at least */
} Scale;

static Span
scale_span (const Scale *scale, guint start, guint end)
{
  const guint64 first = (guint64) start * scale->to / scale->from;
  const guint64 last = ((guint64) end * scale->to + scale->from - 1) / scale->from;

  return (Span){ (guint) MIN (first, scale->to - 1),
    (guint) MIN (MAX (last, first + scale->least), scale->to) };
}

/* Returns a colour in the layer's format: premultiplied ARGB. */
static guint32
pixel (OverlayColour colour, gdouble alpha)
{
  const guint a = (guint) lrint (255 * alpha);

  return a << 24 | (guint32) lrint (a * colour.r) << 16 | (guint32) lrint (a * colour.g) << 8 |
      (guint32) lrint (a * colour.b);
}

/* Returns @front blended over @back; both are premultiplied. */
static guint32
over (guint32 front, guint32 back)
{
  const guint left = 255 - (front >> 24);
  guint32 sum = 0;

  for (guint shift = 0; shift < 32; shift += 8)
    sum |= ((front >> shift & 0xff) + ((back >> shift & 0xff) * left + 127) / 255) << shift;
  return sum;
}

static guint32 *
row_of (OverlayLayer *layer, guint y)
{
  return (guint32 *) layer->pixels + (gsize) (y - (guint) layer->y) * layer->width - layer->x;
}

static void
fill (OverlayLayer *layer, const Area *area, guint32 value)
{
  for (guint y = area->top; y < area->bottom; y++) {
    guint32 *row = row_of (layer, y);

    for (guint x = area->left; x < area->right; x++)
      row[x] = value;
  }
}

/* Fills empty pixels, and the background of pixels with a point; other pixels stay. */
static void
fill_behind (OverlayLayer *layer, const Area *area, guint32 value, guint32 point)
{
  const guint32 both = over (point, value);

  for (guint y = area->top; y < area->bottom; y++) {
    guint32 *row = row_of (layer, y);

    for (guint x = area->left; x < area->right; x++)
      row[x] = row[x] == 0 ? value : row[x] == point ? both : row[x];
  }
}

/* Begins a layer for @area, extended to even coordinates (chroma samples), except at the frame's
 * edge. */
static gboolean
begin (OverlayLayer *layer, const Area *area, const OverlayLook *look, GError **error)
{
  const guint left = area->left & ~1u, top = area->top & ~1u;
  const GstVideoRectangle extended = { (gint) left, (gint) top,
    (gint) (MIN ((area->right + 1) & ~1u, look->width) - left),
    (gint) (MIN ((area->bottom + 1) & ~1u, look->height) - top) };

  if (!overlay_layer_begin (layer, extended, error))
    return FALSE;
  /* Pixels are written without cairo. */
  cairo_surface_flush (layer->surface);
  return TRUE;
}

/* ---- points ---- */

/* Points have their real size, but a minimum size in large pictures, where they would be
 * invisible. */
typedef struct {
  const GstGlesPoint *points;
  guint n, width, height; /* size of the analysed picture */
  Span *columns, *rows;   /* of each column and row of that; a table saves divisions per point */
} Points;

/* Coordinates have 16 bits, so larger sizes that a result claims are limited. */
static Span *
spans_new (const Scale *scale)
{
  const guint n = MIN (scale->from, G_MAXUINT16 + 1);
  Span *spans = g_new (Span, n);

  for (guint i = 0; i < n; i++)
    spans[i] = scale_span (scale, i, i + 1);
  return spans;
}

static void
points_init (Points *points, GstGlesPointsResult *result, const OverlayLook *look)
{
  const guint size = (guint) MAX (1, lrint (overlay_text_size (look) / 17));

  points->points = gst_gles_points_result_get_points (result, &points->n, NULL);
  points->width = gst_gles_points_result_get_frame (result)->width;
  points->height = gst_gles_points_result_get_frame (result)->height;
  points->columns = spans_new (&(Scale){ points->width, look->width, size });
  points->rows = spans_new (&(Scale){ points->height, look->height, size });
}

static void
points_clear (Points *points)
{
  g_free (points->columns);
  g_free (points->rows);
}

static Area
point_area (const Points *points, guint i)
{
  const Span *x = &points->columns[MIN (points->points[i].x, points->width - 1)];
  const Span *y = &points->rows[MIN (points->points[i].y, points->height - 1)];

  return (Area){ x->start, y->start, x->end, y->end };
}

/* ---- tiles ---- */

typedef struct {
  const guint32 *offsets;
  guint columns, n; /* of tiles */
  guint tile_width, tile_height;
  guint width, height; /* of the analysed picture */
  guint largest;       /* number of entries of the fullest tile */
  guint line;          /* width of edges in pixels */
} Tiles;

static void
get_tiles (GstGlesTilesResult *result, const OverlayLook *look, Tiles *tiles)
{
  const GstGlesTilesInfo *info = gst_gles_tiles_result_get_info (result);
  guint n;

  tiles->offsets = gst_gles_tiles_result_get_offsets (result, &n, NULL);
  tiles->columns = info->columns;
  tiles->tile_width = info->tile_width;
  tiles->tile_height = info->tile_height;
  tiles->width = info->frame.width;
  tiles->height = info->frame.height;
  gst_gles_tiles_result_get_occupancy (result, NULL, &tiles->largest, NULL);
  tiles->n = tiles->offsets != NULL ? tiles->columns * info->rows : 0;
  tiles->line = (guint) MAX (1, lrint (overlay_text_size (look) / LINES_OF_TEXT));
}

static guint
entries_of (const Tiles *tiles, guint tile)
{
  return tiles->offsets[tile + 1] - tiles->offsets[tile];
}

static Area
tile_area (const Tiles *tiles, guint tile, const OverlayLook *look)
{
  const guint x = tile % tiles->columns * tiles->tile_width;
  const guint y = tile / tiles->columns * tiles->tile_height;
  const Span columns = scale_span (
      &(Scale){ tiles->width, look->width, 1 }, x, MIN (x + tiles->tile_width, tiles->width));
  const Span rows = scale_span (
      &(Scale){ tiles->height, look->height, 1 }, y, MIN (y + tiles->tile_height, tiles->height));

  return (Area){ columns.start, rows.start, columns.end, rows.end };
}

/* Draws the left and upper edge of a tile. The right and lower edge belong to the neighbours; they
 * are drawn here only if the neighbour is empty, which has no edges. */
static void
draw_edges (OverlayLayer *layer, const Tiles *tiles, guint tile, const Area *area, guint32 point)
{
  const guint32 value = pixel (overlay_tiles_colour, TILE_EDGE_ALPHA);
  const guint right = tile + 1, below = tile + tiles->columns, line = tiles->line;
  const Area edges[] = {
    { area->left, area->top, area->right, area->top + line },
    { area->left, area->top, area->left + line, area->bottom },
    { area->right - line, area->top, area->right, area->bottom },
    { area->left, area->bottom - line, area->right, area->bottom },
  };

  fill_behind (layer, &edges[0], value, point);
  fill_behind (layer, &edges[1], value, point);
  if (right % tiles->columns == 0 || entries_of (tiles, right) == 0)
    fill_behind (layer, &edges[2], value, point);
  if (below >= tiles->n || entries_of (tiles, below) == 0)
    fill_behind (layer, &edges[3], value, point);
}

static void
draw_tile (
    OverlayLayer *layer, const Tiles *tiles, guint tile, guint32 point, const OverlayLook *look)
{
  const gdouble share = sqrt ((gdouble) entries_of (tiles, tile) / tiles->largest);
  const Area area = tile_area (tiles, tile, look);

  if (MIN (area.right - area.left, area.bottom - area.top) >= 6 * tiles->line)
    draw_edges (layer, tiles, tile, &area, point);
  fill_behind (layer, &area,
      pixel (overlay_tiles_colour, TILE_MIN_ALPHA + (TILE_MAX_ALPHA - TILE_MIN_ALPHA) * share),
      point);
}

/* ---- both ---- */

static Area
area_of (const Points *points, const Tiles *tiles, const OverlayLook *look)
{
  Area all = nowhere;

  for (guint i = 0; i < points->n; i++) {
    const Area area = point_area (points, i);

    area_add (&all, &area);
  }
  for (guint tile = 0; tile < tiles->n; tile++) {
    if (entries_of (tiles, tile) > 0) {
      const Area area = tile_area (tiles, tile, look);

      area_add (&all, &area);
    }
  }
  return all;
}

GstVideoOverlayRectangle *
overlay_draw_picture (GstGlesPointsResult *points_result, GstGlesTilesResult *tiles_result,
    const OverlayLook *look, GError **error)
{
  const guint32 value = pixel (overlay_points_colour, POINT_ALPHA);
  Points points = { 0 };
  Tiles tiles = { 0 };
  OverlayLayer layer;
  Area all;

  if (points_result != NULL)
    points_init (&points, points_result, look);
  if (tiles_result != NULL)
    get_tiles (tiles_result, look, &tiles);
  all = area_of (&points, &tiles, look);
  if (all.right == 0 || !begin (&layer, &all, look, error)) {
    points_clear (&points);
    return NULL;
  }
  for (guint i = 0; i < points.n; i++) {
    const Area area = point_area (&points, i);

    fill (&layer, &area, value);
  }
  for (guint tile = 0; tile < tiles.n; tile++)
    if (entries_of (&tiles, tile) > 0)
      draw_tile (&layer, &tiles, tile, value, look);
  points_clear (&points);
  cairo_surface_mark_dirty (layer.surface);
  return overlay_layer_finish (&layer, look);
}
