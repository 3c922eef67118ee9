/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How fast sorts are, way by way. Not a test: timings depend on the machine.
 *
 * Usage: sort-rate [--device SPEC] [--type u32|u64] [--pattern N] [--repeat N] [--passes]
 *                  [--sizes N,N,...] [VARIANT...]
 *
 * A VARIANT is what GST_GLES_SORT_VARIANT takes ("auto", "ballot+lookback+keys=9+invocations=384").
 * Each is checked against the native twin first. Prints, for keys alone and for pairs, the best GPU
 * time of --repeat runs (where the device has timer queries), the time per run of a batch of 20
 * between two waits, and that of the twin. --passes adds the GPU time of each kernel. */
#include <stdlib.h>
#include <string.h>

#include <gst/gles/algo/sort/sort-private.h>

#include "sort-cases.h"

#define BATCH 20

typedef struct {
  GstGlesDevice *device;
  GstGlesQueue *queue;
  GstGlesSortConfig config;
  guint n, repeat;
  gboolean passes;
  guint32 *keys, *want_keys, *want_payloads;
  GstGlesBuffer *keys_in, *keys_out, *payloads_out;
} Bench;

static void
fail_on (GError *error, const gchar *what)
{
  if (error != NULL)
    g_error ("%s: %s", what, error->message);
}

static gsize
key_words (const Bench *bench)
{
  return bench->config.type == GST_GLES_VALUE_U64 ? 2 : 1;
}

static void
sort_once (Bench *bench, GstGlesSort *sort)
{
  GError *error = NULL;

  gst_gles_sort_run (sort, bench->keys_in, NULL, bench->keys_out,
      bench->config.payload ? bench->payloads_out : NULL, bench->n, &error);
  fail_on (error, "sort");
}

static gboolean
is_right (Bench *bench, GstGlesSort *sort)
{
  gsize size = 4 * key_words (bench) * bench->n;
  g_autofree guint32 *got = g_malloc (size + 4);
  gboolean right;
  GError *error = NULL;

  sort_once (bench, sort);
  gst_gles_buffer_download (bench->keys_out, bench->queue, 0, got, size, &error);
  fail_on (error, "download");
  right = memcmp (got, bench->want_keys, size) == 0;
  if (right && bench->config.payload) {
    gst_gles_buffer_download (bench->payloads_out, bench->queue, 0, got, 4ull * bench->n, &error);
    fail_on (error, "download");
    right = memcmp (got, bench->want_payloads, 4ull * bench->n) == 0;
  }
  return right;
}

static void
print_passes (GArray *passes)
{
  for (guint i = 0; i < passes->len; i++) {
    const GstGlesPassTime *pass = &g_array_index (passes, GstGlesPassTime, i);
    g_print ("    %-20s %9.3f ms\n", pass->name, pass->time_ns / 1e6);
  }
}

/* The best of some runs, each kernel between two timestamps; 0 without timer queries. */
static guint64
gpu_time (Bench *bench, GstGlesSort *sort)
{
  guint64 best = 0;

  for (guint i = 0; i < bench->repeat; i++) {
    GError *error = NULL;
    GstGlesTimer *timer;
    GArray *passes;
    guint64 sum = 0;

    gst_gles_queue_begin (bench->queue, &error);
    fail_on (error, "begin");
    timer = gst_gles_queue_start_timer (bench->queue);
    sort_once (bench, sort);
    gst_gles_queue_end (bench->queue, &error);
    fail_on (error, "end");
    if (timer == NULL)
      return 0;
    passes = gst_gles_timer_get_passes (timer, &error);
    fail_on (error, "timer");
    for (guint k = 0; k < passes->len; k++)
      sum += g_array_index (passes, GstGlesPassTime, k).time_ns;
    if (bench->passes && i + 1 == bench->repeat)
      print_passes (passes);
    best = best == 0 ? sum : MIN (best, sum);
    g_array_unref (passes);
    gst_gles_timer_free (timer);
  }
  return best;
}

/* Microseconds per run. */
static gdouble
batch_time (Bench *bench, GstGlesSort *sort)
{
  GError *error = NULL;
  gint64 begin;

  gst_gles_queue_finish (bench->queue, &error);
  fail_on (error, "finish");
  begin = g_get_monotonic_time ();
  gst_gles_queue_begin (bench->queue, &error);
  fail_on (error, "begin");
  for (guint i = 0; i < BATCH; i++)
    sort_once (bench, sort);
  gst_gles_queue_end (bench->queue, &error);
  fail_on (error, "end");
  gst_gles_queue_finish (bench->queue, &error);
  fail_on (error, "finish");
  return (g_get_monotonic_time () - begin) / (gdouble) BATCH;
}

/* What the twin makes of it; microseconds of the best of three runs. */
static gint64
sort_natively (Bench *bench)
{
  GstGlesCpuSortConfig cpu = gst_gles_cpu_sort_config (bench->config.type, FALSE);
  g_autofree gpointer scratch =
      g_malloc (MAX (gst_gles_cpu_sort_scratch_bytes (&cpu, bench->n, bench->config.payload), 1));
  gint64 best = G_MAXINT64;

  for (guint i = 0; i < 3; i++) {
    gint64 begin = g_get_monotonic_time ();
    gst_gles_cpu_sort (&cpu, bench->keys, NULL, bench->want_keys,
        bench->config.payload ? bench->want_payloads : NULL, bench->n, scratch);
    best = MIN (best, g_get_monotonic_time () - begin);
  }
  return best;
}

