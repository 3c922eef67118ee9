/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Preloaded, lets the time of day step back by an hour and then ahead by a day, some seconds after
 * the start; with CLOCK_OFFSET in the environment it is off by as many seconds. */
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static time_t
get_step (int (*real) (clockid_t, struct timespec *))
{
  static time_t begin;
  const char *offset = getenv ("CLOCK_OFFSET");
  struct timespec now;

  if (offset != NULL)
    return atol (offset);

  real (CLOCK_MONOTONIC, &now);
  if (begin == 0)
    begin = now.tv_sec;
  if (now.tv_sec - begin < 3)
    return 0;
  return now.tv_sec - begin < 5 ? -3600 : 86400;
}

int
clock_gettime (clockid_t id, struct timespec *time)
{
  int (*real) (clockid_t, struct timespec *) = dlsym (RTLD_NEXT, "clock_gettime");
  int result = real (id, time);

  if (id == CLOCK_REALTIME)
    time->tv_sec += get_step (real);
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
