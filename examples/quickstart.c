/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The main job from end to end: a video, or a pan over a photograph, goes through gleshistogram;
 * the results are written as JSON, summed up in a table, and drawn for the last frame. With
 * --compare the first frames go through the shaders and through native code instead.
 * Usage: gst-gles-quickstart [--device SPEC] [--output-dir DIR] [--compare] VIDEO-OR-PHOTO */
#include "quickstart-chart.h"

#include <math.h>
#include <unistd.h>
#include <gst/video/video.h>

#define PAN_WIDTH 1920
#define PAN_HEIGHT 1080
#define PAN_FRAMES 150
#define COMPARED_FRAMES 30

/* what is behind the decoder; the results are looked at in front of its last element */
#define ANALYSIS                                                                                   \
  "gleshistogram name=histogram mad=true mad-noise=0.001 ! queue ! glesevents ! "                  \
  "glesjson name=last ! filesink name=output"
/* validate=true ends the stream if native code makes other words of a frame than the shaders */
#define COMPARISON                                                                                 \
  "gleshistogram name=histogram mad=true validate=true ! "                                         \
  "glescompact name=compact predicate=motion lower=24 validate=true ! "                            \
  "glesregions name=regions validate=true ! fakesink name=last"

/* what the frames of a channel amount to */
typedef struct {
  gchar name[8];
  guint min, max;
  gdouble mean, stddev, p5, p50, p95, entropy, difference;
} Channel;

typedef struct {
  GstElement *pipeline;
  GMainLoop *loop;
  GError *error;
  gchar *device;
  gint64 started_us, ended_us;
  /* written by the streaming thread; n_frames is read by others while it runs */
  gint n_frames;
  guint n_channels;
  Channel channels[4];
  GstBuffer *last_buffer;
  GstCaps *last_caps;
  GstGlesHistogramResult *last_result;
  /* of the pan */
  guint photo_width, photo_height, pan_frame;
  guint n_compared; /* frames that the comparison took */
} Quickstart;

static void
add_statistics (Channel *channel, const GstGlesHistogramStatistics *statistics, gboolean first)
{
  channel->min = first ? statistics->min : MIN (channel->min, statistics->min);
  channel->max = first ? statistics->max : MAX (channel->max, statistics->max);
  channel->mean += statistics->mean;
  channel->stddev += statistics->stddev;
  channel->p5 += statistics->p5;
  channel->p50 += statistics->p50;
  channel->p95 += statistics->p95;
  channel->entropy += statistics->entropy;
  channel->difference += statistics->difference;
}

/* in front of glesjson, which waits for the same results */
static GstPadProbeReturn
on_result (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Quickstart *self = user_data;
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  GstGlesHistogramResult *result = gst_gles_histogram_result_from_buffer (buffer);
  gboolean first = self->n_frames == 0;

  if (result == NULL)
    return GST_PAD_PROBE_OK;
  self->n_channels = gst_gles_histogram_result_get_n_channels (result);
  for (guint i = 0; i < self->n_channels; i++) {
    GstGlesHistogramStatistics statistics;

    if (!gst_gles_histogram_result_get_statistics (result, i, &statistics, NULL))
      continue;
    g_strlcpy (self->channels[i].name, gst_gles_histogram_result_get_channel_name (result, i),
        sizeof self->channels[i].name);
    add_statistics (&self->channels[i], &statistics, first);
  }
  g_clear_pointer (&self->last_result, gst_gles_histogram_result_unref);
  self->last_result = result;
  gst_buffer_replace (&self->last_buffer, buffer);
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);
  gst_caps_replace (&self->last_caps, caps);
  g_atomic_int_inc (&self->n_frames);
  return GST_PAD_PROBE_OK;
}

/* moves the window over the photograph: a figure of eight that starts and ends in the middle */
static GstPadProbeReturn
on_photo (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Quickstart *self = user_data;
  g_autoptr (GstElement) crop = gst_pad_get_parent_element (pad);
  gdouble t = 2 * G_PI * (self->pan_frame + 1) / PAN_FRAMES;
  guint free_x = self->photo_width - PAN_WIDTH, free_y = self->photo_height - PAN_HEIGHT;
  /* even, so that subsampled chroma stays in step */
  gint left = ((gint) (free_x * (0.5 + 0.5 * sin (t)))) & ~1;
  gint top = ((gint) (free_y * (0.5 + 0.35 * sin (2 * t)))) & ~1;

  g_object_set (crop, "left", left, "right", (gint) free_x - left, "top", top, "bottom",
      (gint) free_y - top, NULL);
  self->pan_frame++;
  return GST_PAD_PROBE_OK;
}

