/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/meta/result-private.h>

gconstpointer
gst_gles_result_wait (GstGlesReadback *readback, const gchar *what, guint64 frame,
    guint64 timeout_ns, gsize *size_bytes, GError **error)
{
  if (readback != NULL)
    return gst_gles_readback_get (readback, timeout_ns, size_bytes, error);
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
      "The %s of frame %" G_GUINT64_FORMAT " stayed on the device; set readback=true on the "
      "element that analysed it, or read the device buffer",
      what, frame);
  return NULL;
}
