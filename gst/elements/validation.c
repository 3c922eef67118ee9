/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "validation.h"

#include <string.h>

#include <gst/gles/core/error.h>

gboolean
validation_compare (const gchar *what, guint64 frame, gconstpointer got, gconstpointer expected,
    gsize size_bytes, GError **error)
{
  const guint32 *words = got, *expected_words = expected;
  gsize at = 0;

  if (size_bytes == 0 || memcmp (got, expected, size_bytes) == 0)
    return TRUE;
  while (words[at] == expected_words[at])
    at++;
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_FAILED,
      "validation: word %" G_GSIZE_FORMAT " of the %s of frame %" G_GUINT64_FORMAT
      " is %u on the device and %u in native code; the driver miscompiles a kernel: use another "
      "device and report it",
      at, what, frame, words[at], expected_words[at]);
  return FALSE;
}

gboolean
validation_compare_counts (
    guint64 frame, guint64 total, guint count, const GstGlesResult *expected, GError **error)
{
  const GstGlesResult got = { total, count, 0 };

  return validation_compare (
      "counts", frame, &got, expected, G_STRUCT_OFFSET (GstGlesResult, status), error);
}

GstGlesBuffer *
validation_copy_records (GstGlesBuffer *records, GstGlesBuffer *counts, gsize each,
    GstGlesQueue *queue, GstGlesDevice *cpu, guint *n, GError **error)
{
  g_autoptr (GBytes) bytes = NULL;
  GstGlesBuffer *copy;
  GstGlesResult counted;

  if (counts != NULL) {
    if (!gst_gles_buffer_download (counts, queue, 0, &counted, sizeof (counted), error))
      return NULL;
    *n = MIN (*n, counted.count);
  }
  bytes = gst_gles_buffer_download_bytes (records, queue, 0, *n * each, error);
  if (bytes == NULL)
    return NULL;
  copy = gst_gles_buffer_new (cpu, *n * each, error);
  if (copy != NULL &&
      !gst_gles_buffer_upload (copy, gst_gles_device_get_queue (cpu), 0,
          g_bytes_get_data (bytes, NULL), *n * each, error))
    g_clear_pointer (&copy, gst_gles_buffer_unref);
  return copy;
}
