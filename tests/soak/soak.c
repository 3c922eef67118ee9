/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Streams of random pipelines for a given time. Prints the resources of the process every minute,
 * and whether it holds more at the end than near the beginning. At quiet points, when every
 * pipeline is gone, descriptors, threads and objects of OpenGL ES must have their initial
 * numbers. */
#include "soak.h"

#include <locale.h>
#include <malloc.h>
#include <string.h>
#include <unistd.h>
#include <stdlib.h>
#include <time.h>

#include "gles-test.h"

#define MAX_QUIET_POINTS 24
/* How much the heap may grow between the first and the last quiet points: caches of GLib and of the
 * driver fill slowly. So do the caches that malloc() has for each thread, which count as in use;
 * the environment has to turn them off, as tests/run does. Resident memory is a weaker measure,
 * since allocators keep the memory of large frames. */
#define HEAP_SLACK_KIB (4 * 1024)
/* threads that GLib's pools keep for a while */
#define THREADS_SLACK 2
#define RESIDENT_SLACK_KIB (512 * 1024)

static SoakUsage quiet[MAX_QUIET_POINTS];
static guint n_quiet;
static Soak *the_soak; /* for GLib's messages */

void
soak_fail (Soak *soak, const gchar *format, ...)
{
  va_list args;

  va_start (args, format);
  g_mutex_lock (&soak->lock);
  if (soak->failure == NULL) {
    soak->failure = g_strdup_vprintf (format, args);
    g_printerr ("FAILED: %s\n", soak->failure);
  }
  g_cond_broadcast (&soak->cond);
  g_mutex_unlock (&soak->lock);
  va_end (args);
}

void
soak_throttle (Soak *soak)
{
  struct timespec used;

  for (guint naps = 0; soak->options.load > 0 && naps < 20 && !g_atomic_int_get (&soak->stop);
       naps++) {
    const gdouble passed = (gdouble) (g_get_monotonic_time () - soak->start_us) / G_USEC_PER_SEC;

    clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &used);
    if ((gdouble) used.tv_sec + (gdouble) used.tv_nsec / 1e9 < soak->options.load * passed)
      return;
    g_usleep (20000);
  }
}

static GLogWriterOutput
on_log (GLogLevelFlags level, const GLogField *fields, gsize n_fields, gpointer user_data)
{
  if (level & (G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING | G_LOG_FLAG_FATAL)) {
    g_autofree gchar *text = g_log_writer_format_fields (level, fields, n_fields, FALSE);
    soak_fail (the_soak, "a message of GLib's: %s", text);
  }
  return g_log_writer_default (level, fields, n_fields, user_data);
}

/* ---- what the process holds ---- */

static void
report (Soak *soak, const gchar *when)
{
  static const gchar *const names[SOAK_N_COUNTS] = { "frames", "compared", "discarded", "pipelines",
    "restarts", "seeks", "ends", "caps", "settings", "source errors", "lost devices", "held",
    "kept" };
  g_autofree gchar *text = NULL;
  SoakUsage usage;

  soak_measure (&usage);
  text = soak_usage_text (&usage);
  g_print ("%s %5.1f min: %s;", when,
      (gdouble) (g_get_monotonic_time () - soak->start_us) / G_USEC_PER_SEC / 60, text);
  for (guint i = 0; i < SOAK_N_COUNTS; i++)
    g_print ("%s %d %s", i > 0 ? "," : "", g_atomic_int_get (&soak->counts[i]), names[i]);
  g_print ("\n");
}

static gboolean
is_higher (const SoakUsage *now, const SoakUsage *before)
{
  gboolean higher = FALSE;

  for (guint i = 0; i < SOAK_N_OBJECTS; i++)
    higher |= now->n[i] > before->n[i] + (i == SOAK_THREADS ? THREADS_SLACK : 0);
  return higher;
}

/* Takes the minimum over some seconds, since threads need a moment to end. */
static void
measure_quietly (const SoakUsage *before, SoakUsage *usage)
{
  for (guint i = 0; i < 50; i++) {
    g_thread_pool_stop_unused_threads ();
    malloc_trim (0);
    soak_measure (usage);
    if (i >= 5 && (before == NULL || !is_higher (usage, before)))
      return;
    g_usleep (100000);
  }
}

/* ---- the run ---- */

static void
check_streams (Soak *soak, SoakStream **streams)
{
  for (gint i = 0; i < soak->options.n_streams; i++) {
    const gchar *activity;
    gdouble silence;

    g_mutex_lock (&soak->lock);
    silence = soak_stream_silence (streams[i], &activity);
    g_mutex_unlock (&soak->lock);
    if (silence < SOAK_PATIENCE_SECONDS || g_str_equal (activity, "resting"))
      continue;
    /* The thread hangs, so it is not joined: a core dump shows where it is. */
    g_printerr ("FAILED: stream %d hangs: %s for %.0f s\n", i, activity, silence);
    abort ();
  }
}

