/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The border of frames: the kernel against the native twin, bit for bit, and the twin against a
 * plain loop. */
#include <string.h>

#include <gst/gles/algo/frame/frame-rows.h>

#include "array-cases.h"
#include "frame-cases.h"

#define OFFSET 8
#define WORDS GST_GLES_FRAME_ROWS_CROP_WORDS

static void
widen (guint32 *words, guint i, guint n)
{
  words[0] = MAX (words[0], n - i);
  words[1] = MAX (words[1], i + 1);
}

/* What the words should say of @host. */
static void
expect (const GstGlesImage *host, const GstGlesFrameRegion *r, guint limit, guint32 *words)
{
  memset (words, 0, WORDS * sizeof *words);
  for (guint y = 0; y < r->height; y++) {
    guint64 sum = 0;

    for (guint x = 0; x < r->width; x++)
      sum += picture_value (host, 0, TRUE, r->x + x, r->y + y);
    if (sum / r->width > limit)
      widen (words, y, r->height);
  }
  for (guint x = 0; x < r->width; x++) {
    guint64 sum = 0;

    for (guint y = 0; y < r->height; y++)
      sum += picture_value (host, 0, TRUE, r->x + x, r->y + y);
    if (sum / r->height > limit)
      widen (words + 2, x, r->width);
  }
}

static void
check_frame (GstGlesFrameRows *crop, const Picture *picture, GstGlesBuffer *out,
    const guint32 *plain, const gchar *where)
{
  guint32 twin[OFFSET + WORDS];
  GError *error = NULL;

  memset (twin, 0xa5, sizeof twin); /* as the rest that must stay */
  assert_ok (gst_gles_frame_rows_run_native (crop, &picture->host, NULL, twin + OFFSET, &error));
  for (guint i = 0; i < WORDS; i++) {
    if (twin[OFFSET + i] != plain[i])
      g_error ("%s: word %u of the twin is %u instead of %u", where, i, twin[OFFSET + i], plain[i]);
  }
  array_spoil (out);
  assert_ok (gst_gles_frame_rows_run (crop, picture_input (picture), out, OFFSET, &error));
  array_check (out, twin, OFFSET + WORDS, where);
}

static void
check (GstVideoFormat format, guint width, guint height, const GstGlesFrameRegion *region,
    guint limit, Placement placement)
{
  static const Content contents[] = { CONTENT_NOISE, CONTENT_RAMP, CONTENT_ZEROS, CONTENT_SLOPE,
    CONTENT_TWO_VALUES, CONTENT_MAX, CONTENT_CONSTANT };
  g_autofree gchar *where =
      g_strdup_printf ("%s %ux%u limit %u%s", gst_video_format_to_string (format), width, height,
          limit, placement == UNALIGNED ? " unaligned" : "");
  g_autoptr (GstGlesFrameRows) crop = NULL;
  g_autoptr (GstGlesBuffer) out = array_buffer (OFFSET + WORDS);
  const GstGlesFrameRowsConfig config = { GST_GLES_FRAME_ROWS_CROP, *region, FALSE, limit };
  GError *error = NULL;
  Picture picture;

  g_test_message ("%s", where);
  picture_init (&picture, format, width, height, placement);
  crop = gst_gles_frame_rows_new (array_test.queue, picture_input (&picture), &config, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (contents); i++) {
    guint32 plain[WORDS];

    picture_fill (&picture, contents[i], i);
    picture_upload (&picture);
    expect (&picture.host, region, limit, plain);
    check_frame (crop, &picture, out, plain, where);
  }
  picture_clear (&picture);
}

static void
test_formats (void)
{
  for (guint i = 0; i < n_formats; i++) {
    const GstGlesFrameRegion region = { i % 3, i % 5, 60, 29 };

    check (formats[i], 67, 35, &region, 24, i % 2 == 0 ? STAGED : UNALIGNED);
  }
}

/* Around vectors and groups of columns, in both directions. */
static void
test_sizes (void)
{
  static const guint sizes[][2] = { { 1, 1 }, { 2, 3 }, { 7, 300 }, { 8, 9 }, { 17, 16 },
    { 130, 48 }, { 1033, 40 }, { 3, 1100 }, { 2100, 270 } };
  static const GstVideoFormat few[] = { GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_NV12,
    GST_VIDEO_FORMAT_I420_10LE, GST_VIDEO_FORMAT_GRAY16_LE, GST_VIDEO_FORMAT_RGB };

  for (guint i = 0; i < G_N_ELEMENTS (sizes) * G_N_ELEMENTS (few); i++) {
    const guint *size = sizes[i / G_N_ELEMENTS (few)];
    const GstGlesFrameRegion region = { 0, 0, size[0], size[1] };

    check (few[i % G_N_ELEMENTS (few)], size[0], size[1], &region, i * 5 % 256, STAGED);
  }
}

static void
test_refusals (void)
{
  const GstGlesFrameRowsConfig config = { GST_GLES_FRAME_ROWS_CROP, { 0, 0, 32768, 1 }, FALSE, 24 };
  GError *error = NULL;
  Picture picture;

  picture_init (&picture, GST_VIDEO_FORMAT_GRAY8, 32768, 1, STAGED);
  assert_fails (
      gst_gles_frame_rows_new (array_test.queue, picture_input (&picture), &config, &error) != NULL,
      TOO_LARGE);
  picture_clear (&picture);
}

static void
add (void)
{
  g_test_add_func ("/frame-crop/refusals", test_refusals);
  g_test_add_func ("/frame-crop/formats", test_formats);
  g_test_add_func ("/frame-crop/sizes", test_sizes);
}

ARRAY_TEST_MAIN (NULL, add)
