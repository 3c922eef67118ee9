/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One stream: pipelines of random elements, started, sought, set, renegotiated, drained, held and
 * stopped at random, on devices that they share, open or lose. */
#include "soak-stream.h"

#include <string.h>

#define PATIENCE (SOAK_PATIENCE_SECONDS / 2 * GST_SECOND)

static void
advance (SoakStream *stream, const gchar *activity)
{
  g_mutex_lock (&stream->soak->lock);
  stream->advanced_us = g_get_monotonic_time ();
  stream->activity = activity;
  g_mutex_unlock (&stream->soak->lock);
}

gdouble
soak_stream_silence (SoakStream *stream, const gchar **activity)
{
  *activity = stream->activity;
  return (gdouble) (g_get_monotonic_time () - stream->advanced_us) / G_USEC_PER_SEC;
}

/* ---- making a pipeline ---- */

static void
change_settings (SoakStream *stream, guint n)
{
  const SoakKind *kind = stream->kind;

  for (guint i = 0; i < n; i++)
    g_async_queue_push (
        stream->changes, (gpointer) &kind->settings[soak_pick (stream->rand, kind->n_settings)]);
  g_atomic_int_inc (&stream->soak->counts[SOAK_SETTINGS]);
}

static gchar *
random_caps (SoakStream *stream)
{
  return soak_random_caps (
      stream->rand, stream->draws ? NULL : stream->soak->formats, stream->soak->options.large);
}

static gchar *
describe_source (SoakStream *stream)
{
  /* "ball" writes beyond small frames with GStreamer 1.22 */
  static const gchar *patterns[] = { "snow", "checkers-2", "smpte", "gradient", "white" };
  g_autofree gchar *caps = NULL;

  if (stream->kind->splats)
    return g_strdup ("appsrc name=source format=time do-timestamp=true max-bytes=200000 "
                     "caps=application/x-gles-splats,format=rect32le,width=400,height=300,"
                     "framerate=30/1");
  caps = random_caps (stream);
  /* A source that queried the caps before they changed may still send the old ones afterwards. */
  return g_strdup_printf (
      "videotestsrc name=source pattern=%s ! capsfilter name=caps caps-change-mode=delayed caps=%s",
      patterns[soak_pick (stream->rand, G_N_ELEMENTS (patterns))], caps);
}

static gchar *
describe_pipeline (SoakStream *stream, const gchar *device)
{
  static const gchar *tails[] = { "fakesink", "queue ! glesjson ! fakesink",
    "glesoverlay ! fakesink", "queue ! glesoverlay ! queue ! glesjson ! fakesink" };
  const SoakKind *kind = stream->kind;
  const gint tail = soak_pick (stream->rand, kind->splats ? 2 : 4);
  g_autofree gchar *source = NULL;
  g_autofree gchar *before = kind->before != NULL
      ? g_strdup_printf ("%s device=%s !", kind->before, device)
      : g_strdup ("");

  stream->draws = tail >= 2;
  source = describe_source (stream);
  return g_strdup_printf ("%s ! %s %s name=a device=%s ! %s name=b device=cpu interval=%d ! %s "
                          "sync=false",
      source, before, kind->analyzer, device, kind->analyzer,
      kind->motion ? 1 : g_rand_int_range (stream->rand, 1, 9), tails[tail]);
}

/* Two pipelines in three get a device from the application: the one that streams share, or their
 * own. */
static void
give_device (SoakStream *stream, const gchar *spec)
{
  Soak *soak = stream->soak;
  g_autoptr (GstContext) context = NULL;
  g_autoptr (GError) error = NULL;

  if (soak_pick (stream->rand, 3) == 0)
    return;
  if (g_str_equal (spec, soak->options.device) && g_rand_boolean (stream->rand)) {
    stream->device = gst_object_ref (soak->shared);
  } else {
    stream->device = gst_gles_device_new (spec, &error);
    g_atomic_int_add (&soak->n_devices, g_str_equal (spec, soak->options.device));
  }
  if (error != NULL) {
    soak_fail (soak, "%s", error->message);
    return;
  }
  context = gst_context_new (GST_GLES_DEVICE_CONTEXT_TYPE, TRUE);
  gst_structure_set (gst_context_writable_structure (context), "device", GST_TYPE_GLES_DEVICE,
      stream->device, NULL);
  gst_element_set_context (stream->pipeline, context);
}

