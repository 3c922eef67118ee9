/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "overlay-draw.h"

#include <math.h>

/* Text grows slower than the picture: large pictures are looked at on large screens. 11 pixels of 480
 * lines, 20 of 1080, 34 of 2160. */
#define TEXT_SIZE_AT_480 11.0
#define TEXT_GROWTH 0.75
#define MIN_TEXT_SIZE 10.0

const OverlayColour overlay_points_colour = { 1.00, 0.72, 0.05 };
const OverlayColour overlay_tiles_colour = { 0.33, 0.55, 1.00 };

gdouble
overlay_text_size (const OverlayLook *look)
{
  const gdouble lines = MIN (look->height, look->width * 3.0 / 4.0);

  return MAX (MIN_TEXT_SIZE, round (TEXT_SIZE_AT_480 * pow (lines / 480.0, TEXT_GROWTH)));
}

void
overlay_layer_begin (OverlayLayer *layer, gint x, gint y, guint width, guint height)
{
  layer->x = x;
  layer->y = y;
  layer->width = width;
  layer->height = height;
  /* zeroed by the system where it is large: pages that nothing is drawn on are never touched */
  layer->buffer =
      gst_buffer_new_wrapped (g_malloc0_n (height, (gsize) width * 4), (gsize) width * height * 4);
  gst_buffer_map (layer->buffer, &layer->map, GST_MAP_READWRITE);
  layer->surface = cairo_image_surface_create_for_data (
      layer->map.data, CAIRO_FORMAT_ARGB32, (gint) width, (gint) height, (gint) width * 4);
  layer->cr = cairo_create (layer->surface);
  cairo_select_font_face (
      layer->cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
}

static void
end_drawing (OverlayLayer *layer)
{
  cairo_destroy (layer->cr);
  cairo_surface_finish (layer->surface);
  cairo_surface_destroy (layer->surface);
  gst_buffer_unmap (layer->buffer, &layer->map);
}

void
overlay_layer_abandon (OverlayLayer *layer)
{
  end_drawing (layer);
  gst_buffer_unref (layer->buffer);
}

GstVideoOverlayRectangle *
overlay_layer_finish (OverlayLayer *layer, const OverlayLook *look)
{
  GstVideoOverlayRectangle *rectangle;

  end_drawing (layer);
  gst_buffer_add_video_meta (layer->buffer, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_OVERLAY_COMPOSITION_FORMAT_RGB, layer->width, layer->height);
  rectangle = gst_video_overlay_rectangle_new_raw (layer->buffer, layer->x, layer->y, layer->width,
      layer->height, GST_VIDEO_OVERLAY_FORMAT_FLAG_PREMULTIPLIED_ALPHA);
  gst_buffer_unref (layer->buffer);
  if (look->opacity < 1.0)
    gst_video_overlay_rectangle_set_global_alpha (rectangle, (gfloat) look->opacity);
  return rectangle;
}

void
overlay_set_colour (cairo_t *cr, OverlayColour colour, gdouble alpha)
{
  cairo_set_source_rgba (cr, colour.r, colour.g, colour.b, alpha);
}

GstVideoOverlayComposition *
overlay_draw (const Results *results, const OverlayLook *look)
{
  /* from the back to the front */
  GstVideoOverlayRectangle *rectangles[] = {
    overlay_draw_picture (results->points, results->tiles, look),
    overlay_draw_panel (results, look),
  };
  GstVideoOverlayComposition *composition = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (rectangles); i++) {
    if (rectangles[i] == NULL)
      continue;
    if (composition == NULL)
      composition = gst_video_overlay_composition_new (rectangles[i]);
    else
      gst_video_overlay_composition_add_rectangle (composition, rectangles[i]);
    gst_video_overlay_rectangle_unref (rectangles[i]);
  }
  return composition;
}
