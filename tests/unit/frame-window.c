/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Pictures that are stored larger than the caps say (videocrop in place, decoders that pad): the
 * samples in the crop of an image are those of the stored picture there. */
#include <string.h>

#include <gst/gles/frame/format.h>
#include <gst/gles/frame/source.h>
#include <gst/gles/gl/submission.h>

#include "gles-test.h"

#define STORED_WIDTH 53
#define STORED_HEIGHT 37

static GstGlesDevice *device;
static const gchar *formats[] = { "I420", "NV12", "Y41B", "UYVY", "I420_10LE", "P010_10LE", "RGB",
  "BGRA", "GRAY8", "GRAY16_BE" };

/* x, y, width, height; the caps have the same size */
static const guint crops[][4] = {
  { 0, 0, 16, 8 },
  { 4, 2, 16, 8 },
  { 20, 12, 33, 25 },
  { 1, 1, 16, 8 },
  { 3, 5, 17, 9 },
  { 36, 28, 17, 9 },
  { 52, 36, 1, 1 },
  { 1, 0, 52, 37 },
};

static GstBuffer *
stored_picture (GstVideoFormat format, GstVideoInfo *info)
{
  g_assert_true (gst_video_info_set_format (info, format, STORED_WIDTH, STORED_HEIGHT));
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, GST_VIDEO_INFO_SIZE (info), NULL);
  GstMapInfo map;

  g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  for (gsize i = 0; i < map.size; i++)
    map.data[i] = g_random_int_range (0, 256);
  gst_buffer_unmap (buffer, &map);
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE, format, STORED_WIDTH,
      STORED_HEIGHT, GST_VIDEO_INFO_N_PLANES (info), info->offset, info->stride);
  return buffer;
}

static guint32
sample (const guint8 *at, const GstGlesComponent *c, guint x, guint y)
{
  const guint8 *word = at + c->offset + (gsize) y * c->stride + (gsize) x * c->step;
  guint32 value = 0;

  for (guint i = 0; i < c->word_bytes; i++)
    value |= (guint32) word[c->big_endian ? c->word_bytes - 1 - i : i] << (8 * i);
  return (value >> c->shift) & ((1u << c->depth) - 1);
}

/* Compares the samples of component @c in the crop of @image with those of the stored picture. */
static void
compare_component (const GstGlesImage *image, guint c, const guint8 *memory,
    const GstGlesImage *stored, const guint8 *stored_plane, const guint crop[4])
{
  const GstGlesComponent *mine = &image->components[c], *theirs = &stored->components[c];
  guint n = 0;

  for (guint y = 0; y < theirs->height; y++) {
    for (guint x = 0; x < theirs->width; x++) {
      gint luma_x = (gint) (x << theirs->sub_x) - (gint) crop[0];
      gint luma_y = (gint) (y << theirs->sub_y) - (gint) crop[1];

      if (luma_x < 0 || luma_y < 0 || luma_x >= (gint) crop[2] || luma_y >= (gint) crop[3])
        continue;
      guint my_x = (luma_x + image->crop_x) >> mine->sub_x;
      guint my_y = (luma_y + image->crop_y) >> mine->sub_y;
      g_assert_cmpuint ((luma_x + image->crop_x) % (1u << mine->sub_x), ==, 0);
      g_assert_cmpuint ((luma_y + image->crop_y) % (1u << mine->sub_y), ==, 0);
      g_assert_cmpuint (my_x, <, mine->width);
      g_assert_cmpuint (my_y, <, mine->height);
      g_assert_cmpuint (sample (memory, mine, my_x, my_y), ==, sample (stored_plane, theirs, x, y));
      n++;
    }
  }
  if (theirs->sub_x == 0 && theirs->sub_y == 0)
    g_assert_cmpuint (n, ==, crop[2] * crop[3]);
}

static void
compare_image (const GstGlesImage *image, GstBuffer *buffer, const GstVideoInfo *stored_info,
    const guint crop[4])
{
  GError *error = NULL;
  g_autofree guint8 *staged = NULL;
  GstGlesImage stored;
  GstMapInfo map;

  g_assert_cmpuint (image->crop_width, ==, crop[2]);
  g_assert_cmpuint (image->crop_height, ==, crop[3]);
  g_assert_cmpuint (image->crop_x + crop[2], <=, image->width);
  g_assert_cmpuint (image->crop_y + crop[3], <=, image->height);
  g_assert_true (gst_gles_format_describe (stored_info, &stored, &error));
  g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_READ));
  if (image->buffer != NULL) {
    gsize size = gst_gles_buffer_get_size (image->buffer);

    staged = g_malloc (size);
    g_assert_true (gst_gles_buffer_download (
        image->buffer, gst_gles_device_get_queue (device), 0, staged, size, &error));
  }
  for (guint c = 0; c < image->n_components; c++) {
    guint plane = stored.components[c].plane;

    compare_component (image, c, staged != NULL ? staged : image->planes[plane], &stored,
        map.data + stored_info->offset[plane], crop);
  }
  gst_buffer_unmap (buffer, &map);
}

static void
test_format (gconstpointer data)
{
  GstVideoFormat format = gst_video_format_from_string (data);
  GstGlesQueue *queue = gst_gles_device_get_queue (device);
  GError *error = NULL;
  GstVideoInfo stored_info;

  for (guint i = 0; i < G_N_ELEMENTS (crops); i++) {
    g_autoptr (GstBuffer) buffer = stored_picture (format, &stored_info);
    GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta (buffer);
    GstGlesFrameCost cost;
    GstGlesImage image;
    GstVideoInfo info;

    crop->x = crops[i][0];
    crop->y = crops[i][1];
    crop->width = crops[i][2];
    crop->height = crops[i][3];
    gst_video_info_set_format (&info, format, crop->width, crop->height);
    g_autoptr (GstGlesFrameSource) source = gst_gles_frame_source_new (queue, &info, &error);
    g_assert_no_error (error);
    /* twice: what an odd crop widened has to serve the next frame too */
    for (guint turn = 0; turn < 2; turn++) {
      gst_gles_frame_source_acquire (source, buffer, &image, &cost, &error);
      g_assert_no_error (error);
      g_assert_true (gst_gles_queue_begin (queue, &error));
      g_assert_true (gst_gles_frame_source_commit (source, &error));
      g_assert_true (gst_gles_queue_end (queue, &error));
      compare_image (&image, buffer, &stored_info, crops[i]);
      gst_gles_frame_source_release (source);
    }
    crop->x = STORED_WIDTH - crop->width + 1;
    g_assert_false (gst_gles_frame_source_acquire (source, buffer, &image, &cost, &error));
    g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_BAD_FRAME);
    g_clear_error (&error);
    gst_gles_frame_source_release (source);
  }
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  if (g_strcmp0 (g_getenv ("GLES_TEST_DEVICE"), "cpu") == 0)
    device = gst_gles_device_new ("cpu", NULL);
  else
    device = gles_test_gl_device ();
  if (device == NULL)
    return gles_test_no_gl ();
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    g_autofree gchar *path = g_strdup_printf ("/frame-window/%s", formats[i]);

    g_test_add_data_func (path, formats[i], test_format);
  }
  gint status = g_test_run ();
  gst_clear_object (&device);
  return status;
}
