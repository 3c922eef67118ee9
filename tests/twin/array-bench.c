/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How long reduce, scan and compact take on a device: not a test. What one call of a submission of
 * many adds to it, in microseconds, the best of some turns.
 *
 * Usage: twin-array-bench [VARIANT...]
 *   each VARIANT as in GST_GLES_SCAN_VARIANT, default auto; one column each
 * Environment: GLES_TEST_DEVICE; BENCH_CASES, a list of cases (scan, scan-in-place, segmented,
 *   blocks, compact-50, compact-10, compact-flags, sum, min, sum-f32); BENCH_N, a list of sizes */
#include <stdlib.h>
#include <string.h>

#include <gst/gles/algo/compact/compact-private.h>
#include <gst/gles/algo/reduce/reduce-private.h>
#include <gst/gles/algo/scan/scan-private.h>

#include "array-cases.h"

#define N_TURNS 7

typedef struct {
  GstGlesScan *scan;
  GstGlesCompact *compact;
  GstGlesReduce *reduce;
  GstGlesBuffer *input, *flags, *output, *totals;
  guint n;
} Bench;

typedef gboolean (*CallFunc) (Bench *b, GError **error);

static gboolean
call_scan (Bench *b, GError **error)
{
  return gst_gles_scan_exclusive (b->scan, b->input, b->output, b->n, error);
}

static gboolean
call_scan_in_place (Bench *b, GError **error)
{
  return gst_gles_scan_exclusive (b->scan, b->output, b->output, b->n, error);
}

static gboolean
call_segmented (Bench *b, GError **error)
{
  return gst_gles_scan_segmented (b->scan, b->input, b->flags, b->output, b->n, FALSE, error);
}

static gboolean
call_blocks (Bench *b, GError **error)
{
  return gst_gles_scan_blocks (b->scan, b->input, b->output, b->n, 1024, FALSE, b->totals, error);
}

static gboolean
call_compact_50 (Bench *b, GError **error)
{
  return gst_gles_compact_range (b->compact, GST_GLES_VALUE_U32, 0x80000000u, G_MAXUINT32, b->input,
      b->n, b->output, NULL, b->n, error);
}

static gboolean
call_compact_10 (Bench *b, GError **error)
{
  return gst_gles_compact_range (b->compact, GST_GLES_VALUE_U32, 0, G_MAXUINT32 / 10, b->input,
      b->n, b->output, NULL, b->n, error);
}

static gboolean
call_compact_flags (Bench *b, GError **error)
{
  return gst_gles_compact_flags (
      b->compact, b->flags, b->input, b->n, b->output, NULL, b->n, error);
}

static gboolean
call_sum (Bench *b, GError **error)
{
  return gst_gles_reduce_run (
      b->reduce, GST_GLES_REDUCE_SUM, GST_GLES_VALUE_U32, b->input, b->n, error);
}

static gboolean
call_min (Bench *b, GError **error)
{
  return gst_gles_reduce_run (
      b->reduce, GST_GLES_REDUCE_MIN, GST_GLES_VALUE_I32, b->input, b->n, error);
}

static gboolean
call_sum_f32 (Bench *b, GError **error)
{
  return gst_gles_reduce_run (
      b->reduce, GST_GLES_REDUCE_SUM, GST_GLES_VALUE_F32, b->input, b->n, error);
}

static const struct {
  const gchar *name;
  CallFunc func;
} cases[] = {
  { "scan", call_scan },
  { "scan-in-place", call_scan_in_place },
  { "segmented", call_segmented },
  { "blocks", call_blocks },
  { "compact-50", call_compact_50 },
  { "compact-10", call_compact_10 },
  { "compact-flags", call_compact_flags },
  { "sum", call_sum },
  { "min", call_min },
  { "sum-f32", call_sum_f32 },
};

/* Microseconds for @n_calls in one submission; a negative number after an error. */
static gdouble
time_calls (CallFunc func, Bench *b, guint n_calls)
{
  GError *error = NULL;
  gint64 begin;
  gboolean ok;

  gst_gles_queue_finish (array_test.queue, NULL);
  begin = g_get_monotonic_time ();
  ok = gst_gles_queue_begin (array_test.queue, &error);
  for (guint i = 0; ok && i < n_calls; i++)
    ok = func (b, &error);
  ok = gst_gles_queue_end (array_test.queue, ok ? &error : NULL) && ok &&
      gst_gles_queue_finish (array_test.queue, &error);
  if (!ok) {
    g_printerr ("%s\n", error != NULL ? error->message : "failed");
    g_clear_error (&error);
    return -1;
  }
  return g_get_monotonic_time () - begin;
}

