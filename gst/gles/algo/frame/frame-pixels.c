/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <string.h>

#include <gst/gles/algo/frame/frame-channel.h>
#include <gst/gles/algo/frame/frame-pixels.h>
#include <gst/gles/core/checked.h>
#include <gst/gles/core/error.h>

static guint
n_components (const GstGlesFramePixels *pixels)
{
  return pixels->matrix ? 3 : 1;
}

const GstGlesComponent *
gst_gles_frame_pixels_get_component (const GstGlesFramePixels *pixels)
{
  return &pixels->format.components[pixels->component];
}

void
gst_gles_frame_pixels_init (GstGlesFramePixels *pixels, const GstGlesImage *format, gint channel)
{
  const GstGlesComponent *c;

  *pixels = (GstGlesFramePixels){ .format = *format,
    .component = (guint) MAX (channel, 0),
    .matrix = channel < 0 && format->luma == GST_GLES_LUMA_MATRIX };
  pixels->format.buffer = NULL;
  memset (pixels->format.planes, 0, sizeof (pixels->format.planes));
  c = gst_gles_frame_pixels_get_component (pixels);
  pixels->depth = pixels->matrix ? format->luma_depth : c->depth;
  for (guint i = 0; i < n_components (pixels); i++) {
    const gsize end = c[i].offset + (gsize) (c[i].height - 1) * c[i].stride +
        (gsize) (c[i].width - 1) * c[i].step + c[i].word_bytes;

    pixels->used_to = MAX (pixels->used_to, gst_gles_align_up (end, 16));
  }
}

void
gst_gles_frame_pixels_define (const GstGlesFramePixels *pixels, gboolean *bytes, gboolean *luma)
{
  const GstGlesComponent *c = gst_gles_frame_pixels_get_component (pixels);

  /* whether four pixels are a word of the image */
  *bytes = !pixels->matrix && c->word_bytes == 1 && c->step == 1 && c->shift == 0 &&
      c->depth == 8 && (c->offset | c->stride) % 4 == 0;
  *luma = pixels->matrix;
}

gsize
gst_gles_frame_pixels_bound_bytes (const GstGlesFramePixels *pixels, GstGlesBuffer *buffer)
{
  return MIN (pixels->used_to, gst_gles_buffer_get_size (buffer));
}

void
gst_gles_frame_pixels_describe (
    const GstGlesFramePixels *pixels, gsize bound_bytes, GstGlesFramePixelsParams *params)
{
  const GstGlesComponent *c = gst_gles_frame_pixels_get_component (pixels);

  *params = (GstGlesFramePixelsParams){ .pass = { .width = c->width,
                                            .height = c->height,
                                            .depth = pixels->depth,
                                            .last_word =
                                                (guint32) (gst_gles_div_ceil (bound_bytes, 4) - 1),
                                            .kr = pixels->format.kr,
                                            .kg = pixels->format.kg,
                                            .kb = pixels->format.kb } };
  for (guint i = 0; i < n_components (pixels); i++) {
    params->components[i] = c[i];
    if (c[i].depth != c[0].depth)
      params->pass.scale_to_8 = TRUE;
  }
}

GstGlesCpuChannel
gst_gles_frame_pixels_channel (const GstGlesFramePixels *pixels, const GstGlesImage *image)
{
  return gst_gles_frame_channel (image, pixels->component, pixels->matrix, pixels->depth);
}

gboolean
gst_gles_frame_pixels_check (
    const GstGlesFramePixels *pixels, const GstGlesImage *image, GError **error)
{
  const gsize n_bytes = pixels->format.n_components * sizeof (GstGlesComponent);

  if (memcmp (image->components, pixels->format.components, n_bytes) == 0)
    return TRUE;
  g_set_error_literal (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
      "the image is laid out otherwise than the plan was made for; make a new plan");
  return FALSE;
}
