/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Set-up, validation against the twin, warm-up, timed runs, baselines. */
#include <string.h>

#include <gst/gles/gl/span.h>

#include "bench.h"
#include "peers.h"

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

/* Measures a launch that waits itself. */
static gboolean
launch_blocking (BenchRun *run, Sample *sample, GError **error)
{
  const gdouble begin = bench_now_ns ();
  const gboolean ok = run->experiment->launch (run, error);

  sample->wall = sample->submit = run->own_ns > 0 ? run->own_ns : bench_now_ns () - begin;
  sample->gpu = 0;
  return ok;
}

/* Measures @batch launches in one submission, between two timestamps. */
static gboolean
launch (BenchRun *run, guint batch, Sample *sample, GError **error)
{
  GstGlesQueue *queue = run->bench->queue;
  GstGlesSpan *span = NULL;
  gdouble begin, submitted;
  guint64 gpu_ns = 0;
  gboolean ok = TRUE;

  if (run->experiment->blocking)
    return launch_blocking (run, sample, error);
  if (!gst_gles_queue_finish (queue, error))
    return FALSE;
  begin = bench_now_ns ();
  if (!gst_gles_queue_begin (queue, error))
    return FALSE;
  if (run->bench->gpu_times)
    span = gst_gles_span_begin (queue);
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
  for (gint i = 0; i < bench->options.n_warmup || asleep; i++) {
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
  const guint n_runs = run->bench->options.n_runs;
  g_autofree gdouble *gpu = g_new (gdouble, n_runs);
  g_autofree gdouble *wall = g_new (gdouble, n_runs);
  g_autofree gdouble *submit = g_new (gdouble, n_runs);
  gdouble begin;
  guint n = 0;
  Sample sample = { 0, 0, 0 };

  if (!warm_up (run, &sample, error) || !poison_outputs (run, error))
    return FALSE;
  result->batch = 1;
  if (!run->experiment->blocking)
    result->batch = (guint) CLAMP (BATCH_NS / MAX (counted_ns (run, &sample), 1) + 1, 1, MAX_BATCH);
  begin = bench_now_ns ();
  while (n < n_runs && (n < MIN_RUNS || bench_now_ns () - begin < MAX_NS)) {
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

/* Compares the first @bytes of @got with what the twin says about output @index. */
static gboolean
compare_words (
    const BenchRun *run, const gchar *who, const guint32 *got, guint index, GError **error)
{
  const gsize bytes = run->output[index].bytes;
  const guint32 *want = run->want[index];
  gsize i = 0;

  if (memcmp (got, want, bytes) == 0)
    return TRUE;
  while (i + 1 < bytes / 4 && got[i] == want[i])
    i++;
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_FAILED,
      "%s is WRONG: word %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT
      " of output %u is 0x%08x, the twin says 0x%08x",
      who, i, bytes / 4, index, got[i], want[i]);
  return FALSE;
}

/* Compares the outputs of the last launch with those of the twin. */
static gboolean
check_outputs (BenchRun *run, GError **error)
{
  for (guint i = 0; i < run->n_outputs; i++) {
    const BenchOutput *output = &run->output[i];
    g_autofree guint32 *got = output->buffer != NULL ? g_malloc (output->bytes + 4) : NULL;

    if (output->buffer != NULL &&
        !gst_gles_buffer_download (output->buffer, run->bench->queue, 0, got, output->bytes, error))
      return FALSE;
    if (!compare_words (run, "the result", got != NULL ? got : output->host, i, error))
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
      sum += run->want[k][i] * (2 * at++ + 1);
  }
  return sum;
}

/* ---- baselines ---- */

/* The sorts of peers, which take what the experiment's peer_keys() gives. */
static const struct {
  const gchar *name;
  BenchPeerSort sort;
  guint baseline;
  gboolean pairs; /* sorts pairs only */
} peers[] = {
#if BENCH_VQSORT
  { "VQSort", bench_vqsort, BENCH_PEER_VQSORT, FALSE },
  { "std::stable_sort()", bench_stable_sort, BENCH_PEER_STABLE, TRUE },
#endif
#if BENCH_TBB
  { "oneTBB", bench_parallel_sort, BENCH_PEER_PARALLEL, FALSE },
#endif
  { NULL, NULL, 0, FALSE },
};

/* Returns the median time of the twin, or of @sort (nullable), for which keys are made anew. */
static gdouble
time_host (BenchRun *run, BenchPeerSort sort)
{
  gdouble times[BASELINE_RUNS], begin = bench_now_ns ();
  BenchStatistics statistics;
  guint n = 0;

  while (n < BASELINE_RUNS && (n == 0 || bench_now_ns () - begin < BASELINE_MAX_NS)) {
    const gboolean wide = sort != NULL && run->experiment->peer_keys (run);
    const gdouble start = bench_now_ns ();

    if (sort != NULL)
      sort (run->peer, run->n, wide);
    else
      run->experiment->native (run, run->want);
    times[n++] = bench_now_ns () - start;
  }
  bench_statistics (times, n, &statistics);
  return statistics.median;
}

static gboolean
time_peers (BenchRun *run, BenchResult *result, GError **error)
{
  gboolean wide, pairs;

  if (run->experiment->peer_keys == NULL)
    return TRUE;
  wide = run->experiment->peer_keys (run);
  pairs = wide && run->output[0].bytes == 4 * run->n;
  for (guint i = 0; peers[i].sort != NULL; i++) {
    if (peers[i].pairs && !pairs)
      continue;
    result->baseline_ns[peers[i].baseline] = time_host (run, peers[i].sort);
    for (gsize k = 0; pairs && k < run->n; k++)
      ((guint32 *) run->peer)[k] = (guint32) (((guint64 *) run->peer)[k] >> 32);
    if (!compare_words (run, peers[i].name, run->peer, 0, error))
      return FALSE;
  }
  return TRUE;
}

/* ---- the bandwidth ceiling ---- */

/* Hands over an error of set-up functions. Returns FALSE if there is one. */
static gboolean
is_set_up (BenchRun *run, GError **error)
{
  if (run->error == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&run->error));
  return FALSE;
}

/* Returns the time of a launch on @n elements, which is not checked; 0 with @error. */
static gdouble
time_unchecked (Bench *bench, const BenchExperiment *experiment, gsize n, GError **error)
{
  BenchRun run = { .bench = bench, .experiment = experiment, .n = n };
  BenchResult result = { .experiment = experiment };
  gboolean ok;

  experiment->setup (&run);
  bench_run_copy_input (&run);
  ok = is_set_up (&run, error) && time_launches (&run, &result, error);
  bench_run_clear (&run);
  return ok ? bench_result_ns (&result) : 0;
}

/* Returns the time in which a copy moves @bytes, read and written bytes together; 0 with @error. */
static gdouble
measure_copy (Bench *bench, guint64 bytes, GError **error)
{
  /* A copy of n words moves 8 * n bytes. Byte counts with the same n share a measurement. */
  const guint n = (guint) CLAMP (bytes / 8, 1, 1u << 28);
  gdouble *ns = g_hash_table_lookup (bench->copies, GUINT_TO_POINTER (n));

  if (ns == NULL) {
    ns = g_new (gdouble, 1);
    *ns = time_unchecked (bench, bench_ceilings, n, error);
    g_hash_table_insert (bench->copies, GUINT_TO_POINTER (n), ns);
  }
  return *ns * bytes / (8.0 * n);
}

static gboolean
launch_nothing (BenchRun *run, GError **error)
{
  return bench_copy_launch (run, 0, error);
}

gboolean
bench_measure_floor (Bench *bench, GError **error)
{
  BenchExperiment nothing = bench_ceilings[0];

  if (bench->is_cpu)
    return TRUE;
  nothing.launch = launch_nothing;
  bench->floor_ns = time_unchecked (bench, &nothing, 4, error);
  bench->busy_ns = 0; /* empty dispatches do not count as work */
  return bench->floor_ns > 0;
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

/* Adds the time of a kernel to the passes and the phases of @result. */
static void
add_pass (BenchResult *result, const gchar *kernel, gint64 ns)
{
  const gchar *const *phase = result->phases != NULL ? result->experiment->phases[0] : NULL;
  JsonObject *pass = json_object_new ();

  json_object_set_string_member (pass, "kernel", kernel);
  json_object_set_int_member (pass, "ns", ns);
  json_array_add_object_element (result->passes, pass);
  if (phase == NULL)
    return;
  while (phase[0] != NULL && !g_str_has_prefix (kernel, phase[0]))
    phase += 2;
  json_object_set_int_member (result->phases, phase[1],
      ns + json_object_get_int_member_with_default (result->phases, phase[1], 0));
}

/* Computes the median per kernel of some launches, which all run the same kernels. */
static gboolean
profile (BenchRun *run, BenchResult *result, GError **error)
{
  gdouble times[MAX_PASSES][PROFILE_RUNS], begin;
  g_autoptr (GArray) passes = NULL;
  BenchStatistics statistics;
  Sample sample;
  guint n = 0;

  if ((!run->bench->options.profile && run->experiment->phases == NULL) ||
      run->experiment->blocking || run->bench->is_cpu)
    return TRUE;
  /* The device was idle while the CPU checked the outputs. */
  if (!warm_up (run, &sample, error))
    return FALSE;
  begin = bench_now_ns ();
  do {
    g_clear_pointer (&passes, g_array_unref);
    passes = profile_once (run, error);
    if (passes == NULL)
      return FALSE;
    for (guint i = 0; i < MIN (passes->len, MAX_PASSES); i++)
      times[i][n] = g_array_index (passes, GstGlesPassTime, i).time_ns;
    n++;
  } while (n < PROFILE_RUNS && bench_now_ns () - begin < MAX_NS / 2);
  result->passes = json_array_new ();
  if (run->experiment->phases != NULL)
    result->phases = json_object_new ();
  for (guint i = 0; i < MIN (passes->len, MAX_PASSES); i++) {
    bench_statistics (times[i], n, &statistics);
    add_pass (result, g_array_index (passes, GstGlesPassTime, i).name, (gint64) statistics.median);
  }
  return TRUE;
}

static gboolean
measure (BenchRun *run, BenchResult *result, GError **error)
{
  Bench *bench = run->bench;
  const BenchExperiment *experiment = run->experiment;

  if (!bench_run_fits (run, error))
    return FALSE;
  experiment->setup (run);
  if (!is_set_up (run, error))
    return FALSE;
  result->n = run->n;
  result->bytes = run->bytes;
  result->work = run->work > 0 ? run->work : run->n;
  experiment->native (run, run->want);
  if (!validate (run, error))
    return FALSE;
  result->valid = TRUE;
  result->checksum = checksum_of (run);
  /* The timed launches could have left what the first of them wrote, so another one follows. */
  bench_run_copy_input (run);
  if (!is_set_up (run, error) || !time_launches (run, result, error) ||
      !check_outputs (run, error) || !poison_outputs (run, error) || !validate (run, error) ||
      !profile (run, result, error))
    return FALSE;
  if (!bench->options.no_baselines) {
    if (!time_peers (run, result, error))
      return FALSE;
    if (!experiment->no_rivals && !bench->is_cpu)
      result->baseline_ns[BENCH_CPU] = time_host (run, NULL);
  }
  if (run->bytes == 0 || bench->options.no_ceilings)
    return TRUE;
  if (experiment == bench_ceilings) {
    const gdouble ns = bench_result_ns (result);
    g_hash_table_insert (bench->copies, GUINT_TO_POINTER (run->n), g_memdup2 (&ns, sizeof (ns)));
  }
  result->copy_ns = measure_copy (bench, run->bytes, error);
  return result->copy_ns > 0;
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
  g_clear_pointer (&result->passes, json_array_unref);
  g_clear_pointer (&result->phases, json_object_unref);
  g_free (result->message);
  g_free (result);
}
