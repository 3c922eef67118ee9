/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Every advertised format against the unpack function that GStreamer itself converts it with:
 * frames of random bytes at odd sizes with odd strides, every sample of every component
 * compared. */
#include <gst/check/gstcheck.h>
#include <string.h>

#include <gst/gles/core/error.h>
#include <gst/gles/import/source.h>

#include "frame-common.h"

static const struct {
  guint width, height;
} sizes[] = { { 17, 13 }, { 1, 1 }, { 640, 2 }, { 3, 5 }, { 18, 4 } };

/* Unpacked pixels are A, R/Y, G/U, B/V of 8 or 16 bits with the sample in their top bits. */
static guint
read_unpacked (gconstpointer row, gboolean wide, guint x, guint component)
{
  guint at = 4 * x + (component + 1) % 4;

  return wide ? ((const guint16 *) row)[at] : ((const guint8 *) row)[at];
}

/* The bits that unpack writes below the sample's own: zeros, the sample's bits repeated, or the
 * padding of the stored word (P010 for example). Other bits mean that the table has too small a
 * depth. */
static gboolean
low_bits_fit (
    guint unpacked, guint unpacked_depth, guint sample, guint word, const GstGlesComponent *c)
{
  gint depth = (gint) c->depth;
  gint shift = (gint) unpacked_depth - depth;
  guint bare = sample << shift;
  guint replicated = 0;

  for (; shift > -depth; shift -= depth)
    replicated |= shift >= 0 ? sample << shift : sample >> -shift;
  if (c->shift > 0 && c->shift + c->depth == unpacked_depth && unpacked == word)
    return TRUE;
  return unpacked == bare || unpacked == replicated;
}

static void
compare_row (const Frame *frame, gconstpointer row, guint y)
{
  const GstGlesImage *image = &frame->described;
  const GstVideoFormatInfo *finfo = frame->info.finfo;
  gboolean wide = GST_VIDEO_FORMAT_INFO_BITS (gst_video_format_get_info (finfo->unpack_format)) > 8;
  guint unpacked_depth = wide ? 16 : 8;

  for (guint i = 0; i < image->n_components; i++) {
    const GstGlesComponent *c = &image->components[i];

    if ((y & ((1u << c->sub_y) - 1)) != 0)
      continue;
    for (guint x = 0; x < c->width; x++) {
      guint word = frame_word (frame->bytes + frame->offset[c->plane] + c->offset, c,
          (gsize) frame->stride[c->plane], x, y >> c->sub_y);
      guint sample = frame_sample (word, c);
      guint unpacked = read_unpacked (row, wide, x << c->sub_x, i);

      /* GStreamer's own unpack_VYUY swaps U and V in the last pixel of an odd row */
      if (finfo->format == GST_VIDEO_FORMAT_VYUY && i > 0 && x + 1 == c->width &&
          image->width % 2 == 1)
        continue;

      if (unpacked >> (unpacked_depth - c->depth) != sample)
        fail ("%s %ux%u: component %s at %u,%u is %u by the table, %u (of %u bits) by unpack",
            finfo->name, image->width, image->height, image->names[i], x, y >> c->sub_y, sample,
            unpacked, unpacked_depth);
      if (!low_bits_fit (unpacked, unpacked_depth, sample, word, c))
        fail ("%s: component %s has more than the %u bits of the table: unpacked %u", finfo->name,
            image->names[i], c->depth, unpacked);
    }
  }
}

GST_START_TEST (samples_are_what_unpack_delivers)
{
  GstVideoFormat format = gst_gles_format_list (NULL)[__i__];

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    const guint width = sizes[i].width, height = sizes[i].height;
    g_autofree guint16 *row = g_new0 (guint16, 4 * width + 64);
    g_auto (Frame) frame = frame_new (format, width, height, 3);
    gpointer data[GST_VIDEO_MAX_PLANES];

    for (guint p = 0; p < GST_VIDEO_MAX_PLANES; p++)
      data[p] = frame.bytes + frame.offset[p];
    for (guint y = 0; y < height; y++) {
      frame.info.finfo->unpack_func (frame.info.finfo, GST_VIDEO_PACK_FLAG_TRUNCATE_RANGE, row,
          data, frame.stride, 0, (gint) y, (gint) width);
      compare_row (&frame, row, y);
    }
  }
}
GST_END_TEST;

