/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The video formats that algorithms can read, and the sample layout of each. The layout comes
 * from GstVideoFormatInfo and an override table, because the info alone is wrong for about a
 * fifth of the linear formats. */
#ifndef GST_GLES_FORMAT_H
#define GST_GLES_FORMAT_H

#include <gst/video/video.h>
#include <gst/gles/gl/image.h>

G_BEGIN_DECLS

/* Fills @image's geometry, components (offsets and strides as in @info, counted from the start of
 * each plane), names and luma matrix. Crop is the whole picture; buffer and planes stay NULL.
 * Errors: SETTINGS for a format that is not supported. Thread: any. */
GST_GLES_API gboolean gst_gles_format_describe (
    const GstVideoInfo *info, GstGlesImage *image, GError **error);

/* The supported formats, in the order of GstVideoFormat: static, *n_formats entries. */
GST_GLES_API const GstVideoFormat *gst_gles_format_list (guint *n_formats);

/* Returns GStreamer's name of @format, as in caps: static. Returns NULL for UNKNOWN, for DMA_DRM,
 * which describes no layout, and for numbers that this GStreamer does not know; metas of other
 * processes may have such numbers. Thread: any. */
GST_GLES_API const gchar *gst_gles_format_name (GstVideoFormat format);

G_END_DECLS

#endif
