/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One thread makes pictures and lines, in the order of the events: a line that names a picture
 * comes when the picture is there. Cameras never wait for it. */
#include "outlet.h"

#include "lines.h"
#include "open-events.h"
#include "pictures.h"
#include "receiver.h"

#include <string.h>

#define MAX_PICTURES 32       /* notices that wait, behind which there are no pictures */
#define MAX_NOTICES 10000     /* that wait, behind which they are dropped */
#define AVAILABLE "available" /* no event: its phases are "online" and "offline" */
#define SETTLE_US (G_USEC_PER_SEC / 10)

struct _WatchOutlet {
  GAsyncQueue *queue; /* of WatchNotice; itself is the end */
  GThread *thread;
  gint n_dropped, n_without; /* atomic: events, and events without a picture */
  WatchOpenEvents *open;     /* of the thread; (nullable) */

  GMutex lock; /* of what follows: */
  WatchConfig *config;
  GPtrArray *receivers; /* of WatchReceiver */
  GHashTable *on;       /* "CAMERA\nEVENT" of the events that last */
  GHashTable *up;       /* names of the cameras that have pictures */

  GMutex pictures_lock;    /* of what follows, held while a picture is made: */
  WatchPictures *pictures; /* (nullable) */
  gint wants_pictures;     /* atomic */
};

/* ---- notices ---- */

/* Returns (nullable): the picture of @notice, and *@path (nullable): its file. */
static GBytes *
make_picture (WatchOutlet *self, WatchNotice *notice, gchar **path)
{
  g_autoptr (GError) error = NULL;
  GBytes *jpeg;

  *path = NULL;
  if (notice->frame == NULL)
    return NULL;
  g_mutex_lock (&self->pictures_lock);
  jpeg = self->pictures != NULL ? watch_pictures_write (self->pictures, notice->frame,
                                      notice->camera, notice->event, notice->id, path, &error)
                                : NULL;
  g_mutex_unlock (&self->pictures_lock);
  if (error != NULL) {
    g_atomic_int_inc (&self->n_without);
    g_warning ("%s: %s", notice->camera, error->message);
  }
  return jpeg;
}

/* With the lock. */
static void
note_state (WatchOutlet *self, const WatchNotice *notice)
{
  g_autofree gchar *key = g_strjoin ("\n", notice->camera, notice->event, NULL);

  if (g_str_equal (notice->phase, "start"))
    g_hash_table_add (self->on, g_steal_pointer (&key));
  else if (g_str_equal (notice->phase, "end"))
    g_hash_table_remove (self->on, key);
}

static void
handle_available (WatchOutlet *self, const WatchNotice *notice)
{
  const gboolean available = g_str_equal (notice->phase, "online");

  g_mutex_lock (&self->lock);
  if (available)
    g_hash_table_add (self->up, g_strdup (notice->camera));
  else
    g_hash_table_remove (self->up, notice->camera);
  for (guint i = 0; i < self->receivers->len; i++)
    watch_receiver_set_available (self->receivers->pdata[i], notice->camera, available);
  g_mutex_unlock (&self->lock);
}

static void
handle (WatchOutlet *self, WatchNotice *notice)
{
  g_autofree gchar *path = NULL;
  g_autoptr (GBytes) jpeg = make_picture (self, notice, &path);
  const WatchLineMore more = { .utc = notice->utc,
    .source = notice->utc_source,
    .picture = path,
    .recording = notice->recording,
    .pre_roll = notice->pre_roll,
    .clock_offset_us = notice->clock_offset_us };
  g_autofree gchar *line = watch_line_complete (notice->line, &more);

  if (self->open != NULL)
    watch_open_events_note (self->open, notice, line);
  g_mutex_lock (&self->lock);
  note_state (self, notice);
  for (guint i = 0; i < self->receivers->len; i++)
    watch_receiver_add (self->receivers->pdata[i], notice, line, jpeg);
  g_mutex_unlock (&self->lock);
}

static gboolean
is_pending (const WatchOutlet *self)
{
  return self->open != NULL && watch_open_events_is_pending (self->open);
}

/* Forgets events that have ended, once the lines with their ends survive a kill. */
static void
settle (WatchOutlet *self)
{
  gboolean safe = is_pending (self);

  if (!safe)
    return;

  g_mutex_lock (&self->lock);
  for (guint i = 0; i < self->receivers->len; i++)
    safe = safe && watch_receiver_is_safe (self->receivers->pdata[i]);
  g_mutex_unlock (&self->lock);
  if (safe)
    watch_open_events_settle (self->open);
}

/* Returns the next notice, the outlet at the end, or NULL after a while in which there is something
 * to settle. */
static gpointer
pop (WatchOutlet *self)
{
  return is_pending (self) ? g_async_queue_timeout_pop (self->queue, SETTLE_US)
                           : g_async_queue_pop (self->queue);
}

