/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "http-source.h"

#include "uri-text.h"

#include <string.h>

#include <gst/base/gstpushsrc.h>
#include <libsoup/soup.h>

#define NAME "gleswatchhttpsrc"
#define CONTEXT "gst-gles-watch.http-access"
#define MAX_REDIRECTS 10
#define BLOCK 16384 /* bytes that are read at once; a camera's picture comes in several */
#define MULTIPART "multipart/x-mixed-replace"

/* ---- access ---- */

typedef struct {
  GUri *origin; /* without user and password */
  gchar *user, *password;
  gboolean anywhere;
} Access;

static void
clear_access (gpointer data)
{
  Access *self = data;

  g_uri_unref (self->origin);
  g_free (self->user);
  g_free (self->password);
}

static Access *
ref_access (Access *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
unref_access (Access *self)
{
  g_atomic_rc_box_release_full (self, clear_access);
}

static void
release_access (gpointer data, GClosure *closure)
{
  unref_access (data);
}

GType watch_http_access_get_type (void);
G_DEFINE_BOXED_TYPE (Access, watch_http_access, ref_access, unref_access)

/* Returns @uri without user and password: (transfer full). */
static GUri *
strip (GUri *uri)
{
  return g_uri_build (
      g_uri_get_flags (uri) & ~(G_URI_FLAGS_HAS_PASSWORD | G_URI_FLAGS_HAS_AUTH_PARAMS),
      g_uri_get_scheme (uri), NULL, g_uri_get_host (uri), g_uri_get_port (uri),
      g_uri_get_path (uri), g_uri_get_query (uri), NULL);
}

static gboolean
has_host (const Access *self, GUri *uri)
{
  return g_ascii_strcasecmp (g_uri_get_host (self->origin), g_uri_get_host (uri)) == 0;
}

/* Whether @uri may have the password: another port is another server. */
static gboolean
is_origin (const Access *self, GUri *uri)
{
  return has_host (self, uri) && g_uri_get_port (self->origin) == g_uri_get_port (uri) &&
      g_str_equal (g_uri_get_scheme (self->origin), g_uri_get_scheme (uri));
}

/* ---- the element ---- */

typedef struct {
  GstPushSrc parent;
  GCancellable *cancellable;
  Access *access;  /* (nullable), with the object's lock */
  gchar *location; /* (nullable) */

  /* of the streaming thread while there is one */
  SoupSession *session;
  GInputStream *stream; /* (nullable): of the answer, at @position */
  guint64 position, wanted, stop;
  guint64 size; /* 0: unknown */
  gboolean seekable;
  gchar *redirected; /* (nullable): where the answer is from, with the object's lock */
} HttpSource;

typedef GstPushSrcClass HttpSourceClass;

static void set_up_handler (gpointer interface, gpointer data);

GType watch_http_source_get_type (void);
G_DEFINE_TYPE_WITH_CODE (HttpSource, watch_http_source, GST_TYPE_PUSH_SRC,
    G_IMPLEMENT_INTERFACE (GST_TYPE_URI_HANDLER, set_up_handler))

static GstStaticPadTemplate src_template =
    GST_STATIC_PAD_TEMPLATE ("src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);

/* ---- requests ---- */

static gboolean
refuse (GError **error, gint code, GUri *uri, const gchar *why)
{
  g_autofree gchar *text = g_uri_to_string (uri);
  g_autofree gchar *shown = watch_uri_text_hide (text);

  g_set_error (error, GST_RESOURCE_ERROR, code, "%s: %s", shown, why);
  return FALSE;
}

static gboolean
on_authenticate (SoupMessage *message, SoupAuth *auth, gboolean again, const Access *access)
{
  if (again || soup_auth_is_for_proxy (auth) || access->user == NULL ||
      !is_origin (access, soup_message_get_uri (message)))
    return FALSE;
  soup_auth_authenticate (auth, access->user, access->password != NULL ? access->password : "");
  return TRUE;
}

/* Returns the access of the pipeline: (transfer full) (nullable). Sources of playlists have no
 * pipeline, and get it by their messages. */
static Access *
get_access (HttpSource *self)
{
  Access *access;

  GST_OBJECT_LOCK (self);
  access = self->access != NULL ? ref_access (self->access) : NULL;
  GST_OBJECT_UNLOCK (self);
  if (access != NULL)
    return access;
  gst_element_post_message (
      GST_ELEMENT (self), gst_message_new_need_context (GST_OBJECT (self), CONTEXT));
  GST_OBJECT_LOCK (self);
  access = self->access != NULL ? ref_access (self->access) : NULL;
  GST_OBJECT_UNLOCK (self);
  return access;
}

static SoupMessage *
make_message (HttpSource *self, GUri *uri, Access *access)
{
  SoupMessage *message = soup_message_new_from_uri (SOUP_METHOD_GET, uri);

  soup_message_add_flags (message, SOUP_MESSAGE_NO_REDIRECT);
  if (self->wanted > 0 || self->stop != G_MAXUINT64)
    soup_message_headers_set_range (soup_message_get_request_headers (message),
        (goffset) self->wanted, self->stop != G_MAXUINT64 ? (goffset) self->stop - 1 : -1);
  g_signal_connect_data (message, "authenticate", G_CALLBACK (on_authenticate), ref_access (access),
      release_access, 0);
  return message;
}

/* Where an answer leads: (transfer full). NULL: it is no redirect. */
static GUri *
get_redirect (SoupMessage *message, GUri *uri)
{
  const gchar *location =
      soup_message_headers_get_one (soup_message_get_response_headers (message), "Location");
  g_autoptr (GUri) next = NULL;

  if (!SOUP_STATUS_IS_REDIRECTION (soup_message_get_status (message)) || location == NULL)
    return NULL;
  next = g_uri_parse_relative (uri, location, SOUP_HTTP_URI_FLAGS, NULL);
  return next != NULL && g_uri_get_host (next) != NULL ? strip (next) : NULL;
}

static gboolean
check_place (const Access *access, GUri *uri, GError **error)
{
  const gchar *scheme = g_uri_get_scheme (uri);

  if (!g_str_equal (scheme, "http") && !g_str_equal (scheme, "https"))
    return refuse (error, GST_RESOURCE_ERROR_OPEN_READ, uri, "a redirect that is not to HTTP");
  return access->anywhere || has_host (access, uri) ||
      refuse (error, GST_RESOURCE_ERROR_NOT_AUTHORIZED, uri,
          "the camera leads to another host, which follow=any would allow");
}

static gboolean
check_status (SoupMessage *message, GUri *uri, gboolean ranged, GError **error)
{
  const guint status = soup_message_get_status (message);
  g_autofree gchar *text =
      g_strdup_printf ("%u %s%s", status, soup_message_get_reason_phrase (message),
          status == SOUP_STATUS_UNAUTHORIZED ? "; is the user or the password wrong?" : "");

  if (ranged && status == SOUP_STATUS_OK)
    return refuse (error, GST_RESOURCE_ERROR_SEEK, uri, "the server sends no parts");
  if (SOUP_STATUS_IS_SUCCESSFUL (status))
    return TRUE;
  return refuse (error,
      status == SOUP_STATUS_UNAUTHORIZED    ? GST_RESOURCE_ERROR_NOT_AUTHORIZED
          : status == SOUP_STATUS_NOT_FOUND ? GST_RESOURCE_ERROR_NOT_FOUND
                                            : GST_RESOURCE_ERROR_OPEN_READ,
      uri, text);
}

/* Notes what the headers of the answer say. */
static void
take_headers (HttpSource *self, SoupMessage *message, GUri *uri)
{
  SoupMessageHeaders *headers = soup_message_get_response_headers (message);
  const gchar *type = soup_message_headers_get_content_type (headers, NULL);
  const gchar *ranges = soup_message_headers_get_one (headers, "Accept-Ranges");
  const goffset length = soup_message_headers_get_content_length (headers);

  if (self->wanted == 0 && length > 0) {
    self->size = (guint64) length;
    self->seekable = ranges != NULL && g_ascii_strcasecmp (ranges, "bytes") == 0;
  }
  GST_OBJECT_LOCK (self);
  g_free (self->redirected);
  self->redirected = g_uri_to_string (uri);
  GST_OBJECT_UNLOCK (self);
  /* the first bytes tell everything else, but these need not begin with a part */
  if (type != NULL && g_ascii_strcasecmp (type, MULTIPART) == 0) {
    g_autoptr (GstCaps) caps = gst_caps_new_empty_simple (MULTIPART);

    gst_base_src_set_caps (GST_BASE_SRC (self), caps);
  }
}

/* Sends requests until there is an answer that is no redirect. */
static gboolean
follow (HttpSource *self, Access *access, GUri *first, GError **error)
{
  g_autoptr (GUri) uri = strip (first);

  for (guint i = 0; i < MAX_REDIRECTS && check_place (access, uri, error); i++) {
    g_autoptr (SoupMessage) message = make_message (self, uri, access);
    g_autoptr (GInputStream) stream =
        soup_session_send (self->session, message, self->cancellable, error);
    GUri *next = stream != NULL ? get_redirect (message, uri) : NULL;

    if (stream == NULL)
      return FALSE;
    if (next == NULL) {
      if (!check_status (message, uri, self->wanted > 0, error))
        return FALSE;
      take_headers (self, message, uri);
      self->stream = g_steal_pointer (&stream);
      self->position = self->wanted;
      return TRUE;
    }
    g_uri_unref (uri);
    uri = next;
  }
  if (error != NULL && *error == NULL)
    refuse (error, GST_RESOURCE_ERROR_OPEN_READ, uri, "too many redirects");
  return FALSE;
}

static gboolean
open_stream (HttpSource *self, GError **error)
{
  Access *access = get_access (self);
  g_autoptr (GUri) uri = NULL;
  gboolean ok = FALSE;

  if (access == NULL) {
    g_set_error_literal (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_AUTHORIZED,
        "HTTP is for cameras that are configured with it");
    return FALSE;
  }
  if (self->session == NULL)
    self->session = soup_session_new_with_options ("user-agent", "gst-gles-watch", NULL);
  uri = g_uri_parse (self->location != NULL ? self->location : "", SOUP_HTTP_URI_FLAGS, error);
  if (uri != NULL)
    ok = follow (self, access, uri, error);
  unref_access (access);
  return ok;
}

static void
close_stream (HttpSource *self)
{
  if (self->stream != NULL)
    g_input_stream_close (self->stream, self->cancellable, NULL);
  g_clear_object (&self->stream);
}

/* ---- what the base class calls ---- */

/* @error: (transfer full). */
static GstFlowReturn
fail (HttpSource *self, GError *error)
{
  const gboolean cancelled = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  const gint code =
      error->domain == GST_RESOURCE_ERROR ? error->code : (gint) GST_RESOURCE_ERROR_READ;
  g_autofree gchar *shown = watch_uri_text_hide (error->message);

  if (!cancelled)
    gst_element_message_full (GST_ELEMENT (self), GST_MESSAGE_ERROR, GST_RESOURCE_ERROR, code,
        g_steal_pointer (&shown), NULL, __FILE__, GST_FUNCTION, __LINE__);
  g_error_free (error);
  return cancelled ? GST_FLOW_FLUSHING : GST_FLOW_ERROR;
}

static GstFlowReturn
create (GstPushSrc *source, GstBuffer **buffer)
{
  HttpSource *self = (HttpSource *) source;
  g_autofree guint8 *data = NULL;
  GError *error = NULL;
  gssize n;

  if (self->stream != NULL && self->position != self->wanted)
    close_stream (self);
  if (self->stream == NULL && !open_stream (self, &error))
    return fail (self, error);
  data = g_malloc (BLOCK);
  n = g_input_stream_read (self->stream, data, BLOCK, self->cancellable, &error);
  if (n < 0)
    return fail (self, error);
  if (n == 0)
    return GST_FLOW_EOS;
  *buffer = gst_buffer_new_wrapped (g_steal_pointer (&data), (gsize) n);
  GST_BUFFER_OFFSET (*buffer) = self->position;
  self->position += (guint64) n;
  self->wanted = self->position;
  return GST_FLOW_OK;
}

static gboolean
stop (GstBaseSrc *source)
{
  HttpSource *self = (HttpSource *) source;

  close_stream (self);
  g_clear_object (&self->session);
  self->wanted = self->size = 0;
  self->stop = G_MAXUINT64;
  self->seekable = FALSE;
  return TRUE;
}

static gboolean
unlock (GstBaseSrc *source)
{
  g_cancellable_cancel (((HttpSource *) source)->cancellable);
  return TRUE;
}

static gboolean
unlock_stop (GstBaseSrc *source)
{
  g_cancellable_reset (((HttpSource *) source)->cancellable);
  return TRUE;
}

static gboolean
get_size (GstBaseSrc *source, guint64 *size)
{
  *size = ((HttpSource *) source)->size;
  return *size > 0;
}

static gboolean
is_seekable (GstBaseSrc *source)
{
  return ((HttpSource *) source)->seekable;
}

static gboolean
do_seek (GstBaseSrc *source, GstSegment *segment)
{
  HttpSource *self = (HttpSource *) source;

  self->wanted = segment->start;
  self->stop = segment->stop;
  return TRUE;
}

static gboolean
query (GstBaseSrc *source, GstQuery *query)
{
  HttpSource *self = (HttpSource *) source;

  if (GST_QUERY_TYPE (query) != GST_QUERY_URI)
    return GST_BASE_SRC_CLASS (watch_http_source_parent_class)->query (source, query);
  GST_OBJECT_LOCK (self);
  gst_query_set_uri (query, self->location);
  /* addresses in a playlist are relative to it */
  if (self->redirected != NULL)
    gst_query_set_uri_redirection (query, self->redirected);
  GST_OBJECT_UNLOCK (self);
  return TRUE;
}

static void
set_context (GstElement *element, GstContext *context)
{
  HttpSource *self = (HttpSource *) element;

  if (gst_context_has_context_type (context, CONTEXT)) {
    GST_OBJECT_LOCK (self);
    g_clear_pointer (&self->access, unref_access);
    gst_structure_get (gst_context_get_structure (context), "access", watch_http_access_get_type (),
        &self->access, NULL);
    GST_OBJECT_UNLOCK (self);
  }
  GST_ELEMENT_CLASS (watch_http_source_parent_class)->set_context (element, context);
}

/* ---- addresses ---- */

static GstURIType
get_uri_type (GType type)
{
  return GST_URI_SRC;
}

static const gchar *const *
get_protocols (GType type)
{
  static const gchar *const protocols[] = { "http", "https", NULL };

  return protocols;
}

static gchar *
get_uri (GstURIHandler *handler)
{
  return g_strdup (((HttpSource *) handler)->location);
}

static gboolean
set_uri (GstURIHandler *handler, const gchar *uri, GError **error)
{
  HttpSource *self = (HttpSource *) handler;

  GST_OBJECT_LOCK (self);
  g_free (self->location);
  self->location = g_strdup (uri);
  g_clear_pointer (&self->redirected, g_free);
  GST_OBJECT_UNLOCK (self);
  return TRUE;
}

static void
set_up_handler (gpointer interface, gpointer data)
{
  GstURIHandlerInterface *handler = interface;

  handler->get_type = get_uri_type;
  handler->get_protocols = get_protocols;
  handler->get_uri = get_uri;
  handler->set_uri = set_uri;
}

/* ---- object ---- */

static void
finalize (GObject *object)
{
  HttpSource *self = (HttpSource *) object;

  g_object_unref (self->cancellable);
  g_clear_pointer (&self->access, unref_access);
  g_free (self->location);
  g_free (self->redirected);
  G_OBJECT_CLASS (watch_http_source_parent_class)->finalize (object);
}

static void
watch_http_source_class_init (HttpSourceClass *class)
{
  GstElementClass *element = GST_ELEMENT_CLASS (class);
  GstBaseSrcClass *base = GST_BASE_SRC_CLASS (class);

  G_OBJECT_CLASS (class)->finalize = finalize;
  gst_element_class_add_static_pad_template (element, &src_template);
  gst_element_class_set_static_metadata (element, "HTTP source of gst-gles-watch-1.0",
      "Source/Network", "Reads from cameras by HTTP", "gst-gles-compute");
  element->set_context = set_context;
  base->stop = stop;
  base->unlock = unlock;
  base->unlock_stop = unlock_stop;
  base->get_size = get_size;
  base->is_seekable = is_seekable;
  base->do_seek = do_seek;
  base->query = query;
  GST_PUSH_SRC_CLASS (class)->create = create;
}

static void
watch_http_source_init (HttpSource *self)
{
  self->cancellable = g_cancellable_new ();
  self->stop = G_MAXUINT64;
}

/* Elements that read playlists by connections of their own, which no access bounds; there are
 * others that ask for sources. */
static void
avoid_own_connections (void)
{
  static const gchar *const names[] = { "hlsdemux2", "dashdemux2", "mssdemux2" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autoptr (GstElementFactory) factory = gst_element_factory_find (names[i]);

    if (factory != NULL)
      gst_plugin_feature_set_rank (GST_PLUGIN_FEATURE (factory), GST_RANK_NONE);
  }
}

static gpointer
register_element (gpointer unused)
{
  avoid_own_connections ();
  gst_element_register (NULL, NAME, GST_RANK_PRIMARY + 100, watch_http_source_get_type ());
  return NULL;
}

gboolean
watch_http_source_allow (GstElement *pipeline, const WatchHttpAccess *access, GError **error)
{
  static GOnce once = G_ONCE_INIT;
  g_autoptr (GUri) uri =
      g_uri_parse (access->uri, SOUP_HTTP_URI_FLAGS | G_URI_FLAGS_HAS_PASSWORD, error);
  g_autoptr (GstContext) context = NULL;
  Access *self;

  if (uri == NULL)
    return FALSE;
  if (g_uri_get_host (uri) == NULL || g_uri_get_host (uri)[0] == '\0')
    return refuse (error, GST_RESOURCE_ERROR_SETTINGS, uri, "there is no host");
  g_once (&once, register_element, NULL);
  self = g_atomic_rc_box_new0 (Access);
  self->origin = strip (uri);
  self->user = g_strdup (access->user != NULL ? access->user : g_uri_get_user (uri));
  self->password = g_strdup (access->user != NULL ? access->password : g_uri_get_password (uri));
  self->anywhere = access->anywhere;
  context = gst_context_new (CONTEXT, FALSE);
  gst_structure_set (gst_context_writable_structure (context), "access",
      watch_http_access_get_type (), self, NULL);
  unref_access (self);
  gst_element_set_context (pipeline, context);
  return TRUE;
}
