/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Watches cameras as a configuration file says. docs/watch.md describes it. */
#include "config.h"

#include "cameras.h"
#include "contexts.h"
#include "descriptors.h"
#include "metrics.h"
#include "service.h"

#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include <gio/gio.h>
#include <glib-unix.h>
#include <gst/gst.h>

#define STATUS_S 5
#define ONCE_TIMEOUT_US (15 * G_USEC_PER_SEC)
#define ONCE_TRIES 2
#define POLL_MS 100
#define END_MS 4000 /* which pipelines have to end */

/* Exit statuses. */
enum {
  OK = 0,
  FAILED = 1, /* of a camera with --once, or what is needed is not there */
  USAGE = 2,  /* the command line or the configuration is wrong */
  STUCK = 3,  /* too many pipelines do not end: a fresh process is needed */
};

typedef struct {
  const gchar *file;
  gboolean check, once, fast, version, defaults;
  gchar **replay;
  WatchConfig *config;
  WatchCameras *cameras;
  WatchOutlet *outlet;
  WatchMetrics *metrics;
  GMainLoop *loop;
  guint signals[3];
  gint64 started;
  gint status;
} App;

/* ---- configuration ---- */

/* Returns NULL after errors, which it prints. @former (nullable): what is the same was checked.
 * @strict: it is an error, too, when a file, a folder or a device is not there; else this is told,
 * and cameras are watched as far as they can be. */
static WatchConfig *
load (const gchar *file, const WatchConfig *former, gboolean strict)
{
  g_autoptr (GPtrArray) errors = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) missing = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (WatchConfig) config = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree gchar *text = NULL;
  gsize size;

  if (!g_file_get_contents (file, &text, &size, &error)) {
    g_printerr ("gst-gles-watch-1.0: %s\n", error->message);
    return NULL;
  }
  config = watch_config_parse (text, size, file, errors);
  if (config != NULL)
    watch_config_check (config, former, file, errors, missing);
  for (guint i = 0; i < errors->len; i++)
    g_printerr ("%s\n", (const gchar *) errors->pdata[i]);
  for (guint i = 0; i < missing->len; i++)
    g_printerr ("%s\n", (const gchar *) missing->pdata[i]);
  if (errors->len > 0 || (strict && missing->len > 0))
    g_clear_pointer (&config, watch_config_unref);
  return g_steal_pointer (&config);
}

/* Has each camera play a file, the first one the first, in turn. */
static void
replace_addresses (WatchConfig *config, gchar **files)
{
  const guint n = g_strv_length (files);

  for (guint i = 0; i < config->cameras->len; i++) {
    WatchCameraConfig *camera = config->cameras->pdata[i];
    g_autoptr (GFile) file = g_file_new_for_commandline_arg (files[i % n]);

    g_free (camera->uri);
    camera->uri = g_file_get_uri (file);
  }
}

/* Lets a look at cameras, or at a file, leave publishers of a running program alone. A replay sends
 * lines, but no states. */
static void
calm (WatchConfig *config, gboolean once)
{
  if (once) {
    g_ptr_array_set_size (config->publish, 0);
    g_clear_pointer (&config->thumbnails.directory, g_free);
  }
  config->general.no_state = TRUE;
  for (guint i = 0; i < config->publish->len; i++) {
    WatchPublishConfig *publish = config->publish->pdata[i];

    publish->states = FALSE;
    publish->spool_bytes = 0;
  }
  for (guint i = 0; i < config->cameras->len; i++)
    g_clear_pointer (&((WatchCameraConfig *) config->cameras->pdata[i])->record, g_free);
}

/* ---- while it runs ---- */

/* Listens as @config says, if @former (nullable) said something else. FALSE with @error: there are
 * no metrics. */
static gboolean
set_metrics (App *self, const WatchConfig *former, const WatchConfig *config, GError **error)
{
  const gboolean wanted = config->metrics.port > 0 && !self->once && self->replay == NULL;

  if (former != NULL &&
      g_str_equal (former->metrics.section.fingerprint, config->metrics.section.fingerprint))
    return TRUE;
  /* two cannot listen at the same port */
  g_clear_pointer (&self->metrics, watch_metrics_free);
  if (wanted)
    self->metrics = watch_metrics_new (&config->metrics, self->cameras, self->outlet, error);
  return !wanted || self->metrics != NULL;
}

/* Goes on with @config: FALSE with @error: nothing changed. */
static gboolean
reload (App *self, WatchConfig *config, GError **error)
{
  if (set_metrics (self, self->config, config, error) &&
      watch_outlet_reload (self->outlet, config, error)) {
    watch_descriptors_check (config);
    g_message ("configuration read again: %u of %u cameras did not change",
        watch_cameras_set (self->cameras, config), config->cameras->len);
    watch_outlet_announce (self->outlet, config);
    return TRUE;
  }
  set_metrics (self, config, self->config, NULL);
  watch_outlet_announce (self->outlet, self->config);
  return FALSE;
}

