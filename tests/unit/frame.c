/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames in system memory, on the device that GLES_TEST_DEVICE names: every format with whatever
 * strides, offsets and memories reads as it is stored; what is too short or contradicts itself is
 * refused before a byte is read. Buffers end with their last sample. */
#include <string.h>

#include <gst/gles/core/error.h>
#include <gst/gles/frame/format.h>
#include <gst/gles/frame/source.h>
#include <gst/gles/gl/submission.h>

#include "gles-test.h"

static GstGlesDevice *device;

/* A frame as a buffer has it: planes of noise at odd offsets with odd strides. */
typedef struct {
  GstVideoInfo info; /* as the caps say */
  GstGlesImage described;
  gsize offset[GST_VIDEO_MAX_PLANES]; /* in the buffer */
  gint stride[GST_VIDEO_MAX_PLANES];
  gsize end[GST_VIDEO_MAX_PLANES]; /* of the last sample, from the plane's offset on */
  gsize size;
  guint8 *bytes;
} Frame;

static gsize
row_bytes (const GstGlesImage *image, guint plane, guint *n_rows)
{
  gsize bytes = 0;

  *n_rows = 0;
  for (guint i = 0; i < image->n_components; i++) {
    const GstGlesComponent *c = &image->components[i];

    if (c->plane != plane)
      continue;
    bytes = MAX (bytes, c->offset + (gsize) (c->width - 1) * c->step + c->word_bytes);
    *n_rows = MAX (*n_rows, c->height);
  }
  return bytes;
}

/* @spare: bytes of each row behind its last sample, and of the buffer before each plane. */
static void
frame_init (Frame *frame, GstVideoFormat format, guint width, guint height, guint spare)
{
  memset (frame, 0, sizeof *frame);
  g_assert_true (gst_video_info_set_format (&frame->info, format, width, height));
  g_assert_true (gst_gles_format_describe (&frame->info, &frame->described, NULL));
  for (guint p = 0; p < GST_VIDEO_INFO_N_PLANES (&frame->info); p++) {
    guint n_rows;
    gsize bytes = row_bytes (&frame->described, p, &n_rows);

    frame->offset[p] = frame->size + spare;
    frame->stride[p] = (gint) (bytes + spare);
    frame->end[p] = (gsize) frame->stride[p] * (n_rows - 1) + bytes;
    frame->size = frame->offset[p] + frame->end[p];
  }
  frame->bytes = g_malloc (frame->size);
  for (gsize i = 0; i < frame->size; i++)
    frame->bytes[i] = (guint8) g_test_rand_int ();
}

static void
frame_clear (Frame *frame)
{
  g_free (frame->bytes);
}

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

static guint
read_sample (
    const guint8 *plane, const GstGlesComponent *c, gsize offset, gsize stride, guint x, guint y)
{
  const guint8 *bytes = plane + offset + y * stride + (gsize) x * c->step;
  guint word = 0;

  for (guint i = 0; i < c->word_bytes; i++)
    word |= (guint) bytes[c->big_endian ? c->word_bytes - 1 - i : i] << (8 * i);
  return word >> c->shift & ((1u << c->depth) - 1);
}

/* Compares every sample of @image with the bytes of @frame. */
static void
compare (const GstGlesImage *image, const guint8 *device_bytes, const Frame *frame)
{
  g_assert_cmpuint (image->n_components, ==, frame->described.n_components);
  for (guint i = 0; i < image->n_components; i++) {
    const GstGlesComponent *c = &image->components[i], *d = &frame->described.components[i];
    const guint8 *from = device_bytes != NULL ? device_bytes : image->planes[c->plane];

    g_assert_cmpuint (c->width, ==, d->width);
    g_assert_cmpuint (c->height, ==, d->height);
    for (guint y = 0; y < c->height; y++) {
      for (guint x = 0; x < c->width; x++) {
        guint got = read_sample (from, c, c->offset, c->stride, x, y);
        guint stored = read_sample (frame->bytes + frame->offset[d->plane], d, d->offset,
            (gsize) frame->stride[d->plane], x, y);

        if (got != stored)
          g_error ("%s %dx%d: %s at %u,%u is %u instead of %u", GST_VIDEO_INFO_NAME (&frame->info),
              frame->info.width, frame->info.height, image->names[i], x, y, got, stored);
      }
    }
  }
}

static GstGlesFrameSource *
new_source (const GstVideoInfo *info)
{
  GError *error = NULL;
  GstGlesFrameSource *source =
      gst_gles_frame_source_new (gst_gles_device_get_queue (device), info, &error);

  g_assert_no_error (error);
  return source;
}

