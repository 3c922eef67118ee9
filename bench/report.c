/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reports: tables of at most 100 columns for people, and JSON for programs. */
#include <string.h>

#include <gst/gles/core/parallel.h>

#include "bench.h"

#define BAR_WIDTH 40

static const struct {
  const gchar *member, *name;
} baselines[] = {
  [BENCH_CPU] = { "cpu_ns", "cpu device" },
  [BENCH_PEER_VQSORT] = { "vqsort_ns", "VQSort" },
  [BENCH_PEER_PARALLEL] = { "parallel_sort_ns", "oneTBB" },
  [BENCH_PEER_STABLE] = { "stable_sort_ns", "stable_sort" },
};

/* ---- what results mean ---- */

gdouble
bench_result_ns (const BenchResult *result)
{
  return result->gpu.n > 0 ? result->gpu.median : result->wall.median;
}

/* Returns the speedup over the fastest rival; 0 without one. */
static gdouble
speedup_of (const BenchResult *result)
{
  const gdouble ns = bench_result_ns (result);
  gdouble best = 0;

  for (guint i = 0; i < BENCH_PEER_STABLE; i++) {
    const gdouble time = result->baseline_ns[i];
    if (time > 0 && (best == 0 || time < best))
      best = time;
  }
  return ns > 0 ? best / ns : 0;
}

/* ---- numbers as text: (transfer full) ---- */

const gchar *
bench_input_name (guint input_kind)
{
  static const gchar *const names[] = BENCH_INPUT_NAMES;

  return input_kind < BENCH_N_INPUTS ? names[input_kind] : "";
}

gchar *
bench_format_size (const BenchExperiment *experiment, guint n)
{
  static const struct {
    guint unit;
    const gchar *name;
  } units[] = { { 1 << 20, "Mi" }, { 1000000, "M" }, { 1 << 10, "Ki" }, { 1000, "K" } };

  if (experiment->fixed)
    return g_strdup (n == 1920 * 1080 ? "1080p" : "2160p");
  for (guint i = 0; i < G_N_ELEMENTS (units); i++) {
    if (n >= units[i].unit && n % units[i].unit == 0)
      return g_strdup_printf ("%u%s", n / units[i].unit, units[i].name);
  }
  return n >= 100000 ? g_strdup_printf ("%.2fM", n / 1e6) : g_strdup_printf ("%u", n);
}

/* Formats a number in at most 7 columns, with three digits at least where there are as many. */
static gchar *
format_number (gdouble number)
{
  return g_strdup_printf ("%.*f",
      number < 0.1        ? 4
          : number < 10   ? 2
          : number < 1000 ? 1
                          : 0,
      number);
}

static gchar *
format_ns (gdouble ns)
{
  static const gchar *const names[] = { "us", "ms", "s" };
  const guint i = ns >= 1e9 ? 2 : ns >= 1e6 ? 1 : 0;
  g_autofree gchar *number = format_number (ns / (i == 2 ? 1e9 : i == 1 ? 1e6 : 1e3));

  return ns > 0 ? g_strdup_printf ("%s %s", number, names[i]) : g_strdup ("-");
}

static gchar *
format_rate (const BenchResult *result, gdouble ns)
{
  const gchar *unit = result->experiment->unit != NULL ? result->experiment->unit : "elem";
  const gdouble rate = result->work / ns;
  g_autofree gchar *number = format_number (rate < 0.1 ? rate * 1000 : rate);

  if (*unit == '\0')
    return g_strdup ("-");
  return g_strdup_printf ("%s %c%s/s", number, rate < 0.1 ? 'M' : 'G', unit);
}

/* ---- the table of times ---- */