static void
measure (Bench *bench, const gchar *text)
{
  GstGlesSortVariant variant;
  g_autoptr (GstGlesSort) sort = NULL;
  GError *error = NULL;
  gdouble batch;
  guint64 gpu;

  if (!gst_gles_sort_variant_parse (text, &variant, &error) ||
      (sort = gst_gles_sort_new_full (bench->queue, &bench->config, bench->n, &variant, &error)) ==
          NULL) {
    g_print ("  %-44s %s\n", text, error->message);
    g_error_free (error);
    return;
  }
  if (!is_right (bench, sort))
    g_print ("  %-44s WRONG\n", text);
  gpu = gpu_time (bench, sort);
  batch = batch_time (bench, sort);
  g_print ("  %-44s gpu %9.3f ms %8.3f G/s   batch %9.3f ms %8.3f G/s\n", text, gpu / 1e6,
      gpu > 0 ? bench->n / (gdouble) gpu : 0.0, batch / 1e3, bench->n / (batch * 1e3));
}

static void
measure_size (Bench *bench, Pattern pattern, gchar **variants)
{
  gsize words = key_words (bench) * bench->n;
  GError *error = NULL;

  bench->keys = g_new (guint32, words + 1);
  bench->want_keys = g_new (guint32, words + 1);
  bench->want_payloads = g_new (guint32, bench->n + 1);
  pattern_fill (pattern, 1, bench->keys, words);
  bench->keys_in = gst_gles_buffer_new (bench->device, 4 * words, &error);
  fail_on (error, "buffer");
  bench->keys_out = gst_gles_buffer_new (bench->device, 4 * words, &error);
  fail_on (error, "buffer");
  bench->payloads_out = gst_gles_buffer_new (bench->device, 4ull * bench->n, &error);
  fail_on (error, "buffer");
  gst_gles_buffer_upload (bench->keys_in, bench->queue, 0, bench->keys, 4 * words, &error);
  fail_on (error, "upload");
  for (guint payload = 0; payload < 2; payload++) {
    bench->config.payload = payload;
    g_print ("%u %s, %s: twin %.3f ms\n", bench->n, payload ? "pairs" : "keys",
        pattern_name (pattern), sort_natively (bench) / 1e3);
    for (guint i = 0; variants[i] != NULL; i++)
      measure (bench, variants[i]);
  }
  gst_gles_buffer_unref (bench->keys_in);
  gst_gles_buffer_unref (bench->keys_out);
  gst_gles_buffer_unref (bench->payloads_out);
  g_free (bench->keys);
  g_free (bench->want_keys);
  g_free (bench->want_payloads);
}

int
main (int argc, char **argv)
{
  static gchar *automatic[] = { (gchar *) "auto", NULL };
  g_autofree gchar *spec = NULL, *type = NULL, *sizes = NULL;
  g_auto (GStrv) variants = NULL, numbers = NULL;
  gint pattern = PATTERN_RANDOM, repeat = 10;
  gboolean passes = FALSE;
  GOptionEntry entries[] = { { "device", 0, 0, G_OPTION_ARG_STRING, &spec, "Which device", "SPEC" },
    { "type", 0, 0, G_OPTION_ARG_STRING, &type, "u32 or u64", "TYPE" },
    { "pattern", 0, 0, G_OPTION_ARG_INT, &pattern, "Which input: 0 is random", "N" },
    { "repeat", 0, 0, G_OPTION_ARG_INT, &repeat, "How often", "N" },
    { "passes", 0, 0, G_OPTION_ARG_NONE, &passes, "GPU time of each kernel", NULL },
    { "sizes", 0, 0, G_OPTION_ARG_STRING, &sizes, "How many keys", "N,N" },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, &variants, NULL, "VARIANT" }, { NULL } };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;
  Bench bench = { 0 };

  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error) || pattern < 0 ||
      pattern >= N_PATTERNS || repeat < 1) {
    g_printerr ("%s\n", error != NULL ? error->message : "a number is out of range");
    return 2;
  }
  gst_init (&argc, &argv);
  bench.device = gst_gles_device_new (spec, &error);
  if (bench.device == NULL)
    g_error ("%s", error->message);
  bench.queue = gst_gles_device_get_queue (bench.device);
  bench.repeat = repeat;
  bench.passes = passes;
  gst_gles_sort_config_init (
      &bench.config, g_strcmp0 (type, "u64") == 0 ? GST_GLES_VALUE_U64 : GST_GLES_VALUE_U32);
  g_print ("%s\n", gst_gles_device_get_description (bench.device));
  numbers = g_strsplit (sizes != NULL ? sizes : "1048576", ",", -1);
  for (guint i = 0; numbers[i] != NULL; i++) {
    bench.n = strtoul (numbers[i], NULL, 10);
    measure_size (&bench, pattern, variants != NULL ? variants : automatic);
  }
  gst_object_unref (bench.device);
  return 0;
}
