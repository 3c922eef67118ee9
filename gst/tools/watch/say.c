/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "say.h"

void
watch_say (const gchar *camera, GLogLevelFlags level, const gchar *text)
{
  g_log_structured (G_LOG_DOMAIN, level, "CAMERA", camera, "MESSAGE", "%s: %s", camera, text);
}
