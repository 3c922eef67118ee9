/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frame compaction: its kernels, in the variant that GST_GLES_FRAME_COMPACT_VARIANT forces, and the
 * native twin, each against a plain loop. Nothing is written beyond outputs, and repetitions give
 * the same result. */
#include <string.h>

#include <gst/gles/algo/frame/frame-compact.h>
#include <gst/gles/gl/queue.h>

#include "array-cases.h"
#include "frame-cases.h"

#define N_FRAMES 3
#define N_FRAMES_OF_BACKGROUND 6

typedef struct {
  guint width, height;
  guint x, y, region_width, region_height; /* all 0: the whole picture */
  guint crop_x, crop_y, crop_width, crop_height;
} FrameSize;

typedef struct {
  GstVideoFormat format;
  Placement placement;
  FrameSize size;
  GstGlesFrameCompactConfig config;
  guint lower, upper;
  guint max_points; /* G_MAXUINT: no limit */
  guint adaptation; /* of a background */
} FrameJob;

/* One point: x and y in halves of a word, as they lie in memory, then the value. */
typedef struct {
  guint16 x, y;
  guint32 value;
} FramePoint;

#define POINT_WORDS (sizeof (FramePoint) / 4)

static gchar *
describe (const FrameJob *job)
{
  const FrameSize *s = &job->size;

  return g_strdup_printf ("%s%s %ux%u region %u,%u %ux%u crop %u,%u %ux%u predicate %d%s channel "
                          "%d from %u to %u, at most %u",
      gst_video_format_to_string (job->format), job->placement == UNALIGNED ? " unaligned" : "",
      s->width, s->height, s->x, s->y, s->region_width, s->region_height, s->crop_x, s->crop_y,
      s->crop_width, s->crop_height, job->config.predicate,
      job->config.background ? " of a background" : "", job->config.channel, job->lower, job->upper,
      job->max_points);
}

static GstGlesFrameCompactCall
call_of (const FrameJob *job, const GstGlesImage *host)
{
  const FrameSize *s = &job->size;
  const gboolean whole = s->region_width == 0;

  return (GstGlesFrameCompactCall){ host->crop_x + s->x, host->crop_y + s->y,
    whole ? host->crop_width : s->region_width, whole ? host->crop_height : s->region_height,
    job->lower, job->upper, job->max_points, job->adaptation };
}

/* ---- the plain loop ---- */

/* The reference of motion: what it is after a frame, and its running averages. */
typedef struct {
  guint32 *values; /* NULL: there was no frame */
  guint64 *averages;
} FrameReference;

/* Returns all samples of the channel @channel, row by row: (transfer full). */
static guint32 *
load_frame (const GstGlesImage *host, gint channel)
{
  const GstGlesComponent *c = &host->components[MAX (channel, 0)];
  guint32 *values = g_new (guint32, (gsize) c->width * c->height);

  for (guint y = 0; y < c->height; y++) {
    for (guint x = 0; x < c->width; x++)
      values[(gsize) y * c->width + x] = picture_value (host, MAX (channel, 0), channel < 0, x, y);
  }
  return values;
}

static void
update_reference (
    FrameReference *reference, const GstGlesImage *host, const FrameJob *job, const guint32 *values)
{
  const GstGlesComponent *c = &host->components[MAX (job->config.channel, 0)];
  const gsize n = (gsize) c->width * c->height;
  const guint64 weight =
      job->adaptation > 3 ? (3 * 65536 + job->adaptation / 2) / job->adaptation : 65536;
  const gboolean first = reference->values == NULL;

  if (first) {
    reference->values = g_new (guint32, n);
    reference->averages = g_new (guint64, n);
  }
  for (gsize i = 0; i < n; i++) {
    guint64 *average = &reference->averages[i], value = (guint64) values[i] * 65536;

    if (first || !job->config.background)
      *average = value;
    else if (value > *average)
      *average += (value - *average) * weight / 65536;
    else
      *average -= (*average - value) * weight / 65536;
    reference->values[i] = (guint32) ((*average + 32768) / 65536);
  }
}

static void
clear_reference (FrameReference *reference)
{
  g_clear_pointer (&reference->values, g_free);
  g_clear_pointer (&reference->averages, g_free);
}

