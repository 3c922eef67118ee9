/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gleshistogram-common.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "gles-test.h"

const gchar *
test_device (void)
{
  const gchar *device = g_getenv ("GLES_TEST_DEVICE");

  return device != NULL ? device : "cpu";
}

gboolean
test_device_is_cpu (void)
{
  return g_str_equal (test_device (), "cpu");
}

gint
test_main (gint *argc, gchar ***argv, Suite *(*suite) (void) )
{
  g_autofree gchar *name = NULL;
  gint failed;

  gst_check_init (argc, argv);
  if (!test_device_is_cpu ()) {
    GstGlesDevice *device = gles_test_gl_device ();

    if (device == NULL)
      return gles_test_no_gl ();
    gst_object_unref (device);
  }
  name = g_path_get_basename ((*argv)[0]);
  failed = gst_check_run_suite (suite (), name, name);
  /* A leak sanitizer checks at exit(), which also ends GStreamer because gst_check_init() registers
   * that. */
  if (failed == 0 && g_getenv ("GLES_TEST_SANITIZE") != NULL)
    return 0;
  /* A failed test leaves its pipeline playing, and gst_deinit() would wait for it. */
  if (failed == 0)
    gst_deinit ();
  /* Streaming threads that end while exit() takes libEGL down crash in its thread destructor (seen
   * with libglvnd 1.6). */
  fflush (stdout);
  _exit (failed != 0);
}

static void (*add_tests_of_run) (TCase *tcase);

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("gleshistogram");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_set_timeout (tcase, 240);
  add_tests_of_run (tcase);
  return suite;
}

gint
test_run (gint argc, gchar **argv, void (*add_tests) (TCase *tcase))
{
  add_tests_of_run = add_tests;
  return test_main (&argc, &argv, make_suite);
}

void
test_no_error (const GError *error)
{
  if (error != NULL)
    fail ("%s (%s, %d)", error->message, g_quark_to_string (error->domain), error->code);
}

/* ---- elements ---- */

GstElement *
test_element_new (const gchar *properties)
{
  g_autofree gchar *line = g_strdup_printf (
      "gleshistogram device=%s emd=true %s", test_device (), properties != NULL ? properties : "");
  g_autoptr (GError) error = NULL;
  GstElement *element = gst_parse_launch (line, &error);

  test_no_error (error);
  return gst_object_ref_sink (element);
}

guint64
test_get_stat (GstElement *element, const gchar *name)
{
  g_autoptr (GstStructure) stats = NULL;
  guint64 value = 0;

  g_object_get (element, "stats", &stats, NULL);
  fail_unless (gst_structure_get_uint64 (stats, name, &value));
  return value;
}

TestStream *
test_stream_new (const gchar *properties, const gchar *caps)
{
  TestStream *stream = g_new0 (TestStream, 1);

  stream->element = test_element_new (properties);
  stream->bus = gst_bus_new ();
  gst_element_set_bus (stream->element, stream->bus);
  stream->harness = gst_harness_new_with_element (stream->element, "sink", "src");
  gst_object_unref (stream->element);
  if (caps != NULL)
    test_stream_set_caps (stream, caps);
  return stream;
}

void
test_stream_set_caps (TestStream *stream, const gchar *caps)
{
  test_info_from_string (&stream->info, caps);
  gst_harness_set_src_caps (stream->harness, gst_video_info_to_caps (&stream->info));
}

void
test_stream_free (TestStream *stream)
{
  g_autoptr (GError) error = test_bus_pop_error (stream->bus);

  test_no_error (error);
  /* messages hold their element, which holds the bus */
  gst_bus_set_flushing (stream->bus, TRUE);
  gst_harness_teardown (stream->harness);
  gst_object_unref (stream->bus);
  g_free (stream);
}

void
test_stream_push_event (TestStream *stream, GstEvent *event)
{
  fail_unless (gst_harness_push_event (stream->harness, event));
}

void
test_stream_flush (TestStream *stream)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  test_stream_push_event (stream, gst_event_new_flush_start ());
  test_stream_push_event (stream, gst_event_new_flush_stop (TRUE));
  test_stream_push_event (stream, gst_event_new_segment (&segment));
}

