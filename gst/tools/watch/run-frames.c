/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames for the pictures of events. Of motion it is the frame in which the largest region is
 * largest: while the event lasts, a copy of the best frame so far is kept, of the size that the
 * picture will have. */
#include "../common/jpeg.h"
#include "analysis.h"
#include "run-private.h"

#include <gst/gles/gles.h>

/* A region that the border cuts counts as this share of itself, so that of frames that are about
 * equal one with a whole thing is taken. A frame is copied when it is better by the factor. Both
 * together: the region of the picture has at least 0.9 of the size of the largest one. */
#define CUT 0.95
#define BETTER 1.05

static gboolean
is_cut (const WatchFrame *frame)
{
  return frame->x == 0 || frame->y == 0 || frame->x + frame->width >= frame->of_width ||
      frame->y + frame->height >= frame->of_height;
}

/* Finds the largest region of @buffer. Its results are there, because glesevents has waited for
 * them. */
static void
look (WatchRun *self, GstBuffer *buffer)
{
  GstGlesRegionsResult *regions = gst_gles_regions_result_from_buffer (buffer);
  WatchFrame *const seen = &self->seen;

  *seen = (WatchFrame){ .number = (guint64) watch_get (&self->n_analysed) - 1 };
  self->seen_size = 0.0;
  if (regions == NULL)
    return;
  if (gst_gles_regions_result_is_ready (regions) &&
      gst_gles_regions_result_get_count (regions) > 0) {
    const GstGlesRegion *region = gst_gles_regions_result_get_region (regions, 0, NULL);
    const GstGlesFrameInfo *info = gst_gles_regions_result_get_frame (regions);

    gst_gles_region_get_box (region, &seen->x, &seen->y, &seen->width, &seen->height);
    seen->number = info->number;
    seen->of_width = info->width;
    seen->of_height = info->height;
    self->seen_size = (gdouble) region->pixels * (is_cut (seen) ? CUT : 1.0);
  }
  gst_gles_regions_result_unref (regions);
}

/* Returns how wide pictures are to be; 0: nobody wants them. */
static guint
get_width (WatchRun *self)
{
  guint width = 0;

  if (!self->settings.config->thumbnails)
    return 0;
  g_mutex_lock (&self->lock);
  if (!watch_run_is_cut (self))
    width = watch_outlet_get_picture_width (self->settings.outlet);
  g_mutex_unlock (&self->lock);
  return width;
}

/* Returns a copy of the frame, because some decoders have few buffers and need them back. */
static GstSample *
copy (WatchRun *self, guint width)
{
  g_autoptr (GstElement) events =
      gst_bin_get_by_name (GST_BIN (self->pipeline), WATCH_ANALYSIS_EVENTS);
  g_autoptr (GstPad) pad = gst_element_get_static_pad (events, "sink");
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);
  g_autoptr (GstBuffer) deep = NULL;
  GstSample *small;

  if (self->current == NULL || caps == NULL)
    return NULL;
  if (self->shrinker == NULL || self->shrinker_width != width) {
    g_clear_pointer (&self->shrinker, jpeg_free);
    self->shrinker = jpeg_new (width, 1);
    self->shrinker_width = width;
  }
  small = jpeg_shrink (self->shrinker, self->current, caps, GST_VIDEO_ORIENTATION_IDENTITY);
  if (small != NULL)
    return small;
  deep = gst_buffer_copy_deep (self->current);
  return deep != NULL ? gst_sample_new (deep, caps, NULL, NULL) : NULL;
}

void
watch_run_copy_frame (WatchRun *self, WatchFrame *frame)
{
  const guint width = get_width (self);

  *frame = self->seen;
  frame->sample = width > 0 ? copy (self, width) : NULL;
}

GstPadProbeReturn
watch_run_on_regions (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  WatchRun *self = user_data;
  WatchFrame frame;

  look (self, GST_PAD_PROBE_INFO_BUFFER (info));
  if (!self->moves || self->seen_size <= self->best_size * BETTER)
    return GST_PAD_PROBE_OK;
  watch_run_copy_frame (self, &frame);
  if (frame.sample == NULL)
    return GST_PAD_PROBE_OK;
  self->best_size = self->seen_size;
  g_mutex_lock (&self->lock);
  watch_frame_clear (&self->best);
  self->best = frame;
  g_mutex_unlock (&self->lock);
  return GST_PAD_PROBE_OK;
}

void
watch_run_follow_motion (WatchRun *self, const gchar *phase, WatchFrame *frame)
{
  if (g_str_equal (phase, "start")) {
    watch_run_copy_frame (self, frame);
    self->moves = TRUE;
    self->best_size = self->seen_size;
    return;
  }
  g_mutex_lock (&self->lock);
  watch_run_take_best (self, frame);
  g_mutex_unlock (&self->lock);
  self->moves = !g_str_equal (phase, "end");
}

void
watch_run_take_best (WatchRun *self, WatchFrame *frame)
{
  *frame = self->best;
  self->best.sample = NULL;
}
