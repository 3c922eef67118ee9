/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "streams-common.h"

#include <gst/video/video.h>

#include "../element/gleshistogram-common.h"
#include "../results-words.h"

#define CAPS(format, width, height)                                                                \
  "video/x-raw,format=" format ",width=" #width ",height=" #height ",framerate=25/1"

/* frames in a sink whose stream nobody pulls from */
#define SINK_FRAMES 2

static const struct {
  const gchar *elements, *caps;
  const gchar *later_caps; /* of the second half, NULL: the same */
} kinds[STREAM_N_KINDS] = {
  [STREAM_LARGEST] = { "gleshistogram grid-columns=16 grid-rows=9", CAPS ("I420", 96, 64) },
  [STREAM_HISTOGRAM] = { "gleshistogram", CAPS ("NV12", 160, 120) },
  [STREAM_MESSAGES] = { "gleshistogram bins=64 grid-columns=3 post-messages=true",
      CAPS ("GRAY8", 70, 33) },
  [STREAM_MOTION] = { "glescompact predicate=motion lower=24 post-messages=true",
      CAPS ("I420", 81, 50) },
  [STREAM_TILES] = { "glescompact lower=180 readback=false ! "
                     "glestiles tile-width=16 tile-height=24",
      CAPS ("GRAY8", 128, 72) },
  [STREAM_CHAIN] = { "gleshistogram ! queue ! glescompact predicate=edge lower=300 ! queue ! "
                     "glestiles tile-width=20",
      CAPS ("NV12", 100, 60) },
  [STREAM_CHANGE] = { "gleshistogram ! glescompact predicate=motion lower=24",
      CAPS ("I420", 64, 48), CAPS ("GRAY8", 90, 31) },
};

static GstSample *frames[STREAM_N_KINDS][STREAM_FRAMES];
static gchar *digests[STREAM_N_KINDS][STREAM_FRAMES];

/* ---- what was found ---- */

/* A digest of every number in the results on @buffer, NULL with @error: (transfer full). Points
 * that stay on the device add nothing. */
static gchar *
digest (GstBuffer *buffer, GError **error)
{
  g_autoptr (GstGlesHistogramResult) histogram = gst_gles_histogram_result_from_buffer (buffer);
  g_autoptr (GstGlesPointsResult) points = gst_gles_points_result_from_buffer (buffer);
  g_autoptr (GstGlesTilesResult) tiles = gst_gles_tiles_result_from_buffer (buffer);
  g_autoptr (GArray) words = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GError) failure = NULL;
  g_autofree gchar *sum = NULL;

  if (!results_words (points, G_MAXUINT64, words, &failure) &&
      !g_error_matches (failure, GST_GLES_ERROR, GST_GLES_ERROR_INVALID)) {
    g_propagate_error (error, g_steal_pointer (&failure));
    return NULL;
  }
  if (!results_words (histogram, G_MAXUINT64, words, error) ||
      !results_words (tiles, G_MAXUINT64, words, error))
    return NULL;
  sum = g_compute_checksum_for_data (
      G_CHECKSUM_SHA256, (const guchar *) words->data, 4 * (gsize) words->len);
  return g_strdup_printf ("%s%s%s%s", histogram != NULL ? "histogram " : "",
      points != NULL ? "points " : "", tiles != NULL ? "tiles " : "", sum);
}

gchar *
stream_check (StreamKind kind, GstSample *sample, gboolean *failed)
{
  guint64 number = GST_BUFFER_PTS (gst_sample_get_buffer (sample)) / TEST_FRAME_DURATION;
  g_autoptr (GError) error = NULL;
  g_autofree gchar *found = digest (gst_sample_get_buffer (sample), &error);

  gst_sample_unref (sample);
  if (failed != NULL)
    *failed = found == NULL;
  if ((failed != NULL && found == NULL) ||
      (number < STREAM_FRAMES && g_strcmp0 (found, digests[kind][number]) == 0))
    return NULL;
  return g_strdup_printf ("%s, frame %" G_GUINT64_FORMAT ": found %s, expected %s",
      kinds[kind].elements, number, found != NULL ? found : error->message,
      number < STREAM_FRAMES ? digests[kind][number] : "no such frame");
}

/* ---- frames ---- */

static void
make_frames (StreamKind kind)
{
  for (guint i = 0; i < STREAM_FRAMES; i++) {
    const gboolean later = i >= STREAM_FRAMES / 2 && kinds[kind].later_caps != NULL;
    g_autoptr (GstCaps) caps =
        gst_caps_from_string (later ? kinds[kind].later_caps : kinds[kind].caps);
    g_autoptr (GstBuffer) buffer = NULL;
    GstVideoInfo info;

    gst_video_info_from_caps (&info, caps);
    buffer = test_frame_noise (&info, 1000 * kind + i);
    GST_BUFFER_PTS (buffer) = i * TEST_FRAME_DURATION;
    GST_BUFFER_DURATION (buffer) = TEST_FRAME_DURATION;
    frames[kind][i] = gst_sample_new (buffer, caps, NULL, NULL);
  }
}

void
streams_prepare (void)
{
  for (StreamKind kind = 0; kind < STREAM_N_KINDS; kind++) {
    Stream *stream;

    make_frames (kind);
    stream = stream_new (kind, "cpu", NULL);
    fail_unless (stream_play (stream));
    for (guint i = 0; i < STREAM_FRAMES; i++) {
      g_autoptr (GstSample) sample = stream_pull (stream);

      fail_unless (sample != NULL, "%s, frame %u did not come", kinds[kind].elements, i);
      digests[kind][i] = digest (gst_sample_get_buffer (sample), NULL);
      fail_unless (digests[kind][i] != NULL);
      fail_unless (i == 0 || !g_str_equal (digests[kind][i], digests[kind][i - 1]),
          "%s: the same is found in two frames", kinds[kind].elements);
    }
    stream_free (stream);
  }
}

