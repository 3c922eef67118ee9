/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The characters that a text has, each once, in order: a device sorts them, then keeps the first of
 * every run of equal ones.
 * Usage: gst-gles-unique-letters [TEXT] */
#include <string.h>

#include <gst/gles/gles.h>

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  const gchar *text = argc > 1 ? argv[1] : "the quick brown fox jumps over the lazy dog";
  const guint n = (guint) strlen (text);
  g_autofree guint32 *characters = g_new (guint32, n + 1);
  g_autoptr (GError) error = NULL;
  GstGlesSortConfig config;
  GstGlesResult result;

  for (guint i = 0; i < n; i++)
    characters[i] = (guchar) text[i];
  /* GST_GLES_DEVICE, or the best there is */
  g_autoptr (GstGlesDevice) device = gst_gles_device_new (NULL, &error);
  if (device == NULL)
    g_error ("%s", error->message);
  GstGlesQueue *queue = gst_gles_device_get_queue (device);
  gst_gles_sort_config_init (&config, GST_GLES_VALUE_U32);
  g_autoptr (GstGlesSort) sort = gst_gles_sort_new (queue, &config, n, &error);
  g_autoptr (GstGlesUnique) unique = sort != NULL ? gst_gles_unique_new (queue, n, &error) : NULL;
  g_autoptr (GstGlesBuffer) keys = gst_gles_buffer_new (device, 4 * (gsize) n + 4, NULL);
  g_autoptr (GstGlesBuffer) kept = gst_gles_buffer_new (device, 4 * (gsize) n + 4, NULL);

  if (unique == NULL || !gst_gles_buffer_upload (keys, queue, 0, characters, 4 * n, &error) ||
      !gst_gles_sort_run (sort, keys, NULL, keys, NULL, n, &error) ||
      !gst_gles_unique_run (unique, GST_GLES_VALUE_U32, keys, n, kept, n, &error) ||
      !gst_gles_buffer_download (
          gst_gles_unique_get_result (unique), queue, 0, &result, sizeof (result), &error) ||
      !gst_gles_buffer_download (kept, queue, 0, characters, 4 * result.count, &error))
    g_error ("%s", error->message);
  for (guint i = 0; i < result.count; i++)
    g_print ("%c", (gchar) characters[i]);
  g_print ("\n");
  return 0;
}
