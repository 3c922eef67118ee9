/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "../../gst/tools/bench/inputs.h"
#include "frame-histogram-cases.h"

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
  GST_VIDEO_FORMAT_VYUY,
  GST_VIDEO_FORMAT_Y41B,
  GST_VIDEO_FORMAT_Y444,
  GST_VIDEO_FORMAT_A420,
  GST_VIDEO_FORMAT_RGBA,
  GST_VIDEO_FORMAT_ARGB,
  GST_VIDEO_FORMAT_BGRx,
  GST_VIDEO_FORMAT_BGR,
  GST_VIDEO_FORMAT_v308,
  GST_VIDEO_FORMAT_IYU2,
  GST_VIDEO_FORMAT_BGR15,
  GST_VIDEO_FORMAT_GRAY16_BE,
  GST_VIDEO_FORMAT_I420_10LE,
  GST_VIDEO_FORMAT_I422_12LE,
  GST_VIDEO_FORMAT_Y444_16BE,
  GST_VIDEO_FORMAT_P010_10BE,
  GST_VIDEO_FORMAT_P016_LE,
  GST_VIDEO_FORMAT_Y210,
  GST_VIDEO_FORMAT_v216,
  GST_VIDEO_FORMAT_RGB10A2_LE,
  GST_VIDEO_FORMAT_ARGB64,
  GST_VIDEO_FORMAT_GBR_12LE,
};
const guint n_basic_formats = 13;
const guint n_formats = G_N_ELEMENTS (formats);

const Case cases[] = {
  { 1, 1, 0, 0, 0, 0, 1, 1, 256 },
  { 1, 15, 0, 0, 0, 0, 1, 1, 2 },
  { 15, 1, 0, 0, 0, 0, 1, 1, 255 },
  { 17, 13, 0, 0, 0, 0, 1, 1, 257 },
  { 17, 13, 0, 0, 0, 0, 17, 13, 3 }, /* as many cells as positions */
  { 17, 13, 0, 0, 0, 0, 7, 5, 256 },
  { 17, 13, 5, 3, 9, 7, 1, 1, 1000 },
  { 17, 13, 16, 12, 1, 1, 1, 1, 1024 }, /* subsampled components have no sample there */
  { 17, 13, 1, 1, 15, 11, 2, 3, 1000 },
  { 640, 2, 0, 0, 0, 0, 1, 1, 4096 },
  { 640, 2, 0, 0, 0, 0, 7, 1, 1024 },
  { 10000, 1, 0, 0, 0, 0, 1, 1, 12288 },
  { 10000, 1, 13, 0, 9001, 1, 3, 1, 64 },
  { 64, 48, 0, 0, 0, 0, 1, 1, 12289 },
  { 64, 48, 0, 0, 0, 0, 2, 2, 64000 },
  { 64, 48, 3, 5, 55, 41, 1, 1, 65536 },
  { 323, 177, 0, 0, 0, 0, 7, 5, 256 },
  { 323, 177, 31, 17, 200, 101, 4, 4, 10 },
  { 640, 360, 0, 0, 0, 0, 1, 1, 256 },
};
const guint n_cases = G_N_ELEMENTS (cases);

/* ---- pictures ---- */

static guint
row_bytes (const GstGlesImage *image, guint plane)
{
  guint bytes = 0;

  for (guint i = 0; i < image->n_components; i++) {
    const GstGlesComponent *c = &image->components[i];
    if (c->plane == plane)
      bytes = MAX (bytes, c->offset + (c->width - 1) * c->step + c->word_bytes);
  }
  return bytes;
}

static guint
plane_rows (const GstGlesImage *image, guint plane)
{
  guint rows = 0;

  for (guint i = 0; i < image->n_components; i++) {
    if (image->components[i].plane == plane)
      rows = MAX (rows, image->components[i].height);
  }
  return rows;
}

void
picture_init (Picture *picture, GstGlesQueue *queue, GstVideoFormat format, guint width,
    guint height, Placement placement)
{
  gsize offsets[GST_GLES_MAX_COMPONENTS] = { 0 };
  gsize at = placement == UNALIGNED ? 5 : 0;
  GstVideoInfo info;
  GError *error = NULL;

  memset (picture, 0, sizeof (*picture));
  gst_video_info_set_format (&info, format, width, height);
  g_assert_true (gst_gles_format_describe (&info, &picture->host, &error));
  g_assert_no_error (error);
  for (guint plane = 0; plane < GST_GLES_MAX_COMPONENTS; plane++) {
    guint bytes = row_bytes (&picture->host, plane), rows = plane_rows (&picture->host, plane);
    guint stride = placement == UNALIGNED ? bytes + 3 : (bytes + 15) & ~15u;

    if (rows == 0)
      continue;
    offsets[plane] = at;
    /* the last row ends with its last sample */
    at += (gsize) stride * (rows - 1) + bytes;
    at = placement == UNALIGNED ? at + 1 : (at + 15) & ~(gsize) 15;
    for (guint i = 0; i < picture->host.n_components; i++) {
      if (picture->host.components[i].plane == plane)
        picture->host.components[i].stride = stride;
    }
  }
  picture->size_bytes = at;
  picture->memory = g_malloc0 (at);
  picture->device = picture->host;
  for (guint i = 0; i < picture->host.n_components; i++)
    picture->device.components[i].offset += offsets[picture->host.components[i].plane];
  for (guint plane = 0; plane < GST_GLES_MAX_COMPONENTS; plane++)
    picture->host.planes[plane] = picture->memory + offsets[plane];
  if (queue != NULL) {
    g_autoptr (GstGlesDevice) device = gst_gles_queue_get_device (queue);
    picture->device.buffer = gst_gles_buffer_new (device, at, &error);
    g_assert_no_error (error);
  }
}

