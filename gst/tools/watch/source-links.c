/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What stands behind the source of a camera. Coded video is decoded by what decodebin chooses, in
 * the memory where the decoder leaves it. With a recording, a parser and a tee stand before the
 * decoder. */
#include "../common/autoplug.h"
#include "../common/decoder-gpu.h"
#include "record.h"
#include "say.h"
#include "source-private.h"

#include <gio/gio.h>

/* ---- decoders ---- */

static gint
select_decoder (
    GstElement *bin, GstPad *pad, GstCaps *caps, GstElementFactory *factory, Source *self)
{
  if (self->decoders == NULL ||
      !gst_element_factory_list_is_type (
          factory, GST_ELEMENT_FACTORY_TYPE_DECODER | GST_ELEMENT_FACTORY_TYPE_MEDIA_VIDEO))
    return AUTOPLUG_TRY;
  return g_strv_contains ((const gchar *const *) self->decoders, GST_OBJECT_NAME (factory))
      ? AUTOPLUG_TRY
      : AUTOPLUG_SKIP;
}

void
watch_source_on_element (GstBin *pipeline, GstBin *parent, GstElement *element, Source *self)
{
  const guint threads = (guint) self->facts->config->decoder_threads;
  GstElementFactory *factory = gst_element_get_factory (element);
  GParamSpec *spec = g_object_class_find_property (G_OBJECT_GET_CLASS (element), "max-threads");

  if (factory == NULL ||
      !gst_element_factory_list_is_type (
          factory, GST_ELEMENT_FACTORY_TYPE_DECODER | GST_ELEMENT_FACTORY_TYPE_MEDIA_VIDEO))
    return;
  if (spec != NULL && spec->value_type == G_TYPE_INT)
    g_object_set (element, "max-threads", (gint) threads, NULL);
  watch_tally_set (self->facts->tally, &self->facts->tally->decoder, GST_OBJECT_NAME (factory));
}

/* ---- links ---- */

/* Decodes what comes from @pad. */
typedef void (*DecodeFunc) (Source *self, GstPad *pad);

void
watch_source_fail (Source *self, GError *error)
{
  gst_element_post_message (GST_ELEMENT (self->pipeline),
      gst_message_new_error (GST_OBJECT (self->pipeline), error, NULL));
  g_error_free (error);
}

static GstPadProbeReturn
count (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  watch_add (&((WatchSourceFacts *) user_data)->n_data, 1);
  return GST_PAD_PROBE_OK;
}

/* Waits until the camera may set up its decoder. */
static GstPadProbeReturn
enter (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  WatchSourceFacts *facts = user_data;

  watch_set (&facts->decoding_since, WATCH_SOURCE_WAITS);
  watch_gate_enter (&facts->gate);
  watch_set (&facts->decoding_since, g_get_monotonic_time ());
  return GST_PAD_PROBE_REMOVE;
}

static void
add_probe (Source *self, GstPad *pad, GstPadProbeCallback callback)
{
  gst_pad_add_probe (
      pad, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_BUFFER_LIST, callback, self->facts, NULL);
}

/* Adds @element to the pipeline. Its state is its own until follow(): two threads that change it,
 * one of which waits for the other to read from a file, would wait for ever. */
static void
adopt (Source *self, GstElement *element)
{
  gst_element_set_locked_state (element, TRUE);
  gst_bin_add (GST_BIN (self->pipeline), element);
}

/* Has the state of @element follow that of the pipeline. */
static void
follow (GstElement *element)
{
  gst_element_sync_state_with_parent (element);
  gst_element_set_locked_state (element, FALSE);
}

/* Returns an element that was adopted: (transfer none). NULL after an error. */
static GstElement *
add (Source *self, const gchar *factory)
{
  GstElement *element = gst_element_factory_make (factory, NULL);

  if (element == NULL) {
    watch_source_fail (self,
        g_error_new (G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "the element %s is not there", factory));
    return NULL;
  }
  adopt (self, element);
  return element;
}

static void
link_to (GstPad *pad, GstElement *element)
{
  g_autoptr (GstPad) sink = gst_element_get_static_pad (element, "sink");

  if (!gst_pad_is_linked (sink))
    gst_pad_link (pad, sink);
}

