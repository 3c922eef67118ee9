/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The mask of glescompact: its totals, while playing, with a region, other caps and bad texts. */
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>

#include <sys/stat.h>

#include <glib/gstdio.h>
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

/* A FIFO without a writer, a device that never ends and a folder are refused at once. */
GST_START_TEST (test_not_a_file)
{
  g_autofree gchar *folder = g_dir_make_tmp ("mask-XXXXXX", NULL);
  g_autofree gchar *fifo = g_build_filename (folder, "mask.pgm", NULL);
  const gchar *const paths[] = { fifo, "/dev/zero", folder };
  GstHarness *h = start ("0,0 0.5,0 0.5,1 0,1");

  fail_unless_equals_int (mkfifo (fifo, 0600), 0);
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++) {
    g_test_expect_message ("GstGles", G_LOG_LEVEL_WARNING, "*stays as it was*not a regular file*");
    set (h, "mask", paths[i]);
    g_test_assert_expected_messages ();
    fail_unless_equals_uint64 (total (h, SMALL), 64 * 80);
  }
  gst_harness_teardown (h);
  fail_unless_equals_int (g_remove (fifo), 0);
  fail_unless_equals_int (g_rmdir (folder), 0);
}
GST_END_TEST

#ifdef HAVE_PNG
/* 4x2 pixels: greys of 128 and 127, red, green; three black ones and a white one. */
static const guint8 png[] = { 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00,
  0x0d, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00, 0x00, 0x04, 0x00, 0x00, 0x00, 0x02, 0x08, 0x02, 0x00,
  0x00, 0x00, 0xf0, 0xca, 0xea, 0x34, 0x00, 0x00, 0x00, 0x19, 0x49, 0x44, 0x41, 0x54, 0x78, 0xda,
  0x63, 0x68, 0x68, 0x68, 0xa8, 0xaf, 0xaf, 0xff, 0xcf, 0xc0, 0xc0, 0x00, 0xc2, 0x30, 0xf0, 0xff,
  0xff, 0x7f, 0x00, 0x6b, 0x33, 0x07, 0xf9, 0xa5, 0x5e, 0xdd, 0xc5, 0x00, 0x00, 0x00, 0x00, 0x49,
  0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82 };

/* 4x2 pixels of a bit each: white, black, white, black; three black ones and a white one. */
static const guint8 png_1bit[] = { 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00,
  0x0d, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00, 0x00, 0x04, 0x00, 0x00, 0x00, 0x02, 0x01, 0x00, 0x00,
  0x00, 0x00, 0x57, 0xd3, 0x40, 0xce, 0x00, 0x00, 0x00, 0x0c, 0x49, 0x44, 0x41, 0x54, 0x78, 0xda,
  0x63, 0x58, 0xc0, 0x20, 0x00, 0x00, 0x01, 0xf4, 0x00, 0xb1, 0x75, 0x5c, 0xbc, 0xff, 0x00, 0x00,
  0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82 };
/* 4x1 pixels of 16 bits. */
static const guint8 png_16bit[] = { 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00,
  0x00, 0x0d, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00, 0x00, 0x04, 0x00, 0x00, 0x00, 0x01, 0x10, 0x00,
  0x00, 0x00, 0x00, 0x8c, 0xc7, 0x8c, 0x52, 0x00, 0x00, 0x00, 0x0e, 0x49, 0x44, 0x41, 0x54, 0x78,
  0xda, 0x63, 0xf8, 0xff, 0x9f, 0x81, 0x01, 0x84, 0x01, 0x15, 0xf3, 0x03, 0xfd, 0xe4, 0xc5, 0xfe,
  0x10, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82 };

/* masks.md: "PNG ... of 1, 2, 4 or 8 bits a component". */
GST_START_TEST (test_png_depths)
{
  GstHarness *h = start ("");
  g_autofree gchar *folder = g_dir_make_tmp ("mask-XXXXXX", NULL);
  g_autofree gchar *one = g_build_filename (folder, "1.png", NULL);
  g_autofree gchar *sixteen = g_build_filename (folder, "16.png", NULL);

  fail_unless (g_file_set_contents (one, (const gchar *) png_1bit, sizeof (png_1bit), NULL));
  fail_unless (g_file_set_contents (sixteen, (const gchar *) png_16bit, sizeof (png_16bit), NULL));
  set (h, "mask", one);
  fail_unless_equals_uint64 (total (h, SMALL), 3 * 32 * 40);
  g_test_expect_message ("GstGles", G_LOG_LEVEL_WARNING, "*stays as it was*up to 8 bits*");
  set (h, "mask", sixteen);
  g_test_assert_expected_messages ();
  fail_unless_equals_uint64 (total (h, SMALL), 3 * 32 * 40);
  g_unlink (one);
  g_unlink (sixteen);
  g_rmdir (folder);
  gst_harness_teardown (h);
}
GST_END_TEST

GST_START_TEST (test_png)
{
  GstHarness *h = start ("");
  g_autofree gchar *folder = g_dir_make_tmp ("mask-XXXXXX", NULL);
  g_autofree gchar *path = g_build_filename (folder, "mask.png", NULL);
  g_autofree gchar *part = g_build_filename (folder, "part.png", NULL);

  fail_unless (g_file_set_contents (path, (const gchar *) png, sizeof (png), NULL));
  fail_unless (g_file_set_contents (part, (const gchar *) png, sizeof (png) - 20, NULL));
  set (h, "mask", path);
  /* 128, green and white */
  fail_unless_equals_uint64 (total (h, SMALL), 3 * 32 * 40);
  g_test_expect_message ("GstGles", G_LOG_LEVEL_WARNING, "*stays as it was*not a whole PNG*");
  set (h, "mask", part);
  g_test_assert_expected_messages ();
  fail_unless_equals_uint64 (total (h, SMALL), 3 * 32 * 40);
  g_unlink (path);
  g_unlink (part);
  g_rmdir (folder);
  gst_harness_teardown (h);
}
GST_END_TEST
#endif

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
  tcase_add_test (tcase, test_not_a_file);
#ifdef HAVE_PNG
  tcase_add_test (tcase, test_png);
  tcase_add_test (tcase, test_png_depths);
#endif
  return suite;
}

GST_CHECK_MAIN (mask);
