/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Draws results with cairo, as rectangles of a GstVideoOverlayComposition: the element decides what and
 * when, these files how it looks. */
#ifndef GST_GLES_OVERLAY_DRAW_H
#define GST_GLES_OVERLAY_DRAW_H

#include <cairo.h>
#include <gst/gles/meta/histogram.h>
#include <gst/video/video.h>

G_BEGIN_DECLS

typedef enum {
  OVERLAY_TOP_LEFT,
  OVERLAY_TOP_RIGHT,
  OVERLAY_BOTTOM_LEFT,
  OVERLAY_BOTTOM_RIGHT,
} OverlayPosition;

/* What to draw, each (nullable) and ready: getters do not wait. */
typedef struct {
  GstGlesHistogramResult *histogram;
} OverlayParts;

typedef struct {
  guint width, height; /* of the frame, pixels */
  OverlayPosition position;
  gboolean labels;
  gdouble opacity; /* 0 to 1 */
} OverlayLook;

/* ---- overlay-draw.c ---- */

/* Colours that stay apart for the colour-blind (after Okabe and Ito), light enough for a dark ground. */
typedef struct {
  gdouble r, g, b;
} OverlayColour;

/* A piece of picture being drawn: pixels of the frame from x, y on. */
typedef struct {
  GstBuffer *buffer;
  GstMapInfo map;
  cairo_surface_t *surface;
  cairo_t *cr; /* origin at x, y */
  gint x, y;
  guint width, height;
} OverlayLayer;

/* What everything is measured in: the height of text, for the size of the frame. */
gdouble overlay_text_size (const OverlayLook *look);
/* A transparent layer; to be followed by finish. */
void overlay_layer_begin (OverlayLayer *layer, gint x, gint y, guint width, guint height);
/* What was drawn: (transfer full). */
GstVideoOverlayRectangle *overlay_layer_finish (OverlayLayer *layer, const OverlayLook *look);
void overlay_set_colour (cairo_t *cr, OverlayColour colour, gdouble alpha);

/* All of @parts: (transfer full) (nullable), NULL if there is nothing to draw. */
GstVideoOverlayComposition *overlay_draw (const OverlayParts *parts, const OverlayLook *look);

/* ---- overlay-panel.c ---- */

/* The panel: curves of the histogram, and a line of text for each other part.
 * (transfer full) (nullable) */
GstVideoOverlayRectangle *overlay_draw_panel (const OverlayParts *parts, const OverlayLook *look);

G_END_DECLS

#endif
