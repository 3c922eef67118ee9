/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The panel in a corner: the curves of a histogram on a dark, translucent background. */
#include "overlay-panel.h"

#include <math.h>

/* Lengths, as multiples of the height of text. */
#define PANEL_WIDTH 26.0
#define PLOT_HEIGHT 8.0
#define PADDING 0.9
#define MARGIN 1.2
#define LINE_HEIGHT 1.6
/* A smaller panel has no text. */
#define MIN_LABELLED_WIDTH 17.0
#define MIN_PLOT_HEIGHT 3.0

#define MAX_COLUMNS 2048

typedef struct {
  gdouble x, y, width, height;
} Box;

/* The layout of the panel, in pixels from its upper left corner. */
typedef struct {
  gdouble text; /* height of text; 0 without labels */
  gdouble width, height;
  gdouble margin, padding;
  Box legend, plot, axis, lines;
  guint n_lines;
} Layout;

typedef struct {
  OverlayColour colour;
  gchar *text;
} Line;

static const OverlayColour ground = { 0.04, 0.05, 0.07 };
static const OverlayColour bright = { 0.96, 0.97, 0.98 };
static const OverlayColour muted = { 0.74, 0.77, 0.81 };

/* Colours by channel name; other channels are drawn in grey. */
static const struct {
  const gchar *name;
  OverlayColour colour;
} colours[] = {
  { "Y", { 0.96, 0.97, 0.98 } },
  { "luma", { 0.96, 0.97, 0.98 } },
  { "U", { 0.34, 0.71, 0.91 } },
  { "V", { 0.93, 0.56, 0.76 } },
  { "R", { 0.98, 0.48, 0.25 } },
  { "G", { 0.12, 0.80, 0.60 } },
  { "B", { 0.34, 0.71, 0.91 } },
};

static OverlayColour
channel_colour (const gchar *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (colours); i++)
    if (g_strcmp0 (name, colours[i].name) == 0)
      return colours[i].colour;
  return muted;
}

/* ---- text ---- */

static gdouble
text_width (cairo_t *cr, const gchar *text)
{
  cairo_text_extents_t extents;

  cairo_text_extents (cr, text, &extents);
  return extents.x_advance;
}

/* Draws text, vertically centred on @y. @align 0 puts its left end at @x, 1 its right end. Returns
 * its width. */
static gdouble
show_text (cairo_t *cr, gdouble x, gdouble y, gdouble align, const gchar *text)
{
  cairo_font_extents_t font;
  const gdouble width = text_width (cr, text);

  cairo_font_extents (cr, &font);
  cairo_move_to (cr, round (x - align * width), round (y + (font.ascent - font.descent) / 2));
  cairo_show_text (cr, text);
  return width;
}

/* ---- curves ---- */

/* Distributes the samples of @n code values over @n_columns columns. A value that lies in two
 * columns is divided in proportion, so that resampling adds no comb pattern. */
static void
resample (const guint32 *counts, guint n, gdouble *columns, guint n_columns)
{
  const gdouble values = (gdouble) n / n_columns;

  for (guint column = 0; column < n_columns; column++) {
    const gdouble from = column * values, to = MIN (from + values, n);
    gdouble sum = 0;

    for (guint value = (guint) from; value < to; value++)
      sum += counts[value] * (MIN (value + 1.0, to) - MAX (value, from));
    columns[column] = sum;
  }
}

