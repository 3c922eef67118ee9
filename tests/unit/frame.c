/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames in system memory, on the device that GLES_TEST_DEVICE names: every format with whatever
 * strides, offsets and memories reads as it is stored; what is too short or contradicts itself is
 * refused before a byte is read. Buffers end with their last sample. */
#include <string.h>

#include <gst/gles/core/error.h>
#include <gst/gles/import/source.h>
#include <gst/gles/gl/submission.h>

#include "frame-common.h"
#include "gles-test.h"

static GstGlesDevice *device;
static GError *error;

/* x, y, width, height */
typedef guint Crop[4];

static GstVideoMeta *
add_meta (GstBuffer *buffer, Frame *frame)
{
  return gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_INFO_FORMAT (&frame->info), (guint) frame->info.width, (guint) frame->info.height,
      GST_VIDEO_INFO_N_PLANES (&frame->info), frame->offset, frame->stride);
}

/* The first @size bytes of @frame, in one memory. */
static GstBuffer *
frame_buffer (Frame *frame, gsize size)
{
  GstBuffer *buffer = gst_buffer_new ();
  guint8 *copy = g_malloc (MAX (size, 1));

  memcpy (copy, frame->bytes, size);
  gst_buffer_append_memory (buffer, gst_memory_new_wrapped (0, copy, size, 0, size, copy, g_free));
  add_meta (buffer, frame);
  return buffer;
}

static void
set_crop (GstVideoCropMeta *meta, const Crop crop)
{
  meta->x = crop[0];
  meta->y = crop[1];
  meta->width = crop[2];
  meta->height = crop[3];
}

/* Compares every sample of @image in @crop with the stored picture. */
static void
compare (const GstGlesImage *taken, const guint8 *device_bytes, const Frame *frame, const Crop crop)
{
  for (guint i = 0; i < taken->n_components; i++) {
    const GstGlesComponent *c = &taken->components[i], *d = &frame->described.components[i];
    const guint8 *from =
        (device_bytes != NULL ? device_bytes : taken->planes[c->plane]) + c->offset;
    const guint8 *stored = frame->bytes + frame->offset[d->plane] + d->offset;
    guint n = 0;

    for (guint y = 0; y < d->height; y++) {
      for (guint x = 0; x < d->width; x++) {
        /* the place of the sample in the image */
        const guint left = (x << d->sub_x) - crop[0] + taken->crop_x;
        const guint top = (y << d->sub_y) - crop[1] + taken->crop_y;
        guint got, want;

        if (left - taken->crop_x >= crop[2] || top - taken->crop_y >= crop[3])
          continue;
        n++;
        g_assert_true (left % (1u << c->sub_x) == 0 && top % (1u << c->sub_y) == 0);
        g_assert_true (left >> c->sub_x < c->width && top >> c->sub_y < c->height);
        got = frame_word (from, c, c->stride, left >> c->sub_x, top >> c->sub_y);
        want = frame_word (stored, d, (gsize) frame->stride[d->plane], x, y);
        if (frame_sample (got, c) != frame_sample (want, d))
          g_error ("%s %ux%u: %s at %u,%u is 0x%x instead of 0x%x",
              GST_VIDEO_INFO_NAME (&frame->info), crop[2], crop[3], taken->names[i], x, y, got,
              want);
      }
    }
    g_assert_true (d->sub_x + d->sub_y > 0 || n == crop[2] * crop[3]);
  }
}

static GstGlesFrameSource *
new_source (const GstVideoInfo *info)
{
  GstGlesFrameSource *source;

  assert_ok (source = gst_gles_frame_source_new (gst_gles_device_get_queue (device), info, &error));
  return source;
}

static GstGlesFrameCost cost; /* of the last frame */
static GstGlesImage image;

static gboolean
acquire (GstGlesFrameSource *source, GstBuffer *buffer)
{
  return gst_gles_frame_source_acquire (source, buffer, &image, &cost, &error);
}

