/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frame compaction: its kernels, in the variant that GST_GLES_FRAME_COMPACT_VARIANT forces, and the
 * native twin, each against a plain loop. Nothing is written beyond outputs, and repetitions give
 * the same result. */
#include <string.h>

#include <gst/gles/algo/plan/variant.h>
#include <gst/gles/gl/queue.h>

#include "frame-compact-cases.h"
#include "gles-test.h"

#define CANARY_BYTES 64
#define GARBAGE 0xa5
#define N_FRAMES 3
#define N_FRAMES_OF_BACKGROUND 6

static GstGlesDevice *device;
static GstGlesQueue *queue;
static gboolean is_cpu, quick; /* quick: what variants differ in, and no more */

static const GstVideoFormat compact_formats[] = {
  GST_VIDEO_FORMAT_GRAY8,
  GST_VIDEO_FORMAT_GRAY16_LE,
  GST_VIDEO_FORMAT_GRAY16_BE,
  GST_VIDEO_FORMAT_I420,
  GST_VIDEO_FORMAT_NV12,
  GST_VIDEO_FORMAT_P010_10LE,
  GST_VIDEO_FORMAT_I420_10BE,
  GST_VIDEO_FORMAT_Y42B,
  GST_VIDEO_FORMAT_Y444,
  GST_VIDEO_FORMAT_A420,
  GST_VIDEO_FORMAT_YUY2,
  GST_VIDEO_FORMAT_UYVY,
  GST_VIDEO_FORMAT_Y410,
  GST_VIDEO_FORMAT_RGB,
  GST_VIDEO_FORMAT_RGBA,
  GST_VIDEO_FORMAT_BGRx,
  GST_VIDEO_FORMAT_RGB16,
  GST_VIDEO_FORMAT_r210,
  GST_VIDEO_FORMAT_GBR_12LE,
};

static const GstGlesPointsPredicate predicates[] = { GST_GLES_POINTS_THRESHOLD,
  GST_GLES_POINTS_MOTION, GST_GLES_POINTS_EDGE };

/* ---- checking ---- */

static void
check_result (const GstGlesResult *got, const GArray *want, guint max_points, const gchar *who,
    const gchar *where)
{
  guint count = MIN (want->len, max_points);
  guint status = want->len > max_points ? GST_GLES_STATUS_TRUNCATED : GST_GLES_STATUS_OK;

  if (got->total != want->len || got->count != count || got->status != status)
    g_error ("%s: %s has %" G_GUINT64_FORMAT " points, %u listed, status %u; expected %u, %u, %u",
        where, who, got->total, got->count, got->status, want->len, count, status);
}

static void
check_points (
    const FramePoint *got, const GArray *want, guint count, const gchar *who, const gchar *where)
{
  for (guint i = 0; i < count; i++) {
    const FramePoint *point = &g_array_index (want, FramePoint, i);
    if (memcmp (&got[i], point, sizeof (*point)) != 0)
      g_error ("%s: point %u of %s is %u,%u: %u; expected %u,%u: %u", where, i, who, got[i].x,
          got[i].y, got[i].value, point->x, point->y, point->value);
  }
}

static void
check_garbage (const guint8 *bytes, gsize from, gsize to, const gchar *what, const gchar *where)
{
  for (gsize i = from; i < to; i++) {
    if (bytes[i] != GARBAGE)
      g_error (
          "%s: byte %" G_GSIZE_FORMAT " of %s, behind the last, was overwritten", where, i, what);
  }
}

static GstGlesBuffer *
spoilt_buffer (gsize size_bytes)
{
  g_autofree guint8 *garbage = g_malloc (size_bytes);
  GError *error = NULL;
  GstGlesBuffer *buffer = gst_gles_buffer_new (device, size_bytes, &error);

  g_assert_no_error (error);
  memset (garbage, GARBAGE, size_bytes);
  g_assert_true (gst_gles_buffer_upload (buffer, queue, 0, garbage, size_bytes, &error));
  return buffer;
}

static guint8 *
download (GstGlesBuffer *buffer, gsize size_bytes)
{
  guint8 *bytes = g_malloc (size_bytes);
  GError *error = NULL;

  g_assert_true (gst_gles_buffer_download (buffer, queue, 0, bytes, size_bytes, &error));
  g_assert_no_error (error);
  return bytes;
}

