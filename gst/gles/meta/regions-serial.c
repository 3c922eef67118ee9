/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/gl/readback.h>
#include <gst/gles/meta/serial-private.h>

/* Before the regions and the label: six numbers of 64 bits, ten of 32. */
#define N_LONGS 6
#define N_WORDS 10
#define HEAD_BYTES (8 * N_LONGS + 4 * N_WORDS)
#define REGION_WORDS 8
#define REGION_LONGS 4
#define REGION_BYTES (4 * REGION_WORDS + 8 * REGION_LONGS)
#define MAX_LABEL_BYTES 255

G_STATIC_ASSERT (sizeof (GstGlesRegion) == REGION_BYTES);

/* ---- writing ---- */

gboolean
gst_gles_regions_serial_get_size (GstGlesRegionsResult *result, gsize *size)
{
  const GstGlesRegionsInfo *info = gst_gles_regions_result_get_info (result);

  if (!gst_gles_regions_result_wait (result, G_MAXUINT64, NULL))
    return FALSE;
  *size = gst_gles_origin_serial_get_size (info->origin) + HEAD_BYTES +
      gst_gles_regions_result_get_count (result) * (gsize) REGION_BYTES +
      gst_gles_serial_text_bytes (info->label, MAX_LABEL_BYTES) + 1;
  return TRUE;
}

static guint8 *
put_region (const GstGlesRegion *region, guint8 *target)
{
  const guint32 words[REGION_WORDS] = { region->first, region->left, region->top, region->right,
    region->bottom, region->pixels, region->max_value, 0 };

  target = gst_gles_serial_put (target, words, REGION_WORDS);
  target = gst_gles_serial_put_64 (target, region->sum_x);
  target = gst_gles_serial_put_64 (target, region->sum_y);
  target = gst_gles_serial_put_64 (target, region->sum_value);
  return gst_gles_serial_put_64 (target, 0);
}

void
gst_gles_regions_serial_write (GstGlesRegionsResult *result, guint8 *target)
{
  const GstGlesRegionsInfo *info = gst_gles_regions_result_get_info (result);
  const guint n = gst_gles_regions_result_get_count (result);
  const guint64 longs[N_LONGS] = { info->frame, info->pts, info->duration, info->running_time,
    info->stream_time, gst_gles_regions_result_get_total (result) };
  const guint32 words[N_WORDS] = { info->width, info->height, info->format, info->cell_width,
    info->cell_height, info->connectivity, info->min_points, info->min_size, info->max_regions, n };

  target = gst_gles_origin_serial_write (info->origin, info->utc, target);
  for (guint i = 0; i < N_LONGS; i++)
    target = gst_gles_serial_put_64 (target, longs[i]);
  target = gst_gles_serial_put (target, words, N_WORDS);
  for (guint i = 0; i < n; i++)
    target = put_region (gst_gles_regions_result_get_region (result, i, NULL), target);
  gst_gles_serial_put_text (
      target, info->label, gst_gles_serial_text_bytes (info->label, MAX_LABEL_BYTES));
}

/* ---- reading ---- */

/* All but the label. Regions are of points, whose coordinates have 16 bits. */
static gboolean
get_head (const guint8 *data, GstGlesRegionsInfo *info, GstGlesResult *counted)
{
  guint32 words[N_WORDS];

  gst_gles_serial_get (data + 8 * N_LONGS, words, N_WORDS);
  *info = (GstGlesRegionsInfo){ gst_gles_serial_get_64 (data), gst_gles_serial_get_64 (data + 8),
    gst_gles_serial_get_64 (data + 16), gst_gles_serial_get_64 (data + 24),
    gst_gles_serial_get_64 (data + 32), words[0], words[1], (GstVideoFormat) words[2], words[3],
    words[4], words[5], words[6], words[7], words[8], NULL };
  *counted = (GstGlesResult){ gst_gles_serial_get_64 (data + 40), words[9], 0 };
  return gst_gles_serial_check_picture (info->width, info->height, words[2]) &&
      info->width <= G_MAXUINT16 + 1 && info->height <= G_MAXUINT16 + 1 && info->cell_width >= 1 &&
      info->cell_height >= 1 && (info->connectivity == 4 || info->connectivity == 8) &&
      counted->count <= counted->total;
}

/* A region with pixels, in the picture, whose means lie in its box: readers divide by what it
 * says. */
static gboolean
check_region (const GstGlesRegion *region, const GstGlesRegionsInfo *info)
{
  const guint64 pixels = region->pixels;

  return pixels >= 1 && region->left <= region->right && region->right < info->width &&
      region->top <= region->bottom && region->bottom < info->height &&
      region->sum_x >= pixels * region->left && region->sum_x <= pixels * region->right &&
      region->sum_y >= pixels * region->top && region->sum_y <= pixels * region->bottom &&
      region->sum_value <= pixels * region->max_value;
}

static gboolean
get_region (const guint8 *data, const GstGlesRegionsInfo *info, GstGlesRegion *region)
{
  guint32 words[REGION_WORDS];

  gst_gles_serial_get (data, words, REGION_WORDS);
  data += 4 * REGION_WORDS;
  *region = (GstGlesRegion){ .first = words[0],
    .left = words[1],
    .top = words[2],
    .right = words[3],
    .bottom = words[4],
    .pixels = words[5],
    .max_value = words[6],
    .sum_x = gst_gles_serial_get_64 (data),
    .sum_y = gst_gles_serial_get_64 (data + 8),
    .sum_value = gst_gles_serial_get_64 (data + 16) };
  return check_region (region, info);
}

GstGlesRegionsResult *
gst_gles_regions_serial_parse (const guint8 *data, gsize size, guint8 version)
{
  g_autoptr (GstGlesReadback) readback = NULL;
  g_autofree GstGlesRegion *regions = NULL;
  g_autoptr (GstGlesOrigin) origin = NULL;
  GstGlesRegionsInfo info;
  GstGlesResult counted;
  GstClockTime utc;
  gsize bytes;

  if (version != GST_GLES_SERIAL_VERSION ||
      !gst_gles_origin_serial_parse (&data, &size, &origin, &utc) || size < HEAD_BYTES ||
      !get_head (data, &info, &counted) || (size - HEAD_BYTES) / REGION_BYTES < counted.count)
    return NULL;
  data += HEAD_BYTES;
  bytes = counted.count * (gsize) REGION_BYTES;
  size -= HEAD_BYTES + bytes;
  info.utc = utc;
  info.origin = origin;
  info.label = size <= MAX_LABEL_BYTES + 1 ? gst_gles_serial_get_text (data + bytes, size) : NULL;
  regions = g_try_malloc (MAX (bytes, 1));
  if (info.label == NULL || regions == NULL)
    return NULL;
  for (gsize i = 0; i < counted.count; i++)
    if (!get_region (data + i * REGION_BYTES, &info, &regions[i]))
      return NULL;
  readback = gst_gles_readback_new_counted (
      &counted, g_bytes_new_take (g_steal_pointer (&regions), bytes));
  return gst_gles_regions_result_new (&info, NULL, NULL, readback);
}
