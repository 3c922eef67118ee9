/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Draws boxes with labels: regions, and regions of interest of other elements. */
#include "overlay-draw.h"

#include <math.h>
#include <string.h>

#define LINES_OF_TEXT 7 /* height of text in widths of an edge */
#define GROUND_ALPHA 0.72
#define MAX_TEXT 64

static const OverlayColour region_colour = { 0.20, 0.90, 0.62 }, roi_colour = { 0.90, 0.60, 0.90 },
                           dark = { 0.05, 0.05, 0.06 };

/* A box in pixels of the frame. */
typedef struct {
  gdouble x, y, width, height;
  OverlayColour colour;
  gchar text[MAX_TEXT];
} Box;

/* ---- collecting boxes ---- */

/* Sets the label, cut at the beginning of a character where it is too long: cairo draws nothing at
 * all once it has been given a text that is no UTF-8. */
static void
set_text (Box *box, const gchar *text)
{
  g_autofree gchar *valid = g_utf8_make_valid (text, -1);

  if (strlen (valid) >= MAX_TEXT)
    *g_utf8_find_prev_char (valid, valid + MAX_TEXT) = '\0';
  g_strlcpy (box->text, valid, MAX_TEXT);
}

static void
add_regions (GArray *boxes, GstGlesRegionsResult *result, const OverlayLook *look)
{
  const gchar *label = gst_gles_regions_result_get_info (result)->label;
  const guint n = gst_gles_regions_result_get_count (result);
  const GstGlesFrameInfo *frame = gst_gles_regions_result_get_frame (result);

  for (guint i = 0; i < n; i++) {
    const GstGlesRegion *region = gst_gles_regions_result_get_region (result, i, NULL);
    const gdouble scale_x = (gdouble) look->width / frame->width;
    const gdouble scale_y = (gdouble) look->height / frame->height;
    Box box = { .x = region->left * scale_x,
      .y = region->top * scale_y,
      .width = (region->right + 1 - region->left) * scale_x,
      .height = (region->bottom + 1 - region->top) * scale_y,
      .colour = region_colour };
    g_autofree gchar *text = NULL;

    text = g_strdup_printf ("%s %u", label, region->pixels);
    set_text (&box, text);
    g_array_append_val (boxes, box);
  }
}

/* Adds regions of interest, except those of glesregions, which are on the buffer as regions too. */
static void
add_interests (GArray *boxes, GstBuffer *buffer, const OverlayLook *look)
{
  gpointer state = NULL;
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta_filtered (
              buffer, &state, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)) != NULL) {
    GstVideoRegionOfInterestMeta *roi = (GstVideoRegionOfInterestMeta *) meta;
    Box box = { .x = roi->x, .y = roi->y, .width = roi->w, .height = roi->h, .colour = roi_colour };

    if (gst_video_region_of_interest_meta_get_param (roi, "gles-region") != NULL ||
        roi->x >= look->width || roi->y >= look->height)
      continue;
    box.width = MIN (box.width, look->width - box.x);
    box.height = MIN (box.height, look->height - box.y);
    set_text (&box, roi->roi_type != 0 ? g_quark_to_string (roi->roi_type) : "");
    g_array_append_val (boxes, box);
  }
}

/* ---- drawing ---- */

static void
draw_frame (cairo_t *cr, const Box *box, gdouble line)
{
  const gdouble x = floor (box->x) + line / 2, y = floor (box->y) + line / 2;
  const gdouble width = MAX (ceil (box->x + box->width) - floor (box->x) - line, 1);
  const gdouble height = MAX (ceil (box->y + box->height) - floor (box->y) - line, 1);

  overlay_set_colour (cr, dark, GROUND_ALPHA);
  cairo_set_line_width (cr, line * 2);
  cairo_rectangle (cr, x, y, width, height);
  cairo_stroke (cr);
  overlay_set_colour (cr, box->colour, 1);
  cairo_set_line_width (cr, line);
  cairo_rectangle (cr, x, y, width, height);
  cairo_stroke (cr);
}

/* Draws the label above the box, or inside if there is not enough space; never beyond the frame. */
static void
draw_text (cairo_t *cr, const Box *box, gdouble text, const OverlayLook *look)
{
  cairo_text_extents_t extents;
  cairo_font_extents_t font;
  gdouble x, y, width, height;

  cairo_text_extents (cr, box->text, &extents);
  cairo_font_extents (cr, &font);
  width = ceil (extents.x_advance + text * 0.5);
  height = ceil (font.ascent + font.descent);
  x = CLAMP (floor (box->x), 0, MAX (look->width - width, 0));
  y = floor (box->y) - height;
  if (y < 0)
    y = MIN (floor (box->y) + 1, MAX (look->height - height, 0));
  overlay_set_colour (cr, dark, GROUND_ALPHA);
  cairo_rectangle (cr, x, y, width, height);
  cairo_fill (cr);
  overlay_set_colour (cr, box->colour, 1);
  cairo_move_to (cr, round (x + text * 0.25), round (y + font.ascent));
  cairo_show_text (cr, box->text);
}

/* Begins a layer that just covers the boxes, because the cost of blending is proportional to its
 * pixels. It begins at even coordinates, where chroma samples begin. */
static gboolean
begin (
    OverlayLayer *layer, const GArray *boxes, gdouble text, const OverlayLook *look, GError **error)
{
  gdouble left = look->width, top = look->height, right = 0, bottom = 0;

  for (guint i = 0; i < boxes->len; i++) {
    const Box *box = &g_array_index (boxes, Box, i);
    /* An upper bound: no letter is wider than it is high. */
    const gdouble text_width = text * (strlen (box->text) + 1);

    left = MIN (left, MIN (box->x, look->width - text_width) - text);
    top = MIN (top, box->y - 2 * text);
    right = MAX (right, box->x + MAX (box->width, text_width) + text);
    bottom = MAX (bottom, box->y + MAX (box->height, 2 * text) + text);
  }
  left = (guint) MAX (left, 0) & ~1u;
  top = (guint) MAX (top, 0) & ~1u;
  right = MIN (ceil (right), look->width);
  bottom = MIN (ceil (bottom), look->height);
  if (!overlay_layer_begin (layer, (gint) left, (gint) top, (guint) MAX (right - left, 1),
          (guint) MAX (bottom - top, 1), error))
    return FALSE;
  cairo_translate (layer->cr, -left, -top);
  cairo_set_font_size (layer->cr, text);
  return TRUE;
}

GstVideoOverlayRectangle *
overlay_draw_boxes (const Results *results, const OverlayLook *look, GError **error)
{
  g_autoptr (GArray) boxes = g_array_new (FALSE, FALSE, sizeof (Box));
  const gdouble text = overlay_text_size (look);
  const gdouble line = MAX (1, round (text / LINES_OF_TEXT));
  OverlayLayer layer;

  if (results->regions != NULL)
    add_regions (boxes, results->regions, look);
  if (results->interests != NULL)
    add_interests (boxes, results->interests, look);
  if (boxes->len == 0 || !begin (&layer, boxes, text, look, error))
    return NULL;
  /* The largest regions come first, so that small ones are drawn over them. */
  for (guint i = 0; i < boxes->len; i++)
    draw_frame (layer.cr, &g_array_index (boxes, Box, i), line);
  for (guint i = boxes->len; i-- > 0 && look->labels;)
    draw_text (layer.cr, &g_array_index (boxes, Box, i), text, look);
  return overlay_layer_finish (&layer, look);
}
