/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* glescompact in pipelines: which elements keep its metas, what is read back, the memory of queued
 * results, summaries for language bindings, messages, validation, several elements at a time. */
#include "gleshistogram-common.h"

#include <string.h>
#include <unistd.h>

#include <gst/gles/meta/points.h>

/* Runs @format, where %s is the device, to its end; the element "sink" is a fakesink whose buffers
 * go to @func. */
static void
run (const gchar *format, GCallback func, gpointer data,
    void (*at_end) (GstElement *pipeline, gpointer data))
{
  g_autofree gchar *line = g_strdup_printf (format, test_device ());
  g_autoptr (GError) error = NULL;
  GstElement *pipeline = gst_parse_launch (line, &error);
  GstElement *sink;
  GstMessage *message;
  GstBus *bus;

  test_no_error (error);
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  g_object_set (sink, "signal-handoffs", TRUE, "sync", FALSE, NULL);
  g_signal_connect_swapped (sink, "handoff", func, data);
  bus = gst_element_get_bus (pipeline);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, 120 * GST_SECOND, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  fail_unless (message != NULL, "%s: no end", line);
  fail_unless (GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS, "%s: an error", line);
  gst_message_unref (message);
  if (at_end != NULL)
    at_end (pipeline, data);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (bus);
  gst_object_unref (sink);
  gst_object_unref (pipeline);
}

/* As GObject calls it with swapped arguments. */
#define HANDLER(name) static void name (gpointer data, GstBuffer *buffer)
#define RUN(line, handler, data, at_end) run (line, G_CALLBACK (handler), data, at_end)

HANDLER (count_metas)
{
  guint *n = data;

  *n += gst_buffer_get_n_meta (buffer, GST_GLES_POINTS_META_API_TYPE);
}

#define SOURCE "videotestsrc num-buffers=2 ! video/x-raw,format=I420,width=64,height=48 ! "

