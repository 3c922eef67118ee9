/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Pipelines and elements that are written as in gst-launch-1.0, on the device under test, which
 * their lines need not name. */
#ifndef LINES_H
#define LINES_H

#include "gleshistogram-common.h"

/* ---- pipelines ---- */

/* Returns the pipeline of @format, of which no element may be missing: (transfer full). */
G_GNUC_PRINTF (1, 2)
static inline GstElement *
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

/* Returns the next message of @types, before which there must be no error: (transfer full). */
static inline GstMessage *
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

/* Returns the type of that message. */
static inline GstMessageType
line_wait (GstElement *pipeline, guint types)
{
  g_autoptr (GstMessage) message = line_next (pipeline, types);

  return GST_MESSAGE_TYPE (message);
}

/* Asserts that no error is left on the bus. */
static inline void
line_free (GstElement *pipeline)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GError) error = test_bus_pop_error (bus);

  test_no_error (error);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
}

static inline void
line_probe (GstElement *pipeline, const gchar *name, const gchar *pad_name,
    GstPadProbeCallback probe, gpointer user_data)
{
  g_autoptr (GstElement) element = gst_bin_get_by_name (GST_BIN (pipeline), name);
  g_autoptr (GstPad) pad = gst_element_get_static_pad (element, pad_name);

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, probe, user_data, NULL);
}

/* ---- elements between two pads ---- */

typedef struct {
  GstHarness *harness;
  GstBus *bus;
  GstVideoInfo info; /* of caps of raw video */
} Stream;

static inline void
stream_set_caps (Stream *stream, const gchar *caps)
{
  if (g_str_has_prefix (caps, "video/x-raw"))
    test_info_from_string (&stream->info, caps);
  gst_harness_set_src_caps_str (stream->harness, caps);
}

static inline void
stream_init (Stream *stream, const gchar *line, const gchar *caps)
{
  stream->harness = gst_harness_new_parse (line);
  stream->bus = gst_bus_new ();
  gst_element_set_bus (stream->harness->element, stream->bus);
  stream_set_caps (stream, caps);
}

/* Asserts that no error is left on the bus. */
static inline void
stream_clear (Stream *stream)
{
  g_autoptr (GError) error = test_bus_pop_error (stream->bus);

  test_no_error (error);
  /* messages hold their element, which holds the bus */
  gst_bus_set_flushing (stream->bus, TRUE);
  gst_harness_teardown (stream->harness);
  gst_object_unref (stream->bus);
}

/* ---- the program ---- */

/* Runs the tests that @add_tests adds. */
static inline gint
lines_main (gint argc, gchar **argv, void (*add_tests) (TCase *tcase))
{
  g_setenv ("GST_GLES_DEVICE", test_device (), TRUE);
  return test_run (argc, argv, add_tests);
}

#endif
