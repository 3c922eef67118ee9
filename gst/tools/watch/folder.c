/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "folder.h"

#include <string.h>

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

guint
watch_folder_prune (const gchar *directory, const gchar *suffix, guint64 max_files,
    guint64 max_bytes, guint64 *bytes)
{
  g_autoptr (GArray) files = list (directory, suffix, bytes);
  guint left = files->len;

  for (guint i = 0; i < files->len; i++) {
    const File *file = &g_array_index (files, File, i);

    if ((max_files == 0 || left <= max_files) && (max_bytes == 0 || *bytes <= max_bytes))
      break;
    if (g_unlink (file->path) != 0)
      continue;
    left--;
    *bytes -= file->size;
  }
  return left;
}

gchar *
watch_folder_escape (const gchar *name)
{
  return g_uri_escape_string (name, " ", TRUE);
}
