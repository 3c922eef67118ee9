/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Formats whose first component is luma are analysed as they are. Others become the nearest of
 * these with as many bits, where videoconvert would choose more bits than there are. */
#include "format.h"
#include "../model/results.h"

#include <string.h>

#include <gio/gio.h>
#include <json-glib/json-glib.h>

#define STORED "gst-gles-report-stored"

/* Formats without chroma, of which expressions must not ask for it. */
static const GstVideoFormat grey[] = { GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_GRAY16_LE };

static const GstVideoFormat coloured[] = { GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_NV12,
  GST_VIDEO_FORMAT_Y42B, GST_VIDEO_FORMAT_Y444, GST_VIDEO_FORMAT_NV21, GST_VIDEO_FORMAT_NV16,
  GST_VIDEO_FORMAT_YV12, GST_VIDEO_FORMAT_I420_10LE, GST_VIDEO_FORMAT_I422_10LE,
  GST_VIDEO_FORMAT_Y444_10LE, GST_VIDEO_FORMAT_P010_10LE, GST_VIDEO_FORMAT_I420_12LE,
  GST_VIDEO_FORMAT_I422_12LE, GST_VIDEO_FORMAT_Y444_12LE };

/* For each number of bits, the formats to choose from: without chroma, and by the directions in
 * which chroma is subsampled. */
static const struct {
  guint depth;
  GstVideoFormat grey, both, horizontally, not ;
} nearest[] = {
  { 8, GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_Y42B,
      GST_VIDEO_FORMAT_Y444 },
  { 10, GST_VIDEO_FORMAT_GRAY16_LE, GST_VIDEO_FORMAT_I420_10LE, GST_VIDEO_FORMAT_I422_10LE,
      GST_VIDEO_FORMAT_Y444_10LE },
  { G_MAXUINT, GST_VIDEO_FORMAT_GRAY16_LE, GST_VIDEO_FORMAT_I420_12LE, GST_VIDEO_FORMAT_I422_12LE,
      GST_VIDEO_FORMAT_Y444_12LE },
};

static gboolean
contains (const GstVideoFormat *formats, guint n, GstVideoFormat format)
{
  for (guint i = 0; i < n; i++) {
    if (formats[i] == format)
      return TRUE;
  }
  return FALSE;
}

static GstVideoFormat
choose (const GstVideoFormatInfo *stored)
{
  const GstVideoFormat format = GST_VIDEO_FORMAT_INFO_FORMAT (stored);
  guint depth = 0, i = 0;

  if (contains (grey, G_N_ELEMENTS (grey), format) ||
      contains (coloured, G_N_ELEMENTS (coloured), format))
    return format;
  for (guint k = 0; k < GST_VIDEO_FORMAT_INFO_N_COMPONENTS (stored); k++)
    depth = MAX (depth, GST_VIDEO_FORMAT_INFO_DEPTH (stored, k));
  while (depth > nearest[i].depth)
    i++;
  if (GST_VIDEO_FORMAT_INFO_IS_GRAY (stored))
    return nearest[i].grey;
  if (!GST_VIDEO_FORMAT_INFO_IS_YUV (stored) || GST_VIDEO_FORMAT_INFO_W_SUB (stored, 1) == 0)
    return nearest[i].not ;
  return GST_VIDEO_FORMAT_INFO_H_SUB (stored, 1) == 0 ? nearest[i].horizontally : nearest[i].both;
}

/* ---- expressions ---- */

/* Sets the expression of the element @name, if it is there. */
static void
set_expression (GstElement *pipeline, const gchar *name, const gchar *expression)
{
  g_autoptr (GstElement) element = gst_bin_get_by_name (GST_BIN (pipeline), name);

  if (element != NULL)
    g_object_set (element, "expression", expression, NULL);
}

