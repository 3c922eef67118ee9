/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clock.h"

#include "say.h"

#include <stdlib.h>

#define MAX_OFFSET_US (10 * G_USEC_PER_SEC)
/* A clock that was right counts as wrong from MAX_OFFSET_US on, and one that was wrong as right
 * below MIN_OFFSET_US, so that one near the limit is not reported again and again. */
#define MIN_OFFSET_US (9 * G_USEC_PER_SEC)

/* Returns whether @frame has a time of day, which goes to *@utc_us. rtspsrc adds the one that the
 * camera sends by RTCP. */
static gboolean
get_utc (GstBuffer *frame, gint64 *utc_us)
{
  static const gint64 unix_epoch_s = G_GINT64_CONSTANT (2208988800); /* NTP counts from 1900 */
  g_autoptr (GstCaps) ntp = gst_caps_new_empty_simple ("timestamp/x-ntp");
  const GstReferenceTimestampMeta *meta = gst_buffer_get_reference_timestamp_meta (frame, ntp);

  if (meta != NULL)
    *utc_us = (gint64) (meta->timestamp / 1000) - unix_epoch_s * G_USEC_PER_SEC;
  return meta != NULL;
}

static void
say (const WatchCameraConfig *config, gint64 offset_us, gboolean wrong)
{
  const gboolean is_used = config->time == WATCH_TIME_CAMERA;
  g_autofree gchar *text = NULL;

  if (wrong)
    text = g_strdup_printf ("the camera's clock is %.1f s %s this machine's; %s",
        (gdouble) llabs (offset_us) / G_USEC_PER_SEC, offset_us > 0 ? "ahead of" : "behind",
        is_used ? "lines have its time, as time=camera says" : "lines have the time of arrival");
  else
    text = g_strdup_printf ("the camera's clock agrees with this machine's within %.1f s",
        (gdouble) llabs (offset_us) / G_USEC_PER_SEC);
  watch_say (config->section.name, wrong ? G_LOG_LEVEL_WARNING : G_LOG_LEVEL_MESSAGE, text);
}

void
watch_clock_take (
    WatchTally *tally, const WatchCameraConfig *config, GstBuffer *frame, gint64 arrival_us)
{
  const gboolean was_wrong = watch_get (&tally->clock_is_wrong) != 0;
  gint64 utc_us, offset_us;
  gboolean wrong;

  if (!get_utc (frame, &utc_us))
    return;
  offset_us = utc_us - arrival_us;
  wrong = llabs (offset_us) > (was_wrong ? MIN_OFFSET_US : MAX_OFFSET_US);
  watch_set (&tally->clock_offset_us, offset_us);
  watch_set (&tally->has_clock, 1);
  watch_set (&tally->clock_is_wrong, wrong);
  if (wrong != was_wrong)
    say (config, offset_us, wrong);
}

gboolean
watch_clock_is_senders (WatchTally *tally, const WatchCameraConfig *config)
{
  return watch_get (&tally->has_clock) != 0 && config->time != WATCH_TIME_ARRIVAL &&
      (config->time == WATCH_TIME_CAMERA || watch_get (&tally->clock_is_wrong) == 0);
}
