/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The link to a device: figures that GST_GLES_LINK sets, what they choose, and measured ones. */
#include <gst/gles/gl/link.h>

#include "gles-test.h"

static GError *error;

static GstGlesLink
parsed (const gchar *text)
{
  GstGlesLink link;

  assert_ok (gst_gles_link_parse (text, &link, &error));
  return link;
}

static void
test_parse (void)
{
  static const gchar *const bad[] = { "mapped", "mapped:", "mapped:x", "mapped:-1", "mapped:1e9",
    "mapped:nan", "mapped:inf", "mapped:1 ", "mapped:1,", ",mapped:1", "maps:1", "mapped=1", "1",
    "mapped:1;copy:2" };
  GstGlesLink link = parsed ("mapped:10.8,copy:51,readback:50.5,transfer:0");

  g_assert_cmpfloat (link.mapped_read, ==, 10.8e9);
  g_assert_cmpfloat (link.copy, ==, 51e9);
  g_assert_cmpfloat (link.readback, ==, 50.5e9);
  g_assert_cmpfloat (link.transfer, ==, 0);
  link = parsed ("transfer:12");
  g_assert_cmpfloat (link.transfer, ==, 12e9);
  g_assert_cmpfloat (link.mapped_read + link.copy + link.readback, ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++) {
    g_autofree gchar *quoted = g_strdup_printf ("GST_GLES_LINK=%s:", bad[i]);

    g_assert_false (gst_gles_link_parse (bad[i], &link, &error));
    g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS);
    g_assert_nonnull (strstr (error->message, quoted));
    g_clear_error (&error);
  }
}

