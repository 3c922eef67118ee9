/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A stream: a thread that pushes frames into an element, and a pad that receives its output. */
#include "streams.h"

/* Frames of each stream before timing begins: more than an element has in flight. */
#define WARM_FRAMES 8

/* ---- output of the element ---- */

static gboolean
is_timed (const Stream *stream)
{
  const gint n = stream->run->options->n_frames;

  return stream->seen == PHASE_RATE && (n == 0 || stream->n_phase <= n);
}

/* Counts a frame as done: its results were read, or are not to be read. */
static void
count_frame (Stream *stream, guint n_results, guint64 n_points)
{
  Run *run = stream->run;
  const Phase phase = g_atomic_int_get (&run->phase);
  const gint n = g_atomic_int_add (&stream->n_frames, 1) + 1;

  if (phase != stream->seen) {
    stream->seen = phase;
    stream->n_phase = 0;
  }
  stream->n_phase++;
  if (is_timed (stream)) {
    stream->n_read += !run->options->unread;
    stream->n_results += n_results;
    stream->n_points += n_points;
  }
  if (n == 1)
    run_pass (run, STEP_FIRST);
  if (n == WARM_FRAMES)
    run_pass (run, STEP_WARM);
  if (phase != PHASE_WARM && stream->n_phase == run->options->n_frames)
    run_pass (run, STEP_REACHED);
}

static gboolean
finish_frame (Stream *stream, GstBuffer *buffer)
{
  guint n_results = 0;
  guint64 n_points = 0;
  GError *error = NULL;
  gboolean ok = streams_read_results (buffer, &n_results, &n_points, &error);

  gst_buffer_unref (buffer);
  if (!ok) {
    g_prefix_error (&error, "stream %u: a result did not come: ", stream->index);
    run_fail (stream->run, error);
    return FALSE;
  }
  count_frame (stream, n_results, n_points);
  return TRUE;
}

static void
sample_latency (Stream *stream, GstBuffer *buffer)
{
  const guint every = stream->run->options->sample_every;

  if (every > 0 && GST_BUFFER_OFFSET (buffer) % every == 0 &&
      g_atomic_int_get (&stream->run->phase) == PHASE_LATENCY)
    g_thread_pool_push (stream->run->samplers, gst_buffer_ref (buffer), NULL);
}

static GstFlowReturn
on_buffer (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  Stream *stream = gst_pad_get_element_private (pad);
  const StreamsOptions *options = stream->run->options;

  if (g_atomic_int_get (&stream->run->failed)) {
    gst_buffer_unref (buffer);
    return GST_FLOW_ERROR;
  }
  /* Waits for the first result, to record its time. */
  if (g_atomic_int_get (&stream->n_frames) == 0)
    return finish_frame (stream, buffer) ? GST_FLOW_OK : GST_FLOW_ERROR;
  sample_latency (stream, buffer);
  if (options->unread) {
    gst_buffer_unref (buffer);
    count_frame (stream, 0, 0);
    return GST_FLOW_OK;
  }
  g_queue_push_tail (&stream->pending, buffer);
  if (stream->pending.length > (guint) options->lag &&
      !finish_frame (stream, g_queue_pop_head (&stream->pending)))
    return GST_FLOW_ERROR;
  return GST_FLOW_OK;
}

static gboolean
on_event (GstPad *pad, GstObject *parent, GstEvent *event)
{
  Stream *stream = gst_pad_get_element_private (pad);

  if (GST_EVENT_TYPE (event) == GST_EVENT_EOS)
    run_pass (stream->run, STEP_ENDED);
  gst_event_unref (event);
  return TRUE;
}

void
stream_sample (gpointer data, gpointer user_data)
{
  g_autoptr (GstBuffer) buffer = data;
  Run *run = user_data;
  GError *error = NULL;
  guint n_results = 0;
  guint64 n_points = 0;
  const gboolean ok = streams_read_results (buffer, &n_results, &n_points, &error);
  const gdouble ms = (g_get_monotonic_time () - (gint64) GST_BUFFER_OFFSET_END (buffer)) / 1e3;

  if (!ok)
    run_fail (run, error);
  if (n_results == 0)
    return;
  g_mutex_lock (&run->lock);
  g_array_append_val (run->latencies, ms);
  g_mutex_unlock (&run->lock);
}

/* ---- input of the element ---- */

static gboolean
push_begin (Stream *stream)
{
  g_autofree gchar *id = g_strdup_printf ("stream-%u", stream->index);
  g_autoptr (GstCaps) caps = streams_memory_caps (stream->run->options);
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  if (!gst_pad_push_event (stream->source, gst_event_new_stream_start (id)) ||
      !gst_pad_push_event (stream->source, gst_event_new_caps (caps)) ||
      !gst_pad_push_event (stream->source, gst_event_new_segment (&segment)))
    return FALSE;
  if (stream->run->options->memory == STREAMS_DEVICE)
    stream->moved = streams_frames_move (stream->frames, stream->source, caps);
  return TRUE;
}

