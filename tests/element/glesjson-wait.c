/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* glesjson while a result is pending, with a fake readback in place of the library's. */
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>

#include "fake-readback.h"
#include "results-samples.h"

#define PENDING -1

/* ---- what ends the wait ---- */

static void
complete (GstHarness *harness, GstGlesReadback *readback)
{
  /* longer than one slice of the wait */
  while (g_atomic_int_get (&readback->n_gets) < 3)
    g_usleep (1000);
  fail_unless (gst_harness_try_pull (harness) == NULL);
  readback_finish (readback, 0);
}

static void
flush (GstHarness *harness, GstGlesReadback *readback)
{
  fail_unless (gst_harness_push_event (harness, gst_event_new_flush_start ()));
}

static void
stop (GstHarness *harness, GstGlesReadback *readback)
{
  fail_unless_equals_int (
      gst_element_set_state (harness->element, GST_STATE_NULL), GST_STATE_CHANGE_SUCCESS);
}

static const struct {
  gint failure; /* a GstGlesError, or PENDING */
  void (*end_wait) (GstHarness *harness, GstGlesReadback *readback);
  GstFlowReturn flow;
  gboolean line, error;
} cases[] = {
  { PENDING, complete, GST_FLOW_OK, TRUE, FALSE },
  { PENDING, flush, GST_FLOW_FLUSHING, FALSE, FALSE },
  { PENDING, stop, GST_FLOW_FLUSHING, FALSE, FALSE },
  /* the analyser discarded the frame: no line, no error, and the stream goes on */
  { GST_GLES_ERROR_CANCELLED, NULL, GST_FLOW_OK, FALSE, FALSE },
  { GST_GLES_ERROR_DEVICE_LOST, NULL, GST_FLOW_ERROR, FALSE, TRUE },
};

typedef struct {
  GstHarness *harness;
  GstBuffer *buffer;
} Push;

static gpointer
push (gpointer data)
{
  Push *input = data;

  return GINT_TO_POINTER (gst_harness_push (input->harness, input->buffer));
}

/* @bus has an error of the lost device if @expected, and no other one. */
static void
check_error (GstBus *bus, gboolean expected)
{
  g_autoptr (GstMessage) message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  g_autoptr (GError) error = NULL;

  fail_unless_equals_int (message != NULL, expected);
  if (message == NULL)
    return;
  gst_message_parse_error (message, &error, NULL);
  g_assert_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_FAILED);
}

/* A thread of its own pushes a buffer and waits for the result. */
GST_START_TEST (test_wait)
{
  const GstGlesHistogramInfo info = sample_info (1, 2, 1, 1);
  GstGlesReadback *readback = g_new0 (GstGlesReadback, 1);
  GstGlesHistogramResult *result;
  Push input = { gst_harness_new ("glesjson"), gst_buffer_new () };
  GstBus *bus = gst_bus_new ();
  GThread *thread;
  GstBuffer *line;

  gst_harness_set_src_caps_str (input.harness, "video/x-raw");
  gst_element_set_bus (input.harness->element, bus);
  readback->refs = 1;
  if (cases[__i__].failure != PENDING)
    readback_finish (readback, cases[__i__].failure);
  result = gst_gles_histogram_result_new_queued (&info, readback, NULL, NULL);
  gst_buffer_add_gles_histogram_meta (input.buffer, result);
  gst_gles_histogram_result_unref (result);
  thread = g_thread_new ("push", push, &input);
  while (g_atomic_int_get (&readback->n_gets) == 0)
    g_usleep (1000);
  if (cases[__i__].end_wait != NULL)
    cases[__i__].end_wait (input.harness, readback);
  fail_unless_equals_int (GPOINTER_TO_INT (g_thread_join (thread)), cases[__i__].flow);
  line = gst_harness_try_pull (input.harness);
  fail_unless_equals_int (line != NULL, cases[__i__].line);
  gst_clear_buffer (&line);
  check_error (bus, cases[__i__].error);
  gst_element_set_bus (input.harness->element, NULL);
  gst_object_unref (bus);
  gst_harness_teardown (input.harness);
  fail_unless_equals_int (readback->refs, 1);
  gst_gles_readback_unref (readback);
}

GST_END_TEST;

static Suite *
glesjson_wait_suite (void)
{
  Suite *suite = suite_create ("glesjson-wait");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_loop_test (tcase, test_wait, 0, G_N_ELEMENTS (cases));
  return suite;
}

GST_CHECK_MAIN (glesjson_wait);
