/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "streams.h"
#include "stop.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include <gio/gio.h>
#include <gio/gunixinputstream.h>
#include <glib/gstdio.h>

#define MAX_LINKS 40 /* as Linux follows */
#define READER_US (50 * G_TIME_SPAN_MILLISECOND)

gchar *
report_follow_links (const gchar *path, gint *descriptor)
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
  g_autofree gchar *target = report_follow_links (path, &descriptor);
  GStatBuf status;

  if (descriptor >= 0)
    return TRUE;
  return g_stat (target, &status) == 0 ? !S_ISREG (status.st_mode) : errno != ENOENT;
}

gint
report_find_descriptor (const gchar *path)
{
  gint descriptor;

  g_free (report_follow_links (path, &descriptor));
  return descriptor;
}

gboolean
report_is_fifo (const gchar *path)
{
  GStatBuf status;

  return g_stat (path, &status) == 0 && S_ISFIFO (status.st_mode);
}

/* If a FIFO that /dev/stdin names were opened again when its writer has gone, the system would wait
 * for another one. */
gint
report_open_fifo_to_read (const gchar *path, GError **error)
{
  const gint own = report_find_descriptor (path);
  const gint descriptor = own >= 0 ? fcntl (own, F_DUPFD_CLOEXEC, 0)
                                   : g_open (path, O_RDONLY | O_NONBLOCK | O_CLOEXEC, 0);

  if (descriptor < 0)
    g_set_error (
        error, G_IO_ERROR, g_io_error_from_errno (errno), "cannot be read: %s", g_strerror (errno));
  return descriptor;
}

GDataInputStream *
report_open_lines (const gchar *path, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GInputStream) stream = NULL;

  if (report_is_fifo (path)) {
    const gint descriptor = report_open_fifo_to_read (path, error);

    stream = descriptor >= 0 ? g_unix_input_stream_new (descriptor, TRUE) : NULL;
  } else {
    stream = G_INPUT_STREAM (g_file_read (file, NULL, error));
  }
  return stream != NULL ? g_data_input_stream_new (stream) : NULL;
}

gint
report_open_fifo_to_write (const gchar *path)
{
  gint descriptor;

  /* the system has no call that waits for a reader until something else happens */
  while ((descriptor = g_open (path, O_WRONLY | O_NONBLOCK | O_CLOEXEC, 0)) < 0 && errno == ENXIO &&
      !g_cancellable_is_cancelled (report_stop_get_reading ()))
    g_usleep (READER_US);
  return descriptor;
}
