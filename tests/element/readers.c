/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which results come to the host: those that elements downstream read, ahead; the others when an
 * application reads them, and ahead once it has done so twice. */
#include "lines.h"

#include <string.h>

#include <gst/gles/gles.h>

#include "results-words.h"

#define SMALL "video/x-raw,format=I420,width=64,height=48,framerate=25/1"
#define MOTION "glescompact predicate=motion reference=background"

/* Pushes @n frames of noise, of which nobody reads a result, and waits for the device. */
static void
push_unread (TestStream *stream, guint n)
{
  for (guint i = 0; i < n; i++) {
    GstBuffer *out;

    fail_unless_equals_int (
        line_try_push (stream, test_frame_noise (&stream->info, i)), GST_FLOW_OK);
    if ((out = gst_harness_try_pull (stream->harness)) != NULL)
      gst_buffer_unref (out);
  }
  test_stream_push_event (stream, gst_event_new_eos ());
}

/* ---- elements that read ---- */

/* The default chain reads back what the chain does of a user who knows who reads what. */
GST_START_TEST (test_default_chain_costs_what_the_tuned_one_does)
{
  static const gchar *const elements[] = { "gleshistogram", "glescompact", "glesregions" };
  g_autoptr (TestStream) plain = line_stream (
      SMALL, "gleshistogram mad=true ! " MOTION " ! glesregions ! glestrack ! glesevents");
  g_autoptr (TestStream) tuned = line_stream (SMALL,
      "gleshistogram mad=true ! " MOTION " readback=false ! glesregions ! glestrack ! glesevents");

  push_unread (plain, 6);
  push_unread (tuned, 6);
  for (guint i = 0; i < G_N_ELEMENTS (elements); i++) {
    fail_unless_equals_uint64 (line_stat (plain, elements[i], "late-reads"), 0);
    /* native code writes to memory of the host */
    if (!test_device_is_cpu () || i != 1)
      fail_unless_equals_uint64 (line_stat (plain, elements[i], "bytes-read-back"),
          line_stat (tuned, elements[i], "bytes-read-back"));
    fail_unless (i == 1 || line_stat (plain, elements[i], "bytes-read-back") > 0);
  }
}

GST_END_TEST;