/* Returns the sample nearest to @at along one axis, within the visible picture. */
static guint
visible (gint64 at, guint n, guint sub, guint crop, guint crop_size)
{
  guint first = 0, last = n - 1;

  while (first < n - 1 && first << sub < crop)
    first++;
  while (last > first && last << sub >= crop + crop_size)
    last--;
  return (guint) CLAMP (at, (gint64) first, (gint64) last);
}

static guint32
edge_value (
    const GstGlesImage *host, const GstGlesComponent *c, const guint32 *values, guint x, guint y)
{
  static const gint weights[3] = { 1, 2, 1 };
  gint v[3][3], gx = 0, gy = 0;

  for (gint j = 0; j < 3; j++) {
    guint row = visible ((gint64) y + j - 1, c->height, c->sub_y, host->crop_y, host->crop_height);

    for (gint i = 0; i < 3; i++) {
      guint at = visible ((gint64) x + i - 1, c->width, c->sub_x, host->crop_x, host->crop_width);
      v[j][i] = (gint) values[(gsize) row * c->width + at];
    }
  }
  for (gint i = 0; i < 3; i++) {
    gx += weights[i] * (v[i][2] - v[i][0]);
    gy += weights[i] * (v[2][i] - v[0][i]);
  }
  return (guint32) (ABS (gx) + ABS (gy));
}

/* Every point that passes, of the samples of this picture and of the one before (NULL: none):
 * (transfer full). */
static GArray *
expect (const GstGlesImage *host, const FrameJob *job, const GstGlesFrameCompactCall *call,
    const guint32 *values, const guint32 *before)
{
  const GstGlesComponent *c = &host->components[MAX (job->config.channel, 0)];
  GArray *points = g_array_new (FALSE, FALSE, sizeof (FramePoint));

  for (guint y = 0; y < c->height; y++) {
    for (guint x = 0; x < c->width; x++) {
      guint at_x = x << c->sub_x, at_y = y << c->sub_y;
      guint32 value = values[(gsize) y * c->width + x];
      FramePoint point;

      if (at_x < call->x || at_x - call->x >= call->width || at_y < call->y ||
          at_y - call->y >= call->height)
        continue;
      if (call->mask != NULL && !gst_gles_mask_bits_has (call->mask, at_x, at_y))
        continue;
      if (job->config.predicate == GST_GLES_POINTS_MOTION) {
        guint32 earlier = before != NULL ? before[(gsize) y * c->width + x] : 0;
        if (before == NULL)
          continue;
        value = MAX (value, earlier) - MIN (value, earlier);
      } else if (job->config.predicate == GST_GLES_POINTS_EDGE) {
        value = edge_value (host, c, values, x, y);
      }
      if (value < call->lower || value > call->upper)
        continue;
      point =
          (FramePoint){ (guint16) (at_x - host->crop_x), (guint16) (at_y - host->crop_y), value };
      g_array_append_val (points, point);
    }
  }
  return points;
}

/* ---- checking ---- */

static void
check_kernels (GstGlesFrameCompact *compact, const Picture *picture,
    const GstGlesFrameCompactCall *call, const GstGlesResult *want, const guint32 *want_points,
    const gchar *where)
{
  const guint n_result_words = sizeof (*want) / 4;
  g_auto (GstGlesFramePoints) points = {
    array_buffer (POINT_WORDS * gst_gles_frame_compact_capacity (compact, call)),
    array_buffer (n_result_words),
  };
  GError *error = NULL;

  assert_ok (gst_gles_frame_compact_run (compact, &picture->device, call, &points, &error));
  array_check (points.counts, (const guint32 *) (gconstpointer) want, n_result_words, where);
  array_check (points.points, want_points, POINT_WORDS * want->count, where);
}

static void
check_native (GstGlesFrameCompact *compact, const Picture *picture,
    const GstGlesFrameCompactCall *call, const GstGlesResult *want, const guint32 *want_points,
    const gchar *where)
{
  g_auto (GstGlesFramePoints) points = { .points = NULL };
  g_autoptr (GBytes) want_bytes = NULL;
  GError *error = NULL;

  assert_ok (gst_gles_frame_compact_run (compact, &picture->host, call, &points, &error));
  want_bytes = g_bytes_new (want_points, 4 * POINT_WORDS * (gsize) want->count);
  if (memcmp (&points.result, want, sizeof (*want)) != 0 ||
      memcmp (gst_gles_buffer_peek_memory (points.counts), want, sizeof (*want)) != 0 ||
      !g_bytes_equal (points.bytes, want_bytes))
    g_error ("%s: native code lists %u points, not the %u of the twin", where, points.result.count,
        want->count);
}

