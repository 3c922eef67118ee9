/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* gst-gles-bench-1.0 measures the algorithms on a device and checks each against its twin first. */
#include "config.h"

#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"

#define MAX_N (1u << 30)
#define STREAMS_PROGRAM "gst-gles-bench-streams-1.0"

static const guint default_sizes[] = { 10000, 100000, 1000000, 0 };
static const guint hardware_sizes[] = { 10000, 1 << 20, 1 << 24, 1 << 26, 0 };

static const BenchExperiment *const families[] = { bench_ceilings, bench_arrays, bench_sorts,
  bench_tiles, bench_frames };

static BenchOptions options = { .n_runs = 30, .n_warmup = 3, .n_copies = 1 };
static gchar *sizes_text, *inputs_text = (gchar *) "random";
static gboolean list_only, show_version;
static gchar **names;

static const GOptionEntry entries[] = {
  { "device", 'd', 0, G_OPTION_ARG_STRING, &options.device_spec,
      "auto, a render node, egl:N, surfaceless, software, cpu", "D" },
  { "sizes", 's', 0, G_OPTION_ARG_STRING, &sizes_text,
      "How many elements: 10000, 10K, 1M; Ki is 1024, Mi 1048576", "10K,1M,…" },
  { "runs", 'r', 0, G_OPTION_ARG_INT, &options.n_runs,
      "Timed runs; a second at most, five at least (default: 30)", "N" },
  { "warmup", 'w', 0, G_OPTION_ARG_INT, &options.n_warmup, "Runs before those (default: 3)", "N" },
  { "variant", 0, 0, G_OPTION_ARG_STRING, &options.variant,
      "Forces kernels, as GST_GLES_<ALGORITHM>_VARIANT does", "V" },
  { "inputs", 'i', 0, G_OPTION_ARG_STRING, &inputs_text,
      "Kinds of keys, see below; all: each (default: random)", "I,…" },
  { "rotate", 0, 0, G_OPTION_ARG_INT, &options.n_copies,
      "Copies of the input that launches take in turns (default: 1)", "N" },
  { "profile", 'p', 0, G_OPTION_ARG_NONE, &options.profile, "Times each kernel as well", NULL },
  { "no-baselines", 0, 0, G_OPTION_ARG_NONE, &options.no_baselines,
      "Leaves out what the CPU takes for the same", NULL },
  { "no-ceilings", 0, 0, G_OPTION_ARG_NONE, &options.no_ceilings,
      "Leaves out what copying as many bytes takes", NULL },
  { "json-file", 0, 0, G_OPTION_ARG_FILENAME, &options.files.json, "Writes JSON (-: to stdout)",
      "F" },
  { "csv-file", 0, 0, G_OPTION_ARG_FILENAME, &options.files.csv, "Writes CSV (-: to stdout)", "F" },
  { "list", 'l', 0, G_OPTION_ARG_NONE, &list_only, "Lists the experiments", NULL },
  { "version", 0, 0, G_OPTION_ARG_NONE, &show_version, "Prints the version", NULL },
  { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, &names, NULL, "[EXPERIMENT…]" },
  { NULL },
};

static const gchar description[] =
    "Columns: median, least and most time of a launch after outliers (more than 1.5\n"
    "interquartile ranges outside the quartiles) were dropped, how many those were (out), wall\n"
    "clock per launch, rate, bandwidth, and what share that is of a copy of as many bytes. GPU\n"
    "time where the device has timer queries, else wall clock. Below are times of the cpu\n"
    "device, VQSort and oneTBB; the verdict is by the fastest: DOMINANT above 10 times, STRONG\n"
    "above 5, SOLID above 2, MARGINAL above 1, SLOWER.\n\n"
    "Kinds of keys: random; and-2, and-3, and-4, and-5 (the AND of so many random words); equal;\n"
    "sorted; reversed; alternating (two values); outlier (one among equals).\n\n"
    "Examples:\n"
    "  gst-gles-bench-1.0 scan sort-pairs --sizes 1Mi,16Mi\n"
    "  gst-gles-bench-1.0 --device software --sizes 10K,100K,1M --json-file here.json\n"
    "  gst-gles-bench-1.0 sort-keys histogram-1024 --inputs all\n"
    "  gst-gles-bench-1.0 tiles --profile\n"
    "  gst-gles-bench-1.0 streams --help            an element under several streams\n\n"
    "Exit status: 0; 1 if a result was wrong, a size did not fit, or the device cannot be opened;\n"
    "2 for arguments that mean nothing.\n\n"
    "Environment: GST_GLES_DEVICE, the device; GST_GLES_<ALGORITHM>_VARIANT, as --variant;\n"
    "GST_GLES_CPU_THREADS, threads of the cpu device. More: docs/benchmarks.md.";

