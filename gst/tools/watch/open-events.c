/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The start of an event is the file ID, its end the file ID.end; both are written before publishers
 * get the lines. They go when the end is where it survives a kill, so a kill at any time leaves
 * what is needed to send the end, maybe once more, but never two different ones. */
#include "open-events.h"

#include "../../json/check.h"
#include "../../publish/publish.h"
#include "lines.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include <glib/gstdio.h>
#include <json-glib/json-glib.h>

#define END ".end"
/* how many ended events are kept at most, if a disk is full and their ends never reach a spool */
#define MAX_PENDING 1000

struct _WatchOpenEvents {
  gchar *path;
  gint lock;        /* the file that is locked while the program runs */
  GPtrArray *ended; /* ids of events that have ended, whose ends a kill could still lose */
  gboolean failed;  /* the last write failed, which the log says */
};

/* Returns (transfer full). */
static gchar *
get_path (const WatchOpenEvents *self, const gchar *id, const gchar *suffix)
{
  g_autofree gchar *name = g_strconcat (id, suffix, NULL);

  return g_build_filename (self->path, name, NULL);
}

static gboolean
is_id (const gchar *text)
{
  return strlen (text) == 16 && strspn (text, "0123456789abcdef") == 16;
}

static void
write_line (WatchOpenEvents *self, const gchar *id, const gchar *suffix, const gchar *line)
{
  g_autofree gchar *path = get_path (self, id, suffix);
  g_autoptr (GError) error = NULL;

  if (!replace_file (path, line, &error) && !self->failed)
    g_warning ("events that a kill interrupts will not end: %s", error->message);
  self->failed = error != NULL;
}

static void
remove_event (const WatchOpenEvents *self, const gchar *id)
{
  g_autofree gchar *start = get_path (self, id, ""), *end = get_path (self, id, END);

  /* in this order: after a kill between the two, the next process finds the end and sends it again
   */
  g_unlink (start);
  g_unlink (end);
}

void
watch_open_events_note (WatchOpenEvents *self, const WatchNotice *notice, const gchar *line)
{
  if (!is_id (notice->id))
    return;
  if (g_str_equal (notice->phase, "start")) {
    write_line (self, notice->id, "", line);
  } else if (g_str_equal (notice->phase, "end")) {
    write_line (self, notice->id, END, line);
    g_ptr_array_add (self->ended, g_strdup (notice->id));
  }
  if (self->ended->len > MAX_PENDING) {
    remove_event (self, self->ended->pdata[0]);
    g_ptr_array_remove_index (self->ended, 0);
  }
}

gboolean
watch_open_events_is_pending (const WatchOpenEvents *self)
{
  return self->ended->len > 0;
}

void
watch_open_events_settle (WatchOpenEvents *self)
{
  for (guint i = 0; i < self->ended->len; i++)
    remove_event (self, self->ended->pdata[i]);
  g_ptr_array_set_size (self->ended, 0);
}

/* ---- what a former process left ---- */

/* Returns the line that the file has: (transfer full) (nullable). */
static JsonObject *
read_line (const WatchOpenEvents *self, const gchar *id, const gchar *suffix)
{
  g_autofree gchar *path = get_path (self, id, suffix), *text = NULL;
  g_autoptr (JsonNode) node = NULL;
  gsize size;

  if (!g_file_get_contents (path, &text, &size, NULL) ||
      !json_text_check (text, size, JSON_TEXT_LINE_DEPTH, NULL))
    return NULL;
  node = json_from_string (text, NULL);
  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_dup_object (node) : NULL;
}

/* Returns the end that an event did not have: (transfer full). */
static JsonObject *
make_end (JsonObject *start)
{
  const gchar *utc = json_object_get_string_member_with_default (start, "utc", NULL);
  g_autoptr (GDateTime) since = utc != NULL ? g_date_time_new_from_iso8601 (utc, NULL) : NULL;
  const gint64 now = g_get_real_time ();
  const gint64 start_us = since != NULL ? g_date_time_to_unix (since) * G_USEC_PER_SEC : now;

  return watch_line_end (start, "interrupted",
      (guint64) json_object_get_int_member_with_default (start, "frame", 0), now,
      (guint64) MAX (now - start_us, 0) * 1000);
}

/* Returns the name of the camera of @line, or "". */
static const gchar *
get_camera (JsonObject *line)
{
  JsonNode *tags = json_object_get_member (line, "tags");

  return tags != NULL && JSON_NODE_HOLDS_OBJECT (tags)
      ? json_object_get_string_member_with_default (json_node_get_object (tags), "camera", "")
      : "";
}

static void
resume (WatchOpenEvents *self, const gchar *id, WatchOpenEventsFunc func, gpointer user_data)
{
  g_autoptr (JsonObject) start = read_line (self, id, "");
  JsonObject *end = read_line (self, id, END);
  const gboolean had_end = end != NULL;
  g_autofree gchar *text = NULL;
  WatchNotice *notice;

  if (end == NULL && start != NULL)
    end = make_end (start);
  text = end != NULL ? watch_line_write (end) : NULL;
  if (text == NULL) {
    g_clear_pointer (&end, json_object_unref);
    remove_event (self, id);
    return;
  }
  if (!had_end)
    write_line (self, id, END, text);
  notice = watch_notice_new (get_camera (end),
      json_object_get_string_member_with_default (end, "event", ""), "end", id, end);
  func (notice, text, user_data);
  watch_notice_free (notice);
  g_ptr_array_add (self->ended, g_strdup (id));
}

static void
remove_part (const WatchOpenEvents *self, const gchar *name)
{
  g_autofree gchar *path = g_build_filename (self->path, name, NULL);

  g_unlink (path);
}

void
watch_open_events_resume (WatchOpenEvents *self, WatchOpenEventsFunc func, gpointer user_data)
{
  g_autoptr (GDir) folder = g_dir_open (self->path, 0, NULL);
  g_autoptr (GHashTable) ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GHashTableIter iter;
  const gchar *name;
  gpointer id;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL) {
    g_autofree gchar *stem = g_strndup (name, strcspn (name, "."));

    if (g_str_has_suffix (name, REPLACE_FILE_PART))
      remove_part (self, name);
    else if (is_id (stem))
      g_hash_table_add (ids, g_steal_pointer (&stem));
  }
  g_hash_table_iter_init (&iter, ids);
  while (g_hash_table_iter_next (&iter, &id, NULL))
    resume (self, id, func, user_data);
}

/* ---- object ---- */

WatchOpenEvents *
watch_open_events_new (const gchar *path, GError **error)
{
  WatchOpenEvents *self = g_new0 (WatchOpenEvents, 1);
  g_autofree gchar *lock = g_build_filename (path, "lock", NULL);

  self->path = g_strdup (path);
  self->ended = g_ptr_array_new_with_free_func (g_free);
  self->lock = g_mkdir_with_parents (path, 0700) == 0
      ? g_open (lock, O_RDWR | O_CREAT | O_CLOEXEC, 0600)
      : -1;
  if (self->lock < 0) {
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "state-directory: %s: %s", path,
        g_strerror (errno));
    g_clear_pointer (&self, watch_open_events_free);
  } else if (flock (self->lock, LOCK_EX | LOCK_NB) != 0) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_BUSY,
        "state-directory: the folder %s belongs to another program: give each its own", path);
    g_clear_pointer (&self, watch_open_events_free);
  }
  return self;
}

void
watch_open_events_free (WatchOpenEvents *self)
{
  if (self == NULL)
    return;
  if (self->lock >= 0)
    close (self->lock);
  g_ptr_array_unref (self->ended);
  g_free (self->path);
  g_free (self);
}
