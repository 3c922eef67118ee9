/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The noise of pictures: the kernel and native code against a plain loop. */
#include <string.h>

#include <gst/gles/algo/frame/frame-noise.h>
#include <gst/gles/algo/frame/plan.h>
#include <gst/gles/gl/queue.h>

#include "array-cases.h"
#include "frame-cases.h"

#define N_FRAMES 4

typedef guint32 Bins[GST_GLES_FRAME_NOISE_BINS];

/* Counts the changes from @before to @bytes, pictures of the size of @c; NULL: none. */
static void
count_plainly (const GstGlesComponent *c, const guint8 *before, const guint8 *bytes, Bins bins)
{
  memset (bins, 0, sizeof (Bins));
  for (guint y = 0; before != NULL && y < c->height; y += 16) {
    for (guint x = 0; x < c->width; x++) {
      const gint change = bytes[(gsize) y * c->width + x] - before[(gsize) y * c->width + x];

      bins[change < -64 ? 0 : change > 63 ? 127 : change + 64]++;
    }
  }
}

static void
check_bins (const guint32 *bins, const Bins expected, const gchar *where, guint frame)
{
  for (guint i = 0; i < GST_GLES_FRAME_NOISE_BINS; i++) {
    if (bins[i] != expected[i])
      g_error ("%s, frame %u: bin %u has %u instead of %u", where, frame, i, bins[i], expected[i]);
  }
}

static void
run_device (GstGlesFrameNoise *noise, const Picture *picture, const Bins expected,
    const gchar *where, guint frame)
{
  g_autoptr (GstGlesReadback) counts = NULL;
  GError *error = NULL;
  const guint32 *bins;
  gsize size_bytes;

  assert_ok (gst_gles_frame_noise_run (noise, picture_input (picture), &counts, &error));
  g_assert_true ((counts != NULL) == (frame > 0));
  if (counts == NULL)
    return;
  bins = gst_gles_readback_get (counts, GST_GLES_WAIT_FOREVER, &size_bytes, &error);
  assert_ok (bins != NULL);
  g_assert_cmpuint (size_bytes, ==, sizeof (Bins));
  check_bins (bins, expected, where, frame);
}

/* @twice: on the device once more, after it was saved. */
static void
check_frame (GstGlesFrameNoise *noise, const Picture *picture, guint8 **kept, const Bins expected,
    gboolean twice, const gchar *where, guint frame)
{
  GError *error = NULL;
  Bins bins;

  assert_ok (gst_gles_frame_noise_run_native (noise, &picture->host, kept, bins, &error));
  check_bins (bins, expected, where, frame);
  if (twice) {
    g_assert_true (gst_gles_queue_begin (array_test.queue, &error) &&
        gst_gles_frame_plan_save (GST_GLES_FRAME_PLAN (noise), &error) &&
        gst_gles_queue_end (array_test.queue, &error));
    run_device (noise, picture, expected, where, frame);
    gst_gles_frame_plan_restore (GST_GLES_FRAME_PLAN (noise));
  }
  run_device (noise, picture, expected, where, frame);
}

static void
check (GstVideoFormat format, gint channel, guint width, guint height, Placement placement)
{
  static const Content contents[N_FRAMES] = { CONTENT_NOISE, CONTENT_SLOPE, CONTENT_SLOPE,
    CONTENT_NOISE };
  g_autofree gchar *where =
      g_strdup_printf ("%s%s %ux%u channel %d", gst_video_format_to_string (format),
          placement == UNALIGNED ? " unaligned" : "", width, height, channel);
  g_autoptr (GstGlesFrameNoise) noise = NULL;
  GError *error = NULL;
  Picture picture;

  g_test_message ("%s", where);
  picture_init (&picture, format, width, height, placement);
  if (channel < (gint) picture.host.n_components) {
    noise = gst_gles_frame_noise_new (array_test.queue, picture_input (&picture), channel, &error);
    g_assert_no_error (error);
  }
  for (guint turn = 0; noise != NULL && turn < 2; turn++) {
    g_autofree guint8 *kept = NULL, *before = NULL;

    for (guint i = 0; i < N_FRAMES; i++) {
      g_autofree guint8 *bytes = NULL;
      Bins expected;

      picture_fill (&picture, contents[(i + turn) % N_FRAMES], 1);
      picture_upload (&picture);
      bytes = picture_read_8_bits (&picture.host, channel);
      count_plainly (&picture.host.components[MAX (channel, 0)], before, bytes, expected);
      check_frame (noise, &picture, &kept, expected, i % 3 == turn, where, i);
      g_free (before);
      before = g_steal_pointer (&bytes);
    }
    gst_gles_frame_plan_reset (GST_GLES_FRAME_PLAN (noise));
  }
  picture_clear (&picture);
}

static void
test_formats (void)
{
  for (guint i = 0; i < n_formats; i++) {
    check (formats[i], GST_GLES_FRAME_LUMA, 67, 35, i % 2 == 0 ? STAGED : UNALIGNED);
    if (i < n_basic_formats)
      check (formats[i], 2, 45, 29, UNALIGNED);
  }
}

/* Around words and measured rows. */
static void
test_sizes (void)
{
  static const guint sizes[][2] = { { 1, 1 }, { 2, 16 }, { 3, 17 }, { 4, 15 }, { 5, 32 },
    { 16, 33 }, { 17, 48 }, { 64, 49 }, { 257, 67 }, { 1030, 20 } };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    check (GST_VIDEO_FORMAT_GRAY8, 0, sizes[i][0], sizes[i][1], STAGED);
    check (GST_VIDEO_FORMAT_NV12, 0, sizes[i][0], sizes[i][1], UNALIGNED);
  }
}

static void
test_refusals (void)
{
  g_autoptr (GstGlesFrameNoise) noise = NULL;
  g_autoptr (GstGlesReadback) counts = NULL;
  GError *error = NULL;
  Picture picture, other;

  picture_init (&picture, GST_VIDEO_FORMAT_I420, 64, 48, STAGED);
  picture_init (&other, GST_VIDEO_FORMAT_I420, 64, 48, UNALIGNED);
  noise = gst_gles_frame_noise_new (array_test.queue, picture_input (&picture), 0, &error);
  g_assert_no_error (error);
  if (gst_gles_device_get_kind (array_test.device) == GST_GLES_DEVICE_CPU)
    /* decoders pad rows otherwise than caps say */
    assert_ok (gst_gles_frame_noise_run (noise, picture_input (&other), &counts, &error));
  else
    assert_fails (
        gst_gles_frame_noise_run (noise, picture_input (&other), &counts, &error), INVALID);
  picture_clear (&picture);
  picture_clear (&other);
}

static void
add (void)
{
  g_test_add_func ("/frame-noise/refusals", test_refusals);
  g_test_add_func ("/frame-noise/formats", test_formats);
  g_test_add_func ("/frame-noise/sizes", test_sizes);
}

ARRAY_TEST_MAIN (NULL, add)