void
test_stream_restart (TestStream *stream, GstState state)
{
  fail_if (gst_element_set_state (stream->element, state) != GST_STATE_CHANGE_SUCCESS);
  fail_if (gst_element_set_state (stream->element, GST_STATE_PLAYING) != GST_STATE_CHANGE_SUCCESS);
  test_stream_push_event (stream, gst_event_new_stream_start ("restart"));
  gst_harness_set_src_caps (stream->harness, gst_video_info_to_caps (&stream->info));
}

static void
stamp (TestStream *stream, GstBuffer *buffer)
{
  GST_BUFFER_PTS (buffer) = stream->n_pushed++ * TEST_FRAME_DURATION;
  GST_BUFFER_DURATION (buffer) = TEST_FRAME_DURATION;
}

GstBuffer *
test_stream_push (TestStream *stream, GstBuffer *buffer)
{
  g_autoptr (GError) error = NULL;
  GstFlowReturn flow;
  GstBuffer *out;

  stamp (stream, buffer);
  flow = gst_harness_push (stream->harness, buffer);
  if (flow != GST_FLOW_OK)
    error = test_bus_pop_error (stream->bus);
  test_no_error (error);
  fail_unless_equals_int (flow, GST_FLOW_OK);
  out = gst_harness_try_pull (stream->harness);
  fail_unless (out != NULL);
  return out;
}

GstBuffer *
test_stream_push_noise (TestStream *stream, guint32 seed)
{
  return test_stream_push (stream, test_frame_noise (&stream->info, seed));
}

GstGlesHistogramResult *
test_stream_push_for_result (TestStream *stream, GstBuffer *buffer)
{
  g_autoptr (GstBuffer) out = test_stream_push (stream, buffer);

  return gst_gles_histogram_result_from_buffer (out);
}

void
test_stream_check_bad (
    TestStream *stream, GstBuffer *buffer, GQuark domain, gint code, const gchar *word)
{
  g_autoptr (GError) error = NULL, another = NULL;
  GstFlowReturn flow;

  stamp (stream, buffer);
  flow = gst_harness_push (stream->harness, buffer);
  fail_unless (flow == GST_FLOW_ERROR || flow == GST_FLOW_NOT_NEGOTIATED, "%s: %s", word,
      gst_flow_get_name (flow));
  fail_unless (gst_harness_try_pull (stream->harness) == NULL);
  error = test_bus_pop_error (stream->bus);
  fail_unless (error != NULL, "no error of %s", word);
  fail_unless (g_error_matches (error, domain, code) && strstr (error->message, word) != NULL,
      "%s: %s (%s, %d)", word, error->message, g_quark_to_string (error->domain), error->code);
  another = test_bus_pop_error (stream->bus);
  test_no_error (another);
}

GError *
test_bus_pop_error (GstBus *bus)
{
  g_autoptr (GstMessage) message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  GError *error = NULL;

  if (message != NULL)
    gst_message_parse_error (message, &error, NULL);
  return error;
}

void
test_stream_check_warning (TestStream *stream, GQuark domain, const gchar *word, const gchar *what)
{
  GstMessage *message;
  guint n = 0;

  while ((message = gst_bus_pop_filtered (stream->bus, GST_MESSAGE_WARNING)) != NULL) {
    g_autoptr (GError) warning = NULL;

    gst_message_parse_warning (message, &warning, NULL);
    gst_message_unref (message);
    if (strstr (warning->message, "is a software renderer") != NULL)
      continue; /* a node that is no GPU */
    fail_unless (
        word != NULL && strstr (warning->message, word) != NULL, "%s: %s", what, warning->message);
    fail_unless (warning->domain == domain, "%s: %s", what, warning->message);
    n++;
  }
  fail_unless (n == (word != NULL), "%s: %u warnings", what, n);
}

void
test_stream_check_skipped (TestStream *stream, GstBuffer *buffer, const gchar *what)
{
  const guint64 n = test_get_stat (stream->element, "skipped-bad");
  g_autoptr (GstGlesHistogramResult) result = test_stream_push_for_result (stream, buffer);

  fail_unless (result == NULL, "%s", what);
  fail_unless_equals_uint64 (test_get_stat (stream->element, "skipped-bad"), n + 1);
}

