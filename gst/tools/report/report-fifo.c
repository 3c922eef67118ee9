/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "outputs.h"
#include "stop.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <gio/gio.h>
#include <gio/gunixinputstream.h>
#include <glib/gstdio.h>

#define READER_US (50 * G_TIME_SPAN_MILLISECOND)

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