static gboolean
on_hangup (gpointer user_data)
{
  App *self = user_data;
  g_autoptr (WatchConfig) config = NULL;
  g_autoptr (GError) error = NULL;

  watch_service_notify ("RELOADING=1");
  config = load (self->file, self->config, TRUE);
  if (config == NULL) {
    g_warning ("the former configuration stays");
  } else if (!reload (self, config, &error)) {
    g_warning ("the former configuration stays: %s", error->message);
  } else {
    watch_config_unref (self->config);
    self->config = g_steal_pointer (&config);
  }
  watch_service_notify ("READY=1");
  return G_SOURCE_CONTINUE;
}

static gboolean
on_quit (gpointer user_data)
{
  App *self = user_data;

  watch_service_notify ("STOPPING=1");
  g_main_loop_quit (self->loop);
  return G_SOURCE_CONTINUE;
}

static void
on_exceeded (gpointer user_data)
{
  App *self = user_data;

  g_warning ("more than %d pipelines do not end; the program ends, and a service manager starts it "
             "again",
      WATCH_ENDING_MAX_ABANDONED);
  self->status = STUCK;
  g_main_loop_quit (self->loop);
}

/* Returns how many cameras are in @state. */
static guint
count (App *self, WatchState state)
{
  GPtrArray *cameras = watch_cameras_list (self->cameras);
  guint n = 0;

  for (guint i = 0; i < cameras->len; i++) {
    WatchCameraStats stats;

    watch_camera_get_stats (cameras->pdata[i], &stats);
    n += stats.state == state;
    watch_camera_stats_clear (&stats);
  }
  return n;
}

static gboolean
on_status (gpointer user_data)
{
  App *self = user_data;
  g_autofree gchar *text = g_strdup_printf ("STATUS=%u of %u cameras have pictures",
      count (self, WATCH_UP), watch_cameras_list (self->cameras)->len);

  watch_service_notify (text);
  return G_SOURCE_CONTINUE;
}

/* Prints what there is about each camera: FALSE if one has no pictures. */
static gboolean
print_cameras (App *self)
{
  GPtrArray *cameras = watch_cameras_list (self->cameras);
  gboolean ok = TRUE;

  for (guint i = 0; i < cameras->len; i++) {
    const WatchCameraConfig *config = watch_camera_get_config (cameras->pdata[i]);
    WatchCameraStats stats;

    watch_camera_get_stats (cameras->pdata[i], &stats);
    if (stats.frames > 0)
      g_print ("%s: %ux%u %s in %s, decoder %s, analysed on %s, time of day by %s\n",
          config->section.name, stats.width, stats.height,
          stats.format != NULL ? stats.format : "?", stats.memory != NULL ? stats.memory : "?",
          stats.decoder != NULL ? stats.decoder : "none", stats.device != NULL ? stats.device : "?",
          stats.sender_clock ? "sender" : "arrival");
    else
      g_print ("%s: no picture: %s\n", config->section.name,
          stats.error != NULL ? stats.error : "it does not answer");
    ok = ok && stats.frames > 0;
    watch_camera_stats_clear (&stats);
  }
  return ok;
}

/* With --once: ends when all cameras have pictures, or some do not get any. */
static gboolean
on_poll (gpointer user_data)
{
  App *self = user_data;
  GPtrArray *cameras = watch_cameras_list (self->cameras);
  gboolean all = TRUE;

  for (guint i = 0; i < cameras->len; i++) {
    WatchCameraStats stats;

    watch_camera_get_stats (cameras->pdata[i], &stats);
    all = all &&
        ((stats.analysed > 0 && stats.state == WATCH_UP) ||
            (stats.error != NULL && stats.restarts >= ONCE_TRIES));
    watch_camera_stats_clear (&stats);
  }
  if (!all && g_get_monotonic_time () - self->started < ONCE_TIMEOUT_US)
    return G_SOURCE_CONTINUE;
  self->status = print_cameras (self) ? OK : FAILED;
  g_main_loop_quit (self->loop);
  return G_SOURCE_REMOVE;
}

/* With --replay: ends with the last file. */
static gboolean
on_replay (gpointer user_data)
{
  App *self = user_data;
  const guint n_lost = count (self, WATCH_LOST) + count (self, WATCH_STALLED);

  if (count (self, WATCH_ENDED) + n_lost < watch_cameras_list (self->cameras)->len)
    return G_SOURCE_CONTINUE;
  self->status = n_lost == 0 ? OK : FAILED;
  g_main_loop_quit (self->loop);
  return G_SOURCE_REMOVE;
}

static gboolean
set_up (App *self, GError **error)
{
  WatchCamerasSettings settings = {
    .replay = self->replay != NULL, .fast = self->fast, .exceeded = on_exceeded, .user_data = self
  };

  self->outlet = settings.outlet = watch_outlet_new (self->config, error);
  if (self->outlet == NULL)
    return FALSE;
  self->cameras = watch_cameras_new (&settings, error);
  if (self->cameras == NULL)
    return FALSE;
  if (!set_metrics (self, NULL, self->config, error))
    return FALSE;
  watch_outlet_announce (self->outlet, self->config);
  watch_cameras_set (self->cameras, self->config);
  return TRUE;
}

