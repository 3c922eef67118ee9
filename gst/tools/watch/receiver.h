/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A receiver of events: a publisher, and the topics under which it gets what. */
#ifndef WATCH_RECEIVER_H
#define WATCH_RECEIVER_H

#include "../../publish/publish.h"
#include "notice.h"
#include "watch-config.h"

G_BEGIN_DECLS

typedef struct _WatchReceiver WatchReceiver;

/* What lasts at the moment. */
typedef struct {
  GHashTable *on; /* "CAMERA\nEVENT" */
  GHashTable *up; /* names of cameras */
} WatchReceiverStates;

/* Sets up the publisher @number of @config. NULL with @error. */
WatchReceiver *watch_receiver_new (WatchConfig *config, guint number, GError **error);
WatchReceiver *watch_receiver_ref (WatchReceiver *self);
/* The last one sends what it has, some seconds at most; what waits in a spool stays there. */
void watch_receiver_unref (WatchReceiver *self);
const WatchPublishConfig *watch_receiver_get_config (const WatchReceiver *self);

PublishMethod watch_receiver_get_method (const WatchPublishConfig *config);

/* Returns where programs with @config keep what they need after their end: (nullable). */
const gchar *watch_receiver_get_state_directory (const WatchConfig *config);

/* None of these waits. @line: JSON, without line feed. @jpeg: (nullable). */
void watch_receiver_add (
    WatchReceiver *self, const WatchNotice *notice, const gchar *line, GBytes *jpeg);
void watch_receiver_set_available (WatchReceiver *self, const gchar *camera, gboolean available);
/* Tells of @cameras, of WatchCameraConfig, and their states, and takes back what was told of
 * others, also by former processes. */
void watch_receiver_announce (
    WatchReceiver *self, GPtrArray *cameras, const WatchReceiverStates *states);
/* Takes back all that was told: the configuration has no such receiver any more. */
void watch_receiver_retire (WatchReceiver *self);
/* Whether the lines that were added survive the end of the process, as far as there is a spool. */
gboolean watch_receiver_is_safe (WatchReceiver *self);

/* @receivers: of WatchReceiver. */
void watch_receivers_append_metrics (GPtrArray *receivers, GString *text);

G_END_DECLS

#endif
