/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Draws boxes with labels: tracks with their trails, regions, and regions of interest of other
 * elements. */
#include "overlay-boxes.h"

#include <math.h>
#include <string.h>

#include "overlay-labels.h"

#define LINES_OF_TEXT 7 /* height of text in widths of an edge */
#define GROUND_ALPHA 0.72
#define LOST_ALPHA 0.6
#define MAX_TEXT 64
/* Nobody reads more labels than that, and each is compared with those before it. */
#define MAX_LABELS 256
/* A box is compared with so many that may be of the same thing: all tracks. */
#define MAX_COMPARED 512

static const OverlayColour region_colour = { 0.20, 0.90, 0.62 }, roi_colour = { 0.90, 0.60, 0.90 },
                           dark = { 0.05, 0.05, 0.06 };
/* Tracks that are seen one after the other have different colours. */
static const OverlayColour track_colours[] = { { 1.00, 0.72, 0.05 }, { 0.40, 0.75, 1.00 },
  { 0.95, 0.90, 0.30 }, { 1.00, 0.50, 0.25 }, { 0.55, 0.95, 0.45 }, { 0.95, 0.60, 0.80 } };

/* A box in pixels of the frame. */
typedef struct {
  OverlayRect rect;
  OverlayColour colour;
  guint64 track;    /* its id; 0 for none */
  gboolean is_lost; /* nothing was seen there: the place is a guess */
  gchar text[MAX_TEXT];
} Box;

/* Boxes and, in another array, where their labels are: these have no width without a label. */
typedef struct {
  GArray *boxes; /* of Box */
  OverlayRect *labels;
  const OverlayLook *look;
} Drawing;

static Box *
get_box (const Drawing *drawing, guint i)
{
  return &g_array_index (drawing->boxes, Box, i);
}

/* ---- collecting boxes ---- */

/* Sets the text: the label, cut at the beginning of a character where it is too long, the id, and
 * the size if it is wanted. cairo draws nothing at all once it has been given a text that is no
 * UTF-8. */
static void
set_text (Box *box, const gchar *label, guint64 id, const gchar *size)
{
  g_autofree gchar *number = id > 0 ? g_strdup_printf (" #%" G_GUINT64_FORMAT, id) : g_strdup ("");
  g_autofree gchar *valid = g_utf8_make_valid (label, -1);
  const gsize space = MAX_TEXT - MIN (strlen (number) + strlen (size), MAX_TEXT);

  if (strlen (valid) >= space)
    *g_utf8_find_prev_char (valid, valid + space) = '\0';
  g_snprintf (box->text, MAX_TEXT, "%s%s%s", valid, number, size);
}

/* Returns the text of a size: (transfer full). */
static gchar *
make_size (const OverlayLook *look, guint width, guint height)
{
  return look->sizes ? g_strdup_printf (", %ux%u", width, height) : g_strdup ("");
}

/* Adds @box, unless there is one already: it was drawn as what is known best. */
static void
add (Drawing *drawing, const Box *box)
{
  for (guint i = 0; i < MIN (drawing->boxes->len, MAX_COMPARED); i++) {
    const OverlayRect *other = &get_box (drawing, i)->rect;

    if (fabs (other->x - box->rect.x) < 1 && fabs (other->y - box->rect.y) < 1 &&
        fabs (other->width - box->rect.width) < 1 && fabs (other->height - box->rect.height) < 1)
      return;
  }
  g_array_append_val (drawing->boxes, *box);
}

/* Tracks that are not sure yet are drawn as the regions that they are. */
static void
add_tracks (Drawing *drawing, GstGlesTracksResult *result)
{
  const guint n = gst_gles_tracks_result_get_count (result);
  const GstGlesFrameInfo *frame = gst_gles_tracks_result_get_frame (result);
  const gdouble scale_x = (gdouble) drawing->look->width / frame->width;
  const gdouble scale_y = (gdouble) drawing->look->height / frame->height;

  for (guint i = 0; i < n; i++) {
    const GstGlesTrack *track = gst_gles_tracks_result_get_track (result, i, NULL);
    Box box = { .rect = { track->x * scale_x, track->y * scale_y, track->width * scale_x,
                    track->height * scale_y },
      .colour = track_colours[track->id % G_N_ELEMENTS (track_colours)],
      .track = track->id,
      .is_lost = track->state == GST_GLES_TRACK_LOST };
    g_autofree gchar *size = make_size (drawing->look, track->width, track->height);

    if (track->state == GST_GLES_TRACK_NEW)
      continue;
    set_text (&box, gst_gles_tracks_result_get_label (result, track->label), track->id, size);
    add (drawing, &box);
  }
}

