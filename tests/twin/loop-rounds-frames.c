/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The limit of llvmpipe's loops in frame compaction: each way to read samples, each predicate. */
#include <string.h>

#include <gst/gles/algo/frame/frame-compact-private.h>

#include "frame-compact-cases.h"
#include "gles-test.h"
#include "loop-rounds.h"

/* Rows of sixteen bytes, of words, and of samples; two bytes; three components, in one plane and in
 * three; the luma of them. */
static const struct {
  GstVideoFormat format;
  guint width;
  gint channel;
} frames[] = {
  { GST_VIDEO_FORMAT_GRAY8, 64, 0 },
  { GST_VIDEO_FORMAT_GRAY8, 68, 0 },
  { GST_VIDEO_FORMAT_GRAY8, 67, 0 },
  { GST_VIDEO_FORMAT_GRAY16_BE, 64, 0 },
  { GST_VIDEO_FORMAT_RGB, 64, 1 },
  { GST_VIDEO_FORMAT_RGB, 64, GST_GLES_FRAME_LUMA },
  { GST_VIDEO_FORMAT_RGB16, 64, GST_GLES_FRAME_LUMA },
  { GST_VIDEO_FORMAT_GBR_12LE, 63, GST_GLES_FRAME_LUMA },
};

static const FrameJob predicates[] = {
  { .config = { .predicate = GST_GLES_POINTS_THRESHOLD } },
  { .config = { .predicate = GST_GLES_POINTS_MOTION } },
  { .config = { .predicate = GST_GLES_POINTS_EDGE } },
  { .config = { .predicate = GST_GLES_POINTS_MOTION, .background = TRUE }, .adaptation = 5 },
};

static GstGlesFrameCompact *
plan_new (const Picture *picture, const FrameJob *job)
{
  GError *error = NULL;
  GstGlesFrameCompact *compact =
      gst_gles_frame_compact_new (loop_rounds_queue, &picture->device, &job->config, &error);

  g_assert_no_error (error);
  return compact;
}

static GstGlesShape
shape_of (const FrameJob *job)
{
  g_autoptr (GstGlesFrameCompact) compact = NULL;
  Picture picture;

  picture_init (&picture, loop_rounds_queue, job->format, 16, 16, job->placement);
  compact = plan_new (&picture, job);
  picture_clear (&picture);
  return compact->array.two_pass;
}

static void
check_frame (GstGlesFrameCompact *compact, const Picture *picture,
    const GstGlesFrameCompactCall *call, guint8 **kept, const gchar *where)
{
  g_autoptr (GstGlesDevice) device = gst_gles_queue_get_device (loop_rounds_queue);
  guint entries = gst_gles_frame_compact_capacity (compact, call);
  GError *error = NULL;
  g_autoptr (GstGlesBuffer) points = gst_gles_buffer_new (device, 8 * (gsize) entries, &error);
  g_autoptr (GstGlesBuffer) counts = gst_gles_buffer_new (device, sizeof (GstGlesResult), &error);
  g_autofree guint32 *want_points = NULL, *got_points = g_malloc (8 * (gsize) entries);
  GstGlesResult want, got;

  want_points =
      gst_gles_frame_compact_run_native (compact, &picture->host, call, kept, &want, NULL);
  if (!gst_gles_frame_compact_run (compact, &picture->device, call, points, counts, &error) ||
      !gst_gles_buffer_download (counts, loop_rounds_queue, 0, &got, sizeof (got), &error) ||
      !gst_gles_buffer_download (
          points, loop_rounds_queue, 0, got_points, 8 * (gsize) want.count, &error))
    g_error ("%s: %s", where, error->message);
  if (memcmp (&got, &want, sizeof (got)) != 0 ||
      memcmp (got_points, want_points, 8 * (gsize) want.count) != 0)
    g_error (
        "%s: the device's %u points are not the %u of native code", where, got.count, want.count);
}

/* Every sample passes, which costs most. */
static GHashTable *
run_frames (const FrameJob *base, guint samples)
{
  FrameJob job = *base;
  g_autoptr (GstGlesFrameCompact) compact = NULL;
  g_autofree guint8 *kept = NULL;
  GstGlesFrameCompactCall call;
  const gchar *where;
  Picture picture;

  job.size.height = samples / job.size.width;
  where = frame_job_describe (&job);
  picture_init (
      &picture, loop_rounds_queue, job.format, job.size.width, job.size.height, job.placement);
  compact = plan_new (&picture, &job);
  frame_job_call (&job, &picture.host, &call);
  loop_rounds_begin ();
  for (guint i = 0; i < 2; i++) {
    picture_fill (&picture, loop_rounds_queue, PATTERN_NOISE, 7 + i);
    check_frame (compact, &picture, &call, &kept, where);
  }
  picture_clear (&picture);
  return loop_rounds_end (where);
}

static void
test_frame (gconstpointer data)
{
  const guint at = GPOINTER_TO_UINT (data);

  for (guint i = 0; i < G_N_ELEMENTS (predicates); i++) {
    FrameJob job = predicates[i];
    GstGlesShape shape;
    guint each;

    job.format = frames[at].format;
    job.placement = STAGED;
    job.config.channel = frames[at].channel;
    job.size = (FrameSize){ .width = frames[at].width, .height = 1 };
    job.upper = job.max_points = G_MAXUINT;
    shape = shape_of (&job);
    each = gst_gles_shape_tile (&shape) * gst_gles_shape_teams_per_group (&shape);
    g_autoptr (GHashTable) few = run_frames (&job, LOOP_ROUNDS_FEW * each);
    g_autoptr (GHashTable) many = run_frames (&job, LOOP_ROUNDS_MANY * each);
    loop_rounds_record (GST_GLES_ALGORITHM_FRAME_COMPACT, shape.rounds, few, many,
        LOOP_ROUNDS_MANY - LOOP_ROUNDS_FEW);
    g_hash_table_unref (run_frames (&job, gst_gles_shape_max_tiles (&shape) * each));
  }
}

void
loop_rounds_add_frames (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (frames); i++) {
    g_autofree gchar *path = g_strdup_printf ("/loop-rounds/most/%s-%u-channel-%d",
        gst_video_format_to_string (frames[i].format), frames[i].width, frames[i].channel);

    g_test_add_data_func (path, GUINT_TO_POINTER (i), test_frame);
  }
}