GST_START_TEST (list_and_caps_hold_the_linear_formats)
{
  static const GstVideoFormat not_linear[] = { GST_VIDEO_FORMAT_UNKNOWN, GST_VIDEO_FORMAT_ENCODED,
    GST_VIDEO_FORMAT_v210, GST_VIDEO_FORMAT_UYVP, GST_VIDEO_FORMAT_IYU1, GST_VIDEO_FORMAT_RGB8P,
    GST_VIDEO_FORMAT_NV12_4L4, GST_VIDEO_FORMAT_NV12_64Z32, GST_VIDEO_FORMAT_NV12_10LE32,
    GST_VIDEO_FORMAT_NV12_10LE40, GST_VIDEO_FORMAT_GRAY10_LE32 };
  g_autoptr (GstCaps) caps = gst_gles_format_caps ();
  guint n_formats;
  const GstVideoFormat *formats = gst_gles_format_list (&n_formats);

#if GST_CHECK_VERSION(1, 26, 0)
  fail_unless_equals_int (n_formats, 119);
#elif !GST_CHECK_VERSION(1, 24, 0)
  fail_unless_equals_int (n_formats, 97);
#endif
  fail_unless (gst_caps_get_size (caps) == 1);
  for (guint i = 0; i < n_formats; i++) {
    g_autoptr (GstCaps) one = gst_caps_new_simple ("video/x-raw", "format", G_TYPE_STRING,
        gst_video_format_to_string (formats[i]), "width", G_TYPE_INT, 1, "height", G_TYPE_INT,
        32767, "framerate", GST_TYPE_FRACTION, 0, 1, NULL);

    fail_unless (gst_caps_is_subset (one, caps));
    fail_unless (i == 0 || formats[i - 1] < formats[i]);
    for (guint k = 0; k < G_N_ELEMENTS (not_linear); k++)
      fail_unless (formats[i] != not_linear[k]);
  }
  /* described formats are the listed ones */
  for (guint i = 2; i < G_N_ELEMENTS (not_linear); i++) {
    g_autoptr (GError) error = NULL;
    GstVideoInfo info;
    GstGlesImage image;

    fail_unless (gst_video_info_set_format (&info, not_linear[i], 64, 64));
    fail_if (gst_gles_format_describe (&info, &image, &error));
    fail_unless (g_error_matches (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS));
    fail_unless (strstr (error->message, gst_video_format_to_string (not_linear[i])) != NULL);
  }
}
GST_END_TEST;

static GstGlesImage
describe (GstVideoFormat format, const gchar *colorimetry)
{
  GstVideoInfo info;
  GstGlesImage image;

  fail_unless (gst_video_info_set_format (&info, format, 64, 48));
  if (colorimetry != NULL)
    fail_unless (gst_video_colorimetry_from_string (&info.colorimetry, colorimetry));
  fail_unless (gst_gles_format_describe (&info, &image, NULL));
  return image;
}

GST_START_TEST (luma_of_rgb_follows_the_matrix_of_the_caps)
{
  static const struct {
    const gchar *colorimetry;
    guint kr, kg, kb;
  } cases[] = {
    /* 65536 * 0.2126 and 0.0722; 0.299 and 0.114; 0.2627 and 0.0593, rounded */
    { NULL, 13933, 46871, 4732 }, /* the default of RGB caps is the RGB matrix: BT.709 */
    { "bt709", 13933, 46871, 4732 }, { "bt601", 19595, 38470, 7471 },
    { "bt2020", 17216, 44434, 3886 }, { "0:0:0:0", 13933, 46871, 4732 }, /* unknown */
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    GstGlesImage image = describe (GST_VIDEO_FORMAT_BGRx, cases[i].colorimetry);

    fail_unless (image.luma == GST_GLES_LUMA_MATRIX);
    fail_unless_equals_int (image.kr, cases[i].kr);
    fail_unless_equals_int (image.kg, cases[i].kg);
    fail_unless_equals_int (image.kb, cases[i].kb);
    fail_unless_equals_int (image.luma_depth, 8);
  }
}
GST_END_TEST;

