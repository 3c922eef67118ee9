/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An output is either a regular file, of which a reader sees the old or the complete new content
 * and never a part, or a stream, which gets what is written at once. */
#include "output-file.h"
#include "stop.h"
#include "streams.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

#include <gio/gio.h>
#include <gio/gunixoutputstream.h>
#include <glib/gstdio.h>

struct _ReportFile {
  gchar *path; /* as the user wrote it */
  /* the file behind symbolic links, and the temporary one that is renamed to it; part is NULL for a
   * stream */
  gchar *target, *part;
  gint descriptor;       /* of the file; @stream owns it */
  GOutputStream *stream; /* NULL once it is closed */
  GError *error;         /* (nullable): the first error */
};

/* Opens a stream: what is not a regular file. */
static gint
open_stream (const gchar *path)
{
  return report_is_fifo (path) ? report_open_fifo_to_write (path)
                               : g_open (path, O_WRONLY | O_CLOEXEC, 0);
}

/* Opens @self->part with a lock, so that no other process writes it. What a process left there that
 * was killed is overwritten. */
static gint
open_part (ReportFile *self)
{
  const gint descriptor = g_open (self->part, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  GStatBuf named;
  struct stat opened;

  if (descriptor < 0)
    return -1;
  /* another process may have renamed it between the two calls */
  if (flock (descriptor, LOCK_EX | LOCK_NB) == 0 && fstat (descriptor, &opened) == 0 &&
      g_stat (self->part, &named) == 0 && opened.st_ino == named.st_ino &&
      ftruncate (descriptor, 0) == 0)
    return descriptor;
  close (descriptor);
  errno = EBUSY;
  return -1;
}

static gboolean
propagate (ReportFile *self, GError *failure, GError **error)
{
  const gboolean given_up = g_error_matches (failure, G_IO_ERROR, G_IO_ERROR_CANCELLED);

  g_set_error (error, failure->domain, failure->code, "cannot write %s: %s", self->path,
      given_up ? "its reader does not read" : failure->message);
  return FALSE;
}

ReportFile *
report_file_open (const gchar *path, gboolean compress, GError **error)
{
  ReportFile *self = g_new0 (ReportFile, 1);
  g_autoptr (GOutputStream) raw = NULL, buffered = NULL;
  gint descriptor;

  self->path = g_filename_display_name (path);
  self->target = report_follow_links (path, &descriptor);
  if (!report_is_stream (path)) {
    self->part = g_strconcat (self->target, ".part", NULL);
    descriptor = open_part (self);
  } else {
    descriptor = descriptor >= 0 ? dup (descriptor) : open_stream (self->target);
  }
  if (descriptor < 0) {
    const gint code = errno;

    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "cannot write %s: %s",
        self->part != NULL ? self->part : self->path,
        code == EBUSY       ? "another process writes it"
            : code == ENXIO ? "no process reads it"
                            : g_strerror (code));
    g_clear_pointer (&self->part, g_free);
    report_file_free (self);
    return NULL;
  }
  self->descriptor = descriptor;
  raw = g_unix_output_stream_new (descriptor, TRUE);
  /* if poll() says that a FIFO is writable, it takes at least this many bytes without blocking */
  buffered = g_buffered_output_stream_new_sized (raw, self->part != NULL ? 65536 : PIPE_BUF);
  if (compress) {
    g_autoptr (GZlibCompressor) gzip = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, -1);

    self->stream = g_converter_output_stream_new (buffered, G_CONVERTER (gzip));
  } else {
    self->stream = g_steal_pointer (&buffered);
  }
  return self;
}

/* Returns what ends a wait for the reader of a stream. */
static GCancellable *
get_cancellable (const ReportFile *self)
{
  return self->part == NULL ? report_stop_get_writing () : NULL;
}

void
report_file_write (ReportFile *self, const gchar *text, gsize size)
{
  if (self->error == NULL && self->stream != NULL)
    g_output_stream_write_all (
        self->stream, text, size, NULL, get_cancellable (self), &self->error);
}

void
report_file_print (ReportFile *self, const GString *text)
{
  report_file_write (self, text->str, text->len);
}

const gchar *
report_file_get_path (ReportFile *self)
{
  return self->path;
}

gboolean
report_file_check (ReportFile *self, GError **error)
{
  return self->error == NULL || propagate (self, self->error, error);
}

/* Syncs the folder of @path, so that a loss of power does not undo the renaming. FALSE with errno.
 * A folder that cannot be read, or that the file system cannot sync, is no error. */
static gboolean
sync_name (const gchar *path)
{
  g_autofree gchar *folder = g_path_get_dirname (path);
  const gint descriptor = g_open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
  gboolean done;

  if (descriptor < 0)
    return errno == EACCES;
  done = fsync (descriptor) == 0 || errno == EINVAL || errno == ENOTSUP;
  close (descriptor);
  return done;
}

/* Closes and renames the file. Its content is synced before the renaming, and the folder after it,
 * so that a loss of power leaves the old file or the complete new one. */
static void
sync_part (ReportFile *self)
{
  const gint descriptor = dup (self->descriptor);

  g_output_stream_close (self->stream, NULL, &self->error);
  if (self->error == NULL &&
      (fsync (descriptor) != 0 || g_rename (self->part, self->target) != 0 ||
          !sync_name (self->target))) {
    const gint code = errno;

    g_set_error_literal (&self->error, G_IO_ERROR, g_io_error_from_errno (code), g_strerror (code));
  }
  close (descriptor);
}

gboolean
report_file_close (ReportFile *self, GError **error)
{
  if (self->error == NULL && self->part != NULL)
    sync_part (self);
  else if (self->error == NULL)
    g_output_stream_close (self->stream, get_cancellable (self), &self->error);
  if (self->error != NULL)
    return propagate (self, self->error, error);
  g_clear_pointer (&self->part, g_free);
  g_clear_object (&self->stream);
  return TRUE;
}

void
report_file_free (ReportFile *self)
{
  if (self->part != NULL)
    g_unlink (self->part);
  /* without this, the last unref would write what is buffered, and could wait for a reader for ever
   */
  if (self->stream != NULL)
    g_output_stream_close (self->stream, get_cancellable (self), NULL);
  g_clear_object (&self->stream);
  g_clear_error (&self->error);
  g_free (self->path);
  g_free (self->target);
  g_free (self->part);
  g_free (self);
}