/* Checks the twin, whose reference is @kept, and the device. */
static void
check_picture (GstGlesFrameCompact *compact, const Picture *picture,
    const GstGlesFrameCompactCall *call, guint8 **kept, const GArray *want, gboolean twice,
    const gchar *where)
{
  const guint count = MIN (want->len, call->max_points);
  GstGlesResult result;
  g_autofree guint32 *points = gst_gles_frame_compact_run_native (
      compact, &(GstGlesFrameNative){ &picture->host, kept, NULL }, call, &result, NULL);
  GError *error = NULL;

  if (result.total != want->len || result.count != count ||
      result.status != (want->len > count ? GST_GLES_STATUS_TRUNCATED : GST_GLES_STATUS_OK) ||
      (count != 0 && memcmp (points, want->data, 4 * POINT_WORDS * (gsize) count) != 0))
    g_error ("%s: %u points of %" G_GUINT64_FORMAT " of the twin, status %u, are not the %u of %u "
             "of a plain loop",
        where, result.count, result.total, result.status, count, want->len);
  for (guint again = twice ? 2 : 1; again > 0; again--) {
    if (again == 2)
      g_assert_true (gst_gles_queue_begin (array_test.queue, &error) &&
          gst_gles_frame_plan_save (GST_GLES_FRAME_PLAN (compact), &error) &&
          gst_gles_queue_end (array_test.queue, &error));
    (array_test.is_cpu ? check_native : check_kernels) (
        compact, picture, call, &result, points, where);
    if (again == 2)
      gst_gles_frame_plan_restore (GST_GLES_FRAME_PLAN (compact));
  }
}

/* Pictures in a row from the start. In every other call every other picture has a mask. */
static void
check_pictures (GstGlesFrameCompact *compact, const FrameJob *job, Picture *picture,
    gboolean last_twice, const gchar *where)
{
  const guint n_frames = job->config.background ? N_FRAMES_OF_BACKGROUND : N_FRAMES;
  static guint n_calls = 0;
  const gboolean has_blocks =
      array_test.is_cpu || gst_gles_device_get_limits (array_test.device)->storage_blocks > 4;
  g_autoptr (GstGlesMaskBits) mask =
      has_blocks && n_calls++ % 2 != 0 ? picture_mask (&picture->host, MASK_POLYGONS) : NULL;
  GstGlesFrameCompactCall call = call_of (job, &picture->host);
  FrameReference reference = { NULL, NULL };
  g_autofree guint8 *kept = NULL;

  for (guint i = 0; i < n_frames; i++) {
    g_autoptr (GArray) want = NULL;
    g_autofree guint32 *values = NULL;

    picture_fill (picture, i == 2 ? CONTENT_RAMP : CONTENT_NOISE, 7 + i);
    values = load_frame (&picture->host, job->config.channel);
    call.mask = i % 2 != 0 ? mask : NULL;
    want = expect (&picture->host, job, &call, values, reference.values);
    check_picture (compact, picture, &call, &kept, want, last_twice && i == n_frames - 1, where);
    update_reference (&reference, &picture->host, job, values);
    g_assert_true (gst_gles_frame_plan_has_reference (GST_GLES_FRAME_PLAN (compact)) ||
        job->config.predicate != GST_GLES_POINTS_MOTION);
  }
  clear_reference (&reference);
}

/* Pictures in a row, and the same again after a reset, then with the last one twice. */
static void
check (const FrameJob *job)
{
  const FrameSize *s = &job->size;
  g_autofree gchar *where = describe (job);
  g_autoptr (GstGlesFrameCompact) compact = NULL;
  GError *error = NULL;
  Picture picture;

  g_test_message ("%s", where);
  picture_init (&picture, job->format, job->size.width, job->size.height, job->placement);
  for (guint i = 0; i < 2 && s->crop_width != 0; i++) {
    GstGlesImage *image = i == 0 ? &picture.host : &picture.device;

    image->crop_x = s->crop_x;
    image->crop_y = s->crop_y;
    image->crop_width = s->crop_width;
    image->crop_height = s->crop_height;
  }
  compact =
      gst_gles_frame_compact_new (array_test.queue, picture_input (&picture), &job->config, &error);
  g_assert_no_error (error);
  for (guint turn = 0; turn < 2; turn++) {
    check_pictures (compact, job, &picture, turn == 1, where);
    gst_gles_frame_plan_reset (GST_GLES_FRAME_PLAN (compact));
    g_assert_false (gst_gles_frame_plan_has_reference (GST_GLES_FRAME_PLAN (compact)));
  }
  picture_clear (&picture);
}

