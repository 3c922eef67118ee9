/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "descriptors.h"

#include <sys/resource.h>

/* Measured with GStreamer 1.22: a camera of RTSP has 8, one of test: 4; buses and pools of buffers
 * have two each. The former pipeline may end while the next one begins. */
#define EACH 16
#define OTHERS 128 /* clients of metrics, publishers, encoders of pictures */

void
watch_descriptors_raise (void)
{
  struct rlimit limit;

  if (getrlimit (RLIMIT_NOFILE, &limit) != 0)
    return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit (RLIMIT_NOFILE, &limit);
}

void
watch_descriptors_check (const WatchConfig *config)
{
  const rlim_t needed = OTHERS + EACH * (rlim_t) config->cameras->len;
  struct rlimit limit;

  if (getrlimit (RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < needed)
    g_warning ("%u cameras may need %lu descriptors, and the limit is %lu: raise LimitNOFILE= of "
               "the service, or the limit with ulimit -Hn",
        config->cameras->len, (gulong) needed, (gulong) limit.rlim_cur);
}
