/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Setup, validation against the twin, warm-up, timed runs, baselines. */
#include <string.h>

#include <gst/gles/gl/span.h>

#include "bench.h"

/* Launches are measured in batches between two timestamps. A batch lasts about BATCH_NS and has at
 * most MAX_BATCH launches, so that the cost of the timestamps and of the idle device before it is
 * small. */
#define BATCH_NS 400000.0
#define MAX_BATCH 20
/* An experiment that takes long gets fewer runs: at least MIN_RUNS, then until MAX_NS have
 * passed. */
#define MIN_RUNS 5
#define MAX_NS 1e9
/* A GPU that is idle for about a second, in one or many pauses, lowers its clock to a third and
 * raises it only after about 0.35 s of work (measured on an H100). It is idle while the CPU
 * validates. All pauses since the last warm-up are therefore added up. */
#define IDLE_NS 1e8
#define WAKE_NS 5e8
#define PROFILE_RUNS 7
#define MAX_PASSES 256
#define BASELINE_RUNS 7
#define BASELINE_MAX_NS 3e8
/* Outputs of up to POISON_BLOCKS * POISON_BYTES are overwritten as a whole before they are timed.
 * Larger ones are overwritten in as many blocks, evenly spread, because the device idles while the
 * host sends them. */
#define POISON_BYTES (64u << 10)
#define POISON_BLOCKS 256

gdouble
bench_now_ns (void)
{
  struct timespec t;

  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e9 + t.tv_nsec;
}

/* ---- measuring a launch ---- */

typedef struct {
  gdouble gpu, wall, submit; /* ns per launch */
} Sample;

/* Measures @batch launches in one submission, between two timestamps. */
static gboolean
launch_batch (BenchRun *run, guint batch, Sample *sample, GError **error)
{
  GstGlesQueue *queue = run->bench->queue;
  GstGlesSpan *span = NULL;
  gdouble begin, submitted;
  guint64 gpu_ns = 0;
  gboolean ok;

  if (!gst_gles_queue_finish (queue, error))
    return FALSE;
  begin = bench_now_ns ();
  if (!gst_gles_queue_begin (queue, error))
    return FALSE;
  if (run->bench->gpu_times)
    span = gst_gles_span_begin (queue);
  ok = TRUE;
  for (guint i = 0; ok && i < batch; i++) {
    bench_run_next_input (run);
    ok = run->experiment->launch (run, error);
  }
  gst_gles_span_end (span);
  ok = gst_gles_queue_end (queue, ok ? error : NULL) && ok;
  submitted = bench_now_ns ();
  ok = gst_gles_queue_finish (queue, ok ? error : NULL) && ok;
  sample->wall = (bench_now_ns () - begin) / batch;
  sample->submit = (submitted - begin) / batch;
  if (span != NULL)
    ok = gst_gles_span_take (span, &gpu_ns, ok ? error : NULL) && ok;
  sample->gpu = (gdouble) gpu_ns / batch;
  return ok;
}

static gboolean
launch (BenchRun *run, guint batch, Sample *sample, GError **error)
{
  gdouble begin;
  gboolean ok;

  if (!run->experiment->blocking)
    return launch_batch (run, batch, sample, error);
  begin = bench_now_ns ();
  ok = run->experiment->launch (run, error);
  sample->wall = sample->submit = run->own_ns > 0 ? run->own_ns : bench_now_ns () - begin;
  sample->gpu = 0;
  return ok;
}

static gdouble
counted_ns (const BenchRun *run, const Sample *sample)
{
  return run->bench->gpu_times && !run->experiment->blocking ? sample->gpu : sample->wall;
}

/* Runs launches that are not measured: as many as the options say, and more until the clock of the
 * device is up again, for at most WAKE_NS. */
