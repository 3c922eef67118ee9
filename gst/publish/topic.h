/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Topics of MQTT from patterns with names in braces. */
#ifndef PUBLISHER_TOPIC_H
#define PUBLISHER_TOPIC_H

#include <gio/gio.h>

G_BEGIN_DECLS

/* Returns the value of @name, such as "event" or "tags.camera": (transfer full) (nullable). */
typedef gchar *(*PublisherLookup) (const gchar *name, gpointer user_data);

/* Returns @pattern with each {NAME} replaced by what @lookup says: (transfer full). Characters that
 * have a meaning in topics, and control characters, become '_', and so does what is empty or NULL.
 */
gchar *publisher_expand_topic (const gchar *pattern, PublisherLookup lookup, gpointer user_data);
/* FALSE with @error: not a pattern of topics. @names: (nullable): what may stand in braces; "tags."
 * allows all that begin so. */
gboolean publisher_check_topic (const gchar *pattern, const gchar *const *names, GError **error);
/* Returns @text as a level of a topic: (transfer full). */
gchar *publisher_escape_level (const gchar *text);

G_END_DECLS

#endif
