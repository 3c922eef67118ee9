/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sorts cities by their altitude, highest first, on a device: keys carry places, places find the
 * names. Equal altitudes keep their order. */
#include <gst/gles/gles.h>

static const struct {
  const gchar *name;
  gint32 altitude;
} cities[] = { { "Lisbon", 2 }, { "La Paz", 3640 }, { "Jericho", -258 }, { "Quito", 2850 },
  { "Oslo", 23 }, { "Baku", -28 }, { "Venice", 2 }, { "Addis Ababa", 2355 } };

int
main (int argc, char **argv)
{
  const guint n = G_N_ELEMENTS (cities);
  gint32 altitudes[G_N_ELEMENTS (cities)];
  guint32 places[G_N_ELEMENTS (cities)];
  g_autoptr (GError) error = NULL;
  GstGlesSortConfig config;

  gst_init (&argc, &argv);
  for (guint i = 0; i < n; i++)
    altitudes[i] = cities[i].altitude;
  /* GST_GLES_DEVICE, or the best there is */
  g_autoptr (GstGlesDevice) device = gst_gles_device_new (NULL, &error);
  if (device == NULL)
    g_error ("%s", error->message);
  GstGlesQueue *queue = gst_gles_device_get_queue (device);

  gst_gles_sort_config_init (&config, GST_GLES_VALUE_I32);
  config.descending = TRUE;
  config.payload = TRUE;
  g_autoptr (GstGlesSort) sort = gst_gles_sort_new (queue, &config, n, &error);
  g_autoptr (GstGlesBuffer) keys = gst_gles_buffer_new (device, sizeof (altitudes), NULL);
  g_autoptr (GstGlesBuffer) order = gst_gles_buffer_new (device, sizeof (places), NULL);
  /* no payload given: keys carry their place in the input. Reading back is what waits. */
  if (sort == NULL ||
      !gst_gles_buffer_upload (keys, queue, 0, altitudes, sizeof (altitudes), &error) ||
      !gst_gles_sort_run (sort, keys, NULL, keys, order, n, &error) ||
      !gst_gles_buffer_download (order, queue, 0, places, sizeof (places), &error))
    g_error ("%s", error->message);
  for (guint i = 0; i < n; i++)
    g_print ("%6d m  %s\n", cities[places[i]].altitude, cities[places[i]].name);
  return 0;
}
