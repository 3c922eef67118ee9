/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Runs several streams through an element and measures them.
 *
 * Every stream has a thread that pushes frames until it is told to stop, so all streams run during
 * the whole timed interval. The main thread reads their counters at its beginning and end. The
 * latency is measured afterwards, with the streams still running, by threads that wait for the
 * results of some frames. These threads sleep while the rate is measured. */
#include <time.h>

#include "../statistics.h"
#include "streams.h"

/* The time limit of a step of a run, the compilation of kernels included. */
#define STEP_TIMEOUT_S 300

typedef struct {
  gint64 time_us;
  /* CPU time in nanoseconds: of the process, of threads that push frames, and of threads whose
   * names begin with "gles-" */
  gint64 total, streaming, device;
  guint n_frames[STREAMS_MAX];
} Snapshot;

/* ---- steps ---- */

/* Waits until all streams have passed @step, and fails the run after STEP_TIMEOUT_S. */
static gboolean
wait_for_all (Run *run, Step step, const gchar *what)
{
  if (run_wait (run, step, run->n_streams, STEP_TIMEOUT_S * G_TIME_SPAN_SECOND))
    return TRUE;
  if (!g_atomic_int_get (&run->failed))
    run_fail (run,
        g_error_new (GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED,
            "%s did not come out of the element in %d seconds", what, STEP_TIMEOUT_S));
  return FALSE;
}

/* ---- CPU time by the names of threads ---- */

static gint64
clock_ns (clockid_t clock)
{
  struct timespec time;

  /* The thread may have ended. */
  if (clock_gettime (clock, &time) != 0)
    return 0;
  return time.tv_sec * G_GINT64_CONSTANT (1000000000) + time.tv_nsec;
}

/* Reads the CPU time used so far. Threads that ended count only in the total. */
static void
read_cpu (Snapshot *cpu)
{
  g_autoptr (GDir) tasks = g_dir_open ("/proc/self/task", 0, NULL);
  const gchar *task;

  cpu->streaming = cpu->device = 0;
  while (tasks != NULL && (task = g_dir_read_name (tasks)) != NULL) {
    g_autofree gchar *path = g_strdup_printf ("/proc/self/task/%s/comm", task);
    g_autofree gchar *name = NULL;
    /* The clock that pthread_getcpuclockid() returns for this thread. Unlike schedstat and stat in
     * /proc, it counts up to now, not up to the kernel's last timer tick. */
    const gint64 ns =
        clock_ns ((clockid_t) ((~(guint) g_ascii_strtoull (task, NULL, 10) << 3) | 6));

    if (!g_file_get_contents (path, &name, NULL, NULL))
      continue;
    if (g_str_has_prefix (name, STREAMS_THREAD_NAME))
      cpu->streaming += ns;
    else if (g_str_has_prefix (name, "gles-"))
      cpu->device += ns;
  }
  /* Read last, since reading the threads' clocks updates the sum. */
  cpu->total = clock_ns (CLOCK_PROCESS_CPUTIME_ID);
}

/* ---- measuring ---- */

static void
take_snapshot (Run *run, Snapshot *snapshot)
{
  for (guint i = 0; i < run->n_streams; i++)
    snapshot->n_frames[i] = g_atomic_int_get (&run->streams[i]->n_frames);
  snapshot->time_us = g_get_monotonic_time ();
  read_cpu (snapshot);
}

/* Lets the streams run through @phase, from @begin to @end. */
static gboolean
run_phase (Run *run, Phase phase, gdouble seconds, Snapshot *begin, Snapshot *end)
{
  run_begin (run, STEP_REACHED);
  take_snapshot (run, begin);
  g_atomic_int_set (&run->phase, phase);
  if (run->options->n_frames == 0)
    run_wait (run, STEP_REACHED, 0, (gint64) (seconds * G_USEC_PER_SEC));
  else
    run_wait (run, STEP_REACHED, run->n_streams, G_MAXINT64 / 2);
  take_snapshot (run, end);
  return !g_atomic_int_get (&run->failed);
}

