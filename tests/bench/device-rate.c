/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a frame's histograms cost on a device, without GStreamer around them, in one run:
 *   resident  the frame lies on the device: histogram, readback, fence, host wait, one by one
 *   gpu       the device's own time for the same, by timer queries
 *   memcpy    a bare memcpy of the frame to mapped memory and its upload, a few frames in flight
 *   stream    memcpy, upload, histogram and readback, a few frames in flight, as the element does
 * for noise, a ramp with noise, a constant picture and, when there is one, a file of raw frames.
 * Usage: device-rate [DEVICE [WIDTH HEIGHT [FORMAT [ROUNDS [FILE]]]]]; prints a JSON object each. */
#include <stdlib.h>
#include <string.h>

#include <gst/gles/algo/histogram.h>
#include <gst/gles/frame/format.h>
#include <gst/gles/frame/source.h>
#include <gst/gles/gl/pool.h>
#include <gst/gles/gl/readback.h>
#include <gst/gles/gl/submission.h>

#define IN_FLIGHT 3

typedef struct {
  GstGlesDevice *device;
  GstGlesQueue *queue;
  GstVideoInfo info;
  GPtrArray *frames; /* taken in turns by what streams; resident is the first */
  gboolean luma;
  guint rounds;
} Bench;

static void
check (GError *error)
{
  if (error != NULL)
    g_error ("%s", error->message);
}

static gint
compare_times (gconstpointer a, gconstpointer b)
{
  gint64 difference = *(const gint64 *) a - *(const gint64 *) b;

  return difference < 0 ? -1 : difference > 0;
}

static gdouble
median_ms (gint64 *times_ns, guint n)
{
  qsort (times_ns, n, sizeof (*times_ns), compare_times);
  return times_ns[n / 2] / 1e6;
}

static gint64
now_ns (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);
  return time.tv_sec * G_GINT64_CONSTANT (1000000000) + time.tv_nsec;
}

static GstBuffer *
make_frame (const GstVideoInfo *info, const gchar *content)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, GST_VIDEO_INFO_SIZE (info), NULL);
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  GstMapInfo map;

  gst_buffer_map (buffer, &map, GST_MAP_WRITE);
  for (gsize i = 0; i < map.size; i++) {
    if (content[0] == 'n')
      map.data[i] = g_rand_int (random) >> 24;
    else if (content[0] == 'r')
      map.data[i] = 16 + (i % 1920) / 9 + (g_rand_int (random) >> 29);
    else
      map.data[i] = 128;
  }
  gst_buffer_unmap (buffer, &map);
  return buffer;
}

/* the frames of a raw file, or the one that @content names */
static GPtrArray *
load_frames (const GstVideoInfo *info, const gchar *content)
{
  GPtrArray *frames = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_buffer_unref);
  gsize size = GST_VIDEO_INFO_SIZE (info), length;
  g_autofree gchar *data = NULL;
  GError *error = NULL;

  if (strchr (content, '/') == NULL) {
    g_ptr_array_add (frames, make_frame (info, content));
    return frames;
  }
  g_file_get_contents (content, &data, &length, &error);
  check (error);
  for (gsize at = 0; at + size <= length; at += size)
    g_ptr_array_add (frames, gst_buffer_new_memdup (data + at, size));
  if (frames->len == 0)
    g_error ("%s holds no frame", content);
  return frames;
}

static GstGlesHistogram *
make_plan (Bench *bench, const GstGlesImage *image)
{
  GstGlesHistogramConfig config = { 0, 0, image->width, image->height, 1, 1, 256, bench->luma };
  GError *error = NULL;
  GstGlesHistogram *plan = gst_gles_histogram_new (bench->queue, image, &config, &error);

  check (error);
  return plan;
}

/* one frame, its result awaited; GPU time of its passes in *gpu_ns when asked, the time until all is
 * queued in *submit_ns */
