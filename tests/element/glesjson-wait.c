/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* glesjson while a result is pending. The readback functions in this program replace the library's;
 * they complete, fail or never complete, as each test requires. */
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <gst/gles/gl/readback.h>

#include "glesjson-samples.h"

typedef enum {
  PENDING,
  COMPLETE,
  LOST,
  CANCELLED
} State;

struct _GstGlesReadback {
  gint refs;
  gint state; /* atomic */
  gint asked; /* atomic: how often somebody waited */
  guint32 words[3];
};

GstGlesReadback *
gst_gles_readback_ref (GstGlesReadback *readback)
{
  g_atomic_int_inc (&readback->refs);
  return readback;
}

void
gst_gles_readback_unref (GstGlesReadback *readback)
{
  if (g_atomic_int_dec_and_test (&readback->refs))
    g_free (readback);
}

gboolean
gst_gles_readback_is_ready (GstGlesReadback *readback)
{
  return g_atomic_int_get (&readback->state) != PENDING;
}

gconstpointer
gst_gles_readback_get (
    GstGlesReadback *readback, guint64 timeout_ns, gsize *size_bytes, GError **error)
{
  const gint64 end = g_get_monotonic_time () + (gint64) MIN (timeout_ns / 1000, G_MAXINT32);

  g_atomic_int_inc (&readback->asked);
  while (g_atomic_int_get (&readback->state) == PENDING && g_get_monotonic_time () < end)
    g_usleep (1000);
  switch ((State) g_atomic_int_get (&readback->state)) {
    case COMPLETE:
      *size_bytes = sizeof readback->words;
      return readback->words;
    case LOST:
      g_set_error_literal (error, GST_GLES_ERROR, GST_GLES_ERROR_DEVICE_LOST, "the GPU is gone");
      return NULL;
    case CANCELLED:
      g_set_error_literal (error, GST_GLES_ERROR, GST_GLES_ERROR_CANCELLED, "a flush");
      return NULL;
    case PENDING:
    default:
      g_set_error_literal (error, GST_GLES_ERROR, GST_GLES_ERROR_TIMEOUT, "not yet");
      return NULL;
  }
}

typedef struct {
  GstHarness *harness;
  GstBus *bus;
  GstGlesReadback *readback;
  GThread *thread;
  GstFlowReturn flow;
} Fixture;

static gpointer
push (gpointer data)
{
  Fixture *fixture = data;
  const GstGlesHistogramInfo info = sample_info (1, 2, 1, 1);
  g_autoptr (GstGlesHistogramResult) result =
      gst_gles_histogram_result_new (&info, fixture->readback, NULL);
  GstBuffer *buffer = gst_buffer_new ();

  gst_buffer_add_gles_histogram_meta (buffer, result);
  fixture->flow = gst_harness_push (fixture->harness, buffer);
  return NULL;
}

/* Pushes a buffer in a thread of its own and returns once that thread waits for the result. */
static void
fixture_start (Fixture *fixture, State state)
{
  fixture->harness = gst_harness_new ("glesjson");
  gst_harness_set_src_caps_str (fixture->harness, "video/x-raw");
  fixture->bus = gst_bus_new ();
  gst_element_set_bus (fixture->harness->element, fixture->bus);
  fixture->readback = g_new0 (GstGlesReadback, 1);
  fixture->readback->refs = 1;
  fixture->readback->state = state;
  fixture->thread = g_thread_new ("push", push, fixture);
  while (g_atomic_int_get (&fixture->readback->asked) == 0)
    g_usleep (1000);
}

static void
fixture_join (Fixture *fixture)
{
  g_thread_join (fixture->thread);
}

/* ... and whether an error was posted */
static gboolean
fixture_finish (Fixture *fixture, GQuark domain, gint code)
{
  GstMessage *message = gst_bus_pop_filtered (fixture->bus, GST_MESSAGE_ERROR);
  const gboolean posted = message != NULL;

  if (posted) {
    GError *error = NULL;

    gst_message_parse_error (message, &error, NULL);
    g_assert_error (error, domain, code);
    g_clear_error (&error);
    gst_message_unref (message);
  }
  gst_element_set_bus (fixture->harness->element, NULL);
  gst_object_unref (fixture->bus);
  gst_harness_teardown (fixture->harness);
  fail_unless_equals_int (fixture->readback->refs, 1);
  gst_gles_readback_unref (fixture->readback);
  return posted;
}

GST_START_TEST (test_waits)
{
  Fixture fixture;
  GstBuffer *out;

  fixture_start (&fixture, PENDING);
  /* longer than one slice of the wait */
  while (g_atomic_int_get (&fixture.readback->asked) < 3)
    g_usleep (1000);
  fail_unless (gst_harness_try_pull (fixture.harness) == NULL);
  g_atomic_int_set (&fixture.readback->state, COMPLETE);
  fixture_join (&fixture);
  fail_unless_equals_int (fixture.flow, GST_FLOW_OK);
  out = gst_harness_try_pull (fixture.harness);
  fail_unless (out != NULL);
  gst_buffer_unref (out);
  fail_if (fixture_finish (&fixture, 0, 0));
}

GST_END_TEST;

GST_START_TEST (test_a_flush_ends_the_wait)
{
  Fixture fixture;

  fixture_start (&fixture, PENDING);
  fail_unless (gst_harness_push_event (fixture.harness, gst_event_new_flush_start ()));
  fixture_join (&fixture);
  fail_unless_equals_int (fixture.flow, GST_FLOW_FLUSHING);
  fail_if (fixture_finish (&fixture, 0, 0));
}

GST_END_TEST;

GST_START_TEST (test_stopping_ends_the_wait)
{
  Fixture fixture;

  fixture_start (&fixture, PENDING);
  fail_unless_equals_int (
      gst_element_set_state (fixture.harness->element, GST_STATE_NULL), GST_STATE_CHANGE_SUCCESS);
  fixture_join (&fixture);
  fail_unless_equals_int (fixture.flow, GST_FLOW_FLUSHING);
  fail_if (fixture_finish (&fixture, 0, 0));
}

GST_END_TEST;

/* the analyser discarded the frame: no line, no error, and the stream goes on */
GST_START_TEST (test_cancelled_results_are_skipped)
{
  Fixture fixture;

  fixture_start (&fixture, CANCELLED);
  fixture_join (&fixture);
  fail_unless_equals_int (fixture.flow, GST_FLOW_OK);
  fail_unless (gst_harness_try_pull (fixture.harness) == NULL);
  fail_if (fixture_finish (&fixture, 0, 0));
}

GST_END_TEST;

GST_START_TEST (test_a_lost_device_is_an_error)
{
  Fixture fixture;

  fixture_start (&fixture, LOST);
  fixture_join (&fixture);
  fail_unless_equals_int (fixture.flow, GST_FLOW_ERROR);
  fail_unless (gst_harness_try_pull (fixture.harness) == NULL);
  fail_unless (fixture_finish (&fixture, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_FAILED));
}

GST_END_TEST;

static Suite *
glesjson_wait_suite (void)
{
  Suite *suite = suite_create ("glesjson-wait");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, test_waits);
  tcase_add_test (tcase, test_a_flush_ends_the_wait);
  tcase_add_test (tcase, test_stopping_ends_the_wait);
  tcase_add_test (tcase, test_cancelled_results_are_skipped);
  tcase_add_test (tcase, test_a_lost_device_is_an_error);
  return suite;
}

GST_CHECK_MAIN (glesjson_wait);