static gboolean
warm_up (BenchRun *run, Sample *sample, GError **error)
{
  Bench *bench = run->bench;
  const gdouble begin = bench_now_ns ();
  gboolean asleep;

  bench->idle_ns += begin - bench->busy_ns;
  bench->busy_ns = begin;
  asleep = bench->is_hardware && bench->idle_ns > IDLE_NS;
  if (asleep)
    bench->idle_ns = 0;
  for (guint i = 0; i < bench->options.n_warmup || asleep; i++) {
    if (bench_now_ns () - begin > WAKE_NS)
      break;
    /* Single short launches would leave the device idle in between. */
    if (!launch (run, i < bench->options.n_warmup ? 1 : MAX_BATCH, sample, error))
      return FALSE;
  }
  return TRUE;
}

/* Overwrites the outputs, so check_outputs() finds launches that write nothing. */
static gboolean
poison_outputs (BenchRun *run, GError **error)
{
  static guint8 poison[POISON_BYTES];

  memset (poison, 0xa5, sizeof (poison));
  for (guint i = 0; i < run->n_outputs; i++) {
    const BenchOutput *output = &run->output[i];
    const gsize n_blocks = (output->bytes + POISON_BYTES - 1) / POISON_BYTES;
    const gsize n_poisoned = MIN (n_blocks, POISON_BLOCKS);

    if (output->host != NULL)
      memset (output->host, 0xa5, output->bytes);
    for (gsize k = 0; output->buffer != NULL && k < n_poisoned; k++) {
      const gsize at = POISON_BYTES * (k * n_blocks / n_poisoned);

      if (!gst_gles_buffer_upload (output->buffer, run->bench->queue, at, poison,
              MIN (POISON_BYTES, output->bytes - at), error))
        return FALSE;
    }
  }
  return TRUE;
}

static gboolean
time_launches (BenchRun *run, BenchResult *result, GError **error)
{
  const BenchOptions *options = &run->bench->options;
  g_autofree gdouble *gpu = g_new (gdouble, options->n_runs);
  g_autofree gdouble *wall = g_new (gdouble, options->n_runs);
  g_autofree gdouble *submit = g_new (gdouble, options->n_runs);
  gdouble begin;
  guint n = 0;
  Sample sample = { 0, 0, 0 };

  if (!warm_up (run, &sample, error) || !poison_outputs (run, error))
    return FALSE;
  result->batch = 1;
  if (!run->experiment->blocking)
    result->batch = (guint) CLAMP (BATCH_NS / MAX (counted_ns (run, &sample), 1) + 1, 1, MAX_BATCH);
  begin = bench_now_ns ();
  while (n < options->n_runs && (n < MIN_RUNS || bench_now_ns () - begin < MAX_NS)) {
    if (!launch (run, result->batch, &sample, error))
      return FALSE;
    gpu[n] = sample.gpu;
    wall[n] = sample.wall;
    submit[n++] = sample.submit;
  }
  if (!run->experiment->blocking) {
    run->bench->busy_ns = bench_now_ns ();
    if (run->bench->gpu_times)
      bench_statistics (gpu, n, &result->gpu);
  }
  bench_statistics (wall, n, &result->wall);
  bench_statistics (submit, n, &result->submit);
  return TRUE;
}

/* ---- validation ---- */

static gboolean
compare_words (const BenchRun *run, const gchar *who, const guint32 *got, const BenchOutput *output,
    GError **error)
{
  guint index = (guint) (output - run->output);

  if (memcmp (got, output->want, output->bytes) == 0)
    return TRUE;
  for (gsize i = 0; i < output->bytes / 4; i++) {
    if (got[i] != output->want[i]) {
      g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_FAILED,
          "%s is WRONG: word %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT
          " of output %u is 0x%08x, the twin says 0x%08x",
          who, i, output->bytes / 4, index, got[i], output->want[i]);
      return FALSE;
    }
  }
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_FAILED,
      "%s is WRONG: the last bytes of output %u differ from the twin's", who, index);
  return FALSE;
}

