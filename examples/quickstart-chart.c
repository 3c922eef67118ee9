/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "quickstart-chart.h"

#include <cairo.h>
#include <math.h>
#include <gst/video/video.h>

#define MARGIN 28
#define HEADER 52
#define FOOTER 40
#define PICTURE_WIDTH 720
#define PICTURE_MAX_HEIGHT 600
#define PLOT_WIDTH 560
#define PLOT_MIN_HEIGHT 300
#define AXIS_LEFT 64
#define AXIS_BOTTOM 40

typedef struct {
  gdouble r, g, b;
} Colour;

typedef struct {
  gdouble x, y, width, height;
} Box;

/* by the channel's name; what is not listed is drawn in grey */
static const struct {
  const gchar *name;
  Colour colour;
} colours[] = {
  { "Y", { 0.20, 0.22, 0.26 } },
  { "luma", { 0.20, 0.22, 0.26 } },
  { "U", { 0.13, 0.44, 0.79 } },
  { "V", { 0.83, 0.24, 0.26 } },
  { "R", { 0.83, 0.20, 0.20 } },
  { "G", { 0.15, 0.60, 0.27 } },
  { "B", { 0.13, 0.40, 0.82 } },
};

static Colour
channel_colour (const gchar *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (colours); i++)
    if (g_strcmp0 (name, colours[i].name) == 0)
      return colours[i].colour;
  return (Colour){ 0.55, 0.55, 0.55 };
}

static void
show_text (cairo_t *cr, gdouble x, gdouble y, gdouble align, const gchar *text)
{
  cairo_text_extents_t extents;

  cairo_text_extents (cr, text, &extents);
  cairo_move_to (cr, x - align * extents.x_advance, y);
  cairo_show_text (cr, text);
}

/* what a channel's bin holds, as a share of the channel's samples */
static gdouble
share (const guint32 *counts, guint bin, guint64 total)
{
  return total > 0 ? (gdouble) counts[bin] / total : 0;
}

/* a little more than the largest share of any bin */
static gdouble
top_of_scale (GstGlesHistogramResult *result)
{
  gdouble top = 0.001;

  for (guint c = 0; c < gst_gles_histogram_result_get_n_channels (result); c++) {
    GstGlesHistogramStatistics statistics;
    guint n;
    const guint32 *counts = gst_gles_histogram_result_get_counts (result, c, 0, &n, NULL);

    gst_gles_histogram_result_get_statistics (result, c, &statistics, NULL);
    for (guint i = 0; i < n; i++)
      top = MAX (top, share (counts, i, statistics.count));
  }
  return top * 1.05;
}

static void
draw_axes (cairo_t *cr, Box box, gdouble top, guint depth)
{
  static const gdouble ticks[] = { 0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0 };
  gdouble below = box.y + box.height, last_y = below;
  gchar label[32];

  cairo_set_font_size (cr, 13);
  cairo_set_line_width (cr, 1);
  for (guint i = 0; i < G_N_ELEMENTS (ticks); i++) {
    gdouble y = floor (below - sqrt (ticks[i] / top) * box.height) + 0.5;

    if (ticks[i] > top || last_y - y < 14)
      continue;
    last_y = y;
    cairo_set_source_rgb (cr, 0.90, 0.91, 0.93);
    cairo_move_to (cr, box.x, y);
    cairo_line_to (cr, box.x + box.width, y);
    cairo_stroke (cr);
    cairo_set_source_rgb (cr, 0.35, 0.37, 0.42);
    g_snprintf (label, sizeof label, "%g %%", ticks[i] * 100);
    show_text (cr, box.x - 8, y + 4, 1, label);
  }
  for (guint i = 0; i <= 4; i++) {
    gdouble x = floor (box.x + i * box.width / 4) + 0.5;

    cairo_set_source_rgb (cr, 0.35, 0.37, 0.42);
    cairo_move_to (cr, x, below);
    cairo_line_to (cr, x, below + 5);
    cairo_stroke (cr);
    g_snprintf (label, sizeof label, "%u", MIN ((1u << depth) * i / 4, (1u << depth) - 1));
    show_text (cr, x, below + 20, 0.5, label);
  }
  cairo_move_to (cr, box.x, below + 0.5);
  cairo_line_to (cr, box.x + box.width, below + 0.5);
  cairo_stroke (cr);
  show_text (cr, box.x + box.width / 2, below + 37, 0.5, "code value");
}

