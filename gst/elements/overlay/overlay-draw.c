/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "overlay-draw.h"

#include "overlay-boxes.h"
#include "overlay-panel.h"
#include "overlay-picture.h"
#include "overlay-zones.h"

GstVideoOverlayComposition *
overlay_draw (const Results *results, const OverlayLook *look, GError **error)
{
  /* In the order from back to front. */
  GstVideoOverlayRectangle *rectangles[5] = { NULL };
  GstVideoOverlayComposition *composition = NULL;
  GError *failure = NULL;

  if (look->mask != NULL)
    rectangles[0] = gst_video_overlay_rectangle_ref (look->mask);
  rectangles[1] = overlay_draw_picture (results->points, results->tiles, look, &failure);
  if (failure == NULL && results->zones != NULL)
    rectangles[2] = overlay_draw_zones (results->zones, look, &failure);
  if (failure == NULL)
    rectangles[3] = overlay_draw_boxes (results, look, &failure);
  if (failure == NULL)
    rectangles[4] = overlay_draw_panel (results, look, &failure);
  if (failure != NULL) {
    for (guint i = 0; i < G_N_ELEMENTS (rectangles); i++)
      g_clear_pointer (&rectangles[i], gst_video_overlay_rectangle_unref);
    g_propagate_error (error, failure);
    return NULL;
  }

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