/* Uploads @buffer and compares the contents of the device. Without @crop the picture is whole. */
static void
take (GstGlesFrameSource *source, GstBuffer *buffer, const Frame *frame, const guint *crop)
{
  const Crop whole = { 0, 0, (guint) frame->info.width, (guint) frame->info.height };
  GstGlesQueue *queue = gst_gles_device_get_queue (device);
  gboolean on_device = gst_gles_device_get_kind (device) != GST_GLES_DEVICE_CPU;
  g_autofree guint8 *bytes = NULL;

  assert_ok (acquire (source, buffer));
  assert_ok (gst_gles_queue_begin (queue, &error));
  assert_ok (gst_gles_frame_source_commit (source, &error));
  assert_ok (gst_gles_queue_end (queue, &error));
  g_assert_cmpuint (image.n_components, ==, frame->described.n_components);
  if (crop == NULL)
    g_assert_true (image.crop_width == image.width && image.crop_height == image.height);
  crop = crop != NULL ? crop : whole;
  g_assert_cmpuint (image.crop_width, ==, crop[2]);
  g_assert_cmpuint (image.crop_height, ==, crop[3]);
  g_assert_cmpuint (image.crop_x + crop[2], <=, image.width);
  g_assert_cmpuint (image.crop_y + crop[3], <=, image.height);
  g_assert_true ((image.buffer != NULL) == on_device);
  g_assert_true ((cost.uploaded_bytes > 0) == on_device);
  if (on_device) {
    gsize size = gst_gles_buffer_get_size (image.buffer);

    bytes = g_malloc (size);
    assert_ok (gst_gles_buffer_download (image.buffer, queue, 0, bytes, size, &error));
  }
  compare (&image, bytes, frame, crop);
  gst_gles_frame_source_release (source);
  /* nothing keeps the buffer or its memory */
  g_assert_true (gst_buffer_is_writable (buffer));
  for (guint i = 0; i < gst_buffer_n_memory (buffer); i++) {
    GstMapInfo map;

    g_assert_true (gst_buffer_map_range (buffer, i, 1, &map, GST_MAP_READWRITE));
    gst_buffer_unmap (buffer, &map);
  }
}

/* ---- what can be read ---- */

static void
take_new (Frame *frame, GstBuffer *buffer)
{
  g_autoptr (GstGlesFrameSource) source = new_source (&frame->info);
  g_autoptr (GstBuffer) owned = buffer;

  take (source, owned, frame, NULL);
}

static void
test_every_format (void)
{
  static const guint sizes[][3] = { { 17, 13, 3 }, { 1, 1, 1 }, { 16, 2, 0 }, { 33, 3, 15 } };
  guint n_formats;
  const GstVideoFormat *formats = gst_gles_format_list (&n_formats);

  for (guint i = 0; i < n_formats * G_N_ELEMENTS (sizes); i++) {
    const guint *size = sizes[i / n_formats];
    g_auto (Frame) frame = frame_new (formats[i % n_formats], size[0], size[1], size[2]);

    take_new (&frame, frame_buffer (&frame, frame.size));
  }
  /* Without a GstVideoMeta planes lie where the caps say. */
  for (guint i = 0; i < n_formats; i++) {
    g_auto (Frame) frame = frame_new (formats[i], 19, 7, 0);

    frame.size = GST_VIDEO_INFO_SIZE (&frame.info);
    frame_fill (&frame);
    for (guint p = 0; p < GST_VIDEO_INFO_N_PLANES (&frame.info); p++) {
      frame.offset[p] = GST_VIDEO_INFO_PLANE_OFFSET (&frame.info, p);
      frame.stride[p] = GST_VIDEO_INFO_PLANE_STRIDE (&frame.info, p);
    }
    take_new (&frame, gst_buffer_new_memdup (frame.bytes, frame.size));
  }
}

/* As v4l2 and some decoders deliver: a memory for each plane. */
static void
test_memory_per_plane (void)
{
  GstBuffer *buffer = gst_buffer_new ();
  gsize at = 0;
  g_auto (Frame) frame = frame_new (GST_VIDEO_FORMAT_I420_10LE, 21, 11, 5);

  for (guint p = 0; p < 3; p++) {
    gsize end = frame.offset[p] + frame.end[p];
    guint8 *copy = g_malloc (end - at);

    memcpy (copy, frame.bytes + at, end - at);
    gst_buffer_append_memory (
        buffer, gst_memory_new_wrapped (0, copy, end - at, 0, end - at, copy, g_free));
    at = end;
  }
  add_meta (buffer, &frame);
  take_new (&frame, buffer);
}