/* Until @until_us, or a failure; a line every minute. */
static void
let_run (Soak *soak, SoakStream **streams, gint64 until_us, gint64 *next_line_us)
{
  while (soak->failure == NULL && g_get_monotonic_time () < until_us) {
    g_usleep (G_USEC_PER_SEC / 4);
    check_streams (soak, streams);
    if (g_get_monotonic_time () >= *next_line_us) {
      report (soak, "running");
      *next_line_us += 60 * G_USEC_PER_SEC;
    }
  }
}

static void
come_to_rest (Soak *soak, SoakStream **streams)
{
  gboolean resting = FALSE;

  g_atomic_int_set (&soak->stop, TRUE);
  while (!resting) {
    g_usleep (G_USEC_PER_SEC / 20);
    check_streams (soak, streams);
    g_mutex_lock (&soak->lock);
    resting = soak->n_resting == soak->options.n_streams;
    g_mutex_unlock (&soak->lock);
  }
  gst_clear_object (&soak->shared);
}

static void
open_shared (Soak *soak)
{
  g_autoptr (GError) error = NULL;

  soak->shared = gst_gles_device_new (soak->options.device, &error);
  if (error != NULL)
    soak_fail (soak, "%s", error->message);
  g_atomic_int_inc (&soak->n_devices);
}

/* Streams go on, or end if the run is @over. */
static void
go_on (Soak *soak, gboolean over)
{
  if (!over)
    open_shared (soak);
  g_mutex_lock (&soak->lock);
  soak->over = over;
  g_atomic_int_set (&soak->stop, over);
  g_cond_broadcast (&soak->cond);
  g_mutex_unlock (&soak->lock);
}

static void
take_quiet_point (Soak *soak, SoakStream **streams)
{
  SoakUsage *now = &quiet[n_quiet];
  const SoakUsage *before = n_quiet > 1 ? &quiet[1] : NULL;

  come_to_rest (soak, streams);
  if (g_strcmp0 (soak->options.plant, "descriptor") == 0)
    g_assert_cmpint (dup (0), >=, 0);
  if (g_strcmp0 (soak->options.plant, "memory") == 0)
    memset (g_malloc (2 * HEAP_SLACK_KIB * 1024), 1, 1);
  measure_quietly (before, now);
  report (soak, "  quiet");
  if (before != NULL && is_higher (now, before)) {
    g_autofree gchar *text = soak_usage_text (now), *text_before = soak_usage_text (before);

    soak_fail (soak, "held at a quiet point: %s; at the second one: %s", text, text_before);
  }
  n_quiet++;
}

static void
run (Soak *soak)
{
  const gint n_points = CLAMP (soak->options.seconds / 5, 4, MAX_QUIET_POINTS);
  SoakStream **streams = g_new0 (SoakStream *, soak->options.n_streams);
  gint64 next_line_us;

  soak->start_us = g_get_monotonic_time ();
  next_line_us = soak->start_us + 60 * G_USEC_PER_SEC;
  open_shared (soak);
  for (gint i = 0; i < soak->options.n_streams; i++)
    streams[i] = soak_stream_start (soak, (guint) i);
  for (gint i = 1; i <= n_points && soak->failure == NULL; i++) {
    /* from now: where shaders compile slowly, the streams before come to rest late */
    const gint64 run_us = (gint64) soak->options.seconds * G_USEC_PER_SEC / n_points;

    let_run (soak, streams, g_get_monotonic_time () + run_us, &next_line_us);
    take_quiet_point (soak, streams);
    if (i < n_points)
      go_on (soak, FALSE);
  }
  come_to_rest (soak, streams);
  go_on (soak, TRUE);
  for (gint i = 0; i < soak->options.n_streams; i++)
    soak_stream_join (streams[i]);
  g_free (streams);
}

/* The least of the quiet points [@from, @to): what is left over varies with what ran last. */
static SoakUsage
least (guint from, guint to)
{
  SoakUsage usage = quiet[from];

  for (guint i = from; i < to; i++) {
    usage.heap_kib = MIN (usage.heap_kib, quiet[i].heap_kib);
    usage.resident_kib = MIN (usage.resident_kib, quiet[i].resident_kib);
  }
  return usage;
}

