/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Draws results with cairo, as rectangles of a GstVideoOverlayComposition: the element decides what and
 * when, these files how it looks. */
#ifndef GST_GLES_OVERLAY_DRAW_H
#define GST_GLES_OVERLAY_DRAW_H

#include <cairo.h>
#include <gst/video/video.h>

#include "results.h"

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
  gdouble opacity; /* 0 to 1 */
} OverlayLook;

/* ---- overlay-draw.c ---- */

/* Colours that stay apart for the colour-blind (after Okabe and Ito), light enough for a dark ground. */
typedef struct {
  gdouble r, g, b;
} OverlayColour;

extern const OverlayColour overlay_points_colour, overlay_tiles_colour;

/* A piece of picture being drawn: pixels of the frame from x, y on. */
typedef struct {
  gpointer pixels;
  cairo_surface_t *surface;
  cairo_t *cr; /* origin at x, y */
  gint x, y;
  guint width, height;
} OverlayLayer;

/* What everything is measured in: the height of text, for the size of the frame. */
gdouble overlay_text_size (const OverlayLook *look);
/* A transparent layer; to be followed by finish. Errors: GST_GLES_ERROR_NO_MEMORY. */
gboolean overlay_layer_begin (
    OverlayLayer *layer, gint x, gint y, guint width, guint height, GError **error);
/* What was drawn: (transfer full). */
GstVideoOverlayRectangle *overlay_layer_finish (OverlayLayer *layer, const OverlayLook *look);
/* Instead of finish, when nothing is to come of it. */
void overlay_layer_abandon (OverlayLayer *layer);
void overlay_set_colour (cairo_t *cr, OverlayColour colour, gdouble alpha);

/* All of @results, which are ready: (transfer full) (nullable), NULL if there is nothing to draw, or with
 * @error. Errors: GST_GLES_ERROR_NO_MEMORY. */
GstVideoOverlayComposition *overlay_draw (
    const Results *results, const OverlayLook *look, GError **error);

/* ---- overlay-blend.c ---- */

/* Blends what overlay_draw() returned (rectangles of their own size, ARGB in the host's order,
 * premultiplied) into @frame, which is mapped for writing. Errors: GST_GLES_ERROR_FAILED. */
gboolean overlay_blend (
    GstVideoOverlayComposition *composition, GstVideoFrame *frame, GError **error);

/* ---- overlay-panel.c ---- */

/* The panel: curves of the histogram, and a line of text for each other part.
 * (transfer full) (nullable), NULL if there is nothing to draw, or with @error. */
GstVideoOverlayRectangle *overlay_draw_panel (
    const Results *results, const OverlayLook *look, GError **error);

/* ---- overlay-layers.c ---- */

/* Points where they are, and behind them occupied tiles, shaded by how full they are; either may be
 * %NULL: (transfer full) (nullable), NULL if there is nothing to draw, or with @error. */
GstVideoOverlayRectangle *overlay_draw_picture (GstGlesPointsResult *points,
    GstGlesTilesResult *tiles, const OverlayLook *look, GError **error);

/* ---- overlay-boxes.c ---- */

/* Regions and regions of interest, each with its name where labels are wanted: (transfer full) (nullable), NULL
 * if there is nothing to draw, or with @error. */
GstVideoOverlayRectangle *overlay_draw_boxes (
    const Results *results, const OverlayLook *look, GError **error);

G_END_DECLS

#endif
