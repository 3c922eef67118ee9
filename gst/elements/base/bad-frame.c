/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <gst/gles/core/error.h>

#include "bad-frame.h"
#include "settings.h"

static const GEnumValue actions[] = {
  { BAD_FRAME_SKIP, "Warn once, count the frame in stats, and pass it on untouched", "skip" },
  { BAD_FRAME_ERROR, "Stop with an error", "error" },
  { 0, NULL, NULL },
};

GParamSpec *
bad_frame_spec (void)
{
  return g_param_spec_enum ("on-bad-frame", "On bad frame",
      "What to do about a buffer that is too short for its caps or cannot be mapped, and about a "
      "region that leaves a frame of new size",
      enum_type ("GstGlesBadFrameAction", actions), BAD_FRAME_SKIP, SETTING_FLAGS);
}

gboolean
bad_frame_matches (const GError *error)
{
  return g_error_matches (error, GST_GLES_ERROR, GST_GLES_ERROR_BAD_FRAME) ||
      g_error_matches (error, GST_GLES_ERROR, GST_GLES_ERROR_OUTSIDE);
}

void
bad_frame_skip (GstElement *element, BadFrames *frames, const GError *error)
{
  const gboolean outside = error->code == GST_GLES_ERROR_OUTSIDE;
  const guint bit = 1u << error->code;
  gboolean warned;

  GST_OBJECT_LOCK (element);
  warned = (frames->warned & bit) != 0;
  frames->warned |= bit;
  frames->n_skipped++;
  GST_OBJECT_UNLOCK (element);
  GST_INFO_OBJECT (element, "skipped: %s", error->message);
  if (warned)
    return;
  gst_element_message_full (element, GST_MESSAGE_WARNING,
      outside ? GST_RESOURCE_ERROR : GST_STREAM_ERROR,
      outside ? (gint) GST_RESOURCE_ERROR_SETTINGS : (gint) GST_STREAM_ERROR_FAILED,
      g_strdup_printf ("A frame passes untouched: %s", error->message),
      g_strdup ("said once; stats counts such frames as skipped-bad, and on-bad-frame=error makes "
                "them errors"),
      __FILE__, G_STRFUNC, __LINE__);
}