static gboolean
make_pipeline (SoakStream *stream)
{
  Soak *soak = stream->soak;
  const gchar *device = soak_pick (stream->rand, 4) == 0 ? "cpu" : soak->options.device;
  g_autofree gchar *line = NULL;
  g_autoptr (GError) error = NULL;

  stream->kind = &soak_kinds[soak_pick (stream->rand, soak_n_kinds)];
  line = describe_pipeline (stream, device);
  GST_INFO ("stream %u: %s", stream->index, line);
  stream->pipeline = gst_parse_launch (line, &error);
  if (error != NULL) {
    soak_fail (soak, "%s: %s", line, error->message);
    gst_clear_object (&stream->pipeline);
    return FALSE;
  }
  stream->source = gst_bin_get_by_name (GST_BIN (stream->pipeline), "source");
  stream->analyzer = gst_bin_get_by_name (GST_BIN (stream->pipeline), "a");
  stream->reference = gst_bin_get_by_name (GST_BIN (stream->pipeline), "b");
  soak_compare_start (stream);
  give_device (stream, device);
  change_settings (stream, 4);
  g_atomic_int_inc (&soak->counts[SOAK_PIPELINES]);
  return TRUE;
}

static void
drop_pipeline (SoakStream *stream)
{
  gst_element_set_state (stream->pipeline, GST_STATE_NULL);
  gst_clear_object (&stream->source);
  gst_clear_object (&stream->analyzer);
  gst_clear_object (&stream->reference);
  gst_clear_object (&stream->pipeline);
  gst_clear_object (&stream->device);
  soak_compare_end (stream);
  stream->broken = FALSE;
  stream->n_refused = 0;
  while (g_async_queue_try_pop (stream->changes) != NULL)
    ;
}

/* ---- what happens to it ---- */

static gboolean
has_lost_device (SoakStream *stream)
{
  return stream->device != NULL && stream->device != stream->soak->shared &&
      gst_gles_device_is_lost (stream->device);
}

static void
check_error (SoakStream *stream, GstMessage *message)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *details = NULL;
  const gchar *name = GST_MESSAGE_SRC_NAME (message);

  gst_message_parse_error (message, &error, &details);
  if (has_lost_device (stream) &&
      g_error_matches (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_FAILED)) {
    g_atomic_int_inc (&stream->soak->counts[SOAK_LOST]);
    return;
  }
  /* A flushing seek while a pipeline is on its way up can end the source's task, with GStreamer
   * 1.22 and with identity in the analyzer's place too; so can one while caps change. Not twice in
   * a row, if the caps are good. */
  if (GST_MESSAGE_SRC (message) == GST_OBJECT (stream->source) &&
      (strstr (details != NULL ? details : "", "not-negotiated") == NULL ||
          g_atomic_int_add (&stream->n_refused, 1) == 0)) {
    g_atomic_int_inc (&stream->soak->counts[SOAK_SOURCE_ERRORS]);
  } else {
    g_autofree gchar *analyzer = soak_describe_analyzer (stream);

    soak_fail (stream->soak, "stream %u, %s: %s: %s (%s); %s", stream->index, stream->kind->name,
        name, error->message, details, analyzer);
  }
}

/* Takes messages off the bus for a while, and returns whether the stream's end was among them. */
static gboolean
watch_bus (SoakStream *stream, GstClockTime time, gboolean until_end)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (stream->pipeline);
  const gint64 end_us = g_get_monotonic_time () + (gint64) (time / GST_USECOND);
  gboolean over = FALSE;
  gint64 left_us;

  while (!over && (until_end || !g_atomic_int_get (&stream->soak->stop)) &&
      (left_us = end_us - g_get_monotonic_time ()) > 0) {
    g_autoptr (GstMessage) message = gst_bus_timed_pop (bus, (GstClockTime) left_us * GST_USECOND);

    if (message == NULL)
      break;
    over = until_end && GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS;
    if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
      check_error (stream, message);
      stream->broken = over = TRUE;
    }
  }
  return over;
}

