/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How gleshistogram obtains its device: every failure has its own error, one device serves a
 * pipeline, and after the loss of a device a restart recovers. */
#include "gleshistogram-common.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define CAPS "video/x-raw,format=I420,width=48,height=32,framerate=25/1"
#define NOBODY 65534

/* ---- refusals ---- */

/* Takes an element with device=@spec from NULL to READY, which must fail: (transfer full). */
static GError *
refuse (const gchar *spec)
{
  GstElement *element = gst_element_factory_make ("gleshistogram", NULL);
  GstBus *bus = gst_bus_new ();
  g_autofree gchar *description = NULL;
  GError *error;

  fail_unless (element != NULL);
  gst_object_ref_sink (element);
  gst_element_set_bus (element, bus);
  g_object_set (element, "device", spec, NULL);
  fail_unless_equals_int (
      gst_element_set_state (element, GST_STATE_READY), GST_STATE_CHANGE_FAILURE);
  error = test_bus_pop_error (bus);
  fail_unless (error != NULL, "device=%s is refused without an error", spec);
  fail_unless (gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR) == NULL);
  g_object_get (element, "device-description", &description, NULL);
  fail_unless (description == NULL);

  /* another device, and the same element works */
  g_object_set (element, "device", "cpu", NULL);
  fail_unless_equals_int (
      gst_element_set_state (element, GST_STATE_READY), GST_STATE_CHANGE_SUCCESS);
  g_object_get (element, "device-description", &description, NULL);
  fail_unless (description != NULL);
  gst_element_set_state (element, GST_STATE_NULL);
  gst_element_set_bus (element, NULL);
  gst_object_unref (bus);
  gst_object_unref (element);
  return error;
}

/* ... with @domain and @code, and a message that has @word in it */
static void
check_refused (const gchar *spec, GQuark domain, gint code, const gchar *word)
{
  g_autoptr (GError) error = refuse (spec);

  fail_unless (g_error_matches (error, domain, code), "device=%s: %s (%s, %d)", spec,
      error->message, g_quark_to_string (error->domain), error->code);
  fail_unless (strstr (error->message, word) != NULL, "device=%s: no \"%s\" in: %s", spec, word,
      error->message);
}

GST_START_TEST (test_unknown_words)
{
  static const gchar *words[] = { "gpu", "egl:", "egl:one", "egl:-1", "CPU", "dev/null", " auto" };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    check_refused (words[i], GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS, words[i]);
}

GST_END_TEST;

GST_START_TEST (test_missing_nodes)
{
  check_refused ("/dev/dri/renderD999", GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
      "/dev/dri/renderD999");
  check_refused (
      "/no/such/folder/node", GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND, "/no/such/folder");
  /* A path in which a file stands for a folder. */
  check_refused ("/dev/null/renderD128", GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
      "/dev/null/renderD128");
}

GST_END_TEST;

GST_START_TEST (test_missing_egl_device)
{
  check_refused ("egl:99", GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND, "egl:99");
}

GST_END_TEST;

GST_START_TEST (test_regular_file_and_folder)
{
  g_autofree gchar *folder = g_dir_make_tmp ("gles-device-XXXXXX", NULL);
  g_autofree gchar *file = g_build_filename (folder, "renderD128", NULL);

  fail_unless (g_file_set_contents (file, "not a GPU", -1, NULL));
  check_refused (file, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_OPEN_READ_WRITE, file);
  check_refused (folder, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_OPEN_READ_WRITE, folder);
  g_unlink (file);
  g_rmdir (folder);
}

GST_END_TEST;

/* A folder without permission replaces a node without permission: making a device node needs
 * privileges, with which the node could be opened. */
static gint
refused_child (gchar **argv)
{
  gint argc = 1;
  GstElement *element;
  GstMessage *message;
  GstBus *bus;
  GError *error = NULL;

  gst_init (&argc, &argv);
  element = gst_element_factory_make ("gleshistogram", NULL);
  if (element == NULL)
    return 2;
  if (geteuid () == 0 && (setgid (NOBODY) != 0 || setuid (NOBODY) != 0))
    return 3;
  bus = gst_bus_new ();
  gst_element_set_bus (element, bus);
  g_object_set (element, "device", argv[2], NULL);
  if (gst_element_set_state (element, GST_STATE_READY) != GST_STATE_CHANGE_FAILURE)
    return 4;
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  if (message == NULL)
    return 5;
  gst_message_parse_error (message, &error, NULL);
  g_printerr ("%s\n", error->message);
  return g_error_matches (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_OPEN_READ_WRITE) ? 0 : 6;
}

