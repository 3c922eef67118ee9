/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <string.h>

#include <gst/gles/algo/frame/plan.h>
#include <gst/gles/core/checked.h>
#include <gst/gles/core/error.h>
#include <gst/gles/gl/submission.h>

void
gst_gles_frame_plan_init (GstGlesFramePlan *plan, GstGlesQueue *queue, const GstGlesImage *format)
{
  plan->queue = gst_object_ref (queue);
  plan->device = gst_gles_queue_get_device (queue);
  plan->format = *format;
  plan->format.buffer = NULL;
  memset (plan->format.planes, 0, sizeof (plan->format.planes));
}

static void
clear_memory (GstGlesFrameKept *memory)
{
  g_free (memory->host);
  for (guint i = 0; i < G_N_ELEMENTS (memory->buffers); i++)
    gst_gles_buffer_unref (memory->buffers[i]);
}

void
gst_gles_frame_plan_clear (GstGlesFramePlan *plan)
{
  clear_memory (&plan->kept);
  clear_memory (&plan->saved);
  gst_clear_object (&plan->device);
  gst_clear_object (&plan->queue);
}

gboolean
gst_gles_frame_plan_is_cpu (const GstGlesFramePlan *plan)
{
  return gst_gles_device_get_kind (plan->device) == GST_GLES_DEVICE_CPU;
}

gboolean
gst_gles_frame_plan_check_image (
    const GstGlesFramePlan *plan, const GstGlesImage *image, GError **error)
{
  const gsize bytes = plan->format.n_components * sizeof (GstGlesComponent);

  if (memcmp (image->components, plan->format.components, bytes) == 0)
    return TRUE;
  g_set_error_literal (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
      "the image is laid out otherwise than the plan was made for; make a new one");
  return FALSE;
}

gboolean
gst_gles_frame_warm_up (
    GstGlesQueue *queue, GstGlesFrameWarmUpFunc func, gpointer plan, GError **error)
{
  g_autoptr (GstGlesDevice) device = gst_gles_queue_get_device (queue);
  g_autoptr (GstGlesBuffer) nothing = gst_gles_buffer_new (device, GST_GLES_WARM_UP_BYTES, error);
  gboolean ok;

  if (nothing == NULL || !gst_gles_queue_begin (queue, error))
    return FALSE;
  ok = func (plan, nothing, error);
  return gst_gles_queue_end (queue, ok ? error : NULL) && ok;
}

guint
gst_gles_frame_n_groups (
    GstGlesDevice *device, gsize n, guint invocations, guint each, guint each_software)
{
  const gboolean software = gst_gles_device_get_kind (device) == GST_GLES_DEVICE_SOFTWARE;
  const gsize per_group = (gsize) invocations * (software ? each_software : each);

  return (guint) CLAMP (
      gst_gles_div_ceil (n, per_group), 1, gst_gles_device_get_limits (device)->groups[0]);
}

/* ---- what is kept of earlier frames ---- */

gboolean
gst_gles_frame_plan_has_reference (const GstGlesFramePlan *plan)
{
  return plan->kept.frames > 0 || plan->kept.host != NULL;
}

void
gst_gles_frame_plan_reset (GstGlesFramePlan *plan)
{
  plan->kept.frames = 0;
  g_clear_pointer (&plan->kept.host, g_free);
}

gboolean
gst_gles_frame_make_kept (guint8 **host, gsize bytes, GError **error)
{
  if (*host == NULL)
    *host = g_try_malloc0 (MAX (bytes, 1));
  if (*host == NULL)
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY,
        "cannot allocate %" G_GSIZE_FORMAT " bytes to keep a frame for the next", bytes);
  return *host != NULL;
}

