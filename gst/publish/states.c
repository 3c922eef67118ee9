/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "states.h"

#include <string.h>

typedef struct {
  GBytes *data; /* (nullable): NULL if a former process set the value, which only the broker has */
  gboolean holds, unsent;
  gboolean refused; /* the broker has refused this value */
} State;

static void
free_state (gpointer data)
{
  State *state = data;

  g_clear_pointer (&state->data, g_bytes_unref);
  g_free (state);
}

static State *
add (States *self, const gchar *topic)
{
  State *state = g_hash_table_lookup (self->table, topic);

  if (state == NULL) {
    state = g_new0 (State, 1);
    g_hash_table_insert (self->table, g_strdup (topic), state);
    self->unsaved = self->path != NULL;
  }
  return state;
}

/* @topic: borrowed from the table. */
static void
queue (States *self, const gchar *topic, State *state)
{
  if (state->unsent || state->refused || state->data == NULL)
    return;
  state->unsent = TRUE;
  g_queue_push_tail (&self->unsent, (gpointer) topic);
}

void
states_init (States *self, const gchar *path)
{
  g_autofree gchar *text = NULL;
  g_auto (GStrv) topics = NULL;

  *self = (States){ .path = g_strdup (path),
    .table = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_state),
    .unsent = G_QUEUE_INIT };
  if (path == NULL || !g_file_get_contents (path, &text, NULL, NULL))
    return;
  topics = g_strsplit (text, "\n", -1);
  for (guint i = 0; topics[i] != NULL; i++) {
    if (topics[i][0] != '\0')
      add (self, topics[i]);
  }
  self->unsaved = FALSE;
}

void
states_clear (States *self)
{
  g_queue_clear (&self->unsent);
  g_hash_table_unref (self->table);
  g_free (self->path);
}

void
states_set (States *self, const gchar *topic, GBytes *data)
{
  State *state = add (self, topic);
  gpointer key;

  state->holds = data == NULL || g_bytes_get_size (data) > 0;
  if (data == NULL)
    return;
  g_hash_table_lookup_extended (self->table, topic, &key, NULL);
  g_clear_pointer (&state->data, g_bytes_unref);
  state->data = g_bytes_ref (data);
  state->refused = FALSE;
  queue (self, key, state);
}

void
states_begin (States *self)
{
  GHashTableIter iter;
  gpointer state;

  g_hash_table_iter_init (&iter, self->table);
  while (g_hash_table_iter_next (&iter, NULL, &state))
    ((State *) state)->holds = FALSE;
}

void
states_sweep (States *self)
{
  g_autoptr (GBytes) nothing = g_bytes_new_static ("", 0);
  GHashTableIter iter;
  gpointer topic, value;

  g_hash_table_iter_init (&iter, self->table);
  while (g_hash_table_iter_next (&iter, &topic, &value)) {
    if (!((State *) value)->holds)
      states_set (self, topic, nothing);
  }
}

void
states_refresh (States *self)
{
  GHashTableIter iter;
  gpointer topic, state;

  g_hash_table_iter_init (&iter, self->table);
  while (g_hash_table_iter_next (&iter, &topic, &state))
    queue (self, topic, state);
}

const gchar *
states_take_unsent (States *self)
{
  const gchar *topic = g_queue_pop_head (&self->unsent);

  if (topic != NULL)
    ((State *) g_hash_table_lookup (self->table, topic))->unsent = FALSE;
  return topic;
}

GBytes *
states_get (States *self, const gchar *topic)
{
  const State *state = g_hash_table_lookup (self->table, topic);

  return state != NULL && state->data != NULL ? g_bytes_ref (state->data) : NULL;
}

void
states_end (States *self, const gchar *topic, GBytes *data, gboolean lost)
{
  State *state = g_hash_table_lookup (self->table, topic);

  if (state == NULL || state->data != data || state->unsent)
    return;
  state->refused = lost;
  if (!lost && g_bytes_get_size (data) == 0) {
    g_hash_table_remove (self->table, topic);
    self->unsaved = self->path != NULL;
  }
}

gchar *
states_list (States *self)
{
  GString *text = g_string_new (NULL);
  GHashTableIter iter;
  gpointer topic;

  g_hash_table_iter_init (&iter, self->table);
  while (g_hash_table_iter_next (&iter, &topic, NULL))
    g_string_append_printf (text, "%s\n", (const gchar *) topic);
  self->unsaved = FALSE;
  return g_string_free (text, FALSE);
}