void
bench_report_header (const Bench *bench)
{
  const BenchOptions *options = &bench->options;
  g_autofree gchar *nothing = format_ns (bench->floor_ns);

  if (bench_files_silent (&options->files))
    return;
  bench_report_print_facts (bench->report);
  g_print ("%-14s an empty dispatch takes %s\n%-14s", "floor", nothing, "inputs");
  for (guint i = 0; i < options->inputs->len; i++)
    g_print (" %s", bench_input_name (g_array_index (options->inputs, guint, i)));
  if (options->n_copies > 1)
    g_print ("\n%-14s %d of each input, in turns", "copies", options->n_copies);
  g_print (
      "\n\nTime of a launch: median, least and most after outliers were dropped (out). GB/s: what "
      "must be\nread and written at the least; of copy: that, as a share of what a copy of as "
      "many bytes reaches.\nEvery result is compared with the native twin's, before and after it "
      "is timed. Below: times of\nthe cpu device, VQSort and oneTBB for the same input.\n\n");
  g_print ("%-16s %7s %9s %9s %9s %3s %9s %14s %8s %7s\n", "experiment", "n", "median", "min",
      "max", "out", "wall", "rate", "GB/s", "of copy");
}

static void
print_passes (JsonArray *passes)
{
  const guint n = json_array_get_length (passes);
  gdouble sum = 0;

  for (guint i = 0; i < n; i++)
    sum += json_object_get_int_member (json_array_get_object_element (passes, i), "ns");
  for (guint i = 0; i < n; i++) {
    JsonObject *pass = json_array_get_object_element (passes, i);
    const gint64 ns = json_object_get_int_member (pass, "ns");
    g_autofree gchar *time = format_ns (ns);
    g_print ("    %-24s %9s %5.1f %%\n", json_object_get_string_member (pass, "kernel"), time,
        100 * ns / MAX (sum, 1));
  }
}

static void
print_phases (JsonObject *phases)
{
  g_autoptr (GList) names = json_object_get_members (phases);

  for (const GList *l = names; l != NULL; l = l->next) {
    g_autofree gchar *time = format_ns (json_object_get_int_member (phases, l->data));
    g_print ("%s%s %s%s", l == names ? "    " : ", ", (const gchar *) l->data, time,
        l->next == NULL ? "\n" : "");
  }
}

/* Prints what the CPU takes for the same, and the verdict by the fastest of it. */
static void
print_baselines (const BenchResult *result)
{
  const gdouble speedup = speedup_of (result);
  g_autofree gchar *times = format_number (speedup);
  const gchar *separator = "    ";

  for (guint i = 0; i < BENCH_N_BASELINES; i++) {
    g_autofree gchar *time = format_ns (result->baseline_ns[i]);
    if (result->baseline_ns[i] <= 0)
      continue;
    g_print ("%s%s %s", separator, baselines[i].name, time);
    separator = ", ";
  }
  if (speedup > 0)
    g_print (": %sx, %s\n", times, bench_verdict (speedup));
}

/* Returns the name of a row: the experiment; or, where there is more than one input, the input,
 * below a heading with the experiment. @last: (nullable): the result of the row above. */
static const gchar *
row_name (const Bench *bench, const BenchResult *result, const BenchResult *last)
{
  if (bench->options.inputs->len < 2 || result->input_kind == BENCH_N_INPUTS)
    return result->experiment->name;
  if (last == NULL || last->experiment != result->experiment)
    g_print ("%s:\n", result->experiment->name);
  return bench_input_name (result->input_kind);
}

