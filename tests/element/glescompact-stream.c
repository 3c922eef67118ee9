/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* glescompact between its neighbours: what is read back, the memory of queued results, summaries
 * for language bindings, channels, units, and no frame that waits for a compiler. */
#include "lines.h"

#include <string.h>
#include <unistd.h>

#include <gst/gles/meta/points.h>

#define SMALL "video/x-raw,format=I420,width=64,height=48,framerate=25/1"

GST_START_TEST (test_without_readback_points_stay_on_the_device)
{
  g_autoptr (TestStream) chain = line_stream (SMALL, "glescompact readback=false lower=0");
  g_autoptr (GstBuffer) out = test_stream_push_noise (chain, 1);
  g_autoptr (GstGlesPointsResult) result = gst_gles_points_result_from_buffer (out);
  g_autoptr (GstGlesBuffer) points = gst_gles_points_result_get_device_buffer (result);
  g_autoptr (GstGlesBuffer) counts = gst_gles_points_result_get_device_counts (result);
  g_autoptr (GstGlesDevice) device = gst_gles_points_result_get_device (result);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;

  fail_unless (points != NULL && counts != NULL && device != NULL);
  fail_if (gst_gles_points_result_is_ready (result));
  fail_if (gst_gles_points_result_wait (result, G_MAXUINT64, &error));
  fail_unless (g_error_matches (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID));
  bytes = gst_gles_buffer_download_bytes (counts, gst_gles_device_get_queue (device), 0, 16, NULL);
  fail_unless_equals_uint64 (GST_READ_UINT64_LE (g_bytes_get_data (bytes, NULL)), 64 * 48);
  fail_unless_equals_uint64 (line_stat (chain, "glescompact", "bytes-read-back"), 0);
}

GST_END_TEST;

/* ---- memory ---- */

static gsize
resident_bytes (void)
{
  g_autofree gchar *text = NULL;

  fail_unless (g_file_get_contents ("/proc/self/statm", &text, NULL, NULL));
  return g_ascii_strtoull (strchr (text, ' '), NULL, 10) * (gsize) sysconf (_SC_PAGESIZE);
}

/* The growth allowed for slots and buffers that the first frames did not need. */
#define ROOM_BYTES ((gsize) 192 << 20)
/* Sanitizers keep freed memory and multiply memory use. */
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define MEMORY_TELLS FALSE
#else
#define MEMORY_TELLS TRUE
#endif
#define N_QUEUED 80

/* Queued buffers of pictures in which few pixels pass. A result would hold 7 MiB if it had the size
 * of the largest possible list, and 61 MiB with the size that `max-points` allows. */
GST_START_TEST (test_queued_results_hold_what_passed)
{
  const gsize size = 1280 * 720;
  g_autoptr (GPtrArray) queued = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_buffer_unref);
  g_autoptr (TestStream) chain =
      line_stream ("video/x-raw,format=GRAY8,width=1280,height=720,framerate=25/1",
          "glescompact max-points=8000000");
  gsize before = 0, after;

  for (guint i = 0; i < N_QUEUED + 8; i++) {
    GstBuffer *frame = gst_buffer_new_allocate (NULL, size, NULL);

    if (i == 8) {
      g_ptr_array_set_size (queued, 0);
      before = resident_bytes ();
    }
    gst_buffer_memset (frame, 0, 20, size);
    gst_buffer_memset (frame, 1280 * i, 200, 1000);
    g_ptr_array_add (queued, test_stream_push (chain, frame));
  }
  after = resident_bytes ();
  for (guint i = 0; i < queued->len; i++) {
    g_autoptr (GstGlesPointsResult) result = gst_gles_points_result_from_buffer (queued->pdata[i]);
    fail_unless_equals_int (gst_gles_points_result_get_count (result), 1000);
  }
  fail_unless (!MEMORY_TELLS ||
          after < before + ROOM_BYTES + N_QUEUED * (size + 1000 * sizeof (GstGlesPoint)),
      "%" G_GSIZE_FORMAT " MiB more", (after - before) >> 20);
}