GST_START_TEST (luma_depth_is_that_of_the_components_or_8)
{
  static const struct {
    GstVideoFormat format;
    GstGlesLumaKind luma;
    guint depth, n_components;
  } cases[] = {
    { GST_VIDEO_FORMAT_NV12, GST_GLES_LUMA_STORED, 8, 3 },
    { GST_VIDEO_FORMAT_P010_10LE, GST_GLES_LUMA_STORED, 10, 3 },
    { GST_VIDEO_FORMAT_GRAY16_BE, GST_GLES_LUMA_STORED, 16, 1 },
    { GST_VIDEO_FORMAT_Y410, GST_GLES_LUMA_STORED, 10, 4 },
    { GST_VIDEO_FORMAT_RGBx, GST_GLES_LUMA_MATRIX, 8, 3 },
    { GST_VIDEO_FORMAT_GBRA_12LE, GST_GLES_LUMA_MATRIX, 12, 4 },
    { GST_VIDEO_FORMAT_RGB15, GST_GLES_LUMA_MATRIX, 5, 3 },
    { GST_VIDEO_FORMAT_RGB16, GST_GLES_LUMA_MATRIX, 8, 3 },       /* 5, 6, 5 bits */
    { GST_VIDEO_FORMAT_RGB10A2_LE, GST_GLES_LUMA_MATRIX, 10, 4 }, /* alpha is not mixed in */
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    GstGlesImage image = describe (cases[i].format, NULL);

    fail_unless (image.luma == cases[i].luma);
    fail_unless_equals_int (image.luma_depth, cases[i].depth);
    fail_unless_equals_int (image.n_components, cases[i].n_components);
  }
}
GST_END_TEST;

/* GStreamer 1.26 logs a critical message for such numbers, but metas of other processes may have
 * them. */
GST_START_TEST (numbers_without_a_format_have_no_name)
{
  fail_unless_equals_string (gst_gles_format_name (GST_VIDEO_FORMAT_I420), "I420");
  fail_unless (gst_gles_format_name (GST_VIDEO_FORMAT_UNKNOWN) == NULL);
  fail_unless (gst_gles_format_name ((GstVideoFormat) 255) == NULL);
  fail_unless (gst_gles_format_name ((GstVideoFormat) -1) == NULL);
  fail_unless (gst_gles_format_name (gst_video_format_from_string ("DMA_DRM")) == NULL);
}
GST_END_TEST;

GST_START_TEST (shared_arithmetic_of_luma)
{
  /* the ends stay the ends, the middle rounds to nearest; nothing wraps at 16 bits */
  fail_unless_equals_int (GST_GLES_SCALE_TO_8 (0u, 31u), 0);
  fail_unless_equals_int (GST_GLES_SCALE_TO_8 (31u, 31u), 255);
  fail_unless_equals_int (GST_GLES_SCALE_TO_8 (16u, 31u), 132); /* 131.6 */
  fail_unless_equals_int (GST_GLES_SCALE_TO_8 (31u, 63u), 125); /* 125.5, half down */
  for (guint v = 0; v < 256; v++)
    fail_unless_equals_int (GST_GLES_SCALE_TO_8 (v, 255u), v);
  fail_unless_equals_int (GST_GLES_LUMA (13933u, 46871u, 4732u, 65535u, 65535u, 65535u), 65535);
  fail_unless_equals_int (GST_GLES_LUMA (19595u, 38470u, 7471u, 255u, 0u, 0u), 76);
}
GST_END_TEST;

static Suite *
format_suite (void)
{
  Suite *suite = suite_create ("format");
  TCase *tcase = tcase_create ("format");
  guint n_formats;

  gst_gles_format_list (&n_formats);
  suite_add_tcase (suite, tcase);
  tcase_add_loop_test (tcase, samples_are_what_unpack_delivers, 0, (int) n_formats);
  tcase_add_test (tcase, list_and_caps_hold_the_linear_formats);
  tcase_add_test (tcase, luma_of_rgb_follows_the_matrix_of_the_caps);
  tcase_add_test (tcase, luma_depth_is_that_of_the_components_or_8);
  tcase_add_test (tcase, numbers_without_a_format_have_no_name);
  tcase_add_test (tcase, shared_arithmetic_of_luma);
  return suite;
}

GST_CHECK_MAIN (format);
