/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "step.h"

#define STEP_CPU_SECONDS 25

/* What the driver said since the step began. Messages come on any thread. */
static GMutex lock;
static guint n_shaders, n_spilling, spills, least_threads;

static const gchar *volatile step = "the device";

gint64
step_cpu_us (void)
{
  struct timespec now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000;
}

static void
on_timer (int number)
{
  static const char text[] = "TIMEOUT\t";
  ssize_t written = write (STDOUT_FILENO, text, sizeof (text) - 1);

  written = write (STDOUT_FILENO, step, strlen (step));
  written = write (STDOUT_FILENO, "\n", 1);
  (void) written;
  _exit (99);
}

void
step_begin (const gchar *name)
{
  const struct itimerval limit = { { 0, 0 }, { STEP_CPU_SECONDS, 0 } };

  fflush (stdout);
  step = name;
  setitimer (ITIMER_PROF, &limit, NULL);
  g_mutex_lock (&lock);
  n_shaders = n_spilling = spills = least_threads = 0;
  g_mutex_unlock (&lock);
}

/* Returns the number that ends where @word begins in @text, -1 without. */
static gint64
number_before (const gchar *text, const gchar *word)
{
  const gchar *at = strstr (text, word);
  const gchar *from = at;

  while (from != NULL && from > text && (g_ascii_isdigit (from[-1]) || from[-1] == ':'))
    from--;
  return from == at ? -1 : (gint64) g_ascii_strtoull (from, NULL, 10);
}

/* Mesa tells in debug contexts: V3D and Mali `4 threads, ... 1:2 spills:fills`, nouveau `type: 5,
 * local: 16` (bytes of spilled registers). */
static void
on_log (GstDebugCategory *category, GstDebugLevel level, const gchar *file, const gchar *function,
    gint line, GObject *object, GstDebugMessage *message, gpointer user_data)
{
  const gchar *text = gst_debug_message_get (message);
  gint64 threads, spilled;
  const gchar *local;

  if (strcmp (gst_debug_category_get_name (category), "gles-driver") != 0)
    return;
  threads = number_before (text, " threads");
  spilled = number_before (text, " spills:fills");
  local = strstr (text, "type: 5, local: ");
  if (local != NULL)
    spilled = (gint64) g_ascii_strtoull (local + strlen ("type: 5, local: "), NULL, 10);
  g_mutex_lock (&lock);
  if (spilled >= 0) {
    n_shaders++;
    n_spilling += spilled > 0;
    spills += (guint) spilled;
  }
  if (threads > 0 && (least_threads == 0 || threads < least_threads))
    least_threads = (guint) threads;
  g_mutex_unlock (&lock);
}

void
step_print_ok (const gchar *kind, const gchar *name, gint64 time_us)
{
  g_mutex_lock (&lock);
  printf ("%s\t%s\t%.1f\t%u\t%u\t%u\t%u\n", kind, name, time_us / 1e3, n_shaders, n_spilling,
      spills, least_threads);
  g_mutex_unlock (&lock);
}

void
step_print_failure (const gchar *name, const gchar *text)
{
  g_autofree gchar *line = g_strdelimit (g_strdup (text), "\n\t", ' ');

  printf ("FAIL\t%s\t%s\n", name, line);
}

void
step_init (void)
{
  gst_debug_remove_log_function (NULL);
  gst_debug_add_log_function (on_log, NULL, NULL);
  gst_debug_set_threshold_for_name ("gles-driver", GST_LEVEL_DEBUG);
  signal (SIGPROF, on_timer);
}
