/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Says in a sentence why a file could not be analysed, or not to its end. GStreamer's own message
 * is often that of an element that only noticed that another one had failed. */
#include "failure.h"

#include <string.h>

#include <gio/gio.h>
#include <gst/pbutils/pbutils.h>

#define KINDS_OF_VIDEO                                                                             \
  (GST_PBUTILS_CAPS_DESCRIPTION_FLAG_VIDEO | GST_PBUTILS_CAPS_DESCRIPTION_FLAG_IMAGE |             \
      GST_PBUTILS_CAPS_DESCRIPTION_FLAG_CONTAINER)

struct _ReportFailure {
  /* of gchar: decoders and demuxers that the file needs and that are not installed */
  GPtrArray *missing;
  GMutex lock;       /* of what follows: */
  GPtrArray *others; /* of gchar: kinds of streams of the file other than video */
  GstMessage *last;  /* (nullable): the last error of any element */
};

/* Stands between one element and the bus of its pipeline, to which messages go on. */
typedef struct {
  ReportFailure *failure;
  GstBus *bus;
} Relay;

ReportFailure *
report_failure_new (void)
{
  ReportFailure *self = g_new0 (ReportFailure, 1);

  gst_pb_utils_init ();
  self->missing = g_ptr_array_new_null_terminated (1, g_free, TRUE);
  self->others = g_ptr_array_new_null_terminated (1, g_free, TRUE);
  g_mutex_init (&self->lock);
  return self;
}

void
report_failure_free (ReportFailure *self)
{
  g_ptr_array_unref (self->missing);
  g_ptr_array_unref (self->others);
  gst_clear_message (&self->last);
  g_mutex_clear (&self->lock);
  g_free (self);
}

/* ---- errors that do not arrive ---- */

static void
relay_free (gpointer data)
{
  Relay *relay = data;

  gst_object_unref (relay->bus);
  g_free (relay);
}

static GstBusSyncReply
on_message (GstBus *bus, GstMessage *message, gpointer data)
{
  Relay *relay = data;

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    g_mutex_lock (&relay->failure->lock);
    gst_message_replace (&relay->failure->last, message);
    g_mutex_unlock (&relay->failure->lock);
  }
  gst_bus_post (relay->bus, message); /* the bus takes the reference */
  return GST_BUS_DROP;
}

static void
on_element (GstBin *pipeline, GstBin *parent, GstElement *element, ReportFailure *self)
{
  g_autoptr (GstBus) spy = gst_bus_new ();
  Relay *relay = g_new0 (Relay, 1);

  relay->failure = self;
  relay->bus = gst_element_get_bus (element);
  gst_bus_set_sync_handler (spy, on_message, relay, relay_free);
  gst_element_set_bus (element, spy);
}

void
report_failure_follow (ReportFailure *self, GstElement *pipeline)
{
  g_signal_connect (pipeline, "deep-element-added", G_CALLBACK (on_element), self);
}

GstMessage *
report_failure_get_lost (ReportFailure *self)
{
  g_autoptr (GstObject) parent = NULL;
  GstMessage *lost = NULL;

  g_mutex_lock (&self->lock);
  /* a decoder that could not be used was taken out of the pipeline again */
  parent = self->last != NULL ? gst_object_get_parent (GST_MESSAGE_SRC (self->last)) : NULL;
  if (parent != NULL)
    lost = gst_message_ref (self->last);
  g_mutex_unlock (&self->lock);
  return lost;
}

/* ---- what is in the file ---- */

static void
add (GPtrArray *array, gchar *text)
{
  if (text != NULL && !g_ptr_array_find_with_equal_func (array, text, g_str_equal, NULL))
    g_ptr_array_add (array, text);
  else
    g_free (text);
}

void
report_failure_note_stream (ReportFailure *self, GstCaps *caps)
{
  if (!gst_caps_is_fixed (caps) || gst_pb_utils_get_caps_description_flags (caps) & KINDS_OF_VIDEO)
    return;
  g_mutex_lock (&self->lock);
  add (self->others, gst_pb_utils_get_codec_description (caps));
  g_mutex_unlock (&self->lock);
}

void
report_failure_note_message (ReportFailure *self, GstMessage *message)
{
  const GstStructure *structure = gst_message_get_structure (message);
  const GValue *detail;

  if (!gst_is_missing_plugin_message (message))
    return;
  detail = gst_structure_get_value (structure, "detail");
  if (detail != NULL && GST_VALUE_HOLDS_CAPS (detail) &&
      !(gst_pb_utils_get_caps_description_flags (gst_value_get_caps (detail)) & KINDS_OF_VIDEO))
    return;
  add (self->missing, gst_missing_plugin_message_get_description (message));
}

/* ---- sentences ---- */

/* Returns (nullable): the last line of @debug, which has details; what precedes it tells where in
 * GStreamer's sources it was written. */
static const gchar *
last_line (gchar *debug)
{
  gchar *line;

  if (debug == NULL)
    return NULL;
  g_strchomp (debug);
  line = strrchr (debug, '\n');
  return line != NULL ? line + 1 : NULL;
}

/* Returns (transfer full): where in the video something happened. */
static gchar *
describe_position (GstClockTime position)
{
  return GST_CLOCK_TIME_IS_VALID (position)
      ? g_strdup_printf ("after %.3f s of the video", (gdouble) position / GST_SECOND)
      : g_strdup ("before the first picture");
}

GError *
report_failure_describe (
    ReportFailure *self, GstMessage *message, gboolean has_video, GstClockTime position)
{
  g_autofree gchar *debug = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree gchar *missing = g_strjoinv (", ", (gchar **) self->missing->pdata);
  g_autofree gchar *element = gst_object_get_name (GST_MESSAGE_SRC (message));
  g_autofree gchar *others = NULL, *place = NULL;
  const gchar *detail;

  gst_message_parse_error (message, &error, &debug);
  g_mutex_lock (&self->lock);
  others = g_strjoinv (", ", (gchar **) self->others->pdata);
  g_mutex_unlock (&self->lock);
  if (!has_video && missing[0] != '\0')
    return g_error_new (GST_CORE_ERROR, GST_CORE_ERROR_MISSING_PLUGIN,
        "not installed: %s. Install the plugin of GStreamer that has it", missing);
  if (!has_video && others[0] != '\0')
    return g_error_new (
        GST_STREAM_ERROR, GST_STREAM_ERROR_WRONG_TYPE, "there is no video in it, only %s", others);
  if (error->domain == GST_STREAM_ERROR && error->code == GST_STREAM_ERROR_TYPE_NOT_FOUND)
    return g_error_new (GST_STREAM_ERROR, GST_STREAM_ERROR_TYPE_NOT_FOUND,
        "this is no video that GStreamer knows: the type of its content cannot be determined");
  detail = last_line (debug);
  if (detail == NULL)
    detail = "no details";
  if (error->domain == GST_RESOURCE_ERROR)
    return g_error_new (error->domain, error->code, "%s (%s)", error->message, detail);
  place = describe_position (position);
  return g_error_new (error->domain, error->code,
      "%s failed %s: %s (%s). %sGST_DEBUG=3 in the environment shows more", element, place,
      error->message, detail,
      error->domain == GST_STREAM_ERROR ? "The file may be damaged there. " : "");
}

GError *
report_failure_describe_stall (guint seconds, GstClockTime position)
{
  g_autofree gchar *place = describe_position (position);

  return g_error_new (G_IO_ERROR, G_IO_ERROR_TIMED_OUT,
      "no data for %u s %s; GStreamer does not end some kinds of files, such as GIF. "
      "--timeout sets how long to wait",
      seconds, place);
}