static gboolean
draw_curve (cairo_t *cr, const Layout *layout, GstGlesHistogramResult *result, guint channel)
{
  const Box *box = &layout->plot;
  const OverlayColour colour =
      channel_colour (gst_gles_histogram_result_get_channel_name (result, channel));
  const gdouble below = box->y + box->height;
  gdouble columns[MAX_COLUMNS], top = 0;
  guint n, n_columns = (guint) CLAMP (box->width, 1, MAX_COLUMNS);
  const guint32 *counts = gst_gles_histogram_result_get_native_counts (result, channel, &n, NULL);

  if (counts == NULL)
    return FALSE;
  n_columns = MIN (n_columns, n);
  resample (counts, n, columns, n_columns);
  for (guint i = 0; i < n_columns; i++)
    top = MAX (top, columns[i]);

  cairo_new_path (cr); /* drawing text leaves a current point */
  for (guint i = 0; i < n_columns && top > 0; i++)
    cairo_line_to (cr, box->x + (i + 0.5) * box->width / n_columns,
        below - sqrt (columns[i] / top) * box->height);
  overlay_set_colour (cr, colour, 0.95);
  cairo_set_line_width (cr, MAX (1.0, layout->text / 9));
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_stroke_preserve (cr);
  cairo_line_to (cr, box->x + box->width, below);
  cairo_line_to (cr, box->x, below);
  cairo_close_path (cr);
  overlay_set_colour (cr, colour, 0.16);
  cairo_fill (cr);
  return TRUE;
}

/* Draws ticks at quarters of the range, and the values of its ends. */
static void
draw_axis (cairo_t *cr, const Layout *layout, guint depth)
{
  const Box *plot = &layout->plot, *axis = &layout->axis;
  const gdouble line = MAX (1, round (layout->text / 18));
  gchar label[16];

  cairo_set_line_width (cr, line);
  overlay_set_colour (cr, bright, 0.14);
  for (guint i = 1; i < 4; i++) {
    const gdouble x = floor (plot->x + i * plot->width / 4) + line / 2;

    cairo_move_to (cr, x, plot->y);
    cairo_line_to (cr, x, plot->y + plot->height);
  }
  cairo_stroke (cr);
  overlay_set_colour (cr, bright, 0.35);
  cairo_move_to (cr, plot->x, floor (plot->y + plot->height) + line / 2);
  cairo_line_to (cr, plot->x + plot->width, floor (plot->y + plot->height) + line / 2);
  cairo_stroke (cr);
  if (layout->text == 0)
    return;
  overlay_set_colour (cr, muted, 1);
  cairo_set_font_size (cr, layout->text * 0.9);
  show_text (cr, axis->x, axis->y + axis->height / 2, 0, "0");
  g_snprintf (label, sizeof label, "%u", 1u << (depth - 1));
  show_text (cr, axis->x + axis->width / 2, axis->y + axis->height / 2, 0.5, label);
  g_snprintf (label, sizeof label, "%u", (1u << depth) - 1);
  show_text (cr, axis->x + axis->width, axis->y + axis->height / 2, 1, label);
}

/* Draws the name and mean of each channel, as many as fit. */
static void
draw_legend (cairo_t *cr, const Layout *layout, GstGlesHistogramResult *result)
{
  const Box *box = &layout->legend;
  const gdouble y = box->y + box->height / 2, text = layout->text;
  gdouble x = box->x;

  cairo_set_font_size (cr, text);
  for (guint i = 0; i < gst_gles_histogram_result_get_n_channels (result); i++) {
    const gchar *name = gst_gles_histogram_result_get_channel_name (result, i);
    GstGlesHistogramStatistics statistics;
    gchar mean[32];

    if (!gst_gles_histogram_result_get_statistics (result, i, &statistics, NULL))
      return;
    g_snprintf (mean, sizeof mean, "%.0f", statistics.mean);
    if (x + text * 2 + text_width (cr, name) + text_width (cr, mean) > box->x + box->width)
      return;
    overlay_set_colour (cr, channel_colour (name), 1);
    cairo_rectangle (cr, x, round (y - text * 0.36), round (text * 0.72), round (text * 0.72));
    cairo_fill (cr);
    x += text * 1.15;
    overlay_set_colour (cr, bright, 1);
    x += show_text (cr, x, y, 0, name) + text * 0.45;
    overlay_set_colour (cr, muted, 1);
    x += show_text (cr, x, y, 0, mean) + text * 1.5;
  }
  if (x + text_width (cr, "mean") < box->x + box->width) {
    overlay_set_colour (cr, muted, 1);
    show_text (cr, box->x + box->width, y, 1, "mean");
  }
}

/* ---- the panel ---- */

