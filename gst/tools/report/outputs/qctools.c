/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The XML of `ffprobe -f lavfi -show_frames -print_format xml=fully_qualified=1`, gzipped, as
 * QCTools opens it. QCTools takes the time of a frame from pkt_dts_time, which behind a filter is
 * that of the picture. */
#include "qctools.h"
#include "../model/report.h"
#include "measures.h"

typedef struct {
  ReportOutput parent;
  guint width, height; /* of the first frame, as is what follows */
  const gchar *pixel_format;
  GstClockTime begin;
} Sidecar;

static const gchar head[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<ffprobe:ffprobe xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
    "xmlns:ffprobe=\"http://www.ffmpeg.org/schema/ffprobe\" "
    "xsi:schemaLocation=\"http://www.ffmpeg.org/schema/ffprobe ffprobe.xsd\">\n"
    "    <frames>\n";

/* Returns FFmpeg's name of a format of GStreamer, or NULL. */
static const gchar *
get_pixel_format (const gchar *format)
{
  static const gchar *const names[][2] = {
    { "I420", "yuv420p" },
    { "YV12", "yuv420p" },
    { "NV12", "nv12" },
    { "NV21", "nv21" },
    { "Y42B", "yuv422p" },
    { "NV16", "nv16" },
    { "Y444", "yuv444p" },
    { "GRAY8", "gray" },
    { "I420_10LE", "yuv420p10le" },
    { "P010_10LE", "p010le" },
    { "I422_10LE", "yuv422p10le" },
    { "Y444_10LE", "yuv444p10le" },
    { "I420_12LE", "yuv420p12le" },
    { "I422_12LE", "yuv422p12le" },
    { "Y444_12LE", "yuv444p12le" },
    { "GRAY16_LE", "gray16le" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    if (g_strcmp0 (names[i][0], format) == 0)
      return names[i][1];
  }
  return NULL;
}

static void
append_seconds (GString *text, const gchar *name, GstClockTime time)
{
  const GstClockTime us = (time + 500) / GST_USECOND;

  if (GST_CLOCK_TIME_IS_VALID (time))
    g_string_append_printf (text, " %s=\"%" G_GUINT64_FORMAT ".%06u\"", name, us / G_USEC_PER_SEC,
        (guint) (us % G_USEC_PER_SEC));
}

static void
add_frame (ReportOutput *output, const ReportResults *results)
{
  Sidecar *self = (Sidecar *) output;
  const gchar *pixel_format = get_pixel_format (results->format);
  g_autoptr (GString) text = g_string_new (NULL);
  ReportMeasure measures[REPORT_N_MEASURES];

  if (output->n_written++ == 0) {
    g_string_append (text, head);
    self->width = results->width;
    self->height = results->height;
    self->pixel_format = pixel_format;
    self->begin = results->time;
  }
  report_get_measures (results, measures);
  g_string_append_printf (text,
      "        <frame media_type=\"video\" stream_index=\"0\" key_frame=\"%d\"", results->key);
  append_seconds (text, "pts_time", results->time);
  append_seconds (text, "pkt_dts_time", results->time);
  append_seconds (text, "best_effort_timestamp_time", results->time);
  append_seconds (text, "pkt_duration_time", results->duration);
  g_string_append_printf (text, " width=\"%u\" height=\"%u\"", results->width, results->height);
  if (pixel_format != NULL)
    g_string_append_printf (text, " pix_fmt=\"%s\"", pixel_format);
  /* as ffprobe writes what it does not know; without it QCTools cannot save the file */
  g_string_append (text, " pict_type=\"?\">\n");
  for (guint i = 0; i < REPORT_N_MEASURES; i++) {
    if (measures[i].text[0] != '\0')
      g_string_append_printf (text, "            <tag key=\"lavfi.%s%s\" value=\"%s\"/>\n",
          strchr (measures[i].name, '.') == NULL ? "signalstats." : "", measures[i].name,
          measures[i].text);
  }
  g_string_append (text, "        </frame>\n");
  report_file_print (output->file, text);
}

/* What ffprobe writes of a filter's output; 0/0 is a rate that it does not know. */
static void
append_stream (GString *text, const Sidecar *self, const gchar *title)
{
  g_autofree gchar *valid = g_utf8_make_valid (title, -1);
  g_autofree gchar *name = g_markup_escape_text (valid, -1);

  g_string_append (text,
      "    <streams>\n        <stream index=\"0\" codec_name=\"rawvideo\" "
      "codec_long_name=\"raw video\" codec_type=\"video\" "
      "codec_tag_string=\"[0][0][0][0]\" codec_tag=\"0x0000\"");
  if (self->parent.n_written > 0)
    g_string_append_printf (text, " width=\"%u\" height=\"%u\"", self->width, self->height);
  if (self->pixel_format != NULL)
    g_string_append_printf (text, " pix_fmt=\"%s\"", self->pixel_format);
  g_string_append (text, " r_frame_rate=\"0/0\" avg_frame_rate=\"0/0\" time_base=\"1/1000000000\"");
  if (self->parent.n_written > 0)
    append_seconds (text, "start_time", self->begin);
  g_string_append_printf (text,
      " nb_read_frames=\"%" G_GUINT64_FORMAT "\"/>\n    </streams>\n"
      "    <format filename=\"%s\" nb_streams=\"1\" nb_programs=\"0\" format_name=\"lavfi\"/>\n",
      self->parent.n_written, name);
}

static void
finish (ReportOutput *self, Report *report, gboolean partial)
{
  g_autoptr (GString) text = g_string_new (self->n_written == 0 ? head : NULL);

  g_string_append (text, "    </frames>\n");
  append_stream (text, (Sidecar *) self, report_get_name (report));
  if (partial)
    g_string_append (text, "    <!-- the video was not analysed to its end -->\n");
  g_string_append (text, "</ffprobe:ffprobe>\n");
  report_file_print (self->file, text);
}

ReportOutput *
report_qctools_output_new (const gchar *path, GError **error)
{
  ReportFile *file = report_file_open (path, TRUE, error);
  Sidecar *self;

  if (file == NULL)
    return NULL;
  self = g_new0 (Sidecar, 1);
  self->parent = (ReportOutput){ .file = file, .add_results = add_frame, .finish = finish };
  return &self->parent;
}