static void
go_to (SoakStream *stream, GstState state)
{
  GstStateChangeReturn change;

  advance (stream, gst_element_state_get_name (state));
  change = gst_element_set_state (stream->pipeline, state);
  if (change == GST_STATE_CHANGE_ASYNC)
    change = gst_element_get_state (stream->pipeline, NULL, NULL, PATIENCE);
  if (change == GST_STATE_CHANGE_ASYNC &&
      g_atomic_int_get (&stream->soak->counts[SOAK_SOURCE_ERRORS]) == 0)
    soak_fail (stream->soak, "stream %u, %s: not in %s after %d s", stream->index,
        stream->kind->name, gst_element_state_get_name (state), SOAK_PATIENCE_SECONDS / 2);
  if (change == GST_STATE_CHANGE_FAILURE)
    watch_bus (stream, 0, FALSE);
}

/* A thread that waits for the source's thread while it holds the state lock deadlocks if that
 * thread waits for the sink, and the sink for its state. GStreamer's own elements do so too. */
static void
wait_for_state (SoakStream *stream)
{
  gst_element_get_state (stream->pipeline, NULL, NULL, PATIENCE);
}

static void
seek (SoakStream *stream)
{
  const GstSeekFlags flags =
      soak_pick (stream->rand, 4) == 0 ? GST_SEEK_FLAG_NONE : GST_SEEK_FLAG_FLUSH;

  if (stream->kind->splats)
    return;
  advance (stream, "seeking");
  if (flags == GST_SEEK_FLAG_NONE)
    wait_for_state (stream);
  g_atomic_int_inc (&stream->n_flushes);
  gst_element_seek_simple (
      stream->pipeline, GST_FORMAT_TIME, flags, soak_pick (stream->rand, 100) * GST_SECOND);
  g_atomic_int_inc (&stream->n_flushes);
  g_atomic_int_inc (&stream->soak->counts[SOAK_SEEKS]);
}

static void
change_caps (SoakStream *stream)
{
  g_autoptr (GstElement) filter = gst_bin_get_by_name (GST_BIN (stream->pipeline), "caps");
  g_autofree gchar *caps = NULL;

  if (filter == NULL)
    return;
  caps = random_caps (stream);
  gst_util_set_object_arg (G_OBJECT (filter), "caps", caps);
  g_atomic_int_inc (&stream->soak->counts[SOAK_CAPS]);
}

/* Errors of a lost device come only before the pipeline was in NULL, which clears the bus. */
static void
restart (SoakStream *stream)
{
  const gboolean lost = has_lost_device (stream);

  go_to (stream, !lost && g_rand_boolean (stream->rand) ? GST_STATE_READY : GST_STATE_NULL);
  if (lost)
    gst_clear_object (&stream->device);
  go_to (stream, GST_STATE_PLAYING);
  g_atomic_int_inc (&stream->soak->counts[SOAK_RESTARTS]);
}

static void
drain (SoakStream *stream)
{
  wait_for_state (stream);
  advance (stream, "waiting for the end");
  gst_element_send_event (stream->pipeline, gst_event_new_eos ());
  if (!watch_bus (stream, PATIENCE, TRUE))
    soak_fail (stream->soak, "stream %u, %s: no end after %d s", stream->index, stream->kind->name,
        SOAK_PATIENCE_SECONDS / 2);
  g_atomic_int_inc (&stream->soak->counts[SOAK_ENDS]);
  restart (stream);
}

static void
pause_and_play (SoakStream *stream)
{
  go_to (stream, GST_STATE_PAUSED);
  go_to (stream, GST_STATE_PLAYING);
}

static gint
compared_by_others (SoakStream *stream)
{
  return g_atomic_int_get (&stream->soak->counts[SOAK_COMPARED]) -
      g_atomic_int_get (&stream->n_compared);
}

/* A consumer that takes no frame until another stream's results were compared. One at a time, or
 * all would wait. */