/* steps, as a histogram is, filled lightly and outlined */
static void
draw_curve (
    cairo_t *cr, Box box, gdouble top, const guint32 *counts, guint n, guint64 total, Colour colour)
{
  gdouble below = box.y + box.height, step = box.width / n;

  cairo_move_to (cr, box.x, below);
  for (guint i = 0; i < n; i++) {
    gdouble y = below - sqrt (share (counts, i, total) / top) * box.height;

    cairo_line_to (cr, box.x + i * step, y);
    cairo_line_to (cr, box.x + (i + 1) * step, y);
  }
  cairo_line_to (cr, box.x + box.width, below);
  cairo_set_source_rgba (cr, colour.r, colour.g, colour.b, 0.16);
  cairo_fill_preserve (cr);
  cairo_set_source_rgb (cr, colour.r, colour.g, colour.b);
  cairo_set_line_width (cr, 1.5);
  cairo_stroke (cr);
}

static void
draw_legend (cairo_t *cr, Box box, GstGlesHistogramResult *result)
{
  gdouble x = box.x, y = box.y - 14;

  cairo_set_font_size (cr, 14);
  for (guint c = 0; c < gst_gles_histogram_result_get_n_channels (result); c++) {
    const gchar *name = gst_gles_histogram_result_get_channel_name (result, c);
    Colour colour = channel_colour (name);
    GstGlesHistogramStatistics statistics;
    g_autofree gchar *label = NULL;
    cairo_text_extents_t extents;

    gst_gles_histogram_result_get_statistics (result, c, &statistics, NULL);
    label = g_strdup_printf ("%s  mean %.1f", name, statistics.mean);
    cairo_set_source_rgb (cr, colour.r, colour.g, colour.b);
    cairo_rectangle (cr, x, y - 10, 18, 11);
    cairo_fill (cr);
    show_text (cr, x + 25, y, 0, label);
    cairo_text_extents (cr, label, &extents);
    x += 25 + extents.x_advance + 28;
  }
  cairo_set_source_rgb (cr, 0.35, 0.37, 0.42);
  cairo_set_font_size (cr, 13);
  show_text (cr, box.x + box.width, HEADER - 12, 1, "share of samples per bin, square-root scale");
}

/* Scales what is visible of @from (its GstVideoCropMeta, else what the caps say) into @to. */
static void
scale_frame (GstVideoFrame *from, const GstVideoInfo *caps_info, GstVideoFrame *to)
{
  const GstVideoCropMeta *crop = gst_buffer_get_video_crop_meta (from->buffer);
  GstStructure *options = gst_structure_new ("options", GST_VIDEO_CONVERTER_OPT_SRC_X, G_TYPE_INT,
      crop != NULL ? (gint) crop->x : 0, GST_VIDEO_CONVERTER_OPT_SRC_Y, G_TYPE_INT,
      crop != NULL ? (gint) crop->y : 0, GST_VIDEO_CONVERTER_OPT_SRC_WIDTH, G_TYPE_INT,
      crop != NULL ? (gint) crop->width : GST_VIDEO_INFO_WIDTH (caps_info),
      GST_VIDEO_CONVERTER_OPT_SRC_HEIGHT, G_TYPE_INT,
      crop != NULL ? (gint) crop->height : GST_VIDEO_INFO_HEIGHT (caps_info), NULL);
  GstVideoConverter *converter = gst_video_converter_new (&from->info, &to->info, options);

  gst_video_converter_frame (converter, from, to);
  gst_video_converter_free (converter);
}

/* The converter does not convert from a range or a matrix that is unknown, and decoders often know
 * one of them only. The other one is what GStreamer assumes by the format and the size. */
static void
complete_colorimetry (GstVideoInfo *info, GstCaps *caps)
{
  const gchar *text = gst_structure_get_string (gst_caps_get_structure (caps, 0), "colorimetry");
  GstVideoColorimetry stated = { 0 };
  GstVideoInfo assumed;

  if (text == NULL || GST_VIDEO_INFO_IS_RGB (info) ||
      !gst_video_colorimetry_from_string (&stated, text))
    return;
  gst_video_info_set_format (&assumed, GST_VIDEO_INFO_FORMAT (info), info->width, info->height);
  info->colorimetry.range =
      stated.range != GST_VIDEO_COLOR_RANGE_UNKNOWN ? stated.range : assumed.colorimetry.range;
  if (info->colorimetry.matrix == GST_VIDEO_COLOR_MATRIX_UNKNOWN)
    info->colorimetry.matrix = assumed.colorimetry.matrix;
}