static gchar *self; /* the path of this program */

static void
check_refused_to_nobody (const gchar *path)
{
  const gchar *arguments[] = { self, "--refused", path, NULL };
  g_autofree gchar *said = NULL;
  GError *error = NULL;
  gint status;

  fail_unless (g_spawn_sync (NULL, (gchar **) arguments, NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL,
                   &said, &status, &error),
      "%s", error != NULL ? error->message : "");
  fail_unless (g_spawn_check_wait_status (status, NULL), "status %d for %s: %s",
      WEXITSTATUS (status), path, said);
  fail_unless (strstr (said, path) != NULL && strstr (said, "ermission") != NULL, "%s", said);
}

GST_START_TEST (test_no_permission)
{
  g_autofree gchar *folder = g_dir_make_tmp ("gles-device-XXXXXX", NULL);
  g_autofree gchar *node = g_build_filename (folder, "renderD128", NULL);
  /* The mode of a GPU's node for a user outside its group, on the device number of tape unit 2,
   * which no machine has. */
  gboolean made = mknod (node, S_IFCHR | 0600, 9 << 8 | 2) == 0;

  if (made) {
    fail_unless_equals_int (g_chmod (folder, 0755), 0);
    check_refused_to_nobody (node);
  }
  fail_unless_equals_int (g_chmod (folder, 0), 0);
  check_refused_to_nobody (node);
  fail_unless_equals_int (g_chmod (folder, 0700), 0);
  if (made)
    g_unlink (node);
  g_rmdir (folder);
}

GST_END_TEST;

/* ---- which one ---- */

static gchar *
description_in_ready (const gchar *spec)
{
  GstElement *element = gst_element_factory_make ("gleshistogram", NULL);
  gchar *description = NULL;

  gst_object_ref_sink (element);
  g_object_set (element, "device", spec, NULL);
  fail_unless_equals_int (
      gst_element_set_state (element, GST_STATE_READY), GST_STATE_CHANGE_SUCCESS);
  g_object_get (element, "device-description", &description, NULL);
  fail_unless (description != NULL);
  gst_element_set_state (element, GST_STATE_NULL);
  {
    g_autofree gchar *afterwards = NULL;
    g_object_get (element, "device-description", &afterwards, NULL);
    fail_unless (afterwards == NULL);
  }
  gst_object_unref (element);
  return description;
}

/* property over variable over auto */
GST_START_TEST (test_environment_variable)
{
  g_autofree gchar *before = g_strdup (g_getenv ("GST_GLES_DEVICE"));
  g_autofree gchar *by_property = NULL, *by_variable = NULL, *cpu = NULL;

  g_setenv ("GST_GLES_DEVICE", "cpu", TRUE);
  cpu = description_in_ready ("cpu");
  by_variable = description_in_ready (NULL);
  by_property = description_in_ready (test_device ());
  fail_unless_equals_string (by_variable, cpu);
  fail_unless_equals_int (g_str_equal (by_property, cpu), test_device_is_cpu ());
  g_setenv ("GST_GLES_DEVICE", "nonsense", TRUE);
  {
    g_autoptr (GError) error = refuse (NULL);
    fail_unless (g_error_matches (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS));
  }
  if (before != NULL)
    g_setenv ("GST_GLES_DEVICE", before, TRUE);
  else
    g_unsetenv ("GST_GLES_DEVICE");
}

GST_END_TEST;

/* ---- sharing ---- */

/* The device in the context that @element has: (transfer full) (nullable). */
static GstGlesDevice *
device_of (GstElement *element)
{
  GstContext *context = gst_element_get_context (element, GST_GLES_DEVICE_CONTEXT_TYPE);
  GstGlesDevice *device = NULL;

  if (context != NULL) {
    gst_structure_get (
        gst_context_get_structure (context), "device", GST_TYPE_GLES_DEVICE, &device, NULL);
    gst_context_unref (context);
  }
  return device;
}

/* The device that results of @buffer were made on, from element to element: (transfer full). */
static GstGlesDevice *
device_of_result (GstBuffer *buffer, guint index)
{
  gpointer state = NULL;
  GstMeta *meta = NULL;

  for (guint i = 0; i <= index; i++)
    meta = gst_buffer_iterate_meta_filtered (buffer, &state, GST_GLES_HISTOGRAM_META_API_TYPE);
  fail_unless (meta != NULL);
  return gst_gles_buffer_get_device (
      gst_gles_histogram_result_get_device_buffer (((GstGlesHistogramMeta *) meta)->result));
}

