/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The interface of a target, to which a publisher sends records. */
#ifndef PUBLISH_TARGET_H
#define PUBLISH_TARGET_H

#include "publisher-settings.h"

G_BEGIN_DECLS

typedef struct {
  gchar *topic;
  GBytes *data;
  gboolean retain;
} PublishRecord;

void publish_record_clear (PublishRecord *record);

/* What a target tells its publisher, from any thread, without a lock of the publisher. */
typedef struct {
  void (*acknowledge) (guint64 number, gpointer publisher); /* the record has arrived */
  /* the record will never arrive; @why: (nullable): the reason, for the user */
  void (*give_up) (guint64 number, const gchar *why, gpointer publisher);
  /* There is a connection, or none any more, or room for more records. Records that were not
   * answered when a connection ended are to be sent again. */
  void (*changed) (gboolean connected, gpointer publisher);
  void (*refresh) (gpointer publisher); /* a subscriber needs all states again */
  PublisherNotify notify;
  gpointer user_data, publisher; /* the data of notify, and that of the other functions */
} PublishHooks;

typedef struct _PublishTarget PublishTarget;

struct _PublishTarget {
  /* when it is freed, it retains nothing: the availability topic does not become "offline" */
  gboolean is_retired;
  /* Begins to send @record, and tells its @number when that has ended, maybe before it returns.
   * FALSE: not now; changed() tells when to try again. */
  gboolean (*send) (PublishTarget *self, const PublishRecord *record, guint64 number);
  /* Ends a send() that waits. Any thread. */
  void (*stop) (PublishTarget *self);
  /* Called after stop(), when no send() runs. Waits for nothing that takes long. */
  void (*free) (PublishTarget *self);
  guint64 (*get_reconnects) (PublishTarget *self); /* nullable */
};

/* @hooks are copied. */
PublishTarget *publish_target_file_new (
    const PublisherSettings *settings, const PublishHooks *hooks, GError **error);
PublishTarget *publish_target_mqtt_new (
    const PublisherSettings *settings, const PublishHooks *hooks, GError **error);

G_END_DECLS

#endif
