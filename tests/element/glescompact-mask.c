/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The mask of glescompact: its totals, while playing, with a region, other caps and bad texts. */
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>

#include <gst/gles/meta/points.h>

static GstHarness *
start (const gchar *mask)
{
  g_autofree gchar *line = g_strdup_printf (
      "glescompact name=c lower=0 validate=true device=%s", g_getenv ("GLES_TEST_DEVICE"));
  GstHarness *h = gst_harness_new_parse (line);
  g_autoptr (GstElement) compact = gst_bin_get_by_name (GST_BIN (h->element), "c");

  g_object_set (compact, "mask", mask, NULL);
  gst_harness_set_src_caps_str (h, "video/x-raw,format=I420,width=128,height=80,framerate=25/1");
  return h;
}

static void
set (GstHarness *h, const gchar *property, const gchar *value)
{
  g_autoptr (GstElement) compact = gst_bin_get_by_name (GST_BIN (h->element), "c");

  gst_util_set_object_arg (G_OBJECT (compact), property, value);
}

static guint64
total (GstHarness *h, gsize size_bytes)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, size_bytes, NULL);
  GstGlesPointsResult *result;
  guint64 n;

  gst_buffer_memset (buffer, 0, 7, size_bytes);
  buffer = gst_harness_push_and_pull (h, buffer);
  result = gst_gles_points_result_from_buffer (buffer);
  fail_unless (result != NULL && gst_gles_points_result_wait (result, G_MAXUINT64, NULL));
  n = gst_gles_points_result_get_total (result);
  gst_gles_points_result_unref (result);
  gst_buffer_unref (buffer);
  return n;
}

#define SMALL (128 * 80 * 3 / 2)

GST_START_TEST (test_playing)
{
  GstHarness *h = start ("0,0 0.5,0 0.5,1 0,1");

  fail_unless_equals_uint64 (total (h, SMALL), 64 * 80);
  set (h, "mask", "!0,0 0.125,0 0.125,0.1 0,0.1");
  fail_unless_equals_uint64 (total (h, SMALL), 128 * 80 - 16 * 8);
  set (h, "region", "10,0,12,80");
  fail_unless_equals_uint64 (total (h, SMALL), 12 * 80 - 6 * 8);
  set (h, "region", "<>");
  set (h, "channel", "1");
  fail_unless_equals_uint64 (total (h, SMALL), 64 * 40 - 8 * 4);
  set (h, "channel", "luma");
  gst_harness_set_src_caps_str (h, "video/x-raw,format=I420,width=256,height=40,framerate=25/1");
  fail_unless_equals_uint64 (total (h, 256 * 40 * 3 / 2), 256 * 40 - 32 * 4);
  set (h, "mask", "2,2 3,2 3,3");
  fail_unless_equals_uint64 (total (h, 256 * 40 * 3 / 2), 0);
  set (h, "mask", "");
  fail_unless_equals_uint64 (total (h, 256 * 40 * 3 / 2), 256 * 40);
  gst_harness_teardown (h);
}
GST_END_TEST

/* The points of an expression, and motion against a background that the mask does not reset. */
GST_START_TEST (test_predicates)
{
  GstHarness *h = start ("0,0 0.5,0 0.5,1 0,1");

  set (h, "expression", "Y < 9");
  set (h, "predicate", "expression");
  fail_unless_equals_uint64 (total (h, SMALL), 64 * 80);
  gst_harness_teardown (h);
  h = start ("0,0 0.5,0 0.5,1 0,1");
  set (h, "predicate", "motion");
  set (h, "reference", "background");
  fail_unless_equals_uint64 (total (h, SMALL), 0);
  set (h, "mask", "0,0 1,0 1,0.5 0,0.5");
  fail_unless_equals_uint64 (total (h, SMALL), 128 * 40);
  gst_harness_teardown (h);
}
GST_END_TEST

GST_START_TEST (test_refused)
{
  static const gchar *const texts[] = { "0,0 1,0", "0,0 1,0 x", "/nowhere/mask.pgm" };
  static const gchar *const words[] = { "column 1", "column 9", "nowhere" };
  GstHarness *h = start ("0,0 0.5,0 0.5,1 0,1");

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autofree gchar *pattern = g_strdup_printf ("*stays as it was*%s*", words[i]);
    g_autoptr (GstElement) compact = gst_bin_get_by_name (GST_BIN (h->element), "c");
    g_autofree gchar *text = NULL;

    g_test_expect_message ("GstGles", G_LOG_LEVEL_WARNING, pattern);
    set (h, "mask", texts[i]);
    g_test_assert_expected_messages ();
    g_object_get (compact, "mask", &text, NULL);
    fail_unless_equals_string (text, "0,0 0.5,0 0.5,1 0,1");
    fail_unless_equals_uint64 (total (h, SMALL), 64 * 80);
  }
  gst_harness_teardown (h);
}
GST_END_TEST

static Suite *
mask_suite (void)
{
  Suite *suite = suite_create ("glescompact-mask");
  TCase *tcase = tcase_create ("mask");

  suite_add_tcase (suite, tcase);
  tcase_set_timeout (tcase, 60);
  tcase_add_test (tcase, test_playing);
  tcase_add_test (tcase, test_predicates);
  tcase_add_test (tcase, test_refused);
  return suite;
}

GST_CHECK_MAIN (mask);
