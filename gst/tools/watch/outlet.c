/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A thread of its own makes the picture and the line of each event, in the order of events, so that
 * a line that names a picture is sent when its file exists. Cameras never wait for this thread. */
#include "outlet.h"

#include "analysis.h"
#include "lines.h"
#include "open-events.h"
#include "pictures.h"
#include "publisher.h"
#include "zones.h"

#include <string.h>

#define MAX_PICTURES 32       /* if so many notices wait, further ones get no picture */
#define MAX_NOTICES 10000     /* if so many notices wait, further ones are dropped */
#define AVAILABLE "available" /* in place of an event, with the phases "online" and "offline" */
#define SETTLE_US (G_USEC_PER_SEC / 10)

struct _WatchOutlet {
  GAsyncQueue *queue; /* of WatchNotice; the outlet itself is the last item, and ends the thread */
  GThread *thread;
  /* atomic: events that were dropped, and events whose picture is missing */
  gint n_dropped, n_without;
  WatchOpenEvents *open; /* (nullable); of the thread */
  /* of the thread; from the id of an event that has not ended to its WatchPicture */
  GHashTable *shown;

  GMutex lock; /* of what follows: */
  WatchConfig *config;
  GPtrArray *publishers; /* of WatchPublisher */
  GHashTable *on;        /* a set of "CAMERA\nEVENT": events that have started and not ended */
  GHashTable *up;        /* a set of names: cameras that have pictures */
  WatchZones *zones;

  GMutex pictures_lock;    /* of what follows, held while a picture is made: */
  WatchPictures *pictures; /* (nullable) */
  gint picture_width;      /* atomic; 0 if no pictures are to be made */
};

/* ---- notices ---- */

static void
free_picture (gpointer data)
{
  WatchPicture *picture = data;

  g_free (picture->path);
  g_free (picture);
}

/* Makes the picture of @notice and describes it in *@picture. If the event already has a file, the
 * picture replaces it. Returns the JPEG: (transfer full) (nullable). */
static GBytes *
write_picture (WatchOutlet *self, const WatchNotice *notice, WatchPicture *picture)
{
  g_autoptr (GError) error = NULL;
  GBytes *jpeg;

  g_mutex_lock (&self->pictures_lock);
  jpeg = self->pictures != NULL
      ? watch_pictures_write (self->pictures, notice, &picture->path, &error)
      : NULL;
  g_mutex_unlock (&self->pictures_lock);
  if (jpeg != NULL) {
    picture->frame = notice->frame;
    picture->frame.sample = NULL;
  } else if (error != NULL) {
    g_atomic_int_inc (&self->n_without);
    g_warning ("%s: %s", notice->camera, error->message);
  }
  return jpeg;
}

/* Returns the JPEG if @notice brings a new picture for its event: (transfer full) (nullable). Sets
 * *@picture to the description of the event's newest picture: (transfer full) (nullable). */
static GBytes *
make_picture (WatchOutlet *self, const WatchNotice *notice, WatchPicture **picture)
{
  const gboolean is_new = notice->frame.sample != NULL;
  g_autofree gchar *id = NULL;
  GBytes *jpeg = NULL;

  if (!g_hash_table_steal_extended (
          self->shown, notice->id, (gpointer *) &id, (gpointer *) picture))
    *picture = is_new ? g_new0 (WatchPicture, 1) : NULL;
  if (is_new)
    jpeg = write_picture (self, notice, *picture);
  if (is_new && jpeg == NULL && id == NULL)
    g_clear_pointer (picture, free_picture);
  return jpeg;
}

/* Keeps @picture (transfer full) (nullable) for the next notice of the event, or frees it if that
 * has ended. */
static void
keep_picture (WatchOutlet *self, const WatchNotice *notice, WatchPicture *picture)
{
  if (picture == NULL)
    return;
  if (g_str_equal (notice->phase, "start") || g_str_equal (notice->phase, "update"))
    g_hash_table_insert (self->shown, g_strdup (notice->id), picture);
  else
    free_picture (picture);
}

/* With the lock. */
static void
note_state (WatchOutlet *self, const WatchNotice *notice)
{
  g_autofree gchar *key = g_strjoin ("\n", notice->camera, notice->event, NULL);

  if (g_str_equal (notice->phase, "start") && watch_analysis_lasts (notice->event))
    g_hash_table_add (self->on, g_steal_pointer (&key));
  else if (g_str_equal (notice->phase, "end"))
    g_hash_table_remove (self->on, key);
}

/* A WatchZoneFunc. */
static void
set_zone (const gchar *camera, const gchar *level, const gchar *value, gpointer user_data)
{
  WatchOutlet *self = user_data;

  for (guint i = 0; i < self->publishers->len; i++)
    watch_publisher_set_zone (self->publishers->pdata[i], camera, level, value);
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
  for (guint i = 0; i < self->publishers->len; i++)
    watch_publisher_set_available (self->publishers->pdata[i], notice->camera, available);
  g_mutex_unlock (&self->lock);
}