/* Compares the outputs of the last launch with those of the twin. */
static gboolean
check_outputs (BenchRun *run, GError **error)
{
  for (guint i = 0; i < run->n_outputs; i++) {
    BenchOutput *output = &run->output[i];
    g_autofree guint32 *got = NULL;

    if (output->buffer != NULL) {
      got = g_try_malloc (output->bytes + 4);
      if (got == NULL) {
        g_set_error (
            error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY, "no memory to look at the result");
        return FALSE;
      }
      if (!gst_gles_buffer_download (
              output->buffer, run->bench->queue, 0, got, output->bytes, error))
        return FALSE;
    }
    if (!compare_words (run, "the result", got != NULL ? got : output->host, output, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
validate (BenchRun *run, GError **error)
{
  Sample sample;

  return launch (run, 1, &sample, error) && check_outputs (run, error);
}

/* Returns a checksum that other programs can compute for the same input. */
static guint64
checksum_of (const BenchRun *run)
{
  guint64 sum = 0, at = 0;

  for (guint k = 0; k < run->n_outputs; k++) {
    for (gsize i = 0; i < run->output[k].bytes / 4; i++)
      sum += run->output[k].want[i] * (2 * at++ + 1);
  }
  return sum;
}

/* ---- baselines ---- */

static gdouble
time_host (BenchRun *run, BenchHostFunc prepare, BenchHostFunc func)
{
  gdouble times[BASELINE_RUNS], begin = bench_now_ns ();
  BenchStatistics statistics;
  guint n = 0;

  while (n < BASELINE_RUNS && (n == 0 || bench_now_ns () - begin < BASELINE_MAX_NS)) {
    gdouble start;
    if (prepare != NULL)
      prepare (run);
    start = bench_now_ns ();
    func (run);
    times[n++] = bench_now_ns () - start;
  }
  bench_statistics (times, n, &statistics);
  return statistics.median;
}

static gboolean
time_naive (BenchRun *run, BenchResult *result, GError **error)
{
  const BenchExperiment *experiment = run->experiment;

  if (experiment->naive == NULL ||
      (experiment->naive_limit > 0 && run->n > experiment->naive_limit))
    return TRUE;
  for (guint i = 0; i < run->n_outputs; i++)
    run->output[i].naive = g_malloc0 (run->output[i].bytes + 64);
  result->naive_ns = time_host (run, NULL, experiment->naive);
  for (guint i = 0; i < run->n_outputs; i++) {
    if (!compare_words (run, "the naive baseline", run->output[i].naive, &run->output[i], error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
check_peer (BenchRun *run, const gchar *name, GError **error)
{
  const BenchExperiment *experiment = run->experiment;

  return experiment->peer_words == NULL ||
      compare_words (run, name, experiment->peer_words (run), &run->output[0], error);
}

static gboolean
time_parallel (BenchRun *run, BenchResult *result, GError **error)
{
  const BenchExperiment *experiment = run->experiment;

  if (experiment->parallel == NULL || !bench_parallel_sort_available ())
    return TRUE;
  result->parallel_ns = time_host (run, experiment->peer_prepare, experiment->parallel);
  return check_peer (run, "oneTBB", error);
}

static gboolean
time_peer (BenchRun *run, BenchResult *result, GError **error)
{
  const BenchExperiment *experiment = run->experiment;

  if (experiment->peer == NULL || !bench_vqsort_available ())
    return TRUE;
  if (experiment->stable_sort != NULL)
    result->stable_sort_ns = time_host (run, experiment->peer_prepare, experiment->stable_sort);
  result->peer_ns = time_host (run, experiment->peer_prepare, experiment->peer);
  return check_peer (run, "VQSort", error);
}

/* ---- the bandwidth ceiling ---- */

/* Returns the time in which a copy moves @bytes, read and written bytes together. If *copy_ns is
 * above 0 on entry, that is the measured time, which is stored. */
static gboolean
measure_copy (Bench *bench, guint64 bytes, gdouble *copy_ns, GError **error)
{
  /* A copy of n words moves 8 * n bytes. Byte counts with the same n share a measurement. */
  guint n = (guint) CLAMP (bytes / 8, 1, 1u << 28);
  gpointer key = GUINT_TO_POINTER (n);
  gdouble *known = g_hash_table_lookup (bench->copies, key);

  if (known == NULL && *copy_ns > 0) {
    /* The caller has measured a copy. */
    known = g_new (gdouble, 1);
    *known = *copy_ns / bytes;
    g_hash_table_insert (bench->copies, key, known);
  } else if (known == NULL) {
    BenchRun run = { .bench = bench, .experiment = &bench_copy, .n = n };
    BenchResult result = { .experiment = &bench_copy };
    gboolean ok = bench_copy.setup (&run, error) && bench_run_copy_input (&run, error) &&
        time_launches (&run, &result, error);

    bench_run_clear (&run);
    if (!ok)
      return FALSE;
    known = g_new (gdouble, 1);
    *known = bench_result_ns (&result) / (8.0 * n);
    g_hash_table_insert (bench->copies, key, known);
  }
  *copy_ns = *known * bytes;
  return TRUE;
}

static gboolean
launch_nothing (BenchRun *run, GError **error)
{
  return bench_copy_launch (run->bench, run->plan, run->device[0], run->device[1], 0, error);
}

gboolean
bench_measure_floor (Bench *bench, GError **error)
{
  BenchExperiment nothing = bench_copy;
  BenchRun run = { .bench = bench, .experiment = &nothing, .n = 4 };
  BenchResult result = { .experiment = &nothing };
  gboolean ok;

  if (bench->is_cpu)
    return TRUE;
  nothing.launch = launch_nothing;
  ok = bench_copy.setup (&run, error) && time_launches (&run, &result, error);
  bench_run_clear (&run);
  if (ok)
    bench->floor_ns = bench_result_ns (&result);
  bench->busy_ns = 0; /* empty dispatches do not count as work */
  return ok;
}

/* ---- an experiment ---- */

/* Measures the GPU time of each kernel of a launch. */
static GArray *
profile_once (BenchRun *run, GError **error)
{
  GstGlesTimer *timer;
  GArray *passes = NULL;
  gboolean ok;

  if (!gst_gles_queue_begin (run->bench->queue, error))
    return NULL;
  timer = gst_gles_queue_start_timer (run->bench->queue);
  ok = run->experiment->launch (run, error);
  ok = gst_gles_queue_end (run->bench->queue, ok ? error : NULL) && ok;
  if (timer != NULL && ok)
    passes = gst_gles_timer_get_passes (timer, error);
  else if (ok)
    passes = g_array_new (FALSE, FALSE, sizeof (GstGlesPassTime));
  gst_gles_timer_free (timer);
  return passes;
}

/* Computes the median per kernel of some launches, which all run the same kernels. */
static gboolean
profile (BenchRun *run, BenchResult *result, GError **error)
{
  gdouble times[MAX_PASSES][PROFILE_RUNS], begin;
  BenchStatistics statistics;
  Sample sample;
  guint n = 0;

  if ((!run->bench->options.profile && run->experiment->phase_of == NULL) ||
      run->experiment->blocking || run->bench->is_cpu)
    return TRUE;
  /* The device was idle while the CPU checked the outputs. */
  if (!warm_up (run, &sample, error))
    return FALSE;
  begin = bench_now_ns ();
  do {
    g_clear_pointer (&result->passes, g_array_unref);
    result->passes = profile_once (run, error);
    if (result->passes == NULL)
      return FALSE;
    for (guint i = 0; i < MIN (result->passes->len, MAX_PASSES); i++)
      times[i][n] = g_array_index (result->passes, GstGlesPassTime, i).time_ns;
    n++;
  } while (n < PROFILE_RUNS && bench_now_ns () - begin < MAX_NS / 2);
  for (guint i = 0; i < MIN (result->passes->len, MAX_PASSES); i++) {
    bench_statistics (times[i], n, &statistics);
    g_array_index (result->passes, GstGlesPassTime, i).time_ns = (guint64) statistics.median;
  }
  return TRUE;
}

static gboolean
measure (BenchRun *run, BenchResult *result, GError **error)
{
  Bench *bench = run->bench;
  const BenchExperiment *experiment = run->experiment;

  if (!bench_run_fits (run, error) || !experiment->setup (run, error))
    return FALSE;
  result->n = run->n;
  result->bytes = run->bytes;
  result->work = run->work > 0 ? run->work : run->n;
  if (experiment->native != NULL)
    experiment->native (run);
  if (!validate (run, error))
    return FALSE;
  result->valid = TRUE;
  result->checksum = checksum_of (run);
  /* The timed launches could have left what the first of them wrote, so another one follows. */
  if (!bench_run_copy_input (run, error) || !time_launches (run, result, error) ||
      !check_outputs (run, error) || !poison_outputs (run, error) || !validate (run, error) ||
      !profile (run, result, error))
    return FALSE;
  if (!bench->options.no_baselines) {
    if (!time_naive (run, result, error) || !time_peer (run, result, error) ||
        !time_parallel (run, result, error))
      return FALSE;
    if (experiment->native != NULL && !experiment->no_rivals && !bench->is_cpu)
      result->cpu_ns = time_host (run, NULL, experiment->native);
  }
  if (g_str_equal (experiment->name, bench_copy.name))
    result->copy_ns = bench_result_ns (result);
  return run->bytes == 0 || bench->options.no_ceilings ||
      measure_copy (bench, run->bytes, &result->copy_ns, error);
}

BenchResult *
bench_measure (Bench *bench, const BenchExperiment *experiment, guint n, guint input_kind)
{
  BenchResult *result = g_new0 (BenchResult, 1);
  BenchRun run = {
    .bench = bench, .experiment = experiment, .n = n, .input_kind = input_kind % BENCH_N_INPUTS
  };
  g_autoptr (GError) error = NULL;

  result->experiment = experiment;
  result->n = n;
  result->input_kind = input_kind;
  if (!measure (&run, result, &error)) {
    result->valid = FALSE;
    result->refused = g_error_matches (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE) ||
        g_error_matches (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY);
    result->message = g_strdup (error != NULL ? error->message : "failed");
  }
  bench_run_clear (&run);
  return result;
}

void
bench_result_free (BenchResult *result)
{
  if (result->passes != NULL)
    g_array_unref (result->passes);
  g_free (result->message);
  g_free (result);
}

gdouble
bench_result_ns (const BenchResult *result)
{
  return result->gpu.n > 0 ? result->gpu.median : result->wall.median;
}

guint
bench_result_phases (const BenchResult *result, BenchPhase phases[BENCH_MAX_PHASES])
{
  guint n = 0;

  if (result->experiment->phase_of == NULL || result->passes == NULL)
    return 0;
  for (guint i = 0; i < result->passes->len; i++) {
    const GstGlesPassTime *pass = &g_array_index (result->passes, GstGlesPassTime, i);
    const gchar *name = result->experiment->phase_of (pass->name);
    guint k = 0;

    while (k < n && g_strcmp0 (phases[k].name, name) != 0)
      k++;
    if (k == n && n < BENCH_MAX_PHASES)
      phases[n++] = (BenchPhase){ name, 0 };
    if (k < n)
      phases[k].time_ns += pass->time_ns;
  }
  return n;
}

static const struct {
  const gchar *name;
  gsize offset;
} rivals[] = {
  { "naive C", G_STRUCT_OFFSET (BenchResult, naive_ns) },
  { "cpu device", G_STRUCT_OFFSET (BenchResult, cpu_ns) },
  { "VQSort", G_STRUCT_OFFSET (BenchResult, peer_ns) },
  { "oneTBB", G_STRUCT_OFFSET (BenchResult, parallel_ns) },
};

static gdouble
fastest_rival (const BenchResult *result, const gchar **name)
{
  gdouble best = 0;

  *name = "";
  for (guint i = 0; i < G_N_ELEMENTS (rivals); i++) {
    gdouble ns = G_STRUCT_MEMBER (gdouble, result, rivals[i].offset);
    if (ns > 0 && (best == 0 || ns < best)) {
      best = ns;
      *name = rivals[i].name;
    }
  }
  return best;
}

gdouble
bench_result_speedup (const BenchResult *result)
{
  const gchar *name;
  gdouble ns = bench_result_ns (result);

  return ns > 0 ? fastest_rival (result, &name) / ns : 0;
}

const gchar *
bench_result_rival (const BenchResult *result)
{
  const gchar *name;

  fastest_rival (result, &name);
  return name;
}
