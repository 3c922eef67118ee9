/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the service manager is told. All of it does nothing where there is none. */
#ifndef WATCH_SERVICE_H
#define WATCH_SERVICE_H

#include <glib.h>

G_BEGIN_DECLS

/* @state: as sd_notify() takes it, such as "READY=1". */
void watch_service_notify (const gchar *state);
/* Tells the service manager regularly that the main loop runs, if it asked for that. */
void watch_service_start_watchdog (void);

G_END_DECLS

#endif
