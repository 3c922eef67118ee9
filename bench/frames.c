/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames of 1080p and 4K in device memory: luma of NV12 with blocks of noise of many levels. Their
 * histograms, also as the streaming thread of gleshistogram queues them, and their bright pixels in
 * raster order. */
#include <string.h>

#include <gst/gles/algo/frame/frame-compact.h>
#include <gst/gles/algo/frame/frame-histogram.h>
#include <gst/gles/gl/readback-info.h>

#include "bench.h"

/* 9 % of the pixels of bench_pixel() are at least this bright. */
#define BRIGHT 215
#define BINS 256
#define N_SLOTS 4

static const guint sizes[] = { 1920 * 1080, 3840 * 2160, 0 };

typedef struct {
  GstGlesImage image;
  GstGlesFrameCompactCall call;
  GstGlesReadbackRing *ring;
  gsize size_bytes; /* of the counters */
} Frame;

/* Makes a frame of run->n pixels as input 0. */
static Frame *
make_frame (BenchRun *run)
{
  const guint width = run->n == 3840 * 2160 ? 3840 : 1920, height = (guint) (run->n / width);
  Frame *frame = run->data = bench_alloc (run, sizeof (Frame));
  guint8 *pixels = bench_alloc (run, run->n);

  for (gsize i = 0; i < run->n; i++)
    pixels[i] = bench_pixel (i % width, i / width, width);
  run->in[0] = (guint32 *) pixels;
  bench_upload (run, 0, run->n);
  frame->image = (GstGlesImage){ .width = width,
    .height = height,
    .crop_width = width,
    .crop_height = height,
    .n_components = 1,
    .names = { "Y" },
    .luma = GST_GLES_LUMA_STORED,
    .luma_depth = 8,
    .buffer = run->device[0],
    .planes = { pixels } };
  frame->image.components[0] = (GstGlesComponent){
    .stride = width, .step = 1, .word_bytes = 1, .depth = 8, .width = width, .height = height
  };
  return frame;
}

/* ---- histograms. The words after the counters are undefined without an earlier frame. ---- */

static Frame *
plan_histogram (BenchRun *run)
{
  Frame *frame = make_frame (run);
  const GstGlesFrameHistogramConfig config = { .width = frame->image.width,
    .height = frame->image.height,
    .columns = 1,
    .rows = 1,
    .bins = BINS,
    .luma = TRUE };

  run->plan = BENCH_PLAN (run, gst_gles_frame_histogram, &frame->image, &config);
  if (run->error != NULL)
    return NULL;
  frame->size_bytes = gst_gles_frame_histogram_get_layout (run->plan)->size_bytes;
  bench_buffer (run, 1, frame->size_bytes);
  return frame;
}

static void
setup_histogram (BenchRun *run)
{
  const Frame *frame = plan_histogram (run);

  if (frame == NULL)
    return;
  bench_output (run, run->device[1], frame->size_bytes);
  run->output[0].bytes = 4 * BINS;
  run->bytes = run->n;
}

static gboolean
launch_histogram (BenchRun *run, GError **error)
{
  Frame *frame = run->data;

  return gst_gles_frame_histogram_run (run->plan, &frame->image, NULL, run->device[1], error);
}

static void
count_natively (BenchRun *run, guint32 *const *to)
{
  Frame *frame = run->data;

  gst_gles_frame_histogram_run_native (run->plan, &frame->image, NULL, to[0], NULL);
}

/* ---- submission of a histogram and its readback, and until the counters are on the host ---- */

enum {
  TIMED_SUBMIT,
  TIMED_WAIT
};

static void
setup_submit (BenchRun *run)
{
  Frame *frame = plan_histogram (run);

  if (frame == NULL)
    return;
  if (!run->bench->is_cpu)
    frame->ring = bench_keep (run,
        gst_gles_readback_ring_new (
            run->bench->queue, N_SLOTS, frame->size_bytes, bench_error (run)),
        (GDestroyNotify) gst_gles_readback_ring_free);
  bench_output (run, NULL, frame->size_bytes);
  run->output[0].bytes = 4 * BINS;
}