/* ---- jobs ---- */

static guint
depth_of (GstVideoFormat format, gint channel)
{
  GstGlesImage image;
  GstVideoInfo info;

  gst_video_info_set_format (&info, format, 16, 16);
  g_assert_true (gst_gles_format_describe (&info, &image, NULL));
  return channel >= (gint) image.n_components
      ? 0
      : picture_depth (&image, MAX (channel, 0), channel < 0);
}

/* A job that about a third of noise passes; FALSE: the format has no such channel. */
static gboolean
make_job (GstVideoFormat format, GstGlesPointsPredicate predicate, gint channel,
    const FrameSize *size, Placement placement, FrameJob *job)
{
  guint depth = depth_of (format, channel);
  guint max = (1u << depth) - 1;
  const guint lower[] = { max / 3 * 2, max / 2, max * 2 };

  *job = (FrameJob){ .format = format,
    .placement = placement,
    .size = *size,
    .config = { predicate, channel, FALSE },
    .lower = lower[predicate],
    .upper = G_MAXUINT,
    .max_points = G_MAXUINT };
  return depth != 0;
}

static const GstGlesPointsPredicate predicates[] = { GST_GLES_POINTS_THRESHOLD,
  GST_GLES_POINTS_MOTION, GST_GLES_POINTS_EDGE, GST_GLES_POINTS_MOTION };
#define BACKGROUND 3 /* the last one is motion against a background */

/* With each predicate; if variants are tested, with one, another one for another size. */
static void
check_predicates (GstVideoFormat format, gint channel, const FrameSize *size, Placement placement)
{
  const guint one = (size->width + size->height + size->x + format) % G_N_ELEMENTS (predicates);
  FrameJob job;

  for (guint i = 0; i < G_N_ELEMENTS (predicates); i++) {
    if ((array_test.quick && i != one) ||
        !make_job (format, predicates[i], channel, size, placement, &job))
      continue;
    if (i == BACKGROUND) {
      job.config.background = TRUE;
      job.adaptation = 4 + size->width % 16;
      job.lower /= 2;
    }
    check (&job);
  }
}

/* ---- tests ---- */

/* Each way in which samples are stored in three sizes, other formats in one. */
static void
test_formats (void)
{
  static const FrameSize sizes[] = { { 64, 32 }, { 67, 35 }, { 45, 29, 5, 3, 31, 22 } };
  static const FrameSize one = { 1, 1 };

  for (guint i = 0; i < n_formats; i++) {
    for (guint k = 0; k < G_N_ELEMENTS (sizes); k++) {
      if ((i + k) % 3 != 0 && (array_test.quick || i >= n_basic_formats))
        continue;
      check_predicates (formats[i], GST_GLES_FRAME_LUMA, &sizes[k], k % 2 == 0);
      check_predicates (formats[i], 2 - (gint) k, &sizes[k], STAGED);
      if (i < n_basic_formats)
        check_predicates (formats[i], 1, &sizes[k], UNALIGNED);
    }
    check_predicates (formats[i], 3, &one, STAGED);
  }
}

/* Around what an invocation, a workgroup and a tile take at a time, primes, and rows of one. */
static void
test_sizes (void)
{
  static const FrameSize sizes[] = { { 1, 1 }, { 2, 1 }, { 1, 3 }, { 1, 257 }, { 7, 1 }, { 8, 1 },
    { 9, 1 }, { 15, 3 }, { 16, 3 }, { 17, 3 }, { 31, 5 }, { 32, 5 }, { 33, 5 }, { 64, 2 },
    { 127, 1 }, { 128, 1 }, { 129, 1 }, { 255, 1 }, { 256, 1 }, { 257, 1 }, { 1023, 1 },
    { 1024, 1 }, { 1025, 1 }, { 2047, 1 }, { 2048, 1 }, { 2049, 1 }, { 4095, 1 }, { 4096, 1 },
    { 4097, 1 }, { 64, 64 }, { 61, 67 }, { 251, 83 }, { 100, 101 }, { 4, 509 }, { 16, 127 },
    { 1039, 3 }, { 48, 33 } };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    check_predicates (GST_VIDEO_FORMAT_GRAY8, 0, &sizes[i], STAGED);
    if (i % 3 == 0)
      check_predicates (GST_VIDEO_FORMAT_GRAY8, 0, &sizes[i], UNALIGNED);
    if (i % 2 == 0)
      check_predicates (GST_VIDEO_FORMAT_GRAY16_LE, 0, &sizes[i], STAGED);
    if (!array_test.quick)
      check_predicates (GST_VIDEO_FORMAT_I420, 1 + (gint) i % 2, &sizes[i], STAGED);
  }
}