static void
check_kernels (GstGlesFrameCompact *compact, const Picture *picture,
    const GstGlesFrameCompactCall *call, const GArray *want, const gchar *where)
{
  guint entries = gst_gles_frame_compact_capacity (compact, call);
  guint count = MIN (want->len, call->max_points);
  gsize points_bytes = sizeof (FramePoint) * (gsize) entries + CANARY_BYTES;
  gsize counts_bytes = sizeof (GstGlesResult) + CANARY_BYTES;
  g_autoptr (GstGlesBuffer) points = spoilt_buffer (points_bytes);
  g_autoptr (GstGlesBuffer) counts = spoilt_buffer (counts_bytes);
  g_autofree guint8 *got_points = NULL, *got_counts = NULL;
  GError *error = NULL;
  GstGlesResult result;

  if (!gst_gles_frame_compact_run (compact, &picture->device, call, points, counts, &error))
    g_error ("%s: %s", where, error->message);
  got_points = download (points, points_bytes);
  got_counts = download (counts, counts_bytes);
  memcpy (&result, got_counts, sizeof (result));
  check_result (&result, want, call->max_points, "the device", where);
  check_points ((const FramePoint *) (gpointer) got_points, want, count, "the device", where);
  check_garbage (
      got_points, sizeof (FramePoint) * (gsize) count, points_bytes, "the points", where);
  check_garbage (got_counts, sizeof (result), counts_bytes, "the counts", where);
}

static void
check_native (GstGlesFrameCompact *compact, const Picture *picture,
    const GstGlesFrameCompactCall *call, const GArray *want, const gchar *where)
{
  g_autoptr (GstGlesBuffer) points = NULL;
  g_autoptr (GBytes) bytes = NULL;
  GError *error = NULL;
  GstGlesResult result;

  if (!gst_gles_frame_compact_run_cpu (
          compact, &picture->host, call, &result, &points, &bytes, &error))
    g_error ("%s: %s", where, error->message);
  check_result (&result, want, call->max_points, "native code", where);
  g_assert_cmpuint (g_bytes_get_size (bytes), ==, sizeof (FramePoint) * (gsize) result.count);
  check_points (g_bytes_get_data (bytes, NULL), want, result.count, "native code", where);
}

static void
check_twin (GstGlesFrameCompact *compact, const Picture *picture,
    const GstGlesFrameCompactCall *call, guint8 **kept, const GArray *want, const gchar *where)
{
  GstGlesResult result;
  g_autofree guint32 *points =
      gst_gles_frame_compact_run_native (compact, &picture->host, call, kept, &result, NULL);

  check_result (&result, want, call->max_points, "the twin", where);
  check_points ((const FramePoint *) points, want, result.count, "the twin", where);
}

/* ---- jobs ---- */

static void
set_crop (const FrameSize *size, GstGlesImage *image)
{
  if (size->crop_width == 0)
    return;
  image->crop_x = size->crop_x;
  image->crop_y = size->crop_y;
  image->crop_width = size->crop_width;
  image->crop_height = size->crop_height;
}

static void
save (GstGlesFrameCompact *compact)
{
  GError *error = NULL;

  g_assert_true (gst_gles_queue_begin (queue, &error));
  g_assert_true (gst_gles_frame_compact_save (compact, &error));
  g_assert_true (gst_gles_queue_end (queue, &error));
}

