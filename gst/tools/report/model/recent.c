/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "recent.h"

typedef struct {
  GstClockTime time;
  gpointer picture;
  gsize size;
} Entry;

struct _ReportRecent {
  GQueue entries; /* of Entry, the latest first */
  GDestroyNotify free_picture;
  gsize size, max_size; /* bytes */
};

ReportRecent *
report_recent_new (gsize max_size, GDestroyNotify free_picture)
{
  ReportRecent *self = g_new0 (ReportRecent, 1);

  g_queue_init (&self->entries);
  self->free_picture = free_picture;
  self->max_size = max_size;
  return self;
}

static void
remove_oldest (ReportRecent *self)
{
  Entry *entry = g_queue_pop_tail (&self->entries);

  self->size -= entry->size;
  self->free_picture (entry->picture);
  g_free (entry);
}

void
report_recent_free (ReportRecent *self)
{
  while (!g_queue_is_empty (&self->entries))
    remove_oldest (self);
  g_free (self);
}

void
report_recent_add (ReportRecent *self, GstClockTime time, gpointer picture, gsize size)
{
  const Entry entry = { time, picture, size };

  g_queue_push_head (&self->entries, g_memdup2 (&entry, sizeof entry));
  self->size += size;
  while (self->size > self->max_size)
    remove_oldest (self);
}

gpointer
report_recent_find (ReportRecent *self, GstClockTime time)
{
  for (GList *link = self->entries.head; link != NULL; link = link->next) {
    const Entry *entry = link->data;

    if (entry->time == time)
      return entry->picture;
  }
  return NULL;
}
