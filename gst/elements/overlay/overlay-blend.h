/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_OVERLAY_BLEND_H
#define GST_GLES_OVERLAY_BLEND_H

#include <gst/video/video.h>

G_BEGIN_DECLS

/* Blends a composition of overlay_draw() into @frame, which is mapped for writing. Its rectangles
 * are unscaled and premultiplied ARGB in the host's byte order. Errors: GST_GLES_ERROR_FAILED,
 * GST_GLES_ERROR_NO_MEMORY. */
gboolean overlay_blend (
    GstVideoOverlayComposition *composition, GstVideoFrame *frame, GError **error);

G_END_DECLS

#endif
