/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The caps of pictures that elements read, with the memory that holds them. */
#ifndef GST_GLES_FRAME_CAPS_H
#define GST_GLES_FRAME_CAPS_H

#include <gst/video/video.h>
#include <gst/gles/device/device.h>

G_BEGIN_DECLS

/* The kinds of memory of frames. */
typedef enum {
  GST_GLES_FRAME_SYSTEM, /* mapped, and copied to the device */
  GST_GLES_FRAME_DMABUF, /* memory:DMABuf: imported, or mapped like system memory */
  GST_GLES_FRAME_GL,     /* memory:GLMemory: textures of a GstGLContext */
  GST_GLES_FRAME_CUDA,   /* memory:CUDAMemory: of NVIDIA's decoders */
  GST_GLES_FRAME_N_MEMORIES
} GstGlesFrameMemory;

/* Returns the caps of all formats in all memories that this build knows, for pad templates:
 * (transfer full). */
GST_GLES_API GstCaps *gst_gles_frame_caps (void);

/* Returns those of @caps that @device (nullable: any device) can read, in their order:
 * (transfer full). Caps of other media types stay. */
GST_GLES_API GstCaps *gst_gles_frame_caps_for_device (const GstCaps *caps, GstGlesDevice *device);

/* Returns for people why @device reads none of @caps although another device may, and which element
 * to put before: (transfer full). NULL if it reads some of them, if no device does, or if @device
 * (nullable) is NULL. Thread: any. */
GST_GLES_API gchar *gst_gles_frame_caps_explain (const GstCaps *caps, GstGlesDevice *device);

/* Returns fixed @caps of any memory as those of the same picture in system memory, with DMA_DRM
 * replaced by the video format: (transfer full). @modifier (nullable) receives the layout modifier,
 * 0 for rows one after the other. Errors: SETTINGS (a DRM format that is no video format). */
GST_GLES_API GstCaps *gst_gles_frame_caps_to_system (
    const GstCaps *caps, guint64 *modifier, GError **error);

/* Reads @caps of a picture in system memory as gst_video_info_from_caps() does, except that each
 * member of their colorimetry holds whatever the others are: GstVideoInfo drops the range of YUV
 * whose matrix is unknown. Members that are unknown, or that contradict the format, have
 * GStreamer's default for format and size, as where caps have no colorimetry. Returns FALSE if
 * @caps describe no picture. */
GST_GLES_API gboolean gst_gles_frame_caps_to_info (const GstCaps *caps, GstVideoInfo *info);

/* Returns in a few words whether and how @device reads @memory, for people; or why it does not:
 * (transfer full). *reads says which of the two. Thread: any. */
GST_GLES_API gchar *gst_gles_frame_memory_describe (
    GstGlesDevice *device, GstGlesFrameMemory memory, gboolean *reads);

/* Returns the feature of @memory in caps: static. */
GST_GLES_API const gchar *gst_gles_frame_memory_name (GstGlesFrameMemory memory);

G_END_DECLS

#endif
