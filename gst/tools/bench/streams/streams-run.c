/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Runs several streams through an element and measures them.
 *
 * Every stream has a thread that pushes frames until it is told to stop, so all streams run during
 * the whole timed interval. The main thread reads their counters at its beginning and end. The
 * latency is measured afterwards, with the streams still running, by threads that wait for the
 * results of some frames. These threads sleep while the rate is measured. */
#include "../statistics.h"
#include "streams-stream.h"

/* The time limit of a step of a run, the compilation of kernels included. */
#define STEP_TIMEOUT_S 300

typedef struct {
  gint64 time_us;
  StreamsCpu cpu;
  guint n_frames[STREAMS_MAX];
} Snapshot;

void
run_fail (Run *run, GError *error)
{
  g_mutex_lock (&run->lock);
  if (run->error == NULL)
    run->error = error;
  else
    g_clear_error (&error);
  g_atomic_int_set (&run->failed, TRUE);
  g_cond_broadcast (&run->cond);
  g_mutex_unlock (&run->lock);
}

void
run_pass (Run *run, guint *count)
{
  g_mutex_lock (&run->lock);
  if (count == &run->n_first)
    run->last_first_us = g_get_monotonic_time ();
  (*count)++;
  g_cond_broadcast (&run->cond);
  g_mutex_unlock (&run->lock);
}

/* Waits until @count has counted all streams (NULL: until @end_us). Returns FALSE when the run
 * failed or @end_us was reached; 0 is no limit. */
static gboolean
wait_for_streams (Run *run, const guint *count, gint64 end_us)
{
  gboolean reached = FALSE, in_time = TRUE;

  g_mutex_lock (&run->lock);
  while (!run->failed && in_time && !(reached = count != NULL && *count == run->n_streams)) {
    if (end_us > 0)
      in_time = g_cond_wait_until (&run->cond, &run->lock, end_us);
    else
      g_cond_wait (&run->cond, &run->lock);
  }
  g_mutex_unlock (&run->lock);
  return reached;
}

/* Waits until @count has counted all streams, and fails the run after STEP_TIMEOUT_S. */
static gboolean
wait_for_step (Run *run, const guint *count, const gchar *step)
{
  const gint64 end_us = g_get_monotonic_time () + STEP_TIMEOUT_S * G_TIME_SPAN_SECOND;

  if (wait_for_streams (run, count, end_us))
    return TRUE;
  if (!g_atomic_int_get (&run->failed))
    run_fail (run,
        g_error_new (GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED,
            "%s did not come out of the element in %d seconds", step, STEP_TIMEOUT_S));
  return FALSE;
}

/* ---- setup ---- */

/* Replaces the error of the run by the first one that an element posted, which describes the cause.
 * If there is none, a warning about the stream does, such as that a device cannot read a memory. */
static void
prefer_error_of_bus (Run *run)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (run->pipeline);
  GError *cause = NULL, *warning = NULL;
  g_autofree gchar *name = NULL;
  GstMessage *message;

  while (cause == NULL &&
      (message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR | GST_MESSAGE_WARNING)) != NULL) {
    if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR)
      gst_message_parse_error (message, &cause, NULL);
    else if (warning == NULL)
      gst_message_parse_warning (message, &warning, NULL);
    if (warning != NULL && warning->domain != GST_STREAM_ERROR)
      g_clear_error (&warning);
    if (cause != NULL || (warning != NULL && name == NULL)) {
      g_free (name);
      name = g_strdup (GST_OBJECT_NAME (GST_MESSAGE_SRC (message)));
    }
    gst_message_unref (message);
  }
  if (cause == NULL && run->error != NULL)
    cause = g_steal_pointer (&warning);
  g_clear_error (&warning);
  if (cause == NULL)
    return;
  g_clear_error (&run->error);
  run->error = cause;
  g_prefix_error (&run->error, "%s: ", name);
}

static gboolean
set_state (Run *run, GstState state)
{
  if (gst_element_set_state (run->pipeline, state) != GST_STATE_CHANGE_FAILURE)
    return TRUE;
  run_fail (run,
      g_error_new (GST_CORE_ERROR, GST_CORE_ERROR_STATE_CHANGE, "%s cannot be %s",
          run->options->element, gst_element_state_get_name (state)));
  return FALSE;
}

static void
stop_streams (Run *run)
{
  g_atomic_int_set (&run->phase, PHASE_STOP);
  for (guint i = 0; i < run->n_streams; i++)
    stream_join (run->streams[i]);
  /* An element with queues outputs frames after the last one was pushed. */
  if (!g_atomic_int_get (&run->failed))
    wait_for_step (run, &run->n_ended, "the end of a stream");
  for (guint i = 0; i < run->n_streams; i++)
    stream_join_sampler (run->streams[i]);
}

/* ---- measuring ---- */

static void
take_snapshot (Run *run, Snapshot *snapshot)
{
  for (guint i = 0; i < run->n_streams; i++)
    snapshot->n_frames[i] = g_atomic_int_get (&run->streams[i]->n_frames);
  snapshot->time_us = g_get_monotonic_time ();
  streams_cpu_read (&snapshot->cpu);
}

