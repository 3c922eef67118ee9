/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Counts the letters of a text on a device: 8-bit keys, 26 bins from a to before {.
 * Usage: gst-gles-histogram-letters [TEXT] */
#include <string.h>

#include <gst/gles/gles.h>

#define N_LETTERS 26

int
main (int argc, char **argv)
{
  const gchar *text = argc > 1 ? argv[1] : "the quick brown fox jumps over the lazy dog";
  gsize n = strlen (text);
  guint32 counts[N_LETTERS];
  g_autoptr (GError) error = NULL;

  gst_init (&argc, &argv);
  /* GST_GLES_DEVICE, or the best there is */
  g_autoptr (GstGlesDevice) device = gst_gles_device_new (NULL, &error);
  if (device == NULL)
    g_error ("%s", error->message);
  GstGlesQueue *queue = gst_gles_device_get_queue (device);
  g_autoptr (GstGlesHistogram) histogram =
      gst_gles_histogram_new (queue, GST_GLES_KEY_U8, N_LETTERS, 'a', 'z' + 1, n, &error);
  g_autoptr (GstGlesBuffer) keys = gst_gles_buffer_new (device, n, &error);
  g_autoptr (GstGlesBuffer) buffer = gst_gles_buffer_new (device, sizeof (counts), &error);
  if (histogram == NULL || keys == NULL || buffer == NULL ||
      !gst_gles_buffer_upload (keys, queue, 0, text, n, &error) ||
      !gst_gles_histogram_run (histogram, keys, n, buffer, &error) ||
      !gst_gles_buffer_download (buffer, queue, 0, counts, sizeof (counts), &error))
    g_error ("%s", error->message);

  for (guint i = 0; i < N_LETTERS; i++) {
    g_print ("%c %3u ", 'a' + i, counts[i]);
    for (guint k = 0; k < MIN (counts[i], 60); k++)
      g_print ("#");
    g_print ("\n");
  }
  return 0;
}