GST_START_TEST (test_metas_survive_or_drop)
{
  static const struct {
    const gchar *line;
    guint n; /* metas of two frames */
  } ways[] = {
    { SOURCE "glescompact device=%s ! fakesink name=sink", 2 },
    { SOURCE "glescompact device=%s ! identity ! fakesink name=sink", 2 },
    { SOURCE "glescompact device=%s ! videoscale ! video/x-raw,width=32,height=24 ! "
             "fakesink name=sink",
        2 },
    { SOURCE "glescompact device=%s ! videocrop left=8 ! fakesink name=sink", 0 },
    { SOURCE "glescompact device=%s attach-meta=false post-messages=true ! fakesink name=sink", 0 },
    { SOURCE "glescompact device=%s interval=2 ! fakesink name=sink", 1 },
    { SOURCE "glescompact device=%s ! glescompact device=cpu ! fakesink name=sink", 4 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (ways); i++) {
    guint n = 0;

    RUN (ways[i].line, count_metas, &n, NULL);
    fail_unless (n == ways[i].n, "%s: %u metas, not %u", ways[i].line, n, ways[i].n);
  }
}

GST_END_TEST;

HANDLER (expect_size)
{
  g_autoptr (GstGlesPointsResult) result = gst_gles_points_result_from_buffer (buffer);
  guint width, height;

  gst_gles_points_result_get_size (result, &width, &height);
  fail_unless (width == 64 && height == 48);
  (*(guint *) data)++;
}

GST_START_TEST (test_scaled_pictures_tell_the_analysed_size)
{
  guint n = 0;

  RUN (SOURCE "glescompact device=%s ! videoscale ! video/x-raw,width=32,height=24 ! "
              "fakesink name=sink",
      expect_size, &n, NULL);
  fail_unless_equals_int (n, 2);
}

GST_END_TEST;

/* ---- what stays on the device ---- */

HANDLER (expect_device_buffers)
{
  g_autoptr (GstGlesPointsResult) result = gst_gles_points_result_from_buffer (buffer);
  g_autoptr (GstGlesBuffer) points = gst_gles_points_result_get_device_buffer (result);
  g_autoptr (GstGlesBuffer) counts = gst_gles_points_result_get_device_counts (result);
  g_autoptr (GstGlesDevice) device = gst_gles_points_result_get_device (result);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  guint64 total;

  fail_unless (points != NULL && counts != NULL && device != NULL);
  fail_if (gst_gles_points_result_is_ready (result));
  fail_if (gst_gles_points_result_wait (result, G_MAXUINT64, &error));
  fail_unless (g_error_matches (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID));
  bytes = gst_gles_buffer_download_bytes (counts, gst_gles_device_get_queue (device), 0, 16, NULL);
  total = GST_READ_UINT64_LE (g_bytes_get_data (bytes, NULL));
  fail_unless_equals_uint64 (total, 64 * 48);
  (*(guint *) data)++;
}

static void
expect_nothing_read_back (GstElement *pipeline, gpointer data)
{
  GstElement *element = gst_bin_get_by_name (GST_BIN (pipeline), "compact");
  GstStructure *stats;
  guint64 bytes = 1;

  g_object_get (element, "stats", &stats, NULL);
  fail_unless (
      gst_structure_get_uint64 (stats, "bytes-read-back", &bytes), "%" GST_PTR_FORMAT, stats);
  fail_unless_equals_uint64 (bytes, 0);
  gst_structure_free (stats);
  gst_object_unref (element);
}

GST_START_TEST (test_without_readback_points_stay_on_the_device)
{
  guint n = 0;

  RUN (SOURCE "glescompact name=compact device=%s readback=false lower=0 ! fakesink name=sink",
      expect_device_buffers, &n, expect_nothing_read_back);
  fail_unless_equals_int (n, 2);
}

GST_END_TEST;

/* ---- memory ---- */

static gsize
resident_bytes (void)
{
  g_autofree gchar *text = NULL;
  guint64 pages = 0;

  fail_unless (g_file_get_contents ("/proc/self/statm", &text, NULL, NULL));
  pages = g_ascii_strtoull (strchr (text, ' '), NULL, 10);
  return pages * (gsize) sysconf (_SC_PAGESIZE);
}

HANDLER (keep_buffer)
{
  g_ptr_array_add (data, gst_buffer_ref (buffer));
}

/* The growth allowed for slots and buffers that only the second run has. */
#define ROOM_BYTES ((gsize) 256 << 20)
/* Sanitizers keep freed memory and multiply memory use. */
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define MEMORY_TELLS FALSE
#else
#define MEMORY_TELLS TRUE
#endif

#define QUEUED(n)                                                                                  \
  "videotestsrc num-buffers=" #n " pattern=ball ! "                                                \
  "video/x-raw,format=GRAY8,width=1280,height=720 ! glescompact device=%s max-points=8000000 ! "   \
  "fakesink name=sink"

/* 200 queued buffers of pictures in which few pixels pass. A result would hold 7 MiB if it had the
 * size of the largest possible list, and 61 MiB with the size that `max-points` allows. */
GST_START_TEST (test_queued_results_hold_what_passed)
{
  g_autoptr (GPtrArray) queued = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_buffer_unref);
  gsize before, after, bound = ROOM_BYTES;

  RUN (QUEUED (8), keep_buffer, queued, NULL);
  g_ptr_array_set_size (queued, 0);
  before = resident_bytes ();
  RUN (QUEUED (200), keep_buffer, queued, NULL);
  after = resident_bytes ();
  fail_unless_equals_int (queued->len, 200);
  for (guint i = 0; i < queued->len; i++) {
    g_autoptr (GstGlesPointsResult) result = gst_gles_points_result_from_buffer (queued->pdata[i]);
    const guint count = gst_gles_points_result_get_count (result);

    fail_unless (count > 0);
    bound += gst_buffer_get_size (queued->pdata[i]) + count * sizeof (GstGlesPoint);
  }
  g_print ("# %" G_GSIZE_FORMAT " MiB more, %" G_GSIZE_FORMAT " MiB allowed\n",
      (MAX (after, before) - before) >> 20, bound >> 20);
  fail_unless (!MEMORY_TELLS || after < before + bound, "%" G_GSIZE_FORMAT " MiB more",
      (after - before) >> 20);
}

GST_END_TEST;

/* ---- summaries ---- */

