/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* All that decides is in integers: means are compared as sums over the same number of samples. */
#include "flash-detector.h"

/* The light of a sample is 0 to so much. */
#define FULL 65535

/* A change counts if at least one of so many samples differs from the frame before. */
#define AREA 4

/* A transition changes the mean by so much of FULL: 1/10 of luminance, 1/16 of red. Luminance has
 * to be below 4/5 at one end of it. */
static const gint64 thresholds[N_FLASH_TRACKS] = { 10, 16 };

/* Transitions in a second: as many may last for less than EXTENDED_SECONDS in EXTENDED_WINDOW; more
 * than MOST are too many. */
#define LEAST 4
#define MOST 6
#define EXTENDED_SECONDS 4
#define EXTENDED_WINDOW 5

/* Timestamps are rounded, mostly to milliseconds at worst. */
#define ROUNDING (GST_MSECOND / 2)

/* A frame in the window. */
typedef struct {
  EventTime time;
  struct {
    gint64 change; /* of the sum over the samples */
    gdouble area;
    gboolean transition, extended;
  } tracks[N_FLASH_TRACKS];
} Frame;

/* Whether @frame is less than @seconds before @now. */
static gboolean
is_within (const Frame *frame, const EventTime *now, guint seconds)
{
  const GstClockTime age = event_get_duration (&frame->time, now);

  return GST_CLOCK_TIME_IS_VALID (age) && age + ROUNDING < seconds * GST_SECOND;
}

static Frame *
get_frame (const FlashDetector *detector, guint from_last)
{
  return &g_array_index (detector->frames, Frame, detector->frames->len - 1 - from_last);
}

static guint
n_within (const FlashDetector *detector, const EventTime *now, guint seconds)
{
  guint n = 0;

  while (n < detector->frames->len && is_within (get_frame (detector, n), now, seconds))
    n++;
  return n;
}

/* 0 has both signs: the trend goes on. */
static gboolean
same_sign (gint64 a, gint64 b)
{
  return (a <= 0 && b <= 0) || (a >= 0 && b >= 0);
}

/* Adds the change of the last frame to that of its trend, and tells whether it is a transition
 * now. @second: frames of the last second. */
static gboolean
follow_trend (FlashDetector *detector, FlashTrack track, guint second, const GstGlesFlash *flash)
{
  const gint64 before = detector->tracks[track].change;
  const gint64 full = (gint64) flash->n_samples * FULL;
  const gint64 least = thresholds[track];
  const gint64 darker = (gint64) MIN (flash->luminance, detector->last.luminance);
  gint64 change = get_frame (detector, 0)->tracks[track].change;

  if (same_sign (before, change)) {
    const guint trend = detector->tracks[track].n_frames + 1;

    detector->tracks[track].n_frames = MIN (trend, second);
    for (guint i = 1; i < detector->tracks[track].n_frames; i++)
      change += get_frame (detector, i)->tracks[track].change;
  } else {
    detector->tracks[track].n_frames = 1;
  }
  detector->tracks[track].change = change;
  if (same_sign (before, change) && ABS (before) * least >= full)
    return FALSE; /* it has been one already */
  return ABS (change) * least >= full && (track == FLASH_RED || 5 * darker < 4 * full);
}

static FlashVerdict
judge (const FlashCounts *counts, guint n_frames)
{
  if (counts->transitions > MOST)
    return FLASH_FAIL;
  if (counts->transitions < LEAST)
    return FLASH_PASS;
  return counts->extended_frames >= n_frames ? FLASH_EXTENDED : FLASH_WARNING;
}

/* Counts what the frames of the window have of @track, the last of which is new. */
static void
count (FlashDetector *detector, FlashTrack track, const EventTime *now, const GstGlesFlash *flash)
{
  const guint second = n_within (detector, now, 1);
  const guint window = n_within (detector, now, EXTENDED_WINDOW);
  Frame *frame = get_frame (detector, 0);
  FlashCounts *counts = &detector->counts[track];
  const guint64 sum = track == FLASH_RED ? flash->red : flash->luminance;

  *counts = (FlashCounts){ .mean = (gdouble) sum / ((gdouble) flash->n_samples * FULL),
    .area = frame->tracks[track].area };
  frame->tracks[track].transition =
      detector->frames->len > 1 && follow_trend (detector, track, second, flash);
  for (guint i = 0; i < second; i++)
    counts->transitions += get_frame (detector, i)->tracks[track].transition;
  frame->tracks[track].extended = counts->transitions >= LEAST && counts->transitions <= MOST;
  for (guint i = 0; i < window; i++)
    counts->extended_frames += get_frame (detector, i)->tracks[track].extended;
  counts->verdict = judge (counts, n_within (detector, now, EXTENDED_SECONDS));
}

