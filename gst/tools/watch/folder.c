/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "folder.h"

#include <errno.h>
#include <string.h>
#include <sys/statvfs.h>

#include <gio/gio.h>
#include <glib/gstdio.h>

typedef struct {
  gchar *path;
  guint64 size;
} File;

static void
clear_file (gpointer data)
{
  g_free (((File *) data)->path);
}

static gint
compare_files (gconstpointer a, gconstpointer b)
{
  return strcmp (((const File *) a)->path, ((const File *) b)->path);
}

/* Returns the files by name: (transfer full), of File. */
static GArray *
list (const gchar *directory, const gchar *suffix, guint64 *bytes)
{
  GArray *files = g_array_new (FALSE, FALSE, sizeof (File));
  g_autoptr (GDir) folder = g_dir_open (directory, 0, NULL);
  const gchar *name;

  g_array_set_clear_func (files, clear_file);
  *bytes = 0;
  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL) {
    File file = { g_build_filename (directory, name, NULL), 0 };
    GStatBuf about;

    if (g_str_has_suffix (name, suffix) && g_lstat (file.path, &about) == 0 &&
        S_ISREG (about.st_mode)) {
      file.size = (guint64) about.st_size;
      *bytes += file.size;
      g_array_append_val (files, file);
    } else {
      g_free (file.path);
    }
  }
  g_array_sort (files, compare_files);
  return files;
}

/* Whether less than @bytes are free. */
static gboolean
lacks_room (const gchar *directory, guint64 bytes)
{
  struct statvfs about;

  return bytes > 0 && statvfs (directory, &about) == 0 &&
      (guint64) about.f_bavail * about.f_frsize < bytes;
}

/* Whether @file, the oldest of @n, has to go. @bytes: of all. */
static gboolean
is_too_much (const gchar *directory, const WatchFolderBounds *bounds, const File *file, guint n,
    guint64 bytes)
{
  const gchar *name = strrchr (file->path, '/') + 1;

  return (bounds->max_files > 0 && n > bounds->max_files) ||
      (bounds->max_bytes > 0 && bytes > bounds->max_bytes) ||
      (bounds->oldest != NULL && strcmp (name, bounds->oldest) < 0) ||
      lacks_room (directory, bounds->keep_free);
}

guint
watch_folder_prune (const gchar *directory, const WatchFolderBounds *bounds, guint64 *bytes)
{
  g_autoptr (GArray) files = list (directory, bounds->suffix, bytes);
  guint left = files->len;

  for (guint i = 0; i + bounds->keep_newest < files->len; i++) {
    const File *file = &g_array_index (files, File, i);

    if (!is_too_much (directory, bounds, file, left, *bytes))
      break;
    if (g_unlink (file->path) != 0)
      continue;
    left--;
    *bytes -= file->size;
  }
  return left;
}

gboolean
watch_folder_make (const gchar *directory, GError **error)
{
  if (g_mkdir_with_parents (directory, 0750) == 0)
    return TRUE;
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "cannot make the folder %s: %s",
      directory, g_strerror (errno));
  return FALSE;
}

gboolean
watch_folder_probe (const gchar *directory, gsize bytes, GError **error)
{
  g_autofree gchar *path = g_build_filename (directory, ".probe", NULL);
  g_autofree gchar *data = g_malloc0 (bytes);
  const gboolean ok = g_file_set_contents (path, data, (gssize) bytes, error);

  g_unlink (path);
  return ok;
}

gchar *
watch_folder_escape (const gchar *name)
{
  return g_uri_escape_string (name, " ", TRUE);
}
