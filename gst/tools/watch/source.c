/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where the stream of a camera is from. */
#include "http-source.h"
#include "source-private.h"
#include "uri-text.h"

#include <stdio.h>
#include <string.h>

#include <gio/gio.h>
#include <gst/rtsp/gstrtspmessage.h>
#include <gst/rtsp/gstrtspurl.h>

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
  g_autofree gchar *shown = watch_uri_text_hide (uri);

  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "uri=%s: %s", shown, why);
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

/* ---- sources ---- */

/* Whether @caps are of RTP that is @media. */
static gboolean
is_rtp_of (const GstCaps *caps, const gchar *media)
{
  return caps != NULL && gst_caps_get_size (caps) > 0 &&
      g_strcmp0 (gst_structure_get_string (gst_caps_get_structure (caps, 0), "media"), media) == 0;
}

static void
on_source_pad (GstElement *source, GstPad *pad, Source *self)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);

  if (is_rtp_of (caps, "audio")) {
    watch_source_take_audio (self, pad);
  } else if (!self->taken) {
    self->taken = TRUE;
    watch_source_take (self, pad);
  }
}

/* Sets *@password (nullable) (transfer full): the first line of the file, if there is one. FALSE
 * with @error. */
static gboolean
read_password (const WatchCameraConfig *config, gchar **password, GError **error)
{
  g_autofree gchar *text = NULL;

  *password = NULL;
  if (config->password_file == NULL)
    return TRUE;
  if (!g_file_get_contents (config->password_file, &text, NULL, error)) {
    g_prefix_error (error, "password-file: ");
    return FALSE;
  }
  *password = g_strndup (text, strcspn (text, "\r\n"));
  return TRUE;
}

static gboolean
select_stream (GstElement *source, guint number, GstCaps *caps, Source *self)
{
  WatchTracks *tracks = self->facts->tracks;
  const gboolean wanted = is_rtp_of (caps, "video") ||
      (tracks != NULL && self->facts->config->record_audio && is_rtp_of (caps, "audio"));

  if (wanted && tracks != NULL)
    watch_tracks_expect (tracks);
  return wanted;
}

/* Whether the request goes to the host (*@port: and to the port, too) of the camera's address. */
static gboolean
is_same_host (const gchar *address, const gchar *uri, gboolean *port)
{
  GstRTSPUrl *one = NULL, *other = NULL;
  gboolean same = FALSE;

  *port = FALSE;
  if (gst_rtsp_url_parse (address, &one) == GST_RTSP_OK &&
      gst_rtsp_url_parse (uri, &other) == GST_RTSP_OK) {
    same = g_ascii_strcasecmp (one->host, other->host) == 0;
    *port = one->port == other->port;
  }
  gst_rtsp_url_free (one);
  gst_rtsp_url_free (other);
  return same;
}

/* rtspsrc gives the password to whoever asks for it after a redirect, and follows one to anywhere.
 * Requests of a session may name any host, as a camera behind a router does, so this looks at those
 * before it. */
static gboolean
on_request (GstElement *source, GstRTSPMessage *message, Source *self)
{
  const WatchCameraConfig *config = self->facts->config;
  GstRTSPMethod method;
  const gchar *uri;
  gboolean port;

  if (watch_get (&self->facts->n_data) > 0 ||
      gst_rtsp_message_parse_request (message, &method, &uri, NULL) != GST_RTSP_OK ||
      (method != GST_RTSP_OPTIONS && method != GST_RTSP_DESCRIBE) ||
      (is_same_host (config->uri, uri, &port) && port))
    return TRUE;
  g_object_set (source, "user-id", NULL, "user-pw", NULL, NULL);
  if (is_same_host (config->uri, uri, &port) || config->follow == WATCH_FOLLOW_ANY)
    return TRUE;
  watch_source_fail (self,
      g_error_new (G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED,
          "%s: the camera leads to another host, which follow=any would allow", uri));
  return FALSE;
}

static gboolean
set_up_rtsp (Source *self, GstElement *source, GError **error)
{
  const WatchCameraConfig *config = self->facts->config;
  g_autofree gchar *password = NULL;

  self->several = TRUE;
  if (!read_password (config, &password, error))
    return FALSE;
  gst_util_set_object_arg (G_OBJECT (source), "protocols", "tcp");
  g_object_set (source, "location", config->uri, "latency", (guint) config->latency, "tcp-timeout",
      (guint64) config->stall_timeout * G_USEC_PER_SEC, NULL);
  if (config->user != NULL)
    g_object_set (source, "user-id", config->user, "user-pw", password, NULL);
  if (g_object_class_find_property (G_OBJECT_GET_CLASS (source), "add-reference-timestamp-meta"))
    g_object_set (source, "add-reference-timestamp-meta", TRUE, NULL);
  g_signal_connect (source, "select-stream", G_CALLBACK (select_stream), self);
  g_signal_connect (source, "before-send", G_CALLBACK (on_request), self);
  return TRUE;
}

static void
on_type (GstElement *typefind, guint probability, GstCaps *caps, Source *self)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (typefind, "src");

  watch_source_take (self, pad);
}

/* urisourcebin takes elements for playlists that have connections of their own; decodebin does
 * not. */
static gboolean
add_http (Source *self, GError **error)
{
  const WatchCameraConfig *config = self->facts->config;
  g_autofree gchar *password = NULL;
  WatchHttpAccess access = {
    .uri = config->uri, .user = config->user, .anywhere = config->follow == WATCH_FOLLOW_ANY
  };
  GstElement *source, *typefind = gst_element_factory_make ("typefind", NULL);

  gst_bin_add (GST_BIN (self->pipeline), typefind);
  g_signal_connect (typefind, "have-type", G_CALLBACK (on_type), self);
  if (!read_password (config, &password, error))
    return FALSE;
  access.password = password;
  if (!watch_http_source_allow (GST_ELEMENT (self->pipeline), &access, error))
    return FALSE;
  source = gst_element_make_from_uri (GST_URI_SRC, config->uri, NULL, error);
  if (source == NULL)
    return FALSE;
  gst_bin_add (GST_BIN (self->pipeline), source);
  return gst_element_link (source, typefind);
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
  watch_source_take (self, pad);
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
    return set_up_rtsp (self, source, error);
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
  g_signal_connect (pipeline, "deep-element-added", G_CALLBACK (watch_source_on_element), self);
  if (g_str_has_prefix (config->uri, "test:"))
    return add_test (self, error);
  if (g_str_has_prefix (config->uri, "v4l2:"))
    return add_device (self, error);
  if (g_str_has_prefix (config->uri, "http"))
    return add_http (self, error);
  return add_remote (self, error);
}