static gint64
run_resident (Bench *bench, GstGlesHistogram *plan, const GstGlesImage *image,
    GstGlesBuffer *counts, GstGlesReadbackRing *ring, gint64 *gpu_ns, gint64 *submit_ns)
{
  gsize size = gst_gles_histogram_get_layout (plan)->size_bytes;
  GstGlesTimer *timer = NULL;
  GstGlesReadback *readback;
  GError *error = NULL;
  gint64 begin = now_ns (), end;

  gst_gles_queue_begin (bench->queue, &error);
  if (gpu_ns != NULL)
    timer = gst_gles_queue_start_timer (bench->queue);
  gst_gles_histogram_run (plan, image, NULL, counts, &error);
  check (error);
  readback = gst_gles_readback_ring_copy (ring, counts, 0, size, NULL, &error);
  gst_gles_queue_end (bench->queue, &error);
  if (submit_ns != NULL)
    *submit_ns = now_ns () - begin;
  gst_gles_readback_get (readback, GST_GLES_WAIT_FOREVER, NULL, &error);
  check (error);
  end = now_ns ();
  gst_gles_readback_unref (readback);
  if (timer != NULL) {
    g_autoptr (GArray) passes = gst_gles_timer_get_passes (timer, &error);
    *gpu_ns = 0;
    for (guint i = 0; i < passes->len; i++)
      *gpu_ns += g_array_index (passes, GstGlesPassTime, i).time_ns;
    gst_gles_timer_free (timer);
  }
  return end - begin;
}

/* frames through the source, with or without the analysis: ms per frame */
static gdouble
run_stream (Bench *bench, gboolean analyse)
{
  GError *error = NULL;
  g_autoptr (GstGlesFrameSource) source =
      gst_gles_frame_source_new (bench->queue, &bench->info, &error);
  g_autoptr (GstGlesHistogram) plan = NULL;
  g_autoptr (GstGlesReadbackRing) ring = NULL;
  g_autoptr (GstGlesBufferPool) pool = NULL;
  GQueue pending = G_QUEUE_INIT;
  gint64 begin = 0;

  check (error);
  for (guint i = 0; i < bench->rounds + 8; i++) {
    GstGlesFrameCost cost;
    GstGlesImage image;
    if (i == 8)
      begin = now_ns ();
    gst_gles_frame_source_acquire (
        source, g_ptr_array_index (bench->frames, i % bench->frames->len), &image, &cost, &error);
    check (error);
    if (analyse && plan == NULL) {
      plan = make_plan (bench, &image);
      ring = gst_gles_readback_ring_new (
          bench->queue, 4, gst_gles_histogram_get_layout (plan)->size_bytes, &error);
      pool = gst_gles_buffer_pool_new (
          bench->device, gst_gles_histogram_get_layout (plan)->size_bytes);
    }
    gst_gles_queue_begin (bench->queue, &error);
    gst_gles_frame_source_commit (source, &error);
    if (analyse) {
      g_autoptr (GstGlesBuffer) counts = gst_gles_buffer_pool_acquire (pool, &error);
      gst_gles_histogram_run (plan, &image, NULL, counts, &error);
      g_queue_push_tail (&pending,
          gst_gles_readback_ring_copy (
              ring, counts, 0, gst_gles_histogram_get_layout (plan)->size_bytes, NULL, &error));
    }
    gst_gles_queue_end (bench->queue, &error);
    gst_gles_frame_source_release (source);
    check (error);
    while (pending.length > IN_FLIGHT - 1) {
      GstGlesReadback *readback = g_queue_pop_head (&pending);
      gst_gles_readback_get (readback, GST_GLES_WAIT_FOREVER, NULL, &error);
      check (error);
      gst_gles_readback_unref (readback);
    }
  }
  gst_gles_queue_finish (bench->queue, &error);
  check (error);
  g_queue_clear_full (&pending, (GDestroyNotify) gst_gles_readback_unref);
  return (now_ns () - begin) / 1e6 / bench->rounds;
}

