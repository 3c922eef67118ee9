/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Coded video is decoded by what decodebin chooses, in the memory where the decoder leaves it. With
 * a recording, a parser and a tee stand before the decoder. */
#include "source.h"

#include "../common/autoplug.h"
#include "record.h"

#include <stdio.h>
#include <string.h>

#include <gio/gio.h>

typedef struct {
  GstPipeline *pipeline; /* not owned */
  GstPad *target;
  WatchSourceFacts *facts;
  gchar **decoders; /* (nullable): to choose from */
} Source;

static void
free_source (gpointer data)
{
  Source *self = data;

  gst_object_unref (self->target);
  g_strfreev (self->decoders);
  g_free (self);
}

/* ---- addresses ---- */

static gboolean
refuse (GError **error, const gchar *uri, const gchar *why)
{
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "uri=%s: %s", uri, why);
  return FALSE;
}

gboolean
watch_source_is_file (const WatchCameraConfig *config)
{
  return g_str_has_prefix (config->uri, "file:");
}

static gboolean
check_element (const gchar *name, const gchar *uri, GError **error)
{
  g_autoptr (GstElementFactory) factory = gst_element_factory_find (name);
  g_autofree gchar *why =
      g_strdup_printf ("the element %s is not there; gst-inspect-1.0 lists what is", name);

  return factory != NULL || refuse (error, uri, why);
}

/* Returns the description of a test source: (transfer full). NULL with @error. */
static gchar *
describe_test (const gchar *uri, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (uri + strlen ("test:"), ",", -1);
  const guint n = g_strv_length (parts);
  guint width = 640, height = 360, rate = 25;

  if (n < 1 || n > 3 || parts[0][0] == '\0' ||
      strspn (parts[0], "abcdefghijklmnopqrstuvwxyz0123456789-") != strlen (parts[0]) ||
      (n > 1 && sscanf (parts[1], "%5ux%5u", &width, &height) != 2) ||
      (n > 2 && sscanf (parts[2], "%4u", &rate) != 1) || width == 0 || height == 0 || rate == 0) {
    refuse (error, uri, "test:PATTERN[,WIDTHxHEIGHT[,RATE]] with a pattern of videotestsrc");
    return NULL;
  }
  return g_strdup_printf (
      "videotestsrc is-live=true pattern=%s ! capsfilter caps=video/x-raw,format=I420,width=%u,"
      "height=%u,framerate=%u/1",
      parts[0], width, height, rate);
}

gboolean
watch_source_check (const WatchCameraConfig *config, GError **error)
{
  const gchar *uri = config->uri;
  g_autofree gchar *test = NULL;

  if (g_str_has_prefix (uri, "test:")) {
    g_autoptr (GstElement) bin = NULL;

    test = describe_test (uri, error);
    bin = test != NULL
        ? gst_parse_bin_from_description_full (test, TRUE, NULL, GST_PARSE_FLAG_FATAL_ERRORS, error)
        : NULL;
    if (bin != NULL)
      gst_object_ref_sink (bin);
    return bin != NULL;
  }
  if (g_str_has_prefix (uri, "v4l2://"))
    return check_element ("v4l2src", uri, error);
  if (g_str_has_prefix (uri, "rtsp://") || g_str_has_prefix (uri, "rtsps://"))
    return check_element ("rtspsrc", uri, error);
  if (g_str_has_prefix (uri, "http://") || g_str_has_prefix (uri, "https://") ||
      g_str_has_prefix (uri, "file:///"))
    return gst_uri_is_valid (uri) || refuse (error, uri, "no address");
  return refuse (error, uri,
      "there are rtsp://, rtsps://, http://, https://, file:///, v4l2:///dev/video0 and "
      "test:PATTERN");
}

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

static void
on_element (GstBin *pipeline, GstBin *parent, GstElement *element, Source *self)
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

/* Ends the camera's pipeline with @error: (transfer full). */
static void
fail (Source *self, GError *error)
{
  gst_element_post_message (GST_ELEMENT (self->pipeline),
      gst_message_new_error (GST_OBJECT (self->pipeline), error, NULL));
  g_error_free (error);
}

