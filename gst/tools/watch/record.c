/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The stream is not encoded again. Matroska, because a file that power or a kill ended can be
 * played. Which keyframe begins a file is planned before splitmuxsink gets it, which waits for the
 * next one: lines of events tell the file meanwhile. */
#include "record.h"

#include <gio/gio.h>

/* Of a keyframe, which splitmuxsink knows by a time that it may have rounded. */
#define TOLERANCE GST_MSECOND

#define MARK "gst-gles-watch.record" /* of the bin */

typedef struct {
  WatchTimeline *timeline;
  GstElement *sink; /* not owned */
  /* atomic: the start of the first file; NONE: not yet. The thread of the video alone sets it */
  GstClockTime first;
} Recording;

static void
free_recording (gpointer data, GClosure *closure)
{
  g_free (data);
}

/* ---- data ---- */

static void
take_keyframe (Recording *self, GstClockTime time)
{
  if (!watch_timeline_plan (self->timeline, time, TRUE))
    return;
  if (GST_CLOCK_TIME_IS_VALID (self->first))
    g_signal_emit_by_name (self->sink, "split-at-running-time", (guint64) (time - TOLERANCE));
  else
    __atomic_store_n (&self->first, time, __ATOMIC_RELAXED);
}

/* What is wrong with files must not end the analysis. */
static GstFlowReturn
pass (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  gst_proxy_pad_chain_default (pad, parent, buffer);
  return GST_FLOW_OK;
}

static GstFlowReturn
on_video (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  Recording *self = gst_pad_get_element_private (pad);
  const GstClockTime time = watch_track_get_running (pad, buffer);

  if (!GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_DELTA_UNIT) &&
      GST_CLOCK_TIME_IS_VALID (time))
    take_keyframe (self, time);
  if (GST_CLOCK_TIME_IS_VALID (self->first))
    return pass (pad, parent, buffer);
  gst_buffer_unref (buffer);
  return GST_FLOW_OK;
}

/* Audio before the first keyframe would move the beginning of the file. */
static GstFlowReturn
on_audio (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  Recording *self = gst_pad_get_element_private (pad);

  const GstClockTime time = watch_track_get_running (pad, buffer);

  /* NONE is later than any time */
  if (time >= __atomic_load_n (&self->first, __ATOMIC_RELAXED))
    return pass (pad, parent, buffer);
  gst_buffer_unref (buffer);
  return GST_FLOW_OK;
}

static GstFlowReturn
on_list (GstPad *pad, GstObject *parent, GstBufferList *list)
{
  for (guint i = 0; i < gst_buffer_list_length (list); i++)
    GST_PAD_CHAINFUNC (pad) (pad, parent, gst_buffer_ref (gst_buffer_list_get (list, i)));
  gst_buffer_list_unref (list);
  return GST_FLOW_OK;
}

/* Returns the path of the file that begins with @first: (transfer full). */
static gchar *
find_path (GstElement *sink, guint fragment, GstSample *first, Recording *self)
{
  GstBuffer *buffer = first != NULL ? gst_sample_get_buffer (first) : NULL;
  const GstSegment *segment = first != NULL ? gst_sample_get_segment (first) : NULL;
  const GstClockTime time = buffer != NULL && segment != NULL
      ? gst_segment_to_running_time (segment, GST_FORMAT_TIME, GST_BUFFER_PTS (buffer))
      : GST_CLOCK_TIME_NONE;

  return watch_timeline_get_file (self->timeline, time);
}

/* ---- elements ---- */