HANDLER (expect_custom_meta)
{
  GstCustomMeta *meta = gst_buffer_get_custom_meta (buffer, "glescompact");
  g_autoptr (GstGlesPointsResult) result = gst_gles_points_result_from_buffer (buffer);
  guint64 total = 0;
  guint count = 1;

  fail_unless (meta != NULL);
  gst_structure_get (gst_custom_meta_get_structure (meta), "total", G_TYPE_UINT64, &total, "count",
      G_TYPE_UINT, &count, NULL);
  fail_unless_equals_uint64 (total, gst_gles_points_result_get_total (result));
  fail_unless_equals_int (count, 10);
  fail_unless (total > 10);
  (*(guint *) data)++;
}

GST_START_TEST (test_custom_meta)
{
  guint n = 0;

  RUN (SOURCE "glescompact device=%s custom-meta=true max-points=10 ! fakesink name=sink",
      expect_custom_meta, &n, NULL);
  fail_unless_equals_int (n, 2);
}

GST_END_TEST;

HANDLER (expect_histogram_summary)
{
  GstCustomMeta *meta = gst_buffer_get_custom_meta (buffer, "gleshistogram");

  fail_unless (meta != NULL);
  fail_unless (gst_structure_has_field (gst_custom_meta_get_structure (meta), "Y"));
  (*(guint *) data)++;
}

GST_START_TEST (test_custom_meta_of_histograms)
{
  guint n = 0;

  RUN (SOURCE "gleshistogram device=%s custom-meta=true attach-meta=false ! fakesink name=sink",
      expect_histogram_summary, &n, NULL);
  fail_unless_equals_int (n, 2);
}

GST_END_TEST;

GST_START_TEST (test_validated)
{
  guint n = 0;

  for (guint i = 0; i < 3; i++) {
    static const gchar *const lines[] = {
      "videotestsrc num-buffers=5 pattern=ball ! glescompact device=%s validate=true "
      "predicate=threshold post-messages=true ! fakesink name=sink",
      "videotestsrc num-buffers=5 pattern=ball ! glescompact device=%s validate=true lower=9 "
      "predicate=motion post-messages=true profile=true ! fakesink name=sink",
      "videotestsrc num-buffers=5 pattern=ball ! glescompact device=%s validate=true "
      "predicate=edge post-messages=true ! fakesink name=sink",
    };
    RUN (lines[i], count_metas, &n, NULL);
  }
  fail_unless_equals_int (n, 15);
}

GST_END_TEST;

static gpointer
run_one (gpointer data)
{
  RUN ("videotestsrc num-buffers=20 pattern=ball ! video/x-raw,format=NV12,width=322,height=241 ! "
       "glescompact device=%s validate=true predicate=motion lower=9 ! fakesink name=sink",
      count_metas, data, NULL);
  return NULL;
}

GST_START_TEST (test_eight_at_a_time)
{
  GThread *threads[8];
  guint n[8] = { 0 };

  for (guint i = 0; i < 8; i++)
    threads[i] = g_thread_new ("pipeline", run_one, &n[i]);
  for (guint i = 0; i < 8; i++)
    g_thread_join (threads[i]);
  for (guint i = 0; i < 8; i++)
    fail_unless_equals_int (n[i], 20);
}

GST_END_TEST;

/* Counts debug lines about kernels that are built, or run for the first time: these would delay a
 * frame. */
static void
count_kernels (GstDebugCategory *category, GstDebugLevel level, const gchar *file,
    const gchar *function, gint line, GObject *object, GstDebugMessage *message, gpointer data)
{
  const gchar *text = gst_debug_message_get (message);

  if (strstr (text, ": kernel ") != NULL)
    g_atomic_int_inc ((gint *) data);
}

GST_START_TEST (test_no_frame_waits_for_a_compiler)
{
  static const gchar *const lines[] = { "glescompact", "glescompact predicate=motion",
    "glescompact predicate=edge region=<1,1,30,20>", "glescompact channel=1 readback=false",
    "gleshistogram" };
  static gint n_kernels = 0;

  gst_debug_set_threshold_for_name ("gles*", GST_LEVEL_DEBUG);
  gst_debug_add_log_function (count_kernels, &n_kernels, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++) {
    GstHarness *harness;
    GstElement *element = gst_parse_launch (lines[i], NULL);
    GstVideoInfo info;
    gint before;

    g_object_set (element, "device", test_device (), NULL);
    harness = gst_harness_new_with_element (element, "sink", "src");
    gst_video_info_set_format (&info, GST_VIDEO_FORMAT_I420, 64 + 16 * i, 48);
    gst_harness_set_src_caps (harness, gst_video_info_to_caps (&info));
    before = g_atomic_int_get (&n_kernels);
    fail_unless ((before > 0) == (g_strcmp0 (test_device (), "cpu") != 0));
    for (guint frame = 0; frame < 3; frame++)
      gst_buffer_unref (gst_harness_push_and_pull (harness, test_frame_noise (&info, frame)));
    fail_unless (g_atomic_int_get (&n_kernels) == before, "%s: %d kernels came with a frame",
        lines[i], g_atomic_int_get (&n_kernels) - before);
    gst_harness_teardown (harness);
    gst_object_unref (element);
  }
  gst_debug_remove_log_function (count_kernels);
  gst_debug_unset_threshold_for_name ("gles*");
}

