/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames in other memory than the system's, converted once, before anything is timed. For memory of
 * OpenGL and of CUDA an element of GStreamer does it, so this program needs neither library. */
#include "streams.h"

#define CONVERT_TIMEOUT_NS (60 * GST_SECOND)

/* Textures need a context without a window; who has a display can say so in these variables. */
static void
prefer_no_window (void)
{
  g_setenv ("GST_GL_WINDOW", "egl-device", FALSE);
  g_setenv ("GST_GL_PLATFORM", "egl", FALSE);
  g_setenv ("GST_GL_API", "gles2", FALSE);
}

static GstElement *
make_pipeline (const StreamsOptions *options, const gchar *converter, GError **error)
{
  g_autoptr (GstElementFactory) factory = gst_element_factory_find (converter);
  g_autoptr (GstCaps) from = gst_video_info_to_caps ((GstVideoInfo *) &options->video);
  g_autoptr (GstCaps) to = streams_frames_caps (options);
  g_autofree gchar *from_text = gst_caps_to_string (from), *to_text = gst_caps_to_string (to);
  g_autofree gchar *text = g_strdup_printf (
      "appsrc name=in format=time caps=\"%s\" ! %s ! appsink name=out sync=false caps=\"%s\"",
      from_text, converter, to_text);

  if (factory == NULL) {
    g_set_error (error, GST_CORE_ERROR, GST_CORE_ERROR_MISSING_PLUGIN,
        "this GStreamer has no element \"%s\", which brings them into that memory", converter);
    return NULL;
  }
  return gst_parse_launch_full (text, NULL, GST_PARSE_FLAG_FATAL_ERRORS, error);
}

/* Sets @error to what an element of @pipeline posted, if one did. */
static void
explain (GstElement *pipeline, const gchar *converter, GError **error)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstMessage) message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);

  if (message != NULL)
    gst_message_parse_error (message, error, NULL);
  else
    g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED, "no frame came out");
  g_prefix_error (error, "%s: ", converter);
}

/* Removes the fence behind a frame's textures: each copy of the buffer would have one of its own,
 * which is work for the GPU. Other fences follow, which cover it. */
static gboolean
drop_fence (GstBuffer *buffer, GstMeta **meta, gpointer user_data)
{
  if (g_str_equal (g_type_name ((*meta)->info->api), "GstGLSyncMetaAPI"))
    *meta = NULL;
  return TRUE;
}

/* Returns @frame as it comes out of the pipeline: (transfer full) (nullable). */
static GstBuffer *
convert_frame (GstElement *in, GstElement *out, GstBuffer *frame)
{
  g_autoptr (GstSample) sample = NULL;
  GstFlowReturn flow = GST_FLOW_ERROR;
  GstBuffer *converted;

  g_signal_emit_by_name (in, "push-buffer", frame, &flow);
  if (flow == GST_FLOW_OK)
    g_signal_emit_by_name (out, "try-pull-sample", (guint64) CONVERT_TIMEOUT_NS, &sample);
  if (sample == NULL)
    return NULL;
  converted = gst_buffer_copy (gst_sample_get_buffer (sample));
  gst_buffer_foreach_meta (converted, drop_fence, NULL);
  return converted;
}

gboolean
streams_memory_convert (const StreamsOptions *options, GPtrArray *frames, GError **error)
{
  static const gchar *const converters[STREAMS_N_MEMORIES] = {
    [STREAMS_GL] = "glupload",
    [STREAMS_CUDA] = "cudaupload",
  };
  const gchar *converter = converters[options->memory];
  g_autoptr (GstElement) pipeline = NULL, in = NULL, out = NULL;
  gboolean ok = TRUE;

  if (options->memory == STREAMS_DMABUF)
    return streams_dmabuf_convert (frames, error);
  if (converter == NULL)
    return TRUE;
  if (options->memory == STREAMS_GL)
    prefer_no_window ();
  pipeline = make_pipeline (options, converter, error);
  if (pipeline == NULL)
    return FALSE;
  gst_object_ref_sink (pipeline);
  in = gst_bin_get_by_name (GST_BIN (pipeline), "in");
  out = gst_bin_get_by_name (GST_BIN (pipeline), "out");
  ok = gst_element_set_state (pipeline, GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE;
  for (guint i = 0; ok && i < frames->len; i++) {
    GstBuffer *converted = convert_frame (in, out, frames->pdata[i]);

    ok = converted != NULL;
    if (ok) {
      gst_buffer_unref (frames->pdata[i]);
      frames->pdata[i] = converted;
    }
  }
  if (!ok)
    explain (pipeline, converter, error);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  return ok;
}