static void
add_regions (Drawing *drawing, GstGlesRegionsResult *result)
{
  const gchar *label = gst_gles_regions_result_get_info (result)->label;
  const guint n = gst_gles_regions_result_get_count (result);
  const GstGlesFrameInfo *frame = gst_gles_regions_result_get_frame (result);
  const gdouble scale_x = (gdouble) drawing->look->width / frame->width;
  const gdouble scale_y = (gdouble) drawing->look->height / frame->height;

  for (guint i = 0; i < n; i++) {
    const GstGlesRegion *region = gst_gles_regions_result_get_region (result, i, NULL);
    Box box = { .rect = { region->left * scale_x, region->top * scale_y,
                    (region->right + 1 - region->left) * scale_x,
                    (region->bottom + 1 - region->top) * scale_y },
      .colour = region_colour };
    gchar size[32] = "";

    if (drawing->look->sizes)
      g_snprintf (size, sizeof size, ", %u points", region->pixels);
    set_text (&box, label, 0, size);
    add (drawing, &box);
  }
}

/* Adds regions of interest, except those of glesregions, which are on the buffer as regions too. */
static void
add_interests (Drawing *drawing, GstBuffer *buffer)
{
  const OverlayLook *look = drawing->look;
  gpointer state = NULL;
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta_filtered (
              buffer, &state, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)) != NULL) {
    GstVideoRegionOfInterestMeta *roi = (GstVideoRegionOfInterestMeta *) meta;
    Box box = { .rect = { roi->x, roi->y, roi->w, roi->h }, .colour = roi_colour };
    g_autofree gchar *size = make_size (look, roi->w, roi->h);

    if (gst_video_region_of_interest_meta_get_param (roi, "gles-region") != NULL ||
        roi->x >= look->width || roi->y >= look->height)
      continue;
    box.rect.width = MIN (box.rect.width, look->width - box.rect.x);
    box.rect.height = MIN (box.rect.height, look->height - box.rect.y);
    set_text (&box, roi->roi_type != 0 ? g_quark_to_string (roi->roi_type) : "",
        (guint64) MAX (roi->id, 0), size);
    add (drawing, &box);
  }
}

/* ---- labels ---- */

/* Measures labels, and places them: those of the first boxes, if there are many. Uses a layer of
 * one pixel, because the size of the drawing follows from the labels. */
static gboolean
place_labels (Drawing *drawing, gdouble text, GError **error)
{
  const guint n = MIN (drawing->boxes->len, MAX_LABELS);
  g_autofree OverlayRect *rects = g_new (OverlayRect, n);
  cairo_font_extents_t font;
  OverlayLayer probe;

  if (!overlay_layer_begin_probe (&probe, error))
    return FALSE;
  cairo_set_font_size (probe.cr, text);
  cairo_font_extents (probe.cr, &font);
  for (guint i = 0; i < n; i++) {
    const Box *box = get_box (drawing, i);
    cairo_text_extents_t extents;

    rects[i] = box->rect;
    if (!drawing->look->labels || box->is_lost || box->text[0] == '\0')
      continue;
    cairo_text_extents (probe.cr, box->text, &extents);
    drawing->labels[i].width = ceil (extents.x_advance + text * 0.5);
    drawing->labels[i].height = ceil (font.ascent + font.descent);
  }
  overlay_layer_abandon (&probe);
  overlay_labels_place (drawing->labels, rects, n, drawing->look->width, drawing->look->height);
  return TRUE;
}

/* ---- drawing ---- */

static void
draw_frame (cairo_t *cr, const Box *box, gdouble line)
{
  const OverlayRect *rect = &box->rect;
  const gdouble x = floor (rect->x) + line / 2, y = floor (rect->y) + line / 2;
  const gdouble width = MAX (ceil (rect->x + rect->width) - floor (rect->x) - line, 1);
  const gdouble height = MAX (ceil (rect->y + rect->height) - floor (rect->y) - line, 1);
  const gdouble dash = 4 * line;

  if (box->is_lost) {
    cairo_set_dash (cr, &dash, 1, 0);
  } else {
    overlay_set_colour (cr, dark, GROUND_ALPHA);
    cairo_set_line_width (cr, line * 2);
    cairo_rectangle (cr, x, y, width, height);
    cairo_stroke (cr);
  }
  overlay_set_colour (cr, box->colour, box->is_lost ? LOST_ALPHA : 1);
  cairo_set_line_width (cr, line);
  cairo_rectangle (cr, x, y, width, height);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
}

static void
draw_text (cairo_t *cr, const Box *box, const OverlayRect *label, gdouble text)
{
  cairo_font_extents_t font;

  cairo_font_extents (cr, &font);
  overlay_set_colour (cr, dark, GROUND_ALPHA);
  cairo_rectangle (cr, label->x, label->y, label->width, label->height);
  cairo_fill (cr);
  overlay_set_colour (cr, box->colour, 1);
  cairo_move_to (cr, round (label->x + text * 0.25), round (label->y + font.ascent));
  cairo_show_text (cr, box->text);
}

