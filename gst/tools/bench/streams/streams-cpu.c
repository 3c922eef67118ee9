/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* CPU time by the names of threads. */
#include <time.h>

#include "streams.h"

static gint64
clock_ns (clockid_t clock)
{
  struct timespec time;

  /* The thread may have ended. */
  if (clock_gettime (clock, &time) != 0)
    return 0;
  return time.tv_sec * G_GINT64_CONSTANT (1000000000) + time.tv_nsec;
}

/* Returns the clock that pthread_getcpuclockid() returns for the thread @id of this process. Unlike
 * schedstat and stat in /proc, this clock counts up to now, not up to the kernel's last timer
 * tick. */
static clockid_t
thread_clock (guint64 id)
{
  return (clockid_t) ((~(guint) id << 3) | 6);
}

void
streams_cpu_read (StreamsCpu *cpu)
{
  g_autoptr (GDir) tasks = g_dir_open ("/proc/self/task", 0, NULL);
  const gchar *task;

  *cpu = (StreamsCpu){ 0 };
  while (tasks != NULL && (task = g_dir_read_name (tasks)) != NULL) {
    g_autofree gchar *path = g_strdup_printf ("/proc/self/task/%s/comm", task);
    g_autofree gchar *name = NULL;
    const gint64 ns = clock_ns (thread_clock (g_ascii_strtoull (task, NULL, 10)));

    if (!g_file_get_contents (path, &name, NULL, NULL))
      continue;
    if (g_str_has_prefix (name, STREAMS_THREAD_NAME))
      cpu->streaming += ns;
    else if (g_str_has_prefix (name, "gles-"))
      cpu->device += ns;
  }
  /* Read last, since reading the threads' clocks updates the sum. */
  cpu->total = clock_ns (CLOCK_PROCESS_CPUTIME_ID);
}
