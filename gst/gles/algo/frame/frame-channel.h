/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The samples of a channel as native code reads them. */
#ifndef GST_GLES_FRAME_CHANNEL_H
#define GST_GLES_FRAME_CHANNEL_H

#include <gst/gles/cpu/frame-histogram-rows.h>
#include <gst/gles/gl/image.h>

G_BEGIN_DECLS

/* Component @first of @image, which has planes; with @matrix luma from it and the next two. @depth:
 * bits of the values. */
static inline GstGlesCpuChannel
gst_gles_frame_channel (const GstGlesImage *image, guint first, gboolean matrix, guint depth)
{
  GstGlesCpuChannel channel = {
    .matrix = matrix, .kr = image->kr, .kg = image->kg, .kb = image->kb, .depth = depth
  };

  for (guint k = 0; k < (matrix ? 3u : 1u); k++) {
    channel.component[k] = image->components[first + k];
    channel.data[k] = image->planes[channel.component[k].plane];
  }
  return channel;
}

G_END_DECLS

#endif
