/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lists the bright pixels of a frame in raster order. */
#include <string.h>

#include <gst/gles/algo/frame/frame-compact.h>

#include "frames.h"

static const guint frame_sizes[] = { 1920 * 1080, 3840 * 2160, 0 };

typedef struct {
  GstGlesImage image;
  GstGlesFrameCompactCall call;
} Frame;

static gboolean
setup_compact (BenchRun *run, GError **error)
{
  const GstGlesFrameCompactConfig config = { GST_GLES_POINTS_THRESHOLD, 0 };
  Frame *frame = g_new0 (Frame, 1);
  BenchOutput *output;
  GstGlesResult result;
  guint8 *kept = NULL;

  run->extra = frame;
  if (!bench_frame_setup (run, &frame->image, error))
    return FALSE;
  frame->call = (GstGlesFrameCompactCall){ 0, 0, frame->image.width, frame->image.height,
    BENCH_BRIGHT, 255, run->n };
  run->plan = gst_gles_frame_compact_new (run->bench->queue, &frame->image, &config, error);
  run->free_plan = (GDestroyNotify) gst_gles_frame_compact_unref;
  if (run->plan == NULL || !bench_run_buffer (run, 1, 8 * (gsize) run->n, error) ||
      !bench_run_buffer (run, 2, sizeof (GstGlesResult), error))
    return FALSE;
  g_free (gst_gles_frame_compact_run_native (
      run->plan, &frame->image, &frame->call, &kept, &result, NULL));
  g_free (kept);
  output =
      bench_run_output (run, run->bench->is_cpu ? NULL : run->device[1], 8 * (gsize) result.count);
  if (run->bench->is_cpu)
    output->host = g_malloc (output->bytes + 64);
  run->bytes = run->n + 8 * (guint64) result.count;
  return TRUE;
}

static void
list_natively (BenchRun *run, guint32 *target)
{
  Frame *frame = run->extra;
  GstGlesResult result;
  guint8 *kept = NULL;
  g_autofree guint32 *points = gst_gles_frame_compact_run_native (
      run->plan, &frame->image, &frame->call, &kept, &result, NULL);

  memcpy (target, points, MIN (8 * (gsize) result.count, run->output[0].bytes));
  g_free (kept);
}

static gboolean
launch_compact (BenchRun *run, GError **error)
{
  Frame *frame = run->extra;

  if (run->bench->is_cpu) {
    list_natively (run, run->output[0].host);
    return TRUE;
  }
  return gst_gles_frame_compact_run (
      run->plan, &frame->image, &frame->call, run->device[1], run->device[2], error);
}

static void
compact_natively (BenchRun *run)
{
  list_natively (run, run->output[0].want);
}

static void
compact_naively (BenchRun *run)
{
  const guint8 *pixels = (const guint8 *) run->input[0];
  guint32 *points = run->output[0].naive;
  guint width, height;

  bench_frame_size (run->n, &width, &height);
  for (guint y = 0; y < height; y++) {
    for (guint x = 0; x < width; x++) {
      guint8 value = pixels[(gsize) y * width + x];
      if (value < BENCH_BRIGHT)
        continue;
      *points++ = x | y << 16;
      *points++ = value;
    }
  }
}

const BenchExperiment bench_frame_compact[] = {
  {
      .name = "frame-compact",
      .summary = "the bright pixels (9 %) of a 1080p and a 4K frame on the device as points",
      .variable = "GST_GLES_FRAME_COMPACT_VARIANT",
      .setup = setup_compact,
      .launch = launch_compact,
      .native = compact_natively,
      .naive = compact_naively,
      .sizes = frame_sizes,
      .fixed = TRUE,
      .unit = "px",
  },
  { NULL },
};