/* Coordinates in the frame; right and bottom exclusive. */
typedef struct {
  gdouble left, top, right, bottom;
} Bounds;

static void
bounds_add (Bounds *bounds, const OverlayRect *rect)
{
  bounds->left = MIN (bounds->left, rect->x);
  bounds->top = MIN (bounds->top, rect->y);
  bounds->right = MAX (bounds->right, rect->x + rect->width);
  bounds->bottom = MAX (bounds->bottom, rect->y + rect->height);
}

/* Returns the trail of the box, none without a track or if trails are not wanted. */
static const OverlayCentre *
get_trail (const OverlayLook *look, const Box *box, guint *n)
{
  *n = 0;
  return box->track != 0 && look->trails != NULL ? overlay_trails_get (look->trails, box->track, n)
                                                 : NULL;
}

/* Begins a layer that just covers the boxes, labels and trails, because the cost of blending is
 * proportional to its pixels. It begins at even coordinates, where chroma samples begin. */
static gboolean
begin (OverlayLayer *layer, const Drawing *drawing, gdouble text, GError **error)
{
  const OverlayLook *look = drawing->look;
  Bounds all = { look->width, look->height, 0, 0 };
  GstVideoRectangle area;

  for (guint i = 0; i < drawing->boxes->len; i++) {
    const Box *box = get_box (drawing, i);
    guint n;
    const OverlayCentre *trail = get_trail (look, box, &n);

    bounds_add (&all, &box->rect);
    if (drawing->labels[i].width > 0)
      bounds_add (&all, &drawing->labels[i]);
    for (guint c = 0; c < n; c++)
      bounds_add (
          &all, &(OverlayRect){ trail[c].x * look->width, trail[c].y * look->height, 0, 0 });
  }
  area.x = (gint) MAX (all.left - text, 0) & ~1;
  area.y = (gint) MAX (all.top - text, 0) & ~1;
  area.w = (gint) MAX (MIN (ceil (all.right + text), look->width) - area.x, 1);
  area.h = (gint) MAX (MIN (ceil (all.bottom + text), look->height) - area.y, 1);
  if (!overlay_layer_begin (layer, area, error))
    return FALSE;
  cairo_translate (layer->cr, -area.x, -area.y);
  cairo_set_font_size (layer->cr, text);
  return TRUE;
}

/* Draws where the track of the box was, older parts fainter. */
static void
draw_trail (cairo_t *cr, const Box *box, const OverlayLook *look)
{
  guint n;
  const OverlayCentre *trail = get_trail (look, box, &n);

  for (guint i = 1; i < n; i++) {
    overlay_set_colour (cr, box->colour, (gdouble) i / n);
    cairo_move_to (cr, trail[i - 1].x * look->width, trail[i - 1].y * look->height);
    cairo_line_to (cr, trail[i].x * look->width, trail[i].y * look->height);
    cairo_stroke (cr);
  }
}

/* The largest regions come first, so that small ones are drawn over them. */
static void
draw_all (cairo_t *cr, const Drawing *drawing, gdouble text)
{
  const guint n = drawing->boxes->len;
  const gdouble line = MAX (1, round (text / LINES_OF_TEXT));

  cairo_set_line_width (cr, line * 1.5);
  for (guint i = 0; i < n; i++)
    draw_trail (cr, get_box (drawing, i), drawing->look);
  for (guint i = 0; i < n; i++)
    draw_frame (cr, get_box (drawing, i), line);
  for (guint i = n; i-- > 0;) {
    if (drawing->labels[i].width > 0)
      draw_text (cr, get_box (drawing, i), &drawing->labels[i], text);
  }
}

GstVideoOverlayRectangle *
overlay_draw_boxes (const Results *results, const OverlayLook *look, GError **error)
{
  g_autoptr (GArray) boxes = g_array_new (FALSE, FALSE, sizeof (Box));
  g_autofree OverlayRect *labels = NULL;
  const gdouble text = overlay_text_size (look);
  Drawing drawing = { .boxes = boxes, .look = look };
  OverlayLayer layer;

  if (results->tracks != NULL)
    add_tracks (&drawing, results->tracks);
  if (results->regions != NULL)
    add_regions (&drawing, results->regions);
  if (results->interests != NULL)
    add_interests (&drawing, results->interests);
  if (boxes->len == 0)
    return NULL;
  drawing.labels = labels = g_new0 (OverlayRect, boxes->len);
  if (!place_labels (&drawing, text, error) || !begin (&layer, &drawing, text, error))
    return NULL;
  draw_all (layer.cr, &drawing, text);
  return overlay_layer_finish (&layer, look);
}
