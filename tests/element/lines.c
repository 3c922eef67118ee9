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

Chain *
chain_new (const gchar *caps, const gchar *format, ...)
{
  g_autofree gchar *line = NULL;
  Chain *chain = g_new0 (Chain, 1);
  va_list arguments;

  va_start (arguments, format);
  line = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  chain->harness = gst_harness_new_parse (line);
  chain->bus = gst_bus_new ();
  gst_element_set_bus (chain->harness->element, chain->bus);
  if (caps != NULL)
    chain_set_caps (chain, caps);
  return chain;
}

void
chain_set_caps (Chain *chain, const gchar *string)
{
  GstCaps *caps = gst_caps_from_string (string);

  if (gst_structure_has_name (gst_caps_get_structure (caps, 0), "video/x-raw"))
    gst_video_info_from_caps (&chain->info, caps);
  gst_harness_set_src_caps (chain->harness, caps);
}

void
chain_set_video (Chain *chain, const gchar *format, guint width, guint height)
{
  g_autofree gchar *caps = g_strdup_printf (
      "video/x-raw,format=%s,width=%u,height=%u,framerate=25/1", format, width, height);

  chain_set_caps (chain, caps);
}

void
chain_free (Chain *chain)
{
  g_autoptr (GError) error = test_bus_pop_error (chain->bus);

  test_no_error (error);
  /* messages hold their element, which holds the bus */
  gst_bus_set_flushing (chain->bus, TRUE);
  gst_harness_teardown (chain->harness);
  gst_object_unref (chain->bus);
  g_free (chain);
}

void
chain_set (Chain *chain, const gchar *factory, const gchar *property, const gchar *value)
{
  g_autoptr (GstElement) element = gst_harness_find_element (chain->harness, factory);

  gst_util_set_object_arg (G_OBJECT (element), property, value);
}

guint64
chain_stat (Chain *chain, const gchar *factory, const gchar *name)
{
  g_autoptr (GstElement) element = gst_harness_find_element (chain->harness, factory);

  return test_get_stat (element, name);
}

guint
chain_count (Chain *chain, GstMessageType type)
{
  GstMessage *message;
  guint n = 0;

  for (; (message = gst_bus_pop_filtered (chain->bus, type)) != NULL; n++)
    gst_message_unref (message);
  return n;
}

void
chain_event (Chain *chain, GstEvent *event)
{
  fail_unless (gst_harness_push_event (chain->harness, event));
}

void
chain_flush (Chain *chain)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  chain_event (chain, gst_event_new_flush_start ());
  chain_event (chain, gst_event_new_flush_stop (TRUE));
  chain_event (chain, gst_event_new_segment (&segment));
}

GstFlowReturn
chain_try_push (Chain *chain, GstBuffer *buffer)
{
  GST_BUFFER_PTS (buffer) = chain->n_pushed++ * TEST_FRAME_DURATION;
  GST_BUFFER_DURATION (buffer) = TEST_FRAME_DURATION;
  return gst_harness_push (chain->harness, buffer);
}

GstBuffer *
chain_push (Chain *chain, GstBuffer *buffer)
{
  const GstFlowReturn flow = chain_try_push (chain, buffer);

  if (flow != GST_FLOW_OK) {
    g_autoptr (GError) error = test_bus_pop_error (chain->bus);
    fail ("%s: %s", gst_flow_get_name (flow), error != NULL ? error->message : "no error");
  }
  buffer = gst_harness_try_pull (chain->harness);
  fail_unless (buffer != NULL);
  return buffer;
}

GstBuffer *
chain_push_noise (Chain *chain, guint32 seed)
{
  return chain_push (chain, test_frame_noise (&chain->info, seed));
}

GError *
chain_push_bad (Chain *chain, GstBuffer *buffer, GstFlowReturn flow)
{
  GError *error;

  fail_unless_equals_int (chain_try_push (chain, buffer), flow);
  fail_unless (gst_harness_try_pull (chain->harness) == NULL);
  error = test_bus_pop_error (chain->bus);
  fail_unless (error != NULL);
  fail_unless (test_bus_pop_error (chain->bus) == NULL);
  return error;
}

void
chain_check_refused (
    const gchar *line, const gchar *caps, GQuark domain, gint code, const gchar *text)
{
  g_autoptr (Chain) chain = chain_new (caps, "%s", line);
  g_autoptr (GError) error = chain_push_bad (chain, gst_buffer_new (), GST_FLOW_NOT_NEGOTIATED);

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