static gboolean
judge (Soak *soak)
{
  if (soak->failure == NULL && soak->counts[SOAK_COMPARED] == 0)
    soak_fail (soak, "no result was compared");
  if (soak->failure == NULL && !g_str_equal (soak->options.device, "cpu") &&
      soak_contexts_made () <= soak->contexts_before + (guint) soak->n_devices)
    soak_fail (soak, "no pipeline opened %s", soak->options.device);
  if (soak->failure == NULL) {
    /* The first quarter fills caches of drivers and allocators. */
    const SoakUsage early = least (MAX (n_quiet / 4, 1), (n_quiet + 1) / 2);
    const SoakUsage late = least (n_quiet - MAX (n_quiet / 4, 1), n_quiet);

    g_print ("quiet points of the second quarter: at least %" G_GINT64_FORMAT
             " KiB of heap, %" G_GINT64_FORMAT " KiB resident; the last ones: %" G_GINT64_FORMAT
             " and %" G_GINT64_FORMAT " KiB\n",
        early.heap_kib, early.resident_kib, late.heap_kib, late.resident_kib);
    if (late.heap_kib > early.heap_kib + HEAP_SLACK_KIB ||
        late.resident_kib > early.resident_kib + RESIDENT_SLACK_KIB)
      soak_fail (soak, "memory grew");
  }
  g_print (
      "verdict: %s\n", soak->failure != NULL ? soak->failure : "nothing grew, nothing differs");
  return soak->failure == NULL;
}

/* Names the device: the first GPU, else the software renderer, if none is asked for. In a pipeline
 * `auto` would take any device that another element has, and the reference is on cpu. */
static void
name_device (SoakOptions *options)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstGlesDevice) device = NULL;
  const gchar *id;

  if (options->device != NULL && !g_str_equal (options->device, "auto"))
    return;
  g_free (options->device);
  device = gles_test_open (g_getenv ("GST_GLES_DEVICE"), &error);
  if (device == NULL) {
    g_printerr ("soak: %s\n", error->message);
    exit (2);
  }
  id = gst_gles_device_get_id (device);
  options->device = g_strdup (g_str_has_prefix (id, "gbm:") ? id + strlen ("gbm:") : id);
}

int
main (int argc, char **argv)
{
  Soak soak = { .options = { .n_streams = 4, .seconds = 60, .seed = 1 } };
  const GOptionEntry entries[] = { { "streams", 0, 0, G_OPTION_ARG_INT, &soak.options.n_streams,
                                       "Streams at a time (4)", "N" },
    { "seconds", 0, 0, G_OPTION_ARG_INT, &soak.options.seconds, "How long streams run (60)", "S" },
    { "device", 0, 0, G_OPTION_ARG_STRING, &soak.options.device,
        "Device of three pipelines in four; the others are on cpu (the first GPU, else software)",
        "DEVICE" },
    { "seed", 0, 0, G_OPTION_ARG_INT, &soak.options.seed, "Another run of random choices (1)",
        "X" },
    { "large", 0, 0, G_OPTION_ARG_NONE, &soak.options.large,
        "Most pictures are as large as video is", NULL },
    { "load", 0, 0, G_OPTION_ARG_DOUBLE, &soak.options.load,
        "Processor cores that may be used, such as 0.33; frames wait (0: no limit)", "CORES" },
    { "plant", 0, 0, G_OPTION_ARG_STRING, &soak.options.plant,
        "What a test does wrong: difference (once), differences, descriptor or memory", "WHAT" },
    { NULL } };
  g_autoptr (GOptionContext) context = g_option_context_new ("- runs random pipelines");
  g_autoptr (GError) error = NULL;
  gboolean ok;

  setlocale (LC_ALL, "");
  g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_add_group (context, gst_init_get_option_group ());
  if (!g_option_context_parse (context, &argc, &argv, &error) || soak.options.n_streams < 1 ||
      soak.options.seconds < 4) {
    g_printerr ("soak: %s\n", error != NULL ? error->message : "too few streams or seconds");
    return 2;
  }
  name_device (&soak.options);
  soak.contexts_before = soak_contexts_made ();
  setvbuf (stdout, NULL, _IOLBF, 0);
  the_soak = &soak;
  g_log_set_writer_func (on_log, NULL, NULL);
  soak.formats = soak_formats ();
  g_print ("soak: %d streams, %d s, device %s, seed %d, %u formats\n", soak.options.n_streams,
      soak.options.seconds, soak.options.device, soak.options.seed, soak.formats->len);
  run (&soak);
  ok = judge (&soak);
  g_ptr_array_unref (soak.formats);
  gst_deinit (); /* where GST_TRACERS=leaks warns of what is alive */
  return ok && soak.failure == NULL ? 0 : 1;
}