/* @line: that of @notice. @jpeg: (nullable). */
static void
send (WatchOutlet *self, const WatchNotice *notice, const gchar *line, GBytes *jpeg)
{
  if (self->open != NULL)
    watch_open_events_note (self->open, notice, line);
  g_mutex_lock (&self->lock);
  note_state (self, notice);
  for (guint i = 0; i < self->publishers->len; i++)
    watch_publisher_add (self->publishers->pdata[i], notice, line, jpeg);
  watch_zones_take (self->zones, notice, set_zone, self);
  g_mutex_unlock (&self->lock);
}

static void
handle (WatchOutlet *self, WatchNotice *notice)
{
  WatchPicture *picture;
  g_autoptr (GBytes) jpeg = make_picture (self, notice, &picture);
  g_autofree gchar *line = NULL;

  if (picture != NULL)
    watch_line_set_picture (notice->line, picture);
  line = watch_line_write (notice->line);
  if (line != NULL)
    send (self, notice, line, jpeg);
  keep_picture (self, notice, picture);
}

static gboolean
is_pending (const WatchOutlet *self)
{
  return self->open != NULL && watch_open_events_is_pending (self->open);
}

/* Forgets events that have ended, as soon as all publishers have the lines of their ends where a
 * kill of the process does not lose them. */
static void
settle (WatchOutlet *self)
{
  gboolean safe = is_pending (self);

  if (!safe)
    return;

  g_mutex_lock (&self->lock);
  for (guint i = 0; i < self->publishers->len; i++)
    safe = safe && watch_publisher_is_safe (self->publishers->pdata[i]);
  g_mutex_unlock (&self->lock);
  if (safe)
    watch_open_events_settle (self->open);
}

