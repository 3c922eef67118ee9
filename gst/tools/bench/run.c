/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Helpers of the experiments' setup functions. */

#include <gst/gles/core/parallel.h>

#include "bench.h"
#include "text.h"

typedef struct {
  guint32 *words;
  gsize n;
  guint32 seed, input, key_bytes;
} Fill;

#define FILL_CHUNK (1u << 18)
/* An upper bound of the host memory per element for input, results, baselines and scratch. Devices
 * that share the host's memory need the same again for their buffers. */
#define HOST_BYTES_EACH 48

static void
fill_chunk (guint task, guint participant, gpointer user_data)
{
  const Fill *fill = user_data;
  gsize first = (gsize) task * FILL_CHUNK, end = MIN (first + FILL_CHUNK, fill->n);

  for (gsize i = first; i < end; i++)
    fill->words[i] = bench_input_word (fill->input, fill->seed, i, fill->n, fill->key_bytes);
}

gboolean
bench_run_fits (const BenchRun *run, GError **error)
{
  const GstGlesDeviceKind kind = gst_gles_device_get_kind (run->bench->device);
  guint64 need =
      (guint64) run->n * (kind == GST_GLES_DEVICE_HARDWARE ? HOST_BYTES_EACH : 2 * HOST_BYTES_EACH);
  guint64 have = bench_machine_available_bytes ();

  if (have == 0 || need <= have)
    return TRUE;
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY,
      "up to %.1f GiB of memory are needed, %.1f are free", need / 1073741824.0,
      have / 1073741824.0);
  return FALSE;
}

gboolean
bench_run_words (BenchRun *run, guint index, guint32 seed, gsize n, guint key_bytes, GError **error)
{
  Fill fill = { g_try_new (guint32, n + 4), n, seed, run->input_kind, key_bytes };

  if (fill.words == NULL) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY,
        "no memory for an input of %" G_GSIZE_FORMAT " words; ask for smaller --sizes", n);
    return FALSE;
  }
  gst_gles_cpu_parallel ((n + FILL_CHUNK - 1) / FILL_CHUNK, fill_chunk, &fill);
  run->input[index] = fill.words;
  if (index == 0)
    run->n_words = n;
  return bench_run_upload (run, index, 4 * n, error);
}

gboolean
bench_run_buffer (BenchRun *run, guint index, gsize bytes, GError **error)
{
  run->device[index] = gst_gles_buffer_new (run->bench->device, bytes, error);
  return run->device[index] != NULL;
}

gboolean
bench_run_upload (BenchRun *run, guint index, gsize bytes, GError **error)
{
  return bench_run_buffer (run, index, bytes, error) &&
      gst_gles_buffer_upload (
          run->device[index], run->bench->queue, 0, run->input[index], bytes, error);
}

gboolean
bench_run_copy_input (BenchRun *run, GError **error)
{
  const guint n_copies = bench_n_copies (4 * (guint64) run->n_words, run->bench->options.n_copies);

  if (run->n_words == 0 || run->experiment->blocking)
    return TRUE;
  run->copies[0] = run->device[0];
  for (run->n_copies = 1; run->n_copies < n_copies; run->n_copies++) {
    if (!bench_run_upload (run, 0, 4 * run->n_words, error)) {
      gst_gles_buffer_unref (run->device[0]);
      run->device[0] = run->copies[0];
      return FALSE;
    }
    run->copies[run->n_copies] = run->device[0];
  }
  return TRUE;
}

void
bench_run_next_input (BenchRun *run)
{
  if (run->n_copies > 1)
    run->device[0] = run->copies[run->turn++ % run->n_copies];
}

BenchOutput *
bench_run_output (BenchRun *run, GstGlesBuffer *buffer, gsize bytes)
{
  BenchOutput *output = &run->output[run->n_outputs++];

  output->buffer = buffer;
  output->bytes = bytes;
  output->want = g_malloc0 (bytes + 64);
  return output;
}

void
bench_run_clear (BenchRun *run)
{
  if (run->plan != NULL)
    run->free_plan (run->plan);
  if (run->plan_2 != NULL)
    run->free_plan_2 (run->plan_2);
  if (run->n_copies > 0)
    run->device[0] = run->copies[0];
  for (guint i = 1; i < run->n_copies; i++)
    gst_gles_buffer_unref (run->copies[i]);
  for (guint i = 0; i < BENCH_MAX_ARRAYS; i++) {
    g_free (run->input[i]);
    gst_gles_buffer_unref (run->device[i]);
    gst_gles_buffer_unref (run->more[i]);
    g_free (run->output[i].want);
    g_free (run->output[i].naive);
    g_free (run->output[i].host);
  }
  g_free (run->scratch);
  g_free (run->extra);
}
