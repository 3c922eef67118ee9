/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "replace-file.h"

#include <errno.h>
#include <stdio.h>

#include <glib/gstdio.h>

gboolean
replace_file (const gchar *path, const gchar *text, GError **error)
{
  g_autofree gchar *part = g_strconcat (path, REPLACE_FILE_PART, NULL);
  FILE *file = g_fopen (part, "we");
  gboolean ok = file != NULL && fputs (text, file) >= 0;
  gint code;

  if (file != NULL && fclose (file) != 0)
    ok = FALSE;
  if (ok && g_rename (part, path) == 0)
    return TRUE;
  code = errno;
  g_unlink (part);
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "cannot write %s: %s", path,
      g_strerror (code));
  return FALSE;
}
