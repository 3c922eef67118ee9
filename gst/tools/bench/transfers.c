/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Transfers from the host to the device and back. */
#include <string.h>

#include <gst/gles/gl/readback.h>
#include <gst/gles/gl/upload.h>

#include "bench.h"

#define N_SLOTS 4

/* ---- upload: from memory to where kernels can read it ---- */

typedef struct {
  GstGlesUploadRing *ring;
  GstGlesProgram *copy;
} Upload;

static void
upload_free (gpointer data)
{
  Upload *upload = data;

  gst_gles_upload_ring_free (upload->ring);
  gst_gles_program_unref (upload->copy);
  g_free (upload);
}

static gboolean
setup_upload (BenchRun *run, GError **error)
{
  gsize bytes = 4 * (gsize) run->n;
  Upload *upload = g_new0 (Upload, 1);

  run->plan = upload;
  run->free_plan = upload_free;
  if (!bench_run_words (run, 0, BENCH_SEED_VALUES, run->n, 4, error) ||
      !bench_run_buffer (run, 1, bytes, error))
    return FALSE;
  if (!run->bench->is_cpu) {
    upload->ring = gst_gles_upload_ring_new (run->bench->queue, N_SLOTS, bytes + 16, error);
    upload->copy = bench_kernel_copy (run->bench->queue, upload->ring != NULL ? error : NULL);
    if (upload->ring == NULL || upload->copy == NULL)
      return FALSE;
  }
  bench_run_output (run, run->device[1], bytes);
  run->bytes = bytes;
  return TRUE;
}

/* Uploads, and waits until a kernel has read all of it. */
static gboolean
launch_upload (BenchRun *run, GError **error)
{
  GstGlesQueue *queue = run->bench->queue;
  gsize bytes = 4 * (gsize) run->n;
  Upload *upload = run->plan;
  GstGlesUpload slot;
  gboolean ok;

  if (run->bench->is_cpu)
    return gst_gles_buffer_upload (run->device[1], queue, 0, run->input[0], bytes, error);
  if (!gst_gles_upload_ring_acquire (upload->ring, !run->bench->is_hardware, &slot, NULL, error))
    return FALSE;
  memcpy (slot.data, run->input[0], bytes);
  if (!gst_gles_queue_begin (queue, error))
    return FALSE;
  ok = gst_gles_upload_ring_commit (upload->ring, &slot, bytes, error) &&
      bench_copy_launch (run->bench, upload->copy, slot.buffer, run->device[1], bytes, error);
  return gst_gles_queue_end (queue, ok ? error : NULL) && ok &&
      gst_gles_queue_finish (queue, error);
}

static void
copy_natively (BenchRun *run)
{
  memcpy (run->output[0].want, run->input[0], run->output[0].bytes);
}

/* ---- readback: from the submission of a kernel until its output is in host memory ---- */

typedef struct {
  GstGlesReadbackRing *ring;
  GstGlesProgram *copy;
} Readback;

static void
readback_free (gpointer data)
{
  Readback *readback = data;

  gst_gles_readback_ring_free (readback->ring);
  gst_gles_program_unref (readback->copy);
  g_free (readback);
}

static gboolean
setup_readback (BenchRun *run, GError **error)
{
  gsize bytes = 4 * (gsize) run->n;
  Readback *readback = g_new0 (Readback, 1);

  run->plan = readback;
  run->free_plan = readback_free;
  if (!bench_run_words (run, 0, BENCH_SEED_VALUES, run->n, 4, error) ||
      !bench_run_buffer (run, 1, bytes, error))
    return FALSE;
  if (!run->bench->is_cpu) {
    readback->ring = gst_gles_readback_ring_new (run->bench->queue, N_SLOTS, bytes, error);
    readback->copy = bench_kernel_copy (run->bench->queue, readback->ring != NULL ? error : NULL);
    if (readback->ring == NULL || readback->copy == NULL)
      return FALSE;
  }
  bench_run_output (run, NULL, bytes)->host = g_malloc (bytes + 64);
  run->bytes = bytes;
  return TRUE;
}

static gboolean
launch_readback (BenchRun *run, GError **error)
{
  GstGlesQueue *queue = run->bench->queue;
  gsize bytes = 4 * (gsize) run->n, size = 0;
  Readback *readback = run->plan;
  g_autoptr (GstGlesReadback) result = NULL;
  gconstpointer data;
  gboolean ok;

  if (run->bench->is_cpu)
    return gst_gles_buffer_download (run->device[0], queue, 0, run->output[0].host, bytes, error);
  if (!gst_gles_queue_begin (queue, error))
    return FALSE;
  ok = bench_copy_launch (run->bench, readback->copy, run->device[0], run->device[1], bytes, error);
  if (ok) {
    result = gst_gles_readback_ring_copy (readback->ring, run->device[1], 0, bytes, NULL, error);
    ok = result != NULL;
  }
  ok = gst_gles_queue_end (queue, ok ? error : NULL) && ok;
  data = ok ? gst_gles_readback_get (result, GST_GLES_WAIT_FOREVER, &size, error) : NULL;
  if (data == NULL)
    return FALSE;
  memcpy (run->output[0].host, data, MIN (size, bytes));
  return TRUE;
}

const BenchExperiment bench_transfers[] = {
  {
      .name = "upload",
      .summary = "from memory through the ring of mapped buffers into a device buffer, waited for",
      .setup = setup_upload,
      .launch = launch_upload,
      .native = copy_natively,
      .blocking = TRUE,
      .no_rivals = TRUE,
  },
  {
      .name = "readback",
      .summary = "latency: from the submission of a kernel to what it wrote in memory",
      .setup = setup_readback,
      .launch = launch_readback,
      .native = copy_natively,
      .blocking = TRUE,
      .no_rivals = TRUE,
  },
  { NULL },
};
