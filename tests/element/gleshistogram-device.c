/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How gleshistogram obtains its device: every failure has its own error, and after the loss of a
 * device a restart recovers. How devices are chosen, unit/device.c tests; that neighbours share
 * one, frames-reuse.c. */
#include "gleshistogram-common.h"

#include <glib/gstdio.h>
#include <sys/fsuid.h>
#include <unistd.h>

#define NOBODY 65534

/* The description of the device that @element has: (transfer full) (nullable). */
static gchar *
describe (GstElement *element)
{
  gchar *description;

  g_object_get (element, "device-description", &description, NULL);
  return description;
}

/* device=@spec is refused with one error of @code that has @word in it, and with another device the
 * same element works. */
static void
check_refused (const gchar *spec, gint code, const gchar *word)
{
  g_autoptr (GstElement) element = test_element_new (NULL);
  g_autoptr (GstBus) bus = gst_bus_new ();
  g_autofree gchar *description = NULL;
  g_autoptr (GError) error = NULL;

  gst_element_set_bus (element, bus);
  g_object_set (element, "device", spec, NULL);
  fail_unless (gst_element_set_state (element, GST_STATE_READY) == GST_STATE_CHANGE_FAILURE);
  error = test_bus_pop_error (bus);
  fail_unless (g_error_matches (error, GST_RESOURCE_ERROR, code), "device=%s: %s", spec,
      error != NULL ? error->message : "no error");
  fail_unless (strstr (error->message, word) != NULL, "device=%s: no \"%s\" in: %s", spec, word,
      error->message);
  fail_unless (test_bus_pop_error (bus) == NULL && describe (element) == NULL);
  g_object_set (element, "device", "cpu", NULL);
  fail_unless (gst_element_set_state (element, GST_STATE_READY) == GST_STATE_CHANGE_SUCCESS);
  description = describe (element);
  fail_unless (description != NULL && description[0] != '\0');
  fail_unless (gst_element_set_state (element, GST_STATE_NULL) == GST_STATE_CHANGE_SUCCESS);
  fail_unless (describe (element) == NULL);
  gst_element_set_bus (element, NULL);
}

