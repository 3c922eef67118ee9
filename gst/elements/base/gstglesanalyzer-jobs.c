/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What happens to a frame after it was pushed: the waiter's thread posts messages with its result,
 * and errors that the device finds later are posted. */
#include "config.h"

#include <gst/gles/core/error.h>
#include <gst/gles/gl/queue.h>

#include "gstglesanalyzer-private.h"

/* A frame whose result is not complete yet. */
typedef struct {
  GstMiniObject *result;
  GstGlesTimer *timer;    /* NULL unless profiled */
  guint generation;       /* a flush increments the current one; jobs of earlier ones are dropped */
  GstGlesFrameInfo frame; /* without its origin */
  gboolean wait;          /* the result is read back to the host */
  gboolean post;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  gst_mini_object_unref (job->result);
  gst_gles_timer_free (job->timer);
  g_free (job);
}

static void
set_time (GstStructure *structure, const gchar *field, GstClockTime time)
{
  gst_structure_set (structure, field, GST_TYPE_CLOCK_TIME, time, NULL);
}

/* Adds the GPU times to the totals, and to @message if it is not NULL. */
static void
take_passes (GstGlesAnalyzer *analyzer, const Job *job, GstStructure *message)
{
  GstGlesAnalyzerPrivate *priv = gst_gles_analyzer_get_private (analyzer);
  g_autoptr (GError) error = NULL;
  GArray *passes = gst_gles_timer_get_passes (job->timer, &error);

  if (passes == NULL) {
    gst_gles_analyzer_post_error (analyzer, error);
    return;
  }
  GST_OBJECT_LOCK (analyzer);
  for (guint i = 0; i < passes->len; i++) {
    const GstGlesPassTime *pass = &g_array_index (passes, GstGlesPassTime, i);
    gst_gles_stats_add_pass (&priv->stats, pass->name, pass->time_ns);
  }
  GST_OBJECT_UNLOCK (analyzer);
  if (message != NULL)
    gst_gles_stats_describe_passes (passes, message);
  g_array_unref (passes);
}

static void
handle_job (gpointer data, gpointer user_data)
{
  GstGlesAnalyzer *analyzer = user_data;
  GstGlesAnalyzerClass *klass = GST_GLES_ANALYZER_GET_CLASS (analyzer);
  GstGlesAnalyzerPrivate *priv = gst_gles_analyzer_get_private (analyzer);
  GstStructure *message = NULL;
  GError *error = NULL;
  Job *job = data;

  if (job->wait && !klass->wait (job->result, GST_GLES_WAIT_FOREVER, &error))
    goto failed;
  if (job->generation != (guint) g_atomic_int_get (&priv->generation))
    return;
  if (job->post) {
    /* The message is named like the element's factory, as in GStreamer's own analysers. */
    message = gst_structure_new_empty (
        GST_OBJECT_NAME (gst_element_get_factory (GST_ELEMENT (analyzer))));
    set_time (message, "timestamp", job->frame.pts);
    set_time (message, "stream-time", job->frame.stream_time);
    set_time (message, "running-time", job->frame.running_time);
    set_time (message, "duration", job->frame.duration);
    gst_gles_analyzer_describe_field (job->frame.field, message);
    if (!klass->describe (analyzer, job->result, message, &error))
      goto failed;
  }
  if (job->timer != NULL)
    take_passes (analyzer, job, message);
  if (message != NULL)
    gst_element_post_message (
        GST_ELEMENT (analyzer), gst_message_new_element (GST_OBJECT (analyzer), message));
  return;
failed:
  g_clear_pointer (&message, gst_structure_free);
  gst_gles_analyzer_post_error (analyzer, error);
  g_error_free (error);
}

void
gst_gles_analyzer_discard_jobs (GstGlesAnalyzer *analyzer)
{
  GstGlesAnalyzerPrivate *priv = gst_gles_analyzer_get_private (analyzer);

  g_atomic_int_inc (&priv->generation);
  gst_gles_waiter_flush (priv->waiter);
}