/* On every alignment of columns, at the borders, of one sample; what rows pad is garbage. Then
 * crops: points count from the visible corner, and edges repeat the visible border. */
static void
test_regions (void)
{
  static const FrameSize sizes[] = { { 64, 32, 0, 0, 1, 1 }, { 64, 32, 16, 3, 32, 20 },
    { 64, 32, 4, 0, 8, 32 }, { 64, 32, 5, 7, 13, 11 }, { 64, 32, 63, 31, 1, 1 },
    { 64, 32, 1, 1, 62, 30 }, { 64, 32, 0, 31, 64, 1 }, { 64, 32, 48, 0, 16, 32 },
    { 67, 33, 2, 2, 64, 31 }, { 67, 33, 3, 1, 64, 31 }, { 67, 33, 16, 1, 51, 32 },
    { 80, 20, 20, 2, 24, 17 }, { 640, 9, 128, 4, 512, 4 },
    /* unaligned: a row that begins where words and 16-byte rows do, between others that do not */
    { 64, 32, 0, 1, 64, 1 }, { 64, 32, 0, 9, 64, 1 },
    /* the last four are the crop */
    { 64, 32, 0, 0, 0, 0, 4, 4, 48, 16 }, { 64, 32, 0, 0, 0, 0, 16, 0, 32, 32 },
    { 67, 33, 0, 0, 0, 0, 5, 3, 31, 29 }, { 67, 33, 2, 1, 20, 20, 5, 3, 31, 29 },
    { 64, 32, 0, 0, 0, 0, 63, 31, 1, 1 }, { 64, 32, 0, 0, 0, 0, 1, 1, 1, 30 } };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    check_predicates (GST_VIDEO_FORMAT_GRAY8, 0, &sizes[i], STAGED);
    check_predicates (GST_VIDEO_FORMAT_GRAY8, 0, &sizes[i], UNALIGNED);
    if (array_test.quick && i % 4 != 0 && sizes[i].crop_width == 0)
      continue;
    check_predicates (GST_VIDEO_FORMAT_NV12, 0, &sizes[i], UNALIGNED);
    check_predicates (GST_VIDEO_FORMAT_I420, 1, &sizes[i], STAGED);
    check_predicates (GST_VIDEO_FORMAT_NV12, 2, &sizes[i], STAGED);
    check_predicates (GST_VIDEO_FORMAT_RGB, GST_GLES_FRAME_LUMA, &sizes[i], STAGED);
  }
}

/* Bounds: none, all, an empty range, one value, beyond what samples can be. Then the first points
 * stay, and the total counts all. */
static void
test_limits (void)
{
  static const guint limits[][3] = { { 0, 255, G_MAXUINT }, { 0, G_MAXUINT, G_MAXUINT },
    { 255, 255, G_MAXUINT }, { 256, G_MAXUINT, G_MAXUINT }, { 100, 99, G_MAXUINT },
    { 60, 90, G_MAXUINT }, { 0, 0, G_MAXUINT }, { 1, 254, G_MAXUINT }, { 128, 128, G_MAXUINT },
    { G_MAXUINT, G_MAXUINT, G_MAXUINT }, { 300, 700, G_MAXUINT }, { 0, G_MAXUINT, 0 },
    { 0, G_MAXUINT, 1 }, { 0, G_MAXUINT, 2 }, { 0, G_MAXUINT, 63 }, { 0, G_MAXUINT, 64 },
    { 0, G_MAXUINT, 1000 }, { 0, G_MAXUINT, 2047 }, { 0, G_MAXUINT, 2048 }, { 0, G_MAXUINT, 2049 },
    { 0, G_MAXUINT, 1u << 28 }, { 150, G_MAXUINT, 64 }, { 150, G_MAXUINT, 2047 } };
  static const GstVideoFormat few[] = { GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_P010_10LE };
  static const FrameSize size = { 64, 32 };
  FrameJob job;

  for (guint i = 0; i < G_N_ELEMENTS (limits); i++) {
    for (guint k = 0; k < (array_test.quick ? 1 : G_N_ELEMENTS (few) * BACKGROUND); k++) {
      make_job (few[k % 2], predicates[(i + k) % BACKGROUND], 0, &size, STAGED, &job);
      job.lower = limits[i][0];
      job.upper = limits[i][1];
      job.max_points = limits[i][2];
      check (&job);
    }
  }
}