static void
on_decoded (GstElement *element, GstPad *pad, Source *self)
{
  if (!gst_pad_is_linked (self->target))
    gst_pad_link (pad, self->target);
}

static void
decode (Source *self, GstPad *pad)
{
  GstElement *decoder = add (self, "decodebin");
  g_autoptr (GstCaps) caps = gst_caps_from_string ("video/x-raw(ANY)");

  if (decoder == NULL)
    return;
  add_probe (self, pad, enter);
  g_object_set (decoder, "caps", caps, "expose-all-streams", FALSE, NULL);
  g_signal_connect (decoder, "autoplug-select", G_CALLBACK (select_decoder), self);
  g_signal_connect (decoder, "pad-added", G_CALLBACK (on_decoded), self);
  if (self->decoders == NULL)
    decoder_gpu_spread (decoder, 0);
  link_to (pad, decoder);
  follow (decoder);
}

/* Returns the name of the type that @caps begin with: (transfer none). */
static const gchar *
get_media (const GstCaps *caps)
{
  return caps != NULL && gst_caps_get_size (caps) > 0
      ? gst_structure_get_name (gst_caps_get_structure (caps, 0))
      : "";
}

/* Has what comes from @pad be recorded, if something is. */
static void
record (Source *self, GstPad *pad, gboolean video)
{
  GstElement *queue = add (self, "queue");

  if (queue == NULL)
    return;
  watch_tracks_add (self->facts->tracks, queue, video);
  link_to (pad, queue);
  follow (queue);
}

/* Sends what comes from @pad, a parser, to a recording and to @to. */
static void
split (Source *self, GstPad *pad, DecodeFunc to)
{
  GstElement *tee = add (self, "tee");
  g_autoptr (GstPad) to_decoder = NULL, to_files = NULL;

  if (tee == NULL)
    return;
  to_files = gst_element_request_pad_simple (tee, "src_%u");
  to_decoder = gst_element_request_pad_simple (tee, "src_%u");
  record (self, to_files, TRUE);
  to (self, to_decoder);
  link_to (pad, tee);
  follow (tee);
}

static void
discard (Source *self, GstPad *pad)
{
  GstElement *unused = add (self, "fakesink");

  if (unused == NULL)
    return;
  g_object_set (unused, "async", FALSE, "sync", FALSE, NULL);
  link_to (pad, unused);
  follow (unused);
}

/* Whether the audio is recorded; says so if files cannot have it. */
static gboolean
wants_audio (Source *self, GstCaps *caps)
{
  g_autofree gchar *text = NULL;

  if (!self->facts->config->record_audio)
    return FALSE;
  if (watch_record_takes_audio (caps))
    return TRUE;
  text = g_strdup_printf ("the audio is not recorded: files cannot have %s", get_media (caps));
  watch_say (self->facts->config->section.name, G_LOG_LEVEL_WARNING, text);
  return FALSE;
}

static void
on_parsed (GstElement *parser, GstPad *pad, Source *self)
{
  g_autoptr (GstCaps) caps = gst_pad_query_caps (pad, NULL);
  const gchar *media = get_media (caps);

  if ((g_str_has_prefix (media, "video/") || g_str_has_prefix (media, "image/")) &&
      !self->has_video) {
    self->has_video = TRUE;
    split (self, pad, decode);
  } else if (g_str_has_prefix (media, "audio/") && wants_audio (self, caps)) {
    record (self, pad, FALSE);
  } else {
    discard (self, pad);
  }
}

static void
on_all_parsed (GstElement *parser, Source *self)
{
  if (!self->several)
    watch_tracks_settle (self->facts->tracks);
}

/* ---- pictures ---- */

#define SPACING (5 * GST_MSECOND)

/* A camera that sends JPEGs sends no times: a picture has that of its arrival. Before the pipeline
 * has a clock, one picture is enough to start it. */
