/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "histogram-boxes.h"

#include <string.h>

#include <gst/gles/core/error.h>

#define N_READBACK_SLOTS 4

/* ---- plan ---- */

static void
drop_buffers (HistogramBoxes *self)
{
  g_clear_pointer (&self->pool, gst_gles_buffer_pool_free);
  g_clear_pointer (&self->ring, gst_gles_readback_ring_free);
  self->n_room = 0;
}

void
histogram_boxes_drop (HistogramBoxes *self)
{
  drop_buffers (self);
  g_clear_pointer (&self->plan, gst_gles_frame_boxes_unref);
  self->n = 0;
}

/* Other tags change the luma of RGB. */
static gboolean
fits (const HistogramBoxes *self, const GstGlesImage *image, gboolean luma)
{
  return self->plan != NULL && self->luma == luma &&
      gst_gles_region_same_image (image, &self->image) && image->luma == self->image.luma &&
      image->kr == self->image.kr && image->kg == self->image.kg && image->kb == self->image.kb;
}

/* A bin for each value of the deepest channel. */
static guint
n_bins (const GstGlesImage *image, gboolean luma)
{
  guint depth = luma ? image->luma_depth : 0;

  for (guint i = 0; !luma && i < image->n_components; i++)
    depth = MAX (depth, image->components[i].depth);
  return 1u << depth;
}

gboolean
histogram_boxes_prepare (HistogramBoxes *self, const HistogramSettings *settings,
    const GstGlesImage *image, GstGlesQueue *queue, GError **error)
{
  const gboolean luma = settings->channels == HISTOGRAM_CHANNELS_LUMA;
  const GstGlesFrameBoxesConfig config = { n_bins (image, luma), luma };

  self->sources = settings->boxes;
  self->type = settings->box_type;
  if (settings->boxes == BOXES_NONE) {
    histogram_boxes_drop (self);
    return TRUE;
  }
  if (fits (self, image, luma))
    return TRUE;
  histogram_boxes_drop (self);
  self->luma = luma;
  self->image = *image;
  self->plan = gst_gles_frame_boxes_new (queue, image, &config, error);
  return self->plan != NULL;
}

/* ---- boxes ---- */

/* The part of @box inside of the picture that is shown. */
static GstGlesBox
clip (const UpstreamBox *box, const GstGlesImage *image)
{
  const gint64 left = CLAMP ((gint64) box->x, 0, (gint64) image->crop_width);
  const gint64 top = CLAMP ((gint64) box->y, 0, (gint64) image->crop_height);
  const gint64 right = CLAMP ((gint64) box->x + box->width, left, (gint64) image->crop_width);
  const gint64 bottom = CLAMP ((gint64) box->y + box->height, top, (gint64) image->crop_height);

  return (GstGlesBox){ (guint) left, (guint) top, (guint) (right - left), (guint) (bottom - top),
    box->id, box->type != 0 ? g_quark_to_string (box->type) : "" };
}

GBytes *
histogram_boxes_take (HistogramBoxes *self, GstGlesAnalyzer *analyzer, GstBuffer *buffer,
    const GstGlesImage *image, GstGlesHistogramInfo *info)
{
  UpstreamBoxes found;
  GstGlesBox *boxes;

  boxes_read (&found, buffer, self->sources, self->type);
  boxes_warn (&found, GST_ELEMENT_CAST (analyzer), &self->has_warned);
  info->has_boxes = TRUE;
  info->boxes_truncated = found.n_found > found.n;
  info->n_boxes = self->n = found.n;
  boxes = g_new (GstGlesBox, found.n);
  for (guint i = 0; i < found.n; i++) {
    boxes[i] = clip (&found.box[i], image);
    self->places[i] = (GstGlesFrameBox){ (gint) (image->crop_x + boxes[i].x),
      (gint) (image->crop_y + boxes[i].y), (gint) boxes[i].width, (gint) boxes[i].height };
  }
  return g_bytes_new_take (boxes, found.n * sizeof *boxes);
}

/* Makes buffers for @n boxes, unless there are such: for twice as many as before, so that a box
 * more makes none. */