void
streams_finish (void)
{
  for (guint kind = 0; kind < STREAM_N_KINDS; kind++) {
    for (guint i = 0; i < STREAM_FRAMES; i++) {
      g_clear_pointer (&frames[kind][i], gst_sample_unref);
      g_clear_pointer (&digests[kind][i], g_free);
    }
  }
}

/* ---- a stream ---- */

static void
set_device (const GValue *item, gpointer spec)
{
  GObject *element = g_value_get_object (item);

  if (g_object_class_find_property (G_OBJECT_GET_CLASS (element), "device") != NULL)
    g_object_set (element, "device", spec, NULL);
}

Stream *
stream_new (StreamKind kind, const gchar *spec, GstGlesDevice *device)
{
  g_autofree gchar *line = g_strdup_printf ("appsrc name=source format=time ! %s ! "
                                            "appsink name=sink sync=false max-buffers=%u",
      kinds[kind].elements, SINK_FRAMES);
  Stream *stream = g_new0 (Stream, 1);
  GstIterator *elements;

  stream->kind = kind;
  stream->pipeline = gst_parse_launch (line, NULL);
  stream->source = gst_bin_get_by_name (GST_BIN (stream->pipeline), "source");
  stream->sink = gst_bin_get_by_name (GST_BIN (stream->pipeline), "sink");
  stream->bus = gst_element_get_bus (stream->pipeline);
  elements = gst_bin_iterate_elements (GST_BIN (stream->pipeline));
  while (gst_iterator_foreach (elements, set_device, (gpointer) spec) == GST_ITERATOR_RESYNC)
    gst_iterator_resync (elements);
  gst_iterator_free (elements);
  if (device != NULL) {
    g_autoptr (GstContext) context = gst_context_new (GST_GLES_DEVICE_CONTEXT_TYPE, TRUE);

    gst_structure_set (
        gst_context_writable_structure (context), "device", GST_TYPE_GLES_DEVICE, device, NULL);
    gst_element_set_context (stream->pipeline, context);
  }
  return stream;
}

gboolean
stream_play (Stream *stream)
{
  GstFlowReturn flow = GST_FLOW_OK;

  stream->n_pulled = 0;
  if (gst_element_set_state (stream->pipeline, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE)
    return FALSE;
  for (guint i = 0; i < STREAM_FRAMES && flow == GST_FLOW_OK; i++)
    g_signal_emit_by_name (stream->source, "push-sample", frames[stream->kind][i], &flow);
  g_signal_emit_by_name (stream->source, "end-of-stream", &flow);
  return TRUE;
}

void
stream_stop (Stream *stream)
{
  GstMessage *message;

  gst_element_set_state (stream->pipeline, GST_STATE_NULL);
  gst_clear_message (&stream->error);
  while ((message = gst_bus_pop (stream->bus)) != NULL)
    gst_message_unref (message);
}

void
stream_free (Stream *stream)
{
  stream_stop (stream);
  gst_object_unref (stream->bus);
  gst_object_unref (stream->source);
  gst_object_unref (stream->sink);
  gst_object_unref (stream->pipeline);
  g_free (stream);
}

GstSample *
stream_pull (Stream *stream)
{
  const gint64 end_us = g_get_monotonic_time () + (gint64) GST_TIME_AS_USECONDS (STREAM_PATIENCE);
  GstSample *sample = NULL;
  gboolean eos = FALSE;

  /* after an error no end of the stream comes */
  while (!eos && stream->error == NULL && g_get_monotonic_time () < end_us) {
    g_signal_emit_by_name (stream->sink, "try-pull-sample", 20 * GST_MSECOND, &sample);
    if (sample != NULL) {
      stream->n_pulled++;
      return sample;
    }
    g_object_get (stream->sink, "eos", &eos, NULL);
    stream->error = gst_bus_pop_filtered (stream->bus, GST_MESSAGE_ERROR);
  }
  return NULL;
}

GError *
stream_pop_error (Stream *stream, GstClockTime timeout)
{
  GstMessage *message = g_steal_pointer (&stream->error);
  GError *error = NULL;

  if (message == NULL)
    message = gst_bus_timed_pop_filtered (stream->bus, timeout, GST_MESSAGE_ERROR);
  if (message == NULL)
    return NULL;
  gst_message_parse_error (message, &error, NULL);
  gst_message_unref (message);
  return error;
}

gchar *
stream_check_rest (Stream *stream)
{
  const gchar *name = kinds[stream->kind].elements;
  g_autoptr (GError) error = NULL;
  gchar *wrong = NULL;
  GstSample *sample;

  while (wrong == NULL && (sample = stream_pull (stream)) != NULL)
    wrong = stream_check (stream->kind, sample, NULL);
  if (wrong != NULL)
    return wrong;
  error = stream_pop_error (stream, 0);
  if (error != NULL)
    return g_strdup_printf ("%s: %s", name, error->message);
  if (stream->n_pulled != STREAM_FRAMES)
    return g_strdup_printf (
        "%s: ended after %u of %u frames", name, stream->n_pulled, STREAM_FRAMES);
  return NULL;
}
