/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Storage of buffers that Vulkan allocates: contents, life, and what happens without Vulkan. */
#include <stdio.h>
#include <string.h>

#include <gst/gles/gl/gl-private.h>

#include "gles-test.h"

#define LARGE GST_GLES_LARGE_BYTES

/* where no Vulkan driver is */
#define NOWHERE "/nonexistent/icd.json"

/* The linker puts this in place of gst_gles_vulkan_export(). */
static gboolean export_short; /* the next memory has too few bytes, which GL refuses */

gint __real_gst_gles_vulkan_export (
    GstGlesVulkan *vulkan, gsize size_bytes, guint64 *memory_bytes, GError **error);
gint __wrap_gst_gles_vulkan_export (
    GstGlesVulkan *vulkan, gsize size_bytes, guint64 *memory_bytes, GError **error);

gint
__wrap_gst_gles_vulkan_export (
    GstGlesVulkan *vulkan, gsize size_bytes, guint64 *memory_bytes, GError **error)
{
  gsize bytes = export_short ? size_bytes / 2 : size_bytes;

  export_short = FALSE;
  return __real_gst_gles_vulkan_export (vulkan, bytes, memory_bytes, error);
}

static GstGlesDevice *
open_device (GstGlesMemory memory)
{
  GError *error = NULL;
  GstGlesDevice *device = gles_test_open (g_getenv ("GLES_TEST_DEVICE"), &error);

  g_assert_no_error (error);
  gst_gles_device_get_share (device)->memory = memory;
  return device;
}

static GstGlesBuffer *
new_buffer (GstGlesDevice *device, gsize size_bytes)
{
  GError *error = NULL;
  GstGlesBuffer *buffer = gst_gles_buffer_new (device, size_bytes, &error);

  g_assert_no_error (error);
  return buffer;
}

static void
check_contents (GstGlesDevice *device, GstGlesBuffer *buffer, gsize size_bytes, guint8 seed)
{
  GstGlesQueue *queue = gst_gles_device_get_queue (device);
  g_autofree guint8 *data = g_malloc (size_bytes + 1), *got = g_malloc (size_bytes + 1);
  GError *error = NULL;

  memset (data, 0, size_bytes);
  g_assert_true (gst_gles_buffer_download (buffer, queue, 0, got, size_bytes, &error));
  g_assert_no_error (error);
  g_assert_cmpmem (got, size_bytes, data, size_bytes);
  for (gsize i = 0; i < size_bytes; i++)
    data[i] = (guint8) (i * 7 + (i >> 8) + seed);
  g_assert_true (gst_gles_buffer_upload (buffer, queue, 0, data, size_bytes, &error));
  g_assert_true (gst_gles_buffer_download (buffer, queue, 0, got, size_bytes, &error));
  g_assert_no_error (error);
  g_assert_cmpmem (got, size_bytes, data, size_bytes);
}

static void
test_sizes (void)
{
  static const gsize sizes[] = { 0, 1, 15, 16, 17, 4095, 65536 - 80, 65536 - 79, 65536, 1000003,
    (2 << 20) - 80, (2 << 20) - 64, 2 << 20, (2 << 20) + 1, 5000011 };
  GstGlesDevice *device = open_device (GST_GLES_MEMORY_VULKAN);
  GstGlesBuffer *buffers[G_N_ELEMENTS (sizes)];

  /* all at once: none reaches into another */
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    buffers[i] = new_buffer (device, sizes[i]);
    g_assert_cmpuint (buffers[i]->imported, !=, 0);
    check_contents (device, buffers[i], sizes[i], (guint8) i);
  }
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    g_autofree guint8 *got = g_malloc (sizes[i] + 1);
    g_assert_true (gst_gles_buffer_download (
        buffers[i], gst_gles_device_get_queue (device), 0, got, sizes[i], NULL));
    for (gsize k = 0; k < sizes[i]; k++)
      g_assert_cmpuint (got[k], ==, (guint8) (k * 7 + (k >> 8) + i));
    gst_gles_buffer_unref (buffers[i]);
  }
  gst_object_unref (device);
}

