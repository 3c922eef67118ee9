/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "fifo.h"
#include "stream-id.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <gio/gio.h>
#include <glib/gstdio.h>

gboolean
report_is_fifo (const gchar *path)
{
  GStatBuf status;

  return g_stat (path, &status) == 0 && S_ISFIFO (status.st_mode);
}

static void
close_descriptor (gpointer data, GObject *source)
{
  close (GPOINTER_TO_INT (data));
}

gboolean
report_open_fifo (GstElement *source, const gchar *path, GError **error)
{
  g_autofree gchar *whole = g_canonicalize_filename (path, NULL);
  g_autofree gchar *uri = gst_filename_to_uri (whole, error);
  gint descriptor;

  if (uri == NULL)
    return FALSE;
  descriptor = g_open (path, O_RDONLY | O_NONBLOCK | O_CLOEXEC, 0);
  if (descriptor < 0) {
    g_set_error (
        error, G_IO_ERROR, g_io_error_from_errno (errno), "cannot be read: %s", g_strerror (errno));
    return FALSE;
  }
  g_object_set (source, "fd", descriptor, NULL);
  g_object_weak_ref (G_OBJECT (source), close_descriptor, GINT_TO_POINTER (descriptor));
  report_name_streams (source, uri);
  return TRUE;
}
