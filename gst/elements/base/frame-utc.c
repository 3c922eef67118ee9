/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "frame-utc.h"

/* NTP counts from 1900, Unix time from 1970. */
#define NTP_TO_UNIX (G_GUINT64_CONSTANT (2208988800) * GST_SECOND)

GstClockTime
frame_get_utc (GstBuffer *buffer)
{
  gpointer state = NULL;
  GstClockTime utc = GST_CLOCK_TIME_NONE;
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta_filtered (
              buffer, &state, GST_REFERENCE_TIMESTAMP_META_API_TYPE)) != NULL) {
    const GstReferenceTimestampMeta *reference = (const GstReferenceTimestampMeta *) meta;
    const GstStructure *structure = gst_caps_get_structure (reference->reference, 0);

    if (!GST_CLOCK_TIME_IS_VALID (reference->timestamp))
      continue;
    if (gst_structure_has_name (structure, "timestamp/x-unix"))
      return reference->timestamp;
    if (gst_structure_has_name (structure, "timestamp/x-ntp") && reference->timestamp > NTP_TO_UNIX)
      utc = reference->timestamp - NTP_TO_UNIX;
  }
  return utc;
}
