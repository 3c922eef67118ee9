/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finding and opening devices. gleshistogram-device has the ways in which a spec is refused. */
#include <string.h>

#include "config.h"

#include <gst/gles/device/candidates.h>
#include <gst/gles/gl/queue-share.h>
#include <gst/gles/gl/submission.h>

#include "gles-test.h"

static GError *error;

static GstGlesDevice *
open_or_fail (const gchar *spec)
{
  GstGlesDevice *device;

  assert_ok (device = gst_gles_device_new (spec, &error));
  return device;
}

static void
assert_works (GstGlesQueue *queue)
{
  GError *failure = NULL;

  gst_gles_queue_begin (queue, &failure);
  g_assert_no_error (failure);
  gst_gles_queue_end (queue, &failure);
  g_assert_no_error (failure);
}

static void
assert_refused (const gchar *spec, gint code, const gchar *words)
{
  g_assert_null (gst_gles_device_new (spec, &error));
  g_assert_error (error, GST_GLES_ERROR, code);
  if (strstr (error->message, words) == NULL)
    g_error ("\"%s\" does not say \"%s\"", error->message, words);
  g_clear_error (&error);
}

static void
test_each_way_in (void)
{
  static const gchar *const specs[] = { "surfaceless", "egl:0", "software", "/dev/null" };
  static const gchar *const ids[] = { "surfaceless", "egl:0", NULL, "gbm:/dev/null" };

  for (guint i = 0; i < G_N_ELEMENTS (specs) - (HAVE_GBM ? 0 : 1); i++) {
    GstGlesDevice *device = open_or_fail (specs[i]);
    const GstGlesLimits *limits = gst_gles_device_get_limits (device);

    if (ids[i] != NULL)
      g_assert_cmpstr (gst_gles_device_get_id (device), ==, ids[i]);
    g_assert_true (gst_gles_device_matches (device, specs[i]));
    g_assert_false (gst_gles_device_matches (device, "cpu"));
    g_assert_nonnull (strstr (gst_gles_device_get_description (device), "OpenGL ES 3."));
    g_assert_cmpuint (limits->storage_blocks, >=, 4);
    g_assert_cmpuint (limits->shared_bytes, >=, 16384);
    g_assert_cmpuint (limits->invocations, >=, 128);
    g_assert_cmpuint (limits->groups[0], >=, 65535);
    /* the same display again, after the first device is gone */
    gst_object_unref (device);
    gst_object_unref (open_or_fail (specs[i]));
  }
}

static void
test_regular_file (void)
{
  assert_refused ("/proc/version", GST_GLES_ERROR_OPEN, "not a device node");
}

static void
test_environment (void)
{
  static const gchar *const refused[][4] = {
    { "GST_GLES_DEVICE", "nonsense", NULL, "nonsense" },
    { "GST_GLES_LIMITS", "little", "surfaceless", "little" },
    { "GST_GLES_LIMITS", "little", "auto", "little" }, /* no other device takes its place */
    { "GST_GLES_MEMORY", "borrowed", "surfaceless", "borrowed" },
    { "GST_GLES_MEMORY", "borrowed", "auto", "borrowed" },
    { "GST_GLES_LIMITS", "blocks=3", "surfaceless", "GST_GLES_LIMITS" },
    { "GST_GLES_LIMITS", "blocks=", "surfaceless", "GST_GLES_LIMITS" },
    { "GST_GLES_LIMITS", "blocks", "surfaceless", "GST_GLES_LIMITS" },
    { "GST_GLES_LIMITS", "invocations=64", "surfaceless", "GST_GLES_LIMITS" },
    { "GST_GLES_LIMITS", "no-robustness+", "surfaceless", "GST_GLES_LIMITS" },
    { "GST_GLES_LIMITS", "no-robustness+blocks=x", "surfaceless", "GST_GLES_LIMITS" },
    { "GST_GLES_LIMITS", "block-mib=0", "surfaceless", "GST_GLES_LIMITS" },
    { "GST_GLES_LIMITS", "minimum+blocks=8", "surfaceless", "GST_GLES_LIMITS" },
  };

  /* An explicit spec takes precedence. */
  g_setenv ("GST_GLES_DEVICE", "cpu", TRUE);
  for (guint i = 0; i < 2; i++) {
    g_autoptr (GstGlesDevice) device = open_or_fail (i == 0 ? NULL : "surfaceless");

    g_assert_cmpstr (gst_gles_device_get_id (device), ==, i == 0 ? "cpu" : "surfaceless");
    g_assert_true (gst_gles_device_matches (device, NULL) == (i == 0));
  }
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++) {
    g_setenv (refused[i][0], refused[i][1], TRUE);
    assert_refused (refused[i][2], GST_GLES_ERROR_SETTINGS, refused[i][3]);
    g_unsetenv (refused[i][0]);
  }
}

