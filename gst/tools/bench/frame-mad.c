/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The mean absolute difference of frames. Two frames alternate, so that every launch compares
 * different samples, finds the same sums, and replaces the reference. */
#include <stdlib.h>
#include <string.h>

#include <gst/gles/algo/frame/frame-mad.h>

#include "frames.h"

static const guint frame_sizes[] = { 1920 * 1080, 3840 * 2160, 0 };

/* Each of the three implementations has a reference and the number of the frame that comes next. */
typedef struct {
  GstGlesImage images[2];
  GstGlesFrameMadReference native;
  guint8 *naive;
  guint next, next_native, next_naive;
} Frames;

static void
frames_free (gpointer data)
{
  Frames *frames = data;

  gst_gles_frame_mad_reference_clear (&frames->native);
  g_free (frames->naive);
  g_free (frames);
}

/* Each sample of the second frame is a fixed permutation of the sample at its place in the
 * first. */
static gboolean
make_second_frame (BenchRun *run, Frames *frames, GError **error)
{
  const guint8 *first = (const guint8 *) run->input[0];
  guint8 *second;

  run->input[1] = g_malloc (run->n + 64);
  second = (guint8 *) run->input[1];
  for (guint i = 0; i < run->n; i++)
    second[i] = (guint8) (first[i] * 167);
  frames->images[1] = frames->images[0];
  frames->images[1].planes[0] = second;
  if (!bench_run_upload (run, 1, run->n, error))
    return FALSE;
  frames->images[1].buffer = run->device[1];
  return TRUE;
}

static gboolean
launch_mad (BenchRun *run, GError **error)
{
  Frames *frames = run->plan_2;
  const GstGlesImage *image = &frames->images[frames->next++ % 2];

  return gst_gles_frame_mad_run (run->plan, image, run->device[2], 0, error);
}

static gboolean
setup_mad (BenchRun *run, GError **error)
{
  const gsize bytes = 4 * GST_GLES_FRAME_MAD_WORDS;
  Frames *frames = g_new0 (Frames, 1);
  GstGlesFrameMadConfig config = { .luma = TRUE };

  run->plan_2 = frames;
  run->free_plan_2 = frames_free;
  if (!bench_frame_setup (run, &frames->images[0], error) ||
      !make_second_frame (run, frames, error))
    return FALSE;
  config.width = frames->images[0].width;
  config.height = frames->images[0].height;
  run->plan = gst_gles_frame_mad_new (run->bench->queue, &frames->images[0], &config, error);
  run->free_plan = (GDestroyNotify) gst_gles_frame_mad_unref;
  if (run->plan == NULL || !bench_run_buffer (run, 2, bytes, error))
    return FALSE;
  bench_run_output (run, run->device[2], bytes);
  /* read the frame and the reference, and write the reference */
  run->bytes = 3 * (guint64) run->n;
  /* the first frame becomes the reference */
  return launch_mad (run, error);
}

static void
mad_natively (BenchRun *run)
{
  Frames *frames = run->plan_2;

  do
    gst_gles_frame_mad_run_native (run->plan, &frames->images[frames->next_native % 2],
        &frames->native, run->output[0].want, NULL);
  while (frames->next_native++ == 0);
}

static void
mad_naively (BenchRun *run)
{
  Frames *frames = run->plan_2;
  const guint8 *pixels = frames->images[frames->next_naive++ % 2].planes[0];
  guint64 sum = 0;

  if (frames->naive == NULL)
    frames->naive = g_memdup2 (run->input[1], run->n);
  for (guint i = 0; i < run->n; i++)
    sum += (guint64) abs (pixels[i] - frames->naive[i]);
  memcpy (frames->naive, pixels, run->n);
  run->output[0].naive[0] = (guint32) sum;
  run->output[0].naive[1] = (guint32) (sum >> 32);
}

const BenchExperiment bench_frame_mad[] = {
  {
      .name = "frame-mad",
      .summary =
          "mean absolute difference of the luma of two 1080p and two 4K frames on the device",
      .setup = setup_mad,
      .launch = launch_mad,
      .native = mad_natively,
      .naive = mad_naively,
      .sizes = frame_sizes,
      .fixed = TRUE,
      .unit = "px",
  },
  { NULL },
};
