/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Keeps records on the disk, in order. Each is written once, read once by each process until it is
 * acknowledged, and then removed. Used by one thread. */
#ifndef PUBLISH_SPOOL_H
#define PUBLISH_SPOOL_H

#include "target.h"

G_BEGIN_DECLS

typedef struct _Spool Spool;

/* The end of a record. */
typedef struct {
  guint64 segment, offset;
} SpoolPlace;

/* Opens or makes the spool in the folder @path. @notify (nullable) hears of damage. NULL with
 * @error: the folder cannot be made, or somebody else uses it. */
Spool *spool_open (const gchar *path, guint64 max_bytes, PublisherNotify notify, gpointer user_data,
    GError **error);
void spool_close (Spool *self);

/* FALSE with @error: the disk does not take it; nothing is changed. *@n_dropped grows by the
 * records that had to go, the oldest. */
gboolean spool_append (
    Spool *self, const PublishRecord *record, guint64 *n_dropped, GError **error);
/* Reads the next record, to be cleared, and *@end of it. FALSE: there is none. */
gboolean spool_read (Spool *self, PublishRecord *record, SpoolPlace *end);
/* Whether the record that ends at @end is of a former process. */
gboolean spool_is_old (const Spool *self, const SpoolPlace *end);
/* Removes all records up to @end, because they were sent. */
void spool_acknowledge (Spool *self, const SpoolPlace *end);
/* Waits until the disk has what was written, if there is something new. */
void spool_sync (Spool *self);

G_END_DECLS

#endif
