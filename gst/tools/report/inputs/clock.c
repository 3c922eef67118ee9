/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Probes at the pads of demuxers change the segments, so that all elements behind them count alike.
 * A probe at the decoder's output changes its caps and durations. */
#include "clock.h"

#include <gst/video/video.h>

/* A pad of a demuxer keeps the segment that was sent: its sticky event is that before the probe. */
#define SEGMENT "gst-gles-report-segment"

typedef struct {
  GstElement *demuxer; /* that has the pad, and lives as long */
  ReportBeginning beginning;
  gboolean sought;
  GstEvent *sent; /* (nullable): the last one that was changed */
} Source;

/* ---- segments ---- */

gboolean
report_demuxer_has (GstElement *demuxer, guint traits)
{
  static const struct {
    const gchar *name;
    guint traits;
  } demuxers[] = {
    { "qtdemux", REPORT_DEMUXER_FRAMES | REPORT_DEMUXER_STATES | REPORT_DEMUXER_EDITS },
    { "matroskademux", REPORT_DEMUXER_FRAMES | REPORT_DEMUXER_STATES | REPORT_DEMUXER_RELATIVE },
    { "flvdemux", REPORT_DEMUXER_FRAMES | REPORT_DEMUXER_STATES },
    { "avidemux", REPORT_DEMUXER_GUESSES | REPORT_DEMUXER_STATES },
    { "asfdemux", REPORT_DEMUXER_STATES },
    { "mxfdemux", REPORT_DEMUXER_STATES },
  };
  GstElementFactory *factory = gst_element_get_factory (demuxer);

  for (guint i = 0; i < G_N_ELEMENTS (demuxers); i++) {
    if (factory != NULL && g_str_equal (GST_OBJECT_NAME (factory), demuxers[i].name))
      return (demuxers[i].traits & traits) != 0;
  }
  return FALSE;
}

/* Makes the segment begin at @origin, so that nothing is cut off: demuxers begin it at the first
 * packet that they send, and others that follow may be earlier. */
static void
open_segment (GstSegment *segment, GstClockTimeDiff origin)
{
  const GstClockTimeDiff zero =
      (GstClockTimeDiff) (segment->start - segment->time) + origin; /* the timestamp of time 0 */

  segment->start = segment->position = (GstClockTime) MAX (zero, 0);
  segment->time = (GstClockTime) MAX (-zero, 0);
}

/* Moves the segment, with what it cuts off, as edit lists and seeks want. One that lies before
 * @origin, as that of an empty edit, has no data and remains. */
static void
move_segment (GstSegment *segment, GstClockTimeDiff origin)
{
  const GstClockTimeDiff time = (GstClockTimeDiff) segment->time - origin;
  const GstClockTime before = (GstClockTime) MAX (-time, 0);

  if (GST_CLOCK_TIME_IS_VALID (segment->stop) && segment->stop <= segment->start + before)
    return;
  segment->time = (GstClockTime) MAX (time, 0);
  segment->start += before;
  segment->position = MAX (segment->position, segment->start);
}

static void
change_segment (Source *source, GstSegment *segment)
{
  const gboolean mp4 = report_demuxer_has (source->demuxer, REPORT_DEMUXER_EDITS);

  if (report_demuxer_has (source->demuxer, REPORT_DEMUXER_RELATIVE)) {
    segment->time = segment->start;
    segment->stop = GST_CLOCK_TIME_NONE;
  }
  /* the end is that of the decoding of the last picture, which is shown later */
  if (mp4 && source->beginning.no_edits)
    segment->stop = GST_CLOCK_TIME_NONE;
  if (mp4 || source->sought)
    move_segment (segment, source->beginning.origin);
  else
    open_segment (segment, source->beginning.origin);
}

static void
take_segment (Source *source, GstPad *pad, GstPadProbeInfo *info)
{
  GstEvent *event = GST_PAD_PROBE_INFO_EVENT (info), *changed;
  GstSegment segment;

  gst_event_copy_segment (event, &segment);
  if (segment.format != GST_FORMAT_TIME || event == source->sent)
    return;
  change_segment (source, &segment);
  g_object_set_data_full (
      G_OBJECT (pad), SEGMENT, gst_segment_copy (&segment), (GDestroyNotify) gst_segment_free);
  changed = gst_event_new_segment (&segment);
  gst_event_set_seqnum (changed, gst_event_get_seqnum (event));
  gst_event_replace (&source->sent, changed);
  gst_event_unref (event);
  info->data = changed;
}

static GstPadProbeReturn
on_event (GstPad *pad, GstPadProbeInfo *info, gpointer source)
{
  if (GST_EVENT_TYPE (info->data) == GST_EVENT_FLUSH_STOP)
    ((Source *) source)->sought = TRUE;
  if (GST_EVENT_TYPE (info->data) == GST_EVENT_SEGMENT)
    take_segment (source, pad, info);
  return GST_PAD_PROBE_OK;
}

/* A pad without a parser and a decoder is blocked at first, and what blocks it takes the events, so
 * that on_event() does not see them. Blocks nothing itself. */
static GstPadProbeReturn
on_blocked (GstPad *pad, GstPadProbeInfo *info, gpointer source)
{
  if (GST_EVENT_TYPE (info->data) == GST_EVENT_SEGMENT)
    take_segment (source, pad, info);
  return GST_EVENT_TYPE (info->data) == GST_EVENT_SEGMENT ||
          GST_EVENT_TYPE (info->data) == GST_EVENT_EOS
      ? GST_PAD_PROBE_REMOVE
      : GST_PAD_PROBE_PASS;
}