void
test_stream_check_refused (
    TestStream *stream, GstBuffer *buffer, GQuark domain, gint code, const gchar *word)
{
  GObject *element = G_OBJECT (stream->element);

  test_stream_check_skipped (stream, gst_buffer_ref (buffer), word);
  test_stream_check_warning (stream, domain, "A frame passes untouched: ", word);
  test_stream_check_skipped (stream, gst_buffer_ref (buffer), word);
  test_stream_check_warning (stream, 0, NULL, word);
  gst_util_set_object_arg (element, "on-bad-frame", "error");
  test_stream_check_bad (stream, buffer, domain, code, word);
  gst_util_set_object_arg (element, "on-bad-frame", "skip");
}

/* ---- frames ---- */

void
test_info_from_string (GstVideoInfo *info, const gchar *string)
{
  GstCaps *caps = gst_caps_from_string (string);

  fail_unless (gst_video_info_from_caps (info, caps), "no video caps: %s", string);
  gst_caps_unref (caps);
}

static void
fill_with_noise (GstBuffer *buffer, guint32 seed)
{
  guint32 state = seed * 2654435761u + 1;
  GstMapInfo map;

  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  for (gsize i = 0; i < map.size; i++) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    map.data[i] = (guint8) (state >> 11);
  }
  gst_buffer_unmap (buffer, &map);
}

GstBuffer *
test_frame_noise (const GstVideoInfo *info, guint32 seed)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, GST_VIDEO_INFO_SIZE (info), NULL);

  fill_with_noise (buffer, seed);
  return buffer;
}

/* Rows of every plane have an odd number of padding bytes; planes begin at odd addresses, as far as
 * their words allow. */
GstBuffer *
test_frame_odd_strides (const GstVideoInfo *info, guint32 seed)
{
  const gint unit = GST_VIDEO_INFO_COMP_DEPTH (info, 0) > 8 ? 4 : 1;
  gsize offset[GST_VIDEO_MAX_PLANES] = { 0 };
  gint stride[GST_VIDEO_MAX_PLANES] = { 0 };
  gsize size = 0;
  GstBuffer *buffer;

  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (info); i++) {
    offset[i] = size + (gsize) unit * (3 + 2 * i);
    stride[i] = GST_VIDEO_INFO_PLANE_STRIDE (info, i) + unit * (5 + 8 * (gint) i);
    size = offset[i] + (gsize) GST_VIDEO_INFO_HEIGHT (info) * (gsize) stride[i];
  }
  buffer = gst_buffer_new_allocate (NULL, size, NULL);
  fill_with_noise (buffer, seed);
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_INFO_FORMAT (info),
      (guint) GST_VIDEO_INFO_WIDTH (info), (guint) GST_VIDEO_INFO_HEIGHT (info),
      GST_VIDEO_INFO_N_PLANES (info), offset, stride);
  return buffer;
}

void
test_frame_crop (GstBuffer *frame, guint x, guint y, guint width, guint height)
{
  GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta (frame);

  *crop = (GstVideoCropMeta){ crop->meta, x, y, width, height };
}

/* ---- settings ---- */

void
test_change_something (GstElement *element, GRand *rand)
{
  static const gchar *const changes[][5] = {
    { "bins", "2", "10", "256", "300" },
    { "channels", "native", "luma", "native", "luma" },
    { "grid-columns", "1", "2", "5", "7" },
    { "grid-rows", "1", "3", "4", "7" },
    { "region", "<>", "<0,23,8,8>", "<39,7,8,8>", "<>" },
    { "interval", "1", "2", "3", "1" },
    { "attach-meta", "true", "true", "true", "false" },
    { "readback", "true", "true", "true", "false" },
    { "post-messages", "true", "false", "true", "false" },
    { "validate", "true", "false", "true", "false" },
    { "profile", "true", "false", "true", "false" },
  };
  const gchar *const *change = changes[g_rand_int_range (rand, 0, G_N_ELEMENTS (changes))];

  gst_util_set_object_arg (
      G_OBJECT (element), change[0], change[g_rand_int_range (rand, 1, G_N_ELEMENTS (*changes))]);
}

TestConfig
test_config_of (GstGlesHistogramResult *result)
{
  const GstGlesHistogramInfo *info = gst_gles_histogram_result_get_info (result);

  return (TestConfig){ .bins = info->bins,
    .luma = info->luma,
    .columns = info->columns,
    .rows = info->rows,
    .x = info->x,
    .y = info->y,
    .width = info->region_width,
    .height = info->region_height };
}