static gpointer
run (gpointer user_data)
{
  WatchOutlet *self = user_data;
  gpointer item;

  while ((item = pop (self)) != self) {
    /* before the next line, which is not there yet */
    settle (self);
    if (item != NULL) {
      if (g_str_equal (((WatchNotice *) item)->event, AVAILABLE))
        handle_available (self, item);
      else
        handle (self, item);
      watch_notice_free (item);
    }
  }
  return NULL;
}

void
watch_outlet_add (WatchOutlet *self, WatchNotice *notice)
{
  const gint n = g_async_queue_length (self->queue);

  if (n >= MAX_NOTICES) {
    if (g_atomic_int_add (&self->n_dropped, 1) == 0)
      g_warning ("events are dropped: pictures cannot be written as fast as they come");
    watch_notice_free (notice);
    return;
  }
  if (n >= MAX_PICTURES && notice->frame != NULL) {
    g_atomic_int_inc (&self->n_without);
    g_clear_pointer (&notice->frame, gst_sample_unref);
  }
  g_async_queue_push (self->queue, notice);
}

/* ---- states ---- */

void
watch_outlet_set_available (WatchOutlet *self, const gchar *camera, gboolean available)
{
  g_async_queue_push (self->queue,
      watch_notice_new (camera, AVAILABLE, available ? "online" : "offline", "", NULL));
}

static gboolean
has_camera (const WatchConfig *config, const gchar *name)
{
  for (guint i = 0; i < config->cameras->len; i++) {
    if (strcmp (((const WatchCameraConfig *) config->cameras->pdata[i])->section.name, name) == 0)
      return TRUE;
  }
  return FALSE;
}

/* Of states: whether it is of a camera that @user_data does not have. */
static gboolean
is_gone (gpointer key, gpointer value, gpointer user_data)
{
  g_autofree gchar *name = g_strndup (key, strcspn (key, "\n"));

  return !has_camera (user_data, name);
}

void
watch_outlet_announce (WatchOutlet *self, const WatchConfig *config)
{
  const WatchReceiverStates states = { self->on, self->up };

  g_mutex_lock (&self->lock);
  g_hash_table_foreach_remove (self->on, is_gone, (gpointer) config);
  g_hash_table_foreach_remove (self->up, is_gone, (gpointer) config);
  for (guint i = 0; i < self->receivers->len; i++)
    watch_receiver_announce (self->receivers->pdata[i], config->cameras, &states);
  g_mutex_unlock (&self->lock);
}

gboolean
watch_outlet_wants_pictures (WatchOutlet *self)
{
  return g_atomic_int_get (&self->wants_pictures);
}

void
watch_outlet_append_metrics (WatchOutlet *self, GString *text)
{
  g_mutex_lock (&self->pictures_lock);
  g_string_append_printf (text,
      "# HELP gst_gles_watch_events_dropped_total Events that could not be handled.\n"
      "# TYPE gst_gles_watch_events_dropped_total counter\n"
      "gst_gles_watch_events_dropped_total %d\n"
      "# HELP gst_gles_watch_pictures_missing_total Events without their picture.\n"
      "# TYPE gst_gles_watch_pictures_missing_total counter\n"
      "gst_gles_watch_pictures_missing_total %d\n"
      "# HELP gst_gles_watch_pictures_bytes Size of the folder of pictures.\n"
      "# TYPE gst_gles_watch_pictures_bytes gauge\n"
      "gst_gles_watch_pictures_bytes %" G_GUINT64_FORMAT "\n",
      g_atomic_int_get (&self->n_dropped), g_atomic_int_get (&self->n_without),
      self->pictures != NULL ? watch_pictures_get_bytes (self->pictures) : 0);
  g_mutex_unlock (&self->pictures_lock);
  g_mutex_lock (&self->lock);
  watch_receivers_append_metrics (self->receivers, text);
  g_mutex_unlock (&self->lock);
}

/* ---- object ---- */

/* Whether somebody gets pictures. */
static gboolean
needs_pictures (const WatchConfig *config)
{
  gboolean needs = config->thumbnails.directory != NULL;

  for (guint i = 0; i < config->publish->len; i++)
    needs = needs || ((const WatchPublishConfig *) config->publish->pdata[i])->snapshots;
  return needs;
}

/* Returns the receiver of @former (nullable) that @publish describes, without taking it out. */
static WatchReceiver *
find_equal (GPtrArray *former, const WatchPublishConfig *publish)
{
  for (guint i = 0; former != NULL && i < former->len; i++) {
    const WatchPublishConfig *other = watch_receiver_get_config (former->pdata[i]);

    if (strcmp (other->section.name, publish->section.name) == 0 &&
        strcmp (other->section.fingerprint, publish->section.fingerprint) == 0)
      return former->pdata[i];
  }
  return NULL;
}