static GstPadProbeReturn
count (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  WatchSourceFacts *facts = user_data;

  if (__atomic_add_fetch (&facts->n_data, 1, __ATOMIC_RELAXED) == 1)
    watch_gate_enter (&facts->gate);
  return GST_PAD_PROBE_OK;
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
    fail (self,
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

/* Decodes what comes from @pad. */
static void
decode (Source *self, GstPad *pad)
{
  GstElement *decoder = add (self, "decodebin");
  g_autoptr (GstCaps) caps = gst_caps_from_string ("video/x-raw(ANY)");

  if (decoder == NULL)
    return;
  g_object_set (decoder, "caps", caps, "expose-all-streams", FALSE, NULL);
  g_signal_connect (decoder, "autoplug-select", G_CALLBACK (select_decoder), self);
  g_signal_connect (decoder, "pad-added", G_CALLBACK (on_decoded), self);
  link_to (pad, decoder);
  follow (decoder);
}

/* Sends what comes from @pad, a parser, to the decoder and to files. */
static void
split (Source *self, GstPad *pad, GstCaps *caps)
{
  g_autoptr (GError) error = NULL;
  GstElement *record = watch_record_new (self->facts->config, caps, &error);
  g_autoptr (GstPad) to_decoder = NULL, to_files = NULL, files = NULL;
  GstElement *tee;

  if (record == NULL) {
    fail (self, g_steal_pointer (&error));
    return;
  }
  gst_object_set_name (GST_OBJECT (record), WATCH_SOURCE_RECORD);
  adopt (self, record);
  tee = add (self, "tee");
  if (tee == NULL)
    return;
  to_files = gst_element_request_pad_simple (tee, "src_%u");
  to_decoder = gst_element_request_pad_simple (tee, "src_%u");
  files = gst_element_get_static_pad (record, "sink");
  gst_pad_link (to_files, files);
  decode (self, to_decoder);
  link_to (pad, tee);
  follow (record);
  follow (tee);
}

static void
on_parsed (GstElement *parser, GstPad *pad, Source *self)
{
  g_autoptr (GstCaps) caps = gst_pad_query_caps (pad, NULL);
  const gchar *media =
      gst_caps_get_size (caps) > 0 ? gst_structure_get_name (gst_caps_get_structure (caps, 0)) : "";
  GstElement *unused;

  if ((g_str_has_prefix (media, "video/") || g_str_has_prefix (media, "image/")) &&
      g_object_get_data (G_OBJECT (parser), "split") == NULL) {
    g_object_set_data (G_OBJECT (parser), "split", parser);
    split (self, pad, caps);
    return;
  }
  unused = add (self, "fakesink");
  if (unused == NULL)
    return;
  g_object_set (unused, "async", FALSE, "sync", FALSE, NULL);
  link_to (pad, unused);
  follow (unused);
}

/* What comes from @pad is coded or packed, or maybe not. */
static void
take (Source *self, GstPad *pad)
{
  GstElement *parser;

  gst_pad_add_probe (
      pad, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_BUFFER_LIST, count, self->facts, NULL);
  if (!self->facts->record) {
    decode (self, pad);
    return;
  }
  parser = add (self, "parsebin");
  if (parser == NULL)
    return;
  g_signal_connect (parser, "pad-added", G_CALLBACK (on_parsed), self);
  link_to (pad, parser);
  follow (parser);
}

static void
on_source_pad (GstElement *source, GstPad *pad, Source *self)
{
  if (g_object_get_data (G_OBJECT (source), "taken") != NULL)
    return;
  g_object_set_data (G_OBJECT (source), "taken", source);
  take (self, pad);
}

/* ---- sources ---- */

/* Returns (transfer full): the first line of the file. NULL with @error. */
static gchar *
read_password (const gchar *path, GError **error)
{
  g_autofree gchar *text = NULL;

  if (!g_file_get_contents (path, &text, NULL, error)) {
    g_prefix_error (error, "password-file: ");
    return NULL;
  }
  return g_strndup (text, strcspn (text, "\r\n"));
}

static gboolean
is_video (GstElement *source, guint number, GstCaps *caps, gpointer user_data)
{
  return g_strcmp0 (
             gst_structure_get_string (gst_caps_get_structure (caps, 0), "media"), "video") == 0;
}

static gboolean
set_up_rtsp (GstElement *source, const WatchCameraConfig *config, GError **error)
{
  g_autofree gchar *password = NULL;

  if (config->password_file != NULL) {
    password = read_password (config->password_file, error);
    if (password == NULL)
      return FALSE;
  }
  gst_util_set_object_arg (G_OBJECT (source), "protocols", "tcp");
  g_object_set (source, "location", config->uri, "latency", (guint) config->latency, "tcp-timeout",
      (guint64) config->stall_timeout * G_USEC_PER_SEC, NULL);
  if (config->user != NULL)
    g_object_set (source, "user-id", config->user, "user-pw", password, NULL);
  if (g_object_class_find_property (G_OBJECT_GET_CLASS (source), "add-reference-timestamp-meta"))
    g_object_set (source, "add-reference-timestamp-meta", TRUE, NULL);
  g_signal_connect (source, "select-stream", G_CALLBACK (is_video), NULL);
  return TRUE;
}

/* A camera of the machine has a pad at once. */
static gboolean
add_device (Source *self, GError **error)
{
  const gchar *uri = self->facts->config->uri;
  GstElement *source = gst_element_factory_make ("v4l2src", NULL);
  g_autoptr (GstPad) pad = NULL;

  if (source == NULL)
    return check_element ("v4l2src", uri, error);
  g_object_set (source, "device", uri + strlen ("v4l2://"), NULL);
  gst_bin_add (GST_BIN (self->pipeline), source);
  pad = gst_element_get_static_pad (source, "src");
  take (self, pad);
  return TRUE;
}

static gboolean
add_test (Source *self, GError **error)
{
  g_autofree gchar *line = describe_test (self->facts->config->uri, error);
  g_autoptr (GstPad) pad = NULL;
  GstElement *bin;

  if (line == NULL)
    return FALSE;
  bin = gst_parse_bin_from_description_full (line, TRUE, NULL, GST_PARSE_FLAG_FATAL_ERRORS, error);
  if (bin == NULL)
    return FALSE;
  gst_bin_add (GST_BIN (self->pipeline), bin);
  pad = gst_element_get_static_pad (bin, "src");
  gst_pad_link (pad, self->target);
  return TRUE;
}

static gboolean
add_remote (Source *self, GError **error)
{
  const WatchCameraConfig *config = self->facts->config;
  const gboolean rtsp = g_str_has_prefix (config->uri, "rtsp");
  const gchar *name = rtsp ? "rtspsrc" : "urisourcebin";
  GstElement *source = gst_element_factory_make (name, NULL);

  if (source == NULL)
    return check_element (name, config->uri, error);
  gst_bin_add (GST_BIN (self->pipeline), source);
  g_signal_connect (source, "pad-added", G_CALLBACK (on_source_pad), self);
  if (rtsp)
    return set_up_rtsp (source, config, error);
  g_object_set (source, "uri", config->uri, NULL);
  return TRUE;
}

gboolean
watch_source_add (GstPipeline *pipeline, GstPad *target, WatchSourceFacts *facts, GError **error)
{
  const WatchCameraConfig *config = facts->config;
  Source *self = g_new0 (Source, 1);

  self->pipeline = pipeline;
  self->target = gst_object_ref (target);
  self->facts = facts;
  self->decoders = config->decoder != NULL ? g_strsplit (config->decoder, ",", -1) : NULL;
  for (gchar **name = self->decoders; name != NULL && *name != NULL; name++)
    g_strstrip (*name);
  g_object_set_data_full (G_OBJECT (pipeline), "source", self, free_source);
  g_signal_connect (pipeline, "deep-element-added", G_CALLBACK (on_element), self);
  if (g_str_has_prefix (config->uri, "test:"))
    return add_test (self, error);
  if (g_str_has_prefix (config->uri, "v4l2:"))
    return add_device (self, error);
  return add_remote (self, error);
}
