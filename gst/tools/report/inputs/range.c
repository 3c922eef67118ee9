/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Chooses the frames between --start and --stop by their times, between decoder and analysis. To
 * seek saves time, and decides nothing. */
#include "range.h"

#define SEEK "report-seek" /* the name of the message that says that the first picture came */

/* How far in front of a part its first key frame is looked for. MP4 finds key frames by when they
 * are decoded, up to 16 frames before they are shown. */
#define KEY_MARGIN GST_SECOND

struct _ReportRange {
  Report *report;
  GstElement *pipeline;
  GstPad *decoded; /* a sink pad, which lives as long as @pipeline */
  GstClockTime start;
  gboolean part;
  GstClockTimeDiff origin; /* of the file, in the stream time of its demuxer */
  gulong first_picture;    /* the probe that waits for the seek */
};

/* Drops frames that are not wanted. Decoding ends one second after the last wanted frame, because
 * pictures may come out of order. */
static GstPadProbeReturn
on_picture (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  ReportRange *self = user_data;
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  const GstClockTime time = report_clock_get_time (pad, buffer);

  if (!GST_CLOCK_TIME_IS_VALID (time) || report_covers (self->report, time) ||
      (self->part && !report_is_behind (self->report, time)))
    return GST_PAD_PROBE_OK;
  if (time < GST_SECOND || !report_is_behind (self->report, time - GST_SECOND))
    return GST_PAD_PROBE_DROP;
  gst_buffer_unref (buffer);
  GST_PAD_PROBE_INFO_FLOW_RETURN (info) = GST_FLOW_EOS;
  return GST_PAD_PROBE_HANDLED;
}

/* Holds the first picture until the main thread has sent the seek. */
static GstPadProbeReturn
on_first_picture (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  ReportRange *self = user_data;

  gst_element_post_message (self->pipeline,
      gst_message_new_application (GST_OBJECT (self->pipeline), gst_structure_new_empty (SEEK)));
  return GST_PAD_PROBE_OK;
}

ReportRange *
report_range_new (Report *report, GstElement *pipeline, GstPad *decoded,
    const ReportOptions *options, const ReportBeginning *beginning)
{
  ReportRange *self = g_new0 (ReportRange, 1);

  *self = (ReportRange){ report, pipeline, decoded, options->start, options->part,
    beginning->origin, 0 };
  if (GST_CLOCK_TIME_IS_VALID (self->start))
    self->first_picture = gst_pad_add_probe (decoded,
        GST_PAD_PROBE_TYPE_BLOCK | GST_PAD_PROBE_TYPE_BUFFER, on_first_picture, self, NULL);
  gst_pad_add_probe (decoded, GST_PAD_PROBE_TYPE_BUFFER, on_picture, self, NULL);
  return self;
}

static gint
compare_demuxer (gconstpointer item, gconstpointer traits)
{
  return !report_demuxer_has (g_value_get_object (item), GPOINTER_TO_UINT (traits));
}

static gboolean
has_demuxer (ReportRange *self, guint traits)
{
  g_autoptr (GstIterator) elements = gst_bin_iterate_recurse (GST_BIN (self->pipeline));
  GValue found = G_VALUE_INIT;
  const gboolean has =
      gst_iterator_find_custom (elements, compare_demuxer, &found, GUINT_TO_POINTER (traits));

  if (has)
    g_value_unset (&found);
  return has;
}

/* Seeks to @time of the file, if times are the same behind a seek. tsdemux, for one, counts from
 * another reference then. */
static gboolean
seek (ReportRange *self, GstClockTime time, GstSeekFlags flags)
{
  const gboolean mp4 = has_demuxer (self, REPORT_DEMUXER_EDITS);

  if (!mp4 && !has_demuxer (self, REPORT_DEMUXER_RELATIVE))
    return FALSE;
  /* matroskademux counts from the first block, which may be a little later than 0 */
  if (mp4)
    time += (GstClockTime) self->origin;
  gst_pad_push_event (self->decoded,
      gst_event_new_seek (1.0, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH | flags, GST_SEEK_TYPE_SET,
          (gint64) time, GST_SEEK_TYPE_NONE, -1));
  return TRUE;
}

/* A part begins with a key frame, the one before its own. */
static void
seek_part (ReportRange *self)
{
  const GstClockTime time = self->start - MIN (self->start, KEY_MARGIN);

  if (self->start > 0 && !seek (self, time, GST_SEEK_FLAG_KEY_UNIT | GST_SEEK_FLAG_SNAP_BEFORE))
    GST_ELEMENT_ERROR (self->pipeline, RESOURCE, SEEK,
        ("parts are of MP4, MOV, Matroska and WebM: only there times behind a seek are exact"),
        (NULL));
}

/* Decoders move the timestamp of a picture that lies across the beginning of the segment, so the
 * segment begins earlier. Without a seek all is decoded. */
void
report_range_take_message (ReportRange *self, GstMessage *message)
{
  const GstClockTime start = self->start - MIN (self->start, GST_SECOND);

  if (!gst_message_has_name (message, SEEK) || self->first_picture == 0)
    return;
  if (self->part)
    seek_part (self);
  else
    seek (self, start, GST_SEEK_FLAG_ACCURATE);
  gst_pad_remove_probe (self->decoded, self->first_picture);
  self->first_picture = 0;
}