GST_END_TEST;

HANDLER (keep_channel)
{
  g_autoptr (GstGlesPointsResult) result = gst_gles_points_result_from_buffer (buffer);

  *(gint *) data = gst_gles_points_result_get_channel (result);
}

/* Channel names that are printed are also accepted. */
GST_START_TEST (test_channel_by_name)
{
  static const struct {
    const gchar *format, *name;
    gint number;
  } channels[] = { { "I420", "Y", 0 }, { "NV12", "U", 1 }, { "I420", "V", 2 }, { "GRAY8", "Y", 0 },
    { "BGRA", "R", 0 }, { "RGB", "B", 2 }, { "BGRA", "A", 3 }, { "I420", "luma", -1 },
    { "I420", "1", 1 } };

  for (guint i = 0; i < G_N_ELEMENTS (channels); i++) {
    g_autofree gchar *line =
        g_strdup_printf ("videotestsrc num-buffers=1 ! video/x-raw,format=%s,width=64,height=48 ! "
                         "glescompact device=%%s channel=%s ! fakesink name=sink",
            channels[i].format, channels[i].name);
    gint number = -2;

    RUN (line, keep_channel, &number, NULL);
    fail_unless (number == channels[i].number, "%s: %d", line, number);
  }
}

GST_END_TEST;

/* A channel by its name or number, with units that depend on the channel. */
static const struct {
  const gchar *settings, *format, *stores;
} lacking[] = {
  { "channel=R", "I420", "stores Y, U, V;" },
  { "channel=3 unit=8bit", "I420", "stores Y, U, V;" },
  { "channel=1 unit=percent lower=10", "GRAY8", "stores Y;" },
};

GST_START_TEST (test_channel_that_the_format_lacks)
{
  g_autofree gchar *line = g_strdup_printf ("glescompact %s", lacking[__i__].settings);
  g_autofree gchar *caps = g_strdup_printf (
      "video/x-raw,format=%s,width=64,height=48,framerate=25/1", lacking[__i__].format);
  GstElement *element = gst_parse_launch (line, NULL);
  GstBus *bus = gst_bus_new ();
  g_autoptr (GError) error = NULL;
  GstHarness *harness;

  g_object_set (element, "device", test_device (), NULL);
  gst_element_set_bus (element, bus);
  harness = gst_harness_new_with_element (element, "sink", "src");
  gst_harness_set_src_caps_str (harness, caps);
  error = test_bus_pop_error (bus);
  fail_unless (g_error_matches (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS));
  fail_unless (strstr (error->message, lacking[__i__].stores) != NULL, "%s", error->message);
  gst_bus_set_flushing (bus, TRUE);
  gst_harness_teardown (harness);
  gst_object_unref (element);
  gst_object_unref (bus);
}

GST_END_TEST;

/* ---- units ---- */

/* Counts the points of the same picture in @format with @properties, and checks the bounds that
 * were applied. */