/* As many tiles to a team as there are in practice, and every point of a large picture. */
static void
test_large (void)
{
  static const FrameSize size = { 656, 359 };
  FrameJob job;

  for (guint i = 0; i < BACKGROUND; i++) {
    make_job (GST_VIDEO_FORMAT_NV12, predicates[i], 0, &size, STAGED, &job);
    job.lower = i == 0 ? 232 : job.lower;
    job.max_points = i == 1 ? 20000 : G_MAXUINT;
    check (&job);
  }
  make_job (GST_VIDEO_FORMAT_NV12, GST_GLES_POINTS_THRESHOLD, 0, &size, STAGED, &job);
  job.lower = 0;
  check (&job);
}

/* All of a change at once, and a weight that moves an average by no whole code value. */
static void
test_adaptations (void)
{
  static const guint adaptations[] = { 1, 2, 3, 4, 5, 50, 1000, 10000 };
  static const GstVideoFormat few[] = { GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_GRAY16_LE,
    GST_VIDEO_FORMAT_RGB };
  static const FrameSize size = { 67, 35 };
  FrameJob job;

  for (guint i = 0; i < G_N_ELEMENTS (adaptations) * G_N_ELEMENTS (few); i++) {
    if (array_test.quick && i % 4 != 0)
      continue;
    make_job (few[i % 3], GST_GLES_POINTS_MOTION, GST_GLES_FRAME_LUMA, &size, STAGED, &job);
    job.config.background = TRUE;
    job.adaptation = adaptations[i / 3];
    job.lower = 1;
    check (&job);
  }
}

static void
test_refusals (void)
{
  const GstGlesFrameCompactCall call = { 0, 0, 64, 48, 0, 255, 100, 0 };
  GstGlesFrameCompactConfig config = { GST_GLES_POINTS_THRESHOLD, 3, FALSE };
  g_autoptr (GstGlesFrameCompact) compact = NULL;
  g_auto (GstGlesFramePoints) points = { .points = NULL };
  /* with what array_buffer() adds, a word less than 100 points take */
  g_auto (GstGlesFramePoints) small = { array_buffer (2 * 100 - 14) };
  GError *error = NULL;
  Picture picture, other;

  picture_init (&picture, GST_VIDEO_FORMAT_I420, 64, 48, STAGED);
  picture_init (&other, GST_VIDEO_FORMAT_I420, 64, 48, UNALIGNED);
  assert_fails (
      gst_gles_frame_compact_new (array_test.queue, picture_input (&picture), &config, &error),
      SETTINGS);
  config.channel = 0;
  compact =
      gst_gles_frame_compact_new (array_test.queue, picture_input (&picture), &config, &error);
  g_assert_no_error (error);
  if (!array_test.is_cpu) {
    g_assert_cmpuint (gst_gles_buffer_get_size (small.points), ==, 4 * (2 * 100 - 1));
    assert_fails (
        gst_gles_frame_compact_run (compact, &other.device, &call, &points, &error), INVALID);
    assert_fails (
        gst_gles_frame_compact_run (compact, &picture.device, &call, &small, &error), INVALID);
  }
  picture_clear (&picture);
  picture_clear (&other);
}

static void
add (void)
{
  g_test_add_func ("/frame-compact/refusals", test_refusals);
  g_test_add_func ("/frame-compact/formats", test_formats);
  g_test_add_func ("/frame-compact/sizes", test_sizes);
  g_test_add_func ("/frame-compact/regions", test_regions);
  g_test_add_func ("/frame-compact/limits", test_limits);
  g_test_add_func ("/frame-compact/large", test_large);
  g_test_add_func ("/frame-compact/adaptations", test_adaptations);
}

ARRAY_TEST_MAIN ("GST_GLES_FRAME_COMPACT_VARIANT", add)