static void
test_choices (void)
{
  static const struct {
    const gchar *figures;
    guint reads_in_place;
    gboolean prefers_transfers;
  } choices[] = {
    { "mapped:10.8,copy:51", 0, FALSE },
    { "mapped:48,copy:41", 1, FALSE },
    { "mapped:40.9,copy:41", 1, FALSE },
    { "mapped:36,copy:41", 0, FALSE },
    { "mapped:100,copy:50", 2, FALSE },
    { "mapped:1000000,copy:0.001", 1000, FALSE },
    { "mapped:0,copy:0", 0, FALSE },
    { "mapped:48", 0, FALSE },
    { "copy:41", 0, FALSE },
    { "mapped:48,copy:41,transfer:53", 1, TRUE },
    { "mapped:48,copy:41,transfer:39", 1, TRUE },
    { "mapped:48,copy:41,transfer:38", 1, FALSE },
    { "mapped:10,copy:10.8,transfer:8", 1, FALSE },
    { "transfer:51", 0, TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (choices); i++) {
    const GstGlesLink link = parsed (choices[i].figures);

    g_assert_cmpuint (gst_gles_link_get_reads_in_place (&link), ==, choices[i].reads_in_place);
    g_assert_cmpint (gst_gles_link_prefers_transfers (&link), ==, choices[i].prefers_transfers);
  }
}

static void
assert_words (const gchar *figures, const gchar *expected)
{
  const GstGlesLink link = parsed (figures);
  g_autofree gchar *words = gst_gles_link_describe (&link);

  g_assert_cmpstr (words, ==, expected);
  g_assert_true (gst_gles_link_is_known (&link) == !g_str_equal (expected, "not known"));
}

static void
test_words (void)
{
  const GstGlesLink fast = parsed ("mapped:48,copy:41,transfer:51");
  g_autofree gchar *twice = gst_gles_link_describe_reads (2);
  g_autofree gchar *choice = gst_gles_link_describe_choice (&fast);

  assert_words ("mapped:48.34,copy:40.9,readback:53.8,transfer:51",
      "mapped reads 48.3 GB/s, copies 40.9 GB/s, readback 53.8 GB/s, transfers 51.0 GB/s");
  assert_words ("readback:2", "readback 2.0 GB/s");
  assert_words ("mapped:0", "not known");
  g_assert_nonnull (strstr (twice, "at most 2 times"));
  g_assert_nonnull (strstr (choice, "copied by an engine"));
}

/* ---- devices ---- */

static GstGlesDevice *device;

static guint
reads_with (const gchar *setting)
{
  if (setting != NULL)
    g_setenv ("GST_GLES_LINK", setting, TRUE);
  else
    g_unsetenv ("GST_GLES_LINK");
  return gst_gles_link_choose_reads_in_place (device);
}

static void
on_log (GstDebugCategory *category, GstDebugLevel level, const gchar *file, const gchar *function,
    gint line, GObject *object, GstDebugMessage *message, gpointer user_data)
{
  if (level <= GST_LEVEL_INFO && g_str_equal (gst_debug_category_get_name (category), "gles"))
    g_string_append_printf (
        user_data, "%s: %s\n", gst_debug_level_get_name (level), gst_debug_message_get (message));
}

static void
test_settings (void)
{
  const gboolean is_software = gst_gles_device_get_kind (device) == GST_GLES_DEVICE_SOFTWARE;
  g_autoptr (GString) log = g_string_new (NULL);

  gst_debug_set_threshold_from_string ("gles:4", TRUE);
  gst_debug_remove_log_function (gst_debug_log_default);
  gst_debug_add_log_function (on_log, log, NULL);
  g_assert_cmpuint (reads_with ("mapped:10.8,copy:51"), ==, 0);
  g_assert_nonnull (strstr (
      log->str, "mapped reads 10.8 GB/s, copies 51.0 GB/s; frames in host memory are copied"));
  g_assert_cmpuint (reads_with ("mapped:48,copy:41"), ==, 1);
  g_assert_nonnull (strstr (log->str, "are read in place if kernels read them once"));
  g_assert_null (strstr (log->str, "WARN"));
  /* of a slow link a warning tells, once */
  for (guint i = 0; i < 2; i++)
    g_assert_cmpuint (reads_with ("mapped:7.9,copy:2.5"), ==, 3);
  g_assert_nonnull (strstr (log->str, "slow"));
  g_assert_true (strstr (log->str, "slow") == g_strrstr (log->str, "slow"));
  /* one that means nothing is as none */
  g_assert_true (reads_with ("mapped:fast") == G_MAXUINT || !is_software);
  g_assert_nonnull (strstr (log->str, "\"mapped:fast\" means nothing"));
  g_assert_true (reads_with (NULL) == G_MAXUINT || !is_software);
  gst_debug_remove_log_function_by_data (log);
  gst_debug_set_threshold_from_string ("", TRUE);
}

static void
test_measured (void)
{
  GstGlesLink link;

  assert_ok (gst_gles_link_measure (device, &link, &error));
  if (!gst_gles_device_get_limits (device)->buffer_storage) {
    g_assert_false (gst_gles_link_is_known (&link));
    return;
  }
  /* from a slow memory card to any memory there is */
  g_assert_true (link.mapped_read > 1e7 && link.mapped_read < 1e13);
  g_assert_true (link.copy > 1e7 && link.copy < 1e13);
  g_assert_true (link.readback > 1e7 && link.readback < 1e13);
}

/* What cannot be measured is an error and leaves 0, which means copies. */
static void
test_lost (void)
{
  g_autoptr (GstGlesDevice) lost = NULL;
  GstGlesLink link = { 1, 1, 1, 1 };

  if (!gst_gles_device_get_limits (device)->buffer_storage)
    return;
  assert_ok (lost = gst_gles_device_new (gst_gles_device_get_id (device), &error));
  gst_gles_device_mark_lost (lost, NULL);
  assert_fails (gst_gles_link_measure (lost, &link, &error), DEVICE_LOST);
  g_assert_false (gst_gles_link_is_known (&link));
  g_assert_cmpuint (gst_gles_link_get_reads_in_place (&link), ==, 0);
}

static void
test_cpu (void)
{
  g_autoptr (GstGlesDevice) cpu = NULL;
  GstGlesLink link;

  assert_ok (cpu = gst_gles_device_new ("cpu", &error));
  g_setenv ("GST_GLES_LINK", "mapped:48,copy:41", TRUE);
  gst_gles_link_get (cpu, &link);
  g_assert_false (gst_gles_link_is_known (&link));
  g_assert_cmpuint (gst_gles_link_choose_reads_in_place (cpu), ==, 0);
  g_unsetenv ("GST_GLES_LINK");
}

gint
main (gint argc, gchar **argv)
{
  gint result;

  gst_init (&argc, &argv);
  device = gles_test_gl_device ();
  if (device == NULL)
    return GLES_TEST_SKIP;
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/link/parse", test_parse);
  g_test_add_func ("/link/choices", test_choices);
  g_test_add_func ("/link/words", test_words);
  g_test_add_func ("/link/settings", test_settings);
  g_test_add_func ("/link/measured", test_measured);
  g_test_add_func ("/link/lost", test_lost);
  g_test_add_func ("/link/cpu", test_cpu);
  result = g_test_run ();
  gst_object_unref (device);
  return result;
}
