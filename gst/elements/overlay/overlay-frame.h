/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A frame that is mapped and checked for drawing. */
#ifndef GST_GLES_OVERLAY_FRAME_H
#define GST_GLES_OVERLAY_FRAME_H

#include <gst/video/video.h>

G_BEGIN_DECLS

typedef struct {
  GstVideoFrame
      mapped;       /* the memory of the buffer, limited to the picture, or field, of the caps */
  gboolean is_copy; /* the drawing goes to `drawn`, which is mapped too */
  GstVideoFrame drawn;
} OverlayFrame;

/* Maps @buffer, which is writable, as a picture of @info, or as a field of it. A frame whose rows
 * are too short or not aligned as GStreamer's blending requires is copied. Errors:
 * GST_GLES_ERROR_BAD_FRAME if the buffer's GstVideoMeta contradicts @info or the memory,
 * GST_GLES_ERROR_NO_MEMORY. */
gboolean overlay_frame_map (
    OverlayFrame *frame, const GstVideoInfo *info, GstBuffer *buffer, GError **error);
/* Returns the frame to draw on. Its rows are as long as in GStreamer's own layout. Valid until
 * unmap. */
GstVideoFrame *overlay_frame_get_target (OverlayFrame *frame);
/* Unmaps the frame. If it was copied, writes the copy back first. */
void overlay_frame_unmap (OverlayFrame *frame);

G_END_DECLS

#endif
