/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reports for programs: JSON and CSV. */

#include "bench.h"
#include "text.h"

/* Appends the statistics as an object, or null. */
static void
append_statistics (GString *out, const gchar *name, const BenchStatistics *s)
{
  if (s->n == 0) {
    g_string_append_printf (out, ", \"%s\": null", name);
    return;
  }
  g_string_append_printf (out,
      ", \"%s\": {\"median\": %.1f, \"min\": %.1f, \"max\": %.1f, \"q1\": %.1f, \"q3\": %.1f, "
      "\"runs\": %u, \"outliers\": %u}",
      name, s->median, s->min, s->max, s->q1, s->q3, s->n, s->n_outliers);
}

static void
append_passes (GString *out, const GArray *passes)
{
  g_string_append (out, ", \"passes\": [");
  for (guint i = 0; i < passes->len; i++) {
    const GstGlesPassTime *pass = &g_array_index (passes, GstGlesPassTime, i);
    g_string_append_printf (out, "%s{\"kernel\": \"%s\", \"ns\": %" G_GUINT64_FORMAT "}",
        i > 0 ? ", " : "", pass->name, pass->time_ns);
  }
  g_string_append_c (out, ']');
}

static void
append_phases (GString *out, const BenchResult *result)
{
  BenchPhase phases[BENCH_MAX_PHASES];
  guint n = bench_result_phases (result, phases);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (out, "%s\"%s\": %" G_GUINT64_FORMAT "%s",
        i == 0 ? ", \"phases_ns\": {" : ", ", phases[i].name, phases[i].time_ns,
        i + 1 == n ? "}" : "");
}

static void
append_result (GString *out, const BenchResult *result)
{
  gdouble ns = bench_result_ns (result), speedup = bench_result_speedup (result);

  g_string_append (out, "{");
  bench_text_member (out, "experiment", result->experiment->name);
  if (result->input_kind < BENCH_N_INPUTS) {
    g_string_append (out, ", ");
    bench_text_member (out, "input", bench_input_name (result->input_kind));
  }
  g_string_append_printf (
      out, ", \"n\": %u, \"valid\": %s", result->n, result->valid ? "true" : "false");
  if (!result->valid) {
    g_string_append_printf (out, ", \"refused\": %s, ", result->refused ? "true" : "false");
    bench_text_member (out, "error", result->message);
    g_string_append_c (out, '}');
    return;
  }
  /* The checksum is a string, since readers of JSON may store numbers as doubles. */
  g_string_append_printf (out, ", \"checksum\": \"%" G_GUINT64_FORMAT "\", \"batch\": %u",
      result->checksum, result->batch);
  append_statistics (out, "gpu_ns", &result->gpu);
  append_statistics (out, "wall_ns", &result->wall);
  append_statistics (out, "submit_ns", &result->submit);
  bench_text_number (out, "bytes", result->bytes);
  bench_text_number (out, "copy_ns", result->copy_ns);
  bench_text_number (out, "work_per_s", ns > 0 ? result->work / ns * 1e9 : 0);
  bench_text_number (out, "bytes_per_s", ns > 0 ? result->bytes / ns * 1e9 : 0);
  bench_text_number (out, "of_copy", ns > 0 ? result->copy_ns / ns : 0);
  bench_text_number (out, "naive_ns", result->naive_ns);
  bench_text_number (out, "cpu_ns", result->cpu_ns);
  bench_text_number (out, "vqsort_ns", result->peer_ns);
  bench_text_number (out, "stable_sort_ns", result->stable_sort_ns);
  bench_text_number (out, "parallel_sort_ns", result->parallel_ns);
  bench_text_number (out, "speedup", speedup);
  g_string_append (out, ", ");
  bench_text_member (out, "verdict", speedup > 0 ? bench_verdict (speedup) : "");
  append_phases (out, result);
  if (result->passes != NULL)
    append_passes (out, result->passes);
  g_string_append_c (out, '}');
}

gboolean
bench_report_json (const Bench *bench, const gchar *path, GError **error)
{
  g_auto (GStrv) facts = bench_report_facts (bench);
  GString *out = g_string_new ("{\"tool\": \"gst-gles-bench-1.0\"");
  gboolean ok;

  for (guint i = 0; facts[i] != NULL; i += 2) {
    g_string_append (out, ", ");
    bench_text_member (out, facts[i], facts[i + 1]);
  }
  g_string_append_printf (out, ", \"rotate\": %u, ", bench->options.n_copies);
  bench_text_member (out, "variant", bench->options.variant != NULL ? bench->options.variant : "");
  bench_text_number (out, "floor_ns", bench->floor_ns);
  g_string_append (out, ",\n\"results\": [");
  for (guint i = 0; i < bench->results->len; i++) {
    g_string_append (out, i > 0 ? ",\n" : "\n");
    append_result (out, bench->results->pdata[i]);
  }
  g_string_append (out, "\n]}\n");
  ok = bench_text_write (out, path, error);
  g_string_free (out, TRUE);
  return ok;
}

gboolean
bench_report_csv (const Bench *bench, const gchar *path, GError **error)
{
  g_auto (GStrv) facts = bench_report_facts (bench);
  GString *out = g_string_new (NULL);
  gboolean ok;

  for (guint i = 0; facts[i] != NULL; i += 2)
    g_string_append_printf (out, "# %s: %s\n", facts[i], facts[i + 1]);
  g_string_append (out,
      "experiment,input,n,valid,batch,gpu_median_ns,gpu_min_ns,gpu_max_ns,"
      "wall_median_ns,wall_min_ns,wall_max_ns,outliers,bytes,copy_ns,naive_ns,"
      "cpu_ns,vqsort_ns,speedup,verdict\n");
  for (guint i = 0; i < bench->results->len; i++) {
    const BenchResult *r = bench->results->pdata[i];
    gdouble speedup = r->valid ? bench_result_speedup (r) : 0;
    g_string_append_printf (out,
        "%s,%s,%u,%d,%u,%.1f,%.1f,%.1f,%.1f,%.1f,%.1f,%u,%" G_GUINT64_FORMAT
        ",%.1f,%.1f,%.1f,%.1f,%.3f,%s\n",
        r->experiment->name, bench_input_name (r->input_kind), r->n, r->valid, r->batch,
        r->gpu.median, r->gpu.min, r->gpu.max, r->wall.median, r->wall.min, r->wall.max,
        r->gpu.n > 0 ? r->gpu.n_outliers : r->wall.n_outliers, r->bytes, r->copy_ns, r->naive_ns,
        r->cpu_ns, r->peer_ns, speedup, speedup > 0 ? bench_verdict (speedup) : "");
  }
  ok = bench_text_write (out, path, error);
  g_string_free (out, TRUE);
  return ok;
}