/* the size of the photograph, which the pan has to know, arrives with its caps */
static GstPadProbeReturn
on_photo_caps (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Quickstart *self = user_data;
  GstEvent *event = GST_PAD_PROBE_INFO_EVENT (info);
  GstVideoInfo video;
  GstCaps *caps;

  if (GST_EVENT_TYPE (event) != GST_EVENT_CAPS)
    return GST_PAD_PROBE_OK;
  gst_event_parse_caps (event, &caps);
  if (gst_video_info_from_caps (&video, caps)) {
    g_autoptr (GstElement) crop = gst_pad_get_parent_element (pad);

    self->photo_width = MAX (video.width, PAN_WIDTH);
    self->photo_height = MAX (video.height, PAN_HEIGHT);
    g_object_set (crop, "right", (gint) self->photo_width - PAN_WIDTH, "bottom",
        (gint) self->photo_height - PAN_HEIGHT, NULL);
  }
  return GST_PAD_PROBE_OK;
}

/* ends the stream after COMPARED_FRAMES */
static GstPadProbeReturn
on_compared (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Quickstart *self = user_data;

  if (self->n_compared++ < COMPARED_FRAMES)
    return GST_PAD_PROBE_OK;
  gst_buffer_unref (GST_PAD_PROBE_INFO_BUFFER (info));
  GST_PAD_PROBE_INFO_FLOW_RETURN (info) = GST_FLOW_EOS;
  return GST_PAD_PROBE_HANDLED;
}

static gboolean
on_message (GstBus *bus, GstMessage *message, gpointer user_data)
{
  Quickstart *self = user_data;
  g_autofree gchar *debug = NULL;

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    g_autofree gchar *from = gst_object_get_name (GST_MESSAGE_SRC (message));

    g_clear_error (&self->error);
    gst_message_parse_error (message, &self->error, &debug);
    g_prefix_error (&self->error, "%s: ", from);
  } else if (GST_MESSAGE_TYPE (message) != GST_MESSAGE_EOS) {
    return G_SOURCE_CONTINUE;
  }
  g_main_loop_quit (self->loop);
  return G_SOURCE_CONTINUE;
}

static gboolean
show_progress (gpointer user_data)
{
  Quickstart *self = user_data;
  gint64 position, duration;

  g_printerr ("\rframe %d", g_atomic_int_get (&self->n_frames));
  if (self->photo_width > 0)
    g_printerr (" of %d ", PAN_FRAMES);
  else if (gst_element_query_position (self->pipeline, GST_FORMAT_TIME, &position) &&
      gst_element_query_duration (self->pipeline, GST_FORMAT_TIME, &duration) && duration > 0)
    g_printerr (", %d %% ", (gint) (100 * position / duration));
  return G_SOURCE_CONTINUE;
}

static GstElement *
build_pipeline (
    Quickstart *self, const gchar *input, const gchar *elements, gboolean photo, GError **error)
{
  g_autofree gchar *pan = g_strdup_printf (
      "imagefreeze num-buffers=%d ! video/x-raw,framerate=30/1 ! videocrop name=pan", PAN_FRAMES);
  g_autofree gchar *description =
      g_strdup_printf ("filesrc name=input ! decodebin ! videoconvert ! %s ! %s",
          photo ? pan : "identity", elements);
  g_autoptr (GstElement) pipeline =
      gst_parse_launch_full (description, NULL, GST_PARSE_FLAG_FATAL_ERRORS, error);

  if (pipeline == NULL)
    return NULL;
  gst_child_proxy_set (GST_CHILD_PROXY (pipeline), "input::location", input, NULL);
  g_autoptr (GstElement) last = gst_bin_get_by_name (GST_BIN (pipeline), "last");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (last, "sink");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, on_result, self, NULL);
  if (photo) {
    g_autoptr (GstElement) crop = gst_bin_get_by_name (GST_BIN (pipeline), "pan");
    g_autoptr (GstPad) crop_pad = gst_element_get_static_pad (crop, "sink");

    gst_pad_add_probe (crop_pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, on_photo_caps, self, NULL);
    gst_pad_add_probe (crop_pad, GST_PAD_PROBE_TYPE_BUFFER, on_photo, self, NULL);
  }
  return g_steal_pointer (&pipeline);
}

