/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tally.h"

WatchTally *
watch_tally_new (const gchar *const *events)
{
  WatchTally *self = g_atomic_rc_box_new0 (WatchTally);

  g_mutex_init (&self->lock);
  self->events = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; events[i] != NULL; i++)
    g_hash_table_insert (self->events, g_strdup (events[i]), NULL);
  return self;
}

WatchTally *
watch_tally_ref (WatchTally *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
clear (gpointer data)
{
  WatchTally *self = data;

  g_hash_table_unref (self->events);
  g_free (self->decoder);
  g_free (self->memory);
  g_free (self->format);
  g_free (self->device);
  g_free (self->error);
  g_mutex_clear (&self->lock);
}

void
watch_tally_unref (WatchTally *self)
{
  g_atomic_rc_box_release_full (self, clear);
}

void
watch_tally_count_event (WatchTally *self, const gchar *event)
{
  g_mutex_lock (&self->lock);
  g_hash_table_insert (self->events, g_strdup (event),
      GSIZE_TO_POINTER (GPOINTER_TO_SIZE (g_hash_table_lookup (self->events, event)) + 1));
  g_mutex_unlock (&self->lock);
}

void
watch_tally_set (WatchTally *self, gchar **member, const gchar *text)
{
  g_mutex_lock (&self->lock);
  g_free (*member);
  *member = g_strdup (text);
  g_mutex_unlock (&self->lock);
}
