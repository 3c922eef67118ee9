/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A layer that results are drawn on with cairo, as a rectangle of a GstVideoOverlayComposition, and
 * how all of them look. */
#ifndef GST_GLES_OVERLAY_LAYER_H
#define GST_GLES_OVERLAY_LAYER_H

#include <cairo.h>
#include <gst/video/video.h>

#include "overlay-trails.h"

G_BEGIN_DECLS

typedef enum {
  OVERLAY_TOP_LEFT,
  OVERLAY_TOP_RIGHT,
  OVERLAY_BOTTOM_LEFT,
  OVERLAY_BOTTOM_RIGHT,
} OverlayPosition;

typedef struct {
  guint width, height; /* of the frame, pixels */
  OverlayPosition position;
  gboolean labels;
  gboolean sizes;                 /* of boxes, in their labels */
  gdouble opacity;                /* 0 to 1 */
  const OverlayTrails *trails;    /* NULL: tracks are drawn without */
  GstVideoOverlayRectangle *mask; /* behind all else; NULL: none */
} OverlayLook;

/* Colours that colour-blind people can distinguish (after Okabe and Ito), light enough for a dark
 * background. */
typedef struct {
  gdouble r, g, b;
} OverlayColour;

extern const OverlayColour overlay_points_colour, overlay_tiles_colour;

/* A rectangle of the frame that is being drawn: its upper left corner is at x, y of the frame. */
typedef struct {
  gpointer pixels;
  cairo_surface_t *surface;
  cairo_t *cr; /* its origin is at x, y of the frame */
  gint x, y;
  guint width, height;
} OverlayLayer;

/* Returns the height of text in pixels for the size of the frame; all other sizes derive from
 * it. */
gdouble overlay_text_size (const OverlayLook *look);
/* Begins a transparent layer for @area of the frame; finish or abandon must follow. Errors:
 * GST_GLES_ERROR_NO_MEMORY. */
gboolean overlay_layer_begin (OverlayLayer *layer, GstVideoRectangle area, GError **error);
/* Begins a layer of one pixel, on which text is measured; abandon must follow. */
gboolean overlay_layer_begin_probe (OverlayLayer *layer, GError **error);
/* Returns the layer as a rectangle: (transfer full). */
GstVideoOverlayRectangle *overlay_layer_finish (OverlayLayer *layer, const OverlayLook *look);
/* Drops the layer. */
void overlay_layer_abandon (OverlayLayer *layer);
void overlay_set_colour (cairo_t *cr, OverlayColour colour, gdouble alpha);

G_END_DECLS

#endif