static void
source_free (gpointer data)
{
  gst_clear_event (&((Source *) data)->sent);
  g_free (data);
}

static void
on_demuxer_pad (GstElement *demuxer, GstPad *pad, gpointer beginning)
{
  Source *source;

  if (!GST_PAD_IS_SRC (pad))
    return;
  source = g_new0 (Source, 1);
  source->demuxer = demuxer;
  source->beginning = *(ReportBeginning *) beginning;
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM | GST_PAD_PROBE_TYPE_EVENT_FLUSH,
      on_event, source, source_free);
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM | GST_PAD_PROBE_TYPE_BLOCK,
      on_blocked, source, NULL);
}

static gboolean
visit_pad (GstElement *demuxer, GstPad *pad, gpointer beginning)
{
  on_demuxer_pad (demuxer, pad, beginning);
  return TRUE;
}

static void
free_beginning (gpointer beginning, GClosure *closure)
{
  g_free (beginning);
}

static void
on_element (GstBin *pipeline, GstBin *parent, GstElement *element, gpointer beginning)
{
  GstElementFactory *factory = gst_element_get_factory (element);

  if (factory == NULL ||
      !gst_element_factory_list_is_type (factory, GST_ELEMENT_FACTORY_TYPE_DEMUXER))
    return;
  gst_element_foreach_src_pad (element, visit_pad, beginning);
  g_signal_connect_data (element, "pad-added", G_CALLBACK (on_demuxer_pad),
      g_memdup2 (beginning, sizeof (ReportBeginning)), free_beginning, 0);
}

void
report_clock_attach (GstElement *pipeline, const ReportBeginning *beginning)
{
  g_signal_connect_data (pipeline, "deep-element-added", G_CALLBACK (on_element),
      g_memdup2 (beginning, sizeof *beginning), free_beginning, 0);
}

GstClockTime
report_clock_get_time (GstPad *pad, GstBuffer *buffer)
{
  g_autoptr (GstEvent) event = gst_pad_get_sticky_event (pad, GST_EVENT_SEGMENT, 0);
  const GstSegment *segment = g_object_get_data (G_OBJECT (pad), SEGMENT);

  if (segment == NULL && event != NULL)
    gst_event_parse_segment (event, &segment);
  if (segment == NULL || segment->format != GST_FORMAT_TIME ||
      !GST_CLOCK_TIME_IS_VALID (GST_BUFFER_DTS_OR_PTS (buffer)))
    return GST_CLOCK_TIME_NONE;
  return gst_segment_to_stream_time (segment, GST_FORMAT_TIME,
      GST_BUFFER_PTS_IS_VALID (buffer) ? GST_BUFFER_PTS (buffer) : GST_BUFFER_DTS (buffer));
}

/* ---- frame rates ---- */

/* Returns the duration of a frame that @caps state, or 0. */
static GstClockTime
get_stated_step (GstCaps *caps)
{
  gint numerator, denominator;

  if (!gst_structure_get_fraction (
          gst_caps_get_structure (caps, 0), "framerate", &numerator, &denominator) ||
      numerator <= 0)
    return 0;
  return gst_util_uint64_scale (GST_SECOND, (guint64) denominator, (guint64) numerator);
}

GstClockTime
report_clock_get_step (GstPad *pad)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);

  return caps != NULL ? get_stated_step (caps) : 0;
}

/* Returns whether the rate that @caps state contradicts @step. A millisecond may be rounded. */
static gboolean
contradicts (GstCaps *caps, GstClockTime step)
{
  const GstClockTime stated = get_stated_step (caps);

  return stated > 0 && (stated + stated / 4 < step || stated > step + step / 4) &&
      MAX (stated, step) - MIN (stated, step) > GST_MSECOND;
}

typedef struct {
  GstClockTime step;
  gboolean corrects; /* the caps contradicted */
} Rate;

static GstEvent *
correct_caps (Rate *rate, GstEvent *event)
{
  GstEvent *changed;
  gint numerator, denominator;
  GstCaps *caps;

  gst_event_parse_caps (event, &caps);
  rate->corrects = contradicts (caps, rate->step);
  if (!rate->corrects)
    return event;
  if (!gst_video_guess_framerate (rate->step, &numerator, &denominator)) {
    numerator = 0; /* variable */
    denominator = 1;
  }
  caps = gst_caps_copy (caps);
  gst_caps_set_simple (caps, "framerate", GST_TYPE_FRACTION, numerator, denominator, NULL);
  changed = gst_event_new_caps (caps);
  gst_event_set_seqnum (changed, gst_event_get_seqnum (event));
  gst_caps_unref (caps);
  gst_event_unref (event);
  return changed;
}

static GstPadProbeReturn
on_decoded (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Rate *rate = user_data;

  if (info->type & GST_PAD_PROBE_TYPE_BUFFER) {
    if (rate->corrects) {
      info->data = gst_buffer_make_writable (GST_PAD_PROBE_INFO_BUFFER (info));
      GST_BUFFER_DURATION (info->data) = rate->step;
    }
  } else if (GST_EVENT_TYPE (info->data) == GST_EVENT_CAPS) {
    info->data = correct_caps (rate, GST_PAD_PROBE_INFO_EVENT (info));
  }
  return GST_PAD_PROBE_OK;
}

void
report_clock_correct_rate (GstPad *decoded, GstClockTime step)
{
  Rate *rate;

  if (step == 0)
    return;
  rate = g_new0 (Rate, 1);
  rate->step = step;
  gst_pad_add_probe (decoded, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM,
      on_decoded, rate, g_free);
}