static void
draw_ground (cairo_t *cr, const Layout *layout)
{
  const gdouble radius = MIN (layout->text * 0.6, layout->height / 4);

  cairo_new_sub_path (cr);
  cairo_arc (cr, layout->width - radius, radius, radius, -G_PI_2, 0);
  cairo_arc (cr, layout->width - radius, layout->height - radius, radius, 0, G_PI_2);
  cairo_arc (cr, radius, layout->height - radius, radius, G_PI_2, G_PI);
  cairo_arc (cr, radius, radius, radius, G_PI, 3 * G_PI_2);
  cairo_close_path (cr);
  overlay_set_colour (cr, ground, 0.72);
  cairo_fill (cr);
}

/* Formats a fraction of all pixels: (transfer full). */
static gchar *
share_text (guint64 part, gdouble all)
{
  const gdouble percent = all > 0 ? 100.0 * (gdouble) part / all : 0;

  if (part > 0 && percent < 0.01)
    return g_strdup ("< 0.01 %");
  return g_strdup_printf (percent < 10 && part > 0 ? "%.2g %%" : "%.0f %%", percent);
}

/* Formats the line of text of a part: (transfer full). */
static gchar *
points_text (GstGlesPointsResult *result)
{
  const GstGlesPointsInfo *info = gst_gles_points_result_get_info (result);
  const guint64 total = gst_gles_points_result_get_total (result);
  g_autofree gchar *share = NULL;

  if (gst_gles_points_result_is_truncated (result))
    return g_strdup_printf (
        "%u of %" G_GUINT64_FORMAT " points", gst_gles_points_result_get_count (result), total);
  share = share_text (total, (gdouble) info->region_width * info->region_height);
  return g_strdup_printf ("%" G_GUINT64_FORMAT " point%s, %s", total, total == 1 ? "" : "s", share);
}

static gchar *
tiles_text (GstGlesTilesResult *result)
{
  const GstGlesTilesInfo *info = gst_gles_tiles_result_get_info (result);
  guint occupied = 0, largest = 0;

  gst_gles_tiles_result_get_occupancy (result, &occupied, &largest, NULL);
  return g_strdup_printf ("%u of %u tiles, fullest %u%s", occupied, info->columns * info->rows,
      largest, gst_gles_tiles_result_is_truncated (result) ? " (cut)" : "");
}

/* Makes a line of text, with colour and count, for each part that is drawn in the picture. */
static guint
get_lines (const Results *results, Line *lines)
{
  guint n = 0;

  if (results->points != NULL)
    lines[n++] = (Line){ overlay_points_colour, points_text (results->points) };
  if (results->tiles != NULL)
    lines[n++] = (Line){ overlay_tiles_colour, tiles_text (results->tiles) };
  return n;
}

static void
draw_lines (cairo_t *cr, const Layout *layout, const Line *lines)
{
  const gdouble text = layout->text;

  cairo_set_font_size (cr, text);
  for (guint i = 0; i < layout->n_lines; i++) {
    const gdouble y = layout->lines.y + (i + 0.5) * layout->lines.height / layout->n_lines;

    overlay_set_colour (cr, lines[i].colour, 1);
    cairo_rectangle (
        cr, layout->lines.x, round (y - text * 0.36), round (text * 0.72), round (text * 0.72));
    cairo_fill (cr);
    overlay_set_colour (cr, bright, 1);
    show_text (cr, layout->lines.x + text * 1.15, y, 0, lines[i].text);
  }
}

/* Lays out legend, curves, axis and lines of text from top to bottom. Missing parts take no
 * space. */
