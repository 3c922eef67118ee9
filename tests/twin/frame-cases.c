/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "frame-cases.h"

#include "../../bench/inputs.h"
#include "array-cases.h"

/* First one layout for each way in which samples are stored, then layouts that differ in the
 * positions of components. */
const GstVideoFormat formats[] = {
  GST_VIDEO_FORMAT_I420,
  GST_VIDEO_FORMAT_NV12,
  GST_VIDEO_FORMAT_YUY2,
  GST_VIDEO_FORMAT_RGB,
  GST_VIDEO_FORMAT_xRGB,
  GST_VIDEO_FORMAT_GRAY16_LE,
  GST_VIDEO_FORMAT_I420_10BE,
  GST_VIDEO_FORMAT_P010_10LE,
  GST_VIDEO_FORMAT_Y412_BE,
  GST_VIDEO_FORMAT_Y410,
  GST_VIDEO_FORMAT_r210,
  GST_VIDEO_FORMAT_RGB16,
  GST_VIDEO_FORMAT_P012_LE,
  GST_VIDEO_FORMAT_GRAY8,
  GST_VIDEO_FORMAT_UYVY,
  GST_VIDEO_FORMAT_Y41B,
  GST_VIDEO_FORMAT_A420,
  GST_VIDEO_FORMAT_RGBA,
  GST_VIDEO_FORMAT_BGRx,
  GST_VIDEO_FORMAT_BGR15,
  GST_VIDEO_FORMAT_GRAY16_BE,
  GST_VIDEO_FORMAT_I422_12LE,
  GST_VIDEO_FORMAT_P010_10BE,
  GST_VIDEO_FORMAT_Y210,
  GST_VIDEO_FORMAT_RGB10A2_LE,
  GST_VIDEO_FORMAT_ARGB64,
  GST_VIDEO_FORMAT_GBR_12LE,
};
const guint n_basic_formats = 13;
const guint n_formats = G_N_ELEMENTS (formats);

/* ---- samples ---- */

static guint32
load_word (const guint8 *at, const GstGlesComponent *c)
{
  guint32 word = 0;

  for (guint i = 0; i < c->word_bytes; i++)
    word |= (guint32) at[i] << 8 * (c->big_endian ? c->word_bytes - 1 - i : i);
  return word;
}

static void
store (guint8 *at, const GstGlesComponent *c, guint32 value)
{
  guint32 mask = ((1u << c->depth) - 1) << c->shift;
  guint32 word = (load_word (at, c) & ~mask) | value << c->shift;

  for (guint i = 0; i < c->word_bytes; i++)
    at[i] = (guint8) (word >> 8 * (c->big_endian ? c->word_bytes - 1 - i : i));
}

static guint32
load (const GstGlesImage *host, guint component, guint x, guint y)
{
  const GstGlesComponent *c = &host->components[component];
  const guint8 *row = host->planes[c->plane] + c->offset + (gsize) y * c->stride;

  return (load_word (row + (gsize) x * c->step, c) >> c->shift) & ((1u << c->depth) - 1);
}

guint32
picture_value (const GstGlesImage *host, guint component, gboolean luma, guint x, guint y)
{
  const guint k[3] = { host->kr, host->kg, host->kb };
  guint64 sum = 32768;

  if (!luma || host->luma != GST_GLES_LUMA_MATRIX)
    return load (host, component, x, y);
  for (guint i = 0; i < G_N_ELEMENTS (k); i++) {
    guint32 v = load (host, i, x, y);
    guint max = (1u << host->components[i].depth) - 1;

    if (host->luma_depth == 8 && max != 255)
      v = (v * 255 + max / 2) / max;
    sum += (guint64) k[i] * v;
  }
  return (guint32) (sum >> 16);
}

guint
picture_depth (const GstGlesImage *host, guint component, gboolean luma)
{
  return luma && host->luma == GST_GLES_LUMA_MATRIX ? host->luma_depth
                                                    : host->components[component].depth;
}

/* ---- pictures ---- */

/* Sets the stride of the components in @plane; returns the plane's bytes, 0 if there is none. */
static gsize
lay_out_plane (GstGlesImage *image, guint plane, Placement placement)
{
  guint bytes = 0, rows = 0, stride;

  for (guint i = 0; i < image->n_components; i++) {
    const GstGlesComponent *c = &image->components[i];

    if (c->plane != plane)
      continue;
    bytes = MAX (bytes, c->offset + (c->width - 1) * c->step + c->word_bytes);
    rows = MAX (rows, c->height);
  }
  stride = placement == UNALIGNED ? bytes + 3 : (bytes + 15) & ~15u;
  for (guint i = 0; i < image->n_components; i++) {
    if (image->components[i].plane == plane)
      image->components[i].stride = stride;
  }
  /* the last row ends with its last sample */
  return rows == 0 ? 0 : (gsize) stride * (rows - 1) + bytes;
}