/* Queues a copy of @buffer (nullable) to *@copy, which is allocated first if it is NULL. */
static gboolean
copy_buffer (GstGlesFramePlan *plan, GstGlesBuffer *buffer, GstGlesBuffer **copy, GError **error)
{
  gsize size;

  if (buffer == NULL)
    return TRUE;
  size = gst_gles_buffer_get_size (buffer);
  if (*copy == NULL)
    *copy = gst_gles_buffer_new (plan->device, size, error);
  return *copy != NULL &&
      gst_gles_queue_copy (plan->queue,
          &(GstGlesCopy){ .source = buffer, .target = *copy, .size_bytes = size }, error);
}

gboolean
gst_gles_frame_plan_save (GstGlesFramePlan *plan, GError **error)
{
  g_clear_pointer (&plan->saved.host, g_free);
  if (plan->kept.host != NULL) {
    if (!gst_gles_frame_make_kept (&plan->saved.host, plan->host_bytes, error))
      return FALSE;
    memcpy (plan->saved.host, plan->kept.host, plan->host_bytes);
  }
  plan->saved.frames = plan->kept.frames;
  if (plan->kept.frames == 0)
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (plan->kept.buffers); i++) {
    if (!copy_buffer (plan, plan->kept.buffers[i], &plan->saved.buffers[i], error))
      return FALSE;
  }
  return TRUE;
}

void
gst_gles_frame_plan_restore (GstGlesFramePlan *plan)
{
  g_free (plan->kept.host);
  plan->kept.host = g_steal_pointer (&plan->saved.host);
  plan->kept.frames = plan->saved.frames;
  for (guint i = 0; i < G_N_ELEMENTS (plan->kept.buffers) && plan->kept.frames > 0; i++) {
    GstGlesBuffer *buffer = plan->kept.buffers[i];

    plan->kept.buffers[i] = plan->saved.buffers[i];
    plan->saved.buffers[i] = buffer;
  }
}

/* ---- samples ---- */

gboolean
gst_gles_frame_scales_to_8 (const GstGlesImage *format)
{
  const GstGlesComponent *c = format->components;

  return format->luma == GST_GLES_LUMA_MATRIX &&
      (c[0].depth != c[1].depth || c[0].depth != c[2].depth);
}

/* Returns the first sample whose luma position is at or after @position. */
static guint
first_sample (guint position, guint sub, guint n_samples)
{
  return MIN ((position + (1u << sub) - 1) >> sub, n_samples);
}

GstGlesCpuSamples
gst_gles_frame_samples_in (const GstGlesComponent *c, const GstGlesFrameRegion *region)
{
  GstGlesCpuSamples samples = { .x = first_sample (region->x, c->sub_x, c->width),
    .y = first_sample (region->y, c->sub_y, c->height) };

  samples.width = first_sample (region->x + region->width, c->sub_x, c->width) - samples.x;
  samples.height = first_sample (region->y + region->height, c->sub_y, c->height) - samples.y;
  return samples;
}

GstGlesCpuEdges
gst_gles_frame_visible (const GstGlesComponent *c, const GstGlesImage *image)
{
  const guint right = first_sample (image->crop_x + image->crop_width, c->sub_x, c->width);
  const guint bottom = first_sample (image->crop_y + image->crop_height, c->sub_y, c->height);
  GstGlesCpuEdges edges = { .right = MAX (right, 1) - 1, .bottom = MAX (bottom, 1) - 1 };

  edges.left = MIN (first_sample (image->crop_x, c->sub_x, c->width), edges.right);
  edges.top = MIN (first_sample (image->crop_y, c->sub_y, c->height), edges.bottom);
  return edges;
}

GstGlesFrameChannel
gst_gles_frame_channel (const GstGlesImage *format, gint channel)
{
  const guint component = (guint) MAX (channel, 0);
  const gboolean luma = channel < 0 && format->luma == GST_GLES_LUMA_MATRIX;

  return (GstGlesFrameChannel){ .component = component,
    .luma = luma,
    .name = channel < 0 ? "luma" : format->names[component],
    .depth = luma ? format->luma_depth : format->components[component].depth };
}