/* Lets the streams run through @phase and takes a snapshot at its beginning and end. */
static gboolean
run_phase (Run *run, Phase phase, gdouble seconds, Snapshot *begin, Snapshot *end)
{
  gboolean by_time = run->options->n_frames == 0;

  g_mutex_lock (&run->lock);
  run->n_reached = 0;
  g_mutex_unlock (&run->lock);
  take_snapshot (run, begin);
  g_atomic_int_set (&run->phase, phase);
  if (by_time)
    wait_for_streams (run, NULL, begin->time_us + (gint64) (seconds * G_USEC_PER_SEC));
  else
    wait_for_streams (run, &run->n_reached, 0);
  take_snapshot (run, end);
  return !g_atomic_int_get (&run->failed);
}

static void
compare_snapshots (const Run *run, const Snapshot *a, const Snapshot *b, StreamsResult *result)
{
  guint least = G_MAXUINT;

  result->seconds = (b->time_us - a->time_us) / 1e6;
  for (guint i = 0; i < run->n_streams; i++) {
    const guint n = b->n_frames[i] - a->n_frames[i];
    result->n_frames += n;
    least = MIN (least, n);
  }
  result->rate = result->n_frames / result->seconds;
  result->slowest = least / result->seconds;
  result->cpu.total = b->cpu.total - a->cpu.total;
  result->cpu.streaming = MAX (b->cpu.streaming - a->cpu.streaming, 0);
  result->cpu.device = MAX (b->cpu.device - a->cpu.device, 0);
}

static void
summarise_latencies (const Run *run, StreamsResult *result)
{
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (gdouble));

  for (guint i = 0; i < run->n_streams; i++) {
    const GArray *latencies = run->streams[i]->latencies;
    g_array_append_vals (all, latencies->data, latencies->len);
  }
  result->n_samples = all->len;
  if (all->len == 0)
    return;
  bench_sort_samples ((gdouble *) all->data, all->len);
  result->latency_median_ms = bench_quantile ((const gdouble *) all->data, all->len, 0.5);
  result->latency_99_ms = bench_quantile ((const gdouble *) all->data, all->len, 0.99);
}

static gboolean
measure (Run *run, StreamsResult *result)
{
  const StreamsOptions *options = run->options;
  const gint64 start_us = g_get_monotonic_time ();
  g_autofree Snapshot *begin = g_new0 (Snapshot, 1), *end = g_new0 (Snapshot, 1);

  if (!set_state (run, GST_STATE_PLAYING))
    return FALSE;
  for (guint i = 0; i < run->n_streams; i++)
    stream_start (run->streams[i]);
  if (!wait_for_step (run, &run->n_first, "the first frame of a stream"))
    return FALSE;
  result->first_ms = (run->last_first_us - start_us) / 1e3;
  g_mutex_lock (&run->lock);
  run->go = TRUE;
  g_cond_broadcast (&run->cond);
  g_mutex_unlock (&run->lock);
  if (!wait_for_step (run, &run->n_warm, "the first frames of a stream"))
    return FALSE;
  wait_for_streams (
      run, NULL, g_get_monotonic_time () + (gint64) (options->warmup_s * G_USEC_PER_SEC));
  if (!run_phase (run, PHASE_RATE, options->seconds, begin, end))
    return FALSE;
  compare_snapshots (run, begin, end, result);
  if (options->sample_every > 0) {
    StreamsResult sampled = { 0 };
    if (!run_phase (run, PHASE_LATENCY, options->seconds / 2, begin, end))
      return FALSE;
    compare_snapshots (run, begin, end, &sampled);
    result->sampled_rate = sampled.rate;
  }
  return TRUE;
}

static gboolean
set_up (Run *run, const gchar *device, const GPtrArray *frames)
{
  GError *error = NULL;

  for (guint i = 0; i < run->n_streams; i++)
    run->streams[i] = stream_new (run, i, frames->pdata[i]);
  for (guint i = 0; i < run->n_streams; i++) {
    if (!stream_link (run->streams[i], device, &error)) {
      run_fail (run, error);
      return FALSE;
    }
  }
  return set_state (run, GST_STATE_READY);
}

StreamsResult *
streams_run (
    const StreamsOptions *options, const gchar *device, guint n_streams, const GPtrArray *frames)
{
  StreamsResult *result = g_new0 (StreamsResult, 1);
  Run run = { .options = options, .n_streams = n_streams };

  result->device = g_strdup (device != NULL ? device : "");
  result->n_streams = n_streams;
  g_mutex_init (&run.lock);
  g_cond_init (&run.cond);
  run.streams = g_new0 (Stream *, n_streams);
  run.pipeline = gst_object_ref_sink (gst_pipeline_new (NULL));
  if (set_up (&run, device, frames)) {
    if (device != NULL)
      result->description = streams_element_describe_device (run.pipeline);
    measure (&run, result);
    stop_streams (&run);
    streams_element_count_frames (run.pipeline, &result->ways);
  }
  for (guint i = 0; i < n_streams; i++) {
    result->n_read += run.streams[i]->n_read;
    result->n_results += run.streams[i]->n_results;
    result->n_points += run.streams[i]->n_points;
  }
  summarise_latencies (&run, result);
  prefer_error_of_bus (&run);
  gst_element_set_state (run.pipeline, GST_STATE_NULL);
  gst_object_unref (run.pipeline);
  if (run.error != NULL)
    result->message = g_strdup (run.error->message);
  for (guint i = 0; i < n_streams; i++)
    stream_free (run.streams[i]);
  g_free (run.streams);
  g_clear_error (&run.error);
  g_mutex_clear (&run.lock);
  g_cond_clear (&run.cond);
  return result;
}

void
streams_result_free (StreamsResult *result)
{
  g_free (result->device);
  g_free (result->description);
  g_free (result->message);
  g_free (result);
}