void
picture_init (
    Picture *picture, GstVideoFormat format, guint width, guint height, Placement placement)
{
  gsize offsets[GST_GLES_MAX_COMPONENTS] = { 0 };
  gsize at = placement == UNALIGNED ? 5 : 0;
  GstVideoInfo info;
  GError *error = NULL;

  *picture = (Picture){ .name = gst_video_format_to_string (format) };
  gst_video_info_set_format (&info, format, width, height);
  g_assert_true (gst_gles_format_describe (&info, &picture->host, &error));
  for (guint plane = 0; plane < GST_GLES_MAX_COMPONENTS; plane++) {
    const gsize size = lay_out_plane (&picture->host, plane, placement);

    offsets[plane] = at;
    if (size != 0)
      at = placement == UNALIGNED ? at + size + 1 : (at + size + 15) & ~(gsize) 15;
  }
  picture->size_bytes = at;
  picture->memory = g_malloc0 (at);
  picture->device = picture->host;
  for (guint i = 0; i < picture->host.n_components; i++)
    picture->device.components[i].offset += offsets[picture->host.components[i].plane];
  for (guint plane = 0; plane < GST_GLES_MAX_COMPONENTS; plane++)
    picture->host.planes[plane] = picture->memory + offsets[plane];
  if (!array_test.is_cpu)
    picture->device.buffer = gst_gles_buffer_new (array_test.device, at, &error);
  g_assert_no_error (error);
}

static guint32
content_value (Content content, guint x, guint y, guint width, guint max, Random *random)
{
  switch (content) {
    case CONTENT_ZEROS:
      return 0;
    case CONTENT_MAX:
      return max;
    case CONTENT_RAMP:
      return (x + 3 * y) & max;
    case CONTENT_CONSTANT:
      return max / 3;
    case CONTENT_TWO_VALUES:
      return ((x + y) & 1) != 0 ? max : 1;
    case CONTENT_SLOPE:
      return bench_pixel (x, y, width) * 257u & max;
    default:
      return random_word (random) & max;
  }
}

/* Bytes that belong to no sample are garbage, which must not be counted. */
void
picture_fill (Picture *picture, Content content, guint32 seed)
{
  Random random = { seed };

  for (gsize i = 0; i < picture->size_bytes; i++)
    picture->memory[i] = (guint8) random_word (&random);
  for (guint i = 0; i < picture->host.n_components; i++) {
    const GstGlesComponent *c = &picture->host.components[i];
    guint8 *plane = (guint8 *) picture->host.planes[c->plane];

    for (guint y = 0; y < c->height; y++) {
      for (guint x = 0; x < c->width; x++)
        store (plane + c->offset + (gsize) y * c->stride + (gsize) x * c->step, c,
            content_value (content, x + i, y, c->width, (1u << c->depth) - 1, &random));
    }
  }
  picture_upload (picture);
}

void
picture_upload (Picture *picture)
{
  GError *error = NULL;

  if (!array_test.is_cpu)
    gst_gles_buffer_upload (
        picture->device.buffer, array_test.queue, 0, picture->memory, picture->size_bytes, &error);
  g_assert_no_error (error);
}

const GstGlesImage *
picture_input (const Picture *picture)
{
  return array_test.is_cpu ? &picture->host : &picture->device;
}

void
picture_clear (Picture *picture)
{
  gst_gles_buffer_unref (picture->device.buffer);
  g_free (picture->memory);
}

GstGlesMaskBits *
picture_mask (const GstGlesImage *host, MaskKind kind)
{
  g_autoptr (GstGlesMask) mask = gst_gles_mask_new (kind == MASK_MOST
          ? "!0,0 0.3,0 0.1,0.3"
          : "0.1,0 1,0.3 0.8,1 0,0.9 0.3,0.2; !0.2,0.1 0.7,0.4 0.3,0.6; .4,.3 .5,.3 .5,.4 .4,.4",
      NULL);
  GstGlesMaskBits *bits = gst_gles_mask_draw (mask,
      &(GstGlesMaskPicture){ host->width, host->height, host->crop_x, host->crop_y,
          host->crop_width, host->crop_height });
  g_autoptr (GRand) rand = g_rand_new_with_seed (host->width);

  for (guint y = 0; kind > MASK_MOST && y < host->height; y++) {
    for (guint x = 0; x < host->width; x++) {
      guint64 *word = &bits->bits[(gsize) y * bits->row_words + x / 64];

      *word &= ~(G_GUINT64_CONSTANT (1) << x % 64);
      if (kind == MASK_NOISE && g_rand_boolean (rand))
        *word |= G_GUINT64_CONSTANT (1) << x % 64;
    }
  }
  return bits;
}

guint8 *
picture_read_8_bits (const GstGlesImage *host, gint channel)
{
  const guint component = (guint) MAX (channel, 0);
  const GstGlesComponent *c = &host->components[component];
  const guint depth = picture_depth (host, component, channel < 0);
  guint8 *bytes = g_malloc ((gsize) c->width * c->height);

  for (guint y = 0; y < c->height; y++) {
    for (guint x = 0; x < c->width; x++) {
      const guint32 value = picture_value (host, component, channel < 0, x, y);
      const guint max = (1u << depth) - 1;

      bytes[(gsize) y * c->width + x] =
          (guint8) (depth > 8 ? value >> (depth - 8) : (2 * 255 * value + max) / (2 * max));
    }
  }
  return bytes;
}
