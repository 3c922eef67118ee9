/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "topics.h"

#include "../../publish/publish.h"

gchar *
watch_topic_escape (const gchar *camera)
{
  return publisher_escape_level (camera);
}

gchar *
watch_topic_available (const WatchPublishConfig *config)
{
  return g_strconcat (config->base_topic, "/available", NULL);
}

gchar *
watch_topic_camera (const WatchPublishConfig *config, const gchar *camera, const gchar *level)
{
  g_autofree gchar *escaped = watch_topic_escape (camera);

  return g_strjoin ("/", config->base_topic, escaped, level, NULL);
}