static Layout
lay_out (gboolean has_histogram, guint n_lines, const OverlayLook *look)
{
  const gdouble text = overlay_text_size (look);
  const gdouble margin = round (MIN (text * MARGIN, MIN (look->width, look->height) / 16));
  const gdouble width = floor (MIN (text * PANEL_WIDTH, look->width - 2 * margin));
  const gdouble most = look->height - 2 * margin;
  const gdouble line = round (text * LINE_HEIGHT), padding = round (text * PADDING);
  const gdouble texts =
      2 * padding + n_lines * line + (has_histogram ? 2 * line + round (text * 0.3) : 0);
  Layout layout = { .width = width, .margin = margin };
  gdouble y = 0, inner;

  if (look->labels && width >= text * MIN_LABELLED_WIDTH &&
      most >= texts + (has_histogram ? text * MIN_PLOT_HEIGHT : 0)) {
    layout.text = text;
    layout.padding = padding;
    layout.n_lines = n_lines;
    y = padding;
  }
  inner = width - 2 * layout.padding;
  if (has_histogram) {
    const gdouble labelled = layout.text > 0 ? line : 0;

    layout.legend = (Box){ layout.padding, y, inner, labelled };
    y += labelled + (layout.text > 0 ? round (text * 0.3) : 0);
    layout.plot = (Box){ layout.padding, y, inner,
      MAX (1, floor (MIN (text * PLOT_HEIGHT, most - (layout.text > 0 ? texts : 0)))) };
    y += layout.plot.height;
    layout.axis = (Box){ layout.padding, y, inner, labelled };
    y += labelled;
  }
  layout.lines = (Box){ layout.padding, y, inner, layout.n_lines * line };
  y += layout.lines.height;
  layout.height = y + (layout.text > 0 ? round (padding * (has_histogram ? 0.5 : 1)) : 0);
  return layout;
}

static void
draw_histogram (cairo_t *cr, const Layout *layout, GstGlesHistogramResult *result)
{
  draw_axis (cr, layout, gst_gles_histogram_result_get_channel_depth (result, 0));
  for (guint i = gst_gles_histogram_result_get_n_channels (result); i-- > 0;)
    draw_curve (cr, layout, result, i);
  if (layout->text > 0)
    draw_legend (cr, layout, result);
}

/* Without a histogram, makes the panel as wide as its text. */
static gboolean
fit_width (Layout *layout, const Line *lines, GError **error)
{
  OverlayLayer probe;
  gdouble width = 0;

  if (!overlay_layer_begin_probe (&probe, error))
    return FALSE;
  cairo_set_font_size (probe.cr, layout->text);
  for (guint i = 0; i < layout->n_lines; i++)
    width = MAX (width, text_width (probe.cr, lines[i].text));
  overlay_layer_abandon (&probe);
  layout->width = MIN (layout->width, ceil (width + layout->text * 1.15 + 2 * layout->padding));
  return TRUE;
}

GstVideoOverlayRectangle *
overlay_draw_panel (const Results *results, const OverlayLook *look, GError **error)
{
  Line lines[RESULTS_N_KINDS] = { 0 };
  const guint n_lines = get_lines (results, lines);
  Layout layout = lay_out (results->histogram != NULL, n_lines, look);
  GstVideoOverlayRectangle *rectangle = NULL;
  OverlayLayer layer;

  if (results->histogram == NULL && layout.n_lines > 0 && !fit_width (&layout, lines, error))
    goto out;
  const gdouble right = look->width - layout.margin - layout.width;
  const gdouble bottom = look->height - layout.margin - layout.height;
  const gboolean at_right =
      look->position == OVERLAY_TOP_RIGHT || look->position == OVERLAY_BOTTOM_RIGHT;
  const gboolean at_bottom =
      look->position == OVERLAY_BOTTOM_LEFT || look->position == OVERLAY_BOTTOM_RIGHT;

  const GstVideoRectangle area = { (gint) MAX (0, at_right ? right : layout.margin) & ~1,
    (gint) MAX (0, at_bottom ? bottom : layout.margin) & ~1, (gint) layout.width,
    (gint) layout.height };

  if ((results->histogram != NULL || layout.n_lines > 0) &&
      overlay_layer_begin (&layer, area, error)) {
    draw_ground (layer.cr, &layout);
    if (results->histogram != NULL)
      draw_histogram (layer.cr, &layout, results->histogram);
    draw_lines (layer.cr, &layout, lines);
    rectangle = overlay_layer_finish (&layer, look);
  }
out:
  for (guint i = 0; i < n_lines; i++)
    g_free (lines[i].text);
  return rectangle;
}
