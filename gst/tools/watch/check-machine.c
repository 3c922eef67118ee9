/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "check-machine.h"

#include <errno.h>
#include <unistd.h>

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <gst/gles/gles.h>

static gboolean
fail (GError **error, const gchar *what, const gchar *path, gint code)
{
  g_set_error (
      error, G_IO_ERROR, g_io_error_from_errno (code), "%s %s: %s", what, path, g_strerror (code));
  return FALSE;
}

gboolean
watch_check_file (const WatchSection *section, const gchar *path, GError **error)
{
  g_autofree gchar *text = NULL;

  return g_file_get_contents (path, &text, NULL, error);
}

gboolean
watch_check_folder (const WatchSection *section, const gchar *path, GError **error)
{
  g_autofree gchar *there = g_strdup (path);
  g_autofree gchar *made = NULL;

  while (!g_file_test (there, G_FILE_TEST_EXISTS)) {
    gchar *above = g_path_get_dirname (there);

    g_free (there);
    there = above;
  }
  if (!g_file_test (there, G_FILE_TEST_IS_DIR))
    return fail (error, "cannot make the folder", path, ENOTDIR);
  made = g_build_filename (there, ".gst-gles-watch-XXXXXX", NULL);
  if (g_mkdtemp (made) == NULL)
    return fail (error, "cannot write to the folder", path, errno);
  g_rmdir (made);
  return TRUE;
}

gboolean
watch_check_target (const WatchSection *section, const gchar *address, GError **error)
{
  g_autofree gchar *folder = NULL;

  if (((const WatchPublishConfig *) section)->method != WATCH_METHOD_FILE)
    return TRUE;
  if (g_file_test (address, G_FILE_TEST_IS_DIR))
    return fail (error, "cannot write to", address, EISDIR);
  if (g_file_test (address, G_FILE_TEST_EXISTS))
    return g_access (address, W_OK) == 0 || fail (error, "cannot write to", address, errno);
  folder = g_path_get_dirname (address);
  /* the program makes no folder for a file */
  if (!g_file_test (folder, G_FILE_TEST_IS_DIR))
    return fail (error, "there is no folder", folder, ENOENT);
  return watch_check_folder (section, folder, error);
}

gboolean
watch_check_device_name (const WatchSection *section, const gchar *device, GError **error)
{
  g_autoptr (GError) failure = NULL;

  if (watch_check_device (section, device, &failure) ||
      !g_error_matches (failure, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}

gboolean
watch_check_device (const WatchSection *section, const gchar *device, GError **error)
{
  g_autoptr (GstGlesDevice) opened = NULL;

  /* "auto" always finds a device, and looking for it may take seconds */
  if (g_str_equal (device, "auto"))
    return TRUE;
  opened = gst_gles_device_new (device, error);
  return opened != NULL;
}