GST_START_TEST (test_what_elements_read_is_read_ahead)
{
  static const struct {
    const gchar *line, *element;
    gboolean ahead;
  } cases[] = {
    { "gleshistogram", "gleshistogram", FALSE },
    { "gleshistogram readback=true", "gleshistogram", TRUE },
    { "gleshistogram post-messages=true", "gleshistogram", TRUE },
    { "gleshistogram custom-meta=true", "gleshistogram", TRUE },
    { "gleshistogram validate=true", "gleshistogram", TRUE },
    { "gleshistogram ! glesjson", "gleshistogram", TRUE },
    { "gleshistogram ! videoconvert ! queue ! glesjson ! queue", "gleshistogram", TRUE },
    { "gleshistogram ! glesjson frames=false", "gleshistogram", FALSE },
    { "gleshistogram mad=true ! glesevents", "gleshistogram", TRUE },
    { "gleshistogram ! glescompact ! glesregions ! glestrack", "gleshistogram", FALSE },
    { "glescompact ! glesregions", "glescompact", FALSE },
    { "glescompact ! glesregions", "glesregions", TRUE },
    { "glescompact ! glesregions roi=false", "glesregions", FALSE },
    { "glescompact ! glesregions roi=false ! glestrack", "glesregions", TRUE },
    { "glescompact ! glesregions roi=false ! glestrack regions=false", "glesregions", FALSE },
    { "glescompact ! glesregions mask=\"0,0 1,0 1,1\"", "glescompact", TRUE },
    { "glescompact ! glesregions device=cpu", "glescompact", TRUE },
    { "glescompact ! glestiles", "glescompact", FALSE },
    { "glescompact ! glestiles", "glestiles", FALSE },
    { "glescompact ! glestiles ! glesjson", "glestiles", TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (TestStream) stream = line_stream (SMALL, "%s", cases[i].line);
    gboolean came;

    push_unread (stream, 5);
    came = line_stat (stream, cases[i].element, "bytes-read-back") > 0;
    fail_unless (came == (cases[i].ahead || test_device_is_cpu ()), "%s: %s", cases[i].line,
        came ? "came" : "did not come");
    fail_unless_equals_uint64 (line_stat (stream, cases[i].element, "late-reads"), 0);
  }
}

GST_END_TEST;

static guint64
named_stat (GstElement *pipeline, const gchar *element, const gchar *stat)
{
  g_autoptr (GstElement) found = gst_bin_get_by_name (GST_BIN (pipeline), element);

  return test_get_stat (found, stat);
}

/* A tee asks all of its branches, whatever the first one says. */
GST_START_TEST (test_branches_are_asked)
{
  static const gchar *const branches[] = { "glesjson", "gleshistogram bins=16" };

  for (guint turn = 0; turn < 2; turn++) {
    GstElement *pipeline =
        line_new ("videotestsrc num-buffers=5 ! " SMALL " ! gleshistogram name=asks ! tee name=t "
                  "t. ! queue ! %s ! fakesink t. ! queue ! %s ! fakesink",
            branches[turn], branches[1 - turn]);

    gst_element_set_state (pipeline, GST_STATE_PLAYING);
    fail_unless_equals_int (line_wait (pipeline, GST_MESSAGE_EOS), GST_MESSAGE_EOS);
    fail_unless (named_stat (pipeline, "asks", "bytes-read-back") > 0);
    fail_unless_equals_uint64 (named_stat (pipeline, "asks", "late-reads"), 0);
    line_free (pipeline);
  }
}

GST_END_TEST;

/* An element that is linked while frames pass: they are asked for anew. */
GST_START_TEST (test_new_readers_are_asked)
{
  g_autoptr (TestStream) stream = line_stream (SMALL, "gleshistogram ! tee name=t t. ! identity");
  g_autoptr (GstElement) tee = gst_harness_find_element (stream->harness, "tee");
  GstElement *bin = stream->harness->element;
  GstElement *json = gst_element_factory_make ("glesjson", NULL);
  GstElement *sink = gst_element_factory_make ("fakesink", NULL);

  gst_buffer_unref (test_stream_push_noise (stream, 1));
  g_object_set (sink, "async", FALSE, NULL);
  gst_bin_add_many (GST_BIN (bin), json, sink, NULL);
  gst_element_sync_state_with_parent (sink);
  gst_element_sync_state_with_parent (json);
  fail_unless (gst_element_link_many (tee, json, sink, NULL));
  for (guint i = 0; i < 4; i++)
    gst_buffer_unref (test_stream_push_noise (stream, i));
  test_stream_push_event (stream, gst_event_new_eos ());
  fail_unless (line_stat (stream, "gleshistogram", "bytes-read-back") > 0);
  fail_unless_equals_uint64 (line_stat (stream, "gleshistogram", "late-reads"), 0);
}

GST_END_TEST;

/* ---- applications that read ---- */

static const struct {
  const gchar *line, *element;
  gpointer (*get) (GstBuffer *buffer);
} kinds[] = {
#define GET(kind) (gpointer (*) (GstBuffer *)) gst_gles_##kind##_result_from_buffer
  { "gleshistogram grid-columns=2", "gleshistogram", GET (histogram) },
  { "glescompact lower=100", "glescompact", GET (points) },
  { "glescompact lower=250 ! glestiles", "glestiles", GET (tiles) },
  { "glescompact lower=250 ! glesregions roi=false merge-distance=4", "glesregions",
      GET (regions) },
};

/* The words of @result (transfer full): (transfer full). */
static GBytes *
read_words (gpointer result)
{
  GArray *words = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GError) error = NULL;
  GBytes *bytes = NULL;
  gsize size;

  if (GST_MINI_OBJECT_TYPE (result) == GST_TYPE_GLES_REGIONS_RESULT)
    bytes = gst_gles_regions_result_get_bytes (result, &error);
  else
    results_words (result, 60 * GST_SECOND, words, &error);
  test_no_error (error);
  gst_mini_object_unref (result);
  if (bytes != NULL) {
    g_array_unref (words);
    return bytes;
  }
  size = words->len * sizeof (guint32);
  return g_bytes_new_take (g_array_free (words, FALSE), size);
}

/* Results that were read late, also long after and on another way, have the words of those that
 * were read ahead. */
GST_START_TEST (test_late_words_are_the_same)
{
  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++) {
    g_autoptr (TestStream) late = line_stream (SMALL, "%s", kinds[k].line);
    g_autoptr (TestStream) ahead = line_stream (SMALL, "%s readback=true", kinds[k].line);
    g_autoptr (GPtrArray) kept = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_buffer_unref);

    /* more than may stay on the device */
    for (guint i = 0; i < 8; i++)
      g_ptr_array_add (kept, test_stream_push_noise (late, i));
    for (guint i = 0; i < 8; i++) {
      g_autoptr (GstBuffer) out = test_stream_push_noise (ahead, i);
      g_autoptr (GBytes) expected = read_words (kinds[k].get (out));
      g_autoptr (GBytes) words = read_words (kinds[k].get (kept->pdata[i]));

      fail_unless (g_bytes_get_size (words) > 0 && g_bytes_equal (words, expected), "%s, frame %u",
          kinds[k].line, i);
    }
    test_stream_push_event (late, gst_event_new_eos ());
    fail_unless_equals_uint64 (
        line_stat (late, kinds[k].element, "late-reads"), test_device_is_cpu () ? 0 : 8);
  }
}