static void
run_content (Bench *bench, const gchar *content)
{
  GError *error = NULL;
  g_autoptr (GstGlesFrameSource) source =
      gst_gles_frame_source_new (bench->queue, &bench->info, &error);
  g_autoptr (GstGlesHistogram) plan = NULL;
  g_autoptr (GstGlesReadbackRing) ring = NULL;
  g_autoptr (GstGlesBuffer) counts = NULL;
  g_autofree gint64 *wall = g_new0 (gint64, bench->rounds);
  g_autofree gint64 *gpu = g_new0 (gint64, bench->rounds);
  g_autofree gint64 *submit = g_new0 (gint64, bench->rounds);
  gboolean timed = gst_gles_device_get_limits (bench->device)->timer_queries;
  gdouble memcpy_ms, stream_ms;
  GstGlesFrameCost cost;
  GstGlesImage image;

  check (error);
  g_clear_pointer (&bench->frames, g_ptr_array_unref);
  bench->frames = load_frames (&bench->info, content);
  gst_gles_frame_source_acquire (
      source, g_ptr_array_index (bench->frames, 0), &image, &cost, &error);
  gst_gles_queue_begin (bench->queue, &error);
  gst_gles_frame_source_commit (source, &error);
  gst_gles_queue_end (bench->queue, &error);
  check (error);
  plan = make_plan (bench, &image);
  ring = gst_gles_readback_ring_new (
      bench->queue, 4, gst_gles_histogram_get_layout (plan)->size_bytes, &error);
  counts =
      gst_gles_buffer_new (bench->device, gst_gles_histogram_get_layout (plan)->size_bytes, &error);
  check (error);
  for (guint i = 0; i < 16; i++)
    run_resident (bench, plan, &image, counts, ring, NULL, NULL);
  for (guint i = 0; i < bench->rounds; i++)
    wall[i] = run_resident (bench, plan, &image, counts, ring, NULL, &submit[i]);
  for (guint i = 0; timed && i < bench->rounds; i++)
    run_resident (bench, plan, &image, counts, ring, &gpu[i], NULL);
  gst_gles_frame_source_release (source);
  memcpy_ms = run_stream (bench, FALSE);
  stream_ms = run_stream (bench, TRUE);
  g_print (
      "{\"content\": \"%s\", \"resident_ms\": %.4f, \"submit_ms\": %.4f, \"gpu_ms\": %.4f, \"memcpy_ms\": %.4f, "
      "\"stream_ms\": %.4f, \"stream_rate_of_memcpy\": %.3f}\n",
      content, median_ms (wall, bench->rounds), median_ms (submit, bench->rounds),
      median_ms (gpu, bench->rounds), memcpy_ms, stream_ms, memcpy_ms / stream_ms);
}

int
main (int argc, char **argv)
{
  static const gchar *const contents[] = { "noise", "ramp", "constant" };
  GError *error = NULL;
  Bench bench = { 0 };

  gst_init (&argc, &argv);
  bench.device = gst_gles_device_new (argc > 1 ? argv[1] : NULL, &error);
  check (error);
  bench.queue = gst_gles_device_get_queue (bench.device);
  bench.rounds = argc > 5 ? atoi (argv[5]) : 200;
  gst_video_info_set_format (&bench.info,
      gst_video_format_from_string (argc > 4 ? argv[4] : "GRAY8"), argc > 3 ? atoi (argv[2]) : 3840,
      argc > 3 ? atoi (argv[3]) : 2160);
  g_print ("{\"device\": \"%s\", \"format\": \"%s\", \"width\": %d, \"height\": %d}\n",
      gst_gles_device_get_description (bench.device), GST_VIDEO_INFO_NAME (&bench.info),
      GST_VIDEO_INFO_WIDTH (&bench.info), GST_VIDEO_INFO_HEIGHT (&bench.info));
  for (guint i = 0; i < G_N_ELEMENTS (contents); i++)
    run_content (&bench, contents[i]);
  if (argc > 6)
    run_content (&bench, argv[6]);
  g_clear_pointer (&bench.frames, g_ptr_array_unref);
  gst_object_unref (bench.device);
  return 0;
}