static void
hold (SoakStream *stream)
{
  Soak *soak = stream->soak;
  const gint64 end_us = g_get_monotonic_time () + (gint64) GST_TIME_AS_USECONDS (PATIENCE);
  gint before;

  if (soak->options.n_streams == 1 || !g_atomic_int_compare_and_exchange (&soak->held, 0, 1))
    return;
  go_to (stream, GST_STATE_PAUSED);
  advance (stream, "held");
  before = compared_by_others (stream);
  while (compared_by_others (stream) < before + 3 && !g_atomic_int_get (&soak->stop)) {
    if (g_get_monotonic_time () > end_us) {
      soak_fail (soak, "streams wait for stream %u, which is paused", stream->index);
      break;
    }
    g_usleep (5000);
  }
  g_atomic_int_inc (&soak->counts[SOAK_HELD]);
  g_atomic_int_set (&soak->held, 0);
  go_to (stream, GST_STATE_PLAYING);
}

/* Errors concern this stream only, which opens another device. */
static void
lose_device (SoakStream *stream)
{
  if (stream->device == NULL || stream->device == stream->soak->shared || has_lost_device (stream))
    return;
  wait_for_state (stream);
  advance (stream, "waiting for the error of a lost device");
  g_atomic_int_inc (&stream->n_flushes);
  gst_gles_device_mark_lost (stream->device, "the soak test says so");
  if (!watch_bus (stream, PATIENCE, TRUE))
    soak_fail (stream->soak, "stream %u, %s: no error of a lost device", stream->index,
        stream->kind->name);
}

static void
change_a_setting (SoakStream *stream)
{
  change_settings (stream, 1);
}

static void
do_something (SoakStream *stream)
{
  static void (*const actions[]) (SoakStream *) = { seek, seek, pause_and_play, restart, drain,
    change_caps, change_caps, change_a_setting, change_a_setting, hold, lose_device };

  if (stream->broken) {
    stream->broken = FALSE;
    restart (stream);
  }
  actions[soak_pick (stream->rand, G_N_ELEMENTS (actions))](stream);
  advance (stream, "playing");
  watch_bus (stream, (GstClockTime) g_rand_int_range (stream->rand, 10, 300) * GST_MSECOND, FALSE);
}

static void
rest (SoakStream *stream)
{
  Soak *soak = stream->soak;

  advance (stream, "resting");
  g_mutex_lock (&soak->lock);
  soak->n_resting++;
  g_cond_broadcast (&soak->cond);
  while (g_atomic_int_get (&soak->stop) && !soak->over)
    g_cond_wait (&soak->cond, &soak->lock);
  soak->n_resting--;
  g_mutex_unlock (&soak->lock);
  advance (stream, "starting");
}

static gpointer
stream_main (gpointer data)
{
  SoakStream *stream = data;
  Soak *soak = stream->soak;

  while (!soak->over) {
    gint n = g_rand_int_range (stream->rand, 1, 60);

    if (g_atomic_int_get (&soak->stop)) {
      rest (stream);
      continue;
    }
    if (!make_pipeline (stream))
      continue;
    go_to (stream, GST_STATE_PLAYING);
    while (n-- > 0 && !g_atomic_int_get (&soak->stop))
      do_something (stream);
    advance (stream, "stopping");
    drop_pipeline (stream);
  }
  return NULL;
}

SoakStream *
soak_stream_start (Soak *soak, guint index)
{
  SoakStream *stream = g_new0 (SoakStream, 1);
  g_autofree gchar *name = g_strdup_printf ("soak-%u", index);

  stream->soak = soak;
  stream->index = index;
  stream->rand = g_rand_new_with_seed ((guint32) soak->options.seed + 2 * index);
  stream->stream_rand = g_rand_new_with_seed ((guint32) soak->options.seed + 2 * index + 1);
  stream->changes = g_async_queue_new ();
  advance (stream, "starting");
  stream->thread = g_thread_new (name, stream_main, stream);
  return stream;
}

void
soak_stream_join (SoakStream *stream)
{
  g_thread_join (stream->thread);
  g_rand_free (stream->rand);
  g_rand_free (stream->stream_rand);
  g_async_queue_unref (stream->changes);
  g_free (stream);
}