/* Ends the cameras, which is told and sent, and the process if some do not end: what they hold
 * cannot be freed. */
static void
tear_down (App *self)
{
  guint n_left = 0;

  g_clear_pointer (&self->metrics, watch_metrics_free);
  if (self->cameras != NULL)
    n_left = watch_cameras_free (self->cameras, END_MS);
  g_clear_pointer (&self->outlet, watch_outlet_free);
  if (n_left > 0) {
    g_warning ("%u pipelines do not end; the program ends without them", n_left);
    fflush (NULL);
    _exit (self->status);
  }
  watch_contexts_clear ();
}

static void
run (App *self)
{
  g_autoptr (GError) error = NULL;

  watch_descriptors_raise ();
  watch_descriptors_check (self->config);
  self->started = g_get_monotonic_time ();
  if (set_up (self, &error)) {
    if (self->once)
      g_timeout_add (POLL_MS, on_poll, self);
    else if (self->replay != NULL)
      g_timeout_add (POLL_MS, on_replay, self);
    g_timeout_add_seconds (STATUS_S, on_status, self);
    watch_service_start_watchdog ();
    watch_service_notify ("READY=1");
    g_main_loop_run (self->loop);
  } else {
    g_printerr ("gst-gles-watch-1.0: %s\n", error->message);
    self->status = FAILED;
  }
  tear_down (self);
}

/* ---- command line ---- */

static gboolean
parse (App *self, gint *argc, gchar ***argv, GError **error)
{
  const GOptionEntry entries[] = {
    { "check", 'c', 0, G_OPTION_ARG_NONE, &self->check,
        "Check the configuration, print what is wrong with file and line, and end", NULL },
    { "once", 'o', 0, G_OPTION_ARG_NONE, &self->once,
        "Connect to all cameras, print what they send, and end", NULL },
    { "replay", 'r', 0, G_OPTION_ARG_FILENAME_ARRAY, &self->replay,
        "Have cameras play this file; several times: a file for each camera, in turn", "FILE" },
    { "fast", 0, 0, G_OPTION_ARG_NONE, &self->fast,
        "With --replay: as fast as possible instead of at the speed of the clock", NULL },
    { "defaults", 0, 0, G_OPTION_ARG_NONE, &self->defaults,
        "Print all keys of a configuration with their defaults, and end", NULL },
    { "version", 0, 0, G_OPTION_ARG_NONE, &self->version, "Print the version, and end", NULL },
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new ("FILE");

  g_option_context_set_summary (context,
      "Watches cameras: connects to them again and again, analyses what they send, and publishes "
      "events.");
  g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_add_group (context, gst_init_get_option_group ());
  if (!g_option_context_parse (context, argc, argv, error))
    return FALSE;
  if (self->version || self->defaults)
    return TRUE;
  if (*argc != 2) {
    g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
        "give one configuration file; --defaults prints all its keys");
    return FALSE;
  }
  self->file = (*argv)[1];
  return TRUE;
}

/* What a reload would read is read later anyway. */
static void
ignore_hangup (void)
{
  signal (SIGHUP, SIG_IGN);
}

/* Run before the constructors of libraries, during which the signal would end the process. */
__attribute__ ((section (".preinit_array"), used)) static void (*const ignore_first) (
    void) = ignore_hangup;

/* Before anything else: signals of the first instants wait for the loop instead of killing. */
static void
catch_signals (App *self)
{
  self->loop = g_main_loop_new (NULL, FALSE);
  self->signals[0] = g_unix_signal_add (SIGINT, on_quit, self);
  self->signals[1] = g_unix_signal_add (SIGTERM, on_quit, self);
  self->signals[2] = g_unix_signal_add (SIGHUP, on_hangup, self);
}

/* For what has no loop, or cannot read its configuration again. */
static void
release_signals (App *self)
{
  for (guint i = self->check ? 0 : 2; i < G_N_ELEMENTS (self->signals); i++)
    g_clear_handle_id (&self->signals[i], g_source_remove);
}

gint
main (gint argc, gchar **argv)
{
  g_autoptr (GError) error = NULL;
  App self = { 0 };

  setlocale (LC_ALL, "");
  catch_signals (&self);
  if (!parse (&self, &argc, &argv, &error)) {
    g_printerr ("gst-gles-watch-1.0: %s\n", error->message);
    return USAGE;
  }
  if (self.check || self.once || self.replay != NULL)
    release_signals (&self);
  if (self.version) {
    g_print ("gst-gles-watch-1.0 %s\n", VERSION);
    return OK;
  }
  if (self.defaults) {
    g_autofree gchar *text = watch_config_describe ();

    g_print ("%s", text);
    return OK;
  }
  self.config = load (self.file, NULL, self.check);
  if (self.config == NULL)
    return USAGE;
  if (self.replay != NULL)
    replace_addresses (self.config, self.replay);
  if (self.replay != NULL || self.once)
    calm (self.config, self.once);
  if (!self.check)
    run (&self);
  watch_config_unref (self.config);
  g_strfreev (self.replay);
  g_main_loop_unref (self.loop);
  gst_deinit ();
  return self.status;
}
