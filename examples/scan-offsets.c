/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where each of some lists begins when they are stored one behind the other: the exclusive
 * prefix sum of their lengths, computed on a device.
 * Usage: gst-gles-scan-offsets [LENGTH...] */
#include <stdlib.h>

#include <gst/gles/gles.h>

#define N_DEFAULT 8

static void
print_words (const gchar *title, const guint32 *words, guint n)
{
  g_print ("%s", title);
  for (guint i = 0; i < n; i++)
    g_print (" %3u", words[i]);
  g_print ("\n");
}

int
main (int argc, char **argv)
{
  static const guint32 defaults[N_DEFAULT] = { 3, 1, 7, 0, 4, 1, 6, 3 };
  g_autoptr (GError) error = NULL;
  GstGlesResult result;

  gst_init (&argc, &argv);
  guint n = argc > 1 ? argc - 1 : N_DEFAULT;
  g_autofree guint32 *words = g_new (guint32, n);
  for (guint i = 0; i < n; i++)
    words[i] = argc > 1 ? strtoul (argv[i + 1], NULL, 10) : defaults[i];
  print_words ("lengths", words, n);

  /* GST_GLES_DEVICE, or the best there is */
  g_autoptr (GstGlesDevice) device = gst_gles_device_new (NULL, &error);
  if (device == NULL)
    g_error ("%s", error->message);
  GstGlesQueue *queue = gst_gles_device_get_queue (device);
  g_autoptr (GstGlesScan) scan = gst_gles_scan_new (queue, n, &error);
  g_autoptr (GstGlesBuffer) buffer = gst_gles_buffer_new (device, 4 * n, &error);

  /* reading back is what waits */
  if (scan == NULL || buffer == NULL ||
      !gst_gles_buffer_upload (buffer, queue, 0, words, 4 * n, &error) ||
      !gst_gles_scan_exclusive (scan, buffer, buffer, n, &error) ||
      !gst_gles_buffer_download (buffer, queue, 0, words, 4 * n, &error) ||
      !gst_gles_buffer_download (
          gst_gles_scan_get_result (scan), queue, 0, &result, sizeof (result), &error))
    g_error ("%s", error->message);
  print_words ("offsets", words, n);
  g_print ("  total %3" G_GUINT64_FORMAT "\n", result.total);
  return 0;
}