GST_END_TEST;

/* ---- summaries ---- */

GST_START_TEST (test_custom_meta)
{
  g_autoptr (TestStream) chain = line_stream (SMALL,
      "glescompact custom-meta=true max-points=10 ! "
      "gleshistogram custom-meta=true attach-meta=false");
  g_autoptr (GstBuffer) out = test_stream_push_noise (chain, 1);
  g_autoptr (GstGlesPointsResult) result = gst_gles_points_result_from_buffer (out);
  GstCustomMeta *points = gst_buffer_get_custom_meta (out, "glescompact");
  GstCustomMeta *histogram = gst_buffer_get_custom_meta (out, "gleshistogram");
  guint64 total = 0;
  guint count = 0;

  fail_unless (points != NULL && histogram != NULL);
  gst_structure_get (gst_custom_meta_get_structure (points), "total", G_TYPE_UINT64, &total,
      "count", G_TYPE_UINT, &count, NULL);
  fail_unless_equals_uint64 (total, gst_gles_points_result_get_total (result));
  fail_unless (total > 10 && count == 10);
  fail_unless (gst_structure_has_field (gst_custom_meta_get_structure (histogram), "Y"));
}

GST_END_TEST;

/* ---- compilers ---- */

/* Counts debug lines about kernels that are built, or run for the first time: these would delay a
 * frame. */
static void
count_kernels (GstDebugCategory *category, GstDebugLevel level, const gchar *file,
    const gchar *function, gint line, GObject *object, GstDebugMessage *message, gpointer data)
{
  if (strstr (gst_debug_message_get (message), ": kernel ") != NULL)
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
    g_autoptr (TestStream) chain = line_stream (NULL, "%s", lines[i]);
    gint before;

    line_set_video (chain, "I420", 64 + 16 * i, 48);
    test_stream_flush (chain); /* waits until the plan is made */
    before = g_atomic_int_get (&n_kernels);
    fail_unless ((before > 0) == !test_device_is_cpu ());
    for (guint frame = 0; frame < 3; frame++)
      gst_buffer_unref (test_stream_push_noise (chain, frame));
    fail_unless (g_atomic_int_get (&n_kernels) == before, "%s: %d kernels came with a frame",
        lines[i], g_atomic_int_get (&n_kernels) - before);
  }
  gst_debug_remove_log_function (count_kernels);
  gst_debug_unset_threshold_for_name ("gles*");
}

GST_END_TEST;

/* ---- channels ---- */

/* Channel names that are printed are also accepted. */
GST_START_TEST (test_channel_by_name)
{
  static const struct {
    const gchar *format, *name;
    gint number;
  } channels[] = { { "I420", "Y", 0 }, { "NV12", "U", 1 }, { "I420", "V", 2 }, { "GRAY8", "Y", 0 },
    { "BGRA", "R", 0 }, { "RGB", "B", 2 }, { "BGRA", "A", 3 }, { "I420", "luma", -1 },
    { "I420", "1", 1 } };
  g_autoptr (TestStream) chain = line_stream (NULL, "glescompact");

  for (guint i = 0; i < G_N_ELEMENTS (channels); i++) {
    g_autoptr (GstGlesPointsResult) result = NULL;
    g_autoptr (GstBuffer) out = NULL;

    line_set (chain, "glescompact", "channel", channels[i].name);
    line_set_video (chain, channels[i].format, 64, 48);
    out = test_stream_push_noise (chain, i);
    result = gst_gles_points_result_from_buffer (out);
    fail_unless_equals_int (gst_gles_points_result_get_info (result)->channel, channels[i].number);
  }
}

GST_END_TEST;

