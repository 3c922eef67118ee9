/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Storage of buffers that Vulkan allocates: contents, life, and what happens without Vulkan. */
#include "gl-common.h"

#define LARGE GST_GLES_LARGE_BYTES

/* where no Vulkan driver is */
#define NOWHERE "/nonexistent/icd.json"

/* The linker puts this in place of gst_gles_vulkan_export(). */
static gboolean export_short; /* the next memory has too few bytes, which GL refuses */

gint __real_gst_gles_vulkan_export (
    GstGlesVulkan *vulkan, gsize size_bytes, guint64 *memory_bytes, GError **failure);
gint __wrap_gst_gles_vulkan_export (
    GstGlesVulkan *vulkan, gsize size_bytes, guint64 *memory_bytes, GError **failure);

gint
__wrap_gst_gles_vulkan_export (
    GstGlesVulkan *vulkan, gsize size_bytes, guint64 *memory_bytes, GError **failure)
{
  gsize bytes = export_short ? size_bytes / 2 : size_bytes;

  export_short = FALSE;
  return __real_gst_gles_vulkan_export (vulkan, bytes, memory_bytes, failure);
}

/* Every test opens a device of its own with one way to get memory. */
static void
open_device (GstGlesMemory memory)
{
  gst_clear_object (&device);
  assert_ok (device = gles_test_open (g_getenv ("GLES_TEST_DEVICE"), &error));
  queue = gst_gles_device_get_queue (device);
  gst_gles_device_get_share (device)->memory = memory;
}

/* Compares @buffer with zeros if @seed is -1, else with the bytes of @seed, which are written first
 * if @write. */
static void
check_bytes (GstGlesBuffer *buffer, gsize size_bytes, gint seed, gboolean write)
{
  g_autofree guint8 *data = g_malloc (size_bytes + 1), *got = g_malloc (size_bytes + 1);

  for (gsize i = 0; i < size_bytes; i++)
    data[i] = seed < 0 ? 0 : (guint8) (i * 7 + (i >> 8) + (guint) seed);
  if (write)
    assert_ok (gst_gles_buffer_upload (buffer, queue, 0, data, size_bytes, &error));
  assert_ok (gst_gles_buffer_download (buffer, queue, 0, got, size_bytes, &error));
  g_assert_true (memcmp (got, data, size_bytes) == 0);
}

/* Makes a buffer, which is zeros, and fills it with the bytes of @seed. */
static GstGlesBuffer *
filled_buffer (gsize size_bytes, gint seed, gboolean imported)
{
  GstGlesBuffer *buffer = new_buffer (size_bytes);

  g_assert_true ((buffer->imported != 0) == imported);
  check_bytes (buffer, size_bytes, -1, FALSE);
  check_bytes (buffer, size_bytes, seed, TRUE);
  return buffer;
}

static void
test_sizes (void)
{
  static const gsize sizes[] = { 0, 1, 15, 16, 17, 4095, 65536 - 80, 65536 - 79, 65536, 1000003,
    (2 << 20) - 80, (2 << 20) - 64, 2 << 20, (2 << 20) + 1, 5000011 };
  GstGlesBuffer *buffers[G_N_ELEMENTS (sizes)];

  open_device (GST_GLES_MEMORY_VULKAN);
  /* all at once: none reaches into another */
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    buffers[i] = filled_buffer (sizes[i], (gint) i, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    check_bytes (buffers[i], sizes[i], (gint) i, FALSE);
    gst_gles_buffer_unref (buffers[i]);
  }
}