/* Returns the next notice; or the outlet, when the thread is to end; or NULL, when it is time to
 * call settle() again. */
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
    /* before the next line is noted, whose end is not in a spool yet */
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
  if (n >= MAX_PICTURES && notice->frame.sample != NULL) {
    g_atomic_int_inc (&self->n_without);
    watch_frame_clear (&notice->frame);
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

/* A GHRFunc for the tables of states: returns whether the camera of @key is not in the
 * configuration @user_data. */
static gboolean
is_gone (gpointer key, gpointer value, gpointer user_data)
{
  g_autofree gchar *name = g_strndup (key, strcspn (key, "\n"));

  return !has_camera (user_data, name);
}

void
watch_outlet_announce (WatchOutlet *self, WatchConfig *config)
{
  const WatchPublisherStates states = { self->on, self->up, self->zones };

  g_mutex_lock (&self->lock);
  g_hash_table_foreach_remove (self->on, is_gone, config);
  g_hash_table_foreach_remove (self->up, is_gone, config);
  watch_zones_set (self->zones, config);
  for (guint i = 0; i < self->publishers->len; i++)
    watch_publisher_announce (self->publishers->pdata[i], config->cameras, &states);
  g_mutex_unlock (&self->lock);
}

guint
watch_outlet_get_picture_width (WatchOutlet *self)
{
  return (guint) g_atomic_int_get (&self->picture_width);
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
  watch_publishers_append_metrics (self->publishers, text);
  watch_zones_append_metrics (self->zones, text);
  g_mutex_unlock (&self->lock);
}

/* ---- object ---- */

/* Returns whether pictures are written to a folder or published. */
static gboolean
needs_pictures (const WatchConfig *config)
{
  gboolean needs = config->thumbnails.directory != NULL;

  for (guint i = 0; i < config->publish->len; i++)
    needs = needs || ((const WatchPublishConfig *) config->publish->pdata[i])->snapshots;
  return needs;
}

/* Returns the publisher of @former (nullable) that @publish describes, without taking it out. */
static WatchPublisher *
find_equal (GPtrArray *former, const WatchPublishConfig *publish)
{
  for (guint i = 0; former != NULL && i < former->len; i++) {
    const WatchPublishConfig *other = watch_publisher_get_config (former->pdata[i]);

    if (strcmp (other->section.name, publish->section.name) == 0 &&
        strcmp (other->section.fingerprint, publish->section.fingerprint) == 0)
      return former->pdata[i];
  }
  return NULL;
}

/* Retires those publishers of @former (nullable) that have no section in @config. */
static void
retire (GPtrArray *former, const WatchConfig *config)
{
  for (guint i = 0; former != NULL && i < former->len; i++) {
    const gchar *name = watch_publisher_get_config (former->pdata[i])->section.name;
    gboolean found = FALSE;

    for (guint k = 0; k < config->publish->len; k++)
      found = found ||
          strcmp (((const WatchPublishConfig *) config->publish->pdata[k])->section.name, name) ==
              0;
    if (!found)
      watch_publisher_retire (former->pdata[i]);
  }
}

static gboolean
has_name (GPtrArray *publishers, const gchar *name)
{
  for (guint i = 0; i < publishers->len; i++) {
    if (strcmp (watch_publisher_get_config (publishers->pdata[i])->section.name, name) == 0)
      return TRUE;
  }
  return FALSE;
}

/* Returns the publishers of @former (nullable) whose section is the same in @config: (transfer
 * full). */
static GPtrArray *
keep_equal (GPtrArray *former, const WatchConfig *config)
{
  GPtrArray *publishers = g_ptr_array_new_with_free_func ((GDestroyNotify) watch_publisher_unref);

  for (guint i = 0; i < config->publish->len; i++) {
    WatchPublisher *equal = find_equal (former, config->publish->pdata[i]);

    if (equal != NULL)
      g_ptr_array_add (publishers, watch_publisher_ref (equal));
  }
  return publishers;
}

/* Adds the publishers of @config that @publishers lacks, as far as they can be set up: FALSE with
 * @error: one cannot. */
static gboolean
add_others (GPtrArray *publishers, WatchConfig *config, GError **error)
{
  gboolean ok = TRUE;

  for (guint i = 0; i < config->publish->len; i++) {
    const WatchPublishConfig *publish = config->publish->pdata[i];
    WatchPublisher *publisher;

    if (has_name (publishers, publish->section.name))
      continue;
    publisher = watch_publisher_new (config, i, ok ? error : NULL);
    if (publisher != NULL)
      g_ptr_array_add (publishers, publisher);
    else
      ok = FALSE;
  }
  return ok;
}

/* Replaces the publishers by those of @config; those whose section is the same go on. The others
 * are closed before new ones are set up, which may use the same spool. If one cannot be set up, the
 * former ones are set up again, and this returns FALSE with @error. With the lock. */
static gboolean
replace_publishers (WatchOutlet *self, WatchConfig *config, GError **error)
{
  g_autoptr (GPtrArray) kept = keep_equal (self->publishers, config);

  retire (self->publishers, config);
  g_clear_pointer (&self->publishers, g_ptr_array_unref);
  self->publishers = keep_equal (kept, config);
  if (add_others (self->publishers, config, error))
    return TRUE;
  if (self->config != NULL) {
    g_ptr_array_unref (self->publishers);
    self->publishers = keep_equal (kept, self->config);
    add_others (self->publishers, self->config, NULL);
  }
  return FALSE;
}

gboolean
watch_outlet_reload (WatchOutlet *self, WatchConfig *config, GError **error)
{
  WatchPictures *pictures = NULL;
  gboolean ok = TRUE;

  if (needs_pictures (config)) {
    pictures = watch_pictures_new (&config->thumbnails, error);
    if (pictures == NULL)
      return FALSE;
  }
  g_mutex_lock (&self->lock);
  ok = replace_publishers (self, config, error);
  g_mutex_lock (&self->pictures_lock);
  if (ok) {
    WatchPictures *former = self->pictures;

    self->pictures = pictures;
    pictures = former;
    watch_config_unref (self->config);
    self->config = watch_config_ref (config);
  }
  g_atomic_int_set (
      &self->picture_width, self->pictures != NULL ? (gint) self->config->thumbnails.width : 0);
  g_mutex_unlock (&self->pictures_lock);
  g_mutex_unlock (&self->lock);
  watch_pictures_free (pictures);
  return ok;
}

static void
add_line (const WatchNotice *notice, const gchar *line, gpointer user_data)
{
  WatchOutlet *self = user_data;

  for (guint i = 0; i < self->publishers->len; i++)
    watch_publisher_add (self->publishers->pdata[i], notice, line, NULL);
}

/* Sends the ends of events that a kill of the former process interrupted, before anything else. */
static gboolean
resume (WatchOutlet *self, GError **error)
{
  const gchar *folder = watch_publisher_get_state_directory (self->config);
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
  self->zones = watch_zones_new ();
  self->shown = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_picture);
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
  g_clear_pointer (&self->publishers, g_ptr_array_unref); /* lines are in spools after that */
  if (self->open != NULL)
    watch_open_events_settle (self->open);
  watch_open_events_free (self->open);
  watch_pictures_free (self->pictures);
  g_async_queue_unref (self->queue);
  g_hash_table_unref (self->shown);
  g_hash_table_unref (self->on);
  g_hash_table_unref (self->up);
  watch_zones_free (self->zones);
  watch_config_unref (self->config);
  g_mutex_clear (&self->lock);
  g_mutex_clear (&self->pictures_lock);
  g_free (self);
}