/* Uploads @buffer and compares the contents of the device. */
static void
take (GstGlesFrameSource *source, GstBuffer *buffer, const Frame *frame)
{
  GstGlesQueue *queue = gst_gles_device_get_queue (device);
  gboolean on_device = gst_gles_device_get_kind (device) != GST_GLES_DEVICE_CPU;
  g_autofree guint8 *bytes = NULL;
  GstGlesFrameCost cost;
  GstGlesImage image;
  GError *error = NULL;

  gst_gles_frame_source_acquire (source, buffer, &image, &cost, &error);
  g_assert_no_error (error);
  g_assert_true (gst_gles_queue_begin (queue, &error));
  g_assert_true (gst_gles_frame_source_commit (source, &error));
  g_assert_true (gst_gles_queue_end (queue, &error));
  g_assert_cmpuint (image.crop_width, ==, image.width);
  g_assert_true ((image.buffer != NULL) == on_device);
  g_assert_true ((cost.uploaded_bytes > 0) == on_device);
  if (on_device) {
    gsize size = gst_gles_buffer_get_size (image.buffer);

    bytes = g_malloc (size);
    g_assert_true (gst_gles_buffer_download (image.buffer, queue, 0, bytes, size, &error));
    g_assert_no_error (error);
  }
  compare (&image, bytes, frame);
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
test_every_format (void)
{
  static const guint sizes[][3] = { { 17, 13, 3 }, { 1, 1, 1 }, { 16, 2, 0 }, { 33, 3, 15 } };
  guint n_formats;
  const GstVideoFormat *formats = gst_gles_format_list (&n_formats);

  for (guint i = 0; i < n_formats * G_N_ELEMENTS (sizes); i++) {
    const guint *size = sizes[i / n_formats];
    Frame frame;

    frame_init (&frame, formats[i % n_formats], size[0], size[1], size[2]);
    g_autoptr (GstBuffer) buffer = frame_buffer (&frame, frame.size);
    g_autoptr (GstGlesFrameSource) source = new_source (&frame.info);
    take (source, buffer, &frame);
    frame_clear (&frame);
  }
}

/* Without a GstVideoMeta planes lie where the caps say. */
static void
test_no_meta (void)
{
  guint n_formats;
  const GstVideoFormat *formats = gst_gles_format_list (&n_formats);

  for (guint i = 0; i < n_formats; i++) {
    Frame frame;

    frame_init (&frame, formats[i], 19, 7, 0);
    frame.size = GST_VIDEO_INFO_SIZE (&frame.info);
    g_free (frame.bytes);
    frame.bytes = g_malloc (frame.size);
    for (gsize k = 0; k < frame.size; k++)
      frame.bytes[k] = (guint8) g_test_rand_int ();
    for (guint p = 0; p < GST_VIDEO_INFO_N_PLANES (&frame.info); p++) {
      frame.offset[p] = GST_VIDEO_INFO_PLANE_OFFSET (&frame.info, p);
      frame.stride[p] = GST_VIDEO_INFO_PLANE_STRIDE (&frame.info, p);
    }
    g_autoptr (GstBuffer) buffer = gst_buffer_new_memdup (frame.bytes, frame.size);
    g_autoptr (GstGlesFrameSource) source = new_source (&frame.info);
    take (source, buffer, &frame);
    frame_clear (&frame);
  }
}

/* Frames that follow each other differ in strides; more of them than there are slots. */
static void
test_many_frames (void)
{
  GstVideoInfo info;

  g_assert_true (gst_video_info_set_format (&info, GST_VIDEO_FORMAT_I420, 50, 20));
  g_autoptr (GstGlesFrameSource) source = new_source (&info);
  for (guint i = 0; i < 20; i++) {
    Frame frame;

    frame_init (&frame, GST_VIDEO_FORMAT_I420, 50, 20, i);
    g_autoptr (GstBuffer) buffer = frame_buffer (&frame, frame.size);
    take (source, buffer, &frame);
    frame_clear (&frame);
  }
}

/* As v4l2 and some decoders deliver: a memory for each plane. */
static void
test_memory_per_plane (void)
{
  g_autoptr (GstBuffer) buffer = gst_buffer_new ();
  gsize at = 0;
  Frame frame;

  frame_init (&frame, GST_VIDEO_FORMAT_I420_10LE, 21, 11, 5);
  for (guint p = 0; p < 3; p++) {
    gsize end = frame.offset[p] + frame.end[p];
    guint8 *copy = g_malloc (end - at);

    memcpy (copy, frame.bytes + at, end - at);
    gst_buffer_append_memory (
        buffer, gst_memory_new_wrapped (0, copy, end - at, 0, end - at, copy, g_free));
    at = end;
  }
  add_meta (buffer, &frame);
  g_autoptr (GstGlesFrameSource) source = new_source (&frame.info);
  take (source, buffer, &frame);
  frame_clear (&frame);
}

/* ---- what cannot ---- */

static void
assert_refused (const GstVideoInfo *info, GstBuffer *buffer, const gchar *word)
{
  g_autoptr (GstGlesFrameSource) source = new_source (info);
  g_autoptr (GError) error = NULL;
  GstGlesFrameCost cost;
  GstGlesImage image;
  Frame good;

  g_assert_false (gst_gles_frame_source_acquire (source, buffer, &image, &cost, &error));
  g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_BAD_FRAME);
  g_assert_nonnull (strstr (error->message, word));
  gst_gles_frame_source_release (source);
  g_assert_true (gst_buffer_is_writable (buffer));
  /* and the next frame is none the worse for it */
  frame_init (&good, GST_VIDEO_INFO_FORMAT (info), (guint) info->width, (guint) info->height, 4);
  g_autoptr (GstBuffer) next = frame_buffer (&good, good.size);
  take (source, next, &good);
  frame_clear (&good);
}