GST_START_TEST (test_refusals)
{
  static const struct {
    gint code;
    const gchar *specs[8];
  } refused[] = {
    { GST_RESOURCE_ERROR_SETTINGS,
        { "gpu", "egl:", "egl:one", "egl:-1", "CPU", "dev/null", " auto" } },
    { GST_RESOURCE_ERROR_NOT_FOUND,
        { "/dev/dri/renderD999", "/no/such/folder/node", "/dev/null/renderD128", "egl:99" } },
    { GST_RESOURCE_ERROR_OPEN_READ_WRITE, { "/proc/self", "/proc/self/exe" } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    for (guint k = 0; refused[i].specs[k] != NULL; k++)
      check_refused (refused[i].specs[k], refused[i].code, refused[i].specs[k]);
}

GST_END_TEST;

/* A folder without permission replaces a node without permission: making a device node needs
 * privileges, with which the node could be opened. */
GST_START_TEST (test_no_permission)
{
  g_autofree gchar *folder = g_dir_make_tmp ("gles-device-XXXXXX", NULL);
  g_autofree gchar *node = g_build_filename (folder, "renderD128", NULL);

  fail_unless_equals_int (g_chmod (folder, 0), 0);
  /* of this thread alone; takes root's right to open everything */
  setfsuid (geteuid () == 0 ? NOBODY : geteuid ());
  check_refused (node, GST_RESOURCE_ERROR_OPEN_READ_WRITE, node);
  check_refused (node, GST_RESOURCE_ERROR_OPEN_READ_WRITE, "ermission");
  setfsuid (geteuid ());
  g_rmdir (folder);
}

GST_END_TEST;

/* ---- sharing ---- */

/* The device in the context that @element has: (transfer full) (nullable). */
static GstGlesDevice *
device_of (GstElement *element)
{
  g_autoptr (GstContext) context = gst_element_get_context (element, GST_GLES_DEVICE_CONTEXT_TYPE);
  GstGlesDevice *device = NULL;

  if (context != NULL)
    gst_structure_get (
        gst_context_get_structure (context), "device", GST_TYPE_GLES_DEVICE, &device, NULL);
  return device;
}

/* A device of the application is used if it matches the property. */
GST_START_TEST (test_device_of_the_application)
{
  g_autoptr (GstGlesDevice) device = gst_gles_device_new (test_device (), NULL);
  g_autoptr (GstContext) context = gst_context_new (GST_GLES_DEVICE_CONTEXT_TYPE, TRUE);
  g_autoptr (GstElement) element = test_element_new (NULL);
  g_autoptr (GstGlesDevice) used = NULL;

  gst_structure_set (
      gst_context_writable_structure (context), "device", GST_TYPE_GLES_DEVICE, device, NULL);
  gst_element_set_context (element, context);
  gst_element_set_state (element, GST_STATE_READY);
  used = device_of (element);
  fail_unless (used == device);
  gst_element_set_state (element, GST_STATE_NULL);
}

GST_END_TEST;

/* ---- losing it ---- */

GST_START_TEST (test_device_lost)
{
  const TestConfig config = { 0 };
  g_autoptr (TestStream) stream = test_stream_new ("post-messages=true", TEST_CAPS);

  for (guint round = 0; round < 4; round++) {
    g_autoptr (GstBuffer) kept = NULL;
    g_autoptr (GstGlesDevice) device = device_of (stream->element);

    kept = test_stream_push_noise (stream, 1);
    test_check_buffer (kept, &stream->info, &config, 0, "before the loss");
    gst_gles_device_mark_lost (device, "a test says so");
    test_stream_check_bad (stream, test_frame_noise (&stream->info, 2), GST_RESOURCE_ERROR,
        GST_RESOURCE_ERROR_FAILED, "the device was lost");
    /* no second error, however many frames follow */
    fail_unless_equals_int (
        gst_harness_push (stream->harness, test_frame_noise (&stream->info, 3)), GST_FLOW_ERROR);
    fail_unless (test_bus_pop_error (stream->bus) == NULL);
    /* what came back before is still there */
    test_check_buffer (kept, &stream->info, &config, 0, "after the loss");
    test_stream_restart (stream, round % 2 == 0 ? GST_STATE_READY : GST_STATE_NULL);
  }
}

GST_END_TEST;

/* /dev/null is no GPU; Mesa opens it all the same, with a software renderer. */
GST_START_TEST (test_node_that_is_no_gpu)
{
  g_autoptr (TestStream) stream = test_stream_new (NULL, NULL);
  g_autoptr (GstMessage) message = gst_bus_pop_filtered (stream->bus, GST_MESSAGE_WARNING);
  g_autoptr (GError) warning = NULL;

  fail_unless (message != NULL);
  gst_message_parse_warning (message, &warning, NULL);
  fail_unless (strstr (warning->message, "software renderer") != NULL, "%s", warning->message);
}

GST_END_TEST;

/* The log of the compiler, and behind it what to do. */
GST_START_TEST (test_advice_of_a_driver_that_does_not_compile)
{
  static const gchar *const words[] = { "device=cpu", "GST_GLES_LIMITS=minimum", "driver",
    "issue tracker" };
  g_autoptr (TestStream) stream = test_stream_new (NULL, NULL);
  g_autoptr (GError) error = g_error_new_literal (GST_GLES_ERROR, GST_GLES_ERROR_COMPILE,
      "surfaceless: kernel count does not compile:\ncount.comp:7: syntax error\n");
  g_autoptr (GError) posted = NULL;

  gst_gles_error_post (stream->element, error);
  posted = test_bus_pop_error (stream->bus);
  fail_unless (posted != NULL && g_str_has_prefix (posted->message, error->message));
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    fail_unless (strstr (posted->message, words[i]) != NULL, "%s", posted->message);
}

GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_test (tcase, test_refusals);
  tcase_add_test (tcase, test_no_permission);
  tcase_add_test (tcase, test_device_of_the_application);
  tcase_add_test (tcase, test_device_lost);
  if (g_str_equal (test_device (), "/dev/null"))
    tcase_add_test (tcase, test_node_that_is_no_gpu);
  tcase_add_test (tcase, test_advice_of_a_driver_that_does_not_compile);
}

TEST_MAIN (add_tests)
