/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* `auto` on a machine with two GPUs, for which software renderers stand (GST_GLES_TEST_GPUS):
 * frames take their stream to the GPU that owns them, and streams of host frames are spread. Which
 * GPU owns what, unit/device-choice.c tests. */
#include "lines.h"

#include <string.h>

#define FIRST "egl:0"
#define SECOND "surfaceless"
#define VIDEO "videotestsrc num-buffers=3 ! video/x-raw,format=I420,width=64,height=48 ! "

/* Whether @element is on the device @id. */
static gboolean
is_on (GstElement *element, const gchar *id)
{
  g_autofree gchar *end = g_strdup_printf ("(%s)", id);
  g_autofree gchar *description = NULL;

  g_object_get (element, "device-description", &description, NULL);
  return description != NULL && g_str_has_suffix (description, end);
}

static void
check_on (TestStream *stream, const gchar *factory, const gchar *id, const gchar *what)
{
  g_autoptr (GstElement) element = gst_harness_find_element (stream->harness, factory);

  fail_unless (is_on (element, id), "%s: %s is not on %s", what, factory, id);
}

/* Returns a frame in memory of GPU @owner, counted from 1; 0: of the host. */
static GstBuffer *
frame_of (TestStream *stream, guint owner)
{
  GstBuffer *frame = test_frame_noise (&stream->info, 7);

  if (owner > 0)
    gst_mini_object_set_qdata (GST_MINI_OBJECT_CAST (gst_buffer_peek_memory (frame, 0)),
        g_quark_from_static_string ("gst-gles-test-owner"), GUINT_TO_POINTER (owner), NULL);
  return frame;
}

/* Pushes such a frame and checks the result, whose number is the frame's. */
static void
push_of (TestStream *stream, guint owner, const gchar *what)
{
  const TestConfig config = { 0 };
  const guint64 number = stream->n_pushed;
  g_autoptr (GstBuffer) out = test_stream_push (stream, frame_of (stream, owner));

  test_check_buffer (out, &stream->info, &config, number, what);
}

/* ---- frames that a GPU owns ---- */

GST_START_TEST (test_stream_follows_its_frames)
{
  g_autoptr (TestStream) stream = line_stream (TEST_CAPS, "gleshistogram device=auto mad=true");

  check_on (stream, "gleshistogram", FIRST, "before the frames are known");
  push_of (stream, 0, "of the host");
  check_on (stream, "gleshistogram", FIRST, "frames of the host");
  push_of (stream, 2, "of the second");
  check_on (stream, "gleshistogram", SECOND, "the second GPU's frames");
  push_of (stream, 2, "again");
  push_of (stream, 0, "of the host again");
  push_of (stream, 3, "of a GPU that is not listed");
  check_on (stream, "gleshistogram", SECOND, "others stay");
  push_of (stream, 1, "of the first");
  check_on (stream, "gleshistogram", FIRST, "the first GPU's frames");
  line_set_caps (stream, "video/x-raw,format=GRAY8,width=70,height=30,framerate=25/1");
  push_of (stream, 2, "new caps");
  check_on (stream, "gleshistogram", SECOND, "new caps");
  /* the same owner after other caps */
  line_set_caps (stream, TEST_CAPS);
  push_of (stream, 2, "old caps");
  check_on (stream, "gleshistogram", SECOND, "old caps");
}

GST_END_TEST;

/* All elements of a chain move, those that read lists on the device too. */
GST_START_TEST (test_chain_follows_its_frames)
{
  static const gchar *const factories[] = { "glescompact", "glesregions", "gleshistogram" };
  g_autoptr (TestStream) stream = line_stream (TEST_CAPS,
      "glescompact device=auto lower=100 readback=false ! glesregions device=auto ! "
      "gleshistogram device=auto");

  for (guint owner = 2; owner > 0; owner--) {
    push_of (stream, owner, "a chain");
    for (guint i = 0; i < G_N_ELEMENTS (factories); i++)
      check_on (stream, factories[i], owner == 1 ? FIRST : SECOND, "a chain");
  }
  /* the lists came from the same device, so that none was uploaded */
  fail_unless_equals_uint64 (line_stat (stream, "glesregions", "bytes-uploaded"), 0);
}

GST_END_TEST;

