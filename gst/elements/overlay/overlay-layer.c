/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "overlay-layer.h"

#include <math.h>

#include <gst/gles/core/error.h>

/* The text size grows more slowly than the picture, because large pictures are shown on large
 * screens: 11 pixels for 480 lines, 20 for 1080, 34 for 2160. */
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

gboolean
overlay_layer_begin (OverlayLayer *layer, GstVideoRectangle area, GError **error)
{
  /* For large sizes calloc() gets zeroed pages from the system; pages without drawing stay
   * untouched. */
  gpointer pixels = g_try_malloc0_n ((gsize) area.h, (gsize) area.w * 4);

  if (pixels == NULL) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY,
        "cannot allocate a layer of %dx%d pixels to draw results on", area.w, area.h);
    return FALSE;
  }
  layer->x = area.x;
  layer->y = area.y;
  layer->width = (guint) area.w;
  layer->height = (guint) area.h;
  layer->pixels = pixels;
  layer->surface =
      cairo_image_surface_create_for_data (pixels, CAIRO_FORMAT_ARGB32, area.w, area.h, area.w * 4);
  layer->cr = cairo_create (layer->surface);
  cairo_select_font_face (
      layer->cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
  return TRUE;
}

gboolean
overlay_layer_begin_probe (OverlayLayer *layer, GError **error)
{
  return overlay_layer_begin (layer, (GstVideoRectangle){ 0, 0, 1, 1 }, error);
}

static void
end_drawing (OverlayLayer *layer)
{
  cairo_destroy (layer->cr);
  cairo_surface_finish (layer->surface);
  cairo_surface_destroy (layer->surface);
}

void
overlay_layer_abandon (OverlayLayer *layer)
{
  end_drawing (layer);
  g_free (layer->pixels);
}

GstVideoOverlayRectangle *
overlay_layer_finish (OverlayLayer *layer, const OverlayLook *look)
{
  GstBuffer *buffer =
      gst_buffer_new_wrapped (layer->pixels, (gsize) layer->width * layer->height * 4);
  GstVideoOverlayRectangle *rectangle;

  end_drawing (layer);
  gst_buffer_add_video_meta (buffer, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_OVERLAY_COMPOSITION_FORMAT_RGB, layer->width, layer->height);
  rectangle = gst_video_overlay_rectangle_new_raw (buffer, layer->x, layer->y, layer->width,
      layer->height, GST_VIDEO_OVERLAY_FORMAT_FLAG_PREMULTIPLIED_ALPHA);
  gst_buffer_unref (buffer);
  if (look->opacity < 1.0)
    gst_video_overlay_rectangle_set_global_alpha (rectangle, (gfloat) look->opacity);
  return rectangle;
}

void
overlay_set_colour (cairo_t *cr, OverlayColour colour, gdouble alpha)
{
  cairo_set_source_rgba (cr, colour.r, colour.g, colour.b, alpha);
}
