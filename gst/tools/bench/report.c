/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reports for people: tables of at most 100 columns. */
#include "config.h"

#include <string.h>
#include <unistd.h>

#include <gst/gles/core/parallel.h>

#include "bench.h"
#include "text.h"

#define BAR_WIDTH 40

gchar *
bench_format_count (gdouble n)
{
  static const struct {
    gdouble unit;
    const gchar *name;
  } units[] = { { 1 << 20, "Mi" }, { 1e6, "M" }, { 1 << 10, "Ki" }, { 1e3, "K" } };

  for (guint i = 0; i < G_N_ELEMENTS (units); i++) {
    gdouble in_units = n / units[i].unit;
    if (in_units >= 1 && in_units == (gdouble) (guint64) in_units)
      return g_strdup_printf ("%.0f%s", in_units, units[i].name);
  }
  return n >= 1e5 ? g_strdup_printf ("%.2fM", n / 1e6) : g_strdup_printf ("%.0f", n);
}

const gchar *
bench_input_name (guint input_kind)
{
  static const gchar *const names[] = BENCH_INPUT_NAMES;

  return input_kind < BENCH_N_INPUTS ? names[input_kind] : "";
}

gchar *
bench_format_size (const BenchExperiment *experiment, guint n)
{
  if (experiment->fixed)
    return g_strdup (n == 1920 * 1080 ? "1080p" : "2160p");
  return bench_format_count (n);
}

static gchar *
format_ns (gdouble ns)
{
  static const struct {
    gdouble unit;
    const gchar *name;
  } units[] = { { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "us" } };
  guint i = ns >= 1e9 ? 0 : ns >= 1e6 ? 1 : 2;
  gdouble in_units = ns / units[i].unit;

  if (ns <= 0)
    return g_strdup ("-");
  return g_strdup_printf ("%.*f %s",
      in_units < 10        ? 2
          : in_units < 100 ? 1
                           : 0,
      in_units, units[i].name);
}

/* Formats a number in at most 7 columns. */
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

gchar **
bench_report_facts (const Bench *bench)
{
  static const gchar *const kinds[] = { "hardware", "software", "cpu" };
  GstGlesLimits limits = *gst_gles_device_get_limits (bench->device);
  GStrvBuilder *facts = g_strv_builder_new ();
  gchar **all;
  const struct {
    const gchar *name;
    gchar *value;
  } list[] = {
    { "version", g_strdup (VERSION) },
    { "timestamp", bench_machine_time () },
    { "device", g_strdup (gst_gles_device_get_id (bench->device)) },
    { "kind", g_strdup (kinds[gst_gles_device_get_kind (bench->device)]) },
    { "description", g_strdup (gst_gles_device_get_description (bench->device)) },
    { "subgroup_size", g_strdup_printf ("%u", limits.subgroup_size) },
    { "shared_bytes", g_strdup_printf ("%u", limits.shared_bytes) },
    { "invocations", g_strdup_printf ("%u", limits.invocations) },
    { "timing",
        g_strdup (bench->gpu_times ? "GPU timestamps"
                                   : "wall clock (no timestamps of a GPU on this device)") },
    { "cpu", bench_machine_cpu () },
    { "cpu_threads", g_strdup_printf ("%u", gst_gles_cpu_n_threads ()) },
    { "kernel", bench_machine_kernel () },
    { "vqsort", g_strdup (bench_vqsort_available () ? "yes" : "not found at build time") },
    { "oneTBB", g_strdup (bench_parallel_sort_available () ? "yes" : "not found at build time") },
  };

  for (guint i = 0; i < G_N_ELEMENTS (list); i++) {
    g_strv_builder_add (facts, list[i].name);
    g_strv_builder_add (facts, list[i].value);
    g_free (list[i].value);
  }
  all = g_strv_builder_end (facts);
  g_strv_builder_unref (facts);
  return all;
}

