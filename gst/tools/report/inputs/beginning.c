/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Demuxes the first packets of a file, as ffprobe does for its start_time. Buffers come in the
 * order of decoding and of the file, so that the first is not always the earliest. */
#include "beginning.h"
#include "container.h"

#include <gst/base/base.h>

/* so many packets of a stream are read, which is more than a decoder can reorder */
#define ENOUGH 20
/* how far one stream is read while another one has had no packet */
#define FARTHEST (3 * GST_SECOND)
/* This is added to timestamps, so that none of them is negative. */
#define BEFORE (-24 * 3600 * (GstClockTimeDiff) GST_SECOND)

#define TIMEOUT (10 * GST_SECOND)
#define MIN_STEPS 8 /* fewer steps do not tell a frame rate */

typedef struct {
  GstElement *pipeline;
  GMutex lock;        /* of what follows: */
  GPtrArray *streams; /* of guint: how many packets of each stream there were */
  gboolean complete;  /* all streams are known */
  GstClockTime start; /* NONE before the first packet */
  GArray *frames;     /* of GstClockTime: timestamps of frames of the first video */
  /* (nullable): the pad at which the first video leaves its parser; only compared, never used */
  GstPad *video;
  gboolean untimed; /* a frame has no timestamp */
} Scan;

static gint
compare_times (gconstpointer a, gconstpointer b)
{
  const GstClockTime x = *(const GstClockTime *) a, y = *(const GstClockTime *) b;

  return x < y ? -1 : x > y;
}

GstClockTime
report_find_step (GArray *times)
{
  GstClockTime *time;
  guint n = 0;

  g_array_sort (times, compare_times);
  time = (GstClockTime *) times->data;
  for (guint i = 1; i < times->len; i++) {
    const GstClockTime step = time[i] - time[i - 1];

    if (step > 0)
      time[n++] = step;
  }
  g_array_set_size (times, n);
  g_array_sort (times, compare_times);
  return n < MIN_STEPS ? 0 : g_array_index (times, GstClockTime, n / 2);
}

/* ---- packets ---- */

static gboolean
is_enough (const Scan *scan)
{
  for (guint i = 0; i < scan->streams->len; i++) {
    if (*(guint *) g_ptr_array_index (scan->streams, i) < ENOUGH)
      return FALSE;
  }
  return scan->complete && (scan->video == NULL || scan->frames->len >= ENOUGH || scan->untimed);
}

/* With the lock. Tells the thread that waits, by a message on the bus, when enough was read. @time:
 * the timestamp of the last packet, or NONE. */
static void
end_if_enough (Scan *scan, GstClockTime time)
{
  const gboolean far = GST_CLOCK_TIME_IS_VALID (time) && GST_CLOCK_TIME_IS_VALID (scan->start) &&
      time > scan->start + FARTHEST;

  if (far || is_enough (scan))
    gst_element_post_message (scan->pipeline,
        gst_message_new_application (
            GST_OBJECT (scan->pipeline), gst_structure_new_empty ("enough")));
}

/* Returns whether the data of @pad are pictures or sound. */
static gboolean
is_media (GstPad *pad, gboolean *video)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);
  const gchar *name = caps != NULL ? gst_structure_get_name (gst_caps_get_structure (caps, 0)) : "";

  *video = g_str_has_prefix (name, "video/") || g_str_has_prefix (name, "image/");
  return *video || g_str_has_prefix (name, "audio/");
}

static GstPadProbeReturn
on_packet (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Scan *scan = user_data;
  const GstClockTime time = report_clock_get_time (pad, GST_PAD_PROBE_INFO_BUFFER (info));
  guint *n = g_object_get_data (G_OBJECT (pad), "report-packets");
  gboolean video;

  g_mutex_lock (&scan->lock);
  if (!is_media (pad, &video))
    *n = ENOUGH;
  else if (GST_CLOCK_TIME_IS_VALID (time) && *n < ENOUGH)
    scan->start = GST_CLOCK_TIME_IS_VALID (scan->start) ? MIN (scan->start, time) : time;
  (*n)++;
  end_if_enough (scan, time);
  g_mutex_unlock (&scan->lock);
  return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn
on_frame (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Scan *scan = user_data;
  const GstClockTime time = GST_BUFFER_PTS (GST_PAD_PROBE_INFO_BUFFER (info));

  g_mutex_lock (&scan->lock);
  if (!GST_CLOCK_TIME_IS_VALID (time))
    scan->untimed = TRUE;
  else if (scan->frames->len < ENOUGH)
    g_array_append_val (scan->frames, time);
  end_if_enough (scan, GST_CLOCK_TIME_NONE);
  g_mutex_unlock (&scan->lock);
  return GST_PAD_PROBE_OK;
}

/* ---- the pipeline ---- */

static void
on_demuxer_pad (GstElement *demuxer, GstPad *pad, Scan *scan)
{
  guint *n;

  if (!GST_PAD_IS_SRC (pad))
    return;
  n = g_new0 (guint, 1);
  g_mutex_lock (&scan->lock);
  g_ptr_array_add (scan->streams, n);
  g_mutex_unlock (&scan->lock);
  g_object_set_data (G_OBJECT (pad), "report-packets", n);
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, on_packet, scan, NULL);
}

