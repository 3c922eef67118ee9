/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "streams-common.h"

#include <string.h>

#include <gst/video/video.h>

#include <gst/gles/meta/histogram.h>
#include <gst/gles/meta/points.h>
#include <gst/gles/meta/tiles.h>

#include "../element/gleshistogram-common.h"

#define CAPS(format, width, height)                                                                \
  "video/x-raw,format=" format ",width=" #width ",height=" #height ",framerate=25/1"

/* frames in a sink whose stream nobody pulls from */
#define SINK_FRAMES 2

typedef struct {
  const gchar *name;
  const gchar *elements;
  const gchar *caps;
  const gchar *later_caps; /* of the second half, NULL: the same */
} Kind;

static const Kind kinds[] = {
  { "largest", "gleshistogram grid-columns=16 grid-rows=9", CAPS ("I420", 96, 64), NULL },
  { "histogram", "gleshistogram", CAPS ("NV12", 160, 120), NULL },
  { "messages", "gleshistogram bins=64 grid-columns=3 post-messages=true", CAPS ("GRAY8", 70, 33),
      NULL },
  { "motion", "glescompact predicate=motion lower=24 post-messages=true", CAPS ("I420", 81, 50),
      NULL },
  { "tiles", "glescompact lower=180 readback=false ! glestiles tile-width=16 tile-height=24",
      CAPS ("GRAY8", 128, 72), NULL },
  { "chain",
      "gleshistogram ! queue ! glescompact predicate=edge lower=300 ! queue ! "
      "glestiles tile-width=20",
      CAPS ("NV12", 100, 60), NULL },
  { "change", "gleshistogram ! glescompact predicate=motion lower=24", CAPS ("I420", 64, 48),
      CAPS ("GRAY8", 90, 31) },
};

static GstSample *frames[G_N_ELEMENTS (kinds)][STREAM_FRAMES];
static gchar *digests[G_N_ELEMENTS (kinds)][STREAM_FRAMES];

guint
stream_n_kinds (void)
{
  return G_N_ELEMENTS (kinds);
}

const gchar *
stream_kind_name (guint kind)
{
  return kinds[kind].name;
}

guint
stream_kind_with_change (void)
{
  guint kind = 0;

  while (kinds[kind].later_caps == NULL)
    kind++;
  return kind;
}

/* ---- what was found ---- */

static void
add_words (GChecksum *sum, const guint32 *words, guint n)
{
  g_checksum_update (sum, (const guchar *) &n, sizeof (n));
  g_checksum_update (sum, (const guchar *) words, (gssize) n * 4);
}

static gboolean
add_histogram (GChecksum *sum, GstGlesHistogramResult *result, GError **error)
{
  const guint32 *counts;
  guint columns, rows, n;

  gst_gles_histogram_result_get_grid (result, &columns, &rows);
  for (guint i = 0; i < gst_gles_histogram_result_get_n_channels (result); i++) {
    counts = gst_gles_histogram_result_get_native_counts (result, i, &n, error);
    if (counts == NULL)
      return FALSE;
    add_words (sum, counts, n);
    for (guint cell = 0; cell < columns * rows; cell++) {
      counts = gst_gles_histogram_result_get_counts (result, i, cell, &n, error);
      if (counts == NULL)
        return FALSE;
      add_words (sum, counts, n);
    }
  }
  return TRUE;
}

/* Points that stay on the device add nothing. */
static gboolean
add_points (GChecksum *sum, GstGlesPointsResult *result, GError **error)
{
  g_autoptr (GError) failure = NULL;
  const GstGlesPoint *points;
  guint n;

  points = gst_gles_points_result_get_points (result, &n, &failure);
  if (points != NULL) {
    add_words (sum, (const guint32 *) points, 2 * n);
    return TRUE;
  }
  if (g_error_matches (failure, GST_GLES_ERROR, GST_GLES_ERROR_INVALID))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}

static gboolean
add_tiles (GChecksum *sum, GstGlesTilesResult *result, GError **error)
{
  const guint32 *words;
  guint n;

  words = gst_gles_tiles_result_get_offsets (result, &n, error);
  if (words == NULL)
    return FALSE;
  add_words (sum, words, n);
  words = gst_gles_tiles_result_get_indices (result, &n, error);
  if (words == NULL)
    return FALSE;
  add_words (sum, words, n);
  return TRUE;
}

/* A digest of every number in the results on @buffer, NULL with @error: (transfer full). */
static gchar *
digest (GstBuffer *buffer, GError **error)
{
  g_autoptr (GstGlesHistogramResult) histogram = gst_gles_histogram_result_from_buffer (buffer);
  g_autoptr (GstGlesPointsResult) points = gst_gles_points_result_from_buffer (buffer);
  g_autoptr (GstGlesTilesResult) tiles = gst_gles_tiles_result_from_buffer (buffer);
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);

  if ((histogram != NULL && !add_histogram (sum, histogram, error)) ||
      (points != NULL && !add_points (sum, points, error)) ||
      (tiles != NULL && !add_tiles (sum, tiles, error)))
    return NULL;
  return g_strdup_printf ("%s%s%s %s", histogram != NULL ? "histogram " : "",
      points != NULL ? "points " : "", tiles != NULL ? "tiles" : "", g_checksum_get_string (sum));
}