static gdouble
seconds_of (const Snapshot *begin, const Snapshot *end)
{
  return (end->time_us - begin->time_us) / 1e6;
}

/* Returns the frames of all streams; @least: those of the slowest. */
static guint64
frames_of (const Run *run, const Snapshot *begin, const Snapshot *end, guint *least)
{
  guint64 all = 0;

  *least = G_MAXUINT;
  for (guint i = 0; i < run->n_streams; i++) {
    const guint n = end->n_frames[i] - begin->n_frames[i];
    all += n;
    *least = MIN (*least, n);
  }
  return all;
}

static void
add_rate (const Run *run, JsonObject *row, const Snapshot *begin, const Snapshot *end)
{
  const gint64 total = end->total - begin->total;
  const gint64 streaming = MAX (end->streaming - begin->streaming, 0);
  const gint64 device = MAX (end->device - begin->device, 0);
  const gint64 other = MAX (total - streaming - device, 0);
  const gdouble seconds = seconds_of (begin, end);
  guint least;
  const guint64 n = frames_of (run, begin, end, &least);
  const gdouble unit = 1e6 * MAX (n, 1);

  json_object_set_int_member (row, "frames", n);
  bench_add_number (row, "seconds", seconds);
  bench_add_number (row, "frames_per_s", n / seconds);
  bench_add_number (row, "slowest_frames_per_s", least / seconds);
  bench_add_numbers (row, "cpu_ms_per_frame", "total", total / unit, "streaming", streaming / unit,
      "device", device / unit, "other", other / unit, NULL);
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
add_latencies (Run *run, JsonObject *row, const Snapshot *begin, const Snapshot *end)
{
  gdouble *all = (gdouble *) run->latencies->data;
  const guint n = run->latencies->len;
  guint least;

  json_object_set_null_member (row, "latency_ms");
  if (n == 0)
    return;
  bench_sort_samples (all, n);
  bench_add_numbers (row, "latency_ms", "median", bench_quantile (all, n, 0.5), "p99",
      bench_quantile (all, n, 0.99), "samples", (gdouble) n, "frames_per_s",
      frames_of (run, begin, end, &least) / seconds_of (begin, end), NULL);
}

static void
add_read (Run *run, JsonObject *row)
{
  guint64 n_read = 0, n_results = 0, n_points = 0;

  json_object_set_null_member (row, "read");
  if (run->options->unread)
    return;
  for (guint i = 0; i < run->n_streams; i++) {
    n_read += run->streams[i]->n_read;
    n_results += run->streams[i]->n_results;
    n_points += run->streams[i]->n_points;
  }
  bench_add_numbers (row, "read", "frames", (gdouble) n_read, "results", (gdouble) n_results,
      "points", (gdouble) n_points, NULL);
}

/* Runs the streams through all phases. @at: the begin and the end of two of them. */
static gboolean
measure (Run *run, gdouble *first_ms, Snapshot at[4])
{
  const StreamsOptions *options = run->options;
  const gint64 start_us = g_get_monotonic_time ();

  if (!set_state (run, GST_STATE_PLAYING))
    return FALSE;
  for (guint i = 0; i < run->n_streams; i++)
    stream_start (run->streams[i]);
  if (!wait_for_all (run, STEP_FIRST, "the first frame of a stream"))
    return FALSE;
  *first_ms = (run->last_us[STEP_FIRST] - start_us) / 1e3;
  run_begin (run, STEP_GO);
  if (!wait_for_all (run, STEP_WARM, "the first frames of a stream"))
    return FALSE;
  run_wait (run, STEP_WARM, 0, (gint64) (options->warmup_s * G_USEC_PER_SEC));
  return run_phase (run, PHASE_RATE, options->seconds, &at[0], &at[1]) &&
      (options->sample_every == 0 ||
          run_phase (run, PHASE_LATENCY, options->seconds / 2, &at[2], &at[3]));
}

/* ---- a run ---- */

/* Replaces the error of the run by the first one that an element posted, which describes the cause.
 * If there is none, a warning about the stream does, such as that a device cannot read a memory. */
static void
prefer_error_of_bus (Run *run)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (run->pipeline);
  g_autoptr (GError) cause = NULL;
  gboolean is_error = FALSE;
  GstMessage *message;

  while (!is_error &&
      (message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR | GST_MESSAGE_WARNING)) != NULL) {
    g_autoptr (GError) error = NULL;

    is_error = GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR;
    if (is_error)
      gst_message_parse_error (message, &error, NULL);
    else
      gst_message_parse_warning (message, &error, NULL);
    if (is_error || (cause == NULL && error->domain == GST_STREAM_ERROR)) {
      g_prefix_error (&error, "%s: ", GST_OBJECT_NAME (GST_MESSAGE_SRC (message)));
      g_clear_error (&cause);
      cause = g_steal_pointer (&error);
    }
    gst_message_unref (message);
  }
  if (is_error || (cause != NULL && run->error != NULL)) {
    g_clear_error (&run->error);
    run->error = g_steal_pointer (&cause);
  }
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

