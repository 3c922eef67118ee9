/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A group-by on a device: sorts sales by shop, then finds how many each shop has, their sum, the
 * smallest and the largest. How many shops there are is found out there too. */
#include <gst/gles/gles.h>

#define N 12

/* One row of the table, from each output. */
enum {
  SHOP,
  COUNT,
  SUM,
  MIN_SALE,
  MAX_SALE,
  N_COLUMNS
};

int
main (int argc, char **argv)
{
  static const guint32 shops[N] = { 3, 1, 3, 7, 1, 3, 1, 7, 3, 1, 9, 3 };
  static const guint32 sales[N] = { 20, 5, 35, 100, 8, 10, 7, 50, 25, 4, 1, 30 };
  g_autoptr (GError) error = NULL;
  GstGlesBuffer *columns[N_COLUMNS];
  guint32 table[N_COLUMNS][N];
  GstGlesSortConfig config;
  GstGlesResult result;

  gst_init (&argc, &argv);
  g_autoptr (GstGlesDevice) device = gst_gles_device_new (NULL, &error);
  if (device == NULL)
    g_error ("%s", error->message);
  GstGlesQueue *queue = gst_gles_device_get_queue (device);
  gst_gles_sort_config_init (&config, GST_GLES_VALUE_U32);
  config.payload = TRUE;
  g_autoptr (GstGlesSort) sort = gst_gles_sort_new (queue, &config, N, &error);
  g_autoptr (GstGlesSegments) segments =
      sort != NULL ? gst_gles_segments_new (queue, N, &error) : NULL;
  g_autoptr (GstGlesBuffer) keys = gst_gles_buffer_new (device, sizeof (shops), NULL);
  g_autoptr (GstGlesBuffer) values = gst_gles_buffer_new (device, sizeof (sales), NULL);
  for (guint i = 0; i < N_COLUMNS; i++)
    columns[i] = gst_gles_buffer_new (device, sizeof (shops), NULL);

  const GstGlesSegmentsOutputs outputs = { .keys = columns[SHOP],
    .counts = columns[COUNT],
    .sums = columns[SUM],
    .mins = columns[MIN_SALE],
    .maxs = columns[MAX_SALE] };
  if (segments == NULL || !gst_gles_buffer_upload (keys, queue, 0, shops, sizeof (shops), &error) ||
      !gst_gles_buffer_upload (values, queue, 0, sales, sizeof (sales), &error) ||
      !gst_gles_sort_run (sort, keys, values, keys, values, N, &error) ||
      !gst_gles_segments_run (
          segments, GST_GLES_VALUE_U32, keys, GST_GLES_VALUE_U32, values, N, &outputs, &error) ||
      !gst_gles_buffer_download (
          gst_gles_segments_get_result (segments), queue, 0, &result, sizeof (result), &error))
    g_error ("%s", error->message);
  for (guint i = 0; i < N_COLUMNS; i++) {
    if (!gst_gles_buffer_download (columns[i], queue, 0, table[i], sizeof (table[i]), &error))
      g_error ("%s", error->message);
    gst_gles_buffer_unref (columns[i]);
  }
  g_print ("shop  sales   sum   min   max   mean\n");
  for (guint i = 0; i < result.count; i++)
    g_print ("%4u %6u %5u %5u %5u %6.2f\n", table[SHOP][i], table[COUNT][i], table[SUM][i],
        table[MIN_SALE][i], table[MAX_SALE][i],
        gst_gles_segments_get_mean (GST_GLES_VALUE_U32, table[SUM][i], 0, table[COUNT][i]));
  return 0;
}