static gboolean
draw_picture (cairo_t *cr, GstSample *sample, Box box, GError **error)
{
  GstVideoInfo info, scaled_info;
  GstVideoFrame frame, scaled;

  if (!gst_video_info_from_caps (&info, gst_sample_get_caps (sample)) ||
      !gst_video_frame_map (&frame, &info, gst_sample_get_buffer (sample), GST_MAP_READ)) {
    g_set_error (
        error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_FAILED, "the last frame cannot be read");
    return FALSE;
  }
  complete_colorimetry (&frame.info, gst_sample_get_caps (sample));
  gst_video_info_set_format (&scaled_info,
      G_BYTE_ORDER == G_LITTLE_ENDIAN ? GST_VIDEO_FORMAT_BGRx : GST_VIDEO_FORMAT_xRGB, box.width,
      box.height);
  /* the converter refuses to change the rate */
  scaled_info.fps_n = info.fps_n;
  scaled_info.fps_d = info.fps_d;
  g_autoptr (GstBuffer) buffer =
      gst_buffer_new_allocate (NULL, GST_VIDEO_INFO_SIZE (&scaled_info), NULL);
  gst_video_frame_map (&scaled, &scaled_info, buffer, GST_MAP_READWRITE);
  scale_frame (&frame, &info, &scaled);
  gst_video_frame_unmap (&frame);

  cairo_surface_t *surface =
      cairo_image_surface_create_for_data (GST_VIDEO_FRAME_PLANE_DATA (&scaled, 0),
          CAIRO_FORMAT_RGB24, box.width, box.height, GST_VIDEO_FRAME_PLANE_STRIDE (&scaled, 0));
  cairo_set_source_surface (cr, surface, box.x, box.y);
  cairo_paint (cr);
  /* the source would keep the frame's memory */
  cairo_set_source_rgb (cr, 0, 0, 0);
  cairo_surface_destroy (surface);
  gst_video_frame_unmap (&scaled);
  return TRUE;
}

static void
draw_plot (cairo_t *cr, GstGlesHistogramResult *result, Box box)
{
  gdouble top = top_of_scale (result);
  guint n_channels = gst_gles_histogram_result_get_n_channels (result);

  draw_axes (cr, box, top, gst_gles_histogram_result_get_channel_depth (result, 0));
  draw_legend (cr, box, result);
  for (guint c = 0; c < n_channels; c++) {
    GstGlesHistogramStatistics statistics;
    guint n;
    const guint32 *counts = gst_gles_histogram_result_get_counts (result, c, 0, &n, NULL);

    gst_gles_histogram_result_get_statistics (result, c, &statistics, NULL);
    draw_curve (cr, box, top, counts, n, statistics.count,
        channel_colour (gst_gles_histogram_result_get_channel_name (result, c)));
  }
}

gboolean
quickstart_chart_write (GstSample *frame, GstGlesHistogramResult *result, const gchar *title,
    const gchar *footer, const gchar *path, GError **error)
{
  guint width, height;
  width = gst_gles_histogram_result_get_frame (result)->width;
  height = gst_gles_histogram_result_get_frame (result)->height;
  gdouble scale = MIN ((gdouble) PICTURE_WIDTH / width, (gdouble) PICTURE_MAX_HEIGHT / height);
  Box picture = { MARGIN, HEADER + MARGIN, MAX (1, floor (width * scale)),
    MAX (1, floor (height * scale)) };
  gdouble content = MAX (picture.height, PLOT_MIN_HEIGHT);
  Box plot = { 2 * MARGIN + picture.width + AXIS_LEFT, HEADER + MARGIN, PLOT_WIDTH,
    content - AXIS_BOTTOM };
  cairo_surface_t *surface = cairo_image_surface_create (
      CAIRO_FORMAT_RGB24, plot.x + plot.width + MARGIN, HEADER + 2 * MARGIN + content + FOOTER);
  cairo_t *cr = cairo_create (surface);
  cairo_status_t status = CAIRO_STATUS_SUCCESS;

  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_paint (cr);
  cairo_set_source_rgb (cr, 0.13, 0.14, 0.17);
  cairo_select_font_face (cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_BOLD);
  cairo_set_font_size (cr, 18);
  show_text (cr, MARGIN, 40, 0, title);
  cairo_select_font_face (cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
  gboolean ok = draw_picture (cr, frame, picture, error);
  if (ok) {
    draw_plot (cr, result, plot);
    cairo_set_source_rgb (cr, 0.35, 0.37, 0.42);
    cairo_set_font_size (cr, 13);
    show_text (cr, MARGIN, HEADER + MARGIN + content + 44, 0, footer);
    status = cairo_surface_write_to_png (surface, path);
  }
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  if (status != CAIRO_STATUS_SUCCESS) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_WRITE, "cannot write %s: %s", path,
        cairo_status_to_string (status));
    return FALSE;
  }
  return ok;
}