/* Pictures that are stored larger than the caps say: videocrop in place, decoders that pad. */
static void
test_windows (void)
{
  enum {
    WIDTH = 53,
    HEIGHT = 37
  };
  static const gchar *const formats[] = { "I420", "NV12", "Y41B", "UYVY", "I420_10LE", "P010_10LE",
    "RGB", "BGRA", "GRAY8", "GRAY16_BE" };
  /* the caps have the same size */
  static const Crop crops[] = { { 0, 0, 16, 8 }, { 4, 2, 16, 8 }, { 20, 12, 33, 25 },
    { 1, 1, 16, 8 }, { 3, 5, 17, 9 }, { 36, 28, 17, 9 }, { 52, 36, 1, 1 }, { 1, 0, 52, 37 } };

  for (guint i = 0; i < G_N_ELEMENTS (formats) * G_N_ELEMENTS (crops); i++) {
    const GstVideoFormat format = gst_video_format_from_string (formats[i / G_N_ELEMENTS (crops)]);
    const guint *place = crops[i % G_N_ELEMENTS (crops)];
    g_auto (Frame) frame = frame_new (format, WIDTH, HEIGHT, 3);
    g_autoptr (GstBuffer) buffer = frame_buffer (&frame, frame.size);
    GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta (buffer);
    GstVideoInfo info;

    set_crop (crop, place);
    gst_video_info_set_format (&info, format, crop->width, crop->height);
    g_autoptr (GstGlesFrameSource) source = new_source (&info);
    /* twice: what an odd crop widened has to serve the next frame too */
    for (guint turn = 0; turn < 2; turn++)
      take (source, buffer, &frame, place);
    crop->x = WIDTH - crop->width + 1;
    assert_fails (acquire (source, buffer), BAD_FRAME);
    gst_gles_frame_source_release (source);
  }
}

/* ---- what cannot ---- */

static void
assert_refused (const GstVideoInfo *info, GstBuffer *buffer, const gchar *word)
{
  g_autoptr (GstGlesFrameSource) source = new_source (info);
  g_autoptr (GstBuffer) next = NULL;
  g_auto (Frame) good =
      frame_new (GST_VIDEO_INFO_FORMAT (info), (guint) info->width, (guint) info->height, 4);

  g_assert_false (acquire (source, buffer));
  g_assert_nonnull (strstr (error->message, word));
  assert_fails (FALSE, BAD_FRAME);
  gst_gles_frame_source_release (source);
  g_assert_true (gst_buffer_is_writable (buffer));
  /* and the next frame is none the worse for it */
  next = frame_buffer (&good, good.size);
  take (source, next, &good, NULL);
}

static void
test_truncated (void)
{
  static const GstVideoFormat formats[] = { GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_NV12,
    GST_VIDEO_FORMAT_P010_10LE, GST_VIDEO_FORMAT_r210, GST_VIDEO_FORMAT_A420,
    GST_VIDEO_FORMAT_RGB };
  static const guint missing[] = { 1, 2, 3, 17 };

  for (guint i = 0; i < G_N_ELEMENTS (formats) * G_N_ELEMENTS (missing); i++) {
    g_auto (Frame) frame = frame_new (formats[i / G_N_ELEMENTS (missing)], 17, 13, 2);
    g_autoptr (GstBuffer) buffer =
        frame_buffer (&frame, frame.size - missing[i % G_N_ELEMENTS (missing)]);
    assert_refused (&frame.info, buffer, "truncated");
  }
}

/* Planes whose rows overlap, or that are not inside the buffer. */
static void
test_bad_plane (void)
{
  g_auto (Frame) frame = frame_new (GST_VIDEO_FORMAT_I420, 32, 8, 0);

  for (guint plane = 0; plane < 3; plane++) {
    const gint row = frame.stride[plane], strides[] = { row - 1, 0, -row, G_MAXINT };
    const gsize offsets[] = { frame.size - 4, frame.size, G_MAXSIZE - 8 };
    g_autoptr (GstBuffer) buffer = frame_buffer (&frame, frame.size);
    GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);

    for (guint i = 0; i < G_N_ELEMENTS (strides); i++) {
      meta->stride[plane] = strides[i];
      assert_refused (&frame.info, buffer, i < 3 ? "stride" : "truncated");
    }
    meta->stride[plane] = row;
    for (guint i = 0; i < G_N_ELEMENTS (offsets); i++) {
      meta->offset[plane] = offsets[i];
      assert_refused (&frame.info, buffer, "truncated");
    }
  }
}

/* Contradictions between a GstVideoMeta and the caps. */
static void
test_meta_of_another_picture (void)
{
  static const struct {
    GstVideoFormat format;
    guint width, height, n_planes;
  } others[] = {
    { GST_VIDEO_FORMAT_NV12, 31, 8, 2 },
    { GST_VIDEO_FORMAT_NV12, 32, 7, 2 },
    { GST_VIDEO_FORMAT_NV21, 32, 8, 2 },
    { GST_VIDEO_FORMAT_I420, 32, 8, 2 },
    { GST_VIDEO_FORMAT_NV12, 32, 8, 1 },
  };
  g_auto (Frame) frame = frame_new (GST_VIDEO_FORMAT_NV12, 32, 8, 0);

  for (guint i = 0; i < G_N_ELEMENTS (others); i++) {
    g_autoptr (GstBuffer) buffer = frame_buffer (&frame, frame.size);
    GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);

    meta->format = others[i].format;
    meta->width = others[i].width;
    meta->height = others[i].height;
    meta->n_planes = others[i].n_planes;
    assert_refused (&frame.info, buffer, "GstVideoMeta");
  }
}