GST_END_TEST;

/* Pushes a frame and returns the bytes that the element brought to the host until it was done. */
static guint64
push_and_count (TestStream *stream, guint k, gboolean read)
{
  const guint64 before = line_stat (stream, kinds[k].element, "bytes-read-back");
  g_autoptr (GstBuffer) out = test_stream_push_noise (stream, 7);

  if (read)
    g_bytes_unref (read_words (kinds[k].get (out)));
  test_stream_flush (stream); /* waits for the device */
  return line_stat (stream, kinds[k].element, "bytes-read-back") - before;
}

GST_START_TEST (test_two_late_reads_make_it_read_ahead)
{
  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++) {
    g_autoptr (TestStream) stream = line_stream (SMALL, "%s", kinds[k].line);
    guint64 bytes;

    if (test_device_is_cpu ())
      continue;
    fail_unless_equals_uint64 (push_and_count (stream, k, FALSE), 0);
    bytes = push_and_count (stream, k, TRUE);
    fail_unless (bytes > 0, "%s", kinds[k].line);
    fail_unless_equals_uint64 (push_and_count (stream, k, FALSE), 0);
    fail_unless_equals_uint64 (push_and_count (stream, k, TRUE), bytes);
    fail_unless_equals_uint64 (push_and_count (stream, k, FALSE), bytes);
    fail_unless_equals_uint64 (push_and_count (stream, k, TRUE), bytes);
    fail_unless_equals_uint64 (line_stat (stream, kinds[k].element, "late-reads"), 2);
    /* another stream begins anew */
    test_stream_restart (stream, GST_STATE_READY);
    fail_unless_equals_uint64 (push_and_count (stream, k, FALSE), 0);
  }
}

GST_END_TEST;

/* Who asks again and again whether a result is there has it in the end. */
GST_START_TEST (test_results_become_ready)
{
  g_autoptr (TestStream) stream = line_stream (SMALL, "gleshistogram");
  g_autoptr (GstGlesHistogramResult) result =
      test_stream_push_for_result (stream, test_frame_noise (&stream->info, 1));
  const gint64 end = g_get_monotonic_time () + 60 * G_TIME_SPAN_SECOND;

  while (!gst_gles_histogram_result_is_ready (result)) {
    fail_unless (g_get_monotonic_time () < end);
    g_usleep (1000);
  }
  fail_unless (gst_gles_histogram_result_wait (result, 0, NULL));
}

GST_END_TEST;

/* Results that are kept leave the device, and nobody has read them. */
GST_START_TEST (test_kept_lists_leave_the_device)
{
  g_autoptr (TestStream) stream = line_stream (SMALL, "glescompact lower=100");
  g_autoptr (GPtrArray) kept = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_buffer_unref);

  for (guint i = 0; i < 8; i++)
    g_ptr_array_add (kept, test_stream_push_noise (stream, i));
  for (guint i = 0; i < 8; i++) {
    g_autoptr (GstGlesPointsResult) result = gst_gles_points_result_from_buffer (kept->pdata[i]);
    g_autoptr (GstGlesBuffer) buffer = gst_gles_points_result_get_device_buffer (result);

    fail_unless_equals_int (buffer != NULL, i >= 4);
  }
  test_stream_push_event (stream, gst_event_new_eos ());
  fail_unless (line_stat (stream, "glescompact", "bytes-read-back") > 0);
  fail_unless_equals_uint64 (line_stat (stream, "glescompact", "late-reads"), 0);
}

GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_test (tcase, test_default_chain_costs_what_the_tuned_one_does);
  tcase_add_test (tcase, test_what_elements_read_is_read_ahead);
  tcase_add_test (tcase, test_branches_are_asked);
  tcase_add_test (tcase, test_new_readers_are_asked);
  tcase_add_test (tcase, test_late_words_are_the_same);
  tcase_add_test (tcase, test_two_late_reads_make_it_read_ahead);
  tcase_add_test (tcase, test_results_become_ready);
  tcase_add_test (tcase, test_kept_lists_leave_the_device);
}

LINES_MAIN (add_tests)