/* Returns the expression of @measure in docs/signalstats.json: (transfer full) (nullable). */
static gchar *
find_expression (const gchar *measure)
{
  g_autoptr (GBytes) text = g_resources_lookup_data (
      "/gst-gles-report/signalstats.json", G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonArray *presets;
  gsize size;
  const gchar *data = g_bytes_get_data (text, &size);

  if (!json_parser_load_from_data (parser, data, (gssize) size, NULL))
    return NULL;
  presets = json_node_get_array (json_parser_get_root (parser));
  for (guint i = 0; i < json_array_get_length (presets); i++) {
    JsonObject *preset = json_array_get_object_element (presets, i);

    if (g_str_equal (json_object_get_string_member (preset, "measure"), measure))
      return g_strdup (json_object_get_string_member (preset, "expression"));
  }
  return NULL;
}

/* Has light levels measured where @caps say that the video is in PQ, unless the user had set
 * another expression. */
static void
set_light (GstElement *pipeline, GstCaps *caps)
{
  g_autoptr (GstElement) element = gst_bin_get_by_name (GST_BIN (pipeline), "gleshistogram0");
  const gchar *text = gst_structure_get_string (gst_caps_get_structure (caps, 0), "colorimetry");
  g_autofree gchar *expression = NULL;
  GstVideoColorimetry colorimetry;

  g_object_get (element, "expression", &expression, NULL);
  g_object_set (element, "light",
      expression[0] == '\0' && text != NULL &&
          gst_video_colorimetry_from_string (&colorimetry, text) &&
          colorimetry.transfer == GST_VIDEO_TRANSFER_SMPTE2084,
      NULL);
}

static void
set_expressions (GstElement *pipeline, gboolean is_grey)
{
  g_autofree gchar *brng = find_expression ("BRNG");

  /* FFmpeg gives grey chroma in the middle of its range */
  set_expression (pipeline, REPORT_BRNG, is_grey ? "Y < 8bit(16) || Y > 8bit(235)" : brng);
  set_expression (pipeline, REPORT_SAT, is_grey ? "0 * Y" : "uvsat");
  set_expression (pipeline, REPORT_HUE, is_grey ? "0 * Y + 180" : "uvhue");
}

/* ---- the pipeline ---- */

static GstPadProbeReturn
on_caps (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  GstElement *pipeline = user_data;
  g_autoptr (GstElement) filter = NULL;
  g_autoptr (GstCaps) wanted = NULL;
  const gchar *name;
  GstVideoFormat stored, analysed;
  GstCaps *caps;

  if (GST_EVENT_TYPE (info->data) != GST_EVENT_CAPS)
    return GST_PAD_PROBE_OK;
  gst_event_parse_caps (GST_PAD_PROBE_INFO_EVENT (info), &caps);
  name = gst_structure_get_string (gst_caps_get_structure (caps, 0), "format");
  stored = name != NULL ? gst_video_format_from_string (name) : GST_VIDEO_FORMAT_UNKNOWN;
  if (stored == GST_VIDEO_FORMAT_UNKNOWN)
    return GST_PAD_PROBE_OK;
  analysed = choose (gst_video_format_get_info (stored));
  wanted = gst_caps_new_simple (
      "video/x-raw", "format", G_TYPE_STRING, gst_video_format_to_string (analysed), NULL);
  filter = gst_bin_get_by_name (GST_BIN (pipeline), "formats");
  g_object_set (filter, "caps", wanted, NULL);
  set_light (pipeline, caps);
  set_expressions (pipeline, contains (grey, G_N_ELEMENTS (grey), analysed));
  g_object_set_data (G_OBJECT (pipeline), STORED,
      analysed != stored ? (gpointer) gst_video_format_to_string (stored) : NULL);
  return GST_PAD_PROBE_OK;
}

void
report_follow_format (GstElement *pipeline)
{
  g_autoptr (GstElement) convert = gst_bin_get_by_name (GST_BIN (pipeline), "convert");
  g_autoptr (GstPad) decoded = gst_element_get_static_pad (convert, "sink");

  gst_pad_add_probe (decoded, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, on_caps, pipeline, NULL);
}

const gchar *
report_get_stored_format (GstElement *pipeline)
{
  return g_object_get_data (G_OBJECT (pipeline), STORED);
}
