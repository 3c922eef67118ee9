/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "notice.h"

WatchNotice *
watch_notice_new (
    const gchar *camera, const gchar *event, const gchar *phase, const gchar *id, JsonObject *line)
{
  WatchNotice *notice = g_new0 (WatchNotice, 1);

  notice->camera = g_strdup (camera);
  notice->event = g_strdup (event);
  notice->phase = g_strdup (phase);
  notice->id = g_strdup (id);
  notice->line = line;
  return notice;
}

void
watch_notice_free (WatchNotice *notice)
{
  g_free (notice->camera);
  g_free (notice->event);
  g_free (notice->phase);
  g_free (notice->id);
  g_clear_pointer (&notice->line, json_object_unref);
  watch_frame_clear (&notice->frame);
  g_free (notice);
}
