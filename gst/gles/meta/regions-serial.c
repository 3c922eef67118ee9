/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/meta/regions-info.h>
#include <gst/gles/meta/serial.h>

/* Behind the frame: the total, the description, the count, the label, the regions. */
#define MEMBERS(info) GST_GLES_SERIAL_MEMBERS (info, GstGlesRegionsInfo, cell_width, max_regions)
#define MAX_LABEL_BYTES 255

G_STATIC_ASSERT (sizeof (GstGlesRegion) == 64);

gboolean
gst_gles_regions_serialize (GstGlesRegionsResult *result, GstByteWriter *writer)
{
  const GstGlesRegionsInfo *info = gst_gles_regions_result_get_info (result);
  g_autoptr (GBytes) regions = gst_gles_regions_result_get_bytes (result, NULL);
  const guint64 total = gst_gles_regions_result_get_total (result);
  const guint32 count = gst_gles_regions_result_get_count (result);
  gconstpointer data;
  gsize size_bytes;

  if (regions == NULL)
    return FALSE;
  data = g_bytes_get_data (regions, &size_bytes);
  gst_gles_serial_put_frame (writer, &info->frame);
  gst_gles_serial_put (writer, &total, sizeof total);
  gst_gles_serial_put (writer, MEMBERS (info));
  gst_gles_serial_put (writer, &count, sizeof count);
  gst_gles_serial_put_text (writer, info->label, MAX_LABEL_BYTES);
  gst_gles_serial_put (writer, data, size_bytes);
  return TRUE;
}

/* All behind the frame but the regions. These are of points, whose coordinates have 16 bits. */
static gboolean
get_head (GstByteReader *reader, GstGlesRegionsInfo *info, GstGlesResult *counted)
{
  return gst_gles_serial_get (reader, &counted->total, sizeof counted->total) &&
      gst_gles_serial_get (reader, MEMBERS (info)) &&
      gst_gles_serial_get (reader, &counted->count, sizeof counted->count) &&
      gst_gles_serial_get_text (reader, MAX_LABEL_BYTES, &info->label) &&
      info->frame.width <= G_MAXUINT16 + 1 && info->frame.height <= G_MAXUINT16 + 1 &&
      info->cell_width >= 1 && info->cell_height >= 1 &&
      (info->connectivity == 4 || info->connectivity == 8) && info->label != NULL &&
      counted->count <= counted->total;
}

GstGlesRegionsResult *
gst_gles_regions_parse (GstByteReader *reader)
{
  g_autoptr (GstGlesReadback) readback = NULL;
  g_autoptr (GstGlesOrigin) origin = NULL;
  GstGlesRegionsInfo info = { 0 };
  GstGlesResult counted = { 0 };
  GBytes *regions = NULL;

  if (!gst_gles_serial_get_frame (reader, &info.frame))
    return NULL;
  origin = info.frame.origin;
  if (get_head (reader, &info, &counted))
    regions = gst_gles_serial_take (reader, counted.count * (guint64) sizeof (GstGlesRegion));
  if (regions == NULL)
    return NULL;
  readback = gst_gles_readback_new_counted (&counted, regions);
  if (!gst_gles_regions_info_check (&info, g_bytes_get_data (regions, NULL), counted.count))
    return NULL;
  return gst_gles_regions_result_new_queued (&info, readback, NULL, NULL);
}