gchar *
stream_check (guint kind, GstSample *sample, gboolean *failed)
{
  GstBuffer *buffer = gst_sample_get_buffer (sample);
  guint64 number = GST_BUFFER_PTS (buffer) / TEST_FRAME_DURATION;
  g_autoptr (GError) error = NULL;
  g_autofree gchar *found = NULL;

  if (number >= STREAM_FRAMES)
    return g_strdup_printf (
        "%s: a frame %" G_GUINT64_FORMAT " that nobody pushed", kinds[kind].name, number);
  found = digest (buffer, &error);
  if (failed != NULL)
    *failed = found == NULL;
  if (found == NULL)
    return failed != NULL ? NULL
                          : g_strdup_printf ("%s, frame %" G_GUINT64_FORMAT ": %s",
                                kinds[kind].name, number, error->message);
  if (g_str_equal (found, digests[kind][number]))
    return NULL;
  return g_strdup_printf ("%s, frame %" G_GUINT64_FORMAT ": found %s, expected %s",
      kinds[kind].name, number, found, digests[kind][number]);
}

/* ---- frames ---- */

static void
make_frames (guint kind)
{
  for (guint i = 0; i < STREAM_FRAMES; i++) {
    const gboolean later = i >= STREAM_FRAMES / 2 && kinds[kind].later_caps != NULL;
    g_autoptr (GstCaps) caps =
        gst_caps_from_string (later ? kinds[kind].later_caps : kinds[kind].caps);
    GstVideoInfo info;
    GstBuffer *buffer;

    gst_video_info_from_caps (&info, caps);
    buffer = test_frame_noise (&info, 1000 * kind + i);
    GST_BUFFER_PTS (buffer) = i * TEST_FRAME_DURATION;
    GST_BUFFER_DURATION (buffer) = TEST_FRAME_DURATION;
    frames[kind][i] = gst_sample_new (buffer, caps, NULL, NULL);
    gst_buffer_unref (buffer);
  }
}

static gchar *
expect_kind (guint kind)
{
  Stream *stream = stream_new (kind, "cpu", NULL);
  gchar *wrong = NULL;

  if (!stream_play (stream))
    wrong = g_strdup_printf ("%s does not play", kinds[kind].name);
  for (guint i = 0; i < STREAM_FRAMES && wrong == NULL; i++) {
    g_autoptr (GError) error = NULL;
    GstSample *sample = stream_pull (stream, STREAM_PATIENCE);

    if (sample != NULL)
      digests[kind][i] = digest (gst_sample_get_buffer (sample), &error);
    g_clear_pointer (&sample, gst_sample_unref);
    if (digests[kind][i] == NULL)
      wrong = g_strdup_printf (
          "%s, frame %u: %s", kinds[kind].name, i, error != NULL ? error->message : "did not come");
    else if (i > 0 && g_str_equal (digests[kind][i], digests[kind][i - 1]))
      wrong = g_strdup_printf ("%s: the same is found in two frames", kinds[kind].name);
  }
  stream_free (stream);
  return wrong;
}

gchar *
streams_prepare (void)
{
  gchar *wrong = NULL;

  for (guint kind = 0; kind < G_N_ELEMENTS (kinds) && wrong == NULL; kind++) {
    make_frames (kind);
    wrong = expect_kind (kind);
  }
  return wrong;
}

void
streams_finish (void)
{
  for (guint kind = 0; kind < G_N_ELEMENTS (kinds); kind++) {
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
stream_new (guint kind, const gchar *spec, GstGlesDevice *device)
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

GstGlesDevice *
stream_get_device (Stream *stream)
{
  g_autoptr (GstContext) context =
      gst_element_get_context (stream->pipeline, GST_GLES_DEVICE_CONTEXT_TYPE);
  GstGlesDevice *device = NULL;

  if (context != NULL)
    gst_structure_get (
        gst_context_get_structure (context), "device", GST_TYPE_GLES_DEVICE, &device, NULL);
  return device;
}

GstSample *
stream_pull (Stream *stream, GstClockTime timeout)
{
  const gint64 end_us = g_get_monotonic_time () + (gint64) GST_TIME_AS_USECONDS (timeout);
  GstSample *sample = NULL;

  for (;;) {
    gboolean eos;

    g_signal_emit_by_name (stream->sink, "try-pull-sample", 20 * GST_MSECOND, &sample);
    if (sample != NULL) {
      stream->n_pulled++;
      return sample;
    }
    /* after an error no end of the stream comes */
    g_object_get (stream->sink, "eos", &eos, NULL);
    if (eos || g_get_monotonic_time () >= end_us)
      return NULL;
    if (stream->error == NULL)
      stream->error = gst_bus_pop_filtered (stream->bus, GST_MESSAGE_ERROR);
    if (stream->error != NULL)
      return NULL;
  }
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
  const gchar *name = kinds[stream->kind].name;
  g_autoptr (GError) error = NULL;
  gchar *wrong = NULL;
  GstSample *sample;

  while (wrong == NULL && (sample = stream_pull (stream, STREAM_PATIENCE)) != NULL) {
    wrong = stream_check (stream->kind, sample, NULL);
    gst_sample_unref (sample);
  }
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