static gboolean
visit_pad (GstElement *demuxer, GstPad *pad, gpointer scan)
{
  on_demuxer_pad (demuxer, pad, scan);
  return TRUE;
}

static void
on_element (GstBin *pipeline, GstBin *parent, GstElement *element, Scan *scan)
{
  GstElementFactory *factory = gst_element_get_factory (element);

  if (factory == NULL ||
      !gst_element_factory_list_is_type (factory, GST_ELEMENT_FACTORY_TYPE_DEMUXER))
    return;
  gst_element_foreach_src_pad (element, visit_pad, scan);
  g_signal_connect (element, "pad-added", G_CALLBACK (on_demuxer_pad), scan);
}

static void
on_parsed (GstElement *parser, GstPad *pad, Scan *scan)
{
  GstElement *end = gst_element_factory_make ("fakesink", NULL);
  g_autoptr (GstPad) sink = gst_element_get_static_pad (end, "sink");
  gboolean video;

  g_object_set (end, "sync", FALSE, "async", FALSE, NULL);
  gst_bin_add (GST_BIN (scan->pipeline), end);
  gst_element_sync_state_with_parent (end);
  is_media (pad, &video);
  g_mutex_lock (&scan->lock);
  if (video && scan->video == NULL) {
    scan->video = pad;
    gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, on_frame, scan, NULL);
  }
  g_mutex_unlock (&scan->lock);
  gst_pad_link (pad, sink);
}

static void
on_complete (GstElement *parser, Scan *scan)
{
  g_mutex_lock (&scan->lock);
  scan->complete = TRUE;
  end_if_enough (scan, GST_CLOCK_TIME_NONE);
  g_mutex_unlock (&scan->lock);
}

static void
run (Scan *scan, const gchar *path)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (scan->pipeline);
  GstElement *source = gst_element_factory_make ("filesrc", NULL);
  GstElement *parser = gst_element_factory_make ("parsebin", NULL);
  GstMessage *message;

  report_clock_attach (scan->pipeline, &(ReportBeginning){ .origin = BEFORE });
  g_signal_connect (scan->pipeline, "deep-element-added", G_CALLBACK (on_element), scan);
  g_signal_connect (parser, "pad-added", G_CALLBACK (on_parsed), scan);
  g_signal_connect (parser, "no-more-pads", G_CALLBACK (on_complete), scan);
  g_object_set (source, "location", path, NULL);
  gst_bin_add_many (GST_BIN (scan->pipeline), source, parser, NULL);
  gst_element_link (source, parser);
  gst_element_set_state (scan->pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (
      bus, TIMEOUT, GST_MESSAGE_EOS | GST_MESSAGE_ERROR | GST_MESSAGE_APPLICATION);
  gst_clear_message (&message);
  gst_element_set_state (scan->pipeline, GST_STATE_NULL);
}

void
report_read_beginning (const gchar *path, ReportBeginning *beginning)
{
  Scan scan = { .start = GST_CLOCK_TIME_NONE };

  *beginning = (ReportBeginning){ 0 };
  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return;
  scan.pipeline = gst_pipeline_new (NULL);
  scan.streams = g_ptr_array_new_with_free_func (g_free);
  scan.frames = g_array_new (FALSE, FALSE, sizeof (GstClockTime));
  g_mutex_init (&scan.lock);
  run (&scan, path);
  if (GST_CLOCK_TIME_IS_VALID (scan.start))
    beginning->origin = (GstClockTimeDiff) scan.start + BEFORE;
  beginning->no_edits = report_lacks_edits (path);
  if (!scan.untimed)
    beginning->step = report_find_step (scan.frames);
  gst_object_unref (scan.pipeline);
  g_array_unref (scan.frames);
  g_ptr_array_unref (scan.streams);
  g_mutex_clear (&scan.lock);
}
