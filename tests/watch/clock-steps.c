/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Preloaded, lets the time of day step back by an hour and then ahead by a day, some seconds after
 * the start. */
#include <dlfcn.h>
#include <sys/time.h>
#include <time.h>

static time_t
get_step (int (*real) (clockid_t, struct timespec *))
{
  static time_t begin;
  struct timespec now;

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
