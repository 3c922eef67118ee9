/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The prime numbers below 100, by a sieve on the host and a compaction on a device: of a flag
 * per number, the places of those that are set.
 * Usage: gst-gles-compact-primes */
#include <gst/gles/gles.h>

#define N 100

int
main (int argc, char **argv)
{
  guint32 flags[N], primes[N];
  g_autoptr (GError) error = NULL;
  GstGlesResult result;

  gst_init (&argc, &argv);
  for (guint i = 0; i < N; i++)
    flags[i] = i >= 2;
  for (guint i = 2; i * i < N; i++) {
    for (guint multiple = i * i; multiple < N; multiple += i)
      flags[multiple] = 0;
  }

  /* GST_GLES_DEVICE, or the best there is */
  g_autoptr (GstGlesDevice) device = gst_gles_device_new (NULL, &error);
  if (device == NULL)
    g_error ("%s", error->message);
  GstGlesQueue *queue = gst_gles_device_get_queue (device);
  g_autoptr (GstGlesCompact) compact = gst_gles_compact_new (queue, N, &error);
  g_autoptr (GstGlesBuffer) input = gst_gles_buffer_new (device, sizeof (flags), &error);
  g_autoptr (GstGlesBuffer) places = gst_gles_buffer_new (device, sizeof (primes), &error);

  /* how many there are is known when the result is read, which is what waits */
  if (compact == NULL || input == NULL || places == NULL ||
      !gst_gles_buffer_upload (input, queue, 0, flags, sizeof (flags), &error) ||
      !gst_gles_compact_flags (compact, input, NULL, N, NULL, places, N, &error) ||
      !gst_gles_buffer_download (
          gst_gles_compact_get_result (compact), queue, 0, &result, sizeof (result), &error) ||
      !gst_gles_buffer_download (places, queue, 0, primes, 4 * result.count, &error))
    g_error ("%s", error->message);
  for (guint i = 0; i < result.count; i++)
    g_print ("%u%s", primes[i], i + 1 < result.count ? " " : "\n");
  return 0;
}
