/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Draws results with cairo, as rectangles of a GstVideoOverlayComposition. The element decides what
 * is drawn and when; these files decide how it looks. */
#ifndef GST_GLES_OVERLAY_DRAW_H
#define GST_GLES_OVERLAY_DRAW_H

#include <cairo.h>
#include <gst/video/video.h>

#include "../base/results.h"
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

/* ---- overlay-draw.c ---- */

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
/* Begins a transparent layer; finish or abandon must follow. Errors: GST_GLES_ERROR_NO_MEMORY. */
gboolean overlay_layer_begin (
    OverlayLayer *layer, gint x, gint y, guint width, guint height, GError **error);
/* Returns the layer as a rectangle: (transfer full). */
GstVideoOverlayRectangle *overlay_layer_finish (OverlayLayer *layer, const OverlayLook *look);
/* Drops the layer. */
void overlay_layer_abandon (OverlayLayer *layer);
void overlay_set_colour (cairo_t *cr, OverlayColour colour, gdouble alpha);

/* Draws all of @results, which are complete: (transfer full) (nullable). Returns NULL if there is
 * nothing to draw, or NULL with @error. Errors: GST_GLES_ERROR_NO_MEMORY. */
GstVideoOverlayComposition *overlay_draw (
    const Results *results, const OverlayLook *look, GError **error);

/* ---- overlay-blend.c ---- */

/* Blends a composition of overlay_draw() into @frame, which is mapped for writing. Its rectangles
 * are unscaled and premultiplied ARGB in the host's byte order. Errors: GST_GLES_ERROR_FAILED,
 * GST_GLES_ERROR_NO_MEMORY. */
gboolean overlay_blend (
    GstVideoOverlayComposition *composition, GstVideoFrame *frame, GError **error);

/* ---- overlay-panel.c ---- */

/* Draws the panel: the curves of the histogram, and a line of text for each other part. (transfer
 * full) (nullable): NULL if there is nothing to draw, or NULL with @error. */
GstVideoOverlayRectangle *overlay_draw_panel (
    const Results *results, const OverlayLook *look, GError **error);

/* ---- overlay-layers.c ---- */

/* Draws the points at their positions and, behind them, occupied tiles shaded by their number of
 * entries. @points and @tiles may be NULL. (transfer full) (nullable): NULL if there is nothing to
 * draw, or NULL with @error. */
GstVideoOverlayRectangle *overlay_draw_picture (GstGlesPointsResult *points,
    GstGlesTilesResult *tiles, const OverlayLook *look, GError **error);

/* ---- overlay-boxes.c ---- */

/* Draws tracks with their trails, regions and regions of interest, with names if labels are wanted.
 * A box that several of these have is drawn as the first one. (transfer full) (nullable): NULL if
 * there is nothing to draw, or NULL with @error. */
GstVideoOverlayRectangle *overlay_draw_boxes (
    const Results *results, const OverlayLook *look, GError **error);

G_END_DECLS

#endif