static guint
count_descriptors (void)
{
  GDir *dir = g_dir_open ("/proc/self/fd", 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  g_dir_close (dir);
  return n;
}

static guint
count_mappings (void)
{
  g_autofree gchar *text = NULL;
  g_auto (GStrv) lines = NULL;

  g_assert_true (g_file_get_contents ("/proc/self/maps", &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  return g_strv_length (lines);
}

/* Neither descriptors nor mappings pile up, in a process that makes buffers for days. */
static void
test_life (void)
{
  guint descriptors = 0, mappings = 0;

  open_device (GST_GLES_MEMORY_VULKAN);
  for (guint round = 0; round < 60; round++) {
    gst_gles_buffer_unref (filled_buffer (300000, 5, TRUE));
    gst_gles_buffer_unref (new_buffer (3000000));
    if (round == 9) {
      descriptors = count_descriptors ();
      mappings = count_mappings ();
    }
  }
  g_assert_cmpuint (count_descriptors (), <=, descriptors + 2);
  /* less than one a round; AddressSanitizer maps some for what is freed */
  g_assert_cmpuint (count_mappings (), <=, mappings + 40);
}

/* The rule for NVIDIA's devices, here on any: large buffers only. The padding counts. */
static void
test_large (void)
{
  open_device (GST_GLES_MEMORY_LARGE_VULKAN);
  {
    g_autoptr (GstGlesBuffer) small = new_buffer (LARGE - GST_GLES_BUFFER_PADDING - 16);
    g_autoptr (GstGlesBuffer) first = new_buffer (LARGE - GST_GLES_BUFFER_PADDING);

    g_assert_cmpuint (small->imported, ==, 0);
    g_assert_cmpuint (first->imported, !=, 0);
    gst_gles_buffer_unref (filled_buffer (LARGE, 3, TRUE));
  }
  /* GL refuses the memory of Vulkan; GL's own memory replaces it. */
  export_short = TRUE;
  gst_gles_buffer_unref (filled_buffer (LARGE, 7, FALSE));
  g_assert_false (export_short);
}

/* The default, by kind of device. */
static void
test_default (void)
{
  g_autoptr (GstGlesDevice) fresh = gles_test_open (g_getenv ("GLES_TEST_DEVICE"), &error);
  gboolean nvidia;

  g_assert_no_error (error);
  nvidia = gst_gles_device_get_kind (fresh) == GST_GLES_DEVICE_HARDWARE &&
      strstr (gst_gles_device_get_description (fresh), "NVIDIA") != NULL;
  g_assert_cmpint (gst_gles_device_get_share (fresh)->memory, ==,
      nvidia ? GST_GLES_MEMORY_LARGE_VULKAN : GST_GLES_MEMORY_GL);
}

static guint n_warnings;

static void
count_warning (GstDebugCategory *category, GstDebugLevel level, const gchar *file,
    const gchar *function, gint line, GObject *object, GstDebugMessage *message, gpointer user_data)
{
  if (level == GST_LEVEL_WARNING &&
      strstr (gst_debug_message_get (message), "has memory from OpenGL ES") != NULL)
    n_warnings++;
}

/* In a process of its own: the loader reads its variables once. */
static void
test_without_vulkan (void)
{
  if (!g_test_subprocess ()) {
    g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
    g_test_trap_assert_passed ();
    return;
  }
  g_setenv ("VK_ICD_FILENAMES", NOWHERE, TRUE);
  g_setenv ("VK_DRIVER_FILES", NOWHERE, TRUE);
  gst_debug_set_active (TRUE);
  gst_debug_set_threshold_for_name ("gles", GST_LEVEL_WARNING);
  gst_debug_remove_log_function (gst_debug_log_default);
  gst_debug_add_log_function (count_warning, NULL, NULL);

  /* GL's memory replaces it, with one warning */
  open_device (GST_GLES_MEMORY_LARGE_VULKAN);
  gst_gles_buffer_unref (filled_buffer (LARGE, 5, FALSE));
  gst_gles_buffer_unref (new_buffer (LARGE));
  g_assert_cmpuint (n_warnings, ==, 1);

  /* with GST_GLES_MEMORY=vulkan it is an error */
  open_device (GST_GLES_MEMORY_VULKAN);
  g_assert_null (gst_gles_buffer_new (device, 100, &error));
  g_assert_nonnull (strstr (error->message, "Vulkan"));
  if (g_error_matches (error, GST_GLES_ERROR, GST_GLES_ERROR_NOT_FOUND))
    g_clear_error (&error);
  else
    assert_fails (FALSE, INIT);
}

/* More than there is: a refusal, and the device goes on working. */
static void
test_too_much (void)
{
  open_device (GST_GLES_MEMORY_VULKAN);
  assert_fails (gst_gles_buffer_new (device, G_GUINT64_CONSTANT (1) << 50, &error), NO_MEMORY);
  gst_gles_buffer_unref (filled_buffer (1000, 9, TRUE));
}

int
main (int argc, char *argv[])
{
  gint result;

  /* GST_GLES_MEMORY=vulkan is for the parent, which skips without Vulkan; a child has no Vulkan */
  device = gles_test_begin (&argc, &argv, FALSE);
  g_unsetenv ("GST_GLES_MEMORY");
  if (device == NULL)
    return gles_test_no_gl ();
  g_test_add_func ("/memory/sizes", test_sizes);
  g_test_add_func ("/memory/life", test_life);
  g_test_add_func ("/memory/large", test_large);
  g_test_add_func ("/memory/default", test_default);
  g_test_add_func ("/memory/without-vulkan", test_without_vulkan);
  g_test_add_func ("/memory/too-much", test_too_much);
  result = g_test_run ();
  gst_clear_object (&device);
  return result;
}