/* Runs frames through two elements with an element between them; returns whether both analysed on
 * the same device object. */
static gboolean
run_two (const gchar *first, const gchar *second)
{
  g_autofree gchar *line =
      g_strdup_printf ("videotestsrc num-buffers=3 ! " CAPS " ! gleshistogram device=%s ! queue ! "
                       "gleshistogram device=%s ! appsink name=sink sync=false",
          first, second);
  GstElement *pipeline = gst_parse_launch (line, NULL);
  GstElement *sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  GstSample *sample = NULL;
  GstGlesDevice *a, *b;
  gboolean same;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  g_signal_emit_by_name (sink, "try-pull-sample", (guint64) (60 * GST_SECOND), &sample);
  fail_unless (sample != NULL);
  a = device_of_result (gst_sample_get_buffer (sample), 0);
  b = device_of_result (gst_sample_get_buffer (sample), 1);
  same = a == b;
  gst_object_unref (a);
  gst_object_unref (b);
  gst_sample_unref (sample);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (sink);
  gst_object_unref (pipeline);
  return same;
}

GST_START_TEST (test_neighbours_share)
{
  fail_unless (run_two (test_device (), test_device ()));
  /* A device that does not match the property is not taken. */
  if (!test_device_is_cpu ())
    fail_if (run_two (test_device (), "cpu"));
}

GST_END_TEST;

/* A device of the application is used if it matches the property. */
GST_START_TEST (test_device_of_the_application)
{
  GstGlesDevice *device = gst_gles_device_new (test_device (), NULL);
  GstContext *context = gst_context_new (GST_GLES_DEVICE_CONTEXT_TYPE, TRUE);
  GstElement *element = test_element_new (NULL);
  GstGlesDevice *used;

  gst_structure_set (
      gst_context_writable_structure (context), "device", GST_TYPE_GLES_DEVICE, device, NULL);
  gst_element_set_context (element, context);
  gst_element_set_state (element, GST_STATE_READY);
  used = device_of (element);
  fail_unless (used == device);
  gst_object_unref (used);
  gst_element_set_state (element, GST_STATE_NULL);
  gst_context_unref (context);
  gst_object_unref (element);
  gst_object_unref (device);
}

GST_END_TEST;

/* ---- losing it ---- */

GST_START_TEST (test_device_lost)
{
  const TestConfig config = { 0 };
  g_autoptr (TestStream) stream = test_stream_new ("post-messages=true", CAPS);
  GstGlesDevice *device = device_of (stream->element);
  g_autoptr (GError) error = NULL;
  GstBuffer *kept;

  kept = test_stream_push_noise (stream, 1);
  test_check_buffer (kept, &stream->info, &config, 0, "before the loss");
  fail_unless (device != NULL);
  gst_gles_device_mark_lost (device, "a test says so");
  error = test_stream_push_bad (stream, test_frame_noise (&stream->info, 2));
  fail_unless (
      g_error_matches (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_FAILED), "%s", error->message);
  /* no second error, however many frames follow */
  fail_unless_equals_int (
      gst_harness_push (stream->harness, test_frame_noise (&stream->info, 3)), GST_FLOW_ERROR);
  fail_unless (test_bus_pop_error (stream->bus) == NULL);
  /* what came back before is still there */
  test_check_buffer (kept, &stream->info, &config, 0, "after the loss");
  gst_buffer_unref (kept);
  gst_object_unref (device);
}

GST_END_TEST;