static void
test_truncated (void)
{
  static const GstVideoFormat formats[] = { GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_NV12,
    GST_VIDEO_FORMAT_P010_10LE, GST_VIDEO_FORMAT_r210, GST_VIDEO_FORMAT_A420,
    GST_VIDEO_FORMAT_RGB };
  static const guint missing[] = { 1, 2, 3, 17 };

  for (guint i = 0; i < G_N_ELEMENTS (formats) * G_N_ELEMENTS (missing); i++) {
    Frame frame;

    frame_init (&frame, formats[i / G_N_ELEMENTS (missing)], 17, 13, 2);
    g_autoptr (GstBuffer) buffer =
        frame_buffer (&frame, frame.size - missing[i % G_N_ELEMENTS (missing)]);
    assert_refused (&frame.info, buffer, "truncated");
    frame_clear (&frame);
  }
}

static void
test_truncated_without_meta (void)
{
  GstVideoInfo info;

  g_assert_true (gst_video_info_set_format (&info, GST_VIDEO_FORMAT_I420, 16, 16));
  g_autoptr (GstBuffer) buffer = gst_buffer_new_allocate (NULL, info.size - 1, NULL);
  g_autoptr (GstBuffer) empty = gst_buffer_new ();
  assert_refused (&info, buffer, "truncated");
  assert_refused (&info, empty, "truncated");
}

static void
test_stride_below_row (void)
{
  Frame frame;

  frame_init (&frame, GST_VIDEO_FORMAT_NV12, 32, 8, 0);
  for (guint plane = 0; plane < 2; plane++) {
    g_autoptr (GstBuffer) buffer = frame_buffer (&frame, frame.size);
    GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);

    meta->stride[plane] = 31;
    assert_refused (&frame.info, buffer, "stride");
    meta->stride[plane] = 0;
    assert_refused (&frame.info, buffer, "stride");
    meta->stride[plane] = -32;
    assert_refused (&frame.info, buffer, "stride");
  }
  frame_clear (&frame);
}

static void
test_plane_outside (void)
{
  Frame frame;

  frame_init (&frame, GST_VIDEO_FORMAT_I420, 32, 8, 0);
  for (guint plane = 0; plane < 3; plane++) {
    g_autoptr (GstBuffer) buffer = frame_buffer (&frame, frame.size);
    GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);

    meta->offset[plane] = frame.size - 4;
    assert_refused (&frame.info, buffer, "truncated");
    meta->offset[plane] = frame.size;
    assert_refused (&frame.info, buffer, "truncated");
    meta->offset[plane] = G_MAXSIZE - 8;
    assert_refused (&frame.info, buffer, "truncated");
    meta->offset[plane] = frame.offset[plane];
    meta->stride[plane] = G_MAXINT;
    assert_refused (&frame.info, buffer, "truncated");
  }
  frame_clear (&frame);
}

/* Contradictions between a GstVideoMeta and the caps. */
static void
test_meta_of_another_picture (void)
{
  Frame frame;

  frame_init (&frame, GST_VIDEO_FORMAT_NV12, 32, 8, 0);
  g_autoptr (GstBuffer) buffer = frame_buffer (&frame, frame.size);
  GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);

  meta->width = 31;
  assert_refused (&frame.info, buffer, "GstVideoMeta");
  meta->width = 32;
  meta->height = 7;
  assert_refused (&frame.info, buffer, "GstVideoMeta");
  meta->height = 8;
  meta->format = GST_VIDEO_FORMAT_NV21;
  assert_refused (&frame.info, buffer, "GstVideoMeta");
  meta->format = GST_VIDEO_FORMAT_I420;
  assert_refused (&frame.info, buffer, "GstVideoMeta");
  meta->format = GST_VIDEO_FORMAT_NV12;
  meta->n_planes = 1;
  assert_refused (&frame.info, buffer, "GstVideoMeta");
  frame_clear (&frame);
}