/* Pictures in a row, and the same again from the start, then with the last one twice. */
static void
check (const FrameJob *job)
{
  const guint n_frames = job->config.background ? N_FRAMES_OF_BACKGROUND : N_FRAMES;
  const gchar *where = frame_job_describe (job);
  g_autoptr (GstGlesFrameCompact) compact = NULL;
  GstGlesFrameCompactCall call;
  GError *error = NULL;
  Picture picture;

  g_test_message ("%s", where);
  picture_init (&picture, is_cpu ? NULL : queue, job->format, job->size.width, job->size.height,
      job->placement);
  set_crop (&job->size, &picture.host);
  set_crop (&job->size, &picture.device);
  frame_job_call (job, &picture.host, &call);
  compact = gst_gles_frame_compact_new (
      queue, is_cpu ? &picture.host : &picture.device, &job->config, &error);
  if (compact == NULL)
    g_error ("%s: %s", where, error->message);
  for (guint turn = 0; turn < 2; turn++) {
    FrameReference reference = { NULL, NULL };
    g_autofree guint8 *kept = NULL;

    for (guint i = 0; i < n_frames; i++) {
      g_autoptr (GArray) want = NULL;
      g_autofree guint32 *values = NULL;

      picture_fill (&picture, is_cpu ? NULL : queue, i == 2 ? PATTERN_RAMP : PATTERN_NOISE, 7 + i);
      values = frame_job_load (&picture.host, job->config.channel);
      want = frame_job_expect (&picture.host, job, &call, values, reference.values);
      check_twin (compact, &picture, &call, &kept, want, where);
      for (guint again = turn == 1 && i == n_frames - 1 ? 2 : 1; again > 0; again--) {
        if (again == 2)
          save (compact);
        if (is_cpu)
          check_native (compact, &picture, &call, want, where);
        else
          check_kernels (compact, &picture, &call, want, where);
        if (again == 2)
          gst_gles_frame_compact_restore (compact);
      }
      frame_reference_update (&reference, &picture.host, job, values);
      g_assert_true (gst_gles_frame_compact_has_reference (compact) ||
          job->config.predicate != GST_GLES_POINTS_MOTION);
    }
    frame_reference_clear (&reference);
    gst_gles_frame_compact_reset (compact);
    g_assert_false (gst_gles_frame_compact_has_reference (compact));
  }
  picture_clear (&picture);
}

static guint
depth_of (GstVideoFormat format, gint channel)
{
  GstGlesImage image;
  GstVideoInfo info;

  gst_video_info_set_format (&info, format, 16, 16);
  g_assert_true (gst_gles_format_describe (&info, &image, NULL));
  if (channel >= (gint) image.n_components)
    return 0;
  return channel < 0 && image.luma == GST_GLES_LUMA_MATRIX
      ? image.luma_depth
      : image.components[MAX (channel, 0)].depth;
}

/* A job that about a third of noise passes, in each predicate; FALSE: the format has no such
 * channel. */
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

static void
check_predicates (GstVideoFormat format, gint channel, const FrameSize *size, Placement placement)
{
  FrameJob job;

  for (guint i = 0; i < G_N_ELEMENTS (predicates); i++) {
    if (make_job (format, predicates[i], channel, size, placement, &job))
      check (&job);
  }
  if (make_job (format, GST_GLES_POINTS_MOTION, channel, size, placement, &job)) {
    job.config.background = TRUE;
    job.adaptation = 4 + size->width % 16;
    job.lower /= 2;
    check (&job);
  }
}

/* ---- tests ---- */

static void
test_formats (void)
{
  static const FrameSize sizes[] = { { 64, 32 }, { 67, 35 }, { 1, 1 }, { 45, 29, 5, 3, 31, 22 } };

  for (guint i = 0; i < G_N_ELEMENTS (compact_formats); i++) {
    for (guint k = 0; k < G_N_ELEMENTS (sizes); k++) {
      if (quick && (i + k) % 4 != 0)
        continue;
      check_predicates (compact_formats[i], GST_GLES_FRAME_LUMA, &sizes[k], k % 2 == 0);
      check_predicates (compact_formats[i], (gint) k, &sizes[k], STAGED);
      check_predicates (compact_formats[i], 1, &sizes[k], UNALIGNED);
    }
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
    if (quick)
      continue;
    check_predicates (GST_VIDEO_FORMAT_I420, 1 + (gint) i % 2, &sizes[i], STAGED);
  }
}