static gboolean
make_room (HistogramBoxes *self, GstGlesAnalyzer *analyzer, guint n, GError **error)
{
  gsize size_bytes;

  if (n <= self->n_room)
    return TRUE;
  n = MIN (MAX (n, MAX (2 * self->n_room, 8)), BOXES_MAX);
  drop_buffers (self);
  size_bytes = (gsize) gst_gles_frame_boxes_n_words (self->plan, n) * sizeof (guint32);
  self->pool = gst_gles_buffer_pool_new (gst_gles_analyzer_get_device (analyzer), size_bytes);
  self->ring = gst_gles_readback_ring_new (
      gst_gles_analyzer_get_queue (analyzer), N_READBACK_SLOTS, size_bytes, error);
  if (self->ring != NULL)
    self->n_room = n;
  return self->ring != NULL;
}

gboolean
histogram_boxes_run (HistogramBoxes *self, GstGlesAnalyzer *analyzer, const GstGlesImage *image,
    GstGlesHistogramBoxes *made, GError **error)
{
  if (!make_room (self, analyzer, self->n, error))
    return FALSE;
  made->counts = gst_gles_buffer_pool_acquire (self->pool, error);
  return made->counts != NULL &&
      gst_gles_frame_boxes_run (
          self->plan, image, &(GstGlesFrameBoxList){ self->places, self->n }, made->counts, error);
}

gboolean
histogram_boxes_read_back (HistogramBoxes *self, GstGlesAnalyzer *analyzer,
    const GstGlesHistogramInfo *info, GstGlesHistogramBoxes *made, GError **error)
{
  const gsize size_bytes = gst_gles_histogram_info_get_box_bytes (info);
  gboolean waited = FALSE;

  made->readback = gst_gles_readback_ring_copy (self->ring,
      &(GstGlesReadbackCopy){ .source = made->counts, .size_bytes = size_bytes }, &waited, error);
  if (made->readback != NULL)
    gst_gles_analyzer_count_readback (analyzer, size_bytes, waited);
  return made->readback != NULL;
}

void
histogram_boxes_clear_made (GstGlesHistogramBoxes *made)
{
  g_clear_pointer (&made->boxes, g_bytes_unref);
  g_clear_pointer (&made->readback, gst_gles_readback_unref);
  g_clear_pointer (&made->counts, gst_gles_buffer_unref);
}

/* ---- validation ---- */

gboolean
histogram_boxes_read_words (GstGlesHistogramResult *result, ValidationWords *words, GError **error)
{
  g_autoptr (GstGlesBuffer) buffer = gst_gles_histogram_result_get_box_buffer (result);
  g_autoptr (GstGlesDevice) device = NULL;

  if (buffer == NULL)
    return TRUE;
  device = gst_gles_buffer_get_device (buffer);
  return validation_words_add (words, "counters of boxes", 1,
      gst_gles_buffer_download_bytes (buffer, gst_gles_device_get_queue (device), 0,
          gst_gles_histogram_info_get_box_bytes (gst_gles_histogram_result_get_info (result)),
          error));
}

gboolean
histogram_boxes_expect (
    HistogramBoxes *self, const GstGlesImage *image, ValidationWords *expected, GError **error)
{
  g_autofree guint32 *counts = NULL;
  gsize size_bytes;

  if (self->plan == NULL || self->n == 0)
    return TRUE;
  size_bytes = (gsize) gst_gles_frame_boxes_n_words (self->plan, self->n) * sizeof (guint32);
  counts = g_try_malloc (size_bytes);
  if (counts == NULL) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY,
        "cannot allocate %" G_GSIZE_FORMAT " bytes to validate the boxes of a frame", size_bytes);
    return FALSE;
  }
  return gst_gles_frame_boxes_run_native (
             self->plan, image, &(GstGlesFrameBoxList){ self->places, self->n }, counts, error) &&
      validation_words_add (expected, "counters of boxes", 1,
          g_bytes_new_take (g_steal_pointer (&counts), size_bytes));
}
