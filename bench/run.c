/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Helpers of the experiments' set-up functions. */
#include <gst/gles/core/parallel.h>

#include "bench.h"

typedef struct {
  guint32 *words;
  gsize n;
  guint32 seed, input, key_bytes;
} Fill;

typedef struct {
  gpointer what;
  GDestroyNotify destroy;
} Kept;

#define FILL_CHUNK (1u << 18)
/* An upper bound of the host memory per element for input, results, baselines and scratch. Devices
 * that share the host's memory need the same again for their buffers. */
#define HOST_BYTES_EACH 48
/* What native code may read behind an array. */
#define SPARE_BYTES 64

GError **
bench_error (BenchRun *run)
{
  return run->error == NULL ? &run->error : NULL;
}

gpointer
bench_keep (BenchRun *run, gpointer what, GDestroyNotify destroy)
{
  const Kept kept = { what, destroy };

  if (what == NULL)
    return NULL;
  if (run->kept == NULL)
    run->kept = g_array_new (FALSE, FALSE, sizeof (Kept));
  g_array_append_val (run->kept, kept);
  return what;
}

gpointer
bench_alloc (BenchRun *run, gsize bytes)
{
  return bench_keep (run, g_malloc0 (bytes + SPARE_BYTES), g_free);
}

gboolean
bench_run_fits (const BenchRun *run, GError **error)
{
  g_autofree gchar *why = NULL;

  if (bench_memory_fits (
          run->n * (run->bench->is_hardware ? HOST_BYTES_EACH : 2 * HOST_BYTES_EACH), &why))
    return TRUE;
  g_set_error_literal (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY, why);
  return FALSE;
}

static void
fill_chunk (guint task, guint participant, gpointer user_data)
{
  const Fill *fill = user_data;
  gsize first = (gsize) task * FILL_CHUNK, end = MIN (first + FILL_CHUNK, fill->n);

  for (gsize i = first; i < end; i++)
    fill->words[i] = bench_input_word (fill->input, fill->seed, i, fill->n, fill->key_bytes);
}

void
bench_words (BenchRun *run, guint index, guint32 seed, gsize n, guint key_bytes)
{
  Fill fill = { bench_alloc (run, 4 * n), n, seed, run->input_kind, key_bytes };

  gst_gles_cpu_parallel ((n + FILL_CHUNK - 1) / FILL_CHUNK, fill_chunk, &fill);
  run->in[index] = fill.words;
  if (index == 0)
    run->n_words = n;
  bench_upload (run, index, 4 * n);
}

GstGlesBuffer *
bench_buffer (BenchRun *run, guint index, gsize bytes)
{
  if (run->error == NULL)
    run->device[index] =
        bench_keep (run, gst_gles_buffer_new (run->bench->device, bytes, &run->error),
            (GDestroyNotify) gst_gles_buffer_unref);
  return run->device[index];
}

void
bench_upload (BenchRun *run, guint index, gsize bytes)
{
  if (bench_buffer (run, index, bytes) != NULL && run->error == NULL)
    gst_gles_buffer_upload (
        run->device[index], run->bench->queue, 0, run->in[index], bytes, &run->error);
}

void
bench_output (BenchRun *run, GstGlesBuffer *buffer, gsize bytes)
{
  run->want[run->n_outputs] = bench_alloc (run, bytes);
  run->output[run->n_outputs++] =
      (BenchOutput){ buffer, buffer == NULL ? bench_alloc (run, bytes) : NULL, bytes };
}

void
bench_run_copy_input (BenchRun *run)
{
  const guint n_copies = bench_n_copies (4 * run->n_words, run->bench->options.n_copies);

  if (run->n_words == 0 || run->experiment->blocking)
    return;
  run->copies[0] = run->device[0];
  for (run->n_copies = 1; run->n_copies < n_copies && run->error == NULL; run->n_copies++) {
    bench_upload (run, 0, 4 * run->n_words);
    run->copies[run->n_copies] = run->device[0];
  }
}

void
bench_run_next_input (BenchRun *run)
{
  if (run->n_copies > 1)
    run->device[0] = run->copies[run->turn++ % run->n_copies];
}

void
bench_run_clear (BenchRun *run)
{
  for (guint i = run->kept != NULL ? run->kept->len : 0; i > 0; i--) {
    const Kept *kept = &g_array_index (run->kept, Kept, i - 1);
    kept->destroy (kept->what);
  }
  g_clear_pointer (&run->kept, g_array_unref);
  g_clear_error (&run->error);
}
