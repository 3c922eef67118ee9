/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "service.h"

#if HAVE_SYSTEMD
#include <systemd/sd-daemon.h>

void
watch_service_notify (const gchar *state)
{
  sd_notify (0, state);
}

static gboolean
on_time (gpointer user_data)
{
  sd_notify (0, "WATCHDOG=1");
  return G_SOURCE_CONTINUE;
}

void
watch_service_start_watchdog (void)
{
  guint64 period_us;

  if (sd_watchdog_enabled (0, &period_us) > 0)
    g_timeout_add ((guint) MAX (period_us / 3000, 1), on_time, NULL);
}

#else

void
watch_service_notify (const gchar *state)
{
}

void
watch_service_start_watchdog (void)
{
}

#endif