guint
gst_gles_frame_channels_init (GstGlesFrameChannel *channels, const GstGlesImage *format,
    gboolean luma, const GstGlesFrameRegion *region, const GstGlesMaskBits *mask)
{
  const guint n = luma ? 1 : format->n_components;

  for (guint i = 0; i < n; i++) {
    const GstGlesComponent *c = &format->components[i];
    GstGlesFrameChannel *channel = &channels[i];
    GstGlesCpuSamples *samples = &channel->samples;

    *channel = gst_gles_frame_channel (format, luma ? GST_GLES_FRAME_LUMA : (gint) i);
    *samples = gst_gles_frame_samples_in (c, region);
    if (mask != NULL)
      samples->spans = channel->spans = gst_gles_cpu_spans_new (mask, c, TRUE);
    channel->n_samples = mask == NULL ? (guint64) samples->width * samples->height
                                      : gst_gles_cpu_spans_count (channel->spans, samples->x,
                                            samples->y, samples->width, samples->height);
  }
  return n;
}

void
gst_gles_frame_channels_clear (GstGlesFrameChannel *channels, guint n)
{
  for (guint i = 0; i < n; i++)
    g_clear_pointer (&channels[i].spans, gst_gles_cpu_spans_free);
}

guint
gst_gles_frame_channel_n_components (const GstGlesFrameChannel *channel)
{
  return channel->luma ? 3 : 1;
}

GstGlesCpuChannel
gst_gles_frame_channel_samples (const GstGlesFrameChannel *channel, const GstGlesImage *image)
{
  GstGlesCpuChannel samples = { .matrix = channel->luma,
    .kr = image->kr,
    .kg = image->kg,
    .kb = image->kb,
    .depth = channel->depth };

  for (guint k = 0; k < gst_gles_frame_channel_n_components (channel); k++) {
    samples.component[k] = image->components[channel->component + k];
    samples.data[k] = image->planes[samples.component[k].plane];
  }
  return samples;
}

gboolean
gst_gles_frame_is_bytes (const GstGlesComponent *c)
{
  return c->word_bytes == 1 && c->step == 1 && c->shift == 0 && c->depth == 8;
}

GstGlesImage
gst_gles_frame_with_crop (const GstGlesImage *picture, const GstGlesImage *image)
{
  GstGlesImage cropped = *picture;

  cropped.crop_x = image->crop_x;
  cropped.crop_y = image->crop_y;
  cropped.crop_width = image->crop_width;
  cropped.crop_height = image->crop_height;
  return cropped;
}

/* ---- bytes ---- */

GstGlesFrameRange
gst_gles_frame_used (const GstGlesImage *format, guint components)
{
  GstGlesFrameRange range = { G_MAXSIZE, 0 };

  for (guint i = 0; i < format->n_components; i++) {
    const GstGlesComponent *c = &format->components[i];
    const gsize end = c->offset + (gsize) (c->height - 1) * c->stride +
        (gsize) (c->width - 1) * c->step + c->word_bytes;

    if ((components & 1u << i) == 0)
      continue;
    range.from = MIN (range.from, c->offset & ~15u);
    range.to = MAX (range.to, gst_gles_align_up (end, 16));
  }
  range.from = MIN (range.from, range.to);
  return range;
}

gsize
gst_gles_frame_used_end (const GstGlesFrameRange *range, GstGlesBuffer *image)
{
  return MIN (range->to, gst_gles_buffer_get_size (image));
}

guint32
gst_gles_frame_last_word (gsize bytes)
{
  return (guint32) (gst_gles_div_ceil (MAX (bytes, 1), 4) - 1);
}

guint32
gst_gles_frame_last_word_of (GstGlesBuffer *image)
{
  return gst_gles_frame_last_word (gst_gles_align_up (gst_gles_buffer_get_size (image), 16));
}