void
gst_gles_analyzer_drain (GstGlesAnalyzer *analyzer)
{
  GstGlesAnalyzerPrivate *priv = gst_gles_analyzer_get_private (analyzer);
  g_autoptr (GError) error = NULL;

  gst_gles_analyzer_end_prepare (analyzer);
  if (priv->queue == NULL)
    return;
  if (!gst_gles_queue_finish (priv->queue, &error))
    gst_gles_analyzer_post_error (analyzer, error);
  gst_gles_waiter_drain (priv->waiter);
  gst_gles_analyzer_collect_readback_bytes (analyzer);
}

void
gst_gles_analyzer_collect_readback_bytes (GstGlesAnalyzer *analyzer)
{
  GstGlesAnalyzerClass *klass = GST_GLES_ANALYZER_GET_CLASS (analyzer);
  GstGlesAnalyzerPrivate *priv = gst_gles_analyzer_get_private (analyzer);

  if (klass->take_readback_bytes != NULL)
    gst_gles_analyzer_count_readback (analyzer, klass->take_readback_bytes (analyzer), FALSE);
  if (priv->late == NULL)
    return;
  gst_gles_analyzer_count_readback (analyzer, gst_gles_late_reads_take_bytes (priv->late), FALSE);
  GST_OBJECT_LOCK (analyzer);
  priv->stats.late_reads = gst_gles_late_reads_get_n (priv->late);
  GST_OBJECT_UNLOCK (analyzer);
}

/* ---- errors of the device ---- */

typedef struct {
  GError *error;
  gint run;
} LateError;

static void
late_error_free (gpointer data)
{
  LateError *late = data;

  g_error_free (late->error);
  g_free (late);
}

static void
post_late_error (GstElement *element, gpointer user_data)
{
  const LateError *late = user_data;

  gst_gles_analyzer_post_error_of_run (GST_GLES_ANALYZER (element), late->error, late->run);
}

/* Called on the device's thread. Handlers of the message may block, so another thread posts it. */
static void
on_failure (const GError *error, gpointer user_data)
{
  GstGlesAnalyzer *analyzer = user_data;
  LateError *late = g_new (LateError, 1);

  late->error = g_error_copy (error);
  late->run = g_atomic_int_get (&gst_gles_analyzer_get_private (analyzer)->run);
  gst_element_call_async (GST_ELEMENT (analyzer), post_late_error, late, late_error_free);
}

void
gst_gles_analyzer_watch_queue (GstGlesAnalyzer *analyzer)
{
  gst_gles_queue_set_failure_func (
      gst_gles_analyzer_get_private (analyzer)->queue, on_failure, analyzer);
}

void
gst_gles_analyzer_close_queue (GstGlesAnalyzer *analyzer)
{
  GstGlesAnalyzerPrivate *priv = gst_gles_analyzer_get_private (analyzer);

  if (priv->queue == NULL)
    return;
  gst_gles_queue_set_failure_func (priv->queue, NULL, NULL);
  gst_clear_object (&priv->queue);
}

/* ---- jobs ---- */

gboolean
gst_gles_analyzer_push_job (GstGlesAnalyzer *analyzer, const GstGlesFrame *frame,
    GstMiniObject *result, GstGlesTimer *timer, GError **error)
{
  GstGlesAnalyzerPrivate *priv = gst_gles_analyzer_get_private (analyzer);
  Job *job = g_new0 (Job, 1);

  job->result = gst_mini_object_ref (result);
  job->timer = timer;
  job->generation = g_atomic_int_get (&priv->generation);
  job->frame = frame->info;
  job->frame.origin = NULL;
  job->wait = frame->readback;
  job->post = frame->readback && priv->current.post_messages;
  return gst_gles_waiter_push (priv->waiter, job, error);
}

GstGlesWaiter *
gst_gles_analyzer_make_waiter (GstGlesAnalyzer *analyzer)
{
  return gst_gles_waiter_new ("gles-waiter", handle_job, job_free, analyzer);
}
