/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Files and descriptors. A pipe that nobody reads is waited for in a way that ends with the
 * publisher. */
#include "target.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <glib/gstdio.h>

#define RETRY_MS 1000

typedef struct {
  PublishTarget parent;
  PublishHooks hooks;
  gint fd;
  gboolean owned;  /* the target has opened the descriptor, and closes it */
  gboolean failed; /* the last record could not be written, which the user was told */
  GCancellable *stop;
  GPollFD stopped;
} FileTarget;

/* ---- writing ---- */

/* Waits until the descriptor takes data: FALSE at the end. */
static gboolean
wait_for_room (FileTarget *self)
{
  GPollFD fds[] = { { .fd = self->fd, .events = G_IO_OUT }, self->stopped };

  return g_poll (fds, self->stopped.fd >= 0 ? 2 : 1, RETRY_MS) >= 0 &&
      !g_cancellable_is_cancelled (self->stop);
}

/* Writes all, or as much as there is before an error or the end: FALSE then. */
static gboolean
write_all (FileTarget *self, const gchar *data, gsize size)
{
  while (size > 0) {
    GPollFD fd = { .fd = self->fd, .events = G_IO_OUT };
    gssize n;

    /* a descriptor of others may be blocking, and is not changed */
    if (!self->owned && g_poll (&fd, 1, 0) == 0) {
      if (!wait_for_room (self))
        return FALSE;
      continue;
    }
    /* a pipe that poll() calls writable takes 4096 bytes without blocking */
    n = write (self->fd, data, self->owned ? size : MIN (size, 4096));
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) {
      if (!wait_for_room (self))
        return FALSE;
      continue;
    }
    if (n < 0)
      return FALSE;
    data += n;
    size -= (gsize) n;
  }
  return TRUE;
}

/* A record is whole in the file, or not there. FALSE with errno. */
static gboolean
write_record (FileTarget *self, const gchar *data, gsize size)
{
  const off_t before = self->owned ? lseek (self->fd, 0, SEEK_END) : -1;
  gint code;

  if (write_all (self, data, size))
    return TRUE;
  code = errno;
  if (before >= 0 && lseek (self->fd, 0, SEEK_END) > before && ftruncate (self->fd, before) != 0)
    self->hooks.notify (TRUE, "a part of a line stays in the file", self->hooks.user_data);
  errno = code;
  return FALSE;
}

static gboolean
send_record (PublishTarget *target, const PublishRecord *record, guint64 number)
{
  FileTarget *self = (FileTarget *) target;
  gsize size;
  const gchar *data = g_bytes_get_data (record->data, &size);
  g_autofree gchar *line = g_malloc (size + 1);
  gint code;

  memcpy (line, data, size);
  line[size] = '\n';
  if (write_record (self, line, size + 1)) {
    if (self->failed)
      self->hooks.changed (TRUE, self->hooks.publisher);
    self->failed = FALSE;
    self->hooks.acknowledge (number, self->hooks.publisher);
    return TRUE;
  }
  code = errno;
  if (!self->failed && !g_cancellable_is_cancelled (self->stop)) {
    g_autofree gchar *text = g_strdup_printf ("cannot write: %s; trying again", g_strerror (code));

    self->failed = TRUE;
    self->hooks.changed (FALSE, self->hooks.publisher);
    self->hooks.notify (TRUE, text, self->hooks.user_data);
  }
  return FALSE;
}

/* ---- object ---- */

static void
free_target (PublishTarget *target)
{
  FileTarget *self = (FileTarget *) target;

  if (self->stopped.fd >= 0)
    g_cancellable_release_fd (self->stop);
  g_object_unref (self->stop);
  if (self->owned)
    close (self->fd);
  g_free (self);
}

static void
stop (PublishTarget *target)
{
  g_cancellable_cancel (((FileTarget *) target)->stop);
}

/* Returns the descriptor that the settings mean, or -1 with @error. */
static gint
open_descriptor (const PublisherSettings *settings, GError **error)
{
  const gchar *address = settings->address;
  guint64 number = 1;
  gint fd;

  if (settings->method == PUBLISH_FILE) {
    if (address == NULL || address[0] == '\0') {
      g_set_error_literal (
          error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "address is not set: the path of a file");
      return -1;
    }
    /* with O_NONBLOCK, a pipe without a reader is an error instead of a wait */
    fd = g_open (address, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0644);
    if (fd < 0)
      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "cannot open %s: %s", address,
          g_strerror (errno));
    return fd;
  }
  if (address != NULL && address[0] != '\0' &&
      !g_ascii_string_to_unsigned (address, 10, 0, G_MAXINT, &number, error)) {
    g_prefix_error (error, "address is the number of a descriptor: ");
    return -1;
  }
  if (fcntl ((gint) number, F_GETFL) < 0) {
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "descriptor %d: %s",
        (gint) number, g_strerror (errno));
    return -1;
  }
  return (gint) number;
}

PublishTarget *
publish_target_file_new (
    const PublisherSettings *settings, const PublishHooks *hooks, GError **error)
{
  const gint fd = open_descriptor (settings, error);
  FileTarget *self;

  if (fd < 0)
    return NULL;
  self = g_new0 (FileTarget, 1);
  self->parent = (PublishTarget){ .send = send_record, .stop = stop, .free = free_target };
  self->hooks = *hooks;
  self->fd = fd;
  self->owned = settings->method == PUBLISH_FILE;
  self->stop = g_cancellable_new ();
  if (!g_cancellable_make_pollfd (self->stop, &self->stopped))
    self->stopped.fd = -1;
  return &self->parent;
}
