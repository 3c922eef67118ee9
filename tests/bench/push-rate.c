/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How long an element takes per frame when the frames are in memory already: pushes them into the
 * element from this thread, without a source or a clock in the way, and waits for the results.
 * Usage: push-rate "ELEMENT property=value" RAW-I420-FILE WIDTH HEIGHT N-FRAMES
 * Prints one JSON object. ELEMENT "none" measures the pushing alone. */
#include <stdlib.h>
#include <gst/gles/gles.h>
#include <gst/video/video.h>

#define WARM_UP 8
/* results are asked for this many frames later, as a consumer behind a queue does */
#define LAG 2

typedef struct {
  GPtrArray *frames;
  GQueue pending;
  guint n_results;
  guint64 n_points;
} Rate;

static void
take_result (Rate *rate, GstBuffer *buffer)
{
  g_autoptr (GstGlesHistogramResult) result = gst_gles_histogram_result_from_buffer (buffer);
  g_autoptr (GstGlesPointsResult) points = gst_gles_points_result_from_buffer (buffer);
  g_autoptr (GError) error = NULL;

  if (result != NULL) {
    if (!gst_gles_histogram_result_wait (result, G_MAXUINT64, &error))
      g_error ("no result: %s", error->message);
    rate->n_results++;
  }
  if (points != NULL) {
    if (!gst_gles_points_result_wait (points, G_MAXUINT64, &error))
      g_error ("no points: %s", error->message);
    rate->n_results++;
    rate->n_points += gst_gles_points_result_get_count (points);
  }
  gst_buffer_unref (buffer);
}

static GstFlowReturn
on_buffer (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  Rate *rate = g_object_get_data (G_OBJECT (pad), "rate");

  g_queue_push_tail (&rate->pending, buffer);
  if (rate->pending.length > LAG)
    take_result (rate, g_queue_pop_head (&rate->pending));
  return GST_FLOW_OK;
}

static gboolean
on_event (GstPad *pad, GstObject *parent, GstEvent *event)
{
  gst_event_unref (event);
  return TRUE;
}

/* the frames of the file, each in a buffer of its own */
static GPtrArray *
load_frames (const gchar *path, gsize frame_bytes)
{
  GPtrArray *frames = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_buffer_unref);
  g_autoptr (GError) error = NULL;
  gchar *data;
  gsize size;

  if (!g_file_get_contents (path, &data, &size, &error))
    g_error ("%s", error->message);
  for (gsize at = 0; at + frame_bytes <= size; at += frame_bytes)
    g_ptr_array_add (frames, gst_buffer_new_memdup (data + at, frame_bytes));
  g_free (data);
  if (frames->len == 0)
    g_error ("%s holds no frame of %" G_GSIZE_FORMAT " bytes", path, frame_bytes);
  return frames;
}

static void
push_frames (Rate *rate, GstPad *source, guint n_frames)
{
  for (guint i = 0; i < n_frames; i++) {
    /* shares the memory, so that only the element's own work is measured */
    GstBuffer *buffer = gst_buffer_copy (g_ptr_array_index (rate->frames, i % rate->frames->len));

    GST_BUFFER_PTS (buffer) = i * GST_SECOND / 30;
    if (gst_pad_push (source, buffer) != GST_FLOW_OK)
      g_error ("the element refuses frame %u", i);
  }
  while (!g_queue_is_empty (&rate->pending))
    take_result (rate, g_queue_pop_head (&rate->pending));
}

static void
start_stream (GstPad *source, guint width, guint height)
{
  g_autoptr (GstCaps) caps =
      gst_caps_new_simple ("video/x-raw", "format", G_TYPE_STRING, "I420", "width", G_TYPE_INT,
          width, "height", G_TYPE_INT, height, "framerate", GST_TYPE_FRACTION, 30, 1, NULL);
  GstSegment segment;

  gst_pad_set_active (source, TRUE);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (source, gst_event_new_stream_start ("push-rate"));
  gst_pad_push_event (source, gst_event_new_caps (caps));
  gst_pad_push_event (source, gst_event_new_segment (&segment));
}

/* the element between the two pads, NULL when there is none */
static GstElement *
link_element (const gchar *description, GstPad *source, GstPad *sink)
{
  g_autoptr (GError) error = NULL;

  if (g_str_equal (description, "none")) {
    gst_pad_link (source, sink);
    return NULL;
  }
  GstElement *element = gst_parse_bin_from_description_full (
      description, TRUE, NULL, GST_PARSE_FLAG_FATAL_ERRORS, &error);
  if (element == NULL)
    g_error ("%s: %s", description, error->message);
  g_autoptr (GstPad) element_sink = gst_element_get_static_pad (element, "sink");
  g_autoptr (GstPad) element_source = gst_element_get_static_pad (element, "src");
  gst_pad_link (source, element_sink);
  gst_pad_link (element_source, sink);
  if (gst_element_set_state (element, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE)
    g_error ("%s does not start", description);
  return element;
}

int
main (int argc, char **argv)
{
  Rate rate = { 0 };

  gst_init (&argc, &argv);
  if (argc != 6)
    g_error ("usage: push-rate ELEMENT RAW-I420-FILE WIDTH HEIGHT N-FRAMES");
  guint width = atoi (argv[3]), height = atoi (argv[4]), n_frames = atoi (argv[5]);
  GstVideoInfo info;
  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_I420, width, height);
  rate.frames = load_frames (argv[2], GST_VIDEO_INFO_SIZE (&info));

  GstPad *source = gst_pad_new ("src", GST_PAD_SRC), *sink = gst_pad_new ("sink", GST_PAD_SINK);
  g_object_set_data (G_OBJECT (sink), "rate", &rate);
  gst_pad_set_chain_function (sink, on_buffer);
  gst_pad_set_event_function (sink, on_event);
  gst_pad_set_active (sink, TRUE);
  GstElement *element = link_element (argv[1], source, sink);
  start_stream (source, width, height);

  push_frames (&rate, source, WARM_UP);
  rate.n_results = 0;
  rate.n_points = 0;
  gint64 start = g_get_monotonic_time ();
  push_frames (&rate, source, n_frames);
  gdouble ms = (g_get_monotonic_time () - start) / 1e3 / n_frames;

  g_print (
      "{\"ms_per_frame\": %.5f, \"frames\": %u, \"results\": %u, \"points\": %" G_GUINT64_FORMAT
      "}\n",
      ms, n_frames, rate.n_results, rate.n_points);
  if (element != NULL)
    gst_element_set_state (element, GST_STATE_NULL);
  gst_clear_object (&element);
  gst_object_unref (source);
  gst_object_unref (sink);
  g_ptr_array_unref (rate.frames);
  return 0;
}
