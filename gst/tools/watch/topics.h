/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Topics of MQTT below the base topic of the configuration: BASE/available, and BASE/CAMERA/LEVEL
 * for states, events and pictures. That of lines is `topic`, which gst/publish/topic.h reads. */
#ifndef WATCH_TOPICS_H
#define WATCH_TOPICS_H

#include "watch-config.h"

G_BEGIN_DECLS

/* Return (transfer full). */
gchar *watch_topic_escape (const gchar *camera); /* the level of a camera */
gchar *watch_topic_available (const WatchPublishConfig *config);
gchar *watch_topic_camera (
    const WatchPublishConfig *config, const gchar *camera, const gchar *level);

G_END_DECLS

#endif