static guint64
count_points (const gchar *format, const gchar *properties, guint lower, guint upper)
{
  g_autofree gchar *line = g_strdup_printf (
      "videotestsrc num-buffers=1 pattern=zone-plate kx2=20 ky2=20 kt=1 ! "
      "video/x-raw,format=AYUV64,width=320,height=240,colorimetry=bt709 ! "
      "videoscale method=lanczos ! video/x-raw,width=256,height=192 ! "
      "videoconvert dither=none ! video/x-raw,format=%s ! glescompact device=%s post-messages=true "
      "max-points=0 %s ! fakesink",
      format, test_device (), properties);
  GstElement *pipeline = gst_parse_launch (line, NULL);
  GstBus *bus = gst_element_get_bus (pipeline);
  guint applied_lower = 1, applied_upper = 0;
  const gchar *unit;
  guint64 total = 0;
  GstMessage *message;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (
      bus, GST_CLOCK_TIME_NONE, GST_MESSAGE_ELEMENT | GST_MESSAGE_ERROR | GST_MESSAGE_EOS);
  fail_unless (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ELEMENT, "%s", line);
  fail_unless (gst_structure_get (gst_message_get_structure (message), "total", G_TYPE_UINT64,
      &total, "lower", G_TYPE_UINT, &applied_lower, "upper", G_TYPE_UINT, &applied_upper, NULL));
  unit = gst_structure_get_string (gst_message_get_structure (message), "unit");
  fail_unless_equals_string (unit, "code");
  fail_unless (applied_lower == lower && applied_upper == upper,
      "%s: from %u to %u, not from %u to %u", line, applied_lower, applied_upper, lower, upper);
  gst_message_unref (message);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (bus);
  gst_object_unref (pipeline);
  return total;
}

static void
expect_near (guint64 a, guint64 b)
{
  fail_unless (a > 1000 && b > 1000 && MAX (a, b) - MIN (a, b) <= MAX (a, b) / 50,
      "%" G_GUINT64_FORMAT " and %" G_GUINT64_FORMAT " points of the same picture", a, b);
}

/* Formats of the same range have nearly the same points by default, and of any range in percent;
 * of 256 x 192 pixels. */
GST_START_TEST (test_same_points_in_any_format)
{
  const guint64 points = count_points ("I420", "lower=60 upper=170", 60, 170);
  const guint64 rgb = count_points ("RGBA", "lower=60 upper=170", 60, 170);
  const guint64 percent =
      count_points ("I420", "unit=percent lower=25 upper=75", 16 + 55, 16 + 164);

  expect_near (points, count_points ("I420_10LE", "lower=60 upper=170", 240, 683));
  expect_near (points, count_points ("P016_LE", "lower=60 upper=170", 15360, 43775));
  expect_near (rgb, count_points ("ARGB64_LE", "lower=60 upper=170", 15360, 43775));
  expect_near (rgb, count_points ("BGR10A2_LE", "lower=60 upper=170", 240, 683));
  expect_near (
      percent, count_points ("I420_10LE", "unit=percent lower=25 upper=75", 64 + 219, 64 + 657));
  expect_near (percent, count_points ("ABGR64_LE", "unit=percent lower=25 upper=75", 16384, 49151));
  expect_near (count_points ("I420", "unit=percent predicate=edge lower=40", 88, G_MAXUINT),
      count_points ("I420_10LE", "unit=percent predicate=edge lower=40", 351, G_MAXUINT));
  /* Code values differ: this is what the default is for. */
  fail_if (count_points ("I420_10LE", "unit=code lower=128", 128, G_MAXUINT) <
      count_points ("I420", "lower=128", 128, G_MAXUINT) * 5 / 4);
}

GST_END_TEST;

static Suite *
glescompact_suite (void)
{
  Suite *s = suite_create ("glescompact-stream");
  TCase *tc = tcase_create ("stream");

  tcase_set_timeout (tc, 300);
  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_no_frame_waits_for_a_compiler);
  tcase_add_test (tc, test_channel_by_name);
  tcase_add_loop_test (tc, test_channel_that_the_format_lacks, 0, G_N_ELEMENTS (lacking));
  tcase_add_test (tc, test_metas_survive_or_drop);
  tcase_add_test (tc, test_scaled_pictures_tell_the_analysed_size);
  tcase_add_test (tc, test_without_readback_points_stay_on_the_device);
  tcase_add_test (tc, test_queued_results_hold_what_passed);
  tcase_add_test (tc, test_custom_meta);
  tcase_add_test (tc, test_custom_meta_of_histograms);
  tcase_add_test (tc, test_validated);
  tcase_add_test (tc, test_eight_at_a_time);
  tcase_add_test (tc, test_same_points_in_any_format);
  return s;
}

int
main (int argc, char **argv)
{
  return test_main (&argc, &argv, glescompact_suite);
}