static GstPadProbeReturn
stamp (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Source *self = user_data;
  const GstClockTime now = gst_element_get_current_running_time (GST_ELEMENT (self->pipeline));
  GstBuffer *buffer;

  if (!GST_CLOCK_TIME_IS_VALID (now) && self->has_picture)
    return GST_PAD_PROBE_DROP;
  buffer = gst_buffer_make_writable (GST_PAD_PROBE_INFO_BUFFER (info));
  GST_BUFFER_PTS (buffer) = GST_BUFFER_DTS (buffer) = GST_CLOCK_TIME_IS_VALID (now) ? now : 0;
  GST_PAD_PROBE_INFO_DATA (info) = buffer;
  self->has_picture = TRUE;
  return GST_PAD_PROBE_OK;
}

/* Of pictures that come at once, as after an interruption, all but the first one are left out: they
 * are old, and would be analysed as if things had moved within milliseconds. */
static GstPadProbeReturn
thin_out (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Source *self = user_data;
  const GstClockTime time = GST_BUFFER_PTS (GST_PAD_PROBE_INFO_BUFFER (info));

  if (self->last_picture != 0 && time < self->last_picture + SPACING)
    return GST_PAD_PROBE_DROP;
  self->last_picture = time;
  return GST_PAD_PROBE_OK;
}

/* Decodes the newest of the pictures that come from @pad. */
static void
decode_newest (Source *self, GstPad *pad)
{
  GstElement *queue = add (self, "queue");
  g_autoptr (GstPad) newest = NULL;

  if (queue == NULL)
    return;
  g_object_set (
      queue, "max-size-buffers", 1, "max-size-bytes", 0, "max-size-time", (guint64) 0, NULL);
  gst_util_set_object_arg (G_OBJECT (queue), "leaky", "downstream");
  newest = gst_element_get_static_pad (queue, "src");
  decode (self, newest);
  gst_pad_add_probe (newest, GST_PAD_PROBE_TYPE_BUFFER, thin_out, self, NULL);
  link_to (pad, queue);
  follow (queue);
}

static void
on_pictures (GstElement *element, GstPad *pad, Source *self)
{
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, stamp, self, NULL);
  if (self->facts->tracks == NULL) {
    decode_newest (self, pad);
    return;
  }
  split (self, pad, decode_newest);
  watch_tracks_settle (self->facts->tracks);
}

/* @pad: of JPEGs, one after the other, with heads between (@multipart) or without. */
static void
take_pictures (Source *self, GstPad *pad, gboolean multipart)
{
  GstElement *parser = add (self, multipart ? "multipartdemux" : "jpegparse");
  g_autoptr (GstPad) pictures = NULL;

  if (parser == NULL)
    return;
  if (multipart) {
    g_object_set (parser, "single-stream", TRUE, NULL);
    g_signal_connect (parser, "pad-added", G_CALLBACK (on_pictures), self);
  } else {
    pictures = gst_element_get_static_pad (parser, "src");
    on_pictures (parser, pictures, self);
  }
  link_to (pad, parser);
  follow (parser);
}

/* ---- sources ---- */

/* Has the tracks of what comes from @pad recorded, and the video decoded. */
static void
parse (Source *self, GstPad *pad)
{
  GstElement *parser = add (self, "parsebin");

  if (parser == NULL)
    return;
  g_signal_connect (parser, "pad-added", G_CALLBACK (on_parsed), self);
  g_signal_connect (parser, "no-more-pads", G_CALLBACK (on_all_parsed), self);
  link_to (pad, parser);
  follow (parser);
}

void
watch_source_take (Source *self, GstPad *pad)
{
  g_autoptr (GstCaps) caps = gst_pad_query_caps (pad, NULL);
  const gchar *media = get_media (caps);

  add_probe (self, pad, count);
  if (g_str_equal (media, "multipart/x-mixed-replace") || g_str_equal (media, "image/jpeg"))
    take_pictures (self, pad, g_str_has_prefix (media, "multipart"));
  else if (self->facts->tracks == NULL)
    decode (self, pad);
  else
    parse (self, pad);
}

void
watch_source_take_audio (Source *self, GstPad *pad)
{
  if (self->facts->tracks != NULL)
    parse (self, pad);
  else
    discard (self, pad);
}
