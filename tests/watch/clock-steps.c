/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Preloaded, lets the time of day step back by an hour and then ahead by a day, some seconds after
 * the start; with CLOCK_OFFSET in the environment it is off by as many seconds. */
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/* dlsym() would allocate, for which a sanitizer's runtime asks the clock. */
static int
get_real (clockid_t id, struct timespec *time)
{
  return (int) syscall (SYS_clock_gettime, id, time);
}

static time_t
get_step (void)
{
  static time_t begin;
  const char *offset = getenv ("CLOCK_OFFSET");
  struct timespec now;

  if (offset != NULL)
    return atol (offset);

  get_real (CLOCK_MONOTONIC, &now);
  if (begin == 0)
    begin = now.tv_sec;
  if (now.tv_sec - begin < 3)
    return 0;
  return now.tv_sec - begin < 5 ? -3600 : 86400;
}

int
clock_gettime (clockid_t id, struct timespec *time)
{
  int result = get_real (id, time);

  if (id == CLOCK_REALTIME)
    time->tv_sec += get_step ();
  return result;
}

/* What GLib asks. */
int
gettimeofday (struct timeval *restrict time, void *restrict zone)
{
  struct timespec now;
  int result = clock_gettime (CLOCK_REALTIME, &now);

  time->tv_sec = now.tv_sec;
  time->tv_usec = now.tv_nsec / 1000;
  return result;
}
