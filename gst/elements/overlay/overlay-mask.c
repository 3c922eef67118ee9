/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "overlay-mask.h"

/* Black of half the opacity, premultiplied ARGB. */
#define DIM 0x80000000u

static GstVideoOverlayRectangle *
draw (const GstGlesMaskBits *bits, const OverlayLook *look, GError **error)
{
  const GstVideoRectangle all = { 0, 0, (gint) look->width, (gint) look->height };
  OverlayLayer layer;

  if (!overlay_layer_begin (&layer, all, error))
    return NULL;
  cairo_surface_flush (layer.surface);
  for (guint y = 0; y < look->height; y++) {
    guint32 *row = (guint32 *) layer.pixels + (gsize) y * look->width;

    for (guint x = 0; x < look->width; x++)
      row[x] = gst_gles_mask_bits_has (bits, x, y) ? 0 : DIM;
  }
  cairo_surface_mark_dirty (layer.surface);
  return overlay_layer_finish (&layer, look);
}

gboolean
overlay_mask_take (OverlayMask *mask, GstObject *object, OverlayLook *look, GError **error)
{
  const GstGlesImage image = { .width = look->width,
    .height = look->height,
    .crop_width = look->width,
    .crop_height = look->height };

  if (!mask_input_update (&mask->input, object, &mask->setting, &image, error))
    return FALSE;
  if (mask->input.bits != mask->drawn || look->opacity != mask->opacity) {
    g_clear_pointer (&mask->rectangle, gst_video_overlay_rectangle_unref);
    g_clear_pointer (&mask->drawn, gst_gles_mask_bits_unref);
    if (mask->input.bits != NULL) {
      mask->rectangle = draw (mask->input.bits, look, error);
      if (mask->rectangle == NULL)
        return FALSE;
      mask->drawn = gst_gles_mask_bits_ref (mask->input.bits);
    }
    mask->opacity = look->opacity;
  }
  look->mask = look->opacity > 0 ? mask->rectangle : NULL;
  return TRUE;
}

void
overlay_mask_clear (OverlayMask *mask)
{
  mask_input_clear (&mask->input);
  g_clear_pointer (&mask->drawn, gst_gles_mask_bits_unref);
  g_clear_pointer (&mask->rectangle, gst_video_overlay_rectangle_unref);
}