/* The limits of a device with GST_GLES_LIMITS. */
static GstGlesLimits
limits_with (const gchar *setting)
{
  g_autoptr (GstGlesDevice) device = NULL;

  if (setting != NULL)
    g_setenv ("GST_GLES_LIMITS", setting, TRUE);
  device = open_or_fail ("surfaceless");
  assert_works (gst_gles_device_get_queue (device));
  return *gst_gles_device_get_limits (device);
}

/* Each word of GST_GLES_LIMITS takes one thing away and leaves the others. */
static void
test_limits (void)
{
  const GstGlesLimits all = limits_with (NULL);
  GstGlesLimits less = limits_with ("minimum");

  g_assert_cmpuint (less.storage_blocks, ==, 4);
  g_assert_cmpuint (less.shared_bytes, ==, 16384);
  g_assert_cmpuint (less.invocations, ==, 128);
  g_assert_cmpuint (less.groups[1], ==, 65535);
  g_assert_cmpuint (less.subgroup_size, ==, 0);
  g_assert_false (less.buffer_storage);
  g_assert_true (less.clamped);
  /* Features that GST_GLES_LIMITS removes cannot be requested. */
  g_setenv ("GST_GLES_MEMORY", "vulkan", TRUE);
  assert_refused ("surfaceless", GST_GLES_ERROR_SETTINGS, "GST_GLES_LIMITS");
  g_unsetenv ("GST_GLES_MEMORY");

  /* Without robustness resets are not noticed, but work is. */
  less = limits_with ("no-texture-buffers+no-timer-queries+no-robustness+no-parallel-compile");
  g_assert_cmpuint (less.texel_buffer_texels, ==, 0);
  g_assert_false (less.timer_queries);
  g_assert_false (less.robustness);
  g_assert_false (less.parallel_compile);
  g_assert_false (less.clamped);
  g_assert_cmpuint (less.storage_blocks, ==, all.storage_blocks);
  g_assert_cmpuint (less.invocations, ==, all.invocations);

  less = limits_with ("blocks=8+block-mib=64+invocations=128");
  g_assert_cmpuint (less.storage_blocks, ==, MIN (all.storage_blocks, 8));
  g_assert_cmpuint (less.storage_block_bytes, ==, 64 << 20);
  g_assert_cmpuint (less.invocations, ==, 128);
  g_assert_cmpuint (less.group_size[0], ==, 128);
  g_assert_cmpuint (less.texel_buffer_texels, ==, all.texel_buffer_texels);
  g_unsetenv ("GST_GLES_LIMITS");
}

static GPtrArray *lines; /* what the library says of its choices */

static void
collect (GstDebugCategory *category, GstDebugLevel level, const gchar *file, const gchar *function,
    gint line, GObject *object, GstDebugMessage *message, gpointer user_data)
{
  const gchar *text = gst_debug_message_get (message);

  if (level == GST_LEVEL_INFO && g_str_has_prefix (text, "device=auto takes "))
    g_ptr_array_add (lines, g_strdup (text));
}

/* `auto` is the first GPU, else cpu, and never a software renderer. One line says which, and
 * why. */
static void
test_auto (void)
{
  g_autoptr (GArray) candidates = gst_gles_candidates_probe ();
  g_autoptr (GstGlesDevice) chosen = NULL;
  const gchar *expected = "cpu", *line;
  gboolean cpu = FALSE;

  for (guint i = candidates->len; i-- > 0;) {
    const GstGlesCandidate *candidate = &g_array_index (candidates, GstGlesCandidate, i);
    GstGlesDevice *device = candidate->device;

    g_assert_true ((device != NULL) != (candidate->error != NULL));
    cpu |= strcmp (candidate->spec, "cpu") == 0;
    if (device != NULL && gst_gles_device_get_kind (device) == GST_GLES_DEVICE_HARDWARE)
      expected = gst_gles_device_get_id (device);
  }
  g_assert_true (cpu);
  lines = g_ptr_array_new_with_free_func (g_free);
  gst_debug_set_threshold_from_string ("gles:4", TRUE);
  gst_debug_add_log_function (collect, NULL, NULL);
  chosen = open_or_fail ("auto");
  gst_debug_remove_log_function (collect);
  gst_debug_set_threshold_from_string ("", TRUE);

  g_assert_cmpstr (gst_gles_device_get_id (chosen), ==, expected);
  g_assert_cmpuint (lines->len, ==, 1);
  line = g_ptr_array_index (lines, 0);
  g_assert_nonnull (strstr (line, gst_gles_device_get_description (chosen)));
  g_assert_null (strchr (line, '\n'));
  for (guint i = 0; g_str_equal (expected, "cpu") && i < candidates->len; i++) {
    const GstGlesCandidate *candidate = &g_array_index (candidates, GstGlesCandidate, i);
    g_assert_nonnull (strstr (line,
        candidate->device != NULL ? gst_gles_device_get_description (candidate->device)
                                  : candidate->error->message));
  }
  g_clear_pointer (&lines, g_ptr_array_unref);
}

