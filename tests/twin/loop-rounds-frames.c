/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The limit of llvmpipe's loops in frame compaction: each way to read samples, each predicate. */
#include <string.h>

#include <gst/gles/algo/frame/frame-compact-private.h>

#include "array-cases.h"
#include "frame-cases.h"
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

static const struct {
  GstGlesPointsPredicate predicate;
  gboolean background;
  guint adaptation;
} predicates[] = {
  { GST_GLES_POINTS_THRESHOLD, FALSE, 0 },
  { GST_GLES_POINTS_MOTION, FALSE, 0 },
  { GST_GLES_POINTS_EDGE, FALSE, 0 },
  { GST_GLES_POINTS_MOTION, TRUE, 5 },
};

typedef struct {
  guint frame, predicate;
} FrameCase;

static GstGlesFrameCompact *
plan_new (const FrameCase *c, guint height, Picture *picture)
{
  const GstGlesFrameCompactConfig config = { predicates[c->predicate].predicate,
    frames[c->frame].channel, predicates[c->predicate].background };
  GstGlesFrameCompact *compact;
  GError *error = NULL;

  picture_init (picture, frames[c->frame].format, frames[c->frame].width, height, STAGED);
  compact = gst_gles_frame_compact_new (array_test.queue, &picture->device, &config, &error);
  g_assert_no_error (error);
  return compact;
}

static void
check_frame (GstGlesFrameCompact *compact, const Picture *picture,
    const GstGlesFrameCompactCall *call, guint8 **kept, const gchar *where)
{
  g_autoptr (GstGlesBuffer) points =
      array_buffer (2 * gst_gles_frame_compact_capacity (compact, call));
  g_autoptr (GstGlesBuffer) counts = array_buffer (sizeof (GstGlesResult) / 4);
  g_autofree guint32 *want_points = NULL;
  GError *error = NULL;
  GstGlesResult want;

  want_points =
      gst_gles_frame_compact_run_native (compact, &picture->host, call, kept, &want, NULL);
  if (!gst_gles_frame_compact_run (compact, &picture->device, call, points, counts, &error))
    g_error ("%s: %s", where, error->message);
  array_check_result (counts, want.total, want.count, want.status, where);
  array_check (points, want_points, 2 * want.count, where);
}

/* Every sample passes, which costs most. */
static GHashTable *
run_frames (guint samples, gconstpointer data)
{
  const FrameCase *c = data;
  const guint width = frames[c->frame].width, height = samples / width;
  const GstGlesFrameCompactCall call = { 0, 0, width, height, 0, G_MAXUINT, G_MAXUINT,
    predicates[c->predicate].adaptation };
  g_autofree guint8 *kept = NULL;
  g_autofree gchar *where = NULL;
  Picture picture;
  g_autoptr (GstGlesFrameCompact) compact = plan_new (c, height, &picture);

  where = g_strdup_printf ("%s of %ux%u, predicate %u", picture.name, width, height, c->predicate);
  loop_rounds_begin ();
  for (guint i = 0; i < 2; i++) {
    picture_fill (&picture, CONTENT_NOISE, 7 + i);
    check_frame (compact, &picture, &call, &kept, where);
  }
  picture_clear (&picture);
  return loop_rounds_end (where);
}

static void
test_frame (gconstpointer data)
{
  FrameCase c = { GPOINTER_TO_UINT (data), 0 };

  for (; c.predicate < G_N_ELEMENTS (predicates); c.predicate++) {
    Picture picture;
    GstGlesFrameCompact *compact = plan_new (&c, 16, &picture);
    const GstGlesShape shape = compact->array.two_pass;

    gst_gles_frame_compact_free (compact);
    picture_clear (&picture);
    loop_rounds_measure (GST_GLES_ALGORITHM_FRAME_COMPACT, &shape, run_frames, &c);
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