static guint
count_lines (const gchar *path, const gchar *word)
{
  g_autofree gchar *text = NULL;
  g_auto (GStrv) lines = NULL;
  guint n = 0;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    n += strstr (lines[i], word) != NULL;
  return n;
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

/* Neither descriptors nor mappings pile up, in a process that makes buffers for days. */
static void
test_life (void)
{
  GstGlesDevice *device = open_device (GST_GLES_MEMORY_VULKAN);
  guint descriptors = 0, mappings = 0;

  for (guint round = 0; round < 60; round++) {
    GstGlesBuffer *buffer = new_buffer (device, 300000);
    GstGlesBuffer *other = new_buffer (device, 3000000);

    check_contents (device, buffer, 300000, (guint8) round);
    gst_gles_buffer_unref (buffer);
    gst_gles_buffer_unref (other);
    if (round == 9) {
      descriptors = count_descriptors ();
      mappings = count_lines ("/proc/self/maps", "-");
    }
  }
  g_assert_cmpuint (count_descriptors (), <=, descriptors + 2);
  g_assert_cmpuint (count_lines ("/proc/self/maps", "-"), <=, mappings + 20);
  gst_object_unref (device);
}

/* The rule for NVIDIA's devices, here on any: large buffers only. The padding counts. */
static void
test_large (void)
{
  GstGlesDevice *device = open_device (GST_GLES_MEMORY_LARGE_VULKAN);
  GstGlesBuffer *small = new_buffer (device, LARGE - GST_GLES_BUFFER_PADDING - 16);
  GstGlesBuffer *first = new_buffer (device, LARGE - GST_GLES_BUFFER_PADDING);
  GstGlesBuffer *large = new_buffer (device, LARGE);

  g_assert_cmpuint (small->imported, ==, 0);
  g_assert_cmpuint (first->imported, !=, 0);
  g_assert_cmpuint (large->imported, !=, 0);
  check_contents (device, large, LARGE, 3);
  gst_gles_buffer_unref (large);
  gst_gles_buffer_unref (first);
  gst_gles_buffer_unref (small);
  gst_object_unref (device);
}

/* GL refuses the memory of Vulkan; GL's own memory replaces it. */
static void
test_refused_import (void)
{
  GstGlesDevice *device = open_device (GST_GLES_MEMORY_LARGE_VULKAN);
  GstGlesBuffer *buffer;

  export_short = TRUE;
  buffer = new_buffer (device, LARGE);
  g_assert_false (export_short);
  g_assert_cmpuint (buffer->imported, ==, 0);
  check_contents (device, buffer, LARGE, 7);
  gst_gles_buffer_unref (buffer);
  gst_object_unref (device);
}

/* The default, by kind of device. */
static void
test_default (void)
{
  GError *error = NULL;
  GstGlesDevice *device = gles_test_open (g_getenv ("GLES_TEST_DEVICE"), &error);
  gboolean nvidia;

  g_assert_no_error (error);
  nvidia = gst_gles_device_get_kind (device) == GST_GLES_DEVICE_HARDWARE &&
      strstr (gst_gles_device_get_description (device), "NVIDIA") != NULL;
  g_assert_cmpint (gst_gles_device_get_share (device)->memory, ==,
      nvidia ? GST_GLES_MEMORY_LARGE_VULKAN : GST_GLES_MEMORY_GL);
  gst_object_unref (device);
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
  GstGlesDevice *device;
  GstGlesBuffer *buffer;
  GError *error = NULL;

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
  device = open_device (GST_GLES_MEMORY_LARGE_VULKAN);
  for (guint i = 0; i < 3; i++) {
    buffer = new_buffer (device, LARGE);
    g_assert_cmpuint (buffer->imported, ==, 0);
    if (i == 0)
      check_contents (device, buffer, LARGE, 5);
    gst_gles_buffer_unref (buffer);
  }
  g_assert_cmpuint (n_warnings, ==, 1);
  gst_object_unref (device);

  /* with GST_GLES_MEMORY=vulkan it is an error */
  device = open_device (GST_GLES_MEMORY_VULKAN);
  buffer = gst_gles_buffer_new (device, 100, &error);
  g_assert_null (buffer);
  g_assert_nonnull (error);
  g_assert_true (error->domain == GST_GLES_ERROR);
  g_assert_true (error->code == GST_GLES_ERROR_INIT || error->code == GST_GLES_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "Vulkan"));
  g_clear_error (&error);
  gst_object_unref (device);
}

/* More than there is: a refusal, and the device goes on working. */
static void
test_too_much (void)
{
  GstGlesDevice *device = open_device (GST_GLES_MEMORY_VULKAN);
  GError *error = NULL;
  GstGlesBuffer *buffer = gst_gles_buffer_new (device, G_GUINT64_CONSTANT (1) << 50, &error);

  g_assert_null (buffer);
  g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY);
  g_clear_error (&error);
  buffer = new_buffer (device, 1000);
  check_contents (device, buffer, 1000, 9);
  gst_gles_buffer_unref (buffer);
  gst_object_unref (device);
}

int
main (int argc, char *argv[])
{
  g_autofree gchar *cache = NULL;
  GstGlesDevice *device;

  gst_init (&argc, &argv);
  cache = gles_test_private_cache ();
  g_test_init (&argc, &argv, NULL);
  g_setenv ("GLES_TEST_DEVICE", "surfaceless", FALSE);
  g_setenv ("GST_GLES_MEMORY", "vulkan", TRUE);
  device = g_test_subprocess () ? NULL : gles_test_gl_device ();
  g_unsetenv ("GST_GLES_MEMORY");
  if (device == NULL && !g_test_subprocess ())
    return gles_test_no_gl ();
  gst_clear_object (&device);
  g_test_add_func ("/memory/sizes", test_sizes);
  g_test_add_func ("/memory/life", test_life);
  g_test_add_func ("/memory/large", test_large);
  g_test_add_func ("/memory/refused-import", test_refused_import);
  g_test_add_func ("/memory/default", test_default);
  g_test_add_func ("/memory/without-vulkan", test_without_vulkan);
  g_test_add_func ("/memory/too-much", test_too_much);
  return g_test_run ();
}