/* a queue that outlives the device object still works: it holds the share group */
static void
test_queue_outlives_device (void)
{
  GstGlesDevice *device = open_or_fail ("surfaceless");
  g_autoptr (GstGlesQueue) queue = gst_object_ref (gst_gles_device_get_queue (device));
  GstGlesQueue *second = gst_gles_queue_new (device, NULL);
  GstGlesDevice *held;

  gst_object_unref (device);
  held = gst_gles_queue_get_device (second);
  g_assert_true (held == device);
  gst_object_unref (held);
  gst_object_unref (second);
  g_assert_null (gst_gles_queue_get_device (queue));
  assert_works (queue);
}

static void
test_context_sharing (void)
{
  g_autoptr (GstElement) bin = gst_object_ref_sink (gst_pipeline_new (NULL));
  GstElement *first = gst_element_factory_make ("fakesink", "first");
  GstElement *second = gst_element_factory_make ("fakesink", "second");
  g_autoptr (GstGlesDevice) a = NULL, b = NULL, c = NULL;
  g_autoptr (GstQuery) query = gst_query_new_context (GST_GLES_DEVICE_CONTEXT_TYPE);
  g_autoptr (GstContext) context = NULL;

  gst_bin_add_many (GST_BIN (bin), first, second, NULL);
  assert_ok (gst_gles_device_ensure (first, "surfaceless", &a, &error));
  /* the bin keeps what the first one offered and gives it to the second */
  context = gst_element_get_context (bin, GST_GLES_DEVICE_CONTEXT_TYPE);
  g_assert_nonnull (context);
  g_assert_true (gst_gles_device_handle_set_context (context, "auto", &b));
  g_assert_true (a == b);
  /* another device is asked for: not taken */
  g_assert_false (gst_gles_device_handle_set_context (context, "cpu", &c));
  g_assert_null (c);
  /* a lost one is not taken either */
  g_assert_true (gst_gles_device_handle_context_query (second, query, a));
  gst_gles_device_mark_lost (a, "a test says so");
  g_assert_false (gst_gles_device_handle_context_query (second, query, a));
  g_assert_false (gst_gles_device_handle_set_context (context, "surfaceless", &c));
  assert_ok (gst_gles_device_ensure (second, "surfaceless", &b, &error));
  g_assert_true (b != a);
}

/* Software renderers stand for two names of one GPU. */
static void
test_one_gpu (void)
{
  GstGlesDevice *first, *again, *other, *next;

  g_setenv ("GST_GLES_TEST_ONE_GPU", "1", TRUE);
  first = open_or_fail ("surfaceless");
  again = open_or_fail ("surfaceless");
  other = open_or_fail ("egl:0");
  g_assert_true (again == first && other == first);
  g_assert_cmpstr (gst_gles_device_get_id (other), ==, "surfaceless");
  g_assert_true (gst_gles_device_matches (first, "egl:0"));
  g_assert_false (gst_gles_device_matches (first, "egl:1"));
  /* a lost one is nobody's any more */
  gst_gles_device_mark_lost (first, "a test says so");
  next = open_or_fail ("egl:0");
  g_assert_true (next != first);
  g_assert_cmpstr (gst_gles_device_get_id (next), ==, "egl:0");
  gst_object_unref (next);
  gst_object_unref (other);
  gst_object_unref (again);
  gst_object_unref (first);
  /* nor is one that is closed */
  next = open_or_fail ("surfaceless");
  g_assert_cmpstr (gst_gles_device_get_id (next), ==, "surfaceless");
  gst_object_unref (next);
  g_unsetenv ("GST_GLES_TEST_ONE_GPU");
  /* renderers that are none are opened each for itself */
  first = open_or_fail ("surfaceless");
  again = open_or_fail ("surfaceless");
  g_assert_true (again != first);
  gst_object_unref (again);
  gst_object_unref (first);
}

int
main (int argc, char **argv)
{
  GstGlesDevice *software;

  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);
  software = gst_gles_device_new ("software", NULL);
  if (software == NULL && gles_test_no_gl () != GLES_TEST_SKIP)
    return 1;
  g_test_add_func ("/device/regular-file", test_regular_file);
  g_test_add_func ("/device/auto", test_auto);
  if (software != NULL) {
    g_test_add_func ("/device/each-way-in", test_each_way_in);
    g_test_add_func ("/device/environment", test_environment);
    g_test_add_func ("/device/one-gpu", test_one_gpu);
    g_test_add_func ("/device/limits", test_limits);
    g_test_add_func ("/device/queue-outlives-device", test_queue_outlives_device);
    g_test_add_func ("/device/context-sharing", test_context_sharing);
  }
  gst_clear_object (&software);
  return g_test_run ();
}
