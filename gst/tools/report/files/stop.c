/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stop.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <glib-unix.h>

#define GRACE_US (2 * G_USEC_PER_SEC)

static gint interrupted;
/* a pipe to a thread that cancels: a signal handler must not, since that takes a lock */
static gint from_handler[2];
static GCancellable *reading, *writing;

static void
on_signal (gint number)
{
  const gint code = errno;

  g_atomic_int_set (&interrupted, TRUE);
  while (write (from_handler[1], "", 1) < 0 && errno == EINTR)
    ;
  errno = code;
}

static gpointer
run (gpointer data)
{
  gchar byte;

  while (read (from_handler[0], &byte, 1) < 0 && errno == EINTR)
    ;
  g_cancellable_cancel (reading);
  g_usleep (GRACE_US);
  g_cancellable_cancel (writing);
  return NULL;
}

gint *
report_stop_init (GError **error)
{
  /* SA_RESETHAND removes the handler when it is called, so that a second signal ends the program */
  const struct sigaction action = { .sa_handler = on_signal,
    .sa_flags = (gint) (SA_RESTART | SA_RESETHAND) };
  GThread *thread;

  if (!g_unix_open_pipe (from_handler, FD_CLOEXEC, error))
    return NULL;
  reading = g_cancellable_new ();
  writing = g_cancellable_new ();
  thread = g_thread_try_new ("stop", run, NULL, error);
  if (thread == NULL)
    return NULL;
  g_thread_unref (thread);
  sigaction (SIGINT, &action, NULL);
  sigaction (SIGTERM, &action, NULL);
  return &interrupted;
}

GCancellable *
report_stop_get_reading (void)
{
  return reading;
}

GCancellable *
report_stop_get_writing (void)
{
  return writing;
}