void
bench_progress (const Bench *bench, const gchar *what)
{
  if (!isatty (STDERR_FILENO))
    return;
  if (what != NULL)
    g_printerr ("\r\033[K[%u/%u] %s", bench->done + 1, bench->to_do, what);
  else
    g_printerr ("\r\033[K");
}

/* Tables are not printed when JSON or CSV goes to standard output. */
static gboolean
is_silent (const Bench *bench)
{
  return g_strcmp0 (bench->options.json_file, "-") == 0 ||
      g_strcmp0 (bench->options.csv_file, "-") == 0;
}

static void
print_inputs (const Bench *bench)
{
  const BenchOptions *options = &bench->options;

  g_print ("%-14s", "inputs");
  for (guint i = 0; i < options->inputs->len; i++)
    g_print (" %s", bench_input_name (g_array_index (options->inputs, guint, i)));
  g_print ("\n");
  if (options->n_copies > 1)
    g_print ("%-14s %u of each input, in turns\n", "copies", options->n_copies);
  if (options->variant != NULL)
    g_print ("%-14s %s\n", "variant", options->variant);
}

void
bench_report_header (const Bench *bench)
{
  g_auto (GStrv) facts = bench_report_facts (bench);
  g_autofree gchar *nothing = format_ns (bench->floor_ns);

  if (is_silent (bench))
    return;
  for (guint i = 0; facts[i] != NULL; i += 2)
    g_print ("%-14s %.84s\n", facts[i], facts[i + 1]);
  g_print ("%-14s an empty dispatch takes %s\n", "floor", nothing);
  print_inputs (bench);
  g_print (
      "\nTime of a launch: median, least and most after outliers were dropped (out). GB/s: what "
      "must be\nread and written at the least; of copy: that, as a share of what a copy of as "
      "many bytes reaches.\nEvery result is compared with the native twin's, before and after it "
      "is timed.\n\n");
  g_print ("%-16s %7s %9s %9s %9s %3s %9s %14s %8s %7s\n", "experiment", "n", "median", "min",
      "max", "out", "wall", "rate", "GB/s", "of copy");
}

static void
print_passes (const GArray *passes)
{
  guint64 sum = 0;

  for (guint i = 0; i < passes->len; i++)
    sum += g_array_index (passes, GstGlesPassTime, i).time_ns;
  for (guint i = 0; i < passes->len; i++) {
    const GstGlesPassTime *pass = &g_array_index (passes, GstGlesPassTime, i);
    g_autofree gchar *time = format_ns (pass->time_ns);
    g_print (
        "    %-24s %9s %5.1f %%\n", pass->name, time, sum > 0 ? 100.0 * pass->time_ns / sum : 0.0);
  }
}

static void
print_phases (const BenchResult *result)
{
  BenchPhase phases[BENCH_MAX_PHASES];
  guint n = bench_result_phases (result, phases);

  for (guint i = 0; i < n; i++) {
    g_autofree gchar *time = format_ns (phases[i].time_ns);
    g_print ("%s%s %s%s", i == 0 ? "    " : ", ", phases[i].name, time, i + 1 == n ? "\n" : "");
  }
}

/* Whether rows are named by input, as in experiments with more than one. */
static gboolean
by_input (const Bench *bench, const BenchResult *result)
{
  return bench->options.inputs->len > 1 && result->input_kind < BENCH_N_INPUTS;
}

static const gchar *
row_name (const Bench *bench, const BenchResult *result)
{
  return by_input (bench, result) ? bench_input_name (result->input_kind)
                                  : result->experiment->name;
}

static void
print_heading (const Bench *bench, const BenchResult *result)
{
  if (by_input (bench, result))
    g_print ("%s:\n", result->experiment->name);
}

static gchar *
format_rate (const BenchResult *result, gdouble ns)
{
  const gchar *unit = result->experiment->unit != NULL ? result->experiment->unit : "elem";
  gdouble rate = result->work / ns;
  g_autofree gchar *number = format_number (rate < 0.1 ? rate * 1000 : rate);

  if (*unit == '\0')
    return g_strdup ("-");
  return g_strdup_printf ("%s %c%s/s", number, rate < 0.1 ? 'M' : 'G', unit);
}

