/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Flashes of luminance and of saturated red, as WCAG 2.3.1 limits them: the rule of IRIS
 * (https://github.com/electronicarts/IRIS), which docs/elements/glesevents.md describes. */
#ifndef GST_GLES_FLASH_DETECTOR_H
#define GST_GLES_FLASH_DETECTOR_H

#include "event-input.h"
#include "event-span.h"

#include <gst/gles/meta/flash.h>

G_BEGIN_DECLS

typedef enum {
  FLASH_LUMINANCE,
  FLASH_RED,
  N_FLASH_TRACKS
} FlashTrack;

typedef enum {
  FLASH_PASS,
  FLASH_WARNING,  /* two flashes or more in a second */
  FLASH_EXTENDED, /* the same for four seconds */
  FLASH_FAIL      /* more than three flashes in a second */
} FlashVerdict;

/* What a frame says of luminance or of red. */
typedef struct {
  gdouble mean;          /* of the samples, 0 to 1 */
  gdouble area;          /* share of the samples that changed */
  guint transitions;     /* in the second that ends with the frame: two are a flash */
  guint extended_frames; /* of the five seconds: with as many transitions as may last long */
  FlashVerdict verdict;
} FlashCounts;

/* All zero before the first frame; flash_detector_clear() releases it. */
typedef struct {
  GArray *frames; /* of the last five seconds */
  GstGlesFlash last;
  FlashCounts counts[N_FLASH_TRACKS]; /* of the last frame */
  gboolean counted;                   /* counts are those of the frame */
  struct {
    gint64 change;  /* of the sum, while it rises or falls, of a second at most */
    guint n_frames; /* that it is the change of */
  } tracks[N_FLASH_TRACKS];
} FlashDetector;

/* Follows @span. The next frame, whose result has luminance and red, is @input. Appends items of
 * type Event to @events. */
void flash_detector_push (
    FlashDetector *detector, EventSpan *span, const EventInput *input, GArray *events);

/* Attaches the counts of the last frame to @buffer (transfer full), as a GstCustomMeta named
 * `glesflash`, if there are any. Returns (transfer full) the buffer. */
GstBuffer *flash_detector_attach (const FlashDetector *detector, GstBuffer *buffer);

void flash_detector_clear (FlashDetector *detector);

G_END_DECLS

#endif