/* What a call adds: the difference between many and half as many. */
static gdouble
time_call (CallFunc func, Bench *b)
{
  guint n_calls = 2;
  gdouble best_half = G_MAXDOUBLE, best_all = G_MAXDOUBLE;

  if (time_calls (func, b, 1) < 0)
    return -1;
  while (n_calls < 400 && time_calls (func, b, n_calls) < 20000)
    n_calls *= 2;
  for (guint i = 0; i < N_TURNS; i++) {
    best_half = MIN (best_half, time_calls (func, b, n_calls / 2));
    best_all = MIN (best_all, time_calls (func, b, n_calls));
  }
  return (best_all - best_half) / (n_calls - n_calls / 2);
}

static gboolean
bench_init (Bench *b, guint n, const gchar *variant_text)
{
  g_autoptr (GError) error = NULL;
  GstGlesVariant variant;

  b->n = n;
  if (!gst_gles_variant_parse ("VARIANT", variant_text, &variant, &error) ||
      (b->scan = gst_gles_scan_new_full (array_test.queue, n, &variant, &error)) == NULL ||
      (b->compact = gst_gles_compact_new_full (array_test.queue, n, &variant, &error)) == NULL ||
      (b->reduce = gst_gles_reduce_new_full (array_test.queue, n, &variant, &error)) == NULL) {
    g_printerr ("%s: %s\n", variant_text, error->message);
    return FALSE;
  }
  return TRUE;
}

static void
run_case (guint index, guint n, Bench *b, gchar **variants, guint n_variants)
{
  g_print ("%-14s %10u", cases[index].name, n);
  for (guint i = 0; i < n_variants; i++) {
    gdouble time_us = time_call (cases[index].func, &b[i]);
    if (time_us > 0)
      g_print ("  %10.1f us %7.2f G/s", time_us, n / time_us / 1000);
    else
      g_print ("  %24s", "-");
  }
  g_print ("\n");
}

static void
run_size (guint n, gchar **variants, guint n_variants)
{
  const gchar *list = g_getenv ("BENCH_CASES");
  g_auto (GStrv) wanted = g_strsplit (list != NULL ? list : "", " ", -1);
  g_autofree guint32 *values = array_input (PATTERN_AND_1, n, 1);
  g_autofree guint32 *flags = g_new (guint32, n);
  g_autofree Bench *b = g_new0 (Bench, n_variants);
  g_autoptr (GstGlesBuffer) input = array_buffer (n), heads = array_buffer (n);
  g_autoptr (GstGlesBuffer) output = array_buffer (n), totals = array_buffer (n / 1024 + 1);

  for (guint i = 0; i < n; i++)
    flags[i] = values[i] % 100 == 0;
  array_fill (input, values, n);
  array_fill (heads, flags, n);
  for (guint i = 0; i < n_variants; i++) {
    if (!bench_init (&b[i], n, variants[i]))
      exit (1);
    b[i].input = input;
    b[i].flags = heads;
    b[i].output = output;
    b[i].totals = totals;
  }
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    if (list == NULL || g_strv_contains ((const gchar *const *) wanted, cases[i].name))
      run_case (i, n, b, variants, n_variants);
  }
  for (guint i = 0; i < n_variants; i++) {
    gst_gles_scan_free (b[i].scan);
    gst_gles_compact_free (b[i].compact);
    gst_gles_reduce_free (b[i].reduce);
  }
}

static gchar *default_variants[] = { (gchar *) "auto", NULL };
static gchar **bench_variants = default_variants;

static void
run_all (void)
{
  const gchar *list = g_getenv ("BENCH_N");
  g_auto (GStrv) sizes = g_strsplit (list != NULL ? list : "1048576 4194304 16777216", " ", -1);
  guint n_variants = g_strv_length (bench_variants);

  g_print ("%-14s %10s", "case", "n");
  for (guint i = 0; i < n_variants; i++)
    g_print ("  %24s", bench_variants[i]);
  g_print ("\n");
  for (guint i = 0; sizes[i] != NULL; i++)
    run_size (strtoul (sizes[i], NULL, 10), bench_variants, n_variants);
}

int
main (int argc, char **argv)
{
  char *arguments[] = { argv[0], NULL };

  if (argc > 1)
    bench_variants = argv + 1;
  return array_test_main (1, arguments, "GST_GLES_BENCH_VARIANT", run_all);
}