void
bench_report_row (const Bench *bench, const BenchResult *result)
{
  const BenchStatistics *time = result->gpu.n > 0 ? &result->gpu : &result->wall;
  g_autofree gchar *n = bench_format_size (result->experiment, result->n);
  g_autofree gchar *median = format_ns (time->median);
  g_autofree gchar *min = format_ns (time->min);
  g_autofree gchar *max = format_ns (time->max);
  g_autofree gchar *wall = format_ns (result->wall.median);
  gdouble ns = MAX (time->median, 1);
  g_autofree gchar *rate = format_rate (result, ns);
  g_autofree gchar *bandwidth = format_number (result->bytes / ns);

  if (!result->valid)
    g_printerr ("%s %s %s: %s\n", result->experiment->name, n,
        bench_input_name (result->input_kind), result->message);
  if (is_silent (bench))
    return;
  if (bench->results->len < 2 ||
      ((BenchResult *) bench->results->pdata[bench->results->len - 2])->experiment !=
          result->experiment)
    print_heading (bench, result);
  if (!result->valid) {
    g_autofree gchar *line = g_strndup (result->message, strcspn (result->message, "\n"));
    g_print ("%-16s %7s %s: %.64s\n", row_name (bench, result), n,
        result->refused ? "REFUSED" : "FAILED", line);
    return;
  }
  g_print ("%-16s %7s %9s %9s %9s %3u %9s %14s %8s", row_name (bench, result), n, median, min, max,
      time->n_outliers, wall, rate, result->bytes > 0 ? bandwidth : "-");
  if (result->copy_ns > 0)
    g_print (ns * 10 > result->copy_ns ? " %5.1f %%" : " %5.0f %%",
        MIN (100 * result->copy_ns / ns, 99999.0));
  g_print ("\n");
  print_phases (result);
  if (result->passes != NULL && bench->options.profile)
    print_passes (result->passes);
}

/* Prints the row of a baseline that only sorts have. @ns: 0: not measured */
static void
print_rival (const BenchResult *result, const gchar *name, gdouble ns)
{
  g_autofree gchar *text = format_ns (ns);

  if (ns > 0)
    g_print ("%-16s %7s %10s %10s  %s: %.3gx\n", "", "", "", text, name,
        ns / MAX (bench_result_ns (result), 1));
}

static void
print_baselines (const Bench *bench)
{
  const BenchExperiment *last = NULL;

  g_print ("\nAgainst the CPU, same input, same run: one thread of plain C, the cpu device on %u "
           "threads, VQSort\non one thread; the verdict is by the fastest of them.\n\n",
      gst_gles_cpu_n_threads ());
  g_print ("%-16s %7s %10s %10s %10s %10s %8s  %-10s %s\n", "experiment", "n", "here", "naive C",
      "cpu device", "VQSort", "times", "fastest", "verdict");
  for (guint i = 0; i < bench->results->len; i++) {
    const BenchResult *result = bench->results->pdata[i];
    gdouble speedup = bench_result_speedup (result);
    g_autofree gchar *n = bench_format_size (result->experiment, result->n);
    g_autofree gchar *here = format_ns (bench_result_ns (result));
    g_autofree gchar *naive = format_ns (result->naive_ns);
    g_autofree gchar *cpu = format_ns (result->cpu_ns);
    g_autofree gchar *peer = format_ns (result->peer_ns);

    if (!result->valid || speedup <= 0)
      continue;
    if (last != result->experiment)
      print_heading (bench, result);
    last = result->experiment;
    g_print ("%-16s %7s %10s %10s %10s %10s %7.3gx  %-10s %s\n", row_name (bench, result), n, here,
        naive, cpu, peer, speedup, bench_result_rival (result), bench_verdict (speedup));
    print_rival (result, "std::stable_sort(), one thread", result->stable_sort_ns);
    print_rival (result, "tbb::parallel_sort(), all threads", result->parallel_ns);
  }
}

