/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <string.h>

#include <gst/gles/algo/frame/pixels.h>

void
gst_gles_frame_pixels_init (GstGlesFramePixels *pixels, const GstGlesFramePlan *plan, gint channel)
{
  guint components;

  pixels->format = &plan->format;
  pixels->channel = gst_gles_frame_channel (pixels->format, channel);
  components = (1u << gst_gles_frame_channel_n_components (&pixels->channel)) - 1;
  pixels->used = gst_gles_frame_used (pixels->format, components << pixels->channel.component);
}

const GstGlesComponent *
gst_gles_frame_pixels_get_component (const GstGlesFramePixels *pixels)
{
  return &pixels->format->components[pixels->channel.component];
}

static void
set_defines (GstGlesProgramSpec *spec, gboolean bytes, gboolean luma)
{
  spec->defines[0] = (GstGlesDefine){ "BYTES", bytes };
  spec->defines[1] = (GstGlesDefine){ "LUMA", luma };
}

void
gst_gles_frame_pixels_specialise (const GstGlesFramePixels *pixels, GstGlesProgramSpec *spec)
{
  const GstGlesComponent *c = gst_gles_frame_pixels_get_component (pixels);
  /* four pixels are a word of the image */
  const gboolean bytes =
      !pixels->channel.luma && gst_gles_frame_is_bytes (c) && (c->offset | c->stride) % 4 == 0;

  set_defines (spec, bytes, pixels->channel.luma);
}

void
gst_gles_frame_pixels_specialisations (
    GstGlesProgramSpec *spec, GstGlesSpecialisationFunc func, gpointer user_data)
{
  for (guint i = 0; i < 3; i++) {
    set_defines (spec, i == 1, i == 2);
    func (spec, user_data);
  }
}

void
gst_gles_frame_pixels_describe (
    const GstGlesFramePixels *pixels, gsize bound_bytes, GstGlesFramePixelsParams *params)
{
  const GstGlesComponent *c = gst_gles_frame_pixels_get_component (pixels);

  *params =
      (GstGlesFramePixelsParams){ .pass = { .width = c->width,
                                      .height = c->height,
                                      .depth = pixels->channel.depth,
                                      .last_word = gst_gles_frame_last_word (bound_bytes),
                                      .scale_to_8 = gst_gles_frame_scales_to_8 (pixels->format),
                                      .kr = pixels->format->kr,
                                      .kg = pixels->format->kg,
                                      .kb = pixels->format->kb } };
  memcpy (
      params->components, c, gst_gles_frame_channel_n_components (&pixels->channel) * sizeof (*c));
}