/* On every alignment of columns, at the borders, of one sample; what rows pad is garbage. */
static void
test_regions (void)
{
  static const FrameSize sizes[] = { { 64, 32, 0, 0, 1, 1 }, { 64, 32, 16, 3, 32, 20 },
    { 64, 32, 4, 0, 8, 32 }, { 64, 32, 5, 7, 13, 11 }, { 64, 32, 63, 31, 1, 1 },
    { 64, 32, 1, 1, 62, 30 }, { 64, 32, 0, 31, 64, 1 }, { 64, 32, 48, 0, 16, 32 },
    { 67, 33, 2, 2, 64, 31 }, { 67, 33, 3, 1, 64, 31 }, { 67, 33, 16, 1, 51, 32 },
    { 80, 20, 20, 2, 24, 17 }, { 640, 9, 128, 4, 512, 4 },
    /* unaligned: a row that begins where words and 16-byte rows do, between others that do not */
    { 64, 32, 0, 1, 64, 1 }, { 64, 32, 0, 9, 64, 1 } };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    check_predicates (GST_VIDEO_FORMAT_GRAY8, 0, &sizes[i], STAGED);
    check_predicates (GST_VIDEO_FORMAT_GRAY8, 0, &sizes[i], UNALIGNED);
    if (quick && i % 4 != 0)
      continue;
    check_predicates (GST_VIDEO_FORMAT_NV12, 0, &sizes[i], UNALIGNED);
    check_predicates (GST_VIDEO_FORMAT_NV12, 2, &sizes[i], STAGED);
    check_predicates (GST_VIDEO_FORMAT_RGB, GST_GLES_FRAME_LUMA, &sizes[i], STAGED);
  }
}

/* Points count from the visible corner; edges repeat the visible border. */
static void
test_crops (void)
{
  static const FrameSize sizes[] = { { 64, 32, 0, 0, 0, 0, 4, 4, 48, 16 },
    { 64, 32, 0, 0, 0, 0, 16, 0, 32, 32 }, { 67, 33, 0, 0, 0, 0, 5, 3, 31, 29 },
    { 67, 33, 2, 1, 20, 20, 5, 3, 31, 29 }, { 64, 32, 0, 0, 0, 0, 63, 31, 1, 1 },
    { 64, 32, 0, 0, 0, 0, 1, 1, 1, 30 } };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    check_predicates (GST_VIDEO_FORMAT_GRAY8, 0, &sizes[i], STAGED);
    check_predicates (GST_VIDEO_FORMAT_I420, 0, &sizes[i], UNALIGNED);
    check_predicates (GST_VIDEO_FORMAT_I420, 1, &sizes[i], STAGED);
    check_predicates (GST_VIDEO_FORMAT_BGRx, GST_GLES_FRAME_LUMA, &sizes[i], STAGED);
  }
}

/* None, all, an empty range, one value, beyond what samples can be. */
static void
test_bounds (void)
{
  static const guint bounds[][2] = { { 0, 255 }, { 0, G_MAXUINT }, { 255, 255 }, { 256, G_MAXUINT },
    { 100, 99 }, { 60, 90 }, { 0, 0 }, { 1, 254 }, { 128, 128 }, { G_MAXUINT, G_MAXUINT },
    { 300, 700 } };
  static const GstVideoFormat few[] = { GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_P010_10LE };
  static const FrameSize size = { 64, 40 };
  FrameJob job;

  for (guint i = 0; i < G_N_ELEMENTS (bounds); i++) {
    for (guint k = 0; k < G_N_ELEMENTS (few) * G_N_ELEMENTS (predicates); k++) {
      make_job (few[k / 3], predicates[k % 3], 0, &size, STAGED, &job);
      job.lower = bounds[i][0];
      job.upper = bounds[i][1];
      check (&job);
    }
  }
}

