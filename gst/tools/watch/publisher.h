/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a section [publish NAME] describes: a Publisher, and the topics under which it publishes the
 * lines, states and pictures of cameras. */
#ifndef WATCH_PUBLISHER_H
#define WATCH_PUBLISHER_H

#include "../../publish/publish.h"
#include "notice.h"
#include "watch-config.h"
#include "zones.h"

G_BEGIN_DECLS

typedef struct _WatchPublisher WatchPublisher;

/* The states of cameras at this moment. */
typedef struct {
  GHashTable *on; /* a set of "CAMERA\nEVENT": events that have started and not ended */
  GHashTable *up; /* a set of names of cameras that have pictures */
  const WatchZones *zones;
} WatchPublisherStates;

/* Sets up the publisher that section @number of the publishers of @config describes. NULL with
 * @error. */
WatchPublisher *watch_publisher_new (WatchConfig *config, guint number, GError **error);
WatchPublisher *watch_publisher_ref (WatchPublisher *self);
/* The last reference waits up to three seconds until everything has been sent; what is in a spool
 * stays there. */
void watch_publisher_unref (WatchPublisher *self);
const WatchPublishConfig *watch_publisher_get_config (const WatchPublisher *self);

PublishMethod watch_publisher_get_method (const WatchPublishConfig *config);

/* Returns the folder in which a program with @config keeps what the next process needs, such as
 * spools: (nullable). */
const gchar *watch_publisher_get_state_directory (const WatchConfig *config);

/* None of the following waits for a broker or a disk. @line: the text of the line of @notice,
 * without line feed. @jpeg: (nullable): the picture of the event. */
void watch_publisher_add (
    WatchPublisher *self, const WatchNotice *notice, const gchar *line, GBytes *jpeg);
/* Sets the state of a zone, whose topic is BASE/CAMERA/LEVEL. */
void watch_publisher_set_zone (
    WatchPublisher *self, const gchar *camera, const gchar *level, const gchar *value);
void watch_publisher_set_available (WatchPublisher *self, const gchar *camera, gboolean available);
/* Sets the topics of @cameras (of WatchCameraConfig) to their @states, and deletes the topics of
 * all other cameras, also those that a former process set. */
void watch_publisher_announce (
    WatchPublisher *self, GPtrArray *cameras, const WatchPublisherStates *states);
/* Deletes all topics that were set, because the configuration has no such publisher any more. */
void watch_publisher_retire (WatchPublisher *self);
/* Returns whether all lines that were added are in the spool, so that the process may end without
 * losing one. A publisher without a spool always says TRUE. */
gboolean watch_publisher_is_safe (WatchPublisher *self);

/* @publishers: of WatchPublisher. */
void watch_publishers_append_metrics (GPtrArray *publishers, GString *text);

G_END_DECLS

#endif
