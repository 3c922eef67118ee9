/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <string.h>

#include "compact-compare.h"

gboolean
gst_gles_compact_compare (GstGlesPointsResult *result, const GstGlesResult *expected,
    const guint32 *points, GError **error)
{
  const guint32 *got;
  guint n = 0;
  gsize at = 0;

  got = (const guint32 *) gst_gles_points_result_get_points (result, &n, error);
  if (got == NULL)
    return FALSE;
  if (n == expected->count && gst_gles_points_result_get_total (result) == expected->total &&
      memcmp (got, points, 8 * (gsize) n) == 0)
    return TRUE;
  while (at < 2 * (gsize) MIN (n, expected->count) && got[at] == points[at])
    at++;
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_FAILED,
      "validation: frame %" G_GUINT64_FORMAT " has %" G_GUINT64_FORMAT " points (%u listed) on the "
      "device and %" G_GUINT64_FORMAT " (%u listed) in native code, the first that differs is "
      "number %" G_GSIZE_FORMAT
      "; the driver miscompiles a kernel: use another device and report it",
      gst_gles_points_result_get_frame_number (result), gst_gles_points_result_get_total (result),
      n, expected->total, expected->count, at / 2);
  return FALSE;
}