/* Returns the parser that makes of a track what files take: (transfer floating) (nullable). */
static GstElement *
make_parser (GstCaps *caps)
{
  static const struct {
    const gchar *caps, *parser;
  } parsers[] = {
    { "video/x-h264", "h264parse" },
    { "video/x-h265", "h265parse" },
    { "image/jpeg", "jpegparse" },
    { "audio/mpeg,mpegversion=1", "mpegaudioparse" },
    { "audio/mpeg", "aacparse" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (parsers); i++) {
    g_autoptr (GstCaps) of_parser = gst_caps_from_string (parsers[i].caps);

    if (gst_caps_can_intersect (caps, of_parser))
      return gst_element_factory_make (parsers[i].parser, NULL);
  }
  return gst_element_factory_make ("identity", NULL);
}

gboolean
watch_record_takes_audio (GstCaps *caps)
{
  g_autoptr (GstElementFactory) muxer = gst_element_factory_find ("matroskamux");
  const GstStructure *structure = gst_caps_get_structure (caps, 0);

  return gst_structure_has_name (structure, "audio/mpeg") ||
      (muxer != NULL && gst_element_factory_can_sink_any_caps (muxer, caps));
}

/* Has @track of @number go into the files: FALSE: an element is missing. */
static gboolean
add_track (GstBin *bin, const WatchTrack *track, guint number, Recording *self)
{
  GstElement *parser = make_parser (track->caps);
  g_autofree gchar *name = g_strdup_printf ("sink_%u", number);
  g_autoptr (GstPad) pad = NULL, out = NULL, in = NULL;
  GstPad *ghost;

  if (parser == NULL)
    return FALSE;
  gst_bin_add (bin, parser);
  pad = gst_element_get_static_pad (parser, "sink");
  out = gst_element_get_static_pad (parser, "src");
  in = gst_element_request_pad_simple (self->sink, number == 0 ? "video" : "audio_%u");
  if (in == NULL || gst_pad_link (out, in) != GST_PAD_LINK_OK)
    return FALSE;
  ghost = gst_ghost_pad_new (name, pad);
  gst_pad_set_element_private (ghost, self);
  gst_pad_set_chain_function (ghost, number == 0 ? on_video : on_audio);
  gst_pad_set_chain_list_function (ghost, on_list);
  return gst_element_add_pad (GST_ELEMENT (bin), ghost);
}

/* Returns the element that writes files: (transfer floating). NULL: it is missing. */
static GstElement *
make_sink (void)
{
  GstElement *sink = gst_element_factory_make ("splitmuxsink", NULL);
  GstElement *muxer = gst_element_factory_make ("matroskamux", NULL);

  if (sink == NULL || muxer == NULL) {
    gst_clear_object (&sink);
    gst_clear_object (&muxer);
    return NULL;
  }
  g_object_set (muxer, "offset-to-zero", TRUE, NULL);
  /* before there is a pad, with which comes a muxer */
  g_object_set (sink, "muxer", muxer, "max-size-time", (guint64) 0, NULL);
  return sink;
}

GstElement *
watch_record_new (const WatchTrack *tracks, guint n_tracks, WatchTimeline *timeline, GError **error)
{
  GstElement *bin = gst_bin_new (NULL);
  Recording *self = g_new0 (Recording, 1);
  gboolean ok;

  self->timeline = timeline;
  self->first = GST_CLOCK_TIME_NONE;
  self->sink = make_sink ();
  ok = self->sink != NULL && gst_bin_add (GST_BIN (bin), self->sink);
  if (ok)
    g_signal_connect_data (
        self->sink, "format-location-full", G_CALLBACK (find_path), self, free_recording, 0);
  else
    free_recording (self, NULL);
  for (guint i = 0; i < n_tracks && ok; i++)
    ok = add_track (GST_BIN (bin), &tracks[i], i, self);
  g_object_set_data (G_OBJECT (bin), MARK, bin);
  if (ok)
    return bin;
  gst_object_unref (gst_object_ref_sink (bin));
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
      "record: splitmuxsink, matroskamux or a parser is missing, or refuses what the camera sends: "
      "they are in the good and the bad plugins");
  return NULL;
}

gboolean
watch_record_sent (GstMessage *message)
{
  GstObject *object = gst_object_ref (GST_MESSAGE_SRC (message));
  gboolean found = FALSE;

  while (object != NULL && !found) {
    GstObject *parent = gst_object_get_parent (object);

    found = g_object_get_data (G_OBJECT (object), MARK) != NULL;
    gst_object_unref (object);
    object = parent;
  }
  gst_clear_object (&object);
  return found;
}