/* A channel by its name or number, with units that depend on the channel. */
GST_START_TEST (test_channel_that_the_format_lacks)
{
  const GQuark domain = GST_RESOURCE_ERROR;
  const gint code = GST_RESOURCE_ERROR_SETTINGS;

  line_check_refused ("glescompact channel=R", SMALL, domain, code, "stores Y, U, V;");
  line_check_refused ("glescompact channel=3 unit=8bit", SMALL, domain, code, "stores Y, U, V;");
  line_check_refused ("glescompact channel=1 unit=percent lower=10",
      "video/x-raw,format=GRAY8,width=64,height=48,framerate=25/1", domain, code, "stores Y;");
}

GST_END_TEST;

/* ---- units ---- */

/* The same settings select the same part of the range in formats of the same range by default, and
 * in any format in percent. */
GST_START_TEST (test_units)
{
  static const struct {
    const gchar *format, *predicate, *unit;
    guint lower, upper;                 /* as they are set */
    guint applied_lower, applied_upper; /* code values */
  } cases[] = {
    { "I420", "threshold", "8bit", 60, 170, 60, 170 },
    { "I420_10LE", "threshold", "8bit", 60, 170, 240, 683 },
    { "P016_LE", "threshold", "8bit", 60, 170, 15360, 43775 },
    { "RGBA", "threshold", "8bit", 60, 170, 60, 170 },
    { "BGR10A2_LE", "threshold", "8bit", 60, 170, 240, 683 },
    { "ARGB64_LE", "threshold", "8bit", 60, 170, 15360, 43775 },
    { "I420", "threshold", "8bit", 128, G_MAXUINT, 128, G_MAXUINT },
    { "I420_10LE", "threshold", "code", 128, G_MAXUINT, 128, G_MAXUINT },
    { "I420", "threshold", "percent", 25, 75, 16 + 55, 16 + 164 },
    { "I420_10LE", "threshold", "percent", 25, 75, 64 + 219, 64 + 657 },
    { "ABGR64_LE", "threshold", "percent", 25, 75, 16384, 49151 },
    { "I420", "threshold", "percent", 0, 100, 0, 235 },
    { "I420", "edge", "percent", 40, G_MAXUINT, 88, G_MAXUINT },
    { "I420_10LE", "edge", "percent", 40, G_MAXUINT, 351, G_MAXUINT },
  };
  g_autoptr (TestStream) chain = line_stream (NULL, "glescompact custom-meta=true");
  g_autoptr (GstElement) element = gst_harness_find_element (chain->harness, "glescompact");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GstBuffer) out = NULL;
    const GstStructure *found;
    guint lower = 1, upper = 0;

    g_object_set (element, "lower", cases[i].lower, "upper", cases[i].upper, NULL);
    line_set (chain, "glescompact", "predicate", cases[i].predicate);
    line_set (chain, "glescompact", "unit", cases[i].unit);
    line_set_video (chain, cases[i].format, 64, 48);
    out = test_stream_push_noise (chain, i);
    found = gst_custom_meta_get_structure (gst_buffer_get_custom_meta (out, "glescompact"));
    fail_unless (gst_structure_get (
        found, "lower", G_TYPE_UINT, &lower, "upper", G_TYPE_UINT, &upper, NULL));
    fail_unless_equals_string (gst_structure_get_string (found, "unit"), "code");
    fail_unless (lower == cases[i].applied_lower && upper == cases[i].applied_upper,
        "case %u: from %u to %u", i, lower, upper);
  }
}

GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_test (tcase, test_no_frame_waits_for_a_compiler);
  tcase_add_test (tcase, test_without_readback_points_stay_on_the_device);
  tcase_add_test (tcase, test_queued_results_hold_what_passed);
  tcase_add_test (tcase, test_custom_meta);
  tcase_add_test (tcase, test_channel_by_name);
  tcase_add_test (tcase, test_channel_that_the_format_lacks);
  tcase_add_test (tcase, test_units);
}

LINES_MAIN (add_tests)
