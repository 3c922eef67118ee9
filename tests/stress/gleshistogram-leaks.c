/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Pipelines of all kinds under GStreamer's leaks tracer, which lists what is alive afterwards. */
#include "../element/gleshistogram-common.h"

#define CAPS "video/x-raw,format=I420,width=48,height=32,framerate=25/1"

static GstTracer *leaks;

/* what the tracer returns: it takes each reference for a leaked one and would drop it */
static GPtrArray *never_freed;

/* What is alive now: a set of descriptions, (transfer full). */
static GHashTable *
list_alive (void)
{
  GHashTable *alive = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GstStructure *live = NULL;
  const GValue *list;

  g_signal_emit_by_name (leaks, "get-live-objects", &live);
  list = gst_structure_get_value (live, "live-objects-list");
  for (guint i = 0; i < gst_value_list_get_size (list); i++) {
    const GstStructure *object = gst_value_get_structure (gst_value_list_get_value (list, i));
    const GValue *value = gst_structure_get_value (object, "object");
    g_autofree gchar *description = gst_value_serialize (value);

    g_hash_table_add (alive,
        g_strdup_printf ("%s %p %s", G_VALUE_TYPE_NAME (value), g_value_peek_pointer (value),
            description != NULL ? description : ""));
  }
  if (never_freed == NULL)
    never_freed = g_ptr_array_new ();
  g_ptr_array_add (never_freed, live);
  return alive;
}

/* How many of @after are not in @before; names them. */
static guint
count_new (GHashTable *before, GHashTable *after)
{
  GHashTableIter iter;
  gpointer description;
  guint n = 0;

  g_hash_table_iter_init (&iter, after);
  while (g_hash_table_iter_next (&iter, &description, NULL)) {
    if (!g_hash_table_contains (before, description)) {
      g_printerr ("alive: %s\n", (const gchar *) description);
      n++;
    }
  }
  return n;
}

/* Runs @line to its end, at most for @msecs, and stops it. */
static void
run_line (const gchar *line, guint msecs)
{
  g_autofree gchar *full = g_strdup_printf (line, test_device (), test_device ());
  GstElement *pipeline = gst_parse_launch (full, NULL);
  GstBus *bus;
  GstMessage *message;

  fail_unless (pipeline != NULL);
  bus = gst_element_get_bus (pipeline);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (
      bus, msecs > 0 ? msecs * GST_MSECOND : 100 * GST_SECOND, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  if (message != NULL)
    gst_message_unref (message);
  fail_unless (msecs > 0 || message != NULL);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (bus);
  gst_object_unref (pipeline);
}

static void
run_harness (void)
{
  TestStream *stream = test_stream_new ("post-messages=true validate=true profile=true", CAPS);
  GstContext *context;
  GstGlesDevice *device = NULL;
  GError *error;

  for (guint i = 0; i < 5; i++)
    gst_buffer_unref (test_stream_push_noise (stream, i));
  gst_harness_push_event (stream->harness, gst_event_new_flush_start ());
  gst_harness_push_event (stream->harness, gst_event_new_flush_stop (TRUE));
  context = gst_element_get_context (stream->element, GST_GLES_DEVICE_CONTEXT_TYPE);
  gst_structure_get (
      gst_context_get_structure (context), "device", GST_TYPE_GLES_DEVICE, &device, NULL);
  gst_gles_device_mark_lost (device, "a test says so");
  gst_object_unref (device);
  gst_context_unref (context);
  {
    GstSegment segment;
    gst_segment_init (&segment, GST_FORMAT_TIME);
    gst_harness_push_event (stream->harness, gst_event_new_segment (&segment));
  }
  error = test_stream_push_bad (stream, test_frame_noise (&stream->info, 9));
  g_clear_error (&error);
  test_stream_free (stream);
}

static void
run_all (void)
{
  static const gchar *lines[] = {
    "videotestsrc num-buffers=20 ! " CAPS " ! gleshistogram device=%s ! fakesink",
    "videotestsrc num-buffers=20 ! " CAPS
    " ! gleshistogram device=%s post-messages=true grid-columns=3 ! glesjson ! fakesink",
    "videotestsrc num-buffers=20 ! " CAPS " ! gleshistogram device=%s readback=false ! fakesink",
    "videotestsrc num-buffers=20 ! " CAPS " ! gleshistogram device=%s attach-meta=false "
    "post-messages=true ! fakesink",
    "videotestsrc num-buffers=20 ! " CAPS " ! gleshistogram device=%s bins=16 ! queue ! "
    "gleshistogram device=%s bins=65536 channels=luma ! videoconvert ! jpegenc ! fakesink",
    "videotestsrc num-buffers=5 ! " CAPS
    " ! gleshistogram device=%s region=\"<100,100,5,5>\" ! fakesink",
  };

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    run_line (lines[i], 0);
  run_line ("videotestsrc ! " CAPS
            " ! gleshistogram device=%s post-messages=true ! queue ! fakesink sync=false",
      200);
  /* Stopped with frames that were never pulled. */
  run_line ("videotestsrc num-buffers=20 ! " CAPS
            " ! gleshistogram device=%s ! queue ! appsink sync=false",
      100);
  run_harness ();
}

GST_START_TEST (test_leaks)
{
  GHashTable *before, *after;
  GstCaps *caps;

  /* types, plugins and caches that are made once */
  run_all ();
  before = list_alive ();

  /* this test can fail */
  caps = gst_caps_new_empty_simple ("video/x-planted");
  after = list_alive ();
  fail_unless_equals_int (count_new (before, after), 1);
  gst_caps_unref (caps);
  g_hash_table_unref (after);

  for (guint i = 0; i < 3; i++)
    run_all ();
  after = list_alive ();
  fail_unless_equals_int (count_new (before, after), 0);
  g_hash_table_unref (after);
  g_hash_table_unref (before);
}

GST_END_TEST;

static Suite *
gleshistogram_leaks_suite (void)
{
  Suite *suite = suite_create ("gleshistogram-leaks");
  TCase *tcase = tcase_create ("general");
  GList *tracers = gst_tracing_get_active_tracers ();

  for (GList *l = tracers; l != NULL; l = l->next) {
    if (g_str_equal (G_OBJECT_TYPE_NAME (l->data), "GstLeaksTracer"))
      leaks = l->data;
  }
  g_list_free_full (tracers, gst_object_unref);
  g_assert_nonnull (leaks);
  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, test_leaks);
  return suite;
}

int
main (int argc, char **argv)
{
  g_setenv ("GST_TRACERS", "leaks", TRUE);
  return test_main (&argc, &argv, gleshistogram_leaks_suite);
}