/* Has the receivers of @former (nullable) that @config does not name leave nothing behind. */
static void
retire (GPtrArray *former, const WatchConfig *config)
{
  for (guint i = 0; former != NULL && i < former->len; i++) {
    const gchar *name = watch_receiver_get_config (former->pdata[i])->section.name;
    gboolean found = FALSE;

    for (guint k = 0; k < config->publish->len; k++)
      found = found ||
          strcmp (((const WatchPublishConfig *) config->publish->pdata[k])->section.name, name) ==
              0;
    if (!found)
      watch_receiver_retire (former->pdata[i]);
  }
}

/* Returns the receivers of @config: (transfer full); those of @former (nullable) that are equal
 * among them, and closes the others. Those that cannot be set up are missing, with @error. */
static GPtrArray *
make_receivers (WatchConfig *config, GPtrArray *former, GError **error)
{
  GPtrArray *receivers = g_ptr_array_new_with_free_func ((GDestroyNotify) watch_receiver_unref);

  for (guint i = 0; i < config->publish->len; i++) {
    WatchReceiver *equal = find_equal (former, config->publish->pdata[i]);

    if (equal != NULL)
      g_ptr_array_add (receivers, watch_receiver_ref (equal));
  }
  retire (former, config);
  if (former != NULL)
    g_ptr_array_set_size (former, 0);
  for (guint i = 0; i < config->publish->len; i++) {
    WatchReceiver *receiver = find_equal (receivers, config->publish->pdata[i]) == NULL
        ? watch_receiver_new (config, i, error != NULL && *error == NULL ? error : NULL)
        : NULL;

    if (receiver != NULL)
      g_ptr_array_add (receivers, receiver);
  }
  return receivers;
}

gboolean
watch_outlet_reload (WatchOutlet *self, WatchConfig *config, GError **error)
{
  g_autoptr (GPtrArray) former = NULL;
  GError *failure = NULL;

  g_mutex_lock (&self->pictures_lock);
  g_clear_pointer (&self->pictures, watch_pictures_free);
  if (needs_pictures (config))
    self->pictures = watch_pictures_new (&config->thumbnails, &failure);
  g_atomic_int_set (&self->wants_pictures, self->pictures != NULL);
  g_mutex_unlock (&self->pictures_lock);
  g_mutex_lock (&self->lock);
  former = self->receivers;
  self->receivers = make_receivers (config, former, &failure);
  watch_config_unref (self->config);
  self->config = watch_config_ref (config);
  g_mutex_unlock (&self->lock);
  if (failure != NULL)
    g_propagate_error (error, failure);
  return failure == NULL;
}

static void
add_line (const WatchNotice *notice, const gchar *line, gpointer user_data)
{
  WatchOutlet *self = user_data;

  for (guint i = 0; i < self->receivers->len; i++)
    watch_receiver_add (self->receivers->pdata[i], notice, line, NULL);
}

/* Ends what a kill interrupted, before anything else is sent. */
static gboolean
resume (WatchOutlet *self, GError **error)
{
  const gchar *folder = watch_receiver_get_state_directory (self->config);
  g_autofree gchar *path = folder != NULL ? g_build_filename (folder, "open", NULL) : NULL;

  if (path == NULL || self->config->publish->len == 0)
    return TRUE;
  self->open = watch_open_events_new (path, error);
  if (self->open == NULL)
    return FALSE;
  watch_open_events_resume (self->open, add_line, self);
  return TRUE;
}

WatchOutlet *
watch_outlet_new (WatchConfig *config, GError **error)
{
  WatchOutlet *self = g_new0 (WatchOutlet, 1);

  g_mutex_init (&self->lock);
  g_mutex_init (&self->pictures_lock);
  self->queue = g_async_queue_new ();
  self->on = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->up = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  if (watch_outlet_reload (self, config, error) && resume (self, error))
    self->thread = g_thread_try_new ("outlet", run, self, error);
  if (self->thread == NULL)
    g_clear_pointer (&self, watch_outlet_free);
  return self;
}

void
watch_outlet_free (WatchOutlet *self)
{
  if (self->thread != NULL) {
    g_async_queue_push (self->queue, self);
    g_thread_join (self->thread);
  }
  g_clear_pointer (&self->receivers, g_ptr_array_unref); /* lines are in spools after that */
  if (self->open != NULL)
    watch_open_events_settle (self->open);
  watch_open_events_free (self->open);
  watch_pictures_free (self->pictures);
  g_async_queue_unref (self->queue);
  g_hash_table_unref (self->on);
  g_hash_table_unref (self->up);
  watch_config_unref (self->config);
  g_mutex_clear (&self->lock);
  g_mutex_clear (&self->pictures_lock);
  g_free (self);
}