static gboolean
add_size (const gchar *text)
{
  static const struct {
    const gchar *suffix;
    guint64 factor;
  } units[] = { { "", 1 }, { "K", 1000 }, { "M", 1000000 }, { "Ki", 1024 }, { "Mi", 1048576 } };
  gchar *end;
  const guint64 n = g_ascii_strtoull (text, &end, 10);

  for (guint i = 0; i < G_N_ELEMENTS (units); i++) {
    if (end == text || g_ascii_strcasecmp (end, units[i].suffix) != 0 || n == 0 ||
        n > MAX_N / units[i].factor)
      continue;
    const guint size = (guint) (n * units[i].factor);
    g_array_append_val (options.sizes, size);
    return TRUE;
  }
  g_printerr ("--sizes: \"%s\" is no size from 1 to 2^30, such as 10000, 10K, 1M, 16Mi\n", text);
  return FALSE;
}

static gboolean
add_input (const gchar *name)
{
  gboolean found = FALSE;

  for (guint i = 0; i < BENCH_N_INPUTS; i++) {
    if (!g_str_equal (name, "all") && !g_str_equal (name, bench_input_name (i)))
      continue;
    g_array_append_val (options.inputs, i);
    found = TRUE;
  }
  if (!found)
    g_printerr ("--inputs: there is no kind \"%s\": --help names them\n", name);
  return found;
}

/* Calls @add with each word of @list, which has commas between. */
static gboolean
parse_list (const gchar *list, gboolean (*add) (const gchar *word))
{
  g_auto (GStrv) words = g_strsplit (list, ",", -1);
  gboolean ok = words[0] != NULL;

  if (!ok)
    g_printerr ("--sizes and --inputs name at least one\n");
  for (guint i = 0; ok && words[i] != NULL; i++)
    ok = add (g_strstrip (words[i]));
  return ok;
}

static gboolean
parse_options (void)
{
  if (options.n_runs < 1 || options.n_runs > 100000 || options.n_warmup < 0 ||
      options.n_copies < 1 || options.n_copies > BENCH_MAX_COPIES) {
    g_printerr (
        "--runs takes 1 to 100000, --warmup 0 or more, --rotate 1 to %d\n", BENCH_MAX_COPIES);
    return FALSE;
  }
  options.inputs = g_array_new (FALSE, FALSE, sizeof (guint));
  options.sizes = g_array_new (TRUE, FALSE, sizeof (guint));
  return parse_list (inputs_text, add_input) &&
      (sizes_text == NULL || parse_list (sizes_text, add_size));
}

/* ---- choosing experiments ---- */

/* Adds those of the experiments that are called @name (NULL: all) to @chosen. */
static gboolean
choose (const gchar *name, GPtrArray *chosen)
{
  const guint n_before = chosen->len;

  for (guint i = 0; i < G_N_ELEMENTS (families); i++) {
    for (const BenchExperiment *x = families[i]; x->name != NULL; x++) {
      if (name == NULL || g_str_equal (x->name, name))
        g_ptr_array_add (chosen, (gpointer) x);
    }
  }
  if (chosen->len > n_before)
    return TRUE;
  if (g_str_equal (name, "streams"))
    g_printerr ("streams is a command with options of its own: it comes first\n");
  else
    g_printerr ("There is no experiment \"%s\": --list names them all\n", name);
  return FALSE;
}

/* Puts the experiments that are asked for into @chosen. */
static gboolean
choose_experiments (GPtrArray *chosen)
{
  gboolean ok = names != NULL || choose (NULL, chosen);

  for (guint i = 0; ok && names != NULL && names[i] != NULL; i++)
    ok = choose (names[i], chosen);
  return ok;
}

/* Returns the sizes of an experiment, with 0 at the end. */
static const guint *
sizes_of (const Bench *bench, const BenchExperiment *experiment)
{
  if (experiment->sizes != NULL && (experiment->fixed || options.sizes->len == 0))
    return experiment->sizes;
  if (options.sizes->len > 0)
    return (const guint *) options.sizes->data;
  return bench->is_hardware ? hardware_sizes : default_sizes;
}

static void
list_experiments (const GPtrArray *experiments)
{
  for (guint i = 0; i < experiments->len; i++) {
    const BenchExperiment *x = experiments->pdata[i];
    g_print ("%-17s %s\n", x->name, x->summary);
  }
}

/* ---- running them ---- */

/* Shows the running experiment if standard error is a terminal; NULL erases it. */
static void
show_progress (const gchar *what)
{
  if (isatty (STDERR_FILENO))
    g_printerr ("\r\033[K%s", what != NULL ? what : "");
}

static void
run_size (Bench *bench, const BenchExperiment *experiment, guint n, guint input_kind)
{
  g_autofree gchar *count = bench_format_size (experiment, n);
  g_autofree gchar *what =
      g_strdup_printf ("%s %s %s", experiment->name, count, bench_input_name (input_kind));
  BenchResult *result;

  show_progress (what);
  result = bench_measure (bench, experiment, n, input_kind);
  show_progress (NULL);
  g_ptr_array_add (bench->results, result);
  bench_report_result (bench, result);
  bench_report_row (bench, result);
}

