/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A receiver of events: a publisher, and the topics under which it gets what. */
#ifndef WATCH_RECEIVER_H
#define WATCH_RECEIVER_H

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
/* The last one sends what it has, some seconds at most. */
void watch_receiver_unref (WatchReceiver *self);
const WatchPublishConfig *watch_receiver_get_config (const WatchReceiver *self);

/* None of these waits. @line: JSON, without line feed. @jpeg: (nullable). */
void watch_receiver_add (
    WatchReceiver *self, const WatchNotice *notice, const gchar *line, GBytes *jpeg);
void watch_receiver_set_available (WatchReceiver *self, const gchar *camera, gboolean available);
/* Tells of a camera and its states. */
void watch_receiver_announce (
    WatchReceiver *self, const WatchCameraConfig *camera, const WatchReceiverStates *states);
/* Takes back what was told of a camera that is no more. */
void watch_receiver_forget (WatchReceiver *self, const WatchCameraConfig *camera);

/* @receivers: of WatchReceiver. */
void watch_receivers_append_metrics (GPtrArray *receivers, GString *text);

G_END_DECLS

#endif