/* Frames do not move an element whose device is named, or given by the application. */
GST_START_TEST (test_named_device_stays)
{
  const gboolean given = __i__ == 1;
  g_autoptr (GstGlesDevice) device = gst_gles_device_new (FIRST, NULL);
  g_autoptr (GstContext) context = gst_context_new (GST_GLES_DEVICE_CONTEXT_TYPE, TRUE);
  GstElement *element = gst_element_factory_make ("gleshistogram", NULL);
  TestStream stream = { .element = element };

  gst_structure_set (
      gst_context_writable_structure (context), "device", GST_TYPE_GLES_DEVICE, device, NULL);
  if (given)
    gst_element_set_context (element, context);
  g_object_set (element, "device", given ? "auto" : FIRST, NULL);
  stream.bus = gst_bus_new ();
  gst_element_set_bus (element, stream.bus);
  stream.harness = gst_harness_new_with_element (element, "sink", "src");
  line_set_caps (&stream, TEST_CAPS);
  push_of (&stream, 2, "named");
  fail_unless (is_on (element, FIRST));
  gst_element_set_bus (element, NULL);
  gst_harness_teardown (stream.harness);
  gst_object_unref (element);
  gst_object_unref (stream.bus);
}

GST_END_TEST;

/* ---- frames of the host ---- */

static void
check_named (GstElement *pipeline, const gchar *name, const gchar *id)
{
  g_autoptr (GstElement) element = gst_bin_get_by_name (GST_BIN (pipeline), name);

  fail_unless (is_on (element, id), "%s is not on %s", name, id);
}

/* Elements of a stream share a device; streams of a pipeline have one each, again after a stop. */
GST_START_TEST (test_streams_are_spread)
{
  GstElement *pipeline = line_new (VIDEO "gleshistogram device=auto name=a ! queue ! "
                                         "glescompact device=auto name=b ! fakesink " VIDEO
                                         "gleshistogram device=auto name=c ! queue ! "
                                         "glescompact device=auto name=d ! fakesink");

  for (guint round = 0; round < 2; round++) {
    gst_element_set_state (pipeline, GST_STATE_PLAYING);
    line_wait (pipeline, GST_MESSAGE_EOS);
    {
      g_autoptr (GstElement) a = gst_bin_get_by_name (GST_BIN (pipeline), "a");
      const gboolean first = is_on (a, FIRST);

      check_named (pipeline, "b", first ? FIRST : SECOND);
      check_named (pipeline, "a", first ? FIRST : SECOND);
      check_named (pipeline, "c", first ? SECOND : FIRST);
      check_named (pipeline, "d", first ? SECOND : FIRST);
    }
    gst_element_set_state (pipeline, GST_STATE_NULL);
  }
  line_free (pipeline);
}

GST_END_TEST;

/* The device of a GPU is one in all pipelines. A lost one is opened again. */
GST_START_TEST (test_one_device_for_a_gpu)
{
  GstElement *elements[3];

  for (guint i = 0; i < 3; i++) {
    elements[i] = gst_object_ref_sink (gst_element_factory_make ("gleshistogram", NULL));
    g_object_set (elements[i], "device", "auto", NULL);
    fail_unless_equals_int (
        gst_element_set_state (elements[i], GST_STATE_READY), GST_STATE_CHANGE_SUCCESS);
    fail_unless (is_on (elements[i], i % 2 == 0 ? FIRST : SECOND));
  }
  {
    g_autoptr (GstQuery) query = gst_query_new_context (GST_GLES_DEVICE_CONTEXT_TYPE);
    g_autoptr (GstPad) pad = gst_element_get_static_pad (elements[0], "sink");
    g_autoptr (GstGlesDevice) device = NULL;
    GstContext *context = NULL;

    fail_unless (gst_pad_query (pad, query));
    gst_query_parse_context (query, &context);
    gst_structure_get (
        gst_context_get_structure (context), "device", GST_TYPE_GLES_DEVICE, &device, NULL);
    gst_gles_device_mark_lost (device, "a test says so");
  }
  /* it shared the lost device, and gets a new one on the same GPU */
  gst_element_set_state (elements[2], GST_STATE_NULL);
  fail_unless_equals_int (
      gst_element_set_state (elements[2], GST_STATE_READY), GST_STATE_CHANGE_SUCCESS);
  fail_unless (is_on (elements[2], FIRST));
  for (guint i = 0; i < 3; i++) {
    gst_element_set_state (elements[i], GST_STATE_NULL);
    gst_object_unref (elements[i]);
  }
}

GST_END_TEST;

/* The driver says that others work on the first GPU. */
GST_START_TEST (test_load)
{
  g_autoptr (TestStream) stream = line_stream (TEST_CAPS, "gleshistogram device=auto");

  push_of (stream, 0, "of the host");
  check_on (stream, "gleshistogram", SECOND, "the first GPU is busy");
}

GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  if (strchr (g_getenv ("GST_GLES_TEST_GPUS"), '=') != NULL) {
    tcase_add_test (tcase, test_load);
    return;
  }
  tcase_add_test (tcase, test_stream_follows_its_frames);
  tcase_add_test (tcase, test_chain_follows_its_frames);
  tcase_add_loop_test (tcase, test_named_device_stays, 0, 2);
  tcase_add_test (tcase, test_streams_are_spread);
  tcase_add_test (tcase, test_one_device_for_a_gpu);
}

TEST_MAIN (add_tests)