static void
run_experiment (Bench *bench, const BenchExperiment *experiment)
{
  if (experiment->variable != NULL && options.variant != NULL)
    g_setenv (experiment->variable, options.variant, TRUE);
  for (const guint *n = sizes_of (bench, experiment); *n != 0; n++) {
    if (!experiment->by_input)
      run_size (bench, experiment, *n, BENCH_N_INPUTS);
    for (guint i = 0; experiment->by_input && i < options.inputs->len; i++)
      run_size (bench, experiment, *n, g_array_index (options.inputs, guint, i));
  }
}

static gboolean
run_all (Bench *bench, const GPtrArray *experiments)
{
  g_autoptr (GError) error = NULL;
  guint n_failed = 0;

  if (!bench_measure_floor (bench, &error)) {
    g_printerr ("The device cannot be measured: %s\n", error->message);
    return FALSE;
  }
  bench->report = bench_report_begin (bench);
  bench_report_header (bench);
  for (guint i = 0; i < experiments->len; i++)
    run_experiment (bench, experiments->pdata[i]);
  bench_report_summary (bench);
  if (!bench_report_write (bench->report, &options.files, &error)) {
    g_printerr ("%s\n", error->message);
    return FALSE;
  }
  for (guint i = 0; i < bench->results->len; i++)
    n_failed += !((const BenchResult *) bench->results->pdata[i])->valid;
  if (n_failed > 0)
    g_printerr ("%u of %u measurements failed\n", n_failed, bench->results->len);
  return n_failed == 0;
}

static gboolean
open_device (Bench *bench)
{
  g_autoptr (GError) error = NULL;

  bench->device = gst_gles_device_new (options.device_spec, &error);
  if (bench->device == NULL) {
    g_printerr ("%s\n", error->message);
    return FALSE;
  }
  bench->queue = gst_gles_device_get_queue (bench->device);
  bench->is_cpu = gst_gles_device_get_kind (bench->device) == GST_GLES_DEVICE_CPU;
  bench->is_hardware = gst_gles_device_get_kind (bench->device) == GST_GLES_DEVICE_HARDWARE;
  bench->gpu_times =
      bench->is_hardware && gst_gles_device_get_limits (bench->device)->timer_queries;
  return TRUE;
}

/* Replaces this process by the program that measures streams, in the same folder. That program is
 * linked to the shared library, like the plugin; this one is linked statically, so it would have
 * the library's objects twice. Returns, with the exit status, only if the program cannot be
 * started. */
static gint
run_streams (gchar **argv)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *self = g_file_read_link ("/proc/self/exe", &error);
  g_autofree gchar *folder = self != NULL ? g_path_get_dirname (self) : NULL;
  g_autofree gchar *program = NULL;

  if (folder == NULL) {
    g_printerr ("Where this program lies is not known: %s\n", error->message);
    return 1;
  }
  program = g_build_filename (folder, STREAMS_PROGRAM, NULL);
  execv (program, argv);
  g_printerr ("%s cannot be started: %s\n", program, g_strerror (errno));
  return 1;
}

gint
main (gint argc, gchar **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GPtrArray) experiments = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  Bench bench = { 0 };
  gboolean ok;

  if (argc > 1 && g_str_equal (argv[1], "streams"))
    return run_streams (argv + 1);
  setlocale (LC_ALL, "");
  /* Programs read the numbers too, so they have no locale-dependent format. */
  setlocale (LC_NUMERIC, "C");
  g_option_context_set_summary (context,
      "Measures the array and frame algorithms of gst-gles-compute on a device. Each result is "
      "compared\nwith that of the native twin first; a wrong one is a failed run and exit status "
      "1.");
  g_option_context_set_description (context, description);
  g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_add_group (context, gst_init_get_option_group ());
  if (!g_option_context_parse (context, &argc, &argv, &error)) {
    g_printerr ("%s\n", error->message);
    return 2;
  }
  if (show_version) {
    g_print ("gst-gles-bench-1.0 %s\n", VERSION);
    return 0;
  }
  if (!parse_options () || !choose_experiments (experiments))
    return 2;
  if (list_only) {
    list_experiments (experiments);
    return 0;
  }
  if (!open_device (&bench))
    return 1;
  bench.options = options;
  bench.copies = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  bench.results = g_ptr_array_new_with_free_func ((GDestroyNotify) bench_result_free);
  ok = run_all (&bench, experiments);
  g_hash_table_unref (bench.copies);
  g_ptr_array_unref (bench.results);
  g_clear_pointer (&bench.report, json_object_unref);
  gst_object_unref (bench.device);
  return ok ? 0 : 1;
}
