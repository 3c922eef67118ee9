/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "lines.h"

#include <string.h>

/* ---- pipelines ---- */

GstElement *
line_new (const gchar *format, ...)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *line = NULL;
  GstElement *pipeline;
  va_list arguments;

  va_start (arguments, format);
  line = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  pipeline = gst_parse_launch_full (line, NULL, GST_PARSE_FLAG_FATAL_ERRORS, &error);
  test_no_error (error);
  return gst_object_ref_sink (pipeline);
}

GstMessage *
line_next (GstElement *pipeline, guint types)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  GstMessage *message = gst_bus_timed_pop_filtered (
      bus, 60 * GST_SECOND, (GstMessageType) (types | GST_MESSAGE_ERROR));
  g_autoptr (GError) error = NULL;

  fail_unless (message != NULL, "no message in 60 s");
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR && !(types & GST_MESSAGE_ERROR))
    gst_message_parse_error (message, &error, NULL);
  test_no_error (error);
  return message;
}

GstMessageType
line_wait (GstElement *pipeline, guint types)
{
  g_autoptr (GstMessage) message = line_next (pipeline, types);

  return GST_MESSAGE_TYPE (message);
}

void
line_free (GstElement *pipeline)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GError) error = test_bus_pop_error (bus);

  test_no_error (error);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
}

void
line_probe (GstElement *pipeline, const gchar *name, const gchar *pad_name,
    GstPadProbeCallback probe, gpointer user_data)
{
  g_autoptr (GstElement) element = gst_bin_get_by_name (GST_BIN (pipeline), name);
  g_autoptr (GstPad) pad = gst_element_get_static_pad (element, pad_name);

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, probe, user_data, NULL);
}

/* ---- elements between two pads ---- */

TestStream *
line_stream (const gchar *caps, const gchar *format, ...)
{
  g_autofree gchar *line = NULL;
  TestStream *stream = g_new0 (TestStream, 1);
  va_list arguments;

  va_start (arguments, format);
  line = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  stream->harness = gst_harness_new_parse (line);
  stream->element = stream->harness->element;
  stream->bus = gst_bus_new ();
  gst_element_set_bus (stream->harness->element, stream->bus);
  if (caps != NULL)
    line_set_caps (stream, caps);
  return stream;
}

void
line_set_caps (TestStream *stream, const gchar *string)
{
  GstCaps *caps = gst_caps_from_string (string);

  if (gst_structure_has_name (gst_caps_get_structure (caps, 0), "video/x-raw"))
    gst_video_info_from_caps (&stream->info, caps);
  gst_harness_set_src_caps (stream->harness, caps);
}

void
line_set_video (TestStream *stream, const gchar *format, guint width, guint height)
{
  g_autofree gchar *caps = g_strdup_printf (
      "video/x-raw,format=%s,width=%u,height=%u,framerate=25/1", format, width, height);

  line_set_caps (stream, caps);
}

void
line_set (TestStream *stream, const gchar *factory, const gchar *property, const gchar *value)
{
  g_autoptr (GstElement) element = gst_harness_find_element (stream->harness, factory);

  gst_util_set_object_arg (G_OBJECT (element), property, value);
}

guint64
line_stat (TestStream *stream, const gchar *factory, const gchar *name)
{
  g_autoptr (GstElement) element = gst_harness_find_element (stream->harness, factory);

  return test_get_stat (element, name);
}

guint
line_count (TestStream *stream, GstMessageType type)
{
  GstMessage *message;
  guint n = 0;

  for (; (message = gst_bus_pop_filtered (stream->bus, type)) != NULL; n++)
    gst_message_unref (message);
  return n;
}

GPtrArray *
line_take_posted (TestStream *stream)
{
  GPtrArray *posted = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_structure_free);
  GstMessage *message;

  while ((message = gst_bus_pop_filtered (stream->bus, GST_MESSAGE_ELEMENT)) != NULL) {
    g_ptr_array_add (posted, gst_structure_copy (gst_message_get_structure (message)));
    gst_message_unref (message);
  }
  return posted;
}

static void
add_listed (GPtrArray *pushed, const GstStructure *structure)
{
  const GValue *list = gst_structure_get_value (structure, "events");

  for (guint i = 0; i < gst_value_list_get_size (list); i++)
    g_ptr_array_add (
        pushed, gst_structure_copy (gst_value_get_structure (gst_value_list_get_value (list, i))));
}

GPtrArray *
line_take_pushed (TestStream *stream)
{
  GPtrArray *pushed = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_structure_free);
  GstBuffer *buffer;
  GstEvent *event;

  while ((buffer = gst_harness_try_pull (stream->harness)) != NULL) {
    GstCustomMeta *meta = gst_meta_get_info ("glesevents") != NULL
        ? gst_buffer_get_custom_meta (buffer, "glesevents")
        : NULL;

    if (meta != NULL)
      add_listed (pushed, gst_custom_meta_get_structure (meta));
    gst_buffer_unref (buffer);
  }
  while ((event = gst_harness_try_pull_event (stream->harness)) != NULL) {
    if (gst_event_has_name (event, "glesevents"))
      add_listed (pushed, gst_event_get_structure (event));
    gst_event_unref (event);
  }
  return pushed;
}

GstFlowReturn
line_try_push (TestStream *stream, GstBuffer *buffer)
{
  GST_BUFFER_PTS (buffer) = stream->n_pushed++ * TEST_FRAME_DURATION;
  GST_BUFFER_DURATION (buffer) = TEST_FRAME_DURATION;
  return gst_harness_push (stream->harness, buffer);
}

GError *
line_push_bad (TestStream *stream, GstBuffer *buffer, GstFlowReturn flow)
{
  GError *error;

  fail_unless_equals_int (line_try_push (stream, buffer), flow);
  fail_unless (gst_harness_try_pull (stream->harness) == NULL);
  error = test_bus_pop_error (stream->bus);
  fail_unless (error != NULL);
  fail_unless (test_bus_pop_error (stream->bus) == NULL);
  return error;
}

void
line_check_refused (
    const gchar *line, const gchar *caps, GQuark domain, gint code, const gchar *text)
{
  g_autoptr (TestStream) stream = line_stream (caps, "%s", line);
  g_autoptr (GError) error = line_push_bad (stream, gst_buffer_new (), GST_FLOW_NOT_NEGOTIATED);

  fail_unless (g_error_matches (error, domain, code) && strstr (error->message, text) != NULL,
      "%s: %s", line, error->message);
}

/* ---- the program ---- */

gint
lines_main (gint argc, gchar **argv, void (*add_tests) (TCase *tcase))
{
  g_setenv ("GST_GLES_DEVICE", test_device (), TRUE);
  return test_run (argc, argv, add_tests);
}
