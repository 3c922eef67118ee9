/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A frame that is drawn on, mapped and checked. */
#ifndef GST_GLES_OVERLAY_FRAME_H
#define GST_GLES_OVERLAY_FRAME_H

#include <gst/video/video.h>

G_BEGIN_DECLS

typedef struct {
  GstVideoFrame mapped; /* the buffer's own memory; no larger than the caps say */
  gboolean is_copy;     /* drawn is mapped too, and takes the drawing */
  GstVideoFrame drawn;
} OverlayFrame;

/* Maps @buffer, which is writable, as a picture of @info. A frame whose rows are shorter or aligned in
 * another way than GStreamer's blending needs is copied. Errors: GST_GLES_ERROR_INVALID where the buffer's
 * GstVideoMeta contradicts @info or the memory, GST_GLES_ERROR_NO_MEMORY. */
gboolean overlay_frame_map (
    OverlayFrame *frame, const GstVideoInfo *info, GstBuffer *buffer, GError **error);
/* What to draw on: rows are as long as in GStreamer's own layout. Valid until unmap. */
GstVideoFrame *overlay_frame_get_target (OverlayFrame *frame);
/* Writes a copy back. */
void overlay_frame_unmap (OverlayFrame *frame);

G_END_DECLS

#endif