/* Adds the new frame to the window, and drops those that are too old. */
static void
add_frame (FlashDetector *detector, const EventInput *input, const GstGlesFlash *flash)
{
  const guint changed[N_FLASH_TRACKS] = { flash->luminance_changed, flash->red_changed };
  const gint64 changes[N_FLASH_TRACKS] = {
    (gint64) flash->luminance - (gint64) detector->last.luminance,
    (gint64) flash->red - (gint64) detector->last.red,
  };
  const gboolean compared =
      flash->compared && !input->same && flash->n_samples == detector->last.n_samples;
  Frame frame = { .time = input->time };

  for (guint i = 0; i < N_FLASH_TRACKS && compared; i++) {
    frame.tracks[i].area = (gdouble) changed[i] / flash->n_samples;
    if (changed[i] >= flash->n_samples / AREA)
      frame.tracks[i].change = changes[i];
  }
  if (detector->frames == NULL)
    detector->frames = g_array_new (FALSE, FALSE, sizeof (Frame));
  g_array_remove_range (detector->frames, 0,
      detector->frames->len - n_within (detector, &input->time, EXTENDED_WINDOW));
  g_array_append_val (detector->frames, frame);
}

/* Sets what an event tells of the last second. Returns whether there is one. */
static gboolean
describe (const FlashDetector *detector, const EventTime *now, EventFlash *details)
{
  const guint second = n_within (detector, now, 1);
  gboolean holds = FALSE;

  for (guint i = 0; i < N_FLASH_TRACKS; i++) {
    const FlashCounts *counts = &detector->counts[i];

    if (counts->verdict < FLASH_EXTENDED)
      continue;
    holds = TRUE;
    details->general |= i == FLASH_LUMINANCE;
    details->red |= i == FLASH_RED;
    details->extended |= counts->verdict == FLASH_EXTENDED;
    details->transitions = MAX (details->transitions, counts->transitions);
    for (guint k = 0; k < second; k++) {
      const Frame *frame = get_frame (detector, k);

      if (frame->tracks[i].transition)
        details->area = MAX (details->area, frame->tracks[i].area);
    }
  }
  return holds;
}

void
flash_detector_push (
    FlashDetector *detector, EventSpan *span, const EventInput *input, GArray *events)
{
  EventCondition condition = { .kind = EVENT_FLASH };
  GstGlesFlash flash;

  /* of two fields of a frame, one is enough */
  if (gst_gles_histogram_result_get_frame (input->result)->field == GST_GLES_FIELD_BOTTOM ||
      !gst_gles_histogram_result_get_flash (input->result, &flash, NULL))
    return;
  add_frame (detector, input, &flash);
  for (guint track = 0; track < N_FLASH_TRACKS; track++)
    count (detector, (FlashTrack) track, &input->time, &flash);
  detector->last = flash;
  detector->counted = TRUE;
  condition.holds = describe (detector, &input->time, &span->details.flash);
  condition.score = span->details.flash.transitions;
  event_span_follow (span, &condition, &input->time, events);
}

void
flash_detector_clear (FlashDetector *detector)
{
  if (detector->frames != NULL)
    g_array_unref (detector->frames);
  *detector = (FlashDetector){ 0 };
}

/* ---- what a frame says ---- */

GstBuffer *
flash_detector_attach (const FlashDetector *detector, GstBuffer *buffer)
{
  static const gchar *const verdicts[] = { "pass", "warning", "extended", "fail" };
  const FlashCounts *luminance = &detector->counts[FLASH_LUMINANCE];
  const FlashCounts *red = &detector->counts[FLASH_RED];

  if (!detector->counted)
    return buffer;
  buffer = gst_buffer_make_writable (buffer);
  gst_structure_set (event_report_get_structure (buffer, "glesflash"), "luminance", G_TYPE_DOUBLE,
      luminance->mean, "area", G_TYPE_DOUBLE, luminance->area, "transitions", G_TYPE_UINT,
      luminance->transitions, "extended-frames", G_TYPE_UINT, luminance->extended_frames, "verdict",
      G_TYPE_STRING, verdicts[luminance->verdict], "red", G_TYPE_DOUBLE, red->mean, "red-area",
      G_TYPE_DOUBLE, red->area, "red-transitions", G_TYPE_UINT, red->transitions,
      "red-extended-frames", G_TYPE_UINT, red->extended_frames, "red-verdict", G_TYPE_STRING,
      verdicts[red->verdict], NULL);
  return buffer;
}
