/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cameras.h"

#include <string.h>

#define TICK_MS 100
#define POLL_US 10000

struct _WatchCameras {
  WatchCamerasSettings settings;
  WatchCameraSettings shared; /* what all cameras share */
  /* of WatchCamera; only the thread of the cameras changes it, in call() */
  GPtrArray *cameras;
  gboolean exceeded; /* that too many pipelines were abandoned was told */
  GMainContext *context;
  GMainLoop *loop;
  GThread *thread;
};

/* ---- calls ---- */

typedef void (*CallFunc) (WatchCameras *self, gpointer data);

typedef struct {
  WatchCameras *self;
  CallFunc func;
  gpointer data;
  GMutex lock;
  GCond cond;
  gboolean done;
} Call;

static gboolean
on_call (gpointer user_data)
{
  Call *call = user_data;

  call->func (call->self, call->data);
  g_mutex_lock (&call->lock);
  call->done = TRUE;
  g_cond_signal (&call->cond);
  g_mutex_unlock (&call->lock);
  return G_SOURCE_REMOVE;
}

/* Makes the thread of the cameras call @func, and waits until it has returned. */
static void
call (WatchCameras *self, CallFunc func, gpointer data)
{
  Call one = { .self = self, .func = func, .data = data };
  GSource *source = g_idle_source_new ();

  g_mutex_init (&one.lock);
  g_cond_init (&one.cond);
  g_source_set_priority (source, G_PRIORITY_HIGH);
  g_source_set_callback (source, on_call, &one, NULL);
  g_source_attach (source, self->context);
  g_source_unref (source);
  g_mutex_lock (&one.lock);
  while (!one.done)
    g_cond_wait (&one.cond, &one.lock);
  g_mutex_unlock (&one.lock);
  g_mutex_clear (&one.lock);
  g_cond_clear (&one.cond);
}

/* ---- the thread ---- */

static gboolean
on_exceeded (gpointer user_data)
{
  WatchCameras *self = user_data;

  self->settings.exceeded (self->settings.user_data);
  return G_SOURCE_REMOVE;
}

static gboolean
on_tick (gpointer user_data)
{
  WatchCameras *self = user_data;
  guint total;

  for (guint i = 0; i < self->cameras->len; i++)
    watch_camera_check (self->cameras->pdata[i]);
  watch_ending_check (self->shared.ending);
  if (!self->exceeded &&
      watch_ending_get_abandoned (self->shared.ending, &total) > WATCH_ENDING_MAX_ABANDONED) {
    self->exceeded = TRUE;
    g_idle_add (on_exceeded, self);
  }
  return G_SOURCE_CONTINUE;
}

static gpointer
run (gpointer user_data)
{
  WatchCameras *self = user_data;
  GSource *tick = g_timeout_source_new (TICK_MS);

  g_main_context_push_thread_default (self->context);
  g_source_set_callback (tick, on_tick, self, NULL);
  g_source_attach (tick, self->context);
  g_main_loop_run (self->loop);
  g_source_destroy (tick);
  g_source_unref (tick);
  g_main_context_pop_thread_default (self->context);
  return NULL;
}

/* ---- changes ---- */

static WatchCamera *
find_name (GPtrArray *cameras, const gchar *name)
{
  for (guint i = 0; i < cameras->len; i++) {
    if (strcmp (watch_camera_get_config (cameras->pdata[i])->section.name, name) == 0)
      return cameras->pdata[i];
  }
  return NULL;
}

/* Swaps the array of cameras with that at @data, a pointer to a GPtrArray. */
static void
exchange (WatchCameras *self, gpointer data)
{
  GPtrArray **next = data;
  GPtrArray *former = self->cameras;

  for (guint i = 0; i < former->len; i++) {
    WatchCamera *camera = former->pdata[i];
    WatchCamera *successor = find_name (*next, watch_camera_get_config (camera)->section.name);

    if (successor == camera)
      continue;
    watch_camera_end (camera);
    watch_camera_stop_outage (camera);
    if (successor != NULL)
      watch_camera_succeed (successor, camera);
  }
  self->cameras = *next;
  *next = former;
}

/* Replaces the array of cameras by @next (transfer full), and frees the cameras that are not in it.
 */
static void
replace (WatchCameras *self, GPtrArray *next)
{
  g_autoptr (GPtrArray) former = next;

  call (self, exchange, &former);
  for (guint i = 0; i < former->len; i++) {
    if (!g_ptr_array_find (self->cameras, former->pdata[i], NULL))
      watch_camera_free (former->pdata[i]);
  }
}

guint
watch_cameras_set (WatchCameras *self, WatchConfig *config)
{
  GPtrArray *next = g_ptr_array_new ();
  guint n_kept = 0;

  for (guint i = 0; i < config->cameras->len; i++) {
    const WatchCameraConfig *one = config->cameras->pdata[i];
    WatchCamera *camera = find_name (self->cameras, one->section.name);

    if (camera != NULL &&
        strcmp (watch_camera_get_config (camera)->section.fingerprint, one->section.fingerprint) ==
            0)
      n_kept++;
    else
      camera = watch_camera_new (config, one, &self->shared);
    g_ptr_array_add (next, camera);
  }
  replace (self, next);
  return n_kept;
}

static void
count (WatchCameras *self, gpointer data)
{
  watch_ending_check (self->shared.ending);
  *(guint *) data = watch_ending_count (self->shared.ending);
}

/* ---- object ---- */

guint
watch_cameras_free (WatchCameras *self, guint timeout_ms)
{
  const gint64 end = g_get_monotonic_time () + timeout_ms * G_TIME_SPAN_MILLISECOND;
  guint n_left = 0;

  if (self->thread != NULL) {
    replace (self, g_ptr_array_new ());
    do {
      g_usleep (POLL_US);
      call (self, count, &n_left);
    } while (n_left > 0 && g_get_monotonic_time () < end);
    g_main_loop_quit (self->loop);
    g_thread_join (self->thread);
    g_idle_remove_by_data (self);
  }
  watch_ending_free (self->shared.ending);
  g_ptr_array_unref (self->cameras);
  g_main_loop_unref (self->loop);
  g_main_context_unref (self->context);
  g_free (self);
  return n_left;
}

WatchCameras *
watch_cameras_new (const WatchCamerasSettings *settings, GError **error)
{
  WatchCameras *self = g_new0 (WatchCameras, 1);

  self->settings = *settings;
  self->cameras = g_ptr_array_new ();
  self->context = g_main_context_new ();
  self->loop = g_main_loop_new (self->context, FALSE);
  self->shared = (WatchCameraSettings){ settings->replay, settings->fast, settings->outlet,
    watch_ending_new (), self->context };
  self->thread = g_thread_try_new ("cameras", run, self, error);
  if (self->thread == NULL) {
    watch_cameras_free (self, 0);
    return NULL;
  }
  return self;
}

GPtrArray *
watch_cameras_list (WatchCameras *self)
{
  return self->cameras;
}

guint
watch_cameras_get_abandoned (WatchCameras *self, guint *total)
{
  return watch_ending_get_abandoned (self->shared.ending, total);
}