/* The first points stay, and the total counts all. */
static void
test_max_points (void)
{
  static const guint limits[] = { 0, 1, 2, 63, 64, 1000, 2047, 2048, 2049, 1u << 28 };
  static const FrameSize sizes[] = { { 64, 32 }, { 67, 35 } };
  FrameJob job;

  for (guint i = 0; i < G_N_ELEMENTS (limits); i++) {
    for (guint k = 0; k < G_N_ELEMENTS (sizes) * G_N_ELEMENTS (predicates); k++) {
      make_job (GST_VIDEO_FORMAT_GRAY8, predicates[k % 3], 0, &sizes[k / 3], STAGED, &job);
      job.max_points = limits[i];
      if (!quick)
        check (&job);
      job.lower = 0;
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

  for (guint i = 0; i < G_N_ELEMENTS (predicates); i++) {
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
    make_job (few[i % 3], GST_GLES_POINTS_MOTION, GST_GLES_FRAME_LUMA, &size, STAGED, &job);
    job.config.background = TRUE;
    job.adaptation = adaptations[i / 3];
    job.lower = 1;
    check (&job);
  }
}

static void
expect_error (GError **error, gint code)
{
  g_assert_error (*error, GST_GLES_ERROR, code);
  g_clear_error (error);
}

static void
test_refusals (void)
{
  const GstGlesFrameCompactCall call = { 0, 0, 64, 48, 0, 255, 100, 0 };
  GstGlesFrameCompactConfig config = { GST_GLES_POINTS_THRESHOLD, 3, FALSE };
  g_autoptr (GstGlesFrameCompact) compact = NULL;
  g_autoptr (GstGlesBuffer) points = NULL, small = NULL, counts = NULL;
  g_autoptr (GError) error = NULL;
  Picture picture, other;

  picture_init (&picture, is_cpu ? NULL : queue, GST_VIDEO_FORMAT_I420, 64, 48, STAGED);
  picture_init (&other, is_cpu ? NULL : queue, GST_VIDEO_FORMAT_I420, 64, 48, UNALIGNED);
  g_assert_null (gst_gles_frame_compact_new (queue, &picture.device, &config, &error));
  expect_error (&error, GST_GLES_ERROR_SETTINGS);
  config.channel = 0;
  compact = gst_gles_frame_compact_new (queue, &picture.device, &config, &error);
  g_assert_no_error (error);
  if (!is_cpu) {
    points = spoilt_buffer (8 * 100);
    small = spoilt_buffer (8 * 99);
    counts = spoilt_buffer (sizeof (GstGlesResult));
    g_assert_false (
        gst_gles_frame_compact_run (compact, &other.device, &call, points, counts, &error));
    expect_error (&error, GST_GLES_ERROR_INVALID);
    g_assert_false (
        gst_gles_frame_compact_run (compact, &picture.device, &call, small, counts, &error));
    expect_error (&error, GST_GLES_ERROR_INVALID);
  }
  picture_clear (&picture);
  picture_clear (&other);
}

/* ---- running ---- */

/* Whether the device can run the variant at all. */
static gboolean
variant_runs (void)
{
  g_autoptr (GError) error = NULL;
  GstGlesVariant variant;

  if (!gst_gles_variant_from_environment ("GST_GLES_FRAME_COMPACT_VARIANT", &variant, &error))
    g_error ("%s", error->message);
  if (variant.team == GST_GLES_TEAM_SUBGROUP)
    return (gst_gles_device_get_limits (device)->subgroup_features & 0x3f) == 0x3f;
  if (variant.team == GST_GLES_TEAM_EMULATED)
    return gst_gles_device_get_kind (device) == GST_GLES_DEVICE_SOFTWARE;
  return TRUE;
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  gst_init (NULL, NULL);
  is_cpu = g_strcmp0 (g_getenv ("GLES_TEST_DEVICE"), "cpu") == 0;
  quick = g_getenv ("GLES_TEST_QUICK") != NULL;
  device = is_cpu ? gst_gles_device_new ("cpu", NULL) : gles_test_gl_device ();
  if (device == NULL)
    return gles_test_no_gl ();
  if (!variant_runs ()) {
    g_printerr ("the device cannot run this variant: skipped\n");
    gst_object_unref (device);
    return GLES_TEST_SKIP;
  }
  queue = gst_gles_device_get_queue (device);
  g_test_add_func ("/frame-compact/refusals", test_refusals);
  g_test_add_func ("/frame-compact/formats", test_formats);
  g_test_add_func ("/frame-compact/sizes", test_sizes);
  g_test_add_func ("/frame-compact/regions", test_regions);
  g_test_add_func ("/frame-compact/crops", test_crops);
  g_test_add_func ("/frame-compact/bounds", test_bounds);
  g_test_add_func ("/frame-compact/max-points", test_max_points);
  g_test_add_func ("/frame-compact/large", test_large);
  g_test_add_func ("/frame-compact/adaptations", test_adaptations);
  status = g_test_run ();
  gst_object_unref (device);
  return status;
}