void
bench_report_row (const Bench *bench, const BenchResult *result)
{
  const BenchStatistics *time = result->gpu.n > 0 ? &result->gpu : &result->wall;
  const guint n_results = bench->results->len;
  const gdouble ns = MAX (time->median, 1);
  g_autofree gchar *n = bench_format_size (result->experiment, result->n);
  g_autofree gchar *median = format_ns (time->median), *min = format_ns (time->min);
  g_autofree gchar *max = format_ns (time->max), *wall = format_ns (result->wall.median);
  g_autofree gchar *rate = format_rate (result, ns),
                   *bandwidth = format_number (result->bytes / ns);
  const gchar *name;

  if (!result->valid)
    g_printerr ("%s %s %s: %s\n", result->experiment->name, n,
        bench_input_name (result->input_kind), result->message);
  if (bench_files_silent (&bench->options.files))
    return;
  name = row_name (bench, result, n_results > 1 ? bench->results->pdata[n_results - 2] : NULL);
  if (!result->valid) {
    g_autofree gchar *line = g_strndup (result->message, strcspn (result->message, "\n"));
    g_print ("%-16s %7s %s: %.64s\n", name, n, result->refused ? "REFUSED" : "FAILED", line);
    return;
  }
  g_print ("%-16s %7s %9s %9s %9s %3u %9s %14s %8s", name, n, median, min, max, time->n_outliers,
      wall, rate, result->bytes > 0 ? bandwidth : "-");
  if (result->copy_ns > 0)
    g_print (ns * 10 > result->copy_ns ? " %5.1f %%" : " %5.0f %%",
        MIN (100 * result->copy_ns / ns, 99999.0));
  g_print ("\n");
  print_baselines (result);
  if (result->phases != NULL)
    print_phases (result->phases);
  if (result->passes != NULL && bench->options.profile)
    print_passes (result->passes);
}

/* ---- the roofline ---- */

/* Whether the result is the first valid one of the largest size of its experiment. */
static gboolean
is_largest (const Bench *bench, guint index)
{
  const BenchResult *result = bench->results->pdata[index];

  for (guint i = 0; i < bench->results->len; i++) {
    const BenchResult *other = bench->results->pdata[i];
    if (other->valid && other->experiment == result->experiment &&
        (other->n > result->n || (other->n == result->n && i < index)))
      return FALSE;
  }
  return result->valid;
}

/* Compares the largest size of each experiment with the bandwidth of copies. */
static void
print_roofline (const Bench *bench)
{
  g_print (
      "\nRoofline: the share of the bandwidth of a copy that experiments reach at their largest "
      "size.\n\n");
  for (guint i = 0; i < bench->results->len; i++) {
    const BenchResult *result = bench->results->pdata[i];
    const gdouble share = result->copy_ns / MAX (bench_result_ns (result), 1);
    g_autofree gchar *n = bench_format_size (result->experiment, result->n);
    gchar bar[BAR_WIDTH + 1] = "";

    if (result->copy_ns <= 0 || !is_largest (bench, i))
      continue;
    for (guint k = 0; k < BAR_WIDTH; k++)
      bar[k] = k < share * BAR_WIDTH ? '#' : '.';
    g_print ("%-16s %7s |%s| %5.1f %%\n", result->experiment->name, n, bar, 100 * share);
  }
}

/* Prints the two ceilings and the arithmetic intensity at which they meet. */
static void
print_ridge (const Bench *bench)
{
  gdouble flops = 0, bandwidth = 0;

  for (guint i = 0; i < bench->results->len; i++) {
    const BenchResult *result = bench->results->pdata[i];
    const gdouble ns = MAX (bench_result_ns (result), 1);

    if (result->valid && g_strcmp0 (result->experiment->unit, "FLOP") == 0)
      flops = MAX (flops, result->work / ns);
    else if (result->valid && result->experiment == bench_ceilings)
      bandwidth = MAX (bandwidth, result->bytes / ns);
  }
  if (flops > 0 && bandwidth > 0)
    g_print (
        "\nCeilings: %.3g GB/s (copy), %.3g GFLOP/s (matmul): memory decides below %.2g FLOP per "
        "byte.\n",
        bandwidth, flops, flops / bandwidth);
}

void
bench_report_summary (const Bench *bench)
{
  if (bench_files_silent (&bench->options.files))
    return;
  if (!bench->options.no_ceilings)
    print_roofline (bench);
  print_ridge (bench);
}

/* ---- JSON ---- */

