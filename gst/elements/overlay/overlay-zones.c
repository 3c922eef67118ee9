/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Draws zones and lines: outlines, names and counters. */
#include "overlay-zones.h"

#include <math.h>

#define SUB 256.0       /* places of a pixel that a vertex has */
#define LINES_OF_TEXT 7 /* height of text in widths of an edge */
#define GROUND_ALPHA 0.72
#define OCCUPIED_ALPHA 0.25
#define MAX_TEXT 128

static const OverlayColour zone_colour = { 0.40, 0.75, 1.00 }, line_colour = { 1.00, 0.50, 0.25 },
                           dark = { 0.05, 0.05, 0.06 };

typedef struct {
  const OverlayLook *look;
  cairo_t *cr;
  gdouble scale_x, scale_y; /* of the picture that was looked at to that which is drawn on */
  gdouble text;
} Drawing;

/* Makes the path of zone @index. */
static void
add_path (const Drawing *drawing, GstGlesZonesResult *result, guint index, gboolean closed)
{
  guint n;
  const GstGlesZoneVertex *vertices = gst_gles_zones_result_get_vertices (result, index, &n);

  for (guint i = 0; i < n; i++)
    cairo_line_to (drawing->cr, vertices[i].x / SUB * drawing->scale_x,
        vertices[i].y / SUB * drawing->scale_y);
  if (closed)
    cairo_close_path (drawing->cr);
}

static void
draw_outline (
    const Drawing *drawing, const GstGlesZone *zone, GstGlesZonesResult *result, guint index)
{
  const gboolean is_line = zone->kind == GST_GLES_ZONE_LINE;
  const gdouble width = MAX (1, round (drawing->text / LINES_OF_TEXT));

  add_path (drawing, result, index, !is_line);
  if (zone->occupied) {
    overlay_set_colour (drawing->cr, zone_colour, OCCUPIED_ALPHA);
    cairo_fill_preserve (drawing->cr);
  }
  overlay_set_colour (drawing->cr, dark, GROUND_ALPHA);
  cairo_set_line_width (drawing->cr, width * 2);
  cairo_stroke_preserve (drawing->cr);
  overlay_set_colour (drawing->cr, is_line ? line_colour : zone_colour, 1);
  cairo_set_line_width (drawing->cr, width);
  cairo_stroke (drawing->cr);
}

/* Writes name and counters at the first vertex, inside of the picture. */
static void
draw_text (const Drawing *drawing, const GstGlesZone *zone, GstGlesZonesResult *result, guint index)
{
  const GstGlesZoneVertex *first = gst_gles_zones_result_get_vertices (result, index, NULL);
  const gchar *name = gst_gles_zones_result_get_name (result, index);
  const gboolean is_line = zone->kind == GST_GLES_ZONE_LINE;
  gchar text[MAX_TEXT];
  cairo_font_extents_t font;
  cairo_text_extents_t extents;
  gdouble x, y, width, height;

  if (is_line)
    g_snprintf (text, sizeof text, "%.63s: %" G_GUINT64_FORMAT " in, %" G_GUINT64_FORMAT " out",
        name, zone->n_in, zone->n_out);
  else
    g_snprintf (text, sizeof text, "%.63s: %u", name, zone->n_members);
  /* cairo draws nothing at all once it has been given a text that is no UTF-8 */
  if (!g_utf8_validate (text, -1, NULL))
    return;
  cairo_font_extents (drawing->cr, &font);
  cairo_text_extents (drawing->cr, text, &extents);
  width = ceil (extents.x_advance + drawing->text * 0.5);
  height = ceil (font.ascent + font.descent);
  x = CLAMP (round (first->x / SUB * drawing->scale_x), 0, MAX (drawing->look->width - width, 0));
  y = CLAMP (round (first->y / SUB * drawing->scale_y), 0, MAX (drawing->look->height - height, 0));
  overlay_set_colour (drawing->cr, dark, GROUND_ALPHA);
  cairo_rectangle (drawing->cr, x, y, width, height);
  cairo_fill (drawing->cr);
  overlay_set_colour (drawing->cr, is_line ? line_colour : zone_colour, 1);
  cairo_move_to (drawing->cr, round (x + drawing->text * 0.25), round (y + font.ascent));
  cairo_show_text (drawing->cr, text);
}

GstVideoOverlayRectangle *
overlay_draw_zones (GstGlesZonesResult *result, const OverlayLook *look, GError **error)
{
  const guint n = gst_gles_zones_result_get_count (result);
  const GstGlesFrameInfo *frame = gst_gles_zones_result_get_frame (result);
  Drawing drawing = { .look = look,
    .scale_x = (gdouble) look->width / frame->width,
    .scale_y = (gdouble) look->height / frame->height,
    .text = overlay_text_size (look) };
  const GstVideoRectangle area = { 0, 0, (gint) look->width, (gint) look->height };
  OverlayLayer layer;

  if (n == 0)
    return NULL;
  if (!overlay_layer_begin (&layer, area, error))
    return NULL;
  drawing.cr = layer.cr;
  cairo_set_font_size (layer.cr, drawing.text);
  for (guint i = 0; i < n; i++)
    draw_outline (&drawing, gst_gles_zones_result_get_zone (result, i, NULL), result, i);
  for (guint i = 0; i < n && look->labels; i++)
    draw_text (&drawing, gst_gles_zones_result_get_zone (result, i, NULL), result, i);
  return overlay_layer_finish (&layer, look);
}