static gboolean
run (Quickstart *self, GError **error)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (self->pipeline);
  g_autoptr (GstElement) histogram = gst_bin_get_by_name (GST_BIN (self->pipeline), "histogram");
  guint bus_watch = gst_bus_add_watch (bus, on_message, self), progress = 0;

  self->loop = g_main_loop_new (NULL, FALSE);
  self->started_us = g_get_monotonic_time ();
  gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
  if (isatty (STDERR_FILENO))
    progress = g_timeout_add (100, show_progress, self);
  g_main_loop_run (self->loop);
  self->ended_us = g_get_monotonic_time ();
  g_object_get (histogram, "device-description", &self->device, NULL);
  if (progress != 0) {
    g_source_remove (progress);
    g_printerr ("\r%60s\r", "");
  }
  g_source_remove (bus_watch);
  gst_element_set_state (self->pipeline, GST_STATE_NULL);
  g_clear_pointer (&self->loop, g_main_loop_unref);
  /* a file of sound only ends in an error that says nothing of video */
  if (self->n_frames == 0 &&
      (self->error == NULL ||
          g_error_matches (self->error, GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED))) {
    g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED, "no video could be decoded%s%s",
        self->error != NULL ? "; " : "", self->error != NULL ? self->error->message : "");
    return FALSE;
  }
  if (self->error != NULL) {
    g_propagate_error (error, g_steal_pointer (&self->error));
    return FALSE;
  }
  return TRUE;
}

static void
print_summary (const Quickstart *self)
{
  gdouble seconds = (self->ended_us - self->started_us) / 1e6, n = self->n_frames;
  guint width, height;

  width = gst_gles_histogram_result_get_frame (self->last_result)->width;
  height = gst_gles_histogram_result_get_frame (self->last_result)->height;
  g_print ("%d frames of %ux%u %s in %.1f s (%.0f a second, decoding included)\n", self->n_frames,
      width, height,
      gst_video_format_to_string (gst_gles_histogram_result_get_frame (self->last_result)->format),
      seconds, n / seconds);
  g_print ("device: %s\n\n", self->device != NULL ? self->device : "unknown");
  g_print ("channel    mean  stddev   min   max      p5  median     p95  entropy  difference\n");
  for (guint i = 0; i < self->n_channels; i++) {
    const Channel *channel = &self->channels[i];

    g_print ("%-7s %7.2f %7.2f %5u %5u %7.1f %7.1f %7.1f %8.3f %11.4f\n", channel->name,
        channel->mean / n, channel->stddev / n, channel->min, channel->max, channel->p5 / n,
        channel->p50 / n, channel->p95 / n, channel->entropy / n, channel->difference / n);
  }
  g_print ("averages over the frames; min and max over all of them\n\n");
}

static gboolean
draw_last_frame (const Quickstart *self, const gchar *input, const gchar *path, GError **error)
{
  g_autoptr (GstSample) sample = gst_sample_new (self->last_buffer, self->last_caps, NULL, NULL);
  g_autofree gchar *name = g_path_get_basename (input);
  guint width, height;

  width = gst_gles_histogram_result_get_frame (self->last_result)->width;
  height = gst_gles_histogram_result_get_frame (self->last_result)->height;
  g_autofree gchar *title = g_strdup_printf ("%s: frame %" G_GUINT64_FORMAT " (%ux%u %s)", name,
      gst_gles_histogram_result_get_frame (self->last_result)->number, width, height,
      gst_video_format_to_string (gst_gles_histogram_result_get_frame (self->last_result)->format));
  g_autofree gchar *footer = g_strdup_printf ("gleshistogram on %s", self->device);

  return quickstart_chart_write (sample, self->last_result, title, footer, path, error);
}