static void
check_restart_after_loss (GstState by_way_of)
{
  g_autofree gchar *line = g_strdup_printf (
      "videotestsrc ! " CAPS " ! gleshistogram name=h device=%s post-messages=true ! "
      "fakesink sync=false",
      test_device ());
  GstElement *pipeline = gst_parse_launch (line, NULL);
  GstElement *element = gst_bin_get_by_name (GST_BIN (pipeline), "h");
  GstBus *bus = gst_element_get_bus (pipeline);

  for (guint round = 0; round < 3; round++) {
    GstGlesDevice *device;
    GstMessage *message;

    fail_if (gst_element_set_state (pipeline, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE);
    message =
        gst_bus_timed_pop_filtered (bus, 60 * GST_SECOND, GST_MESSAGE_ELEMENT | GST_MESSAGE_ERROR);
    fail_unless (message != NULL && GST_MESSAGE_TYPE (message) == GST_MESSAGE_ELEMENT,
        "round %u does not play", round);
    gst_message_unref (message);
    device = device_of (element);
    gst_gles_device_mark_lost (device, "a test says so");
    gst_object_unref (device);
    message = gst_bus_timed_pop_filtered (bus, 60 * GST_SECOND, GST_MESSAGE_ERROR);
    fail_unless (message != NULL && GST_MESSAGE_SRC (message) == GST_OBJECT (element));
    gst_message_unref (message);
    fail_unless_equals_int (gst_element_set_state (pipeline, by_way_of), GST_STATE_CHANGE_SUCCESS);
    while ((message = gst_bus_pop (bus)) != NULL)
      gst_message_unref (message);
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (bus);
  gst_object_unref (element);
  gst_object_unref (pipeline);
}

GST_START_TEST (test_restart_after_loss)
{
  check_restart_after_loss (GST_STATE_NULL);
  check_restart_after_loss (GST_STATE_READY);
}

GST_END_TEST;

/* /dev/null is no GPU; Mesa opens it all the same, with a software renderer. */
GST_START_TEST (test_node_that_is_no_gpu)
{
  GstElement *element;
  GstMessage *message;
  GError *warning = NULL;
  GstBus *bus;

  if (g_strcmp0 (g_getenv ("GLES_TEST_DEVICE"), "/dev/null") != 0)
    return;
  element = test_element_new (NULL);
  bus = gst_bus_new ();
  gst_element_set_bus (element, bus);
  fail_unless_equals_int (
      gst_element_set_state (element, GST_STATE_READY), GST_STATE_CHANGE_SUCCESS);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING);
  fail_unless (message != NULL);
  gst_message_parse_warning (message, &warning, NULL);
  fail_unless (strstr (warning->message, "software renderer") != NULL, "%s", warning->message);
  g_error_free (warning);
  gst_message_unref (message);
  gst_element_set_bus (element, NULL);
  gst_element_set_state (element, GST_STATE_NULL);
  gst_object_unref (element);
  gst_object_unref (bus);
}

GST_END_TEST;

/* The log of the compiler, and behind it what to do. */
GST_START_TEST (test_advice_of_a_driver_that_does_not_compile)
{
  g_autoptr (GError) error = g_error_new_literal (GST_GLES_ERROR, GST_GLES_ERROR_COMPILE,
      "surfaceless: kernel count does not compile:\ncount.comp:7: syntax error\n");
  GstElement *element = gst_element_factory_make ("fakesink", NULL);
  g_autoptr (GError) posted = NULL;
  GstBus *bus = gst_bus_new ();

  gst_object_ref_sink (element);
  gst_element_set_bus (element, bus);
  gst_gles_error_post (element, error);
  posted = test_bus_pop_error (bus);
  fail_unless (posted != NULL && g_str_has_prefix (posted->message, error->message));
  fail_unless (strstr (posted->message, "device=cpu") != NULL);
  fail_unless (strstr (posted->message, "GST_GLES_LIMITS=minimum") != NULL);
  fail_unless (strstr (posted->message, "driver") != NULL);
  fail_unless (strstr (posted->message, "issue tracker") != NULL);
  gst_element_set_bus (element, NULL);
  gst_object_unref (element);
  gst_object_unref (bus);
}

GST_END_TEST;

static Suite *
gleshistogram_device_suite (void)
{
  Suite *suite = suite_create ("gleshistogram-device");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, test_unknown_words);
  tcase_add_test (tcase, test_missing_nodes);
  tcase_add_test (tcase, test_missing_egl_device);
  tcase_add_test (tcase, test_regular_file_and_folder);
  tcase_add_test (tcase, test_no_permission);
  tcase_add_test (tcase, test_environment_variable);
  tcase_add_test (tcase, test_neighbours_share);
  tcase_add_test (tcase, test_device_of_the_application);
  tcase_add_test (tcase, test_device_lost);
  tcase_add_test (tcase, test_restart_after_loss);
  tcase_add_test (tcase, test_node_that_is_no_gpu);
  tcase_add_test (tcase, test_advice_of_a_driver_that_does_not_compile);
  return suite;
}

int
main (int argc, char **argv)
{
  if (argc == 3 && g_str_equal (argv[1], "--refused"))
    return refused_child (argv);
  self = argv[0];
  return test_main (&argc, &argv, gleshistogram_device_suite);
}