/* Prints the two ceilings and the arithmetic intensity at which they meet. */
static void
print_ridge (const Bench *bench)
{
  gdouble flops = 0, bandwidth = 0;

  for (guint i = 0; i < bench->results->len; i++) {
    const BenchResult *result = bench->results->pdata[i];
    gdouble ns = MAX (bench_result_ns (result), 1);
    if (!result->valid)
      continue;
    if (g_strcmp0 (result->experiment->unit, "FLOP") == 0)
      flops = MAX (flops, result->work / ns);
    if (g_str_equal (result->experiment->name, bench_copy.name))
      bandwidth = MAX (bandwidth, result->bytes / ns);
  }
  if (flops > 0 && bandwidth > 0)
    g_print (
        "\nCeilings: %.3g GB/s (copy), %.3g GFLOP/s (matmul): memory decides below %.2g FLOP per "
        "byte.\n",
        bandwidth, flops, flops / bandwidth);
}

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
    gchar bar[BAR_WIDTH + 1];
    g_autofree gchar *n = NULL;
    gdouble share;

    if (result->copy_ns <= 0 || !is_largest (bench, i))
      continue;
    n = bench_format_size (result->experiment, result->n);
    share = result->copy_ns / MAX (bench_result_ns (result), 1);
    for (guint k = 0; k < BAR_WIDTH; k++)
      bar[k] = k < share * BAR_WIDTH ? '#' : '.';
    bar[BAR_WIDTH] = '\0';
    g_print ("%-16s %7s |%s| %5.1f %%\n", result->experiment->name, n, bar, 100 * share);
  }
}

/* Finds the fastest and the slowest input among the results of one experiment and size, beginning
 * with @first. Returns the index of the next size. */
static guint
find_extremes (const Bench *bench, guint first, const BenchResult **best, const BenchResult **worst)
{
  const BenchResult *start = bench->results->pdata[first];
  guint i;

  *best = *worst = NULL;
  for (i = first; i < bench->results->len; i++) {
    const BenchResult *result = bench->results->pdata[i];
    if (result->experiment != start->experiment || result->n != start->n)
      break;
    if (!result->valid)
      continue;
    if (*best == NULL || bench_result_ns (result) < bench_result_ns (*best))
      *best = result;
    if (*worst == NULL || bench_result_ns (result) > bench_result_ns (*worst))
      *worst = result;
  }
  return i;
}

/* Prints how much the speed depends on the kind of input. */
static void
print_extremes (const Bench *bench)
{
  const BenchResult *best, *worst;

  if (bench->options.inputs->len < 2)
    return;
  g_print ("\nInputs: the time for the slowest over that for the fastest.\n\n");
  g_print ("%-16s %7s %10s %-12s %10s %-12s %7s\n", "experiment", "n", "fastest", "", "slowest", "",
      "ratio");
  for (guint i = 0; i < bench->results->len;) {
    g_autofree gchar *fast = NULL, *slow = NULL, *n = NULL;
    i = find_extremes (bench, i, &best, &worst);
    if (best == worst)
      continue;
    fast = format_ns (bench_result_ns (best));
    slow = format_ns (bench_result_ns (worst));
    n = bench_format_size (best->experiment, best->n);
    g_print ("%-16s %7s %10s %-12s %10s %-12s %6.2fx\n", best->experiment->name, n, fast,
        bench_input_name (best->input_kind), slow, bench_input_name (worst->input_kind),
        bench_result_ns (worst) / MAX (bench_result_ns (best), 1));
  }
}

void
bench_report_summary (const Bench *bench)
{
  if (is_silent (bench))
    return;
  if (!bench->options.no_baselines)
    print_baselines (bench);
  print_extremes (bench);
  if (!bench->options.no_ceilings)
    print_roofline (bench);
  print_ridge (bench);
}
