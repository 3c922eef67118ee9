/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "compact-message.h"

#include <gst/gles/meta/points.h>

gboolean
compact_message_describe (
    GstGlesAnalyzer *analyzer, GstMiniObject *object, GstStructure *message, GError **error)
{
  GstGlesPointsResult *result = (GstGlesPointsResult *) object;
  const GstGlesPointsInfo *info = gst_gles_points_result_get_info (result);

  if (!gst_gles_points_result_wait (result, G_MAXUINT64, error))
    return FALSE;
  gst_structure_set (message, "frame", G_TYPE_UINT64,
      gst_gles_points_result_get_frame (result)->number, "total", G_TYPE_UINT64,
      gst_gles_points_result_get_total (result), "count", G_TYPE_UINT,
      gst_gles_points_result_get_count (result), "truncated", G_TYPE_BOOLEAN,
      gst_gles_points_result_is_truncated (result), "lower", G_TYPE_UINT, info->lower, "upper",
      G_TYPE_UINT, info->upper, "unit", G_TYPE_STRING, "code", "depth", G_TYPE_UINT, info->depth,
      NULL);
  return TRUE;
}