static guint32
next_random (guint32 *state)
{
  *state = *state * 1664525u + 1013904223u;
  return *state >> 16;
}

static guint32
pattern_value (Pattern pattern, guint x, guint y, guint width, guint max, guint32 *state)
{
  switch (pattern) {
    case PATTERN_ZEROS:
      return 0;
    case PATTERN_MAX:
      return max;
    case PATTERN_RAMP:
      return (x + 3 * y) & max;
    case PATTERN_CONSTANT:
      return max / 3;
    case PATTERN_TWO_VALUES:
      return ((x + y) & 1) != 0 ? max : 1;
    case PATTERN_SLOPE:
      return bench_pixel (x, y, width) * 257u & max;
    default:
      return next_random (state) & max;
  }
}

static void
store (guint8 *at, const GstGlesComponent *c, guint32 value)
{
  guint32 mask = ((1u << c->depth) - 1) << c->shift, word = 0;

  for (guint i = 0; i < c->word_bytes; i++)
    word |= (guint32) at[i] << 8 * (c->big_endian ? c->word_bytes - 1 - i : i);
  word = (word & ~mask) | value << c->shift;
  for (guint i = 0; i < c->word_bytes; i++)
    at[i] = (guint8) (word >> 8 * (c->big_endian ? c->word_bytes - 1 - i : i));
}

/* Bytes that belong to no sample are garbage, which must not be counted. */
void
picture_fill (Picture *picture, GstGlesQueue *queue, Pattern pattern, guint32 seed)
{
  GError *error = NULL;

  for (gsize i = 0; i < picture->size_bytes; i++)
    picture->memory[i] = (guint8) next_random (&seed);
  for (guint i = 0; i < picture->host.n_components; i++) {
    const GstGlesComponent *c = &picture->host.components[i];
    guint8 *plane = (guint8 *) picture->host.planes[c->plane];

    for (guint y = 0; y < c->height; y++) {
      for (guint x = 0; x < c->width; x++)
        store (plane + c->offset + (gsize) y * c->stride + (gsize) x * c->step, c,
            pattern_value (pattern, x + i, y, c->width, (1u << c->depth) - 1, &seed));
    }
  }
  if (queue != NULL) {
    g_assert_true (gst_gles_buffer_upload (
        picture->device.buffer, queue, 0, picture->memory, picture->size_bytes, &error));
    g_assert_no_error (error);
  }
}

void
picture_clear (Picture *picture)
{
  gst_gles_buffer_unref (picture->device.buffer);
  g_free (picture->memory);
}

GstGlesHistogramConfig
case_config (const Case *c)
{
  GstGlesHistogramConfig config = { c->x, c->y, c->region_width, c->region_height, c->columns,
    c->rows, c->bins, FALSE };

  if (config.width == 0) {
    config.width = c->width;
    config.height = c->height;
  }
  return config;
}

/* ---- the oracle ---- */

guint32
picture_load (const GstGlesImage *host, guint component, guint x, guint y)
{
  const GstGlesComponent *c = &host->components[component];
  const guint8 *at =
      host->planes[c->plane] + c->offset + (gsize) y * c->stride + (gsize) x * c->step;
  guint32 word = 0;

  for (guint i = 0; i < c->word_bytes; i++)
    word |= (guint32) at[i] << 8 * (c->big_endian ? c->word_bytes - 1 - i : i);
  return (word >> c->shift) & ((1u << c->depth) - 1);
}

guint32
picture_load_luma (const GstGlesImage *host, guint x, guint y)
{
  guint64 sum = 32768;
  const guint k[3] = { host->kr, host->kg, host->kb };

  for (guint i = 0; i < 3; i++) {
    guint32 v = picture_load (host, i, x, y);
    guint max = (1u << host->components[i].depth) - 1;
    if (host->luma_depth == 8 && max != 255)
      v = (v * 255 + max / 2) / max;
    sum += (guint64) k[i] * v;
  }
  return (guint32) (sum >> 16);
}

void
oracle_count (const GstGlesImage *host, const GstGlesHistogramConfig *config,
    const GstGlesHistogramLayout *layout, guint32 *counts)
{
  memset (counts, 0, layout->size_bytes);
  for (guint i = 0; i < layout->n_channels; i++) {
    const GstGlesComponent *c = &host->components[i];
    gboolean luma = config->luma && host->luma == GST_GLES_LUMA_MATRIX;
    guint depth = layout->channels[i].depth;

    for (guint y = 0; y < c->height; y++) {
      for (guint x = 0; x < c->width; x++) {
        guint lx = x << c->sub_x, ly = y << c->sub_y, cell;
        guint32 v;

        if (lx < config->x || lx - config->x >= config->width || ly < config->y ||
            ly - config->y >= config->height)
          continue;
        v = luma ? picture_load_luma (host, x, y) : picture_load (host, i, x, y);
        counts[layout->channels[i].native_offset + v]++;
        if (layout->columns * layout->rows == 1)
          continue;
        cell = (ly - config->y) * config->rows / config->height * config->columns +
            (lx - config->x) * config->columns / config->width;
        counts[layout->channels[i].cells_offset + cell * config->bins +
            (guint) ((guint64) v * config->bins >> depth)]++;
      }
    }
  }
}