static GstFlowReturn
push_frame (Stream *stream, guint64 number)
{
  /* The copy shares the memory, so that only the element's work is measured. */
  const GPtrArray *frames = stream->moved != NULL ? stream->moved : stream->frames;
  GstBuffer *buffer = gst_buffer_copy (frames->pdata[number % frames->len]);

  GST_BUFFER_OFFSET (buffer) = number;
  GST_BUFFER_PTS (buffer) = gst_util_uint64_scale (number, GST_SECOND, 30);
  GST_BUFFER_OFFSET_END (buffer) = g_get_monotonic_time ();
  return gst_pad_push (stream->source, buffer);
}

static gpointer
stream_main (gpointer data)
{
  Stream *stream = data;
  Run *run = stream->run;
  GstFlowReturn flow = GST_FLOW_OK;

  if (!push_begin (stream))
    flow = GST_FLOW_NOT_NEGOTIATED;
  for (guint64 i = 0; flow == GST_FLOW_OK && !g_atomic_int_get (&run->failed) &&
       g_atomic_int_get (&run->phase) != PHASE_STOP;
       i++) {
    flow = push_frame (stream, i);
    if (i == 0 && flow == GST_FLOW_OK)
      run_wait (run, STEP_GO, 1, G_MAXINT64 / 2);
  }
  if (flow != GST_FLOW_OK)
    run_fail (run,
        g_error_new (GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED,
            "stream %u: the element refuses frames of %s %dx%d: %s", stream->index,
            GST_VIDEO_INFO_NAME (&run->options->video), GST_VIDEO_INFO_WIDTH (&run->options->video),
            GST_VIDEO_INFO_HEIGHT (&run->options->video), gst_flow_get_name (flow)));
  else
    gst_pad_push_event (stream->source, gst_event_new_eos ());
  return NULL;
}

/* ---- setup ---- */

static GstPad *
make_pad (Stream *stream, const gchar *name, GstPadDirection direction)
{
  GstPad *pad = gst_object_ref_sink (gst_pad_new (name, direction));

  gst_pad_set_element_private (pad, stream);
  if (direction == GST_PAD_SINK) {
    gst_pad_set_chain_function (pad, on_buffer);
    gst_pad_set_event_function (pad, on_event);
  }
  return pad;
}

/* Links a new element between the pads of @stream. */
gboolean
stream_link (Stream *stream, const gchar *device, GError **error)
{
  const gchar *description = stream->run->options->element;
  g_autoptr (GstPad) in = NULL, out = NULL;
  guint n_devices;

  if (!g_str_equal (description, "none")) {
    GstElement *bin = streams_element_new (description, device, &n_devices, error);
    if (bin == NULL)
      return FALSE;
    gst_bin_add (GST_BIN (stream->run->pipeline), bin);
    in = gst_element_get_static_pad (bin, "sink");
    out = gst_element_get_static_pad (bin, "src");
  }
  if (gst_pad_link (stream->source, in != NULL ? in : stream->sink) == GST_PAD_LINK_OK &&
      (out == NULL || gst_pad_link (out, stream->sink) == GST_PAD_LINK_OK))
    return TRUE;
  g_set_error (error, GST_CORE_ERROR, GST_CORE_ERROR_PAD, "the pads of \"%s\" cannot be linked",
      description);
  return FALSE;
}

Stream *
stream_new (Run *run, guint index, GPtrArray *frames)
{
  Stream *stream = g_new0 (Stream, 1);

  stream->run = run;
  stream->index = index;
  stream->frames = frames;
  stream->source = make_pad (stream, "src", GST_PAD_SRC);
  stream->sink = make_pad (stream, "sink", GST_PAD_SINK);
  g_queue_init (&stream->pending);
  return stream;
}

void
stream_free (Stream *stream)
{
  g_queue_clear_full (&stream->pending, (GDestroyNotify) gst_buffer_unref);
  g_clear_pointer (&stream->moved, g_ptr_array_unref);
  gst_object_unref (stream->source);
  gst_object_unref (stream->sink);
  g_free (stream);
}

void
stream_start (Stream *stream)
{
  g_autofree gchar *name = g_strdup_printf (STREAMS_THREAD_NAME "%u", stream->index);

  gst_pad_set_active (stream->sink, TRUE);
  gst_pad_set_active (stream->source, TRUE);
  stream->thread = g_thread_new (name, stream_main, stream);
}
