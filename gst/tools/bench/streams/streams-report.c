/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reports of streams for people and programs: a table of at most 100 columns, JSON and CSV. */
#include "config.h"

#include "../text.h"
#include "streams.h"

static gdouble
ms_per_frame (const StreamsResult *result, gint64 ns)
{
  return result->n_frames > 0 ? ns / 1e6 / result->n_frames : 0;
}

/* Returns the CPU time of threads that are neither streaming threads nor the device's. */
static gint64
other_ns (const StreamsResult *result)
{
  return MAX (result->cpu.total - result->cpu.streaming - result->cpu.device, 0);
}

/* ---- the table ---- */

/* The table is not printed when JSON or CSV goes to standard output. */
static gboolean
is_silent (const StreamsOptions *options)
{
  return g_strcmp0 (options->json_file, "-") == 0 || g_strcmp0 (options->csv_file, "-") == 0;
}

static gchar *
content_name (const StreamsOptions *options)
{
  static const gchar *const names[] = STREAMS_CONTENT_NAMES;

  if (options->input != NULL)
    return g_strdup (options->input);
  return g_strdup_printf ("%s, %u frames a stream", names[options->content], options->n_distinct);
}

static gchar *
results_name (const StreamsOptions *options)
{
  if (options->unread)
    return g_strdup ("not read");
  return g_strdup_printf ("read %u frames later", options->lag);
}

/* Returns alternating names and values: (transfer full), NULL-terminated. */
static gchar **
facts (const StreamsOptions *options)
{
  static const gchar *const memories[] = STREAMS_MEMORY_NAMES;
  GStrvBuilder *builder = g_strv_builder_new ();
  gchar **all;
  const struct {
    const gchar *name;
    gchar *value;
  } list[] = {
    { "version", g_strdup (VERSION) },
    { "timestamp", bench_machine_time () },
    { "cpu", bench_machine_cpu () },
    { "cores", g_strdup_printf ("%u", g_get_num_processors ()) },
    { "kernel", bench_machine_kernel () },
    { "gstreamer", gst_version_string () },
    { "element", g_strdup (options->element) },
    { "format", g_strdup (GST_VIDEO_INFO_NAME (&options->video)) },
    { "size",
        g_strdup_printf ("%dx%d", GST_VIDEO_INFO_WIDTH (&options->video),
            GST_VIDEO_INFO_HEIGHT (&options->video)) },
    { "content", content_name (options) },
    { "memory", g_strdup (memories[options->memory]) },
    { "results_are", results_name (options) },
  };

  for (guint i = 0; i < G_N_ELEMENTS (list); i++) {
    g_strv_builder_add (builder, list[i].name);
    g_strv_builder_add (builder, list[i].value);
    g_free (list[i].value);
  }
  all = g_strv_builder_end (builder);
  g_strv_builder_unref (builder);
  return all;
}

#define HEADER_FORMAT "%-8s %3s %8s %8s %7s %7s %7s %7s %7s %7s %7s %6s %6s\n"

void
streams_report_header (const StreamsOptions *options)
{
  g_auto (GStrv) all = facts (options);

  if (is_silent (options))
    return;
  for (guint i = 0; all[i] != NULL; i += 2)
    g_print ("%-14s %.84s\n", all[i], all[i + 1]);
  g_print ("\nFrames per second of all streams and of the slowest; CPU time of a frame in ms, by "
           "threads; ms\nfrom the push of a frame to its results, while all streams run; ms from "
           "PLAYING to the first\nresult of the last stream; frames that the elements copied, and "
           "imported, since READY.\n\n");
  g_print (HEADER_FORMAT, "", "", "frames/s", "", "CPU:", "", "", "", "latency", "", "first",
      "frames", "im-");
  g_print (HEADER_FORMAT, "device", "n", "all", "slowest", "all", "pushing", "device", "other",
      "median", "99 %", "result", "copied", "ported");
}

static gchar *
format_ms (gdouble ms)
{
  return ms > 0 ? g_strdup_printf ("%.3f", ms) : g_strdup ("-");
}

/* Prints the description of a device once, above its rows. */
static void
print_device (const StreamsResult *result)
{
  static gchar *last;

  if (result->description == NULL || g_strcmp0 (last, result->device) == 0)
    return;
  g_free (last);
  last = g_strdup (result->device);
  g_print ("%.20s: %.77s\n", result->device, result->description);
}

void
streams_report_row (const StreamsOptions *options, const StreamsResult *result)
{
  g_autofree gchar *median = format_ms (result->latency_median_ms);
  g_autofree gchar *high = format_ms (result->latency_99_ms);
  const gchar *device = result->device[0] != '\0' ? result->device : "-";

  if (is_silent (options))
    return;
  print_device (result);
  if (result->message != NULL) {
    g_print ("%-8.8s %3u FAILED: %.77s\n", device, result->n_streams, result->message);
    return;
  }
  g_print ("%-8.8s %3u %8.1f %8.1f %7.3f %7.3f %7.3f %7.3f %7s %7s %7.1f %6" G_GUINT64_FORMAT
           " %6" G_GUINT64_FORMAT "\n",
      device, result->n_streams, result->rate, result->slowest,
      ms_per_frame (result, result->cpu.total), ms_per_frame (result, result->cpu.streaming),
      ms_per_frame (result, result->cpu.device), ms_per_frame (result, other_ns (result)), median,
      high, result->first_ms, result->ways.copied, result->ways.imported);
}

/* ---- JSON ---- */