/* On cpu the histogram is computed on this thread, as a streaming thread does. */
static gboolean
launch_submit (BenchRun *run, GError **error)
{
  GstGlesQueue *queue = run->bench->queue;
  Frame *frame = run->data;
  g_autoptr (GstGlesReadback) readback = NULL;
  const gdouble begin = bench_now_ns ();
  gconstpointer data;
  gboolean ok;

  if (run->bench->is_cpu) {
    count_natively (run, &run->output[0].host);
    run->own_ns = bench_now_ns () - begin;
    return TRUE;
  }
  if (!gst_gles_queue_begin (queue, error))
    return FALSE;
  ok = launch_histogram (run, error);
  if (ok) {
    readback = gst_gles_readback_ring_copy (frame->ring,
        &(GstGlesReadbackCopy){ .source = run->device[1], .size_bytes = frame->size_bytes }, NULL,
        error);
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

/* ---- points ---- */

/* Returns the number of points; @target: (nullable): where they go. */
static guint
list_natively (BenchRun *run, guint32 *target)
{
  Frame *frame = run->data;
  GstGlesResult result;
  guint8 *kept = NULL;
  g_autofree guint32 *points = gst_gles_frame_compact_run_native (
      run->plan, &(GstGlesFrameNative){ &frame->image, &kept, NULL }, &frame->call, &result, NULL);

  if (target != NULL)
    memcpy (target, points, MIN (8 * (gsize) result.count, run->output[0].bytes));
  g_free (kept);
  return result.count;
}

static void
setup_compact (BenchRun *run)
{
  const GstGlesFrameCompactConfig config = { GST_GLES_POINTS_THRESHOLD, 0 };
  Frame *frame = make_frame (run);
  gsize bytes;

  frame->call = (GstGlesFrameCompactCall){ 0, 0, frame->image.width, frame->image.height, BRIGHT,
    255, run->n };
  run->plan = BENCH_PLAN (run, gst_gles_frame_compact, &frame->image, &config);
  bench_buffer (run, 1, 8 * run->n);
  bench_buffer (run, 2, sizeof (GstGlesResult));
  if (run->error != NULL)
    return;
  bytes = 8 * (gsize) list_natively (run, NULL);
  bench_output (run, run->bench->is_cpu ? NULL : run->device[1], bytes);
  run->bytes = run->n + bytes;
}

static gboolean
launch_compact (BenchRun *run, GError **error)
{
  Frame *frame = run->data;
  GstGlesFramePoints points = { .points = run->device[1], .counts = run->device[2] };

  if (!run->bench->is_cpu)
    return gst_gles_frame_compact_run (run->plan, &frame->image, &frame->call, &points, error);
  list_natively (run, run->output[0].host);
  return TRUE;
}

static void
compact_natively (BenchRun *run, guint32 *const *to)
{
  list_natively (run, to[0]);
}

/* ---- the table ---- */

const BenchExperiment bench_frames[] = {
  { BENCH_EXPERIMENT ("frame-histogram",
        "histogram of the luma of a 1080p and a 4K frame on the device", "FRAME_HISTOGRAM",
        setup_histogram, launch_histogram, count_natively),
      .sizes = sizes, .fixed = TRUE, .unit = "px" },
  { BENCH_EXPERIMENT ("frame-compact",
        "the bright pixels (9 %) of a 1080p and a 4K frame on the device as points",
        "FRAME_COMPACT", setup_compact, launch_compact, compact_natively),
      .sizes = sizes, .fixed = TRUE, .unit = "px" },
  { BENCH_EXPERIMENT ("frame-submit",
        "CPU time of the thread that queues frame-histogram and its readback; no wait",
        "FRAME_HISTOGRAM", setup_submit, launch_submit, count_natively),
      .sizes = sizes, .fixed = TRUE, .blocking = TRUE, .no_rivals = TRUE, .unit = "" },
  { BENCH_EXPERIMENT ("frame-latency",
        "the same, until its counters are on the host: one frame after the other",
        "FRAME_HISTOGRAM", setup_submit, launch_submit, count_natively),
      .param = TIMED_WAIT, .sizes = sizes, .fixed = TRUE, .blocking = TRUE, .no_rivals = TRUE,
      .unit = "" },
  { NULL },
};
