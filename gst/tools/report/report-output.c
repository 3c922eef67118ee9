/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where the page goes: to a file, which a reader sees before or after the change and never in
 * between, or into a stream. */
#include "report.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <gio/gio.h>
#include <glib/gstdio.h>

#define MAX_LINKS 40 /* as Linux follows */

/* Follows symbolic links from @path: (transfer full). What comes last may be missing. Open
 * descriptors are links in /proc, which do not always name a file; they are not followed. */
static gchar *
follow_links (const gchar *path, gint *descriptor)
{
  g_autofree gchar *open_files = g_strdup_printf ("/proc/%d/fd", (gint) getpid ());
  gchar *at = g_strdup (path);

  *descriptor = -1;
  for (guint i = 0; i < MAX_LINKS; i++) {
    g_autofree gchar *folder = g_path_get_dirname (at);
    g_autofree gchar *name = g_path_get_basename (at);
    g_autofree gchar *target = g_file_read_link (at, NULL);
    gchar real[PATH_MAX];

    if (realpath (folder, real) == NULL || target == NULL)
      break;
    if (g_str_equal (real, open_files)) {
      *descriptor = atoi (name);
      break;
    }
    g_free (at);
    at = g_path_is_absolute (target) ? g_strdup (target) : g_build_filename (real, target, NULL);
  }
  return at;
}

gboolean
report_is_stream (const gchar *path)
{
  gint descriptor;
  g_autofree gchar *target = follow_links (path, &descriptor);
  GStatBuf status;

  if (descriptor >= 0)
    return TRUE;
  return g_stat (target, &status) == 0 ? !S_ISREG (status.st_mode) : errno != ENOENT;
}

gboolean
report_write (const GString *page, const gchar *path, GError **error)
{
  gint descriptor;
  g_autofree gchar *target = follow_links (path, &descriptor);
  FILE *stream;
  gboolean ok;

  if (!report_is_stream (path))
    return g_file_set_contents (target, page->str, (gssize) page->len, error);
  descriptor = descriptor >= 0 ? dup (descriptor) : g_open (target, O_WRONLY | O_CLOEXEC, 0);
  stream = descriptor >= 0 ? fdopen (descriptor, "w") : NULL;
  ok = stream != NULL && fwrite (page->str, 1, page->len, stream) == page->len;
  if (stream != NULL)
    ok = fclose (stream) == 0 && ok;
  if (!ok)
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno),
        "cannot write the page to %s: %s", path, g_strerror (errno));
  return ok;
}