static void
test_crop (void)
{
  static const Crop good = { 3, 1, 29, 7 };
  static const Crop bad[] = { { 0, 0, 0, 8 }, { 0, 0, 32, 0 }, { 32, 0, 1, 1 }, { 0, 8, 1, 1 },
    { 1, 0, 32, 8 }, { 0, 1, 32, 8 }, { G_MAXUINT, 0, 2, 2 }, { 2, 2, G_MAXUINT, G_MAXUINT } };
  g_auto (Frame) frame = frame_new (GST_VIDEO_FORMAT_I420, 32, 8, 0);
  g_autoptr (GstBuffer) buffer = frame_buffer (&frame, frame.size);
  g_autoptr (GstGlesFrameSource) source = new_source (&frame.info);
  GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta (buffer);

  set_crop (crop, good);
  take (source, buffer, &frame, good);
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++) {
    set_crop (crop, bad[i]);
    assert_refused (&frame.info, buffer, "GstVideoCropMeta");
  }
}

static void
test_unsupported_format (void)
{
  GstVideoInfo info;

  g_assert_true (gst_video_info_set_format (&info, GST_VIDEO_FORMAT_v210, 48, 8));
  assert_fails (
      gst_gles_frame_source_new (gst_gles_device_get_queue (device), &info, &error), SETTINGS);
}

/* A slot that was filled but not committed is free again. */
static void
test_released_without_commit (void)
{
  g_auto (Frame) frame = frame_new (GST_VIDEO_FORMAT_GRAY8, 40, 4, 0);
  g_autoptr (GstBuffer) buffer = frame_buffer (&frame, frame.size);
  g_autoptr (GstGlesFrameSource) source = new_source (&frame.info);
  for (guint i = 0; i < 10; i++) {

    assert_ok (acquire (source, buffer));
    gst_gles_frame_source_release (source);
  }
  take (source, buffer, &frame, NULL);
}

/* What kernels with wide loads rely on. */
static void
test_staged_layout (void)
{
  guint n_formats;
  const GstVideoFormat *formats = gst_gles_format_list (&n_formats);

  for (guint i = 0; i < 3 * n_formats; i++) {
    static const guint widths[] = { 1, 64, 641 };
    g_auto (Frame) frame = frame_new (formats[i % n_formats], widths[i / n_formats], 5, 0);
    g_autoptr (GstGlesFrameSource) source = new_source (&frame.info);
    gst_gles_frame_source_get_layout (source, &image);
    for (guint k = 0; k < image.n_components; k++) {
      const GstGlesComponent *c = &image.components[k], *d = &frame.described.components[k];
      guint n_rows;
      gsize bytes = frame_row_bytes (&frame.described, c->plane, &n_rows);

      g_assert_cmpuint (c->stride % 16, ==, 0);
      g_assert_cmpuint (c->stride, >=, bytes);
      g_assert_cmpuint (c->stride, <, bytes + 16);
      g_assert_cmpuint ((c->offset - d->offset) % 64, ==, 0);
    }
  }
}

int
main (int argc, char **argv)
{
  gint result;

  device = gles_test_begin (&argc, &argv, TRUE);
  if (device == NULL)
    return gles_test_no_gl ();
  g_test_add_func ("/frame/every-format", test_every_format);
  g_test_add_func ("/frame/memory-per-plane", test_memory_per_plane);
  g_test_add_func ("/frame/windows", test_windows);
  g_test_add_func ("/frame/truncated", test_truncated);
  g_test_add_func ("/frame/bad-plane", test_bad_plane);
  g_test_add_func ("/frame/meta-of-another-picture", test_meta_of_another_picture);
  g_test_add_func ("/frame/crop", test_crop);
  g_test_add_func ("/frame/unsupported-format", test_unsupported_format);
  g_test_add_func ("/frame/released-without-commit", test_released_without_commit);
  if (gst_gles_device_get_kind (device) != GST_GLES_DEVICE_CPU)
    g_test_add_func ("/frame/staged-layout", test_staged_layout);
  result = g_test_run ();
  gst_object_unref (device);
  return result;
}
