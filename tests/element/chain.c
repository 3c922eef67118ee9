/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "chain.h"

#include <string.h>

Chain *
chain_new (const gchar *line, const gchar *caps)
{
  g_auto (GStrv) parts = g_strsplit (line, "%s", -1);
  g_autofree gchar *full = g_strjoinv (test_device (), parts);
  Chain *chain = g_new0 (Chain, 1);

  chain->harness = gst_harness_new_parse (full);
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

void
chain_flush (Chain *chain)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  fail_unless (gst_harness_push_event (chain->harness, gst_event_new_flush_start ()));
  fail_unless (gst_harness_push_event (chain->harness, gst_event_new_flush_stop (TRUE)));
  fail_unless (gst_harness_push_event (chain->harness, gst_event_new_segment (&segment)));
}

static GstFlowReturn
push (Chain *chain, GstBuffer *buffer)
{
  GST_BUFFER_PTS (buffer) = chain->n_pushed++ * TEST_FRAME_DURATION;
  GST_BUFFER_DURATION (buffer) = TEST_FRAME_DURATION;
  return gst_harness_push (chain->harness, buffer);
}

GstBuffer *
chain_push (Chain *chain, GstBuffer *buffer)
{
  const GstFlowReturn flow = push (chain, buffer);

  if (flow != GST_FLOW_OK) {
    g_autoptr (GError) error = test_bus_pop_error (chain->bus);
    fail ("%s: %s", gst_flow_get_name (flow), error != NULL ? error->message : "no error");
  }
  buffer = gst_harness_pull (chain->harness);
  fail_unless (buffer != NULL);
  return buffer;
}

GError *
chain_push_bad (Chain *chain, GstBuffer *buffer, GstFlowReturn flow)
{
  GError *error;

  fail_unless_equals_int (push (chain, buffer), flow);
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
  g_autoptr (Chain) chain = chain_new (line, caps);
  g_autoptr (GError) error = chain_push_bad (chain, gst_buffer_new (), GST_FLOW_NOT_NEGOTIATED);

  fail_unless (g_error_matches (error, domain, code) && strstr (error->message, text) != NULL,
      "%s: %s", line, error->message);
}

static void (*add_to) (TCase *tcase);

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("chain");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_set_timeout (tcase, 300);
  add_to (tcase);
  return suite;
}

gint
chain_main (gint argc, gchar **argv, void (*add_tests) (TCase *tcase))
{
  add_to = add_tests;
  return test_main (&argc, &argv, make_suite);
}