static void
append_cpu (GString *out, const StreamsResult *result)
{
  g_string_append_printf (out,
      ", \"cpu_ms_per_frame\": {\"total\": %.6f, \"streaming\": %.6f, \"device\": %.6f, "
      "\"other\": %.6f}",
      ms_per_frame (result, result->cpu.total), ms_per_frame (result, result->cpu.streaming),
      ms_per_frame (result, result->cpu.device), ms_per_frame (result, other_ns (result)));
}

static void
append_latency (GString *out, const StreamsResult *result)
{
  if (result->n_samples == 0) {
    g_string_append (out, ", \"latency_ms\": null");
    return;
  }
  g_string_append_printf (out,
      ", \"latency_ms\": {\"median\": %.4f, \"p99\": %.4f, \"samples\": %u, "
      "\"frames_per_s\": %.1f}",
      result->latency_median_ms, result->latency_99_ms, result->n_samples, result->sampled_rate);
}

static void
append_result (GString *out, const StreamsOptions *options, const StreamsResult *result)
{
  g_string_append (out, "{");
  bench_text_member (out, "device", result->device);
  g_string_append (out, ", ");
  bench_text_member (out, "description", result->description != NULL ? result->description : "");
  g_string_append_printf (out, ", \"streams\": %u, \"valid\": %s", result->n_streams,
      result->message == NULL ? "true" : "false");
  if (result->message != NULL) {
    g_string_append (out, ", ");
    bench_text_member (out, "error", result->message);
    g_string_append_c (out, '}');
    return;
  }
  g_string_append_printf (out, ", \"frames\": %" G_GUINT64_FORMAT, result->n_frames);
  bench_text_number (out, "seconds", result->seconds);
  bench_text_number (out, "frames_per_s", result->rate);
  bench_text_number (out, "slowest_frames_per_s", result->slowest);
  append_cpu (out, result);
  append_latency (out, result);
  bench_text_number (out, "first_result_ms", result->first_ms);
  g_string_append_printf (out,
      ", \"frames_copied\": %" G_GUINT64_FORMAT ", \"frames_imported\": %" G_GUINT64_FORMAT
      ", \"frames_resident\": %" G_GUINT64_FORMAT ", \"frames_reused\": %" G_GUINT64_FORMAT,
      result->ways.copied, result->ways.imported, result->ways.resident, result->ways.reused);
  if (options->unread)
    g_string_append (out, ", \"read\": null}");
  else
    g_string_append_printf (out,
        ", \"read\": {\"frames\": %" G_GUINT64_FORMAT ", \"results\": %" G_GUINT64_FORMAT
        ", \"points\": %" G_GUINT64_FORMAT "}}",
        result->n_read, result->n_results, result->n_points);
}

static gboolean
write_json (const StreamsOptions *options, const GPtrArray *results, GError **error)
{
  g_auto (GStrv) all = facts (options);
  g_autoptr (GString) out =
      g_string_new ("{\"tool\": \"gst-gles-bench-1.0\", \"experiment\": \"streams\"");

  for (guint i = 0; all[i] != NULL; i += 2) {
    g_string_append (out, ", ");
    bench_text_member (out, all[i], all[i + 1]);
  }
  g_string_append (out, ",\n\"results\": [");
  for (guint i = 0; i < results->len; i++) {
    g_string_append (out, i > 0 ? ",\n" : "\n");
    append_result (out, options, results->pdata[i]);
  }
  g_string_append (out, "\n]}\n");
  return bench_text_write (out, options->json_file, error);
}

/* ---- CSV ---- */

static gboolean
write_csv (const StreamsOptions *options, const GPtrArray *results, GError **error)
{
  g_auto (GStrv) all = facts (options);
  g_autoptr (GString) out = g_string_new (NULL);

  for (guint i = 0; all[i] != NULL; i += 2)
    g_string_append_printf (out, "# %s: %s\n", all[i], all[i + 1]);
  g_string_append (out,
      "device,streams,valid,seconds,frames,frames_per_s,slowest_frames_per_s,cpu_ms,"
      "cpu_streaming_ms,cpu_device_ms,cpu_other_ms,latency_median_ms,latency_99_ms,"
      "latency_samples,latency_frames_per_s,first_result_ms,frames_read,results,points,"
      "frames_copied,frames_imported,frames_resident,frames_reused\n");
  for (guint i = 0; i < results->len; i++) {
    const StreamsResult *r = results->pdata[i];
    g_string_append_printf (out,
        "%s,%u,%d,%.6f,%" G_GUINT64_FORMAT ",%.3f,%.3f,%.6f,%.6f,%.6f,%.6f,%.4f,%.4f,%u,%.3f,%.3f"
        ",%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT
        ",%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT "\n",
        r->device, r->n_streams, r->message == NULL, r->seconds, r->n_frames, r->rate, r->slowest,
        ms_per_frame (r, r->cpu.total), ms_per_frame (r, r->cpu.streaming),
        ms_per_frame (r, r->cpu.device), ms_per_frame (r, other_ns (r)), r->latency_median_ms,
        r->latency_99_ms, r->n_samples, r->sampled_rate, r->first_ms, r->n_read, r->n_results,
        r->n_points, r->ways.copied, r->ways.imported, r->ways.resident, r->ways.reused);
  }
  return bench_text_write (out, options->csv_file, error);
}

gboolean
streams_report_files (const StreamsOptions *options, const GPtrArray *results, GError **error)
{
  return (options->json_file == NULL || write_json (options, results, error)) &&
      (options->csv_file == NULL || write_csv (options, results, error));
}
