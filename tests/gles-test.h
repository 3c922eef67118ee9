/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* For tests that need a GL device: which device, and how to skip without one. */
#ifndef GLES_TEST_H
#define GLES_TEST_H

#include <stdlib.h>

#include <glib/gstdio.h>
#include <gst/gst.h>
#include <gst/gles/gl/buffer.h>

#define GLES_TEST_SKIP 77

/* A call that succeeds, and one that fails with GST_GLES_ERROR_##code. Both use a variable `error`,
 * which is NULL before and after. */
#define assert_ok(call)                                                                            \
  G_STMT_START                                                                                     \
  {                                                                                                \
    const gboolean ok_ = (call) ? TRUE : FALSE;                                                    \
    g_assert_no_error (error);                                                                     \
    g_assert_true (ok_);                                                                           \
  }                                                                                                \
  G_STMT_END
#define assert_fails(call, code)                                                                   \
  G_STMT_START                                                                                     \
  {                                                                                                \
    const gboolean ok_ = (call) ? TRUE : FALSE;                                                    \
    g_assert_false (ok_);                                                                          \
    g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_##code);                                 \
    g_clear_error (&error);                                                                        \
  }                                                                                                \
  G_STMT_END

/* Whether memory comes from Vulkan if GST_GLES_MEMORY wants it to. */
static inline gboolean
gles_test_has_memory (GstGlesDevice *device)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstGlesBuffer) buffer = NULL;

  if (g_strcmp0 (g_getenv ("GST_GLES_MEMORY"), "vulkan") != 0)
    return TRUE;
  buffer = gst_gles_buffer_new (device, 16, &error);
  if (buffer != NULL)
    return TRUE;
  g_printerr ("no Vulkan: %s\n", error->message);
  return FALSE;
}

/* Opens @spec: (nullable) (transfer full). Without one, or with "auto", which is never a software
 * renderer for the library, the first GPU, else the software renderer. */
static inline GstGlesDevice *
gles_test_open (const gchar *spec, GError **error)
{
  GstGlesDevice *device;

  if (spec != NULL && !g_str_equal (spec, "auto"))
    return gst_gles_device_new (spec, error);
  device = gst_gles_device_new ("auto", error);
  if (device == NULL || gst_gles_device_get_kind (device) != GST_GLES_DEVICE_CPU)
    return device;
  gst_object_unref (device);
  return gst_gles_device_new ("software", error);
}

/* The GL device that GLES_TEST_DEVICE names, opened by gles_test_open(), NULL when there is none: a
 * cpu device is not one. */
static inline GstGlesDevice *
gles_test_gl_device (void)
{
  g_autoptr (GError) error = NULL;
  GstGlesDevice *device = gles_test_open (g_getenv ("GLES_TEST_DEVICE"), &error);

  if (device == NULL) {
    g_printerr ("no device: %s\n", error->message);
    return NULL;
  }
  if (gst_gles_device_get_kind (device) == GST_GLES_DEVICE_CPU || !gles_test_has_memory (device))
    gst_clear_object (&device);
  else
    g_print ("# device: %s\n", gst_gles_device_get_description (device));
  return device;
}

/* The exit status of a test that found no GL device. */
static inline gint
gles_test_no_gl (void)
{
  gboolean required = g_strcmp0 (g_getenv ("GLES_TEST_REQUIRE"), "gl") == 0;

  g_printerr ("no device to test%s\n", required ? ", but GLES_TEST_REQUIRE=gl" : ": skipped");
  return required ? 1 : GLES_TEST_SKIP;
}

static inline void
gles_test_remove_tree (const gchar *path)
{
  GDir *dir = g_dir_open (path, 0, NULL);
  const gchar *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree gchar *entry = g_build_filename (path, name, NULL);
    gles_test_remove_tree (entry);
  }
  g_clear_pointer (&dir, g_dir_close);
  g_remove (path);
}

static gchar gles_test_cache[1024];

static inline void
gles_test_remove_cache (void)
{
  gles_test_remove_tree (gles_test_cache);
}

/* A cache folder of this process's own, before anything asks for the user's, removed at the end:
 * (transfer full). Mesa's cache of machine code is elsewhere: see tests/meson.build. */
static inline gchar *
gles_test_private_cache (void)
{
  gchar *folder = g_dir_make_tmp ("gst-gles-test-XXXXXX", NULL);

  g_setenv ("XDG_CACHE_HOME", folder, TRUE);
  g_strlcpy (gles_test_cache, folder, sizeof (gles_test_cache));
  atexit (gles_test_remove_cache);
  return folder;
}

/* Begins a program of GLib's tests. Returns the device of GLES_TEST_DEVICE, also the cpu device if
 * @cpu: (transfer full) (nullable). */
static inline GstGlesDevice *
gles_test_begin (int *argc, char ***argv, gboolean cpu)
{
  g_test_init (argc, argv, NULL);
  gst_init (argc, argv);
  g_free (gles_test_private_cache ());
  if (cpu && g_strcmp0 (g_getenv ("GLES_TEST_DEVICE"), "cpu") == 0)
    return gst_gles_device_new ("cpu", NULL);
  return gles_test_gl_device ();
}

#endif
