/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What motion compares frames with: the background, a running average of each sample, or the
 * previous frame. Either is updated by one dispatch after the frame has been compared. */
#include "config.h"

#include <string.h>

#include <gst/gles/algo/frame/frame-compact-private.h>
#include <gst/gles/algo/frame/frame-reference.h>
#include <gst/gles/core/checked.h>

gboolean
gst_gles_frame_compact_is_bytes (const GstGlesFrameCompact *compact)
{
  return !compact->channel.luma && gst_gles_frame_is_bytes (compact->components);
}

/* A copy by OpenGL ES keeps a GPU from other work for longer than a kernel takes: with the kernel
 * 16 streams of 1080p had 60 700 frames per second on an H200, else 23 400. A software renderer
 * copies faster. */
static gboolean
keeps_by_kernel (const GstGlesFrameCompact *compact)
{
  return compact->array.two_pass.team != GST_GLES_TEAM_SERIAL;
}

static GstGlesFrameReferenceKind
kind_of (const GstGlesFrameCompact *compact)
{
  if (!compact->config.background)
    return GST_GLES_FRAME_REFERENCE_KEEP;
  if (gst_gles_frame_compact_is_bytes (compact))
    return GST_GLES_FRAME_REFERENCE_BYTES;
  return compact->channel.luma ? GST_GLES_FRAME_REFERENCE_LUMA : GST_GLES_FRAME_REFERENCE_SAMPLES;
}

/* Whether the kernel takes words of the picture, not samples. */
static gboolean
takes_words (const GstGlesFrameCompact *compact)
{
  return !compact->config.background || gst_gles_frame_compact_is_bytes (compact);
}

/* Words of the picture, or samples. */
static gsize
n_items (const GstGlesFrameCompact *compact)
{
  const GstGlesComponent *c = compact->components;

  return takes_words (compact) ? (compact->used.to - compact->used.from) / 4
                               : (gsize) c->width * c->height;
}

static gsize
averages_bytes (const GstGlesFrameCompact *compact)
{
  return n_items (compact) * (takes_words (compact) ? 16 : 4);
}

/* Queues the kernel over @n words or samples. */
static gboolean
dispatch (GstGlesFrameCompact *compact, GstGlesBinding image, guint n, guint weight, GError **error)
{
  const GstGlesFrameReferenceCall call = { .format = &compact->plan.format,
    .components = compact->components,
    .image = image,
    .from = compact->used.from,
    .averages = { compact->plan.kept.buffers[1], 0, 0, GST_GLES_READ_WRITE },
    .kept = { compact->plan.kept.buffers[0], 0, 0, GST_GLES_WRITE },
    .n = n,
    .weight = weight,
    .first = compact->plan.kept.frames == 0 };

  return gst_gles_frame_reference_run (
      compact->array.queue, compact->update, kind_of (compact), &call, error);
}

static gboolean
warm_up (gpointer compact, GstGlesBuffer *nothing, GError **error)
{
  return dispatch (compact, (GstGlesBinding){ nothing, 0, 0, GST_GLES_READ }, 0, 0, error);
}

/* Allocates the averages. */
static gboolean
make_averages (GstGlesFrameCompact *compact, GError **error)
{
  const GstGlesLimits *limits = gst_gles_device_get_limits (compact->array.device);
  GstGlesBuffer **averages = &compact->plan.kept.buffers[1];

  if (averages_bytes (compact) > limits->storage_block_bytes) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE,
        "the background of %u x %u samples is larger than a storage block of %" G_GUINT64_FORMAT
        " bytes; use reference=previous or the cpu device",
        compact->components->width, compact->components->height,
        (guint64) limits->storage_block_bytes);
    return FALSE;
  }
  if (*averages == NULL)
    *averages =
        gst_gles_buffer_new (compact->array.device, MAX (averages_bytes (compact), 16), error);
  return *averages != NULL;
}

gboolean
gst_gles_frame_compact_prepare_reference (GstGlesFrameCompact *compact, GError **error)
{
  const gboolean background = compact->config.background;
  GstGlesQueue *queue = compact->array.queue;

  if (compact->update != NULL || (!background && !keeps_by_kernel (compact)))
    return TRUE;
  if (background && !make_averages (compact, error))
    return FALSE;
  compact->update = gst_gles_frame_reference_get_program (queue, kind_of (compact), error);
  return compact->update != NULL && gst_gles_frame_warm_up (queue, warm_up, compact, error);
}

gboolean
gst_gles_frame_compact_update_reference (
    GstGlesFrameCompact *compact, const GstGlesImage *image, guint adaptation, GError **error)
{
  const gsize from = compact->used.from;
  const gsize end = gst_gles_frame_used_end (&compact->used, image->buffer);
  const gsize n = takes_words (compact) ? gst_gles_div_ceil (end - from, 4) : n_items (compact);

  if (compact->update == NULL)
    return gst_gles_queue_copy (compact->array.queue,
        &(GstGlesCopy){ .source = image->buffer,
            .source_offset = from,
            .target = compact->plan.kept.buffers[0],
            .target_offset = from,
            .size_bytes = end - from },
        error);
  return dispatch (compact, (GstGlesBinding){ image->buffer, 0, end, GST_GLES_READ }, (guint) n,
      gst_gles_frame_reference_weight (adaptation), error);
}