/* @device: (nullable) */
static gboolean
analyse (Quickstart *self, const gchar *input, const gchar *device, const gchar *folder,
    gboolean photo, GError **error)
{
  g_autofree gchar *ndjson = g_build_filename (folder, "analysis.ndjson", NULL);
  g_autofree gchar *png = g_build_filename (folder, "analysis.png", NULL);

  self->pipeline = build_pipeline (self, input, ANALYSIS, photo, error);
  if (self->pipeline == NULL)
    return FALSE;
  gst_child_proxy_set (GST_CHILD_PROXY (self->pipeline), "output::location", ndjson,
      "histogram::device", device, NULL);
  if (!run (self, error))
    return FALSE;
  print_summary (self);
  if (!draw_last_frame (self, input, png, error))
    return FALSE;
  g_print ("every frame's histograms: %s\nthe last frame and its curves: %s\n", ndjson, png);
  return TRUE;
}

/* On the GPU, or on a software renderer where @device: (nullable) is none. */
static gboolean
compare (Quickstart *self, const gchar *input, const gchar *device, gboolean photo, GError **error)
{
  g_autoptr (GstGlesDevice) chosen = gst_gles_device_new (device, error);

  if (chosen == NULL)
    return FALSE;
  if (gst_gles_device_get_kind (chosen) == GST_GLES_DEVICE_CPU)
    device = "software";
  self->pipeline = build_pipeline (self, input, COMPARISON, photo, error);
  if (self->pipeline == NULL)
    return FALSE;
  g_autoptr (GstElement) histogram = gst_bin_get_by_name (GST_BIN (self->pipeline), "histogram");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (histogram, "sink");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, on_compared, self, NULL);
  gst_child_proxy_set (GST_CHILD_PROXY (self->pipeline), "histogram::device", device,
      "compact::device", device, "regions::device", device, NULL);
  if (!run (self, error))
    return FALSE;
  g_print ("%d frames through the OpenGL ES shaders on %s and through native code: the "
           "words are equal\n",
      self->n_frames, self->device);
  return TRUE;
}

static gboolean
is_photo (const gchar *path)
{
  static const gchar *const suffixes[] = { ".jpg", ".jpeg", ".png" };
  g_autofree gchar *lower = g_ascii_strdown (path, -1);

  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    if (g_str_has_suffix (lower, suffixes[i]))
      return TRUE;
  return FALSE;
}

static void
clear (Quickstart *self)
{
  gst_clear_object (&self->pipeline);
  gst_clear_buffer (&self->last_buffer);
  gst_clear_caps (&self->last_caps);
  g_clear_pointer (&self->last_result, gst_gles_histogram_result_unref);
  g_clear_error (&self->error);
  g_free (self->device);
}

int
main (int argc, char **argv)
{
  g_autofree gchar *device = NULL;
  g_autofree gchar *folder = NULL;
  gboolean compares = FALSE;
  const GOptionEntry entries[] = {
    { "device", 'd', 0, G_OPTION_ARG_STRING, &device,
        "auto, a render node, egl:N, surfaceless, software or cpu", "SPEC" },
    { "output-dir", 'o', 0, G_OPTION_ARG_FILENAME, &folder,
        "where to write analysis.ndjson and analysis.png", "DIR" },
    { "compare", 0, 0, G_OPTION_ARG_NONE, &compares,
        "compare the shaders with native code, on a few frames, and write nothing", NULL },
    { 0 },
  };
  g_autoptr (GOptionContext) options = g_option_context_new ("VIDEO-OR-PHOTO");
  g_autoptr (GError) error = NULL;
  Quickstart self = { 0 };

  g_option_context_add_main_entries (options, entries, NULL);
  g_option_context_add_group (options, gst_init_get_option_group ());
  if (!g_option_context_parse (options, &argc, &argv, &error) || argc != 2) {
    g_printerr ("%s\n", error != NULL ? error->message : "Which video? See --help.");
    return 2;
  }
  if (compares)
    compare (&self, argv[1], device, is_photo (argv[1]), &error);
  else
    analyse (&self, argv[1], device, folder != NULL ? folder : ".", is_photo (argv[1]), &error);
  clear (&self);
  if (error != NULL)
    g_printerr ("%s: %s\n", argv[1], error->message);
  return error != NULL;
}
