/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the log says of cameras. */
#ifndef WATCH_SAY_H
#define WATCH_SAY_H

#include <glib.h>

G_BEGIN_DECLS

/* Writes to the log, with the camera as a field. Any thread. */
void watch_say (const gchar *camera, GLogLevelFlags level, const gchar *text);

G_END_DECLS

#endif