static void
test_crop (void)
{
  static const guint bad[][4] = { { 0, 0, 0, 8 }, { 0, 0, 32, 0 }, { 32, 0, 1, 1 }, { 0, 8, 1, 1 },
    { 1, 0, 32, 8 }, { 0, 1, 32, 8 }, { G_MAXUINT, 0, 2, 2 }, { 2, 2, G_MAXUINT, G_MAXUINT } };
  Frame frame;

  frame_init (&frame, GST_VIDEO_FORMAT_I420, 32, 8, 0);
  g_autoptr (GstBuffer) buffer = frame_buffer (&frame, frame.size);
  g_autoptr (GstGlesFrameSource) source = new_source (&frame.info);
  GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta (buffer);
  GstGlesFrameCost cost;
  GstGlesImage image;

  crop->x = 3;
  crop->y = 1;
  crop->width = 29;
  crop->height = 7;
  g_assert_true (gst_gles_frame_source_acquire (source, buffer, &image, &cost, NULL));
  g_assert_cmpuint (image.crop_x, ==, 3);
  g_assert_cmpuint (image.crop_y, ==, 1);
  g_assert_cmpuint (image.crop_width, ==, 29);
  g_assert_cmpuint (image.crop_height, ==, 7);
  gst_gles_frame_source_release (source);
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++) {
    crop->x = bad[i][0];
    crop->y = bad[i][1];
    crop->width = bad[i][2];
    crop->height = bad[i][3];
    assert_refused (&frame.info, buffer, "GstVideoCropMeta");
  }
  frame_clear (&frame);
}

static void
test_unsupported_format (void)
{
  g_autoptr (GError) error = NULL;
  GstVideoInfo info;

  g_assert_true (gst_video_info_set_format (&info, GST_VIDEO_FORMAT_v210, 48, 8));
  g_assert_null (gst_gles_frame_source_new (gst_gles_device_get_queue (device), &info, &error));
  g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS);
}

/* A slot that was filled but not committed is free again. */
static void
test_released_without_commit (void)
{
  Frame frame;

  frame_init (&frame, GST_VIDEO_FORMAT_GRAY8, 40, 4, 0);
  g_autoptr (GstBuffer) buffer = frame_buffer (&frame, frame.size);
  g_autoptr (GstGlesFrameSource) source = new_source (&frame.info);
  for (guint i = 0; i < 10; i++) {
    GstGlesFrameCost cost;
    GstGlesImage image;

    g_assert_true (gst_gles_frame_source_acquire (source, buffer, &image, &cost, NULL));
    gst_gles_frame_source_release (source);
  }
  take (source, buffer, &frame);
  frame_clear (&frame);
}

/* What kernels with wide loads rely on. */
static void
test_staged_layout (void)
{
  guint n_formats;
  const GstVideoFormat *formats = gst_gles_format_list (&n_formats);

  for (guint i = 0; i < 3 * n_formats; i++) {
    static const guint widths[] = { 1, 64, 641 };
    GstGlesImage image;
    Frame frame;

    frame_init (&frame, formats[i % n_formats], widths[i / n_formats], 5, 0);
    g_autoptr (GstGlesFrameSource) source = new_source (&frame.info);
    gst_gles_frame_source_get_layout (source, &image);
    for (guint k = 0; k < image.n_components; k++) {
      const GstGlesComponent *c = &image.components[k], *d = &frame.described.components[k];
      guint n_rows;
      gsize bytes = row_bytes (&frame.described, c->plane, &n_rows);

      g_assert_cmpuint (c->stride % 16, ==, 0);
      g_assert_cmpuint (c->stride, >=, bytes);
      g_assert_cmpuint (c->stride, <, bytes + 16);
      g_assert_cmpuint ((c->offset - d->offset) % 64, ==, 0);
    }
    frame_clear (&frame);
  }
}

int
main (int argc, char **argv)
{
  gint result;

  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  if (g_strcmp0 (g_getenv ("GLES_TEST_DEVICE"), "cpu") == 0)
    device = gst_gles_device_new ("cpu", NULL);
  else
    device = gles_test_gl_device ();
  if (device == NULL)
    return gles_test_no_gl ();
  g_test_add_func ("/frame/every-format", test_every_format);
  g_test_add_func ("/frame/no-meta", test_no_meta);
  g_test_add_func ("/frame/many-frames", test_many_frames);
  g_test_add_func ("/frame/memory-per-plane", test_memory_per_plane);
  g_test_add_func ("/frame/truncated", test_truncated);
  g_test_add_func ("/frame/truncated-without-meta", test_truncated_without_meta);
  g_test_add_func ("/frame/stride-below-row", test_stride_below_row);
  g_test_add_func ("/frame/plane-outside", test_plane_outside);
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