static void
stop_streams (Run *run)
{
  g_atomic_int_set (&run->phase, PHASE_STOP);
  for (guint i = 0; i < run->n_streams; i++) {
    if (run->streams[i]->thread != NULL)
      g_thread_join (run->streams[i]->thread);
  }
  /* An element with queues outputs frames after the last one was pushed. */
  if (!g_atomic_int_get (&run->failed))
    wait_for_all (run, STEP_ENDED, "the end of a stream");
}

/* Measures, and puts the results into @row if the run did not fail. */
static void
run_streams (Run *run, JsonObject *row)
{
  gdouble first_ms = 0;
  Snapshot at[4];
  const gboolean ok = measure (run, &first_ms, at);

  stop_streams (run);
  /* waits for the results of all sampled frames */
  g_thread_pool_free (g_steal_pointer (&run->samplers), FALSE, TRUE);
  if (!ok || g_atomic_int_get (&run->failed))
    return;
  add_rate (run, row, &at[0], &at[1]);
  add_latencies (run, row, &at[2], &at[3]);
  bench_add_number (row, "first_result_ms", first_ms);
  streams_element_count_frames (run->pipeline, row);
  streams_element_add_link (run->options, run->pipeline, row);
  add_read (run, row);
}

gboolean
streams_run (const StreamsOptions *options, const gchar *device, guint n_streams,
    const GPtrArray *frames, JsonObject *row)
{
  Run run = { .options = options, .n_streams = n_streams };
  g_autofree gchar *description = NULL;
  gboolean ok;

  g_mutex_init (&run.lock);
  g_cond_init (&run.cond);
  run.streams = g_new0 (Stream *, n_streams);
  run.latencies = g_array_new (FALSE, FALSE, sizeof (gdouble));
  run.samplers = g_thread_pool_new (stream_sample, &run, n_streams, FALSE, NULL);
  run.pipeline = gst_object_ref_sink (gst_pipeline_new (NULL));
  ok = set_up (&run, device, frames);
  if (ok && device != NULL)
    description = streams_element_describe_device (run.pipeline);
  bench_add_text (row, "device", "%s", device != NULL ? device : "");
  bench_add_text (row, "description", "%s", description != NULL ? description : "");
  json_object_set_int_member (row, "streams", n_streams);
  if (ok)
    run_streams (&run, row);
  else
    g_thread_pool_free (run.samplers, FALSE, TRUE);
  prefer_error_of_bus (&run);
  gst_element_set_state (run.pipeline, GST_STATE_NULL);
  gst_object_unref (run.pipeline);
  ok = run.error == NULL;
  json_object_set_boolean_member (row, "valid", ok);
  if (!ok)
    bench_add_text (row, "error", "%s", run.error->message);
  for (guint i = 0; i < n_streams; i++)
    stream_free (run.streams[i]);
  g_free (run.streams);
  g_array_unref (run.latencies);
  g_clear_error (&run.error);
  g_mutex_clear (&run.lock);
  g_cond_clear (&run.cond);
  return ok;
}