JsonObject *
bench_report_begin (const Bench *bench)
{
  static const gchar *const kinds[] = { "hardware", "software", "cpu" };
  const GstGlesLimits *limits = gst_gles_device_get_limits (bench->device);
  JsonObject *report = bench_report_new ("gst-gles-bench-1.0");

  bench_add_text (report, "device", "%s", gst_gles_device_get_id (bench->device));
  bench_add_text (report, "kind", "%s", kinds[gst_gles_device_get_kind (bench->device)]);
  bench_add_text (report, "description", "%s", gst_gles_device_get_description (bench->device));
  bench_add_text (report, "subgroup_size", "%u", limits->subgroup_size);
  bench_add_text (report, "shared_bytes", "%u", limits->shared_bytes);
  bench_add_text (report, "invocations", "%u", limits->invocations);
  bench_add_text (report, "timing", "%s",
      bench->gpu_times ? "GPU timestamps" : "wall clock (no timestamps of a GPU on this device)");
  bench_add_text (report, "cpu_threads", "%u", gst_gles_cpu_n_threads ());
  bench_add_text (report, "vqsort", "%s", BENCH_VQSORT ? "yes" : "not found at build time");
  bench_add_text (report, "oneTBB", "%s", BENCH_TBB ? "yes" : "not found at build time");
  bench_add_text (
      report, "variant", "%s", bench->options.variant != NULL ? bench->options.variant : "");
  json_object_set_int_member (report, "rotate", bench->options.n_copies);
  bench_add_number (report, "floor_ns", bench->floor_ns);
  return report;
}

static void
add_statistics (JsonObject *object, const gchar *name, const BenchStatistics *s)
{
  if (s->n > 0)
    bench_add_numbers (object, name, "median", s->median, "min", s->min, "max", s->max, "q1", s->q1,
        "q3", s->q3, "runs", (gdouble) s->n, "outliers", (gdouble) s->n_outliers, NULL);
  else
    json_object_set_null_member (object, name);
}

void
bench_report_result (const Bench *bench, const BenchResult *result)
{
  JsonObject *object = bench_report_add (bench->report);
  const gdouble ns = bench_result_ns (result);
  const gdouble speedup = speedup_of (result);

  bench_add_text (object, "experiment", "%s", result->experiment->name);
  if (result->input_kind < BENCH_N_INPUTS)
    bench_add_text (object, "input", "%s", bench_input_name (result->input_kind));
  json_object_set_int_member (object, "n", result->n);
  json_object_set_boolean_member (object, "valid", result->valid);
  if (!result->valid) {
    json_object_set_boolean_member (object, "refused", result->refused);
    bench_add_text (object, "error", "%s", result->message);
    return;
  }
  /* The checksum is a string, since readers of JSON may store numbers as doubles. */
  bench_add_text (object, "checksum", "%" G_GUINT64_FORMAT, result->checksum);
  json_object_set_int_member (object, "batch", result->batch);
  add_statistics (object, "gpu_ns", &result->gpu);
  add_statistics (object, "wall_ns", &result->wall);
  add_statistics (object, "submit_ns", &result->submit);
  bench_add_number (object, "bytes", result->bytes);
  bench_add_number (object, "copy_ns", result->copy_ns);
  bench_add_number (object, "work_per_s", ns > 0 ? result->work / ns * 1e9 : 0);
  bench_add_number (object, "bytes_per_s", ns > 0 ? result->bytes / ns * 1e9 : 0);
  bench_add_number (object, "of_copy", ns > 0 ? result->copy_ns / ns : 0);
  for (guint i = 0; i < BENCH_N_BASELINES; i++)
    bench_add_number (object, baselines[i].member, result->baseline_ns[i]);
  bench_add_number (object, "speedup", speedup);
  bench_add_text (object, "verdict", "%s", speedup > 0 ? bench_verdict (speedup) : "");
  if (result->phases != NULL && json_object_get_size (result->phases) > 0)
    json_object_set_object_member (object, "phases_ns", json_object_ref (result->phases));
  if (result->passes != NULL)
    json_object_set_array_member (object, "passes", json_array_ref (result->passes));
}
