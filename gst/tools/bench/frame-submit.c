/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The histogram of a frame in device memory, queued as the streaming thread of gleshistogram does:
 * the time of the submitting thread, and the time until the counters are on the host. */
#include <string.h>

#include <gst/gles/algo/frame/frame-histogram.h>
#include <gst/gles/gl/readback.h>

#include "frames.h"

#define N_SLOTS 4
#define BINS 256
#define TIMED_WAIT 1

static const guint frame_sizes[] = { 1920 * 1080, 3840 * 2160, 0 };

typedef struct {
  GstGlesImage image;
  GstGlesFrameHistogram *plan;
  GstGlesReadbackRing *ring;
  gsize size_bytes; /* of the counters */
} Frame;

static void
frame_free (gpointer data)
{
  Frame *frame = data;

  gst_gles_readback_ring_free (frame->ring);
  gst_gles_frame_histogram_unref (frame->plan);
  g_free (frame);
}

static gboolean
setup_submit (BenchRun *run, GError **error)
{
  GstGlesFrameHistogramConfig config = { .columns = 1, .rows = 1, .bins = BINS, .luma = TRUE };
  Frame *frame = g_new0 (Frame, 1);

  run->plan = frame;
  run->free_plan = frame_free;
  if (!bench_frame_setup (run, &frame->image, error))
    return FALSE;
  config.width = frame->image.width;
  config.height = frame->image.height;
  frame->plan = gst_gles_frame_histogram_new (run->bench->queue, &frame->image, &config, error);
  if (frame->plan == NULL)
    return FALSE;
  frame->size_bytes = gst_gles_frame_histogram_get_layout (frame->plan)->size_bytes;
  if (!bench_run_buffer (run, 1, frame->size_bytes, error))
    return FALSE;
  if (!run->bench->is_cpu) {
    frame->ring = gst_gles_readback_ring_new (run->bench->queue, N_SLOTS, frame->size_bytes, error);
    if (frame->ring == NULL)
      return FALSE;
  }
  /* The words after the counters are undefined without an earlier frame. */
  bench_run_output (run, NULL, frame->size_bytes)->host = g_malloc0 (frame->size_bytes);
  run->output[0].bytes = 4 * BINS;
  return TRUE;
}

/* On cpu the histogram is computed on this thread, as a streaming thread does. */
static gboolean
launch_native (BenchRun *run, GError **error)
{
  Frame *frame = run->plan;
  gdouble begin = bench_now_ns ();

  if (!gst_gles_frame_histogram_run_native (
          frame->plan, &frame->image, NULL, run->output[0].host, error))
    return FALSE;
  run->own_ns = bench_now_ns () - begin;
  return TRUE;
}

/* The parameter of the experiment says whether the time includes waiting for the counters. */
static gboolean
launch_submit (BenchRun *run, GError **error)
{
  GstGlesQueue *queue = run->bench->queue;
  Frame *frame = run->plan;
  g_autoptr (GstGlesReadback) readback = NULL;
  gconstpointer data;
  gdouble begin;
  gboolean ok;

  if (run->bench->is_cpu)
    return launch_native (run, error);
  begin = bench_now_ns ();
  if (!gst_gles_queue_begin (queue, error))
    return FALSE;
  ok = gst_gles_frame_histogram_run (frame->plan, &frame->image, NULL, run->device[1], error);
  if (ok) {
    readback = gst_gles_readback_ring_copy (
        frame->ring, run->device[1], 0, frame->size_bytes, NULL, error);
    ok = readback != NULL;
  }
  ok = gst_gles_queue_end (queue, ok ? error : NULL) && ok;
  run->own_ns = bench_now_ns () - begin;
  data = ok ? gst_gles_readback_get (readback, GST_GLES_WAIT_FOREVER, NULL, error) : NULL;
  if (data == NULL)
    return FALSE;
  if (run->experiment->param == TIMED_WAIT)
    run->own_ns = bench_now_ns () - begin;
  memcpy (run->output[0].host, data, run->output[0].bytes);
  return TRUE;
}

static void
count_natively (BenchRun *run)
{
  Frame *frame = run->plan;

  gst_gles_frame_histogram_run_native (frame->plan, &frame->image, NULL, run->output[0].want, NULL);
}

const BenchExperiment bench_frame_submit[] = {
  {
      .name = "frame-submit",
      .summary = "CPU time of the thread that queues frame-histogram and its readback; no wait",
      .variable = "GST_GLES_FRAME_HISTOGRAM_VARIANT",
      .setup = setup_submit,
      .launch = launch_submit,
      .native = count_natively,
      .sizes = frame_sizes,
      .fixed = TRUE,
      .blocking = TRUE,
      .no_rivals = TRUE,
      .unit = "",
  },
  {
      .name = "frame-latency",
      .summary = "the same, until its counters are on the host: one frame after the other",
      .variable = "GST_GLES_FRAME_HISTOGRAM_VARIANT",
      .param = TIMED_WAIT,
      .setup = setup_submit,
      .launch = launch_submit,
      .native = count_natively,
      .sizes = frame_sizes,
      .fixed = TRUE,
      .blocking = TRUE,
      .no_rivals = TRUE,
      .unit = "",
  },
  { NULL },
};
