/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the analysers of this tree tell a source of frames beyond source.h, to spare copies. */
#ifndef GST_GLES_FRAME_SOURCE_INFO_H
#define GST_GLES_FRAME_SOURCE_INFO_H

#include <gst/gles/import/source.h>

G_BEGIN_DECLS

/* Sets which components kernels read, as a bit mask; all by default. On a GL device, planes without
 * such a component are not copied, and their contents in an image are undefined. */
GST_GLES_API void gst_gles_frame_source_use_components (
    GstGlesFrameSource *source, guint components);

/* Sets how often kernels read each sample of the next frames. It decides whether they read it in
 * mapped memory, where the host wrote it, or from a copy on the device; the first frame of host
 * memory measures which is faster (gst_gles_link_choose_reads_in_place()). Not set, or on a device
 * without mapped memory, frames are copied. */
GST_GLES_API void gst_gles_frame_source_set_n_reads (GstGlesFrameSource *source, guint n_reads);

/* Sets whether the next frames may change the layout of this source's images to their own strides
 * and offsets; off by default. A frame in the memory of GstGlesAllocator with another layout is
 * copied if this is off. The caller compares the layout of each image with that of its plan. */
GST_GLES_API void gst_gles_frame_source_adopt_layout (GstGlesFrameSource *source, gboolean adopt);

/* Sets whether a copy of a frame in system memory is recorded on its buffer, which must be
 * writable, so that later elements on the same device need not copy the frame again; off by
 * default. Without it, records of earlier elements are used and then removed. An element that
 * writes into the frame while there is a record gets a copy of the memory. */
GST_GLES_API void gst_gles_frame_source_share_copies (GstGlesFrameSource *source, gboolean share);

/* Sets the layout modifier of the DMABufs of the next frames, as their caps name it; 0, the
 * default, is linear. */
GST_GLES_API void gst_gles_frame_source_set_modifier (GstGlesFrameSource *source, guint64 modifier);

/* Returns why frames are mapped although the device imports such memory: static until the source is
 * freed; NULL while nothing was refused. */
GST_GLES_API const gchar *gst_gles_frame_source_get_refusal (GstGlesFrameSource *source);

/* Returns the size that the image of @buffer will have: of its GstVideoCropMeta, which may lie
 * outside the picture, or of the caps, and of a field where buffers hold fields. */
GST_GLES_API void gst_gles_frame_source_get_visible_size (
    GstGlesFrameSource *source, GstBuffer *buffer, guint *width, guint *height);

/* Optional. Called last, when nothing more will be added to @buffer, which holds the frame that was
 * committed last. If the frame was imported and @buffer comes from a pool, @buffer is kept until
 * the device has read it. Without this call the pool may get @buffer back earlier, find its memory
 * in use, and allocate other memory. */
GST_GLES_API void gst_gles_frame_source_keep (GstGlesFrameSource *source, GstBuffer *buffer);

G_END_DECLS

#endif
